"""The masking problem as numbers: options of each entity, combinations to break, a budget of exposure.

After Papadopoulou et al. 2022, section 3.3, where each entity is kept or masked; here an entity may also be
generalised, and the exposures of all that stays visible add up to a bounded document risk.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from maskwise.errors import PlanError
from maskwise.text.exposure import Hazard

SCALE = 1_000_000  # exposures become whole numbers of this fraction

Choice = tuple[int, ...]  # for each entity, the index of its option


@dataclass(frozen=True, slots=True)
class Option:
    """Something that may be done with an entity: `loss` is the information it gives up, `visible` what share stays.

    `breaks` says that it is enough to break a risky combination.
    """

    loss: int
    visible: float
    breaks: bool
    level: int = 0


@dataclass(frozen=True)
class Problem:
    """Choose an option for each entity so that every combination has a member whose option breaks it, the exposure
    stays within the budget, and the loss is least.

    Options of an entity stand in order: each loses at least as much as the one before and leaves no more visible. So
    the last options together leave the least risk there can be, and a problem they do not solve has no solution.
    """

    options: tuple[tuple[Option, ...], ...]
    combinations: tuple[tuple[int, ...], ...] = ()
    hazards: tuple[tuple[tuple[int, ...], Hazard], ...] = ()  # members by index
    budget: float | None = None

    def __post_init__(self) -> None:
        for at, options in enumerate(self.options):
            if not options or any(a.loss > b.loss or a.visible < b.visible for a, b in pairwise(options)):
                raise PlanError(f"entity {at}: its options are missing or not in order of loss")

    @cached_property
    def cheapest(self) -> Choice:
        return (0,) * len(self.options)

    @cached_property
    def breaking(self) -> tuple[int | None, ...]:
        """For each entity its first option that breaks a combination."""
        return tuple(next((i for i, o in enumerate(options) if o.breaks), None) for options in self.options)

    def loss(self, choice: Choice) -> int:
        return sum(options[at].loss for options, at in zip(self.options, choice, strict=True))

    def broken(self, combination: Sequence[int], choice: Choice) -> bool:
        return any(self.options[e][choice[e]].breaks for e in combination)

    def unbroken(self, choice: Choice) -> list[int]:
        """Indices of the combinations nothing breaks."""
        return [at for at, members in enumerate(self.combinations) if not self.broken(members, choice)]

    def visible(self, members: Iterable[int], choice: Choice) -> float:
        return min(self.options[e][choice[e]].visible for e in members)

    def exposure(self, choice: Choice) -> float:
        return math.fsum(hazard.exposure(self.visible(members, choice)) for members, hazard in self.hazards)

    def within(self, choice: Choice) -> bool:
        """Whether the exposure fits the budget, in the whole numbers that the solver counts with."""
        if self.budget is None:
            return True
        return sum(steps(hazard, self.visible(members, choice)) for members, hazard in self.hazards) <= self.units

    def solved(self, choice: Choice) -> bool:
        return not self.unbroken(choice) and self.within(choice)

    def around(self, free: Collection[int], choice: Choice) -> Problem:
        """The problem that is left when all but the `free` stay with their choice: the others have that one option."""
        options = tuple(mine if e in free else (mine[choice[e]],) for e, mine in enumerate(self.options))
        combinations = dict.fromkeys(
            tuple(e for e in one if e in free)
            for one in self.combinations
            if not any(self.options[e][choice[e]].breaks for e in one if e not in free)
        )
        hazards, spent = [], 0
        for members, hazard in self.hazards if self.budget is not None else ():
            if any(e in free for e in members):
                hazards.append((members, hazard))
            else:
                spent += steps(hazard, self.visible(members, choice))
        budget = None if self.budget is None else (self.units - spent + 0.5) / SCALE
        return Problem(options, tuple(combinations), tuple(hazards), budget)

    @property
    def units(self) -> int:
        """The budget in whole numbers, rounded down."""
        return math.floor((self.budget or 0.0) * SCALE)


def steps(hazard: Hazard, visible: float) -> int:
    """An exposure in whole numbers, rounded up: what fits in them fits."""
    return math.ceil(hazard.exposure(visible) * SCALE) if visible else 0
