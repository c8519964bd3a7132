"""Number of English nouns, as far as ladders need it."""

from __future__ import annotations

import re

_AFTER = re.compile(r" (?:of|in) ")
_AGENT = re.compile(r"(?:er|or|ive|ian)$")
_PLURALS = {"person": "people", "tradesperson": "tradespeople", "craftsperson": "craftspeople"}


def make_singular(word: str) -> str:
    """The likely singular of a phrase; the phrase itself where it does not end like a plural.

    >>> [make_singular(w) for w in ("nurses", "secretaries", "policemen", "actress", "waitresses", "judge")]
    ['nurse', 'secretary', 'policeman', 'actress', 'waitress', 'judge']
    """
    if word.endswith("men"):
        return word[:-2] + "an"
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def make_plural(phrase: str) -> str:
    """A phrase that names a person, said of several.

    >>> make_plural("a person in sport"), make_plural("a manager, director or senior official")
    ('people in sport', 'managers, directors or senior officials')
    """
    body = re.sub(r"^an? ", "", phrase)
    found = _AFTER.search(body)
    cut = found.start() if found else len(body)
    first, joined, last = body[:cut].rpartition(" or ")
    # The words before "or" are nouns too, unless they say which sort: "a nursing or midwifery professional".
    if _AGENT.search(first):
        nouns = map(_pluralise_noun, first.split(", "))
        first = ", ".join(nouns)
    return f"{first}{joined}{_pluralise_noun(last)}{body[cut:]}"


def _pluralise_noun(noun: str) -> str:
    head, space, last = noun.rpartition(" ")
    if last in _PLURALS:
        return head + space + _PLURALS[last]
    if last.endswith("y") and last[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"
