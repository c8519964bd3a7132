"""Ladder of places: address → town → "a city in Norway" → Norway → "a country in Northern Europe" → ... → "a place".

Each level is or contains the place that the mention names; what a name may mean is settled in `atlas`. Sizes and
countries are GeoNames facts, subregions those of the United Nations. A kind that fewer than three known places of a
country share is left out: "a city in Andorra" says which.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from maskwise.mask.generalise import atlas, features, organisations
from maskwise.mask.generalise.atlas import CITY, Place
from maskwise.mask.generalise.countries import (
    describe_continent,
    describe_subregion,
    list_country_levels,
    list_forms,
)
from maskwise.mask.generalise.facts import Country, read_countries
from maskwise.mask.generalise.grammar import add_article, drop_article, read_name
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.slots import Slot
from maskwise.text import Entity, Level

_SHARED_BY = 3
_NATION = "a part of the United Kingdom"
_MILLIONS = 5  # cities of a million that a country must have, so that the level does not name one
_ADDRESSES = 1000  # that a town has, at least
_KIND = 0.95  # lost by "a street", "a river"
_PART = re.compile(r"\s*(?:[,;\n]|\s[–—-]\s|\(|\))\s*")
_NUMBER = re.compile(r"\b(?:[A-Z]{1,2}-)?\w*\d[\w/-]*")
_COMPASS = re.compile(
    r"(?:(?:north|south|east|west|central)(?:ern)?|(?:north|south)-?(?:east|west)(?:ern)?|mid|upper|lower)[ -]",
    re.I,
)
_PLACE = Level("a place", 1.0, {"the": "place in question"})
_ADDRESS = Level("a place", 1.0, {"the": "place in question", "at": "a certain address"})
# What is in a town is in its country; whatever else is said of it is not so of the country: "left a place in Norway".
_WITHIN = ("in", "from", "inside", "within", "across", "throughout")
_DESCRIBING = (
    "northern southern eastern western central north-eastern north-western south-eastern south-western downtown rural "
    "inner outer greater nearby neighbouring modern"
).split()
_ERN = re.compile(r"(?:[a-z]|\w+ern\b)")


def find_place_levels(entity: Entity) -> LevelList:
    """The levels of a place. Whatever is not understood is still "a place"."""
    text = read_name(entity)
    if organisations.is_well_known(text):
        return organisations.find_organisation_levels(entity)
    parts = [part for part in _PART.split(text) if part]
    if len(parts) > 1:
        levels = (*_find_address_levels(parts), _ADDRESS)
    else:
        levels = _end_with_place(_find_single_levels(entity))
    return tuple(map(_word_after_adjectives, levels))


def _end_with_place(levels: LevelList) -> LevelList:
    if levels and levels[-1].loss >= 1:
        return levels
    return (*levels, _PLACE)


def find_land_levels(entity: Entity) -> LevelList:
    """The levels of a country or region by name: what acts as an organisation ("Scotland won") and is none."""
    found = atlas.find_places(read_name(entity))
    if any(place.kind == "settlement" for place in found):
        return ()
    levels = list_shared_levels(found) if found else ()
    return _end_with_place(levels) if levels else ()


def _find_single_levels(entity: Entity) -> LevelList:
    text = read_name(entity)
    if found := atlas.find_places(text):
        return list_shared_levels(found)
    if around := _find_part_levels(text):
        return around
    without_number = _NUMBER.sub("", text).strip(" ,")
    if re.search(r"\d", text) and features.is_street(without_number):
        return (Level("an address", _KIND),)
    what, country = features.describe_place(entity)
    if country:
        loss = _measure_loss(_count_settlements(country), 0.8)
        return (Level(f"{what} in {country.name}", loss), *_list_land_levels(country))
    if what:
        return (Level(what, _KIND),)
    return organisations.find_premises_levels(text)


def _find_part_levels(text: str) -> LevelList:
    """ "northern Italy" lies in Italy. In capitals only "-ern" is sure: West Lebanon is a town."""
    compass = _COMPASS.match(text)
    if not compass or not _ERN.match(text):
        return ()
    base = text[compass.end() :]
    found = atlas.find_places(base)
    if len(found) != 1 or found[0].kind == "settlement":
        return ()
    country = found[0].country
    if found[0].kind == "region":
        return _list_region_levels(base, country)
    return _list_land_levels(country)


def _find_address_levels(parts: list[str]) -> LevelList:
    """A place with the wider places it is said to lie in: "12 Rose Street, Oslo", "Clarkston, Georgia"."""
    names = [_NUMBER.sub("", part).strip(" .") for part in parts]
    for number, name in enumerate(names):
        is_first = number == 0
        if not name or (is_first and _is_street(parts[0])):
            continue
        found = atlas.find_places(name, _find_countries(names[number + 1 :]))
        if not found:
            continue
        if not is_first:
            town = Level(name, _measure_loss(_ADDRESSES) / 2)
            levels = (town, *_widen_levels(list_shared_levels(found)))
            return tuple(map(_word_as_address, levels))
        if names[1] and _is_region(names[1], found):
            return _list_region_levels(names[1], found[0].country)
        return list_shared_levels(found)
    if any(map(_is_street, parts)):
        return (Level("an address", _KIND),)
    return ()


def _word_as_address(level: Level) -> Level:
    """One lives in a town, but at an address, and sells a place."""
    inside = dict.fromkeys(_WITHIN, level.text)
    after = {**inside, **level.after, "at": f"an address in {level.text}"}
    forms = {**level.forms, Slot.PHRASE: f"a place in {level.text}"}
    return replace(level, after=after, forms=forms)


def _word_after_adjectives(level: Level) -> Level:
    """In "northern Norway" the adjective stays: "northern parts of a country"."""
    parts = f"parts of {level.forms.get(Slot.PHRASE, level.text)}"
    return replace(level, after={**dict.fromkeys(_DESCRIBING, parts), **level.after})


def _word_as_surroundings(level: Level) -> Level:
    """The level of what contains a place, worded for where the text speaks of something near it or of it."""
    after = dict.fromkeys(_WITHIN, level.text)
    forms = {**level.forms, Slot.PHRASE: f"a place in {level.text}"}
    return replace(level, after={**level.after, **after}, forms=forms)


def _widen_levels(levels: LevelList) -> LevelList:
    """The levels of what contains a place: half of the bits lie inside it."""
    return tuple(replace(level, loss=(1 + level.loss) / 2) for level in levels)


def _is_region(name: str, found: tuple[Place, ...]) -> bool:
    """Whether a name is a region of the one country that places lie in."""
    lands = atlas.list_countries(found)
    if len(lands) != 1:
        return False
    return any(place.kind == "region" for place in atlas.find_places(name, lands))


def _list_region_levels(area: str, land: Country) -> LevelList:
    """The levels of a place in a region that the mention names too."""
    loss = _measure_loss(_count_settlements(land) / 10)
    return (Level(area, loss), *_list_land_levels(land))


def _find_countries(names: list[str]) -> tuple[Country, ...]:
    """The countries that the widest understood name may lie in."""
    for name in reversed(names):
        if found := atlas.list_countries(atlas.find_places(name)):
            return found
    return ()


def _is_street(part: str) -> bool:
    return bool(re.search(r"\d", part)) or features.is_street(part)


def list_shared_levels(found: tuple[Place, ...]) -> LevelList:
    """The levels that are true of all these places, narrow to wide."""
    if len(found) == 1 and found[0].kind == "country":
        return list_country_levels(found[0].country)
    if any(place.kind == "country" for place in found):
        return ()
    lands = atlas.list_countries(found)
    if len(lands) == 1 and len(found) == 1 and found[0].what == _NATION:
        return (Level(_NATION, 0.4), *list_country_levels(lands[0]))  # Scotland is a country too
    if len(lands) == 1:
        kinds = _list_kind_levels(found, lands[0])
        return (*kinds, *_list_land_levels(lands[0]), *_list_bare_kinds(found))
    levels = _list_wider_levels(lands)
    wider = tuple(map(_word_as_surroundings, levels))
    if not wider and all(place.kind == "settlement" for place in found):
        return (Level("a city or town", 0.98),)
    return wider


def _list_kind_levels(found: tuple[Place, ...], land: Country) -> LevelList:
    """How the places are called: city, town, region; as far as it does not say which they are."""
    if any(place.kind == "region" for place in found):
        what = found[0].what if len(found) == 1 else f"a place in {land.name}"
        loss = _measure_loss(_count_settlements(land) / 10)
        return (Level(what, loss),)
    smallest = min(place.thousands for place in found)
    largest = max(place.thousands for place in found)
    if smallest >= CITY:
        return _list_city_levels(land, smallest)
    if smallest > 0 and largest < CITY and land.towns >= _SHARED_BY:
        text = f"a town of under 50,000 in {land.name}"
        forms = _word_as_owner(land, "town")
        return (Level(text, _measure_loss(land.towns), forms=forms),)
    if _count_settlements(land) >= _SHARED_BY:
        loss = _measure_loss(_count_settlements(land), 0.99)
        forms = _word_as_owner(land, "town")
        return (Level(f"a city or town in {land.name}", loss, forms=forms),)
    return ()


def _list_bare_kinds(found: tuple[Place, ...]) -> LevelList:
    """ "a city" or "a town", where that is sure."""
    if any(place.kind != "settlement" or not place.thousands for place in found):
        return ()
    are_cities = {place.thousands >= CITY for place in found}
    if len(are_cities) != 1:
        return ()
    kind = "a city" if are_cities.pop() else "a town"
    return (Level(kind, 0.99, forms={Slot.COMPOUND: ""}),)


def _list_city_levels(land: Country, thousands: int) -> LevelList:
    levels = []
    if thousands >= 1000 and land.million >= _MILLIONS:
        text = f"a city of over a million in {land.name}"
        levels.append(Level(text, _measure_loss(land.million), forms=_word_as_owner(land, "city")))
    if land.cities >= _SHARED_BY:
        text = f"a city in {land.name}"
        levels.append(Level(text, _measure_loss(land.cities), forms=_word_as_owner(land, "city")))
    return tuple(levels)


def _list_land_levels(land: Country) -> LevelList:
    """The country that contains a place, and where that lies."""
    loss = _measure_loss(_count_settlements(land))
    bare = drop_article(land.name)
    adjective = _find_adjective(land)
    forms = {Slot.MODIFIER: adjective or bare, Slot.COMPOUND: bare, **_word_as_owner(land, "place")}
    country = Level(land.name, loss, forms=forms)
    levels = (country, *_list_wider_levels((land,)))
    return tuple(map(_word_as_surroundings, levels))


def _find_adjective(land: Country) -> str:
    return land.adjectives[0] if land.adjectives else ""


def _word_as_owner(land: Country, kind: str) -> dict[str, str]:
    """ "Oslo's mayor" is "a Norwegian city's mayor"."""
    adjective = _find_adjective(land)
    return {Slot.POSSESSIVE: add_article(f"{adjective} {kind}") if adjective else ""}


def _count_settlements(land: Country) -> int:
    return land.cities + land.towns


def _list_wider_levels(lands: tuple[Country, ...]) -> LevelList:
    """Subregion and continent that all the countries share, and the place that everything is."""
    subregions = {land.subregion for land in lands}
    continents = {land.continent for land in lands}
    levels = []
    if len(subregions) == 1:
        loss = _measure_loss(_count_known(subregions.pop()))
        forms = list_forms(lands[0], False, "place")
        levels.append(Level(describe_subregion(lands), loss, forms=forms))
    if len(continents) == 1:
        continent = continents.pop()
        are_sovereign = all(land.sovereign for land in lands)
        text = describe_continent(are_sovereign, continent)
        loss = _measure_loss(_count_known(continent))
        levels.append(Level(text, loss, forms=list_forms(lands[0], True, "place")))
    return tuple(levels)


def _measure_loss(left: float, factor: float = 1.0) -> float:
    """The loss of saying only that a settlement is one of those left, with all known ones equally likely."""
    return measure_lost_bits(max(2.0, left), _count_known("")) * factor


@cache
def _count_known(area: str) -> int:
    """How many settlements the facts know in an area; in the whole world for an empty name."""
    countries = read_countries().values()
    inside = (land for land in countries if area in ("", land.subregion, land.continent))
    return sum(map(_count_settlements, inside))
