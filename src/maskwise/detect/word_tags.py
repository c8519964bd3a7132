"""One letter per word: what a word can be in an English sentence, by lists of closed classes and by endings.

There is no tagger behind it. A rare word counts as a noun unless its ending or the word before it says otherwise, and
whoever reads the tags (see `phrases`) needs no more than where noun phrases begin and end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from maskwise.text.english import PREPOSITIONS, STOP_WORDS
from maskwise.text.numbers import ORDINALS, VALUES
from maskwise.text.plain_words import (
    ARTICLES,
    AUXILIARIES,
    CLOSED,
    COPULAS,
    MODALS,
    PLAIN_ADJECTIVES,
    PLAIN_ADVERBS,
    PLAIN_NOUNS,
    PLAIN_VERBS,
    SUBJECTS,
    split_clitic,
)
from maskwise.text.word_lists import read_words

# Words of the closed classes, and those that name a rank.
ARTICLE, THAT, OF, TO, FOR, SCOPE, PREPOSITION = "D", "h", "o", "t", "f", "i", "P"
SUBJECT, RELATIVE, COPULA, MODAL, AUXILIARY, OTHER = "S", "w", "B", "M", "X", "C"
ONE, FEW, EVER, BEST, FIRST, ONLY, MOST = "1", "q", "z", "T", "E", "l", "m"
# Plain words: adverbs, verbs, what may be a verb or a noun (ending in -s or not), adjectives, nouns, kin, the genitive
# of a noun, and any of the open classes with a capital, which is part of a name unless a sentence begins with it.
ADVERB, PLAIN_VERB, EITHER, PLAIN_ADJECTIVE, PLAIN_NOUN, KIN, PLAIN_GENITIVE, TITLED = "AVbackGn"
EITHER_ON_S = "x"
# Words that tell something.
NOUN, NOUN_ON_S, ROLE, GENITIVE, NUMBER, MANNER, PAST, ONGOING, VERB = "Nsrg#yejv"
BREAK = "|"

_KIN = frozenset(
    """
    child children son sons daughter daughters brother brothers sister sisters parent parents mother father husband wife
    """.split()
)
_SCOPES = frozenset("in at on from among within across throughout since amongst".split())
_ROLES = frozenset(read_words("role_nouns"))
# Past forms of verbs that do not end in -ed; the plain ones are known already.
_PAST = frozenset(read_words("strong_past_forms"))
# Words on -est that rank nothing, and words on -ed and -ly that are neither verbs nor adverbs.
_NOT_BEST = frozenset(
    """
    arrest attest behest bequest bucharest budapest chest conquest contest crest detest digest dishonest divest earnest
    everest forest guest harvest honest incest infest ingest inquest interest invest manifest midwest modest
    molest northwest priest protest quest rainforest request southwest suggest tempest unrest immodest disinterest
    """.split()
)
_NOT_PAST = frozenset(
    """
    aged beloved bloodshed breed creed deed embed feed freed greed hatred heed homebred hundred infrared kindred need
    purebred sacred seabed seed shed sled speed steed thoroughbred tweed unwed watershed weed
    """.split()
)
_NOT_MANNER = frozenset(
    """
    ally anomaly assembly belly bully butterfly chilly curly elderly family fly friendly ghastly gully holly homely
    italy jelly july kindly lily lonely lovely melancholy monopoly multiply oily orderly reply silly supply ugly
    weekly wily woolly yearly monthly
    """.split()
)
_DIGITS = re.compile(r"[0-9][0-9.,:/-]*(?:st|nd|rd|th)?\Z")
_NTH = re.compile(r"(?:st|nd|rd|th)\Z")


_EITHER = PLAIN_VERBS & (PLAIN_NOUNS | PLAIN_ADJECTIVES)


# The tags of known words. Later lines win.
_TAGGED: tuple[tuple[Iterable[str], str], ...] = (
    (STOP_WORDS, ADVERB),
    (_PAST, PAST),
    (_ROLES, ROLE),
    (VALUES, NUMBER),
    (ORDINALS, BEST),
    (PLAIN_VERBS, PLAIN_VERB),
    (PLAIN_ADJECTIVES, PLAIN_ADJECTIVE),
    (PLAIN_NOUNS, PLAIN_NOUN),
    (_EITHER, EITHER),
    ([word for word in _EITHER if word.endswith("s")], EITHER_ON_S),
    (PLAIN_ADVERBS, ADVERB),
    (_KIN, KIN),
    (CLOSED, OTHER),
    (PREPOSITIONS, PREPOSITION),
    (ARTICLES, ARTICLE),
    (SUBJECTS, SUBJECT),
    (AUXILIARIES, AUXILIARY),
    (COPULAS, COPULA),
    (MODALS, MODAL),
    (_SCOPES, SCOPE),
    (("not", "never", "also", "always", "still", "just", "even", "often", "very"), ADVERB),
    (("member", "head"), ROLE),
    (("first", "second", "third", "last", "best", "worst"), FIRST),
    (("most", "least"), MOST),
    (("who", "which"), RELATIVE),
    (("sole", "foremost"), BEST),
    (("there", "here"), OTHER),
    (("of",), OF),
    (("to",), TO),
    (("for",), FOR),
    (("that",), THAT),
    (("one",), ONE),
    (("few",), FEW),
    (("ever",), EVER),
    (("only",), ONLY),
)
_TAGS = {word: tag for words, tag in _TAGGED for word in words}
_OPEN = (PLAIN_VERB, EITHER, EITHER_ON_S, PLAIN_ADJECTIVE, PLAIN_NOUN)
_CONTRACTED = {"'s": COPULA, "'re": COPULA, "'m": COPULA, "'ll": MODAL, "'d": MODAL}


@lru_cache(maxsize=1 << 16)
def tag_word(word: str) -> str:
    """The tag of a word of a text, whatever stands beside it.

    >>> "".join(map(tag_word, "She was the county's youngest salmon farmer".split()))
    'SBDGTNN'
    """
    base, clitic = split_clitic(word)
    tag = _TAGS.get(base) or _tag_rare(base)
    if not clitic:
        return TITLED if tag in _OPEN and word.istitle() else tag
    if base in CLOSED:
        return tag if clitic == "n't" else _CONTRACTED.get(clitic, AUXILIARY)
    return PLAIN_GENITIVE if base in _TAGS and tag not in (ROLE, NUMBER, BEST, PAST) else GENITIVE


def _tag_rare(word: str) -> str:
    """The tag of a word that no list knows, by its ending."""
    if _DIGITS.match(word):
        return BEST if _NTH.search(word) else NUMBER
    if not word.replace("_", ""):
        return OTHER
    if len(word) > 4 and word.endswith("est") and word not in _NOT_BEST:
        return BEST
    if len(word) > 4 and word.endswith("ed") and word not in _NOT_PAST:
        return PAST
    if len(word) > 5 and word.endswith("ing"):
        return ONGOING
    if len(word) > 4 and word.endswith("ly") and word not in _NOT_MANNER:
        return MANNER
    return NOUN_ON_S if word.endswith("s") and not word.endswith(("ss", "us", "is")) else NOUN
