"""Lexical attackers: BM25 and TF-IDF cosine of the masked text in each background, over words and runs of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from maskwise.attack.attacker import Background, Scorer, Scores
from maskwise.crowd.curate import extract_terms
from maskwise.crowd.postings import Postings, compute_bm25_weights, list_grams


@dataclass(frozen=True, slots=True)
class BM25:
    """Okapi BM25 of the masked text, as a query, in each person's background."""

    k1: float = 4.0
    b: float = 1.0
    runs: int = 1
    name: str = "bm25"
    trained: ClassVar[bool] = False

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        index = _index_texts(background.texts, self.runs)
        return _build_scorer(index, compute_bm25_weights(index, self.k1, self.b), self.runs)


@dataclass(frozen=True, slots=True)
class Cosine:
    """Cosine of TF-IDF vectors with damped counts, of words and runs of up to `runs` words."""

    runs: int = 2
    name: str = "tfidf"
    trained: ClassVar[bool] = False

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        index = _index_texts(background.texts, self.runs)
        idf = 1 + np.log((1 + index.size) / (1 + index.frequencies))
        rarity = np.repeat(idf, index.frequencies)
        weights = (1 + np.log(index.counts)) * rarity
        squares = np.bincount(index.documents, weights**2, index.size)
        norm = np.maximum(np.sqrt(squares), 1e-12)
        # The query's own length scales its whole row, so it changes no rank and is left out.
        return _build_scorer(index, weights * rarity / norm[index.documents], self.runs)


def _index_texts(texts: Sequence[str], runs: int) -> Postings:
    return Postings.build([_list_runs(text, runs) for text in texts])


def _list_runs(text: str, runs: int) -> list[str]:
    return list_grams(extract_terms(text), runs)


def _build_scorer(index: Postings, weights: NDArray[np.float64], runs: int) -> Scorer:
    def score_texts(texts: Sequence[str]) -> Scores:
        rows = [index.add_up(weights, _list_runs(text, runs)) for text in texts]
        return np.array(rows).reshape(len(texts), index.size)

    return score_texts
