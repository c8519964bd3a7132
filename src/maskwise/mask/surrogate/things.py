"""Invented names of organisations and places: their kind stays, and for towns the country and the size."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

from maskwise.mask.generalise.atlas import find_places
from maskwise.mask.generalise.facts import (
    Country,
    fold_name,
    read_bundle_file,
    read_countries,
    read_homonyms,
    read_place_names,
)
from maskwise.mask.surrogate.origins import draw_surname
from maskwise.text.word_lists import read_words

_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(r"[^\W\d_]+(?:[ -][^\W\d_]+){0,2}")
_SMALL = frozenset(
    "of the for and in at on de la du des der die das und et y e di del van von".split()
)
# Words that say what an organisation or a place is, not which.
GENERIC = frozenset(read_words("bodies_and_places"))
_NUMBERED = frozenset(("no", "no.", "nr", "nr."))
_SIZES = (1000, 100, 50, 0)  # thousands of people from which on a size begins
_FEWEST = 8  # towns of a size in a country among which one is drawn


def invent_organisation(faker: Any, text: str, locale: str) -> str:
    """The name with its own words replaced by one surname: "Hartley Regional Court" for "Lublin Regional Court".

    A name without a word for its kind gets two surnames, if it has two words. What follows "of" may be a second name.
    """
    words = re.findall(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?|&|\d+", text)
    pieces: list[str] = []
    count = 0
    has_kind = any(_is_generic(word) for word in words)
    most = 1 if has_kind else min(2, len(words))
    for at, word in enumerate(words):
        if _is_generic(word):
            pieces.append(word)
        elif word.isdigit():
            pieces.append(str(faker.random_int(1, 9)))
        elif _is_small(word):
            # A small word stays where it joins words that stay, or begins the one name.
            follows = words[at + 1 : at + 2]
            if pieces and follows and (_is_generic(follows[0]) or count < most):
                pieces.append(word)
        elif count < most:
            pieces.append(draw_surname(faker.random, "", locale).replace(" ", ""))
            count += 1
    while pieces and (_is_small(pieces[-1]) or pieces[-1].lower() in _NUMBERED):
        pieces.pop()
    if count == 0:  # "Institute of Marine Research" must not stay in its surrogate
        kind = pieces[0] if len(pieces) > 1 and _is_small(pieces[1]) else pieces[-1]
        pieces = [draw_surname(faker.random, "", locale).replace(" ", ""), kind]
    return " ".join(pieces)


def _is_generic(word: str) -> bool:
    return word.lower().rstrip(".") in GENERIC


def _is_small(word: str) -> bool:
    return word.lower() in _SMALL or word == "&"


def make_acronym(name: str) -> str:
    """The first letters of the words that are written large."""
    words = [word for word in _WORD.findall(name) if word[0].isupper()]
    letters = "".join(word[0] for word in words)
    return letters if len(letters) > 1 else f"{letters}X"


def draw_acronym(random: Random, text: str) -> str:
    return "".join(random.choice("BDFGHKLMNPRTV") for _ in text)


def invent_place(faker: Any, text: str, is_address: bool) -> str:
    """A town of the same country and size; for what is no known town, an invented name before the same head noun."""
    if not is_address and (town := draw_town(faker.random, text)):
        return town
    found = [word for word in re.findall(r"[^\W\d_]+", text) if word.lower() in GENERIC]
    head = found[-1] if found else ""
    name = faker.last_name()
    if not head:
        name += faker.city_suffix()
    name = name.replace(" ", "")
    number = f"{faker.random_int(1, 99)} " if is_address and re.match(r"\d+", text) else ""
    return f"{number}{name} {head}".strip()


def draw_town(random: Random, text: str) -> str:
    """Another town of the same country and size; another country for a country; nothing where the place is unknown."""
    found = find_places(text)
    if len(found) != 1:
        return ""
    place = found[0]
    if place.kind == "country":
        near = [
            one.name for one in _list_neighbours(place.country) if not one.name.startswith("the ")
        ]
        return random.choice(near) if near else ""
    if place.kind != "settlement":
        return ""
    size = measure_size(place.thousands)
    # Where a country has few towns of a size, the nearest size that has more.
    for other in sorted(range(len(_SIZES)), key=lambda at: (abs(at - size), -at)):
        towns = _list_towns().get((place.country.code, other), ())
        names = [name for name, thousands in towns if thousands != place.thousands]
        if len(names) >= _FEWEST:
            return random.choice(names)
    return ""


def _list_neighbours(country: Country) -> list[Country]:
    return [
        one
        for one in read_countries().values()
        if one.subregion == country.subregion and one.sovereign and one.code != country.code
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
