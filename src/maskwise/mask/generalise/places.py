"""Ladder of places: address → town → "a city in Norway" → Norway → "a country in Northern Europe" → ... → "a place".

Each level is or contains the place that the mention names; what a name may mean is settled in `atlas`. Sizes and
countries are GeoNames facts, subregions those of the United Nations. A kind that fewer than three known places of a
country share is left out: "a city in Andorra" says which.
"""

from __future__ import annotations

import re
from functools import cache

from maskwise.mask.generalise import atlas, features, organisations
from maskwise.mask.generalise.atlas import CITY, Place
from maskwise.mask.generalise.countries import country_levels, in_continent, in_subregion
from maskwise.mask.generalise.facts import Country, countries
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.text import Entity, Level

_SHARED_BY = 3
_MILLIONS = 5  # cities of a million that a country must have for "a city of over a million" to say little
_ADDRESSES = 1000  # that a town has, at least
_KIND = 0.95  # lost by "a street", "a river"
_PART = re.compile(r"\s*(?:[,;\n]|\s[–—-]\s|\(|\))\s*")
_NUMBER = re.compile(r"\b(?:[A-Z]{1,2}-)?\w*\d[\w/-]*")
_COMPASS = re.compile(
    r"(?:(?:north|south|east|west|central)(?:ern)?|(?:north|south)-?(?:east|west)(?:ern)?|mid|upper|lower)[ -]", re.I
)
_PLACE = Level("a place", 1.0, {"the": "place in question"})
# What is near a town, or something of it, is not so of the country: "the mayor of a place in Norway".
_POINTING = ("near", "outside", "around", "towards", "between", "of", "beyond", "beside", "'s")
_DESCRIBING = (
    "northern southern eastern western central north-eastern north-western south-eastern south-western downtown rural "
    "inner outer greater nearby neighbouring modern"
).split()
_ERN = re.compile(r"(?:[a-z]|\w+ern\b)")


def place_ladder(entity: Entity) -> LevelList:
    """The levels of a place. Whatever is not understood is still "a place"."""
    text = entity.longest.text
    if organisations.well_known(text):
        return organisations.organisation_ladder(entity)
    parts = [part for part in _PART.split(text) if part]
    levels = _parts(parts) if len(parts) > 1 else _single(entity)
    if not levels or levels[-1].loss < 1:
        levels = (*levels, _PLACE)
    return tuple(map(_described, levels))


def land_ladder(entity: Entity) -> LevelList:
    """The levels of a country or region by name: what acts as an organisation ("Scotland won") and is none."""
    found = atlas.meant(entity.longest.text)
    return (*levels, _PLACE) if (levels := _of_lands(found)) and levels[-1].loss < 1 else levels


def _of_lands(found: tuple[Place, ...]) -> LevelList:
    return levels_of(found) if found and all(place.kind != "settlement" for place in found) else ()


def _single(entity: Entity) -> LevelList:
    text = entity.longest.text
    if found := atlas.meant(text):
        return levels_of(found)
    if around := _part_of(text):
        return around
    if re.search(r"\d", text) and features.is_street(_NUMBER.sub("", text).strip(" ,")):
        return (Level("an address", _KIND),)
    what, country = features.understood(entity)
    if country:
        return (Level(f"{what} in {country.name}", _loss(_settlements(country), 0.8)), *_land(country))
    return (Level(what, _KIND),) if what else organisations.premises(text)


def _part_of(text: str) -> LevelList:
    """ "northern Italy" lies in Italy. In capitals only "-ern" is sure: West Lebanon is a town."""
    compass = _COMPASS.match(text)
    if not compass or not _ERN.match(text):
        return ()
    base = text[compass.end() :]
    found = atlas.meant(base)
    if len(found) != 1 or found[0].kind == "settlement":
        return ()
    country = found[0].country
    area = (Level(base, _loss(_settlements(country) / 10)),) if found[0].kind == "region" else ()
    return (*area, *_land(country))


def _parts(parts: list[str]) -> LevelList:
    """A place with the wider places it is said to lie in: "12 Rose Street, Oslo", "Clarkston, Georgia"."""
    names = [_NUMBER.sub("", part).strip(" .") for part in parts]
    for number, name in enumerate(names):
        wider = _countries_of(names[number + 1 :])
        if not name or (number == 0 and _is_street(parts[0])) or not (found := atlas.meant(name, wider)):
            continue
        if number:
            return tuple(map(_addressed, (Level(name, _loss(_ADDRESSES) / 2), *_wider(levels_of(found)))))
        area = names[1] if _is_region(names[1], found) else ""
        return _inside(area, found) if area else levels_of(found)
    return (Level("an address", _KIND),) if any(map(_is_street, parts)) else ()


