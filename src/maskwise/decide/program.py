"""The optimiser: the masks that break every risky combination and keep document risk under the bound at least loss.

After Papadopoulou et al. 2022, section 3.3, solved by CP-SAT, with generalisation levels, a bound on document risk,
demands of policy and reviewer, reasons and a proof.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from maskwise.decide.demands import Lock, Step, check, ladder, remaining
from maskwise.decide.problem import Choice, Option, Problem
from maskwise.decide.reasons import Reasons
from maskwise.decide.rules import Rules, Verdict, can_generalise, count_words, decision
from maskwise.decide.search import Search, Solution
from maskwise.errors import PlanError
from maskwise.text import Document, Entity, EntityType, Evidence, Ladder, Plan
from maskwise.text.canvas import words
from maskwise.text.evidence import by_subject
from maskwise.text.exposure import hazards

Information = Callable[[Document, Sequence[Entity]], Mapping[str, float]]

FINE = 1000  # information is counted in thousandths


@dataclass(frozen=True)
class OptimalSolver:
    """Masks what the rules say must be masked (see `Rules`) and, of the rest, what costs the least information.

    `bound` limits document risk. `enough` is the share of information a level must lose to count as a mask.
    `must_mask` and `must_keep` are texts of the user's. `information` measures each entity, `ladder` offers its levels;
    both are given by whoever owns the models and the operators. `effort` and `deadline`: see `Search`.
    """

    thresholds: Mapping[EntityType, float] = field(default_factory=dict)
    subtypes: Mapping[str, float] = field(default_factory=dict)
    default: float = 0.5
    bound: float | None = None
    enough: float = 0.5
    must_mask: tuple[str, ...] = ()
    must_keep: tuple[str, ...] = ()
    effort: float = 0.2
    deadline: float | None = None
    information: Information = count_words
    ladder: Ladder | None = None

    def solve(self, document: Document, entities: Sequence[Entity], evidence: Sequence[Evidence]) -> Plan:
        return self.program(document, entities, evidence).solve()

    def program(self, document: Document, entities: Sequence[Entity], evidence: Sequence[Evidence]) -> Program:
        """The problem of one document, to be solved again and again as a reviewer locks decisions."""
        subjects = by_subject(evidence)
        rules = Rules(self.thresholds, self.subtypes, self.default)
        kept, masked = ({tuple(words(text)) for text in texts} for texts in (self.must_keep, self.must_mask))
        sheets = []
        information = self.information(document, entities)
        for entity in entities:
            verdict = rules.judge(entity, subjects.get((entity.id,), ()))
            if not verdict.masked and _named(entity, masked):
                verdict = Verdict(True, ("its text is in the policy's must_mask",))
            levels = self.ladder.levels(entity) if self.ladder is not None and can_generalise(entity) else ()
            sheets.append(Sheet(entity, verdict, _named(entity, kept), ladder(levels), information[entity.id]))
        combinations = {
            subject: tuple(e for e in items if e.risky)
            for subject, items in subjects.items()
            if len(subject) > 1 and any(e.risky for e in items)
        }
        return Program(self, tuple(sheets), combinations, evidence)


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is known of one entity before the search."""

    entity: Entity
    verdict: Verdict
    must_keep: bool
    steps: tuple[Step, ...]
    information: float


