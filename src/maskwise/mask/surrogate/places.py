"""Invented places: for towns the country and the size stay, for streets the kind and the form.

Where a document's country is masked and becomes another one, its towns become towns of that one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from maskwise.mask.generalise.atlas import Place, find_places
from maskwise.mask.generalise.facts import (
    Country,
    fold_name,
    read_bundle_file,
    read_countries,
    read_homonyms,
    read_place_names,
)
from maskwise.mask.surrogate.things import GENERIC

_PLAIN = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,2}")
_SIZES = (1000, 100, 50, 0)  # thousands of people from which on a size begins
_FEWEST = 8  # towns of a size in a country among which one is drawn
_NATIONS = ("England", "Northern Ireland", "Scotland", "Wales")
# "Albion Terrace", "Via Roma", "Steinstraße": a kind after the name, before it, or at its end.
_STREET = re.compile(
    r"(?i)\b(?:street|road|lane|terrace|avenue|close|crescent|drive|gardens|place|square|court|way|hill|row|mews"
    r"|park|quay|walk|grove|green|rise|view|yard|boulevard|st|rd|ave)\b"
    r"|\b(?:via|viale|piazza|corso|largo|rue|avenue|boulevard|calle|avenida|plaza|carrer|rua|ulica|ul|aleja"
    r"|strada|quai|chemin|place)\b\.?(?: d(?:e|i|el|ella|u|es)\b)?"
    r"|[^\W\d_](?P<end>(?P<sure>straße|strasse|gasse|gatan)|str|weg|allee|platz|ring|damm|ufer|gata|gade|vej|veien|straat|laan"
    r"|plein|utca|katu)\b\.?"
)
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Geography:
    """The countries of a document: which ones its masked places lie in, and what each masked one becomes."""

    near: Counter[str] = field(default_factory=Counter)
    moved: Mapping[str, str] = field(default_factory=dict)

    def choose_place(self, text: str) -> Place | None:
        """What a name means here: the bearer in a country of the document, or else the largest."""
        name = text.partition(",")[0].strip()
        if (country := _read_country(text)) and country.code:
            found = find_places(name, (country,))
        else:
            found = find_places(name)
        countries = [one for one in found if one.kind == "country"]
        if countries:
            return countries[0]
        return max(
            found, key=lambda one: (self.near[one.country.code], one.thousands), default=None
        )


def _read_country(text: str) -> Country | None:
    """The country after the comma: "Guadalajara, Mexico"."""
    _, comma, last = text.rpartition(",")
    found = find_places(last.strip()) if comma else ()
    return found[0].country if len(found) == 1 and found[0].kind == "country" else None


def count_countries(texts: Iterable[str]) -> Counter[str]:
    """How many of the texts name a place that may lie in a country.

    >>> count_countries(["Leeds", "Lublin", "Leeds"])
    Counter({'GB': 2, 'PL': 1})
    """
    found = ({place.country.code for place in find_places(text)} for text in texts)
    return Counter(code for codes in found for code in sorted(codes))


def find_country(text: str) -> str:
    """The code of the country that a name surely is; empty for any other.

    >>> find_country("Norway"), find_country("Oslo")
    ('NO', '')
    """
    found = find_places(text)
    is_country = len(found) == 1 and found[0].kind == "country"
    return found[0].country.code if is_country else ""


def invent_place(faker: Any, text: str, is_address: bool, where: Geography | None = None) -> str:
    """A town of the same country and size; for what is no known town, an invented name before the same head noun."""
    street = _STREET.search(text.partition(",")[0])
    if street and (is_address or street["sure"] or _NUMBER.search(text)):
        return invent_street(faker, text, street)
    if not is_address and (town := draw_town(faker.random, text, where)):
        return town
    found = [word for word in re.findall(r"[^\W\d_]+", text) if word.lower() in GENERIC]
    head = found[-1] if found else ""
    name = faker.last_name()
    if not head:
        name += faker.city_suffix()
    name = name.replace(" ", "")
    number = f"{faker.random_int(1, 99)} " if is_address and re.match(r"\d+", text) else ""
    return f"{number}{name} {head}".strip()


def invent_street(faker: Any, text: str, found: re.Match[str]) -> str:
    """Another street of the same kind with another number in the same place: "Via Rossi 7" for "Via Roma 12"."""
    name = faker.last_name().replace(" ", "")
    if found["end"]:
        street = f"{name}{found['end']}"
    else:
        is_first = not text[: found.start()].strip("0123456789 ")
        street = f"{found[0]} {name}" if is_first else f"{name} {found[0]}"
    number = _NUMBER.search(text.partition(",")[0])
    if number is None:
        return street
    new = str(faker.random_int(1, 99))
    return f"{new} {street}" if number.start() < found.start() else f"{street} {new}"


def draw_town(random: Random, text: str, where: Geography | None = None) -> str:
    """Another town of the same country and size; another country for a country; nothing where the place is unknown."""
    where = where or Geography()
    place = where.choose_place(text)
    if place is None:
        return ""
    if place.kind == "country":
        near = [country.name for country in _list_neighbours(place.country)]
        return random.choice(near) if near else ""
    if text in _NATIONS:
        return random.choice([name for name in _NATIONS if name != text])
    if place.kind != "settlement":
        return ""
    country = where.moved.get(place.country.code, place.country.code)
    size = measure_size(place.thousands)
    # Where a country has few towns of a size, the nearest size that has more.
    for other in sorted(range(len(_SIZES)), key=lambda at: (abs(at - size), -at)):
        towns = _list_towns().get((country, other), ())
        names = [name for name, thousands in towns if thousands != place.thousands]
        if len(names) >= _FEWEST:
            return random.choice(names)
    return ""


def _list_neighbours(country: Country) -> list[Country]:
    """Countries of the same part of the world that have towns to tell of, and no article."""
    return [
        one
        for one in read_countries().values()
        if one.subregion == country.subregion
        and one.sovereign
        and one.code != country.code
        and not one.name.startswith("the ")
        and any(
            len(_list_towns().get((one.code, size), ())) >= _FEWEST for size in range(len(_SIZES))
        )
    ]


def measure_size(thousands: int) -> int:
    """0 for towns of a million people or more, 3 for the smallest."""
    return next(at for at, least in enumerate(_SIZES) if thousands >= least)


@cache
def _list_towns() -> dict[tuple[str, int], tuple[tuple[str, int], ...]]:
    """Towns by country and size, each with its people in thousands, whose names mean nothing else.

    Two names of a country with as many people may be one town ("Oslo", "Kristiania"): neither stands for the other.
    """
    bearers = read_place_names()
    found: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for line in read_bundle_file("gazetteers/cities.tsv").splitlines():
        name, code, _ = line.split("\t")
        key = fold_name(name)
        only = re.fullmatch(rf"{code}(\d+)", bearers.get(key, ""))
        if only and key not in read_homonyms() and _PLAIN.fullmatch(name):
            thousands = int(only[1])
            found.setdefault((code, measure_size(thousands)), []).append((name, thousands))
    return {size: tuple(sorted(names)) for size, names in found.items()}
