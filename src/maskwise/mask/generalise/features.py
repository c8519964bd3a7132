"""Tells what a place is by the word its name ends or begins with: "Lublin Region" is a region, "rue Haute" a street.

A word that towns bear too ("Toms River", "Asbury Park") counts only with "the", which towns never have.
"""

from __future__ import annotations

import re
from functools import cache

from maskwise.mask.generalise import atlas
from maskwise.mask.generalise.facts import Country, read_table, split_list
from maskwise.mask.generalise.grammar import find_word_before, read_name
from maskwise.text import Entity
from maskwise.text.folding import fold_marks

_LOCAL = (
    "a region",
    "a district",
    "a railway station",
    "an airport",
    "a municipality",
    "a stadium",
)
_STREETS = ("a street", "a square")


def describe_place(entity: Entity) -> tuple[str, Country | None]:
    """The kind of place that the name tells, and the country where its other words tell it."""
    mention = entity.longest
    text = read_name(entity).strip()
    is_definite = text.lower().startswith("the ") or find_word_before(mention) == "the"
    what, rest = find_kind(text, is_definite)
    if rest and what in _LOCAL:
        return what, atlas.find_only_country(rest)
    return what, None


def is_street(text: str) -> bool:
    return find_kind(text, False)[0] in _STREETS


def find_kind(text: str, definite: bool) -> tuple[str, str]:
    """The meaning of the longest known word at an end of a name, and the name without it; empty where none is known."""
    folded = fold_marks(text).removeprefix("the ")
    found = _compile_ends(definite).search(folded)
    if found:
        what = _read_words().get(("end", found[1])) or _read_words()["the", found[1]]
        return what, folded[: found.start()].strip()
    if found := _compile_starts().match(folded):
        return _read_words()["start", found[1]], folded[found.end() :].strip()
    return "", ""


@cache
def _read_words() -> dict[tuple[str, str], str]:
    found = {}
    for where, what, words in read_table("features.tsv"):
        for word in split_list(words):
            found[where, word] = what
    return found


@cache
def _compile_ends(definite: bool) -> re.Pattern[str]:
    words = _join_words(("end", "the") if definite else ("end",))
    return re.compile(rf"(?:^|(?<!on)(?<!by the)\s)({words})$")


@cache
def _compile_starts() -> re.Pattern[str]:
    return re.compile(rf"({_join_words(('start',))})\s+(?=\S)")


def _join_words(places: tuple[str, ...]) -> str:
    words = [word for where, word in _read_words() if where in places]
    words.sort(key=len, reverse=True)
    return "|".join(map(re.escape, words))
