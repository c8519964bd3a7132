"""Ladder of countries: "Norway" → "a country in Northern Europe" → "a European country" → "a country".

Subregions and continents are those of the United Nations (M49), which place every country in exactly one; so Cyprus
lies in Western Asia and Russia in Eastern Europe. Territories and states that are not generally recognised are "a
country or territory".
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from maskwise.mask.generalise import facts
from maskwise.mask.generalise.facts import Country, read_countries
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.text import Level

_ADJECTIVE = {facts.EUROPE: "a European country", facts.ASIA: "an Asian country", facts.AFRICA: "an African country"}


def list_country_levels(country: Country) -> LevelList:
    """A country by where it lies."""
    return (
        Level(_describe_country(country.sovereign, country.subregion), _measure_loss(country.subregion)),
        Level(describe_continent(country.sovereign, country.continent), _measure_loss(country.continent)),
        Level("a country" if country.sovereign else "a country or territory", 1.0),
    )


def describe_subregion(found: Iterable[Country]) -> str:
    """What is true of all these countries, which share a subregion."""
    known = list(found)
    return _describe_country(all(c.sovereign for c in known), known[0].subregion)


def _describe_country(sovereign: bool, subregion: str) -> str:
    return f"{'a country' if sovereign else 'a country or territory'} in {_add_article(subregion)}"


def describe_continent(sovereign: bool, continent: str) -> str:
    if sovereign and continent in _ADJECTIVE:
        return _ADJECTIVE[continent]
    return f"{'a country' if sovereign else 'a country or territory'} in {continent}"


def _add_article(subregion: str) -> str:
    return "the Caribbean" if subregion == "Caribbean" else subregion


@cache
def _measure_loss(area: str) -> float:
    """With all countries equally likely."""
    inside = sum(area in (c.subregion, c.continent) for c in read_countries().values())
    return bits_lost(inside, len(read_countries()))
