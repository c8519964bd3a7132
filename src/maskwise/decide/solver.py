"""The optimal solver: the masks that break every risky combination and keep exposure under the bound at the least loss
of information.

After Papadopoulou et al. 2022, section 3.3, solved by CP-SAT, with generalisation levels, a bound on exposure, demands
of the policy, overrides of a reviewer, reasons and a proof.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from maskwise.decide.optimiser import Optimiser, Solution
from maskwise.decide.options import FINE, Candidate, index_overrides, list_options
from maskwise.decide.problem import Choice, Option, Problem
from maskwise.decide.reasons import PlanReasons
from maskwise.decide.rules import MaskingRules, can_generalise, count_words, make_decision
from maskwise.plugins import Share, Threshold, Weight
from maskwise.text import (
    Action,
    Decision,
    Document,
    Entity,
    EntityType,
    Evidence,
    Levels,
    Line,
    Override,
    Plan,
)
from maskwise.text.domain import Domain
from maskwise.text.evidence import group_by_subject
from maskwise.text.exposure import Hazard, measure_hazards, scale_exposure

Information = Callable[[Document, Sequence[Entity]], Mapping[str, float]]
Overrides = Mapping[str, Override]  # by entity id
Term = Annotated[
    str, Field(pattern=r"\w")
]  # a text without a letter or digit would match nothing in silence


@dataclass(frozen=True)
class OptimalSolver:
    """Masks what the rules say must be masked (see `MaskingRules`) and, of the rest, what costs the least information.

    `bound` limits exposure, an index from 0 to 1 of the evidence that stays visible; it is no probability. `enough` is
    the share of information a level must lose to count as a mask. `must_mask` and `must_keep` are added to those
    of the policy. `information` counts words or asks the language model (`lm`). `effort` and `deadline` limit the
    search (see `Optimiser`).
    """

    thresholds: Mapping[EntityType, Threshold] = field(default_factory=dict)
    subtypes: Mapping[str, Threshold] = field(default_factory=dict)
    default: Threshold = 0.5
    domains: Mapping[Domain, Mapping[str, Threshold]] = field(default_factory=dict)
    bound: Share | None = None
    enough: Share = 0.5
    must_mask: tuple[Term, ...] = ()
    must_keep: tuple[Term, ...] = ()
    effort: Weight = 0.2
    deadline: Weight | None = None
    information: Literal["words", "lm"] = "words"
    _measure: Information = count_words

    @cached_property
    def _rules(self) -> MaskingRules:
        return MaskingRules(self.thresholds, self.subtypes, self.default, self.domains)

    def bind(self, line: Line) -> OptimalSolver:
        line.spare(self._rules.is_spared)
        if self.information == "lm":
            return replace(self, _measure=line.measure_information)
        return self

    def solve(
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels | None = None,
    ) -> Plan:
        return self.build_program(document, entities, evidence, levels).solve()

    def solve_again(
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels,
        overrides: Sequence[Override],
    ) -> Plan:
        """The plan under the decisions of a person. It depends on them alone, not on earlier plans."""
        program = self.build_program(document, entities, evidence, levels)
        return program.solve(overrides)

    def build_program(
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels | None = None,
    ) -> Program:
        """The problem of one document, to be solved again for the overrides of a reviewer."""
        subjects = group_by_subject(evidence)
        information = self._measure(document, entities)
        candidates = []
        for entity in entities:
            verdict = self._rules.judge(entity, subjects.get((entity.id,), ()))
            own_levels = (levels or {}).get(entity.id, ()) if can_generalise(entity) else ()
            weight = information[entity.id]
            options = list_options(own_levels, weight, self.enough)
            candidates.append(Candidate(entity, verdict, weight, options))
        return Program(self, tuple(candidates), _collect_combinations(subjects), evidence)


class Program:
    """One document's masking problem. It remembers its last plan and the components it has solved."""

    def __init__(
        self,
        solver: OptimalSolver,
        candidates: tuple[Candidate, ...],
        combinations: Mapping[tuple[str, ...], tuple[Evidence, ...]],
        evidence: Sequence[Evidence],
    ) -> None:
        self._solver, self._candidates, self._evidence = solver, candidates, evidence
        self._place = {candidate.entity.id: at for at, candidate in enumerate(candidates)}
        self._combinations: dict[tuple[int, ...], tuple[Evidence, ...]] = {}
        for subject, items in combinations.items():
            members = tuple(self._place[e] for e in subject if e in self._place)
            if members:
                self._combinations[members] = self._combinations.get(members, ()) + items
        self._optimiser = Optimiser(solver.effort, solver.deadline)
        self._last: tuple[Option, ...] | None = None
        self._baseline: tuple[Option, ...] | None = (
            None  # what the policy chose without an override
        )

    def solve(self, overrides: Sequence[Override] = (), exact: bool = True) -> Plan:
        """The best plan under the overrides.

        A combination that the overrides or `must_keep` keep whole stays whole: the person decided so. Without
        `exact` the answer takes milliseconds, starts from the last plan, and is seldom proved.
        """
        began = time.perf_counter()
        decided = index_overrides(overrides, self._place)
        options = self._list_allowed(decided)
        problem = self._state_problem(options, decided)
        last = None if self._last is None else _fit_choice(options, self._last)
        solution = self._optimiser.solve(problem, last, exact)
        self._last = problem.list_chosen(solution.choice)
        if not decided:
            self._baseline = self._last
        return self._write_plan(problem, solution, decided, began)

    @cached_property
    def _entities(self) -> list[Entity]:
        return [candidate.entity for candidate in self._candidates]

    def _list_allowed(self, decided: Overrides) -> list[tuple[Option, ...]]:
        """The options that policy and overrides leave, per entity."""
        enough = self._solver.enough
        return [one.find_allowed(enough, decided.get(one.entity.id)) for one in self._candidates]

    def _state_problem(self, options: Sequence[tuple[Option, ...]], decided: Overrides) -> Problem:
        """The problem without what people decide: combinations they keep whole, and what they expose."""
        visible = [one.entity for one in decided.values() if one.action is not Action.SUPPRESS]
        shown = {self._place[entity] for entity in visible}
        kept = {at for at, entity in enumerate(self._entities) if entity.is_kept}
        combinations = tuple(
            members for members in self._combinations if not (shown | kept).issuperset(members)
        )
        bound = self._solver.bound
        if bound is None or bound >= 1:
            return Problem(tuple(options), combinations)
        # A combination that is broken by suppression exposes nothing: its hazard need not be counted on the way.
        clean = [all(option.visible == 0 for option in own if option.breaks) for own in options]
        counted = []
        for members, hazard in self._hazards:
            is_counted = members not in self._combinations or not all(clean[e] for e in members)
            is_decided = kept.issuperset(members) or not shown.isdisjoint(members)
            if is_counted and not is_decided:
                counted.append((members, hazard))
        return Problem(tuple(options), combinations, tuple(counted), -math.log1p(-bound))

    @cached_property
    def _hazards(self) -> tuple[tuple[tuple[int, ...], Hazard], ...]:
        """The hazards that expose the person, with the places of their entities."""
        found = []
        for hazard in measure_hazards(self._entities, self._evidence):
            members = tuple(self._place[entity] for entity in hazard.entities)
            found.append((members, hazard))
        return tuple(found)

    def _write_plan(
        self, problem: Problem, solution: Solution, decided: Overrides, began: float
    ) -> Plan:
        # Only a bound and an override ask how much is exposed.
        asked = bool(decided) or self._solver.bound is not None
        whole = replace(problem, hazards=self._hazards if asked else ())
        evidence = tuple(self._combinations[members] for members in problem.combinations)
        reasons = PlanReasons(whole, solution.choice, evidence, self._solver.bound)
        exposures = whole.list_exposures(solution.choice) if decided else ()
        decisions = []
        for at, candidate in enumerate(self._candidates):
            override = decided.get(candidate.entity.id)
            decisions.append(self._decide(at, whole, solution.choice, reasons, override, exposures))
        objective = math.fsum(d.lost for d in decisions)
        bound = objective if solution.proved else min(objective, solution.bound / FINE)
        seconds = time.perf_counter() - began
        return Plan(
            tuple(decisions),
            objective,
            solution.proved,
            bound,
            f"optimal ({solution.solver})",
            seconds,
        )

    def _decide(
        self,
        at: int,
        problem: Problem,
        choice: Choice,
        reasons: PlanReasons,
        override: Override | None,
        exposures: Sequence[float],
    ) -> Decision:
        candidate = self._candidates[at]
        option = problem.options[at][choice[at]]
        decision = make_decision(
            candidate.entity,
            option.action,
            reasons.list_reasons(at, candidate, override),
            candidate.information,
            option.share,
            option.level,
        )
        if override is None:
            return decision
        instead = self._find_baseline()[at]
        added = _measure_added_exposure(problem, choice, at, instead, exposures)
        return replace(decision, override=override, added_exposure=added)

    def _find_baseline(self) -> tuple[Option, ...]:
        """The options that the policy alone chooses: the exposure that an override adds is the difference."""
        if self._baseline is None:
            problem = self._state_problem(self._list_allowed({}), {})
            solution = self._optimiser.solve(problem, exact=False)
            self._baseline = problem.list_chosen(solution.choice)
        return self._baseline


