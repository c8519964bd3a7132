"""Exposure: how much evidence a plan leaves visible, as one number in [0, 1] that solvers can keep under a bound.

It is an index and no probability: the weights below are chosen, not measured. Measured risk is the outcome of an attack
(`maskwise.crowd.measured`). A subject is an entity or a combination with a weight h. With v the share of a subject that
is visible, the least of its members',

    exposure = 1 - product over subjects of (1 - h v).

Every factor falls as more is visible, so masking or generalising more never raises it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from maskwise.text.entity import Entity
from maskwise.text.evidence import Evidence, Subject, by_subject
from maskwise.text.types import IdentifierType

# What the strength of evidence weighs: most for a direct identifier, half for a combination called risky, little for
# one quasi-identifier.
DIRECT = 1 - 1e-6
TOGETHER = 0.5
ALONE = 0.05


@dataclass(frozen=True, slots=True)
class Hazard:
    """A subject and the probability that it leads to the person when it is fully visible."""

    entities: Subject
    probability: float

    def exposure(self, visible: float) -> float:
        """-log(1 - h v): adds up over subjects where probabilities do not."""
        return -math.log1p(-self.probability * visible)


def hazards(entities: Iterable[Entity], evidence: Iterable[Evidence]) -> tuple[Hazard, ...]:
    """The strongest evidence of each subject decides; an entity nobody judged counts by the detector's confidence.

    A candidate that nobody judged does not count.
    """
    known = {e.id: e for e in entities}
    found: dict[Subject, float] = {}
    for subject, items in by_subject(evidence).items():
        strongest = max(
            TOGETHER * e.strength if e.risky and len(subject) > 1 else ALONE * e.strength
            for e in items
        )
        if known.keys() >= set(subject):
            found[subject] = strongest
    for entity in known.values():
        if entity.is_direct:
            found[(entity.id,)] = DIRECT
        elif entity.identifier is IdentifierType.QUASI and not entity.is_candidate:
            found.setdefault((entity.id,), ALONE * entity.score)
    return tuple(Hazard(subject, h) for subject, h in found.items() if h > 0)


def exposure(subjects: Iterable[Hazard], visible: Mapping[str, float]) -> float:
    """Sum of the subjects' exposures."""
    return math.fsum(s.exposure(min(visible[e] for e in s.entities)) for s in subjects)


def probability(exposure: float) -> float:
    """The risk of an exposure: 1 - exp(-exposure)."""
    return -math.expm1(-exposure)
