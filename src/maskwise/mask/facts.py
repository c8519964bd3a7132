"""Facts of the world that a text tells: countries, regions, towns, their districts, occupations, years of birth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from maskwise.mask.generalise import atlas
from maskwise.mask.generalise.countries import read_peoples
from maskwise.mask.generalise.facts import (
    fold_name,
    read_countries,
    read_country_names,
    read_homonyms,
    read_place_names,
    read_regions,
    read_table,
    split_list,
)
from maskwise.text.currencies import find_currency

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})?")
_MOST = 4  # words of the longest name that is looked for
_LARGE = 100  # thousands of people: smaller towns tell their country only where they are masked themselves
_FIRST = 2  # times the people of the next town of the same name
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
    found.update(f"field:{_read_fields()[m[1].lower()]}" for m in _compile_fields().finditer(text))
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
        if key in _read_districts():
            city = _read_districts()[key]
            yield f"place:{key}"
            yield f"place:{city}"
            yield from _place_town(city)
        if key in read_place_names():
            yield f"place:{key}"
            yield from _place_town(key)


def _place_town(key: str) -> Iterator[str]:
    """The country of a large town that a reader thinks of first, and whose name means nothing else."""
    found = atlas.find_places(key)
    if not found or found[0].thousands < _LARGE or key in read_homonyms():
        return
    if len(found) == 1 or found[0].thousands >= _FIRST * found[1].thousands:
        yield f"country:{found[0].country.code}"


@cache
def _read_districts() -> dict[str, str]:
    """Folded districts to their folded city."""
    found: dict[str, str] = {}
    for city, districts in read_table("districts.tsv"):
        found |= dict.fromkeys(map(fold_name, split_list(districts)), fold_name(city))
    return found


@cache
def _read_fields() -> dict[str, str]:
    """Words of places and people at work, to their field."""
    found: dict[str, str] = {}
    for field, words in read_table("fields.tsv"):
        found |= dict.fromkeys(split_list(words), field)
    return found


@cache
def _compile_fields() -> re.Pattern[str]:
    words = sorted(map(re.escape, _read_fields()), key=len, reverse=True)
    return re.compile(rf"(?i)(?<!\w)({'|'.join(words)})s?(?!\w)")


def _read_currencies(text: str) -> Iterator[str]:
    for found in _MONEY.finditer(text):
        code = find_currency(found[0])
        if len(code) == 3 and code[:2] in read_countries() and code[:2] not in _SHARED:
            yield f"country:{code[:2]}"


def find_birth_years(text: str) -> Iterator[tuple[int, int]]:
    """Where a text says in which year somebody was born."""
    return (found.span("year") for found in _BIRTH.finditer(text))
