"""What policy and reviewer demand of each entity, as the steps that remain for it, and the conflicts among demands.

Suppressing more never breaks a demand except one to keep. So demands can be met exactly when masking all that nobody
keeps meets them, and each conflict found here is the smallest one: no solver is needed to find it or to explain it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from maskwise.decide.problem import Choice, Problem
from maskwise.decide.rules import Verdict, is_direct
from maskwise.errors import PlanError
from maskwise.text import Action, Entity, Level
from maskwise.text.exposure import probability

SHOWN = 5  # entities named in a message


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do with an entity, and the share of its information that it loses."""

    action: Action
    loss: float
    level: int = 0


@dataclass(frozen=True, slots=True)
class Lock:
    """A reviewer's decision that the solver may not change.

    >>> Lock(Action.KEEP)
    Lock(action=<Action.KEEP: 'keep'>, level=0)
    """

    action: Action
    level: int = 0


_ENDS = (Step(Action.KEEP, 0.0), Step(Action.SUPPRESS, 1.0))


def ladder(levels: Sequence[Level]) -> tuple[Step, ...]:
    """Keep, each level in order of loss, suppress."""
    if not levels:
        return _ENDS
    between = sorted(
        (Step(Action.GENERALISE, level.loss, at) for at, level in enumerate(levels, 1) if 0 < level.loss < 1),
        key=lambda step: step.loss,
    )
    return (_ENDS[0], *between, _ENDS[1])


def remaining(
    entity: Entity, steps: Sequence[Step], verdict: Verdict, must_keep: bool, enough: float, lock: Lock | None
) -> tuple[Step, ...]:
    """The steps that meet every demand on one entity; raises `PlanError` when there is none."""
    demands: list[tuple[str, Callable[[Step], bool]]] = []
    if is_direct(entity) and verdict.masked:
        demands.append(("is a direct identifier, to be suppressed", lambda s: s.action is Action.SUPPRESS))
    elif verdict.masked:
        demands.append((f"is to be masked, losing {enough:.0%} or more", lambda s: s.loss >= enough))
    if must_keep:
        demands.append(("is in the policy's must_keep", lambda s: s.action is Action.KEEP))
    if lock is not None:
        what = f"{lock.action} at level {lock.level}" if lock.level else str(lock.action)
        demands.append(
            (f"is locked by a reviewer to {what}", lambda s: (s.action, s.level) == (lock.action, lock.level))
        )
    left = tuple(step for step in steps if all(allows(step) for _, allows in demands))
    if not left:
        said = " but ".join(sentence for sentence, _ in demands)
        raise PlanError(f"no plan meets every demand: {name(entity)} {said}")
    return left


def check(problem: Problem, entities: Sequence[Entity]) -> None:
    """Raise `PlanError` when the last options, which mask all they may, leave a combination whole or too much risk."""
    last = tuple(len(options) - 1 for options in problem.options)
    whole = [problem.combinations[at] for at in problem.unbroken(last)]
    if whole:
        members = _listed(name(entities[e]) for e in whole[0])
        more = f" (and {len(whole) - 1} more combinations)" if len(whole) > 1 else ""
        raise PlanError(f"no plan meets every demand: {members} are risky together but all of them are kept{more}")
    if not problem.within(last):
        _too_exposed(problem, entities, last)


def _too_exposed(problem: Problem, entities: Sequence[Entity], last: Choice) -> None:
    """Name the fewest kept subjects whose exposures alone are more than the budget."""
    left = ((hazard.exposure(problem.visible(members, last)), members) for members, hazard in problem.hazards)
    total, named = 0.0, list[int]()
    for exposure, members in sorted(left, key=lambda pair: (-pair[0], pair[1])):
        if total > (problem.budget or 0.0):
            break
        total += exposure
        named += (e for e in members if e not in named)
    bound = probability(problem.budget or 0.0)
    raise PlanError(
        f"no plan meets every demand: document risk is bounded by {bound:.2f} "
        f"but {_listed(name(entities[e]) for e in named)} must stay visible, which alone is a risk of "
        f"{probability(total):.2f}"
    )


def name(entity: Entity) -> str:
    """An entity in a message that may reach a log: no text."""
    return f"{entity.id} ({entity.type} at {entity.first.start})"


def _listed(names: Iterable[str]) -> str:
    names = list(names)
    more = [f"{len(names) - SHOWN} more"] if len(names) > SHOWN else []
    *front, back = [*names[:SHOWN], *more]
    return f"{', '.join(front)} and {back}" if front else back
