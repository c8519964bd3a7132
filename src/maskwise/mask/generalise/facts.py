"""The facts that ladders stand on: places, countries, occupations and tables of words, read once from the bundle.

`bundle/knowledge/SOURCES.md` says where they come from and under which licence.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from maskwise.errors import BundleError
from maskwise.text.folding import fold_marks

_SEPARATORS = re.compile(r"[^\w]+|_")

EUROPE, ASIA, AFRICA, AMERICAS, OCEANIA = "Europe", "Asia", "Africa", "the Americas", "Oceania"
_SUBREGIONS = {
    EUROPE: ("Northern Europe", "Western Europe", "Southern Europe", "Eastern Europe"),
    ASIA: ("Central Asia", "Eastern Asia", "South-eastern Asia", "Southern Asia", "Western Asia"),
    AFRICA: (
        "Northern Africa",
        "Western Africa",
        "Eastern Africa",
        "Middle Africa",
        "Southern Africa",
    ),
    AMERICAS: ("Northern America", "Central America", "Caribbean", "South America"),
    OCEANIA: ("Australia and New Zealand", "Melanesia", "Micronesia", "Polynesia"),
}
CONTINENTS = {
    subregion: continent for continent, found in _SUBREGIONS.items() for subregion in found
}


@dataclass(frozen=True, slots=True)
class Country:
    """A country or territory of ISO 3166-1, its subregion (UN M49), and how many places GeoNames knows in it."""

    code: str
    name: str  # as it stands after "in": "the Netherlands"
    sovereign: bool
    subregion: str
    aliases: tuple[str, ...]
    adjectives: tuple[str, ...]
    nouns: tuple[str, ...]
    million: int  # cities of a million
    cities: int  # of 50,000 or more, those included
    towns: int  # below

    @property
    def continent(self) -> str:
        return CONTINENTS[self.subregion]


def fold_name(name: str) -> str:
    """A name folded, without marks, article and punctuation, as facts are filed.

    >>> fold_name("The Île-d’Yeu"), fold_name("Łódź")
    ('ile d yeu', 'lodz')
    """
    return _SEPARATORS.sub(" ", fold_marks(name)).strip().removeprefix("the ")


def read_bundle_file(name: str) -> str:
    """A file of the bundle."""
    try:
        content = (files("maskwise.bundle") / name).read_bytes()
        if name.endswith(".gz"):
            content = gzip.decompress(content)
        return content.decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BundleError(
            f"bundle file {name} cannot be read ({type(error).__name__}): reinstall maskwise"
        ) from None


def read_table(name: str) -> list[list[str]]:
    """The rows of a tab-separated file of facts."""
    return [line.split("\t") for line in read_bundle_file(f"knowledge/{name}").split("\n") if line]


def split_list(cell: str) -> tuple[str, ...]:
    """The items of a cell that is a list."""
    return tuple(cell.split("|")) if cell else ()


def split_steps(cell: str) -> tuple[str, ...]:
    """The steps of a cell from narrow to wide: "a high school > a school"."""
    return tuple(cell.split(" > ")) if cell else ()


@cache
def read_countries() -> Mapping[str, Country]:
    """By ISO code."""
    found = {}
    for code, kind, subregion, name, *rest in read_table("countries.tsv"):
        aliases, adjectives, nouns = map(split_list, rest[:3])
        million, cities, towns = map(int, rest[3:])
        words = (aliases, adjectives, nouns)
        sizes = (million, million + cities, towns)
        found[code] = Country(code, name, kind == "c", subregion, *words, *sizes)
    return MappingProxyType(found)


@cache
def read_country_names() -> Mapping[str, Country]:
    """Countries by every name they have, folded."""
    found = {}
    for country in read_countries().values():
        for name in (country.name, *country.aliases):
            found[fold_name(name)] = country
    return MappingProxyType(found)


@cache
def read_place_names() -> Mapping[str, str]:
    """Folded names of cities and towns to all that bear them, largest first: "FR2138,US24" (thousands of people)."""
    cells = read_bundle_file("knowledge/places.tsv.gz").replace("\n", "\t").split("\t")
    names, bearers = cells[:-1:2], cells[1::2]
    return MappingProxyType(dict(zip(names, bearers, strict=True)))


@cache
def read_regions() -> Mapping[str, tuple[str, str]]:
    """Folded names of regions to the code of their country and what they are: "a state of Germany"."""
    found = {}
    for code, what, names in read_table("regions.tsv"):
        for name in split_list(names):
            found[fold_name(name)] = (code, what)
    return MappingProxyType(found)


@cache
def read_region_names() -> frozenset[str]:
    """Folded names of regions all over the world (ISO 3166-2), of which only those in `read_regions` are placed."""
    lines = read_bundle_file("gazetteers/regions.txt").split("\n")
    return frozenset(fold_name(line) for line in lines if line)


@cache
def read_homonyms() -> frozenset[str]:
    """Folded names of cities that are also surnames or ordinary words."""
    lines = read_bundle_file("gazetteers/homonyms.tsv").split("\n")
    names = (line.partition("\t")[0] for line in lines if line)
    return frozenset(map(fold_name, names))


@cache
def read_word_table(name: str) -> Mapping[str, tuple[str, ...]]:
    """A table of steps and words, the other way round: folded words to their steps."""
    found = {}
    for chain, words, *_ in read_table(name):
        for word in split_list(words):
            found[fold_name(word)] = split_steps(chain)
    return MappingProxyType(found)
