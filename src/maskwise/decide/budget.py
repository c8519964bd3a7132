"""Brings a choice within the budget of exposure greedily: a start for CP-SAT, and the answer where it may not run."""

from __future__ import annotations

import time
from collections import defaultdict

from maskwise.decide.problem import Choice, Problem, round_exposure


def meet_budget(
    problem: Problem, choice: Choice, last: Choice | None = None, deadline: float | None = None
) -> Choice:
    """Bring a choice that breaks every combination within the budget, then give back what became needless.

    With `last`, an earlier choice, it starts from whichever masks more. Each move is the step of one entity that lowers
    exposure most for the information it loses. Past the deadline (a time of `time.monotonic`) every entity takes its
    last option, which is safe.
    """
    if problem.is_within_budget(choice):
        return choice
    moves = _GreedyMoves(problem, choice if last is None else tuple(map(max, choice, last)))
    while moves.total > problem.units:
        if deadline is not None and time.monotonic() > deadline:
            return problem.safest
        moves.take()
    moves.give_back(choice)
    return tuple(moves.choice)


class _GreedyMoves:
    """Keeps the exposure of a choice up to date while entities move along their options."""

    def __init__(self, problem: Problem, choice: Choice) -> None:
        self.problem = problem
        self.choice = list(choice)
        self.where: dict[int, list[int]] = defaultdict(list)
        for at, (members, _) in enumerate(problem.hazards):
            for e in members:
                self.where[e].append(at)
        self.units = [self._count_units(at) for at in range(len(problem.hazards))]
        self.total = sum(self.units)
        self.combinations: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for combination in problem.combinations:
            for e in combination:
                self.combinations[e].append(combination)
        self.best = {e: self._find_best_move(e) for e in sorted(self.where)}

    def take(self) -> None:
        """Make the move that saves most exposure per unit of loss."""
        entity = max(self.best, key=lambda e: (self.best[e][0], -e))
        self._move(entity, self.best[entity][1])

    def give_back(self, start: Choice) -> None:
        """Return entities to where they started, the largest saving first, where the budget still holds."""
        options = self.problem.options
        moved = [
            e for e, (now, then) in enumerate(zip(self.choice, start, strict=True)) if now != then
        ]
        for entity in sorted(
            moved, key=lambda e: options[e][start[e]].loss - options[e][self.choice[e]].loss
        ):
            now = self.choice[entity]
            self._move(entity, start[entity])
            if self.total > self.problem.units or not self._is_broken(entity):
                self._move(entity, now)

    def _is_broken(self, entity: int) -> bool:
        choice = tuple(self.choice)
        return all(self.problem.is_broken(one, choice) for one in self.combinations[entity])

    def _count_units(self, at: int) -> int:
        members, hazard = self.problem.hazards[at]
        return round_exposure(
            hazard, min(self.problem.options[e][self.choice[e]].visible for e in members)
        )

    def _find_best_move(self, entity: int) -> tuple[float, int]:
        """Exposure saved for each unit of loss by the entity's best next option, and that option."""
        options, now = self.problem.options[entity], self.choice[entity]
        best = (-1.0, now)
        for later in range(now + 1, len(options)):
            self.choice[entity] = later
            saved = sum(self.units[at] - self._count_units(at) for at in self.where[entity])
            best = max(best, (saved / max(options[later].loss - options[now].loss, 1), later))
        self.choice[entity] = now
        return best

    def _move(self, entity: int, option: int) -> None:
        self.choice[entity] = option
        touched = {entity}
        for at in self.where[entity]:
            before, self.units[at] = self.units[at], self._count_units(at)
            self.total += self.units[at] - before
            if self.units[at] != before:
                touched.update(self.problem.hazards[at][0])
        self.best.update((e, self._find_best_move(e)) for e in touched)
