"""The ladders that are tried for an entity, in order: the first that has an answer gives it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from maskwise.mask.generalise.ages import find_age_levels
from maskwise.mask.generalise.codes import find_code_levels
from maskwise.mask.generalise.concepts import (
    find_ethnicity_levels,
    find_kind_levels,
    find_language_levels,
    find_offence_levels,
    find_religion_levels,
)
from maskwise.mask.generalise.countries import find_nationality_levels
from maskwise.mask.generalise.dates import find_date_levels
from maskwise.mask.generalise.durations import find_duration_levels
from maskwise.mask.generalise.illnesses import find_illness_levels
from maskwise.mask.generalise.ladder import Ladder, LevelList, keep_rising
from maskwise.mask.generalise.occupations import find_occupation_levels
from maskwise.mask.generalise.organisations import find_organisation_levels
from maskwise.mask.generalise.people import find_role_levels
from maskwise.mask.generalise.places import find_land_levels, find_place_levels
from maskwise.mask.generalise.quantities import describe_any_quantity, find_quantity_levels
from maskwise.mask.generalise.times import describe_any_time, find_time_levels
from maskwise.text import Entity, EntityType, Level

# The ladder of languages knows one only where the text calls it so, because most of their names are nationalities too.
_CONCEPTS: tuple[Ladder, ...] = (
    find_language_levels,
    find_nationality_levels,
    find_religion_levels,
    find_offence_levels,
    find_occupation_levels,
    find_illness_levels,
    find_ethnicity_levels,
    find_kind_levels,
)

LADDERS: Mapping[EntityType, tuple[Ladder, ...]] = {
    EntityType.PERSON: (find_role_levels,),
    EntityType.CODE: (find_code_levels,),
    EntityType.LOC: (find_place_levels,),
    EntityType.ORG: (find_land_levels, find_organisation_levels),
    EntityType.DEM: (find_age_levels, *_CONCEPTS),
    EntityType.DATETIME: (
        find_date_levels,
        find_time_levels,
        find_age_levels,
        find_duration_levels,
        describe_any_time,
    ),
    EntityType.QUANTITY: (
        find_duration_levels,
        find_quantity_levels,
        find_age_levels,
        describe_any_quantity,
    ),
    EntityType.MISC: _CONCEPTS,
}


def find_levels(entity: Entity) -> LevelList:
    """The levels of an entity that say less than its mentions; none where no ladder understands it."""
    for ladder in LADDERS[entity.type]:
        levels = ladder(entity)
        if levels:
            texts = {mention.text.casefold() for mention in entity.mentions}
            coarser = tuple(level for level in levels if not _has_any_text(level, texts))
            return keep_rising(coarser)
    return ()


def _has_any_text(level: Level, texts: Iterable[str]) -> bool:
    return any(_has_text(level, text) for text in texts)


def _has_text(level: Level, part: str) -> bool:
    """Whether a wording of the level holds a text as whole words."""
    for wording in (level.text, *level.after.values()):
        text = wording.casefold()
        if part in text and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text):
            return True
    return False
