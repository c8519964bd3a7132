"""Solves a masking problem: at once where the cheapest options will do, else piece by piece, else as a whole."""

from __future__ import annotations

import time
from collections.abc import Collection, MutableMapping
from dataclasses import dataclass, field

from maskwise.decide import cover, exact
from maskwise.decide.cover import Weights
from maskwise.decide.greedy import repair
from maskwise.decide.problem import Choice, Option, Problem

Sets = list[frozenset[int]]
NEAR = 48  # members around a change that are chosen anew
QUICK = 0.01  # effort for them
Key = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Solution:
    """A choice that solves the problem; `bound` is what every such choice loses, `solver` what found it."""

    choice: Choice
    bound: int
    proved: bool
    solver: str


@dataclass
class Search:
    """Limits of a search, and the pieces it has solved before: a changed lock changes one or two of them.

    `effort` is in CP-SAT's deterministic time, spent piece after piece; `deadline`, in seconds, is for those who
    prefer a worse plan to a late one, and makes the plan depend on the machine.
    """

    effort: float
    deadline: float | None = None
    small: int = cover.SMALL
    _solved: MutableMapping[Key, tuple[frozenset[int], int]] = field(default_factory=dict)
    _left: float = 0.0
    _how: str = ""
    _until: float | None = None

    def run(self, problem: Problem, last: Choice | None = None, changed: frozenset[int] = frozenset()) -> Solution:
        """The best choice in reach. `last` is one to start from.

        With `changed`, the entities whose options differ from those `last` was chosen from, only what is near them is
        chosen anew in pieces too large to solve at once: milliseconds, and seldom a proof.
        """
        self._left = min(self.effort, QUICK) if changed else self.effort
        self._until = None if self.deadline is None else time.monotonic() + self.deadline
        if problem.solved(problem.cheapest):
            return Solution(problem.cheapest, problem.loss(problem.cheapest), True, "rules")
        near = cover.around([frozenset(one) for one in problem.combinations], set(changed), NEAR) | changed
        if problem.budget is None:
            return self._cover(problem, last, near)
        broken = self._roughly(problem, last, near)
        if problem.within(broken.choice):
            broken = self._cover(problem, last, near)
        return broken if problem.within(broken.choice) else self._whole(problem, broken, last, near)

    def _roughly(self, problem: Problem, last: Choice | None, near: set[int]) -> Solution:
        """`_cover` without the exact solver: tells cheaply whether the budget binds."""
        effort, self._left = self._left, 0.0
        try:
            return self._cover(problem, last, near)
        finally:
            self._left = effort

    def _cover(self, problem: Problem, last: Choice | None, near: set[int]) -> Solution:
        """Combinations alone, without the budget: a hitting set, its weights the extra loss of breaking."""
        first = problem.breaking
        weights = {
            e: options[at].loss - options[0].loss
            for e, (options, at) in enumerate(zip(problem.options, first, strict=True))
            if at is not None
        }
        open_sets = [frozenset(e for e in one if e in weights) for one in problem.combinations]
        open_sets = [one for one in open_sets if not any(first[e] == 0 for e in one)]
        taken, kernel = cover.reduce(weights, open_sets)
        before = {e for e in weights if last is not None and problem.options[e][last[e]].breaks}
        bound, proved, self._how = sum(weights[e] for e in taken), True, "reductions"
        for piece in cover.pieces(kernel):
            hit, floor = self._piece(weights, piece, before, near)
            taken |= hit
            bound += floor
            proved = proved and floor == sum(weights[e] for e in hit)
        choice = tuple((at or 0) if e in taken else 0 for e, at in enumerate(first))
        return Solution(choice, problem.loss(problem.cheapest) + bound, proved, self._how)

    def _piece(self, weights: Weights, sets: Sets, before: set[int], near: set[int]) -> tuple[frozenset[int], int]:
        """Members to take and what any answer costs; those two agree when the answer is proved best."""
        members = sorted(frozenset().union(*sets))
        key = (tuple(sorted(tuple(sorted(one)) for one in sets)), tuple(weights[m] for m in members))
        if key in self._solved:
            return self._solved[key]
        if len(members) <= self.small:
            best = frozenset(cover.branch(weights, sets))
            answer = best, _weight(weights, best)
        elif near:
            self._how = "nearby"
            return self._nearby(weights, sets, before, near), cover.floor(weights, sets)
        else:
            answer = self._large(weights, sets, members, before)
        if _weight(weights, answer[0]) == answer[1]:
            self._solved[key] = answer
        return answer

    def _large(self, weights: Weights, sets: Sets, members: list[int], before: set[int]) -> tuple[frozenset[int], int]:
        starts = (cover.greedy(weights, sets), cover.mend(weights, sets, before))
        start = min(starts, key=lambda s: _weight(weights, s))
        place = {member: at for at, member in enumerate(members)}
        problem = Problem(
            tuple((Option(0, 1.0, False), Option(weights[m], 0.0, True)) for m in members),
            tuple(tuple(sorted(place[m] for m in one)) for one in sets),
        )
        outcome = self._exact(problem, tuple(int(m in start) for m in members))
        self._how = "greedy" if outcome is None or self._how == "greedy" else "cp-sat"
        if outcome is None:
            return frozenset(start), cover.floor(weights, sets)
        return frozenset(m for m, at in zip(members, outcome.choice, strict=True) if at), outcome.bound

    def _nearby(self, weights: Weights, sets: Sets, before: set[int], near: set[int]) -> frozenset[int]:
        """The earlier answer, mended, with the members around what changed chosen anew."""
        whole = cover.mend(weights, sets, before)
        ball = cover.around(sets, {m for one in sets if not one & before for m in one} | near, NEAR)
        fixed = whole - ball
        taken, kernel = cover.reduce(weights, [one & ball for one in sets if not one & fixed])
        for piece in cover.pieces(kernel):
            taken |= self._piece(weights, piece, whole, set())[0]
        return min(frozenset(fixed | taken), frozenset(whole), key=lambda s: _weight(weights, s))

    def _whole(self, problem: Problem, broken: Solution, last: Choice | None, near: set[int]) -> Solution:
        """The budget binds: all entities at once, or those near a change, from the best plan at hand."""
        start = repair(problem, broken.choice, last, self._until)
        if last is not None and not near:
            start = min((start, repair(problem, broken.choice, None, self._until)), key=problem.loss)
        part = problem.around(near, start) if near else problem
        hint = tuple(0 if len(mine) == 1 else at for mine, at in zip(part.options, start, strict=True))
        outcome = self._exact(part, hint, presolve=not near)
        if outcome is None:
            return Solution(start, broken.bound, problem.loss(start) == broken.bound, "greedy")
        if near:
            choice = tuple(a if len(o) == 1 else b for o, a, b in zip(part.options, start, outcome.choice, strict=True))
            choice = min((choice, start), key=problem.loss)
            return Solution(choice, broken.bound, problem.loss(choice) == broken.bound, "nearby")
        return Solution(outcome.choice, max(outcome.bound, broken.bound), outcome.proved, "cp-sat")

    def _exact(self, problem: Problem, hint: Choice, presolve: bool = True) -> exact.Outcome | None:
        seconds = None if self._until is None else self._until - time.monotonic()
        if self._left <= 0 or (seconds is not None and seconds <= 0):
            return None
        outcome = exact.solve(problem, hint, self._left, seconds, presolve)
        self._left -= self._left if outcome is None else outcome.effort
        return outcome


def _weight(weights: Weights, members: Collection[int]) -> int:
    return sum(weights[m] for m in members)
