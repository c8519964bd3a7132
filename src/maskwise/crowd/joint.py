"""Several attackers as one: their weighted log-probabilities are added up (a product of experts).

Somebody whom no attacker finds alone may be found by all of them together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.neighbours import log_softmax
from maskwise.crowd.population import Profile
from maskwise.crowd.ranker import DocumentScorer, LogProbabilities, Masks, Ranker


@dataclass(frozen=True, eq=False)
class JointRanker:
    """Rankers of one crowd by name, and what the log-probabilities of each weigh."""

    name: str
    rankers: Mapping[str, Ranker] = field(repr=False)
    weights: Mapping[str, float]

    def __len__(self) -> int:
        return len(next(iter(self.rankers.values())))

    def read(self, words: Sequence[str]) -> JointScorer:
        return self.join_scorers({name: one.read(words) for name, one in self.rankers.items()})

    def join_scorers(self, scorers: Mapping[str, DocumentScorer]) -> JointScorer:
        """A reading made of what the members have read already."""
        members = [(scorers[name], self.weights[name]) for name in self.rankers]
        return JointScorer(members)

    def join(self, profile: Profile, without: Sequence[int] = ()) -> JointRanker:
        joined = {name: one.join(profile, without) for name, one in self.rankers.items()}
        return JointRanker(self.name, joined, self.weights)


@dataclass(frozen=True, eq=False)
class JointScorer:
    """One document, read by all members; see `maskwise.crowd.ranker.DocumentScorer`."""

    members: Sequence[tuple[DocumentScorer, float]] = field(repr=False)

    def score(self, masks: Masks) -> LogProbabilities:
        rows = [scorer.score(masks) * np.float32(weight) for scorer, weight in self.members]
        return log_softmax(np.sum(rows, axis=0))

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        falls = [weight * scorer.screen(mask, target) for scorer, weight in self.members]
        return np.asarray(np.sum(falls, axis=0), dtype=np.float32)

    def narrow(self, profiles: NDArray[np.intp]) -> JointScorer:
        return JointScorer([(scorer.narrow(profiles), weight) for scorer, weight in self.members])
