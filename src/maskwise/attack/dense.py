"""Dense retrieval with the embedded encoder: sentences as mean states, centred and whitened, matched by cosine.

A long background has a near sentence for everything, so each person's similarities are taken relative to how near that
person is to sentences about others, as in cross-domain similarity local scaling (Conneau et al. 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from maskwise import lm
from maskwise.attack.attacker import Background, Scorer, Scores
from maskwise.text.tokens import sentences

Vectors = NDArray[np.float32]
_BATCH = 256  # sentences in memory at once, state by state
_SAMPLE = 2000  # sentences that tell how near a person is to others


@dataclass(frozen=True, slots=True)
class DenseAttacker:
    """Each sentence of the masked text looks for the nearest one of each person; the similarities are added up."""

    model: str = "small"
    directions: int = 128
    name: str = "dense"
    trained: ClassVar[bool] = False
    _known: dict[str, Vectors] = field(default_factory=dict, repr=False, compare=False)  # sentences read before

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        vectors, owners = self._embed_sentences(background.texts)
        mean = vectors.mean(axis=0)
        turn = compute_whitening(vectors - mean, self.directions)
        known = normalise_rows((vectors - mean) @ turn)
        starts = np.searchsorted(owners, np.arange(len(background)))

        def nearest(rows: Vectors) -> Vectors:
            return np.asarray(np.maximum.reduceat(rows @ known.T, starts, axis=1), dtype=np.float32)

        sample = np.linspace(0, len(known) - 1, min(_SAMPLE, len(known))).astype(np.int64)
        others = owners[sample][:, None] != np.arange(len(background))
        usual = np.where(others, nearest(known[sample]), 0).sum(axis=0) / np.maximum(others.sum(axis=0), 1)

        def score(texts: Sequence[str]) -> Scores:
            asked, of = self._embed_sentences(texts)
            total = np.zeros((len(texts), len(background)))
            np.add.at(total, of, nearest(normalise_rows((asked - mean) @ turn)) - usual)
            return total

        return score

    def _embed_sentences(self, texts: Sequence[str]) -> tuple[Vectors, NDArray[np.int64]]:
        """Mean state of each sentence, and the text it is of. A text without any has one, of zeros."""
        split = [[text[start:end] for start, end in sentences(text)] or [""] for text in texts]
        asked = [sentence for one in split for sentence in one]
        new = [sentence for sentence in dict.fromkeys(asked) if sentence not in self._known]
        encoder = lm.load(self.model).encoder
        for at in range(0, len(new), _BATCH):
            for sentence, one in zip(part := new[at : at + _BATCH], encoder.encode(part), strict=True):
                states = one.values["states"]
                self._known[sentence] = states.sum(axis=0) / max(len(states), 1)
        owners = np.repeat(np.arange(len(split)), [len(one) for one in split])
        return np.array([self._known[sentence] for sentence in asked]), owners


def compute_whitening(centred: Vectors, directions: int) -> Vectors:
    """The map onto the strongest directions, each scaled to deviation 1 (Su et al. 2021)."""
    values, axes = np.linalg.eigh(np.cov(centred, rowvar=False).astype(np.float64))
    best = np.argsort(values)[::-1][:directions]
    best = best[values[best] > 1e-8 * max(values.max(), 1e-12)]
    return np.asarray(axes[:, best] / np.sqrt(values[best]), dtype=np.float32)


def normalise_rows(rows: Vectors) -> Vectors:
    """Rows of length 1; a row of zeros stays."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), dtype=np.float32)
