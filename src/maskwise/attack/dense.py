"""Dense retrieval with the embedded encoder: sentences as mean states, centred and whitened, matched by cosine.

A long background has a near sentence for everything. So the similarities of each person are taken relative to how near
that person is to sentences about others, as in cross-domain similarity local scaling (Conneau et al. 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from maskwise import lm
from maskwise.attack.attacker import Background, Scorer, Scores
from maskwise.text.tokens import find_sentences

Vectors = NDArray[np.float32]
_BATCH = 256  # sentences in memory at once, state by state
_SAMPLE = 2000  # sentences that measure how near a person is to others


@dataclass(frozen=True, slots=True)
class DenseAttacker:
    """Finds the nearest sentence of each person to each sentence of the masked text, and adds up the similarities."""

    model: str = "small"
    directions: int = 128
    name: str = "dense"
    trained: ClassVar[bool] = False
    # Sentences read before.
    _known: dict[str, Vectors] = field(default_factory=dict, repr=False, compare=False)

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        vectors, owners = self._embed_sentences(background.texts)
        mean = vectors.mean(axis=0)
        turn = compute_whitening(vectors - mean, self.directions)
        known = normalise_rows((vectors - mean) @ turn)
        starts = np.searchsorted(owners, np.arange(len(background)))

        def find_nearest(rows: Vectors) -> Vectors:
            similarities = rows @ known.T
            return np.asarray(np.maximum.reduceat(similarities, starts, axis=1), dtype=np.float32)

        size = min(_SAMPLE, len(known))
        sample = np.linspace(0, len(known) - 1, size).astype(np.int64)
        is_other = owners[sample][:, None] != np.arange(len(background))
        total = np.where(is_other, find_nearest(known[sample]), 0).sum(axis=0)
        usual = total / np.maximum(is_other.sum(axis=0), 1)

        def score_texts(texts: Sequence[str]) -> Scores:
            asked, texts_of_sentences = self._embed_sentences(texts)
            similarities = find_nearest(normalise_rows((asked - mean) @ turn))
            scores = np.zeros((len(texts), len(background)))
            np.add.at(scores, texts_of_sentences, similarities - usual)
            return scores

        return score_texts

    def _embed_sentences(self, texts: Sequence[str]) -> tuple[Vectors, NDArray[np.int64]]:
        """The mean state of each sentence and the number of its text. A text without sentences has one of zeros."""
        split = [[text[start:end] for start, end in find_sentences(text)] or [""] for text in texts]
        asked = [sentence for one in split for sentence in one]
        new = [sentence for sentence in dict.fromkeys(asked) if sentence not in self._known]
        encoder = lm.load_model(self.model).encoder
        for at in range(0, len(new), _BATCH):
            batch = new[at : at + _BATCH]
            for sentence, encoded in zip(batch, encoder.encode(batch), strict=True):
                states = encoded.values["states"]
                self._known[sentence] = states.sum(axis=0) / max(len(states), 1)
        owners = np.repeat(np.arange(len(split)), [len(one) for one in split])
        return np.array([self._known[sentence] for sentence in asked]), owners


def compute_whitening(centred: Vectors, directions: int) -> Vectors:
    """Returns the map onto the strongest directions, each scaled to deviation 1 (Su et al. 2021)."""
    values, axes = np.linalg.eigh(np.cov(centred, rowvar=False).astype(np.float64))
    best = np.argsort(values)[::-1][:directions]
    best = best[values[best] > 1e-8 * max(values.max(), 1e-12)]
    return np.asarray(axes[:, best] / np.sqrt(values[best]), dtype=np.float32)


def normalise_rows(rows: Vectors) -> Vectors:
    """Returns the rows scaled to length 1. A row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)
