"""The optimiser: solves a masking problem with CP-SAT, and without it where that is faster.

The cheapest options may do. Else combinations are a hitting set, which falls into components. Where the budget binds,
the whole problem goes to CP-SAT, the constraint solver of OR-Tools, which is imported when it is first needed.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.decide import hitting_set
from maskwise.decide.budget import meet_budget
from maskwise.decide.hitting_set import Weights
from maskwise.decide.problem import Choice, Option, Problem, round_exposure

# One worker and a limit in deterministic time, which does not depend on the machine: the same answer always.
# Little presolve and a strong relaxation: several times as fast on covering problems of this size.
PARAMETERS = {
    "num_workers": 1,
    "random_seed": 1,
    "linearization_level": 2,
    "max_presolve_iterations": 1,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
}

Sets = list[frozenset[int]]
_Key = tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Solution:
    """A choice that solves the problem. `bound` is what every such choice loses, `solver` what found it."""

    choice: Choice
    bound: int
    proved: bool
    solver: str


@dataclass
class Optimiser:
    """Solves problems within limits, and remembers the components it has solved.

    `effort` is in CP-SAT's deterministic time. `deadline`, in seconds, makes the plan depend on the machine.
    """

    effort: float
    deadline: float | None = None
    small: int = hitting_set.SMALL
    _solved: MutableMapping[_Key, tuple[frozenset[int], int]] = field(default_factory=dict)
    _left: float = 0.0
    _solver: str = ""
    _until: float | None = None

    def solve(self, problem: Problem, last: Choice | None = None, exact: bool = True) -> Solution:
        """The best choice within the limits. `last` is a choice to start from.

        Without `exact` CP-SAT does not run: the answer takes milliseconds, and is seldom proved.
        """
        self._left = self.effort if exact else 0.0
        self._until = None if self.deadline is None else time.monotonic() + self.deadline
        if problem.is_solved(problem.cheapest):
            return Solution(problem.cheapest, problem.measure_loss(problem.cheapest), True, "rules")
        if problem.budget is None:
            return self._break_combinations(problem, last)
        broken = self._estimate(problem, last)
        if problem.is_within_budget(broken.choice):
            broken = self._break_combinations(problem, last)
        return (
            broken
            if problem.is_within_budget(broken.choice)
            else self._solve_whole(problem, broken, last)
        )

    def _estimate(self, problem: Problem, last: Choice | None) -> Solution:
        """Breaks the combinations without CP-SAT, which tells cheaply whether the budget binds."""
        effort, self._left = self._left, 0.0
        try:
            return self._break_combinations(problem, last)
        finally:
            self._left = effort

    def _break_combinations(self, problem: Problem, last: Choice | None) -> Solution:
        """Solves without the budget: a hitting set whose weights are the extra loss of breaking."""
        first = problem.breaking
        weights = {
            e: options[at].loss - options[0].loss
            for e, (options, at) in enumerate(zip(problem.options, first, strict=True))
            if at is not None
        }
        open_sets = [frozenset(e for e in one if e in weights) for one in problem.combinations]
        open_sets = [one for one in open_sets if not any(first[e] == 0 for e in one)]
        taken, kernel = hitting_set.reduce_sets(weights, open_sets)
        before = {e for e in weights if last is not None and problem.options[e][last[e]].breaks}
        bound, proved, self._solver = sum(weights[e] for e in taken), True, "reductions"
        for component in hitting_set.split_components(kernel):
            hit, least = self._solve_component(weights, component, before)
            taken |= hit
            bound += least
            proved = proved and least == _weigh(weights, hit)
        choice = tuple((at or 0) if e in taken else 0 for e, at in enumerate(first))
        return Solution(
            choice, problem.measure_loss(problem.cheapest) + bound, proved, self._solver
        )

    def _solve_component(
        self, weights: Weights, sets: Sets, before: set[int]
    ) -> tuple[frozenset[int], int]:
        """The members to take and a lower bound. The answer is proved best when its weight is the bound."""
        members = sorted(frozenset().union(*sets))
        key = (
            tuple(sorted(tuple(sorted(one)) for one in sets)),
            tuple(weights[m] for m in members),
        )
        if key in self._solved:
            return self._solved[key]
        if len(members) <= self.small:
            best = frozenset(hitting_set.hit_optimally(weights, sets))
            answer = best, _weigh(weights, best)
        else:
            answer = self._solve_large_component(weights, sets, members, before)
        if _weigh(weights, answer[0]) == answer[1]:
            self._solved[key] = answer
        return answer

    def _solve_large_component(
        self, weights: Weights, sets: Sets, members: list[int], before: set[int]
    ) -> tuple[frozenset[int], int]:
        starts = (
            hitting_set.hit_greedily(weights, sets),
            hitting_set.repair_hits(weights, sets, before),
        )
        start = min(starts, key=lambda s: _weigh(weights, s))
        if self._left <= 0:
            self._solver = "greedy"
            return frozenset(start), hitting_set.lower_bound(weights, sets)
        place = {member: at for at, member in enumerate(members)}
        problem = Problem(
            tuple((Option(0, 0.0, False), Option(weights[m], 1.0, True)) for m in members),
            tuple(tuple(sorted(place[m] for m in one)) for one in sets),
        )
        outcome = self._run_cp_sat(problem, tuple(int(m in start) for m in members))
        self._solver = "greedy" if outcome is None or self._solver == "greedy" else "cp-sat"
        if outcome is None:
            return frozenset(start), hitting_set.lower_bound(weights, sets)
        return frozenset(
            m for m, at in zip(members, outcome.choice, strict=True) if at
        ), outcome.bound

    def _solve_whole(self, problem: Problem, broken: Solution, last: Choice | None) -> Solution:
        """Solves with the budget: all entities at once, from the best choice at hand."""
        start = meet_budget(problem, broken.choice, last, self._until)
        if last is not None:
            start = min(
                (start, meet_budget(problem, broken.choice, None, self._until)),
                key=problem.measure_loss,
            )
        outcome = self._run_cp_sat(problem, start)
        if outcome is None:
            return Solution(
                start, broken.bound, problem.measure_loss(start) == broken.bound, "greedy"
            )
        return Solution(outcome.choice, max(outcome.bound, broken.bound), outcome.proved, "cp-sat")

    def _run_cp_sat(self, problem: Problem, hint: Choice) -> _Outcome | None:
        seconds = None if self._until is None else self._until - time.monotonic()
        if self._left <= 0 or (seconds is not None and seconds <= 0):
            return None
        outcome = _solve_with_cp_sat(problem, hint, self._left, seconds)
        self._left -= self._left if outcome is None else outcome.effort
        return outcome


def _weigh(weights: Weights, members: Collection[int]) -> int:
    return sum(weights[m] for m in members)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The best choice that CP-SAT found, a lower bound of the loss, and the deterministic time it took."""

    choice: Choice
    bound: int
    proved: bool
    effort: float


