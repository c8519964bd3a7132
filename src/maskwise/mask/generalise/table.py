"""Which ladders are tried for an entity, in order: the first that has an answer gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from maskwise.mask.generalise.ages import ages
from maskwise.mask.generalise.codes import codes
from maskwise.mask.generalise.dates import dates
from maskwise.mask.generalise.durations import durations
from maskwise.mask.generalise.ladder import Ladder, Rung, Rungs, rising
from maskwise.mask.generalise.people import people
from maskwise.mask.generalise.quantities import quantities, some_quantity
from maskwise.mask.generalise.times import some_time, times
from maskwise.text import Entity, EntityType

LADDERS: Mapping[EntityType, tuple[Ladder, ...]] = {
    EntityType.PERSON: (people,),
    EntityType.CODE: (codes,),
    EntityType.LOC: (),
    EntityType.ORG: (),
    EntityType.DEM: (ages,),
    EntityType.DATETIME: (dates, times, durations, some_time),
    EntityType.QUANTITY: (quantities, durations, ages, some_quantity),
    EntityType.MISC: (),
}


def climb(entity: Entity) -> Rungs:
    """The rungs of an entity; none where no ladder understands it. A rung that says what a mention says is left out."""
    for ladder in LADDERS[entity.type]:
        if rungs := ladder(entity):
            said = {m.text.casefold() for m in entity.mentions}
            return rising(tuple(rung for rung in rungs if not any(_says(rung, text) for text in said)))
    return ()


def _says(rung: Rung, part: str) -> bool:
    texts = (text.casefold() for text in (rung.text, *rung.after.values()))
    return any(part in text and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", text) for text in texts)
