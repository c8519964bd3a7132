"""Several re-identification models as one: their log-probabilities, each brought to one scale, are added up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import InputError
from maskwise.reid.neighbours import log_softmax
from maskwise.reid.ranker import LogProbabilities, Masks, Ranker, Reading


class Ensemble:
    """A ranker of rankers. Each row of log-probabilities is divided by its spread over the population, so that no model
    counts more for being surer of itself; `sharpness` is that of the sum."""

    def __init__(
        self, rankers: Sequence[Ranker], weights: Sequence[float] | None = None, sharpness: float = 4.0
    ) -> None:
        weights = tuple(weights or [1.0] * len(rankers))
        if not rankers or len(weights) != len(rankers):
            raise InputError(f"an ensemble of {len(rankers)} models with {len(weights)} weights; give one for each")
        if len({len(ranker) for ranker in rankers}) > 1:
            raise InputError("the models of an ensemble must be fitted to one population")
        self.rankers = tuple(rankers)
        self.weights = tuple(sharpness * weight / sum(weights) for weight in weights)

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
        total: NDArray[np.float32] | None = None
        for reading, weight in zip(self._readings, self._weights, strict=True):
            rows = reading.score(masks)
            part = standardise(rows) * np.float32(weight)
            total = part if total is None else total + part
        assert total is not None
        return log_softmax(total)

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        """The models' own estimates, each as a share of its largest: they are on scales of their own."""
        falls = np.zeros(len(mask), dtype=np.float32)
        for reading, weight in zip(self._readings, self._weights, strict=True):
            fall = reading.screen(mask, target)
            falls += weight * fall / max(float(np.abs(fall).max(initial=0)), 1e-12)
        return falls


def standardise(rows: LogProbabilities) -> LogProbabilities:
    """Each row with mean 0 and spread 1 over the profiles."""
    spread = rows.std(axis=1, keepdims=True, dtype=np.float64)
    centred = rows - rows.mean(axis=1, keepdims=True, dtype=np.float64)
    return np.asarray(centred / np.maximum(spread, 1e-6), dtype=np.float32)
