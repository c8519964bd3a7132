"""`Evidence`: what an indicator found out about one entity or a combination of entities."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

COMBINED = "combined"  # the indicator that speaks for all others about its subject
CROWD = "crowd"  # attackers in a crowd, after all indicators: their evidence counts beside the combination

CONFIDENTIAL = (
    "confidential"  # the policy masks a special category: heard beside the others as well
)

Subject = tuple[str, ...]  # sorted ids of the entities that evidence is about


@dataclass(frozen=True, slots=True)
class Evidence:
    """A measured reason to mask. `entities` are ids; two or more say that they are risky together.

    `reason` is a sentence a data-protection officer can read, with its numbers. Silent evidence tells what was tried
    and has no opinion: it stands in reports, and no decision takes it into account.

    >>> found = Evidence(("e1", "e4"), 0.8, 0.5, True, "together on 3 of 20 pages about the person", "web")
    >>> found.risky
    True
    """

    entities: tuple[str, ...]
    score: float
    threshold: float
    risky: bool
    reason: str
    indicator: str
    silent: bool = False

    @property
    def unit(self) -> bool:
        """Whether score and threshold are on the scale from 0 to 1; log-probabilities and counts are not."""
        return 0 <= self.score <= 1 and 0 <= self.threshold <= 1

    @property
    def strength(self) -> float:
        """The score on a scale that all indicators share: 0 to 1, and 0.5 at the threshold.

        A score from 0 to 1 is stretched on both sides of its threshold. Any other becomes 1 / (1 + exp(-d)), where d is
        the distance to the threshold, negative on the safe side.
        """
        if not self.unit:
            distance = min(abs(self.score - self.threshold), 30.0)
            return 1 / (1 + math.exp(-distance if self.risky else distance))
        over = self.score - self.threshold
        if self.risky:
            return 0.5 + 0.5 * max(over, 0.0) / (1 - self.threshold) if self.threshold < 1 else 1.0
        return 0.5 + 0.5 * min(over, 0.0) / self.threshold if self.threshold > 0 else 0.0


def group_by_subject(evidence: Iterable[Evidence]) -> Mapping[Subject, list[Evidence]]:
    """Evidence by what it is about, in order; where indicators were combined, the combination alone.

    Silent evidence is left out, so that a subject about which no indicator has an opinion counts as not judged.
    """
    found: dict[Subject, list[Evidence]] = defaultdict(list)
    for item in evidence:
        subject = tuple(sorted(set(item.entities)))
        found[subject].append(item)
    heard = ((subject, _keep_heard(items)) for subject, items in found.items())
    return {subject: items for subject, items in heard if items}


def _keep_heard(items: list[Evidence]) -> list[Evidence]:
    """The evidence that speaks for a subject, without what is silent.

    Where there is a combination, it speaks for all indicators. The crowd always speaks for itself.
    """
    combined = any(item.indicator == COMBINED for item in items)
    heard = (COMBINED, CROWD, CONFIDENTIAL) if combined else None
    return [e for e in items if not e.silent and (heard is None or e.indicator in heard)]
