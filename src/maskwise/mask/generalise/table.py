"""Which ladders are tried for an entity, in order: the first that has an answer gives it."""

from __future__ import annotations

from collections.abc import Mapping

from maskwise.mask.generalise.ladder import Ladder, Rungs, rising
from maskwise.text import Entity, EntityType

LADDERS: Mapping[EntityType, tuple[Ladder, ...]] = {}


def climb(entity: Entity) -> Rungs:
    """The rungs of an entity; none where no ladder understands it."""
    for ladder in LADDERS.get(entity.type, ()):
        if rungs := ladder(entity):
            return rising(rungs)
    return ()