def _addressed(level: Level) -> Level:
    """One lives in a town, but at an address."""
    return Level(level.text, level.loss, {**level.after, "at": f"an address in {level.text}"})


def _described(level: Level) -> Level:
    """In "northern Norway" the adjective stays: "northern parts of a country"."""
    parts = f"parts of {level.after.get('of', level.text)}"
    return Level(level.text, level.loss, {**dict.fromkeys(_DESCRIBING, parts), **level.after})


def _around(level: Level) -> Level:
    """What holds a place, worded for where the text speaks of something near it or of it."""
    return Level(level.text, level.loss, dict.fromkeys(_POINTING, f"a place in {level.text}"))


def _wider(levels: LevelList) -> LevelList:
    """The levels of what contains a place: half of the bits lie inside it."""
    return tuple(Level(level.text, (1 + level.loss) / 2, level.after) for level in levels)


def _is_region(name: str, found: tuple[Place, ...]) -> bool:
    """Whether a name is a region of the one country that places lie in."""
    lands = atlas.lands(found)
    return len(lands) == 1 and any(place.kind == "region" for place in atlas.meant(name, lands))


def _inside(area: str, found: tuple[Place, ...]) -> LevelList:
    """A settlement in a region that the mention names too."""
    land = found[0].country
    return (Level(area, _loss(_settlements(land) / 10)), *_land(land))


def _countries_of(names: list[str]) -> tuple[Country, ...]:
    """The countries that the widest understood name may lie in."""
    for name in reversed(names):
        if found := atlas.lands(atlas.meant(name)):
            return found
    return ()


def _is_street(part: str) -> bool:
    return bool(re.search(r"\d", part)) or features.is_street(part)


def levels_of(found: tuple[Place, ...]) -> LevelList:
    """What is true of all these places, narrow to wide."""
    lands = atlas.lands(found)
    if len(found) == 1 and found[0].kind == "country":
        return country_levels(found[0].country)
    if any(place.kind == "country" for place in found):
        return ()
    if len(lands) > 1:
        towns = all(place.kind == "settlement" for place in found)
        return tuple(map(_around, _beyond(lands))) or ((Level("a city or town", 0.98),) if towns else ())
    return (*_kinds(found, lands[0]), *_land(lands[0]))


def _kinds(found: tuple[Place, ...], land: Country) -> LevelList:
    """How the places are called: city, town, region; as far as it does not say which they are."""
    if any(place.kind == "region" for place in found):
        what = found[0].what if len(found) == 1 else f"a place in {land.name}"
        return (Level(what, _loss(_settlements(land) / 10)),)
    if all(place.thousands >= CITY for place in found):
        levels: LevelList = ()
        if land.million >= _MILLIONS and all(place.thousands >= 1000 for place in found):
            levels = (Level(f"a city of over a million in {land.name}", _loss(land.million)),)
        if land.cities >= _SHARED_BY:
            levels = (*levels, Level(f"a city in {land.name}", _loss(land.cities)))
        return levels
    if all(0 < place.thousands < CITY for place in found) and land.towns >= _SHARED_BY:
        return (Level(f"a town of under 50,000 in {land.name}", _loss(land.towns)),)
    if _settlements(land) >= _SHARED_BY:
        return (Level(f"a city or town in {land.name}", _loss(_settlements(land), 0.99)),)
    return ()


def _land(land: Country) -> LevelList:
    """The country that contains a place, and where that lies."""
    return tuple(map(_around, (Level(land.name, _loss(_settlements(land))), *_beyond((land,)))))


def _settlements(land: Country) -> int:
    return land.cities + land.towns


def _beyond(lands: tuple[Country, ...]) -> LevelList:
    """Subregion and continent that all the countries share, and the place that everything is."""
    sovereign = all(land.sovereign for land in lands)
    levels: LevelList = ()
    if len({land.subregion for land in lands}) == 1:
        levels = (Level(in_subregion(lands), _loss(_known_in(lands[0].subregion))),)
    if len({land.continent for land in lands}) == 1:
        levels = (*levels, Level(in_continent(sovereign, lands[0].continent), _loss(_known_in(lands[0].continent))))
    return levels


def _loss(left: float, factor: float = 1.0) -> float:
    """With all settlements the facts know equally likely."""
    return bits_lost(max(2.0, left), _known_in("")) * factor


@cache
def _known_in(area: str) -> int:
    inside = (c for c in countries().values() if area in ("", c.subregion, c.continent))
    return sum(c.cities + c.towns for c in inside)
