"""Exposure: how much evidence a plan leaves visible, as one number in [0, 1] that solvers can keep under a bound.

It is an index and no probability: the weights below are chosen, not measured. Measured risk is the outcome of an attack
(`maskwise.crowd.measured`). A subject is an entity or a combination with a weight h. With v the share of a subject that
is visible, the least of its members',

    exposure = 1 - product over subjects of (1 - h v).

Every factor falls as more is visible, so masking or generalising more never raises it. Solvers add up -log(1 - h v)
over the subjects, and `scale_exposure` brings the sum back to [0, 1].
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from maskwise.text.entity import Entity
from maskwise.text.evidence import Evidence, Subject, group_by_subject
from maskwise.text.types import IdentifierType

# What the strength of evidence weighs: most for a direct identifier, half for a combination called risky, little for
# one quasi-identifier.
DIRECT = 1 - 1e-6
TOGETHER = 0.5
ALONE = 0.05


@dataclass(frozen=True, slots=True)
class Hazard:
    """A subject and what it weighs when it is fully visible, from 0 to 1."""

    entities: Subject
    weight: float

    def measure_exposure(self, visible: float) -> float:
        """-log(1 - h v), which adds up over subjects."""
        return -math.log1p(-self.weight * visible)


def measure_hazards(entities: Iterable[Entity], evidence: Iterable[Evidence]) -> tuple[Hazard, ...]:
    """The strongest evidence of each subject decides; an entity without evidence counts by the detector's confidence.

    A candidate that nobody judged does not count.
    """
    known = {e.id: e for e in entities}
    found: dict[Subject, float] = {}
    for subject, items in group_by_subject(evidence).items():
        if known.keys() >= set(subject):
            found[subject] = max(_weigh_evidence(item) for item in items)
    for entity in known.values():
        if entity.is_direct:
            found[(entity.id,)] = DIRECT
        elif entity.identifier is IdentifierType.QUASI and not entity.is_candidate:
            found.setdefault((entity.id,), ALONE * entity.score)
    return tuple(Hazard(subject, h) for subject, h in found.items() if h > 0)


def _weigh_evidence(item: Evidence) -> float:
    """The weight that a piece of evidence stands for."""
    is_combination = len(set(item.entities)) > 1
    return (TOGETHER if item.risky and is_combination else ALONE) * item.strength


def scale_exposure(total: float) -> float:
    """A sum of exposures as an index from 0 to 1: 1 - exp(-total).

    >>> together = Hazard(("e1", "e4"), 0.5)
    >>> round(scale_exposure(together.measure_exposure(1.0) + together.measure_exposure(0.5)), 4)
    0.625
    """
    return -math.expm1(-total)
