"""`Evidence`: what an indicator found out about one entity or a combination of entities."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

COMBINED = "combined"  # the indicator that speaks for all others about its subject

Subject = tuple[str, ...]  # sorted ids of the entities that evidence is about


@dataclass(frozen=True, slots=True)
class Evidence:
    """A measured reason to mask. `entities` are ids; two or more say that they are risky together.

    `reason` is a sentence a data-protection officer can read, with its numbers.

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

    @property
    def strength(self) -> float:
        """The score as a number from 0 to 1 that grows with risk.

        A score that is a probability, as its threshold is, stands for itself. Any other (log-probabilities, hits)
        becomes 1 / (1 + exp(-d)), where d is the distance to the threshold, negative on the safe side.
        """
        if 0 <= self.score <= 1 and 0 <= self.threshold <= 1:
            return max(self.score, self.threshold) if self.risky else self.score
        distance = min(abs(self.score - self.threshold), 30.0)
        return 1 / (1 + math.exp(-distance if self.risky else distance))


def by_subject(evidence: Iterable[Evidence]) -> Mapping[Subject, list[Evidence]]:
    """Evidence by what it is about, in order; where indicators were combined, the combination alone."""
    found: dict[Subject, list[Evidence]] = defaultdict(list)
    for item in evidence:
        found[tuple(sorted(set(item.entities)))].append(item)
    return {subject: [e for e in items if e.indicator == COMBINED] or items for subject, items in found.items()}
