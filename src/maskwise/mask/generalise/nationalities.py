"""Ladder of nationalities: "Italian" → "Southern European" → "European" → "a nationality", as adjective and as noun.

Subregions are those of the United Nations (M49), as for countries. Of the Americas only the part is said, since
"American" would be read as of the United States.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from maskwise.mask.generalise import facts
from maskwise.mask.generalise.facts import Country, fold_name, read_countries
from maskwise.mask.generalise.ladder import LevelList, bits_lost
from maskwise.mask.generalise.words import make_singular
from maskwise.text import Entity, Level

_OF = {facts.EUROPE: "European", facts.ASIA: "Asian", facts.AFRICA: "African", facts.OCEANIA: "Oceanian"}
_WHOLE = {
    "Northern America": "Northern American",
    "Central America": "Central American",
    "South America": "South American",
}
_STATUS = re.compile(
    r"(?:[ -](nationals?|citizens?|nationality|citizenship|origin|descent|ancestry|people|born))$", re.I
)


def find_nationality_levels(entity: Entity) -> LevelList:
    """The levels of a mention that names a nationality; none where it is no word for one."""
    text = min((mention.text for mention in entity.mentions), key=len)  # "Italian" where "Italians" are named too
    status = _STATUS.search(text)
    word = text[: status.start()] if status else text
    word = re.sub(r"^(?:an?|the)\s+", "", word, flags=re.I)
    found, plural = _find_countries(word)
    if not found:
        return ()
    tail = status[0] if status else "s" if plural else ""
    return (*(Level(f"{name}{tail}", loss) for name, loss in _list_names(found)), Level("a nationality", 1.0))


def _find_countries(word: str) -> tuple[tuple[Country, ...], bool]:
    """The countries a word may name the people of, and whether it is a plural."""
    known = _read_peoples()
    if found := known.get(fold_name(word)):
        return found, False
    return known.get(make_singular(fold_name(word)), ()), True


def _list_names(found: tuple[Country, ...]) -> list[tuple[str, float]]:
    """What is true of all these countries."""
    subregions, continents = {c.subregion for c in found}, {c.continent for c in found}
    names = []
    if len(subregions) == 1 and (name := _form_adjective(found[0])):
        names.append((name, _measure_loss(found[0].subregion)))
    if len(continents) == 1 and found[0].continent in _OF:
        names.append((_OF[found[0].continent], _measure_loss(found[0].continent)))
    return names


def _form_adjective(country: Country) -> str:
    """ "Southern European"; nothing for the parts of Oceania, whose words name peoples."""
    if country.continent == facts.AMERICAS:
        return _WHOLE.get(country.subregion, "Caribbean")
    if country.continent == facts.OCEANIA:
        return ""
    return f"{country.subregion.rpartition(' ')[0]} {_OF[country.continent]}"


@cache
def _read_peoples() -> dict[str, tuple[Country, ...]]:
    found: defaultdict[str, dict[str, Country]] = defaultdict(dict)
    for country in read_countries().values():
        for word in (*country.adjectives, *country.nouns):
            found[fold_name(word)][country.code] = country
    return {word: tuple(several.values()) for word, several in found.items()}


@cache
def _measure_loss(area: str) -> float:
    inside = sum(area in (c.subregion, c.continent) for c in read_countries().values())
    return bits_lost(inside, len(read_countries()))
