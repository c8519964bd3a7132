"""Re-identification risk (TRIR, Manzanares-Salor et al., chapter 3): the share of people that attackers find.

TRIR = people re-identified / people protected. It is given per column of masked texts and per attacker, for all
attackers together (a person is found if any attacker finds the person), and for the one attacker that does best on a
development set, which is made of background texts alone. Intervals are Wilson's. Several seeds are averaged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from maskwise.attack.attacker import Attacker, Background, Scorer, Scores, fuse_scores
from maskwise.attack.development import PEOPLE, Anonymise, make_development_set
from maskwise.attack.scenario import Scenario, Target
from maskwise.crowd.curate import drop_masks

FUSION = "fusion"
Hits = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of people with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ColumnOutcome:
    """TRIR of one column of masked texts. `hits[attacker][seed, person]` is true for people who were found."""

    people: int
    present: float
    attackers: Mapping[str, Rate]
    ensemble: Rate
    hits: Mapping[str, Hits] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Report:
    """An attack's outcome. `development` is each attacker's TRIR on the development set, which chose `best`."""

    best: str
    development: Mapping[str, float]
    columns: Mapping[str, ColumnOutcome]
    background: int
    seeds: tuple[int, ...]
    scorers: Mapping[str, Scorer] = field(repr=False)

    @property
    def guess(self) -> float:
        """TRIR of a guess at random."""
        return 1 / self.background

    @property
    def guesses(self) -> float:
        """TRIR of as many guesses at random as there are attackers, to compare the ensemble with."""
        return 1 - (1 - self.guess) ** len(self.development)

    def find_trir(self, column: str) -> Rate:
        """Returns the best attacker's TRIR."""
        return self.columns[column].attackers[self.best]


