"""Which ladders are tried for an entity, in order: the first that has an answer gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from maskwise.mask.generalise.ages import ages
from maskwise.mask.generalise.codes import codes
from maskwise.mask.generalise.concepts import (
    ethnicity_ladder,
    kind_ladder,
    language_ladder,
    offence_ladder,
    religion_ladder,
)
from maskwise.mask.generalise.dates import dates
from maskwise.mask.generalise.durations import durations
from maskwise.mask.generalise.illnesses import illness_ladder
from maskwise.mask.generalise.ladder import Ladder, LevelList, keep_rising
from maskwise.mask.generalise.nationalities import nationality_ladder
from maskwise.mask.generalise.occupations import occupation_ladder
from maskwise.mask.generalise.organisations import organisation_ladder
from maskwise.mask.generalise.people import people
from maskwise.mask.generalise.places import land_ladder, place_ladder
from maskwise.mask.generalise.quantities import quantities, some_quantity
from maskwise.mask.generalise.times import some_time, times
from maskwise.text import Entity, EntityType, Level

# A language is one where it is called so: most of their names are nationalities too.
_CONCEPTS: tuple[Ladder, ...] = (
    language_ladder,
    nationality_ladder,
    religion_ladder,
    offence_ladder,
    occupation_ladder,
    illness_ladder,
    ethnicity_ladder,
    kind_ladder,
)

LADDERS: Mapping[EntityType, tuple[Ladder, ...]] = {
    EntityType.PERSON: (people,),
    EntityType.CODE: (codes,),
    EntityType.LOC: (place_ladder,),
    EntityType.ORG: (land_ladder, organisation_ladder),
    EntityType.DEM: (ages, *_CONCEPTS),
    EntityType.DATETIME: (dates, times, ages, durations, some_time),
    EntityType.QUANTITY: (quantities, durations, ages, some_quantity),
    EntityType.MISC: _CONCEPTS,
}


def find_levels(entity: Entity) -> LevelList:
    """The levels of an entity that say less than its mentions; none where no ladder understands it."""
    for ladder in LADDERS[entity.type]:
        if levels := ladder(entity):
            said = {m.text.casefold() for m in entity.mentions}
            return keep_rising(tuple(level for level in levels if not any(_says(level, text) for text in said)))
    return ()


def _says(level: Level, part: str) -> bool:
    texts = (text.casefold() for text in (level.text, *level.after.values()))
    return any(part in text and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) for text in texts)
