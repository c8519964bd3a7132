"""Finds the places that a name may mean. A name of several places means one of them only where that one dominates.

Truth comes first: an ambiguous name keeps all its places, and a ladder then says only what is true of each of them. One
settlement dominates when it has 50 times the people of the next (Paris), or is a capital with 10 times as many
(London). A country dominates settlements, a region those under 50,000. Settlements under 15,000 are unknown here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from maskwise.mask.generalise.facts import (
    Country,
    fold_name,
    read_countries,
    read_country_names,
    read_place_names,
    read_region_names,
    read_regions,
)
from maskwise.text.word_lists import read_words

CITY = 50  # thousands of people
_LARGE = 100
_BORROWING = frozenset(
    "US GB CA AU NZ ZA PH MX CO AR BR VE CU CL EC PE BO PY UY CR GT HN NI PA SV DO PR".split()
)
CITY_STATES = frozenset(("SG", "HK", "MO"))  # the facts list their quarters as towns
_DOMINANT, _CAPITAL_DOMINANT = 50, 10
_BEARER = re.compile(r"([A-Z]{2})(\d+)")
_CAPITALS = frozenset(read_words("capital_cities"))


@dataclass(frozen=True, slots=True)
class Place:
    """A bearer of a name: a country, a region or a settlement, which has its thousands of people."""

    kind: Literal["country", "region", "settlement"]
    country: Country
    thousands: int = 0
    what: str = ""  # a region: "a state of Germany"


def find_bearers(name: str) -> tuple[Place, ...]:
    """Everything that bears a name."""
    key = fold_name(name)
    found = []
    if country := read_country_names().get(key):
        found.append(Place("country", country))
    if key in read_regions():
        code, what = read_regions()[key]
        found.append(Place("region", read_countries()[code], 0, what))
    return (*found, *find_settlements(key))


def find_settlements(key: str) -> tuple[Place, ...]:
    """Cities and towns of a folded name, largest first."""
    known = read_countries()
    bearers = read_place_names().get(key, "")
    found = []
    for code, people in _BEARER.findall(bearers):
        if code in known:
            found.append(Place("settlement", known[code], int(people)))
    return tuple(found)


def find_places(name: str, within: Collection[Country] = ()) -> tuple[Place, ...]:
    """The places that a name may mean; one where that is clear. `within` are the countries it lies in, if known."""
    found = find_bearers(name)
    if within:
        found = tuple(
            place for place in found if place.kind != "country" and place.country in within
        )
    nations = [place for place in found if place.kind == "country"]
    areas = [place for place in found if place.kind == "region"]
    towns = [place for place in found if place.kind == "settlement"]
    if nations:
        return (*nations, *areas)
    if areas:
        return (*areas, *(town for town in towns if town.thousands >= CITY))
    if not within and CITY_STATES.issuperset(town.country.code for town in towns):
        return ()  # a quarter of Singapore has the name of an island of Norway
    key = fold_name(name)
    if not within and towns and _has_borrowed_name(towns[0]) and key in read_region_names():
        return ()  # "Saint Michael" seems to be a region somewhere else
    if len(towns) > 1:
        times = _CAPITAL_DOMINANT if key in _CAPITALS else _DOMINANT
        if towns[0].thousands >= times * max(1, towns[1].thousands):
            return (towns[0],)
    return tuple(towns)


def _has_borrowed_name(town: Place) -> bool:
    """Whether a small town lies where towns are often named after other places and saints."""
    return town.thousands < _LARGE and town.country.code in _BORROWING


def list_countries(found: Iterable[Place]) -> tuple[Country, ...]:
    """The countries that places lie in, each once."""
    return tuple({place.country.code: place.country for place in found}.values())


def find_only_country(name: str) -> Country | None:
    """The country in which all places of a name lie, or None. No place is taken to dominate."""
    found = list_countries(find_bearers(name))
    return found[0] if len(found) == 1 else None
