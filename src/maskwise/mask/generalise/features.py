"""What a place is by the word its name ends or begins with: "Lublin Region" is a region, "rue Haute" a street.

A word that towns bear too ("Toms River", "Asbury Park") counts only with "the", which towns never have.
"""

from __future__ import annotations

import re
from functools import cache

from maskwise.mask.generalise import atlas
from maskwise.mask.generalise.facts import Country, several, table
from maskwise.mask.generalise.grammar import word_before
from maskwise.text import Entity
from maskwise.text.folding import fold_marks

_LOCAL = ("a region", "a district", "a railway station", "an airport", "a municipality", "a stadium")
_STREETS = ("a street", "a square")


def understood(entity: Entity) -> tuple[str, Country | None]:
    """What the name says the place is, and the country where its other words tell."""
    mention = entity.longest
    text = mention.text.strip()
    definite = text.lower().startswith("the ") or word_before(mention) == "the"
    what, rest = kind_of(text, definite)
    return what, atlas.lies_in(rest) if rest and what in _LOCAL else None


def is_street(text: str) -> bool:
    return kind_of(text, False)[0] in _STREETS


def kind_of(text: str, definite: bool) -> tuple[str, str]:
    """What the longest known word at an end of a name says, and the name without it; empty where none is known."""
    folded = fold_marks(text).removeprefix("the ")
    found = _ends(definite).search(folded)
    if found:
        what = _words().get(("end", found[1])) or _words()["the", found[1]]
        return what, folded[: found.start()].strip()
    if found := _starts().match(folded):
        return _words()["start", found[1]], folded[found.end() :].strip()
    return "", ""


@cache
def _words() -> dict[tuple[str, str], str]:
    return {(where, word): what for where, what, words in table("features.tsv") for word in several(words)}


@cache
def _ends(definite: bool) -> re.Pattern[str]:
    wanted = ("end", "the") if definite else ("end",)
    words = sorted((w for where, w in _words() if where in wanted), key=len, reverse=True)
    return re.compile(rf"(?:^|(?<!on)(?<!by the)\s)({'|'.join(map(re.escape, words))})$")


@cache
def _starts() -> re.Pattern[str]:
    words = sorted((w for where, w in _words() if where == "start"), key=len, reverse=True)
    return re.compile(rf"({'|'.join(map(re.escape, words))})\s+(?=\S)")
