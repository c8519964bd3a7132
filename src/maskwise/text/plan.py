"""`Plan`: for each entity, what to do with it and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from maskwise.text.types import IdentifierType


class Action(StrEnum):
    KEEP = "keep"
    GENERALISE = "generalise"
    SUPPRESS = "suppress"


@dataclass(frozen=True, slots=True)
class Override:
    """A person's decision about one entity, which replaces the verdict of the policy.

    >>> Override("e3", Action.KEEP, author="R. Vale", reason="the town is named in the published summary").action
    <Action.KEEP: 'keep'>
    """

    entity: str
    action: Action
    level: int = 0
    author: str = ""
    reason: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about one entity: the action, the reason that forced it, and the information it holds and loses.

    `added_exposure` is what an override adds to the exposure that the policy would have left.
    """

    entity: str
    action: Action
    reasons: tuple[str, ...]
    identifier: IdentifierType = IdentifierType.QUASI
    information: float = 0.0  # information content of the entity
    lost: float = 0.0  # how much of it this decision gives up
    level: int = 0  # step of the generalisation ladder, 0 for none
    override: Override | None = None
    added_exposure: float = 0.0

    @property
    def masked(self) -> bool:
        return self.action is not Action.KEEP

    @property
    def visible(self) -> float:
        """Share of the entity that a reader still sees: 1 when it is kept, 0 when it is suppressed."""
        if self.action is not Action.GENERALISE:
            return float(self.action is Action.KEEP)
        return 1.0 - self.lost / self.information if self.information else 1.0


@dataclass(frozen=True)
class Plan:
    """All decisions of a document. `objective` is the information lost; `optimal` says that no plan loses less.

    `bound` is information that every plan under the policy loses, where the solver proved one; `seconds` is the time
    it took, which no comparison and no output repeats.

    >>> from maskwise import sanitize
    >>> [str(decision.action) for decision in sanitize("Mr Lee cited Article 6.").plan.decisions]
    ['suppress', 'keep']
    """

    decisions: tuple[Decision, ...]
    objective: float
    optimal: bool
    bound: float | None = None
    solver: str = ""
    seconds: float = field(default=0.0, compare=False)

    @property
    def gap(self) -> float | None:
        """How much of the objective may be needless: 0 when it is proved optimal, None without a bound."""
        if self.optimal:
            return 0.0
        if self.bound is None:
            return None
        return max(0.0, self.objective - self.bound) / self.objective if self.objective else 0.0

    @cached_property
    def by_entity(self) -> Mapping[str, Decision]:
        return {d.entity: d for d in self.decisions}
