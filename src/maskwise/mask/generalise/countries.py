"""Ladders of countries and nationalities.

"Norway" → "a country in Northern Europe" → "a European country" → "a country". "Italian" → "Southern European" →
"European" → "a nationality", as adjective and as noun.

Subregions and continents are those of the United Nations (M49), which place every country in exactly one, under their
everyday names; so Cyprus lies in West Asia and Russia in Eastern Europe. Only Iran is counted to West Asia too.
Territories and states that are not generally recognised are "a country or territory". Of a nationality of the Americas
only the part is said, since "American" would be read as of the United States.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache

from maskwise.mask.generalise import facts
from maskwise.mask.generalise.attributes import describe_attribute
from maskwise.mask.generalise.facts import Country, fold_name, read_countries
from maskwise.mask.generalise.grammar import add_article, drop_article
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.slots import Slot
from maskwise.mask.generalise.words import make_singular
from maskwise.text import Entity, Level

_ADJECTIVE = {
    facts.EUROPE: "a European country",
    facts.ASIA: "an Asian country",
    facts.AFRICA: "an African country",
}

_OF = {
    facts.EUROPE: "European",
    facts.ASIA: "Asian",
    facts.AFRICA: "African",
    facts.OCEANIA: "Oceanian",
}
# How a subregion is called, and its adjective where its M49 name and its continent do not tell it. "Central African"
# would be read as of the Central African Republic.
_NAMED = {
    "Northern America": ("North America", "North American"),
    "Central America": ("Central America", "Central American"),
    "South America": ("South America", "South American"),
    "Caribbean": ("the Caribbean", "Caribbean"),
    "Northern Africa": ("North Africa", "North African"),
    "Western Africa": ("West Africa", "West African"),
    "Middle Africa": ("Central Africa", ""),
    "Eastern Asia": ("East Asia", "East Asian"),
    "South-eastern Asia": ("Southeast Asia", "Southeast Asian"),
    "Southern Asia": ("South Asia", "South Asian"),
    "Western Asia": ("West Asia", "West Asian"),
}
_STATUS = re.compile(
    r"(?:[ -](nationals?|citizens?|nationality|citizenship|origin|descent|ancestry|people|born))$",
    re.I,
)


def list_country_levels(country: Country) -> LevelList:
    """A country by where it lies."""
    narrow = _describe_country(country.sovereign, country.subregion)
    wide = describe_continent(country.sovereign, country.continent)
    kind = drop_article(_name_kind(country.sovereign))
    return (
        Level(narrow, _measure_loss(country.subregion), forms=list_forms(country, False, kind)),
        Level(wide, _measure_loss(country.continent), forms=list_forms(country, True, kind)),
        Level(_name_kind(country.sovereign), 1.0, {"the": f"{kind} in question"}),
    )


def list_forms(country: Country, is_wide: bool, kind: str) -> dict[str, str]:
    """How the part of the world of a country, or with `is_wide` its continent, reads in other slots.

    `kind` is what lies there: "a Northern European country's".
    """
    adjective = _OF.get(country.continent, "") if is_wide else _form_adjective(country)
    area = country.continent if is_wide else name_subregion(country.subregion)
    has_compound = area not in (facts.AMERICAS, "Australia and New Zealand")
    return {
        Slot.MODIFIER: adjective,
        Slot.COMPOUND: drop_article(area) if has_compound else "",
        Slot.POSSESSIVE: add_article(f"{adjective} {kind}") if adjective else "",
    }


def _name_kind(sovereign: bool) -> str:
    return "a country" if sovereign else "a country or territory"


def describe_subregion(found: Iterable[Country]) -> str:
    """The levels that are true of all these countries, which share a subregion."""
    known = list(found)
    are_sovereign = all(country.sovereign for country in known)
    return _describe_country(are_sovereign, known[0].subregion)


def _describe_country(sovereign: bool, subregion: str) -> str:
    return f"{_name_kind(sovereign)} in {name_subregion(subregion)}"


def describe_continent(sovereign: bool, continent: str) -> str:
    if sovereign and continent in _ADJECTIVE:
        return _ADJECTIVE[continent]
    return f"{_name_kind(sovereign)} in {continent}"


def name_subregion(subregion: str) -> str:
    return _NAMED[subregion][0] if subregion in _NAMED else subregion


def find_nationality_levels(entity: Entity) -> LevelList:
    """The levels of a mention that names a nationality; none where it is no word for one."""
    # The shortest: "Italian" where "Italians" are named too.
    text = min((mention.text for mention in entity.mentions), key=len)
    status = _STATUS.search(text)
    word = text[: status.start()] if status else text
    word = re.sub(r"^(?:an?|the)\s+", "", word, flags=re.I)
    found, is_plural = _find_countries(word)
    if not found:
        return ()
    tail = "s" if is_plural else ""
    if status:
        tail = status[0]
    levels = [Level(f"{name}{tail}", loss) for name, loss in _list_names(found)]
    return (*levels, describe_attribute("a nationality", entity))


def _find_countries(word: str) -> tuple[tuple[Country, ...], bool]:
    """The countries a word may name the people of, and whether it is a plural."""
    known = read_peoples()
    key = fold_name(word)
    if found := known.get(key):
        return found, False
    return known.get(make_singular(key), ()), True


def _list_names(found: tuple[Country, ...]) -> list[tuple[str, float]]:
    """The levels that are true of all these countries, with their losses."""
    subregions = {country.subregion for country in found}
    continents = {country.continent for country in found}
    names = []
    adjective = _form_adjective(found[0])
    if len(subregions) == 1 and adjective:
        names.append((adjective, _measure_loss(found[0].subregion)))
    continent = found[0].continent
    if len(continents) == 1 and continent in _OF:
        names.append((_OF[continent], _measure_loss(continent)))
    return names


def _form_adjective(country: Country) -> str:
    """ "Southern European"; nothing for the parts of Oceania, whose words name peoples."""
    if country.subregion in _NAMED:
        return _NAMED[country.subregion][1]
    if country.continent == facts.OCEANIA:
        return ""
    return f"{country.subregion.rpartition(' ')[0]} {_OF[country.continent]}"


@cache
def read_peoples() -> dict[str, tuple[Country, ...]]:
    found: defaultdict[str, dict[str, Country]] = defaultdict(dict)
    for country in read_countries().values():
        for word in (*country.adjectives, *country.nouns):
            found[fold_name(word)][country.code] = country
    return {word: tuple(several.values()) for word, several in found.items()}


@cache
def _measure_loss(area: str) -> float:
    """The loss of naming the area alone, with all countries equally likely."""
    countries = read_countries().values()
    inside = sum(area in (country.subregion, country.continent) for country in countries)
    return measure_lost_bits(inside, len(countries))
