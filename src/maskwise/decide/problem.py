"""The masking problem as numbers: options per entity, risky combinations, and a budget of exposure.

After Papadopoulou et al. 2022, section 3.3, where each entity is kept or masked. Here an entity may also be
generalised, and the exposures of everything visible add up to at most a budget.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from maskwise.errors import PlanError
from maskwise.text import Action
from maskwise.text.exposure import Hazard

SCALE = 1_000_000  # exposures become whole numbers of this fraction

Choice = tuple[int, ...]  # the index of the chosen option, per entity


@dataclass(frozen=True, slots=True)
class Option:
    """Something that may be done with an entity.

    `loss` is the information it gives up, in thousandths, and `share` the share of the entity's information that this
    is. `breaks` says that the option is enough to break a risky combination.
    """

    loss: int
    share: float
    breaks: bool
    action: Action = Action.SUPPRESS
    level: int = 0

    @property
    def visible(self) -> float:
        """The share of information that stays."""
        return 1.0 - self.share


@dataclass(frozen=True)
class Problem:
    """Choose one option per entity at the least loss, so that every combination has a member whose option breaks it
    and the exposure stays within the budget.

    The options of an entity are in order: each loses at least as much as the one before and leaves no more visible.
    The last options together expose the least that there can be, so a problem that they do not solve has no solution.
    """

    options: tuple[tuple[Option, ...], ...]
    combinations: tuple[tuple[int, ...], ...] = ()
    hazards: tuple[tuple[tuple[int, ...], Hazard], ...] = ()  # members by index
    budget: float | None = None

    def __post_init__(self) -> None:
        for at, options in enumerate(self.options):
            if not options or any(
                a.loss > b.loss or a.share > b.share for a, b in pairwise(options)
            ):
                raise PlanError(f"entity {at}: its options are missing or not in order of loss")

    @cached_property
    def cheapest(self) -> Choice:
        return (0,) * len(self.options)

    @cached_property
    def safest(self) -> Choice:
        return tuple(len(options) - 1 for options in self.options)

    @cached_property
    def breaking(self) -> tuple[int | None, ...]:
        """The first option of each entity that breaks a combination."""
        return tuple(
            next((i for i, o in enumerate(options) if o.breaks), None) for options in self.options
        )

    @cached_property
    def units(self) -> int:
        """The budget in whole numbers, rounded down."""
        return math.floor((self.budget or 0.0) * SCALE)

    def list_chosen(self, choice: Choice) -> tuple[Option, ...]:
        return tuple(options[at] for options, at in zip(self.options, choice, strict=True))

    def measure_loss(self, choice: Choice) -> int:
        return sum(option.loss for option in self.list_chosen(choice))

    def is_broken(self, combination: Sequence[int], choice: Choice) -> bool:
        return any(self.options[e][choice[e]].breaks for e in combination)

    def find_unbroken(self, choice: Choice) -> list[int]:
        """The indices of the combinations that nothing breaks."""
        return [
            at
            for at, members in enumerate(self.combinations)
            if not self.is_broken(members, choice)
        ]

    def measure_visible(self, members: Iterable[int], choice: Choice) -> float:
        return min(self.options[e][choice[e]].visible for e in members)

    def list_exposures(self, choice: Choice) -> list[float]:
        """The exposure of each hazard."""
        return [
            hazard.measure_exposure(self.measure_visible(members, choice))
            for members, hazard in self.hazards
        ]

    def measure_exposure(self, choice: Choice) -> float:
        return math.fsum(self.list_exposures(choice))

    def is_within_budget(self, choice: Choice) -> bool:
        """Whether the exposure fits the budget, in the whole numbers that the solver counts with."""
        if self.budget is None:
            return True
        return (
            sum(
                round_exposure(hazard, self.measure_visible(m, choice))
                for m, hazard in self.hazards
            )
            <= self.units
        )

    def is_solved(self, choice: Choice) -> bool:
        return not self.find_unbroken(choice) and self.is_within_budget(choice)


def round_exposure(hazard: Hazard, visible: float) -> int:
    """An exposure as a whole number, rounded up: a sum that fits the budget in whole numbers fits."""
    return math.ceil(hazard.measure_exposure(visible) * SCALE) if visible else 0
