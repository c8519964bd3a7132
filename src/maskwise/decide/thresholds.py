"""The simple solver: the rules of the policy, entity by entity, and the cheapest member of each risky combination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from maskwise.decide.options import Candidate, index_overrides, list_options
from maskwise.decide.reasons import explain_override
from maskwise.decide.rules import MaskingRules, Verdict, can_generalise, count_words, make_decision
from maskwise.plugins import Share, Threshold
from maskwise.text import (
    Action,
    Decision,
    Document,
    Entity,
    EntityType,
    Evidence,
    Level,
    Levels,
    Line,
    Override,
    Plan,
)
from maskwise.text.domain import Domain
from maskwise.text.evidence import group_by_subject


@dataclass(frozen=True)
class ThresholdSolver:
    """Masks what the rules say must be masked (see `MaskingRules`). Then it takes the risky combinations in order
    and masks, in each without a masked member, the member with the least information. It is quick, and its plan
    does not always lose the least.

    A masked entity is written at the first level of its ladder that loses `enough`, if it has one and is not direct.
    """

    thresholds: Mapping[EntityType, Threshold] = field(default_factory=dict)
    subtypes: Mapping[str, Threshold] = field(default_factory=dict)
    default: Threshold = 0.5
    domains: Mapping[Domain, Mapping[str, Threshold]] = field(default_factory=dict)
    enough: Share = 0.5

    @cached_property
    def _rules(self) -> MaskingRules:
        return MaskingRules(self.thresholds, self.subtypes, self.default, self.domains)

    def bind(self, line: Line) -> ThresholdSolver:
        line.spare(self._rules.is_spared)
        return self

    def solve(
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels | None = None,
    ) -> Plan:
        return self.solve_again(document, entities, evidence, levels or {}, ())

    def solve_again(
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels,
        overrides: Sequence[Override],
    ) -> Plan:
        """The plan under the decisions of a person. What they show breaks no combination."""
        decided = index_overrides(overrides, {entity.id for entity in entities})
        information = count_words(document, entities)
        subjects = group_by_subject(evidence)
        verdicts = {e.id: self._rules.judge(e, subjects.get((e.id,), ())) for e in entities}
        masked = {e.id for e in entities if verdicts[e.id].masked and e.id not in decided}
        masked |= {name for name, one in decided.items() if one.action is Action.SUPPRESS}
        kept = {entity.id for entity in entities if entity.is_kept} | (decided.keys() - masked)
        for subject, items in subjects.items():
            members = [member for member in subject if member in verdicts and member not in kept]
            reasons = tuple(item.reason for item in items if item.risky)
            if len(subject) < 2 or not reasons or not members:
                continue
            if masked.isdisjoint(members):
                cheapest = min(members, key=lambda member: information[member])
                verdicts[cheapest] = Verdict(True, reasons)
                masked.add(cheapest)
        decisions = tuple(
            self._follow(
                Candidate(entity, verdict, information[entity.id], ()),
                levels.get(entity.id, ()),
                decided.get(entity.id),
            )
            for entity, verdict in zip(entities, verdicts.values(), strict=True)
        )
        objective = sum(decision.lost for decision in decisions)
        return Plan(decisions, objective=objective, optimal=False, solver="thresholds")

    def _follow(
        self, candidate: Candidate, levels: Sequence[Level], override: Override | None
    ) -> Decision:
        """The decision of the person, else of the rules."""
        entity, information = candidate.entity, candidate.information
        if override is None:
            return self._decide(entity, candidate.verdict, information, levels)
        own = levels if can_generalise(entity) else ()
        options = list_options(own, information, self.enough)
        [option] = replace(candidate, options=options).find_allowed(self.enough, override)
        reasons = (explain_override(override), *candidate.verdict.reasons)
        made = make_decision(
            entity, option.action, reasons, information, option.share, option.level
        )
        return replace(made, override=override)

    def _decide(
        self, entity: Entity, verdict: Verdict, information: float, levels: Sequence[Level]
    ) -> Decision:
        if not verdict.masked:
            return make_decision(entity, Action.KEEP, verdict.reasons, information)
        for number, level in enumerate(levels if can_generalise(entity) else (), 1):
            if self.enough <= level.loss < 1:
                return make_decision(
                    entity, Action.GENERALISE, verdict.reasons, information, level.loss, number
                )
        return make_decision(entity, Action.SUPPRESS, verdict.reasons, information)
