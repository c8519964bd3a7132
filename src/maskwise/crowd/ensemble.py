"""Several re-identification models as one: the weighted sum of their log-probabilities (a product of experts)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.lexical import Lexical
from maskwise.crowd.neighbours import log_softmax
from maskwise.crowd.ranker import LogProbabilities, Masks, Ranker, Reading
from maskwise.errors import InputError

# What models that share words weigh together, and what all others do: fitted to people of the biographies benchmark who
# neither train nor are measured, under random masks and without named entities. A model of words is far too sure of
# itself where all that it could know is masked.
_LEXICAL, _OTHERS = 0.16, 0.6


class Ensemble:
    """A ranker of rankers. Without `weights`, those of each kind share the weight of their kind."""

    def __init__(self, rankers: Sequence[Ranker], weights: Sequence[float] | None = None) -> None:
        if not rankers or (weights is not None and len(weights) != len(rankers)):
            raise InputError(
                f"an ensemble of {len(rankers)} models with {len(weights or ())} weights; give one for each"
            )
        if len({len(ranker) for ranker in rankers}) > 1:
            raise InputError("the models of an ensemble must be fitted to one population")
        self.rankers = tuple(rankers)
        self.weights = tuple(weights if weights is not None else _shares(rankers))

    @property
    def name(self) -> str:
        return "+".join(ranker.name for ranker in self.rankers)

    def __len__(self) -> int:
        return len(self.rankers[0])

    def read(self, words: Sequence[str]) -> EnsembleReading:
        return EnsembleReading([ranker.read(words) for ranker in self.rankers], self.weights)


class EnsembleReading:
    """One document, read by all."""

    def __init__(self, readings: Sequence[Reading], weights: Sequence[float]) -> None:
        self._readings, self._weights = readings, weights

    def score(self, masks: Masks) -> LogProbabilities:
        total = np.float32(self._weights[0]) * self._readings[0].score(masks)
        for reading, weight in zip(self._readings[1:], self._weights[1:], strict=True):
            total += np.float32(weight) * reading.score(masks)
        return log_softmax(total)

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        falls = [weight * one.screen(mask, target) for one, weight in zip(self._readings, self._weights, strict=True)]
        return np.asarray(np.sum(falls, axis=0), dtype=np.float32)


def _shares(rankers: Sequence[Ranker]) -> list[float]:
    kinds = [isinstance(ranker, Lexical) for ranker in rankers]
    return [_LEXICAL / sum(kinds) if kind else _OTHERS / (len(kinds) - sum(kinds)) for kind in kinds]
