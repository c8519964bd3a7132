"""Demands that contradict each other, named by entity without text.

Masking more never breaks a demand except one to keep. So demands can be met exactly when masking everything that
nobody keeps meets them, and each conflict found here is the smallest one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from maskwise.decide.problem import Choice, Problem
from maskwise.errors import PlanError
from maskwise.text import Entity
from maskwise.text.exposure import scale_exposure

SHOWN = 5  # entities named in a message


def check_demands(problem: Problem, entities: Sequence[Entity]) -> None:
    """Raise `PlanError` when the safest choice leaves a combination whole or too much exposed."""
    whole = [problem.combinations[at] for at in problem.find_unbroken(problem.safest)]
    if whole:
        members = _list_names(name_entity(entities[e]) for e in whole[0])
        more = f" (and {len(whole) - 1} more combinations)" if len(whole) > 1 else ""
        raise PlanError(
            f"no plan meets every demand: {members} are risky together but all of them are kept{more}"
        )
    if not problem.is_within_budget(problem.safest):
        _refuse_exposure(problem, entities, problem.safest)


def _refuse_exposure(problem: Problem, entities: Sequence[Entity], choice: Choice) -> None:
    """Name the fewest kept subjects whose exposures alone are more than the budget."""
    budget = problem.budget or 0.0
    left = []
    for members, hazard in problem.hazards:
        exposure = hazard.measure_exposure(problem.measure_visible(members, choice))
        left.append((-exposure, members))
    total = 0.0
    named: list[int] = []
    for negative, members in sorted(left):
        if total > budget:
            break
        total -= negative
        named += (e for e in members if e not in named)
    names = _list_names(name_entity(entities[e]) for e in named)
    raise PlanError(
        f"no plan meets every demand: exposure is bounded by {scale_exposure(budget):.2f} "
        f"but {names} must stay visible, which alone is an exposure of {scale_exposure(total):.2f}"
    )


def name_entity(entity: Entity) -> str:
    """An entity in a message that may reach a log: no text."""
    return f"{entity.id} ({entity.type} at {entity.first.start})"


def _list_names(names: Iterable[str]) -> str:
    names = list(names)
    more = [f"{len(names) - SHOWN} more"] if len(names) > SHOWN else []
    *front, back = [*names[:SHOWN], *more]
    return f"{', '.join(front)} and {back}" if front else back