class Program:
    """One document's masking problem. It remembers its last plan, and what it has proved about parts of the problem."""

    def __init__(
        self,
        solver: OptimalSolver,
        sheets: tuple[Sheet, ...],
        combinations: Mapping[tuple[str, ...], tuple[Evidence, ...]],
        evidence: Sequence[Evidence],
    ) -> None:
        self._solver, self._sheets = solver, sheets
        self._place = {sheet.entity.id: at for at, sheet in enumerate(sheets)}
        self._combinations: dict[tuple[int, ...], tuple[Evidence, ...]] = {}
        for subject, items in combinations.items():
            members = tuple(self._place[e] for e in subject if e in self._place)
            if members:
                self._combinations[members] = self._combinations.get(members, ()) + items
        # Only a bound asks how much is exposed.
        found = hazards((sheet.entity for sheet in sheets), evidence) if solver.bound is not None else ()
        self._hazards = tuple((tuple(self._place[e] for e in h.entities), h) for h in found)
        self._search = Search(solver.effort, solver.deadline)
        self._last: tuple[Mapping[str, Lock], tuple[Step, ...], Solution] | None = None

    def solve(self, locks: Mapping[str, Lock] | None = None, quick: bool = False) -> Plan:
        """The best plan under the locks; raises `PlanError` when demands contradict each other.

        `quick`, after a first plan, looks only near the locks that changed where the whole would take long: an answer
        while the reviewer waits, proved where that is cheap.
        """
        began = time.perf_counter()
        locks = locks or {}
        unknown = next((e for e in locks if e not in self._place), None)
        if unknown is not None:
            raise PlanError(f"a lock names entity {unknown!r}, which the document does not have")
        steps = [self._steps(sheet, locks.get(sheet.entity.id)) for sheet in self._sheets]
        problem = self._problem(steps)
        check(problem, [sheet.entity for sheet in self._sheets])
        solution = self._run(problem, steps, locks, quick)
        chosen = tuple(options[at] for options, at in zip(steps, solution.choice, strict=True))
        self._last = (locks, chosen, solution)
        return self._plan(problem, solution, chosen, locks, began)

    def _steps(self, sheet: Sheet, lock: Lock | None) -> tuple[Step, ...]:
        return remaining(sheet.entity, sheet.steps, sheet.verdict, sheet.must_keep, self._solver.enough, lock)

    def _problem(self, steps: Sequence[Sequence[Step]]) -> Problem:
        enough, bound = self._solver.enough, self._solver.bound
        options = tuple(
            tuple(Option(_fine(s.loss * sheet.information), 1.0 - s.loss, s.loss >= enough) for s in mine)
            for sheet, mine in zip(self._sheets, steps, strict=True)
        )
        budget = None if bound is None or bound >= 1 else -math.log1p(-bound)
        if budget is None:
            return Problem(options, tuple(self._combinations))
        # A combination that is broken by suppression exposes nothing: its hazard need not be counted on the way.
        clean = [all(o.visible == 0 for o in mine if o.breaks) for mine in options]
        hazards = (h for h in self._hazards if h[0] not in self._combinations or not all(clean[e] for e in h[0]))
        return Problem(options, tuple(self._combinations), tuple(hazards), budget)

    def _run(
        self, problem: Problem, steps: Sequence[Sequence[Step]], locks: Mapping[str, Lock], quick: bool
    ) -> Solution:
        if self._last is None:
            return self._search.run(problem)
        old, chosen, before = self._last
        last = _fitted(steps, chosen)
        changed = {self._place[e] for e in old.keys() | locks.keys() if old.get(e) != locks.get(e)}
        solution = self._search.run(problem, last, frozenset(changed) if quick else frozenset())
        if not old.items() <= locks.items():
            return solution
        # More locks can only cost more: what held before holds now, and a plan that still fits is still the best.
        bound = max(solution.bound, before.bound)
        choice = min((c for c in (solution.choice, last) if problem.solved(c)), key=problem.loss)
        return Solution(choice, bound, problem.loss(choice) == bound, solution.solver)

    def _plan(
        self, problem: Problem, solution: Solution, chosen: Sequence[Step], locks: Mapping[str, Lock], began: float
    ) -> Plan:
        full = replace(problem, hazards=self._hazards)
        reasons = Reasons(full, solution.choice, tuple(self._combinations.values()), self._solver.bound)
        decisions = tuple(
            decision(
                sheet.entity,
                step.action,
                reasons.of(at, sheet.verdict, sheet.must_keep, sheet.entity.id in locks),
                sheet.information,
                step.loss,
                step.level,
            )
            for at, (sheet, step) in enumerate(zip(self._sheets, chosen, strict=True))
        )
        objective = math.fsum(d.lost for d in decisions)
        bound = objective if solution.proved else min(objective, solution.bound / FINE)
        seconds = time.perf_counter() - began
        return Plan(decisions, objective, solution.proved, bound, f"optimal ({solution.solver})", seconds)


def _fine(information: float) -> int:
    return round(information * FINE)


def _named(entity: Entity, texts: set[tuple[str, ...]]) -> bool:
    return bool(texts) and any(tuple(words(mention.text)) in texts for mention in entity.mentions)


def _fitted(steps: Sequence[Sequence[Step]], chosen: Sequence[Step]) -> Choice:
    """An earlier choice among the steps that are left: the same, or the first that loses as much, or the last."""
    return tuple(
        next((at for at, step in enumerate(mine) if step.loss >= old.loss), len(mine) - 1)
        for mine, old in zip(steps, chosen, strict=True)
    )
