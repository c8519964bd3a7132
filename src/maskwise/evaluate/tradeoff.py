"""Privacy against information kept: one point per way to mask the same documents. No annotations are needed.

- Found: the share of people whom an attacker ranks first in a crowd, with Wilson's interval.
- Rank: the median over people of the best rank that any attacker gives them, with a bootstrap interval.
- TRIR: the share of people whom attackers with background texts find, where such texts are given.
- Kept: TPI, the share of the information content (-log p of a language model) that no mask takes, mean over documents.

The frontier holds the points that no other point equals or beats on both axes and beats on one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from maskwise.attack.trir import Rate, estimate_rate
from maskwise.evaluate.tab import Score, make_interval
from maskwise.evaluate.utility import Utility, average_utility


class VersionKind(StrEnum):
    """The properties that the points of one kind share."""

    CLEAR = "clear text"
    POLICY = "policy"
    RECALL = "recall knob"
    CROWD = "hidden among K"


@dataclass(frozen=True, slots=True)
class PersonStanding:
    """The best rank of a person over all attackers, and the largest probability with which one finds them."""

    rank: int
    probability: float


@dataclass(frozen=True, slots=True)
class MaskedOutcome:
    """The effect of one way to mask on one document: the information kept, and where each of its people stands."""

    utility: Utility
    people: tuple[PersonStanding, ...]


@dataclass(frozen=True, slots=True)
class TradeOff:
    """One way to mask, over all documents. Risks are None where no person was measured."""

    name: str
    kind: VersionKind
    documents: int
    people: int
    kept: Score
    words_masked: Score
    found: Score | None = None
    rank: Score | None = None
    probability: float | None = None
    trir: Score | None = None

    def to_json(self) -> dict[str, Any]:
        scores = {"found": self.found, "median_rank": self.rank, "trir": self.trir}
        return {
            "name": self.name,
            "kind": self.kind.value,
            "documents": self.documents,
            "people": self.people,
            "information_kept": _describe_score(self.kept),
            "words_masked": _describe_score(self.words_masked),
            **{name: _describe_score(score) for name, score in scores.items()},
            "mean_probability": self.probability,
        }


def summarise_outcomes(
    name: str,
    kind: VersionKind,
    outcomes: Sequence[MaskedOutcome],
    trir: Rate | None = None,
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> TradeOff:
    """The point of one way to mask, from what it does to each document."""
    means = average_utility([one.utility for one in outcomes], resamples=resamples, seed=seed)
    people = [person for one in outcomes for person in one.people]
    ranks = np.array([person.rank for person in people], dtype=np.float64)
    measured: dict[str, Any] = {}
    if people:
        draws = np.random.default_rng(seed).integers(ranks.size, size=(resamples, ranks.size))
        measured["found"] = _convert_rate(estimate_rate(float((ranks == 1).sum()), ranks.size))
        measured["rank"] = make_interval(float(np.median(ranks)), np.median(ranks[draws], axis=1))
        measured["probability"] = float(np.mean([person.probability for person in people]))
    return TradeOff(
        name,
        kind,
        documents=len(outcomes),
        people=len(people),
        kept=means["tpi"],
        words_masked=means["words_masked"],
        trir=_convert_rate(trir) if trir else None,
        **measured,
    )


def find_frontier(places: Mapping[str, tuple[float, float]]) -> list[str]:
    """The names of the places that no other place beats, from the least of the first axis to the most.

    >>> find_frontier({"a": (0.9, 0.1), "b": (0.5, 0.8), "c": (0.4, 0.8), "d": (0.2, 0.9)})
    ['d', 'b', 'a']
    """
    return sorted(_list_unbeaten(places), key=lambda name: places[name])


def _list_unbeaten(places: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    for name, (x, y) in places.items():
        others = places.values()
        if not any(a >= x and b >= y and (a > x or b > y) for a, b in others):
            yield name


def _convert_rate(rate: Rate) -> Score:
    return Score(rate.value, rate.low, rate.high)


def _describe_score(score: Score | None) -> dict[str, float] | None:
    if score is None:
        return None
    return {"value": score.value, "low": score.low, "high": score.high}
