"""Where the true profile stands among all others: its rank, and how far it is ahead of the K-th other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.ranker import DocumentScorer, LogProbabilities, Masks

TIE = 1e-5  # log-probabilities nearer than this are equal
_FOLDED = 64  # profiles of which only the likeliest counts, to find a lower bound


@dataclass(frozen=True, slots=True)
class ProfileRank:
    """Where the true profile stands with one attacker: its rank from 1, its probability, and how many equal it."""

    rank: int
    probability: float
    ties: int = 0

    @property
    def hit_chance(self) -> float:
        """Chance that the attacker's best guess is right; equals are guessed among."""
        return 1 / (1 + self.ties) if self.rank - self.ties // 2 == 1 else 0.0


def rank_profile(rows: LogProbabilities, target: int) -> list[ProfileRank]:
    """Of each masking. Equal profiles share their places: the true one counts as the middle of them."""
    over, ties = _count_rivals(rows, target)
    chances = np.exp(rows[:, target].astype(np.float64))
    return [ProfileRank(int(1 + o + t // 2), float(p), int(t)) for o, t, p in zip(over, ties, chances, strict=True)]


def rank_by_attacker(readings: Mapping[str, DocumentScorer], target: int, masks: Masks) -> dict[str, list[ProfileRank]]:
    """Where the true profile stands with every attacker, for each masking."""
    return {name: rank_profile(reading.score(masks), target) for name, reading in readings.items()}


def is_outranked(rows: LogProbabilities, target: int, k: int, margin: float) -> NDArray[np.bool_]:
    """Whether K others are likelier, a row. With a margin ties do not count: they must be likelier by that much."""
    if margin > 0:
        return np.asarray(np.count_nonzero(rows >= rows[:, [target]] + margin, axis=1) >= k)
    over, ties = _count_rivals(rows, target)
    return np.asarray(1 + over + ties // 2 > k)


def compute_leads(rows: LogProbabilities, target: int, k: int) -> NDArray[np.float64]:
    """Log-odds of the true profile against the K-th other, the one after it where it is among the first K."""
    return np.asarray(rows[:, target] - _find_largest(rows, min(k, rows.shape[1] - 1)), dtype=np.float64)


def compute_odds(rows: LogProbabilities, target: int) -> NDArray[np.float64]:
    """Log-odds of the true profile against all others; those of certainty stay finite."""
    sure = np.minimum(rows[:, target].astype(np.float64), -1e-9)
    return np.asarray(sure - np.log(-np.expm1(sure)))


def _count_rivals(rows: LogProbabilities, target: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """How many others are likelier than the true profile, and how many as likely."""
    own = rows[:, [target]]
    over = np.count_nonzero(rows > own + np.float32(TIE), axis=1)
    return over, np.count_nonzero(rows >= own - np.float32(TIE), axis=1) - over - 1


def _find_largest(rows: LogProbabilities, place: int) -> NDArray[np.float32]:
    """The entry at a place of each row, sorted downwards from 0. Rows are folded first: as many folds as are looked for
    reach the last of their maxima, so that only the few entries from there on are sorted."""
    count, size = rows.shape
    folds = size // _FOLDED
    if folds <= place:
        return np.asarray(np.partition(rows, size - 1 - place, axis=1)[:, size - 1 - place])
    tops = rows[:, : folds * _FOLDED].reshape(count, _FOLDED, folds).max(axis=1)
    floors = np.partition(tops, folds - 1 - place, axis=1)[:, folds - 1 - place]
    near = [row[row >= floor] for row, floor in zip(rows, floors, strict=True)]
    return np.array([np.partition(one, len(one) - 1 - place)[len(one) - 1 - place] for one in near], dtype=np.float32)
