"""The facts that ladders stand on: places, countries, occupations and tables of words, read once from the bundle.

Where they come from, and under which licence, says `bundle/knowledge/SOURCES.md`.
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
    AFRICA: ("Northern Africa", "Western Africa", "Eastern Africa", "Middle Africa", "Southern Africa"),
    AMERICAS: ("Northern America", "Central America", "Caribbean", "South America"),
    OCEANIA: ("Australia and New Zealand", "Melanesia", "Micronesia", "Polynesia"),
}
CONTINENTS = {subregion: continent for continent, found in _SUBREGIONS.items() for subregion in found}


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


def key_of(name: str) -> str:
    """A name folded, without marks, article and punctuation, as facts are filed.

    >>> key_of("The Île-d’Yeu"), key_of("Łódź")
    ('ile d yeu', 'lodz')
    """
    return _SEPARATORS.sub(" ", fold_marks(name)).strip().removeprefix("the ")


def read(name: str) -> str:
    """A file of the bundle."""
    try:
        content = (files("maskwise.bundle") / name).read_bytes()
        return (gzip.decompress(content) if name.endswith(".gz") else content).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BundleError(f"bundle file {name} cannot be read ({type(error).__name__}): reinstall maskwise") from None


def table(name: str) -> list[list[str]]:
    """The rows of a tab-separated file of facts."""
    return [line.split("\t") for line in read(f"knowledge/{name}").split("\n") if line]


def several(cell: str) -> tuple[str, ...]:
    """What a cell lists."""
    return tuple(cell.split("|")) if cell else ()


def steps(cell: str) -> tuple[str, ...]:
    """What a cell says from narrow to wide: "a high school > a school"."""
    return tuple(cell.split(" > ")) if cell else ()


@cache
def countries() -> Mapping[str, Country]:
    """By ISO code."""
    found = {}
    for code, kind, subregion, name, aliases, adjectives, nouns, million, cities, towns in table("countries.tsv"):
        words = several(aliases), several(adjectives), several(nouns)
        sizes = int(million), int(million) + int(cities), int(towns)
        found[code] = Country(code, name, kind == "c", subregion, *words, *sizes)
    return MappingProxyType(found)


@cache
def country_names() -> Mapping[str, Country]:
    """Countries by every name they have, folded."""
    return MappingProxyType({key_of(n): c for c in countries().values() for n in (c.name, *c.aliases)})


@cache
def place_names() -> Mapping[str, str]:
    """Folded names of cities and towns to all that bear them, largest first: "FR2138,US24" (thousands of people)."""
    cells = read("knowledge/places.tsv.gz").replace("\n", "\t").split("\t")
    return MappingProxyType(dict(zip(cells[:-1:2], cells[1::2], strict=True)))


@cache
def regions() -> Mapping[str, tuple[str, str]]:
    """Folded names of regions to the code of their country and what they are: "a state of Germany"."""
    return MappingProxyType(
        {key_of(name): (code, what) for code, what, names in table("regions.tsv") for name in several(names)}
    )


@cache
def region_names() -> frozenset[str]:
    """Folded names of regions all over the world (ISO 3166-2), of which only those in `regions` are placed."""
    return frozenset(key_of(line) for line in read("gazetteers/regions.txt").split("\n") if line)


@cache
def homonyms() -> frozenset[str]:
    """Folded names of cities that are also surnames or ordinary words."""
    return frozenset(key_of(line.split("\t")[0]) for line in read("gazetteers/homonyms.tsv").split("\n") if line)


@cache
def word_table(name: str) -> Mapping[str, tuple[str, ...]]:
    """A table of (steps, words), turned round: folded words to their steps."""
    return MappingProxyType({key_of(word): steps(chain) for chain, words, *_ in table(name) for word in several(words)})
