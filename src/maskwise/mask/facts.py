"""What a text says of the world: the countries, regions and towns it names, in whatever word, and years of birth."""

from __future__ import annotations

import re
from collections.abc import Iterator

from maskwise.mask.generalise import atlas
from maskwise.mask.generalise.countries import read_peoples
from maskwise.mask.generalise.facts import (
    fold_name,
    read_countries,
    read_country_names,
    read_homonyms,
    read_place_names,
    read_regions,
)
from maskwise.text.currencies import find_currency

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})?")
_MOST = 4  # words of the longest name that is looked for
_LARGE = 100  # thousands of people: smaller towns tell their country only where they are masked themselves
_MONEY = re.compile(r"[^\n.]{0,30}\d[^\n.]{0,30}")
_SHARED = frozenset(("US", "EU", "XA"))  # currencies that are paid in all over the world
_BIRTH = re.compile(
    r"(?i)\b(?:born|date of birth|birth|b\.)[^.;\n]{0,40}?(?<!\d)(?P<year>(?:1[89]|20)\d\d)(?!\d|s)"
)


def list_facts(text: str) -> frozenset[str]:
    """The facts that a text states, as "country:NG" and "place:lagos".

    >>> sorted(list_facts("a Nigerian-born singer from Kano"))
    ['country:NG', 'place:kano']
    """
    found: set[str] = set()
    words = list(_WORD.finditer(text))
    for at, word in enumerate(words):
        if word[0][0].isupper():
            found.update(_read_names(text, words[at : at + _MOST]))
    found.update(_read_currencies(text))
    return frozenset(found)


def _read_names(text: str, words: list[re.Match[str]]) -> Iterator[str]:
    """The facts of every name that begins with the first of some words."""
    start = words[0].start()
    for word in words:
        key = fold_name(text[start : word.end()])
        if country := read_country_names().get(key):
            yield f"country:{country.code}"
        for people in read_peoples().get(key, ()):
            yield f"country:{people.code}"
        if key.endswith("s"):
            yield from (f"country:{one.code}" for one in read_peoples().get(key[:-1], ()))
        if key in read_regions():
            yield f"place:{key}"
            yield f"country:{read_regions()[key][0]}"
        if key in read_place_names():
            yield f"place:{key}"
            yield from _place_town(key)


def _place_town(key: str) -> Iterator[str]:
    """The country of a large town whose name means nothing else."""
    found = atlas.find_places(key)
    if len(found) == 1 and found[0].thousands >= _LARGE and key not in read_homonyms():
        yield f"country:{found[0].country.code}"


def _read_currencies(text: str) -> Iterator[str]:
    for found in _MONEY.finditer(text):
        code = find_currency(found[0])
        if len(code) == 3 and code[:2] in read_countries() and code[:2] not in _SHARED:
            yield f"country:{code[:2]}"


def find_birth_years(text: str) -> Iterator[tuple[int, int]]:
    """Where a text says in which year somebody was born."""
    return (found.span("year") for found in _BIRTH.finditer(text))