def attack_scenario(
    scenario: Scenario,
    attackers: Sequence[Attacker],
    anonymise: Anonymise,
    *,
    seeds: Sequence[int] = (0,),
    keep_masks: bool = False,
    people: int = PEOPLE,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Attacks every column. `anonymise` is the attacker's own tool, for development set and background."""
    clean: Callable[[str], str] = str if keep_masks else drop_masks
    tried: list[Mapping[str, tuple[float, float]]] = []
    found: dict[str, list[Mapping[str, Hits]]] = {label: [] for label in scenario.columns}
    scorers: Mapping[str, Scorer] = {}
    for seed in seeds:
        scorers, development = _prepare_attackers(
            scenario, attackers, anonymise, clean, seed, people, progress
        )
        tried.append(development)
        for label, column in scenario.columns.items():
            progress(f"attacking {label}")
            found[label].append(_attack_column(column, scorers, clean))
    mean: dict[str, NDArray[np.float64]] = {}
    for name in tried[0]:
        mean[name] = np.mean([by_name[name] for by_name in tried], axis=0)
    outcomes = {
        label: measure_column(scenario.columns[label], by_seed) for label, by_seed in found.items()
    }
    return Report(
        best=max(mean, key=lambda name: tuple(mean[name])),
        development={name: float(value[0]) for name, value in mean.items()},
        columns=outcomes,
        background=len(scenario.names),
        seeds=tuple(seeds),
        scorers=scorers,
    )


def _attack_column(
    column: Sequence[Target], scorers: Mapping[str, Scorer], clean: Callable[[str], str]
) -> dict[str, Hits]:
    """Returns who is found in a column, by attacker and by all together."""
    texts = [clean(target.text) for target in column]
    scores = {name: scorer(texts) for name, scorer in scorers.items() if name != FUSION}
    return {name: find_hits(one, column) for name, one in add_fusion(scores).items()}


def find_hits(scores: Scores, targets: Sequence[Target]) -> Hits:
    """Tells who was found: the true person alone has the highest score. A tie is not a re-identification."""
    pairs = zip(scores, targets, strict=True)
    return np.array([rank_person(row, target.person) == 1 for row, target in pairs], dtype=bool)


def rank_person(row: NDArray[np.float64], person: int | None) -> float:
    """Returns the place of the true person, the worst among equals; infinite for one whom the background lacks."""
    if person is None:
        return math.inf
    return float((row >= row[person]).sum())


def estimate_rate(right: float, n: int, z: float = 1.959964) -> Rate:
    """Returns a share with Wilson's score interval.

    >>> rate = estimate_rate(7, 50)
    >>> rate.value, round(rate.low, 3), round(rate.high, 3)
    (0.14, 0.07, 0.262)
    """
    if n == 0:
        return Rate(math.nan, math.nan, math.nan)
    p = right / n
    centre = p + z * z / (2 * n)
    spread = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = max((centre - spread) / scale, 0.0)
    high = min((centre + spread) / scale, 1.0)
    return Rate(p, low, high)


def compute_f1(trir: float, tpi: float) -> float:
    """Computes the harmonic mean of protection (1 - TRIR) and utility (TPI)."""
    safe = 1 - trir
    return 2 * safe * tpi / (safe + tpi) if safe + tpi > 0 else 0.0


def _prepare_attackers(
    scenario: Scenario,
    attackers: Sequence[Attacker],
    anonymise: Anonymise,
    clean: Callable[[str], str],
    seed: int,
    people: int,
    progress: Callable[[str], None],
) -> tuple[dict[str, Scorer], dict[str, tuple[float, float]]]:
    """Fits attackers to the background. Returns them, their TRIR and mean reciprocal rank on the development set."""
    whole = Background(scenario.background)
    progress("making the development set")
    made = make_development_set(scenario.names, whole, anonymise, seed=seed, people=people)
    trial = tuple(zip(made.people, map(clean, made.texts), strict=True))
    known = Background(made.background, trial=trial)
    if any(attacker.trained for attacker in attackers):
        progress("anonymising the background")
        masked = tuple(map(clean, anonymise(made.background, scenario.names)))
        known = Background(made.background, masked, trial)
    scorers: dict[str, Scorer] = {}
    tests: dict[str, Scores] = {}
    for attacker in attackers:
        progress(f"fitting {attacker.name}")
        scorer = attacker.fit(known, seed)
        tests[attacker.name] = scorer([text for _, text in trial])
        scorers[attacker.name] = scorer if attacker.trained else attacker.fit(whole, seed)
    targets = [Target(person, "", text) for person, text in trial]
    scores = {name: _measure_trial(one, targets) for name, one in add_fusion(tests).items()}
    if len(attackers) > 1:
        parts = list(scorers.values())
        scorers[FUSION] = partial(_score_together, parts)
    return scorers, scores


def _score_together(scorers: Sequence[Scorer], texts: Sequence[str]) -> Scores:
    return fuse_scores([scorer(texts) for scorer in scorers])


def add_fusion(scores: Mapping[str, Scores]) -> dict[str, Scores]:
    """The scores by attacker, and those of all attackers together where there are two or more."""
    if len(scores) < 2:
        return dict(scores)
    return {**scores, FUSION: fuse_scores(list(scores.values()))}


def _measure_trial(scores: Scores, targets: Sequence[Target]) -> tuple[float, float]:
    """Returns TRIR and mean reciprocal rank."""
    pairs = zip(scores, targets, strict=True)
    ranks = np.array([rank_person(row, target.person) for row, target in pairs])
    return float((ranks == 1).mean()), float((1 / ranks).mean())


def measure_column(
    targets: Sequence[Target], by_seed: Sequence[Mapping[str, Hits]]
) -> ColumnOutcome:
    """TRIR by attacker and of any attacker, from whom each attacker found with each seed."""
    people = len(targets)
    hits: dict[str, Hits] = {}
    for name in by_seed[0]:
        hits[name] = np.array([by_name[name] for by_name in by_seed])
    together = np.any(list(hits.values()), axis=0)

    def average_rate(hit: Hits) -> Rate:
        return estimate_rate(float(hit.sum(axis=1).mean()), people)

    known = sum(target.person is not None for target in targets)
    return ColumnOutcome(
        people=people,
        present=known / people if people else math.nan,
        attackers={name: average_rate(hit) for name, hit in hits.items()},
        ensemble=average_rate(together),
        hits=hits,
    )
