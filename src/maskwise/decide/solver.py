"""The optimal solver: the masks that break every risky combination and keep document risk under the bound at the least
loss of information.

After Papadopoulou et al. 2022, section 3.3, solved by CP-SAT, with generalisation levels, a bound on document risk,
demands of the policy, overrides of a reviewer, reasons and a proof.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from maskwise.decide.conflicts import check_demands
from maskwise.decide.optimiser import Optimiser, Solution
from maskwise.decide.options import FINE, Candidate, list_options
from maskwise.decide.problem import Choice, Option, Problem
from maskwise.decide.reasons import PlanReasons
from maskwise.decide.rules import MaskingRules, Verdict, can_generalise, count_words, make_decision
from maskwise.errors import PlanError
from maskwise.plugins import Share, Threshold, Weight
from maskwise.text import Action, Decision, Document, Entity, EntityType, Evidence, Levels, Line, Override, Plan
from maskwise.text.canvas import words
from maskwise.text.evidence import by_subject
from maskwise.text.exposure import Hazard, hazards, probability

Information = Callable[[Document, Sequence[Entity]], Mapping[str, float]]
Overrides = Mapping[str, Override]  # by entity id
Term = Annotated[str, Field(pattern=r"\w")]  # a text without a letter or digit would match nothing in silence


@dataclass(frozen=True)
class OptimalSolver:
    """Masks what the rules say must be masked (see `MaskingRules`) and, of the rest, what costs the least information.

    `bound` limits document risk. `enough` is the share of information a level must lose to count as a mask.
    `must_mask` and `must_keep` are texts of the user's. `information` counts words or
    asks the language model (`lm`). `effort` and `deadline`
    limit the search (see `Optimiser`).
    """

    thresholds: Mapping[EntityType, Threshold] = field(default_factory=dict)
    subtypes: Mapping[str, Threshold] = field(default_factory=dict)
    default: Threshold = 0.5
    bound: Share | None = None
    enough: Share = 0.5
    must_mask: tuple[Term, ...] = ()
    must_keep: tuple[Term, ...] = ()
    effort: Weight = 0.2
    deadline: Weight | None = None
    information: Literal["words", "lm"] = "words"
    _measure: Information = count_words

    def bind(self, line: Line) -> OptimalSolver:
        return replace(self, _measure=line.measure_information) if self.information == "lm" else self

    def solve(
        self, document: Document, entities: Sequence[Entity], evidence: Sequence[Evidence], levels: Levels | None = None
    ) -> Plan:
        return self.program(document, entities, evidence, levels).solve()

    def program(
        self, document: Document, entities: Sequence[Entity], evidence: Sequence[Evidence], levels: Levels | None = None
    ) -> Program:
        """The problem of one document, to be solved again for the overrides of a reviewer."""
        subjects = by_subject(evidence)
        rules = MaskingRules(self.thresholds, self.subtypes, self.default)
        kept, masked = ({tuple(words(text)) for text in texts} for texts in (self.must_keep, self.must_mask))
        information = self._measure(document, entities)
        candidates = []
        for entity in entities:
            verdict = rules.judge(entity, subjects.get((entity.id,), ()))
            if not verdict.masked and _is_named(entity, masked):
                verdict = Verdict(True, ("its text is in the policy's must_mask",))
            mine = (levels or {}).get(entity.id, ()) if can_generalise(entity) else ()
            options = list_options(mine, information[entity.id], self.enough)
            candidates.append(Candidate(entity, verdict, _is_named(entity, kept), information[entity.id], options))
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
        self._baseline: tuple[Option, ...] | None = None  # what the policy chose without an override

    def solve(self, overrides: Sequence[Override] = (), exact: bool = True) -> Plan:
        """The best plan under the overrides; raises `PlanError` when demands contradict each other.

        A combination that the overrides keep whole stays whole: the person decided so. Without `exact` the answer
        takes milliseconds, starts from the last plan, and is seldom proved.
        """
        began = time.perf_counter()
        decided = self._index_overrides(overrides)
        options = [c.find_allowed(self._solver.enough, decided.get(c.entity.id)) for c in self._candidates]
        problem = self._state_problem(options, decided)
        check_demands(problem, [candidate.entity for candidate in self._candidates])
        last = None if self._last is None else _fit_choice(options, self._last)
        solution = self._optimiser.solve(problem, last, exact)
        self._last = problem.list_chosen(solution.choice)
        if not decided:
            self._baseline = self._last
        return self._write_plan(problem, solution, decided, began)

    def _index_overrides(self, overrides: Sequence[Override]) -> Overrides:
        """The overrides by entity; the last one about an entity counts."""
        unknown = next((one.entity for one in overrides if one.entity not in self._place), None)
        if unknown is not None:
            raise PlanError(f"an override names entity {unknown!r}, which the document does not have")
        return {one.entity: one for one in overrides}

    def _state_problem(self, options: Sequence[tuple[Option, ...]], decided: Overrides) -> Problem:
        """The problem without what the overrides decide: combinations they keep whole, and the risk they accept."""
        shown = {self._place[one.entity] for one in decided.values() if one.action is not Action.SUPPRESS}
        combinations = tuple(members for members in self._combinations if not shown.issuperset(members))
        bound = self._solver.bound
        if bound is None or bound >= 1:
            return Problem(tuple(options), combinations)
        # A combination that is broken by suppression exposes nothing: its hazard need not be counted on the way.
        clean = [all(o.visible == 0 for o in mine if o.breaks) for mine in options]
        found = tuple(
            (members, hazard)
            for members, hazard in self._hazards
            if shown.isdisjoint(members) and (members not in self._combinations or not all(clean[e] for e in members))
        )
        return Problem(tuple(options), combinations, found, -math.log1p(-bound))

    @cached_property
    def _hazards(self) -> tuple[tuple[tuple[int, ...], Hazard], ...]:
        """What exposes the person, with the places of its entities."""
        found = hazards((candidate.entity for candidate in self._candidates), self._evidence)
        return tuple((tuple(self._place[e] for e in hazard.entities), hazard) for hazard in found)

    def _write_plan(self, problem: Problem, solution: Solution, decided: Overrides, began: float) -> Plan:
        # Only a bound and an override ask how much is exposed.
        asked = bool(decided) or self._solver.bound is not None
        whole = replace(problem, hazards=self._hazards if asked else ())
        evidence = tuple(self._combinations[members] for members in problem.combinations)
        reasons = PlanReasons(whole, solution.choice, evidence, self._solver.bound)
        decisions = tuple(
            self._decide(at, whole, solution.choice, reasons, decided.get(candidate.entity.id))
            for at, candidate in enumerate(self._candidates)
        )
        objective = math.fsum(d.lost for d in decisions)
        bound = objective if solution.proved else min(objective, solution.bound / FINE)
        seconds = time.perf_counter() - began
        return Plan(decisions, objective, solution.proved, bound, f"optimal ({solution.solver})", seconds)

    def _decide(
        self, at: int, problem: Problem, choice: Choice, reasons: PlanReasons, override: Override | None
    ) -> Decision:
        candidate, option = self._candidates[at], problem.options[at][choice[at]]
        said = reasons.list_reasons(at, candidate, override)
        found = make_decision(candidate.entity, option.action, said, candidate.information, option.share, option.level)
        if override is None:
            return found
        return replace(
            found, override=override, added_risk=_measure_added_risk(problem, choice, at, self._find_baseline()[at])
        )

    def _find_baseline(self) -> tuple[Option, ...]:
        """What the policy alone would do, per entity: the risk that an override adds is measured against it."""
        if self._baseline is None:
            options = [candidate.find_allowed(self._solver.enough, None) for candidate in self._candidates]
            problem = self._state_problem(options, {})
            check_demands(problem, [candidate.entity for candidate in self._candidates])
            self._baseline = problem.list_chosen(self._optimiser.solve(problem, exact=False).choice)
        return self._baseline


def _measure_added_risk(problem: Problem, choice: Choice, entity: int, instead: Option) -> float:
    """How much document risk falls if the entity takes the option that the policy would have given it."""
    options = (*problem.options[:entity], (instead,), *problem.options[entity + 1 :])
    without = replace(problem, options=options).exposure((*choice[:entity], 0, *choice[entity + 1 :]))
    return round(probability(problem.exposure(choice)) - probability(without), 4)


def _collect_combinations(
    subjects: Mapping[tuple[str, ...], Sequence[Evidence]],
) -> dict[tuple[str, ...], tuple[Evidence, ...]]:
    """The subjects of two or more entities that an indicator calls risky."""
    risky = {subject: tuple(e for e in items if e.risky) for subject, items in subjects.items() if len(subject) > 1}
    return {subject: items for subject, items in risky.items() if items}


def _is_named(entity: Entity, texts: set[tuple[str, ...]]) -> bool:
    return bool(texts) and any(tuple(words(mention.text)) in texts for mention in entity.mentions)


def _fit_choice(options: Sequence[Sequence[Option]], chosen: Sequence[Option]) -> Choice:
    """An earlier choice among the options that are left: the first that loses as much, or the last."""
    return tuple(
        next((at for at, option in enumerate(mine) if option.loss >= old.loss), len(mine) - 1)
        for mine, old in zip(options, chosen, strict=True)
    )
