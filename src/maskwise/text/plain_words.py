"""English words so common that they tell nothing about anyone: stop words, words of the closed classes, and a list.

The list holds general verbs, nouns, adjectives and adverbs. It has no word for a trade, a belief, an illness, a crime
or a pastime, however common, because those do tell something. Inflected forms are derived.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from maskwise.text.english import CONJUNCTIONS, DETERMINERS, PREPOSITIONS, STOP_WORDS
from maskwise.text.folding import fold_word
from maskwise.text.word_lists import read_words

# Each of these begins a noun phrase.
ARTICLES = (DETERMINERS - {"half"}) | frozenset(
    "my your his her its our their whose which what several many few much more most less least own".split()
)
SUBJECTS = frozenset("i he she it we they you who".split())
PRONOUNS = SUBJECTS | frozenset(
    """
    me him us them mine yours hers ours theirs myself yourself himself herself itself ourselves themselves whom
    someone somebody something anyone anybody anything everyone everybody everything nobody nothing none one ones
    another oneself there here
    """.split()
)
MODALS = frozenset(
    "will would shall should can could may might must ought do does did cannot".split()
)
COPULAS = frozenset(
    "be am is are was were been being become becomes became becoming remain remains remained".split()
)
AUXILIARIES = MODALS | COPULAS | frozenset("have has had having get got gets getting".split())
LINKS = CONJUNCTIONS | frozenset(
    "if because while although though unless whereas whether that when where why how as so then yet once till".split()
)
NEGATIONS = frozenset("not no never neither nor".split())

_DOUBLED = frozenset("stop plan refer occur prefer".split())
_PLURALS = {
    "man": "men",
    "woman": "women",
    "child": "children",
    "life": "lives",
    "wife": "wives",
    "half": "halves",
    "person": "people",
    "series": "series",
    "information": "information",
    "process": "processes",
    "address": "addresses",
    "watch": "watches",
    "wish": "wishes",
}
_CLITIC = re.compile(r"(?:n't|'(?:s|d|ll|re|ve|m))\Z")


def _inflect_verb(verb: str) -> Iterable[str]:
    """Yields the forms of a regular verb."""
    yield verb
    if verb.endswith("y") and verb[-2] not in "aeiou":
        yield from (verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing")
        return
    yield verb + ("es" if verb.endswith(("s", "sh", "ch", "x")) else "s")
    stem = verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")
    yield stem + "ed"
    if verb.endswith("ee"):
        yield verb + "ing"
    else:
        yield verb[:-2] + "ying" if verb.endswith("ie") else stem + "ing"


def _make_plural(noun: str) -> str:
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


CLOSED = frozenset((*ARTICLES, *PREPOSITIONS, *LINKS, *PRONOUNS, *AUXILIARIES, *NEGATIONS))
PLAIN_VERBS = frozenset(
    chain(read_words("irregular_verbs"), *map(_inflect_verb, read_words("regular_verbs")))
)
PLAIN_ADVERBS = frozenset(read_words("adverbs"))
PLAIN_NOUNS = frozenset(noun for one in read_words("nouns") for noun in (one, _make_plural(one)))
PLAIN_ADJECTIVES = frozenset(read_words("adjectives"))
COMMON_WORDS = PLAIN_VERBS | PLAIN_NOUNS | PLAIN_ADJECTIVES | PLAIN_ADVERBS
PLAIN_WORDS = STOP_WORDS | CLOSED | COMMON_WORDS


@lru_cache(maxsize=1 << 16)
def split_clitic(word: str) -> tuple[str, str]:
    """A word, folded, and what a contraction or the genitive adds to it.

    >>> split_clitic("Wasn’t"), split_clitic("brother's"), split_clitic("can't")
    (('was', "n't"), ('brother', "'s"), ('can', "n't"))
    """
    folded = fold_word(word)
    found = _CLITIC.search(folded)
    if found is None or not found.start():
        return folded, ""
    base = {"ca": "can", "wo": "will", "sha": "shall"}.get(folded[: found.start()])
    return base or folded[: found.start()], found.group()


def is_plain(word: str) -> bool:
    """Whether a word of a text tells nothing about anyone.

    >>> [word for word in "She wasn't the county's bodybuilder".split() if not is_plain(word)]
    ['bodybuilder']
    """
    return split_clitic(word)[0] in PLAIN_WORDS
