"""What an attacker's odds are worth: a fit of how often it finds people, and how well the fit holds for others.

An attacker gives log-odds to the profile that a document tells. Whether it would find the person depends on what it
knows of them, so the odds are calibrated (Platt 1999) on people whose real profiles are in the crowd: documents under
many masks, and whether the attacker ranks the real profile first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.crowd_folder import Odds
from maskwise.crowd.maskings import Unit
from maskwise.crowd.population import Profile
from maskwise.crowd.ranker import Masks, Ranker
from maskwise.crowd.ranks import compute_odds, rank_profile
from maskwise.crowd.words import Words

Floats = NDArray[np.float64]
BINS = 10
_MASKINGS = 8  # random maskings per document, besides the clear text
_STEPS = 50
_WEIGHT = 1e-3  # of the penalty on the slope, so that people who are always found have finite odds


@dataclass(frozen=True, slots=True, eq=False)
class Trials:
    """Log-odds of the profiles that documents tell, and the chance that the attacker finds the real person."""

    odds: Floats
    found: Floats

    def join(self, other: Trials) -> Trials:
        return Trials(np.append(self.odds, other.odds), np.append(self.found, other.found))


@dataclass(frozen=True, slots=True)
class Bin:
    """People with similar probabilities: how many there are, their mean probability, and the share that is found."""

    count: int
    probability: float
    found: float


def draw_masks(words: int, units: Sequence[Unit], random: np.random.Generator) -> Masks:
    """The clear text, and maskings of a random share of the units."""
    masks = np.zeros((1 + _MASKINGS, words), dtype=bool)
    for mask in masks[1:]:
        share = random.random()
        for unit in units:
            if random.random() < share:
                mask[list(unit)] = True
    return masks


def try_attacker(ranker: Ranker, told: Profile, place: int, words: Words, masks: Masks) -> Trials:
    """Trials of one document: its person has the place `place` in the crowd and the profile `told` in the document."""
    rows = ranker.join(told, [place]).read(words.texts).score(masks)
    real = ranker.read(words.texts).score(masks)
    found = [one.hit_chance for one in rank_profile(real, place)]
    return Trials(compute_odds(rows, len(ranker)), np.array(found))


def fit_odds(trials: Trials) -> Odds:
    """The logistic regression of finding on log-odds, by Newton's method."""
    table = np.stack([np.ones_like(trials.odds), trials.odds], axis=1)
    penalty = np.diag([0.0, _WEIGHT * len(trials.odds)])
    beta = np.zeros(2)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ beta, -30, 30)))
        slope = table.T @ (trials.found - chance) - penalty @ beta
        curve = table.T @ (table * (chance * (1 - chance))[:, None]) + penalty + 1e-9 * np.eye(2)
        step = np.linalg.solve(curve, slope)
        beta = beta + step
        if np.abs(step).max() < 1e-9:
            break
    return Odds(round(float(beta[0]), 5), round(float(beta[1]), 5))


def group_by_probability(
    trials: Trials, estimate: Callable[[float], float]
) -> tuple[list[Bin], float]:
    """The reliability table, and the expected calibration error: the mean gap between said and found."""
    said = np.array([estimate(float(one)) for one in trials.odds])
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    bins = list(_fill_bins(said, trials.found, places))
    gaps = [abs(one.probability - one.found) * one.count for one in bins]
    return bins, sum(gaps) / max(len(said), 1)


def _fill_bins(said: Floats, found: Floats, places: NDArray[np.intp]) -> Iterator[Bin]:
    for place in range(BINS):
        own = places == place
        if own.any():
            yield Bin(int(own.sum()), float(said[own].mean()), float(found[own].mean()))
