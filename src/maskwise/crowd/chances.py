"""Calibration of an attacker's odds: a fit of how often it finds people, and a measure of the fit on other people.

An attacker gives log-odds to the profile that a document tells. Whether it would find the person depends on what it
knows of them, so the odds are calibrated on people whose real profiles are in the crowd: documents under many masks,
and whether the attacker ranks the real profile first. The fit is a rising curve (isotonic regression).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.crowd_folder import Curve
from maskwise.crowd.maskings import Unit
from maskwise.crowd.population import Profile
from maskwise.crowd.ranker import Masks, Ranker
from maskwise.crowd.ranks import compute_odds, rank_profile
from maskwise.crowd.words import Words

Floats = NDArray[np.float64]
_MASKINGS = 8  # random maskings per document, besides the clear text
_POINTS = 24  # groups of like odds that a curve is fitted to


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """Log-odds of the profiles that documents tell, and the chance that the attacker finds the real person."""

    odds: Floats
    found: Floats

    def join(self, other: Trials) -> Trials:
        return Trials(np.append(self.odds, other.odds), np.append(self.found, other.found))


def draw_masks(words: int, units: Sequence[Unit], random: np.random.Generator) -> Masks:
    """The clear text, and maskings of a random share of the units."""
    masks = np.zeros((1 + _MASKINGS, words), dtype=bool)
    for mask in masks[1:]:
        share = random.random()
        for unit in units:
            if random.random() < share:
                mask[list(unit)] = True
    return masks


def try_attacker(
    ranker: Ranker, told: Profile, real: Profile, place: int, words: Words, masks: Masks
) -> Trials:
    """Trials of one document, whose person has the place `place` in the crowd and is left out there.

    The odds are of the profile that the document tells; found is whom the attacker finds who knows the real profile.
    """
    by_told = ranker.join(told, [place]).read(words.texts).score(masks)
    by_real = ranker.join(real, [place]).read(words.texts).score(masks)
    found = [one.hit_chance for one in rank_profile(by_real, len(ranker))]
    return Trials(compute_odds(by_told, len(ranker)), np.array(found))


def fit_curve(trials: Trials) -> Curve:
    """The rising curve of finding over log-odds: isotonic regression over groups of like odds."""
    order = np.argsort(trials.odds, kind="stable")
    groups = [group for group in np.array_split(order, _POINTS) if len(group)]
    odds = [float(trials.odds[group].mean()) for group in groups]
    found = [float(trials.found[group].mean()) for group in groups]
    chances = pool_adjacent(found, [len(group) for group in groups])
    return Curve(tuple(round(x, 4) for x in odds), tuple(round(y, 4) for y in chances))


def pool_adjacent(values: Sequence[float], counts: Sequence[int]) -> list[float]:
    """The rising values nearest to the given ones: neighbours that fall are replaced by their mean.

    >>> pool_adjacent([0.1, 0.5, 0.3, 0.9], [1, 1, 1, 1])
    [0.1, 0.4, 0.4, 0.9]
    """
    pools: list[tuple[float, int, int]] = []  # mean, weight, how many values
    for value, count in zip(values, counts, strict=True):
        mean, weight, size = value, count, 1
        while pools and pools[-1][0] > mean:
            last, more, before = pools.pop()
            mean = (last * more + mean * weight) / (more + weight)
            weight, size = weight + more, size + before
        pools.append((mean, weight, size))
    return [mean for mean, _, size in pools for _ in range(size)]