def _measure_added_exposure(
    problem: Problem, choice: Choice, entity: int, instead: Option, exposures: Sequence[float]
) -> float:
    """How much exposure falls if the entity takes the option that the policy would have given it."""
    without = list(exposures)
    for at, (members, hazard) in enumerate(problem.hazards):
        if entity in members:
            others = [problem.options[e][choice[e]].visible for e in members if e != entity]
            without[at] = hazard.measure_exposure(min([instead.visible, *others]))
    before, after = math.fsum(exposures), math.fsum(without)
    return round(scale_exposure(before) - scale_exposure(after), 4)


def _collect_combinations(
    subjects: Mapping[tuple[str, ...], Sequence[Evidence]],
) -> dict[tuple[str, ...], tuple[Evidence, ...]]:
    """The subjects of two or more entities that an indicator calls risky."""
    found = {}
    for subject, items in subjects.items():
        risky = tuple(item for item in items if item.risky)
        if len(subject) > 1 and risky:
            found[subject] = risky
    return found


def _fit_choice(options: Sequence[Sequence[Option]], chosen: Sequence[Option]) -> Choice:
    """An earlier choice among the options that are left: the first that loses as much, or the last."""
    choice = []
    for own, old in zip(options, chosen, strict=True):
        places = (at for at, option in enumerate(own) if option.loss >= old.loss)
        choice.append(next(places, len(own) - 1))
    return tuple(choice)