def _solve_with_cp_sat(
    problem: Problem, hint: Choice, effort: float, seconds: float | None
) -> _Outcome | None:
    """Returns None where CP-SAT found no choice within the limits, or OR-Tools is not installed."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        return None
    model = _Model(cp_model.CpModel(), problem, hint)
    solver = cp_model.CpSolver()
    limits: dict[str, float] = {"max_deterministic_time": effort}
    if seconds is not None:
        limits["max_time_in_seconds"] = max(seconds, 0.001)
    for name, value in {**PARAMETERS, **limits}.items():
        setattr(solver.parameters, name, value)
    status = solver.solve(model.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    choice = tuple(sum(solver.boolean_value(step) for step in taken) for taken in model.taken)
    proved = status == cp_model.OPTIMAL
    bound = (
        problem.measure_loss(choice)
        if proved
        else max(0, int(-(-solver.best_objective_bound // 1)))
    )
    return _Outcome(choice, bound, proved, float(solver.response_proto.deterministic_time))


class _Model:
    """The problem in variables of CP-SAT: `taken[e][j]` says that entity e goes at least as far as option j + 1."""

    def __init__(self, model: Any, problem: Problem, hint: Choice) -> None:
        self.model, self.problem = model, problem
        self.taken = [[model.new_bool_var("") for _ in options[1:]] for options in problem.options]
        for taken, at in zip(self.taken, hint, strict=True):
            for index, step in enumerate(taken):
                model.add_hint(step, at > index)
                if index:
                    model.add_implication(step, taken[index - 1])
        for members in problem.combinations:
            model.add_bool_or(self._list_literals((e, problem.breaking[e]) for e in members))
        if problem.budget is not None:
            constant, terms = self._add_exposures()
            model.add(sum(weight * step for step, weight in terms) <= problem.units - constant)
        model.minimize(
            sum(weight * step for step, weight in self._list_losses())
            + problem.measure_loss(problem.cheapest)
        )

    def _list_literals(self, firsts: Iterable[tuple[int, int | None]]) -> list[Any]:
        """Literals of which one holds when an entity goes as far as the option named for it; None is never."""
        return [True if at == 0 else self.taken[e][at - 1] for e, at in firsts if at is not None]

    def _list_losses(self) -> Iterator[tuple[Any, int]]:
        for options, taken in zip(self.problem.options, self.taken, strict=True):
            for before, after, step in zip(options, options[1:], taken, strict=False):
                yield step, after.loss - before.loss

    def _add_exposures(self) -> tuple[int, list[tuple[Any, int]]]:
        """Each visible share adds what it exposes beyond the next smaller one, unless a member falls below it."""
        constant = 0
        terms: list[tuple[Any, int]] = []
        for members, hazard in self.problem.hazards:
            done = 0
            for share in self._list_shares(members):
                more, done = round_exposure(hazard, share) - done, round_exposure(hazard, share)
                falls = self._list_literals((e, self._find_below(e, share)) for e in members)
                if len(falls) < 2:  # no member can fall below, or one alone
                    constant += more
                    terms += ((step, -more) for step in falls)
                    continue
                stays = self.model.new_bool_var("")
                self.model.add_bool_or([*falls, stays])
                terms.append((stays, more))
        return constant, terms

    def _list_shares(self, members: tuple[int, ...]) -> list[float]:
        """The visible shares of a subject, ascending, without zero."""
        options = self.problem.options
        most = min(options[e][0].visible for e in members)
        return sorted({o.visible for e in members for o in options[e] if 0 < o.visible <= most})

    def _find_below(self, entity: int, share: float) -> int | None:
        """The first option that leaves less than this share visible."""
        return next(
            (i for i, o in enumerate(self.problem.options[entity]) if o.visible < share), None
        )
