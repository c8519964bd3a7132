"""The masking problem for CP-SAT, the constraint solver of OR-Tools, which is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from maskwise.decide.problem import Choice, Problem, steps

# One worker and a limit in deterministic time, which does not depend on the machine: the same answer always.
# Little presolve and a strong relaxation: on covering problems of this size that is several times as fast.
PARAMETERS = {
    "num_workers": 1,
    "random_seed": 1,
    "linearization_level": 2,
    "max_presolve_iterations": 1,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The best choice found, the loss that no choice can go below, and the deterministic time it took."""

    choice: Choice
    bound: int
    proved: bool
    effort: float


def solve(
    problem: Problem, hint: Choice, effort: float, deadline: float | None = None, presolve: bool = True
) -> Outcome | None:
    """Solve within `effort` (deterministic time) and `deadline` (seconds); None when no choice was found in them, or
    OR-Tools is not installed. A few dozen entities are solved faster than presolved."""
    try:
        from ortools.sat.python import cp_model
    except ImportError:
        return None
    model = _Model(cp_model.CpModel(), problem, hint)
    solver = cp_model.CpSolver()
    limits: dict[str, float] = {"max_deterministic_time": effort, "cp_model_presolve": presolve}
    if deadline is not None:
        limits["max_time_in_seconds"] = max(deadline, 0.001)
    for name, value in {**PARAMETERS, **limits}.items():
        setattr(solver.parameters, name, value)
    status = solver.solve(model.model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    choice = tuple(sum(solver.boolean_value(step) for step in taken) for taken in model.chosen)
    proved = status == cp_model.OPTIMAL
    bound = problem.loss(choice) if proved else max(0, int(-(-solver.best_objective_bound // 1)))
    return Outcome(choice, bound, proved, float(solver.response_proto.deterministic_time))


class _Model:
    """`chosen[e][j]` says that entity e goes at least as far as its option j + 1: options are steps in order."""

    def __init__(self, model: Any, problem: Problem, hint: Choice) -> None:
        self.model, self.problem = model, problem
        self.chosen = [[model.new_bool_var("") for _ in options[1:]] for options in problem.options]
        for taken, at in zip(self.chosen, hint, strict=True):
            for index, step in enumerate(taken):
                model.add_hint(step, at > index)
                if index:
                    model.add_implication(step, taken[index - 1])
        for members in problem.combinations:
            model.add_bool_or(self._reaching((e, problem.breaking[e]) for e in members))
        if problem.budget is not None:
            constant, terms = self._exposures()
            model.add(sum(weight * step for step, weight in terms) <= problem.units - constant)
        model.minimize(sum(weight * step for step, weight in self._losses()) + problem.loss(problem.cheapest))

    def _reaching(self, firsts: Iterable[tuple[int, int | None]]) -> list[Any]:
        """Literals of which one holds when an entity goes as far as the option named for it; None is never."""
        return [True if at == 0 else self.chosen[e][at - 1] for e, at in firsts if at is not None]

    def _losses(self) -> Iterator[tuple[Any, int]]:
        for options, taken in zip(self.problem.options, self.chosen, strict=True):
            for before, after, step in zip(options, options[1:], taken, strict=False):
                yield step, after.loss - before.loss

    def _exposures(self) -> tuple[int, list[tuple[Any, int]]]:
        """Each visible share adds what it exposes beyond the next smaller one, unless a member falls below it."""
        constant = 0
        terms: list[tuple[Any, int]] = []
        for members, hazard in self.problem.hazards:
            done = 0
            for share in self._shares(members):
                more, done = steps(hazard, share) - done, steps(hazard, share)
                falls = self._reaching((e, self._fall(e, share)) for e in members)
                if len(falls) < 2:  # no member can fall below, or one alone
                    constant += more
                    terms += ((step, -more) for step in falls)
                    continue
                stays = self.model.new_bool_var("")
                self.model.add_bool_or([*falls, stays])
                terms.append((stays, more))
        return constant, terms

    def _shares(self, members: tuple[int, ...]) -> list[float]:
        """The visible shares of a subject, ascending, without nothing."""
        options = self.problem.options
        most = min(options[e][0].visible for e in members)
        return sorted({o.visible for e in members for o in options[e] if 0 < o.visible <= most})

    def _fall(self, entity: int, share: float) -> int | None:
        """The first option that leaves less than this share visible."""
        return next((i for i, o in enumerate(self.problem.options[entity]) if o.visible < share), None)
