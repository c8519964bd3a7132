"""Dense retrieval with the embedded encoder: windows as mean states, centred and whitened, matched by cosine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from maskwise import lm
from maskwise.reid.attacker import Background, Scorer, Scores
from maskwise.reid.classifier import cut


@dataclass(frozen=True, slots=True)
class Dense:
    """Each window of the masked text looks for the nearest window of each person; the similarities are added up."""

    model: str = "small"
    size: int = 60
    overlap: int = 20
    directions: int = 128
    name: str = "dense"
    trained: ClassVar[bool] = False

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        vectors, owners = self._windows(background.texts)
        mean = vectors.mean(axis=0)
        turn = whitening(vectors - mean, self.directions)
        known = unit((vectors - mean) @ turn)
        starts = np.searchsorted(owners, np.arange(len(background)))

        def score(texts: Sequence[str]) -> Scores:
            asked, of = self._windows(texts)
            alike = unit((asked - mean) @ turn) @ known.T
            nearest = np.maximum.reduceat(alike, starts, axis=1)
            total = np.zeros((len(texts), len(background)))
            np.add.at(total, of, nearest)
            return total

        return score

    def _windows(self, texts: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Mean state of each window, and its text."""
        states = [one.values["states"] for one in lm.load(self.model).encoder.encode(texts)]
        cuts = cut([len(one) for one in states], self.size, self.overlap)
        width = max((one.shape[1] for one in states), default=1)
        means = [part.mean(axis=0) if len(part) else np.zeros(width, np.float32) for part in cuts.of(states)]
        return np.array(means, dtype=np.float32).reshape(len(means), width), cuts.owners


def whitening(centred: NDArray[np.float32], directions: int) -> NDArray[np.float32]:
    """The map onto the strongest directions, each scaled to deviation 1 (Su et al. 2021)."""
    values, axes = np.linalg.eigh(np.cov(centred, rowvar=False).astype(np.float64))
    best = np.argsort(values)[::-1][:directions]
    best = best[values[best] > 1e-8 * max(values.max(), 1e-12)]
    return np.asarray(axes[:, best] / np.sqrt(values[best]), dtype=np.float32)


def unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of length 1; a row of zeros stays."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), dtype=np.float32)
