"""Document risk: an estimate in [0, 1] that the person is found, given what a reader still sees.

Solvers keep it under a bound and results report it, so it lives with the words both share. A subject is an entity or a
combination, with the hazard h that it alone leads to the person. With v the share of a subject that is visible, the
least of its members',

    risk = 1 - product over subjects of (1 - h v),

a noisy-or. Every factor falls as more is visible, so masking or generalising more never raises the risk.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from maskwise.text.entity import Entity
from maskwise.text.evidence import Evidence, Subject, group_by_subject
from maskwise.text.plan import Plan
from maskwise.text.types import IdentifierType

# What the strength of evidence is worth as a hazard. These are assumptions and not fitted: a direct identifier leads to
# the person, a combination called risky does so half the time, and one quasi-identifier alone hardly ever does.
DIRECT = 1 - 1e-6
TOGETHER = 0.5
ALONE = 0.05


@dataclass(frozen=True, slots=True)
class Hazard:
    """A subject and the probability that it leads to the person when it is fully visible."""

    entities: Subject
    probability: float

    def measure_exposure(self, visible: float) -> float:
        """-log(1 - h v): adds up over subjects where probabilities do not."""
        return -math.log1p(-self.probability * visible)


@dataclass(frozen=True, slots=True)
class Risk:
    """The document risk with everything visible, and with what the plan leaves visible."""

    before: float
    after: float


def measure_hazards(entities: Iterable[Entity], evidence: Iterable[Evidence]) -> tuple[Hazard, ...]:
    """The hazard of each subject by its strongest evidence; of an entity nobody judged, by its own score."""
    known = {e.id: e for e in entities}
    found: dict[Subject, float] = {}
    for subject, items in group_by_subject(evidence).items():
        if known.keys() >= set(subject):
            found[subject] = max(_weigh_evidence(item) for item in items)
    for entity in known.values():
        if entity.is_direct:
            found[(entity.id,)] = DIRECT
        elif entity.identifier is IdentifierType.QUASI:
            found.setdefault((entity.id,), ALONE * entity.score)
    return tuple(Hazard(subject, h) for subject, h in found.items() if h > 0)


def _weigh_evidence(item: Evidence) -> float:
    """The hazard that a piece of evidence stands for."""
    is_combination = len(set(item.entities)) > 1
    return (TOGETHER if item.risky and is_combination else ALONE) * item.strength


def sum_exposures(subjects: Iterable[Hazard], visible: Mapping[str, float]) -> float:
    """Sum of the subjects' exposures."""
    shares = ((subject, min(visible[e] for e in subject.entities)) for subject in subjects)
    return math.fsum(subject.measure_exposure(share) for subject, share in shares)


def compute_probability(exposure: float) -> float:
    """The risk of an exposure: 1 - exp(-exposure)."""
    return -math.expm1(-exposure)


def measure_risk(entities: Sequence[Entity], evidence: Sequence[Evidence], plan: Plan) -> Risk:
    """Risk before and after a plan.

    >>> from maskwise import sanitize
    >>> risk = sanitize("Mr Lee cited Article 6.").risk
    >>> risk.before > risk.after
    True
    """
    subjects = measure_hazards(entities, evidence)
    before = sum_exposures(subjects, dict.fromkeys((e.id for e in entities), 1.0))
    after = sum_exposures(subjects, {e.id: plan.by_entity[e.id].visible for e in entities})
    return Risk(round(compute_probability(before), 4), round(compute_probability(after), 4))
