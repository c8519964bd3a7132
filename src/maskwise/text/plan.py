"""`Plan`: for each entity, what to do with it and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from maskwise.text.types import IdentifierType


class Action(StrEnum):
    KEEP = "keep"
    GENERALISE = "generalise"
    SUPPRESS = "suppress"


@dataclass(frozen=True, slots=True)
class Decision:
    """What happens to one entity: the action, what forced it, and the information it holds and loses."""

    entity: str
    action: Action
    reasons: tuple[str, ...]
    identifier: IdentifierType = IdentifierType.QUASI
    information: float = 0.0  # information content of the entity
    lost: float = 0.0  # how much of it this decision gives up
    level: int = 0  # step of the generalisation ladder, 0 for none

    @property
    def masked(self) -> bool:
        return self.action is not Action.KEEP


@dataclass(frozen=True)
class Plan:
    """All decisions of a document. `objective` is the information lost; `optimal` says that no plan loses less.

    >>> from maskwise import sanitize
    >>> [str(decision.action) for decision in sanitize("Mr Lee left Norway.").plan.decisions]
    ['suppress', 'keep']
    """

    decisions: tuple[Decision, ...]
    objective: float
    optimal: bool

    @cached_property
    def by_entity(self) -> Mapping[str, Decision]:
        return {d.entity: d for d in self.decisions}
