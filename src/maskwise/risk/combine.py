"""Combines indicators: at least k of them, a weighted mean, or a noisy-or, chosen by type and identifier type.

"At least one, two or three indicators" is Papadopoulou et al. 2023, section 6.4. What indicators say of one
subject (an entity, or the same combination) becomes one piece of evidence, `combined`; their own stays beside it.
Indicators that could not have called a subject risky, whatever they said, have no opinion of it: together they are
silent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from maskwise.plugins import Count, Share, Weight
from maskwise.text import Entity, EntityType, Evidence, IdentifierType
from maskwise.text.evidence import COMBINED, group_by_subject

_NEUTRAL = 0.5  # the strength of a score that just reaches its threshold


class CombinedVerdict(NamedTuple):
    """The verdict of a rule about several indicators."""

    score: float
    threshold: float
    risky: bool
    said: str
    voices: Sequence[tuple[str, Evidence]]  # the evidence whose reasons are given, by name


class CombinationRule(Protocol):
    """The evidence of several indicators about one subject, joined into one verdict."""

    def __call__(self, members: Sequence[Evidence]) -> CombinedVerdict: ...

    def is_settled(self, members: Sequence[Evidence], missing: Sequence[str]) -> bool:
        """Whether the verdict on these members stands, whatever the indicators that were not asked would say."""
        ...

    def can_change(self, member: Evidence) -> bool:
        """Whether it makes something else of a single voice than that voice says."""
        ...

    def can_mask(self, names: Sequence[str]) -> bool:
        """Whether there is anything these indicators could say together that is risky."""
        ...


@dataclass(frozen=True)
class KOfN:
    """Risky when at least `k` indicators call it so; all of them, where fewer than k have judged it.

    Score and threshold are those of the k-th strongest that calls it risky, or of all where too few do.
    """

    k: Count = 1

    def __call__(self, members: Sequence[Evidence]) -> CombinedVerdict:
        needed = min(self.k, len(members))
        risky = [item for item in members if item.risky]
        is_risky = len(risky) >= needed
        ranked = sorted(risky if is_risky else members, key=lambda item: -item.strength)
        deciding = ranked[needed - 1]
        said = f"{len(risky)} of {len(members)} indicators call it risky, which takes {needed}"
        agreeing = [item for item in members if item.risky == is_risky] or members
        voices = [(item.indicator, item) for item in agreeing]
        return CombinedVerdict(deciding.score, deciding.threshold, is_risky, said, voices)

    def is_settled(self, members: Sequence[Evidence], missing: Sequence[str]) -> bool:
        risky = sum(item.risky for item in members)
        needed = min(self.k, len(members) + len(missing))
        return risky >= needed or risky + len(missing) < needed

    def can_change(self, member: Evidence) -> bool:
        return False

    def can_mask(self, names: Sequence[str]) -> bool:
        return bool(names)


@dataclass(frozen=True)
class Weighted:
    """Risky when the weighted mean of the strengths reaches `threshold`; an indicator without a weight has 1."""

    threshold: Share = 0.5
    weights: Mapping[str, Weight] = field(default_factory=dict)

    def __call__(self, members: Sequence[Evidence]) -> CombinedVerdict:
        score = self._average([(e.indicator, e.strength) for e in members])
        return _weigh_voices("weighted mean", score, self.threshold, self.weights, members, {})

    def is_settled(self, members: Sequence[Evidence], missing: Sequence[str]) -> bool:
        given = [(item.indicator, item.strength) for item in members]
        least = self._average([*given, *((name, 0.0) for name in missing)])
        most = self._average([*given, *((name, 1.0) for name in missing)])
        return least >= self.threshold or most < self.threshold

    def can_change(self, member: Evidence) -> bool:
        return self.threshold != _NEUTRAL or not self.weights.get(member.indicator, 1.0)

    def can_mask(self, names: Sequence[str]) -> bool:
        return self._average([(name, 1.0) for name in names]) >= self.threshold

    def _average(self, strengths: Sequence[tuple[str, float]]) -> float:
        weighed = [(self.weights.get(name, 1.0), strength) for name, strength in strengths]
        total = math.fsum(weight for weight, _ in weighed)
        if not total:
            return 0.0
        return math.fsum(weight * strength for weight, strength in weighed) / total


@dataclass(frozen=True)
class NoisyOr:
    """Risky when 1 - product(1 - w (s - n)) over the strengths s reaches `threshold`.

    Weights w from 0 to 1, 1 if not named. A voice at its `neutral` strength n, 0 if not named, tips nothing; under it,
    it speaks against. So an indicator can change which entities are masked without changing how many.
    """

    threshold: Share = 0.5
    weights: Mapping[str, Share] = field(default_factory=dict)
    neutral: Mapping[str, Share] = field(default_factory=dict)

    def __call__(self, members: Sequence[Evidence]) -> CombinedVerdict:
        score = self._join_strengths((e.indicator, e.strength) for e in members)
        return _weigh_voices("noisy-or", score, self.threshold, self.weights, members, self.neutral)

    def is_settled(self, members: Sequence[Evidence], missing: Sequence[str]) -> bool:
        given = [(item.indicator, item.strength) for item in members]
        least = self._join_strengths([*given, *((name, 0.0) for name in missing)])
        most = self._join_strengths([*given, *((name, 1.0) for name in missing)])
        return least >= self.threshold or most < self.threshold

    def can_change(self, member: Evidence) -> bool:
        name = member.indicator
        is_weighed = self.weights.get(name, 1.0) != 1
        is_shifted = bool(self.neutral.get(name))
        return self.threshold != _NEUTRAL or is_weighed or is_shifted

    def can_mask(self, names: Sequence[str]) -> bool:
        return self._join_strengths((name, 1.0) for name in names) >= self.threshold

    def _join_strengths(self, strengths: Iterable[tuple[str, float]]) -> float:
        factors = []
        for name, strength in strengths:
            weight = self.weights.get(name, 1.0)
            over = strength - self.neutral.get(name, 0.0)
            factors.append(1 - weight * over)
        return max(0.0, 1 - math.prod(factors))


def combine(
    evidence: Sequence[Evidence],
    entities: Sequence[Entity],
    rule: CombinationRule = KOfN(),
    by: Mapping[EntityType | IdentifierType, CombinationRule] | None = None,
) -> list[Evidence]:
    """The evidence, and for each subject that several indicators judged what they say together.

    The rule of the identifier type comes before that of the type, and that before `rule`. A combination follows the
    rule of its members where they agree on one. One voice needs no combining, unless its rule makes more or less of it.

    >>> said = [Evidence(("e1",), s, 0.5, s >= 0.5, "", name) for s, name in ((0.9, "sequence"), (0.2, "web"))]
    >>> [e.risky for e in combine(said, [], KOfN(1)) if e.indicator == "combined"]
    [True]
    >>> [e.risky for e in combine(said, [], KOfN(2)) if e.indicator == "combined"]
    [False]
    """
    rules = {e.id: _choose_rule(e, rule, by or {}) for e in entities}
    combined = []
    for subject, members in group_by_subject(evidence).items():
        own = [rules.get(entity, rule) for entity in subject]
        chosen = own[0] if own and all(one is own[0] for one in own) else rule
        if len(members) > 1 or chosen.can_change(members[0]):
            silent = not chosen.can_mask([e.indicator for e in members])
            combined.append(_build_evidence(members, chosen(members), silent))
    return [*evidence, *combined]


def find_unsettled(
    entities: Sequence[Entity],
    evidence: Sequence[Evidence],
    missing: Sequence[str],
    rule: CombinationRule = KOfN(),
    by: Mapping[EntityType | IdentifierType, CombinationRule] | None = None,
) -> list[Entity]:
    """The entities of which the missing indicators could change the verdict; direct identifiers are masked anyway.

    >>> from maskwise.text import Document
    >>> year = Entity("e1", EntityType.DATETIME, (Document("in 1971").mention(3, 7, EntityType.DATETIME),))
    >>> said = [Evidence(("e1",), 0.45, 0.5, False, "", "sequence")]
    >>> [len(find_unsettled([year], said, ["probability"], NoisyOr(weights={"probability": w}))) for w in (0.05, 0.1)]
    [0, 1]
    """
    subjects = group_by_subject(evidence)
    found = []
    known: dict[tuple[int, tuple[str, ...]], bool] = {}  # few rules and voices, many entities
    for entity in entities:
        if entity.is_direct:
            continue
        own = _choose_rule(entity, rule, by or {})
        members = subjects.get((entity.id,), ())
        voices = tuple(item.indicator for item in members)
        key = (id(own), voices)
        if key not in known:
            known[key] = own.can_mask(voices) == own.can_mask([*voices, *missing])
        # Settled: the missing indicators can change neither the verdict nor whether there is one.
        if not (known[key] and own.is_settled(members, missing)):
            found.append(entity)
    return found


def _choose_rule(
    entity: Entity,
    default: CombinationRule,
    by: Mapping[EntityType | IdentifierType, CombinationRule],
) -> CombinationRule:
    identifier = IdentifierType.DIRECT if entity.protected else entity.identifier
    return by.get(identifier, by.get(entity.type, default))


def _build_evidence(
    members: Sequence[Evidence], verdict: CombinedVerdict, silent: bool
) -> Evidence:
    reasons = "; ".join(f"{name}: {item.reason}" for name, item in verdict.voices)
    return Evidence(
        members[0].entities,
        verdict.score,
        verdict.threshold,
        verdict.risky,
        f"{verdict.said} ({reasons})",
        COMBINED,
        silent,
    )


def _weigh_voices(
    how: str,
    score: float,
    threshold: float,
    weights: Mapping[str, float],
    members: Sequence[Evidence],
    neutral: Mapping[str, float],
) -> CombinedVerdict:
    """The verdict of a rule that weighs voices: all that have a weight are named, with it and their neutral point."""
    risky = score >= threshold
    is_clear = risky == (round(score, 2) >= round(threshold, 2))
    digits = 2 if is_clear else 4  # 0.50 is not under 0.50
    relation = "reaches" if risky else "is under"
    said = f"together the indicators give {score:.{digits}f} by {how}, which {relation} {threshold:.{digits}f}"
    heard = [item for item in members if weights.get(item.indicator, 1.0)] or members
    voices = []
    for item in heard:
        weight = weights.get(item.indicator, 1.0)
        name = _name_voice(item.indicator, weight, neutral.get(item.indicator, 0.0))
        voices.append((name, item))
    return CombinedVerdict(score, threshold, risky, said, voices)


def _name_voice(name: str, weight: float, neutral: float) -> str:
    if weight != 1:
        name += f", weight {weight:g}"
    if neutral:
        name += f", neutral at {neutral:g}"
    return name
