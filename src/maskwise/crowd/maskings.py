"""Maskings of one document under several attackers: how far each is from the goal, each scored once per attacker."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.ranker import DocumentScorer, Masks
from maskwise.crowd.ranks import compute_leads, compute_odds, is_outranked, rank_profile
from maskwise.crowd.words import Mask

_SLACK = 0.5  # log-odds over those of a document of which everything is masked

Unit = tuple[int, ...]  # words that are masked together
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Goal:
    """At least `k` other profiles must be likelier than the true one, by `margin` in log-odds.

    At most `max_share` of the words may be masked for it.
    """

    k: int = 8
    margin: float = 0.0
    max_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Masking:
    """Some masked units of a document, and what the attackers make of the rest."""

    mask: Mask
    units: tuple[int, ...]
    lead: float  # log-odds of the true profile against the K-th other, summed over the attackers not yet fooled
    odds: float  # log-odds of the true profile against all others, summed over all attackers
    unfooled: tuple[int, ...]  # attackers for whom the goal does not hold

    @property
    def is_safe(self) -> bool:
        return not self.unfooled


class MaskingScores:
    """Scores maskings of one document. Attackers are numbered in the order of `scorers`."""

    def __init__(
        self,
        scorers: Sequence[DocumentScorer],
        target: int,
        units: Sequence[Unit],
        words: int,
        goal: Goal,
        weights: Sequence[float] | None = None,
    ) -> None:
        self.scorers = scorers
        self.target = target
        self.units = units
        self.goal = goal
        self.rows: Masks = np.zeros((len(units), words), dtype=bool)
        for at, unit in enumerate(units):
            self.rows[at, list(unit)] = True
        # What masking each unit costs: its information where the caller knows it, else its words.
        self.weights = np.array(weights or [len(unit) for unit in units], dtype=np.float64)
        # How many people must be likelier than the true one, per attacker.
        self.ks = [goal.k] * len(scorers)
        self._floors = [-np.inf] * len(scorers)
        self._known: list[dict[bytes, tuple[float, float, float]]] = [{} for _ in scorers]

    def accept_prior(self, hidden: Mask) -> None:
        """Ask no more of an attacker than what masking everything reaches.

        Where the person is among the first K with everything masked, the text does not tell it: a lead that is hardly
        larger than that one counts as hidden.
        """
        for at in self.attackers:
            rows = self.scorers[at].score(hidden[None])
            [place] = rank_profile(rows, self.target)
            if place.rank > self.ks[at]:
                continue
            others = int(np.isfinite(rows).sum()) - 1
            self.ks[at] = min(self.goal.k, others)
            self._floors[at] = float(compute_leads(rows, self.target, self.ks[at])[0]) + _SLACK
            self._known[at].clear()

    def _is_hidden(self, at: int, mask: Mask) -> bool:
        return bool(self.ask(at, mask[None])[1][0])

    @property
    def attackers(self) -> range:
        return range(len(self.scorers))

    def add_units(self, mask: Mask, units: Sequence[int]) -> Mask:
        """The mask with these units masked too."""
        return np.asarray(mask | self.rows[list(units)].any(axis=0))

    def has_visible_words(self, unit: int, mask: Mask) -> bool:
        return bool((self.rows[unit] & ~mask).any())

    def score(self, masks: Masks, units: Sequence[Sequence[int]]) -> list[Masking]:
        """Maskings with their exact scores by every attacker."""
        answers = np.array([self.ask(at, masks) for at in self.attackers]).reshape(
            -1, 3, len(masks)
        )
        safe = answers[:, 1] > 0
        leads = np.where(safe, 0, answers[:, 0]).sum(axis=0)
        odds = answers[:, 2].sum(axis=0)
        found = []
        for at, masked in enumerate(units):
            unfooled = tuple(np.flatnonzero(~safe[:, at]).tolist())
            found.append(
                Masking(masks[at], tuple(masked), float(leads[at]), float(odds[at]), unfooled)
            )
        return found

    def sum_leads(self, masks: Masks, attackers: Iterable[int], enough: float = np.inf) -> Floats:
        """The lead of the true profile per masking, summed over those of the attackers that are not fooled.

        Where the sum is `enough`, the attackers that are left are not asked.
        """
        total = np.zeros(len(masks))
        for at in attackers:
            left = np.flatnonzero(total < enough)
            lead, safe, _ = self.ask(at, masks[left])
            total[left] += np.where(safe > 0, 0, lead)
        return total

    def sum_safe_leads(self, masks: Masks) -> Floats:
        """The lead of the true profile per masking, summed over all attackers; infinite where the goal does not hold.

        An attacker is not asked about maskings with which one before it finds the person.
        """
        totals = np.zeros(len(masks))
        left = np.arange(len(masks))
        for at in self.attackers:
            lead, safe, _ = self.ask(at, masks[left])
            totals[left] += np.where(safe > 0, lead, np.inf)
            left = left[safe > 0]
        return totals

    def estimate_gains(self, mask: Mask, attackers: Iterable[int]) -> Floats:
        """By how much masking each unit too would lower the probability of the true profile, as attackers estimate."""
        fall = sum(self.scorers[at].screen(mask, self.target) for at in attackers)
        visible_fall = np.where(mask, 0, fall)
        return np.asarray(self.rows @ visible_fall, dtype=np.float64)

    def ask(self, at: int, masks: Masks) -> Floats:
        """Per masking one column: the lead of the true profile, whether the goal holds, and its log-odds."""
        known = self._known[at]
        keys = [mask.tobytes() for mask in masks]
        new = {key: place for place, key in enumerate(keys) if key not in known}
        if new:
            rows = self.scorers[at].score(masks[list(new.values())])
            leads = compute_leads(rows, self.target, self.ks[at])
            safe = is_outranked(rows, self.target, self.ks[at], self.goal.margin)
            safe |= leads <= self._floors[at]
            odds = compute_odds(rows, self.target)
            known.update(zip(new, zip(leads, safe, odds, strict=True), strict=True))
        return np.array([known[key] for key in keys], dtype=np.float64).reshape(-1, 3).T
