"""Where the true profile ranks among all others, and how far it is ahead of the K-th other."""

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
    """The rank of the true profile with one attacker, from 1, its probability, and how many profiles equal it."""

    rank: int
    probability: float
    ties: int = 0

    @property
    def hit_chance(self) -> float:
        """The chance that the attacker's best guess is right. The attacker guesses among equals."""
        best_place = self.rank - self.ties // 2
        return 1 / (1 + self.ties) if best_place == 1 else 0.0


def rank_profile(rows: LogProbabilities, target: int) -> list[ProfileRank]:
    """The rank per masking. Equal profiles share their places: the true one counts as the middle of them."""
    over, ties = _count_rivals(rows, target)
    ranks = 1 + over + ties // 2
    chances = np.exp(rows[:, target].astype(np.float64))
    columns = zip(ranks.tolist(), chances.tolist(), ties.tolist(), strict=True)
    return [ProfileRank(rank, chance, tied) for rank, chance, tied in columns]


def rank_by_attacker(
    scorers: Mapping[str, DocumentScorer], target: int, masks: Masks
) -> dict[str, list[ProfileRank]]:
    """The rank of the true profile per attacker and masking."""
    return {name: rank_profile(scorer.score(masks), target) for name, scorer in scorers.items()}


def is_outranked(rows: LogProbabilities, target: int, k: int, margin: float) -> NDArray[np.bool_]:
    """Whether K others are likelier, per row. With a margin they must be likelier by it, and ties do not count."""
    if margin > 0:
        likelier = rows >= rows[:, [target]] + margin
        return np.asarray(np.count_nonzero(likelier, axis=1) >= k)
    over, ties = _count_rivals(rows, target)
    return np.asarray(1 + over + ties // 2 > k)


def compute_leads(rows: LogProbabilities, target: int, k: int) -> NDArray[np.float64]:
    """Log-odds of the true profile against the K-th other, the one after it where it is among the first K."""
    place = min(k, rows.shape[1] - 1)
    lead = rows[:, target] - _find_largest(rows, place)
    return np.asarray(lead, dtype=np.float64)


def compute_odds(rows: LogProbabilities, target: int) -> NDArray[np.float64]:
    """Log-odds of the true profile against all others; those of certainty stay finite."""
    chances = rows[:, target].astype(np.float64)
    sure = np.minimum(chances, -1e-9)
    return np.asarray(sure - np.log(-np.expm1(sure)))


def _count_rivals(rows: LogProbabilities, target: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """How many others are likelier than the true profile, and how many are as likely."""
    own = rows[:, [target]]
    over = np.count_nonzero(rows > own + np.float32(TIE), axis=1)
    not_under = np.count_nonzero(rows >= own - np.float32(TIE), axis=1)
    return over, not_under - over - 1


def _find_largest(rows: LogProbabilities, place: int) -> NDArray[np.float32]:
    """The entry at a place of each row, sorted downwards from 0.

    Rows are folded first. At least as many folds as are looked for reach the last of their maxima, so that only the few
    entries from there on are sorted.
    """
    count, size = rows.shape
    folds = size // _FOLDED
    if folds <= place:
        at = size - 1 - place
        return np.asarray(np.partition(rows, at, axis=1)[:, at])
    folded = rows[:, : folds * _FOLDED].reshape(count, _FOLDED, folds)
    tops = folded.max(axis=1)
    at = folds - 1 - place
    floors = np.partition(tops, at, axis=1)[:, at]
    found = np.empty(count, dtype=np.float32)
    for row, floor in enumerate(floors):
        near = rows[row][rows[row] >= floor]
        at = len(near) - 1 - place
        found[row] = np.partition(near, at)[at]
    return found
