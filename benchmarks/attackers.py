"""Attackers of the benchmark of hiding: lexical ones with a fitted temperature, models, and several of them as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.biencoder import BiEncoder
from maskwise.crowd.folds import Fold, assign_folds
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.neighbours import log_softmax
from maskwise.crowd.population import Population
from maskwise.crowd.ranker import DocumentScorer, LogProbabilities, Masks, Ranker
from maskwise.crowd.words import Words
from maskwise.errors import InputError

# The weight that models of shared words have together, and the weight that all others have. Both were fitted to people
# of the biographies benchmark who neither train nor are measured, under random masks and without named entities. A
# model of words is far too sure of itself where everything that it could know is masked.
_LEXICAL, _OTHERS = 0.16, 0.6
_TEMPERATURES = np.geomspace(0.25, 16, 49)


class Ensemble:
    """A ranker of rankers: the weighted sum of their log-probabilities (a product of experts).

    Without `weights`, rankers of one kind share the weight of their kind.
    """

    def __init__(self, rankers: Sequence[Ranker], weights: Sequence[float] | None = None) -> None:
        if not rankers or (weights is not None and len(weights) != len(rankers)):
            raise InputError(
                f"an ensemble of {len(rankers)} models with {len(weights or ())} weights; give one for each"
            )
        if len({len(ranker) for ranker in rankers}) > 1:
            raise InputError("the models of an ensemble must be fitted to one population")
        self.rankers = tuple(rankers)
        self.weights = tuple(weights if weights is not None else _share_weights(rankers))

    @property
    def name(self) -> str:
        return "+".join(ranker.name for ranker in self.rankers)

    def __len__(self) -> int:
        return len(self.rankers[0])

    def read(self, words: Sequence[str]) -> EnsembleScorer:
        return EnsembleScorer([ranker.read(words) for ranker in self.rankers], self.weights)


class EnsembleScorer:
    """One document, read by all members."""

    def __init__(self, readings: Sequence[DocumentScorer], weights: Sequence[float]) -> None:
        self._readings = readings
        self._weights = weights

    def score(self, masks: Masks) -> LogProbabilities:
        total = np.float32(self._weights[0]) * self._readings[0].score(masks)
        for reading, weight in zip(self._readings[1:], self._weights[1:], strict=True):
            total += np.float32(weight) * reading.score(masks)
        return log_softmax(total)

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        members = zip(self._readings, self._weights, strict=True)
        falls = [weight * reading.screen(mask, target) for reading, weight in members]
        return np.asarray(np.sum(falls, axis=0), dtype=np.float32)


def _share_weights(rankers: Sequence[Ranker]) -> list[float]:
    lexical = [isinstance(ranker, Lexical) for ranker in rankers]
    count = sum(lexical)
    return [_LEXICAL / count if kind else _OTHERS / (len(lexical) - count) for kind in lexical]


def calibrate(ranker: Lexical, documents: Iterable[tuple[str, int]], seed: int = 0) -> Lexical:
    """The ranker with the temperature that fits documents best, masked at random (Morris et al. 2022, section 5).

    `documents` are texts with the place of their person. These people should not be those that it is tried on.
    """
    random = np.random.default_rng(seed)
    plain = replace(ranker, temperature=1.0)
    scores, targets = [], []
    for text, target in documents:
        reading = plain.read(Words(text).texts)
        mask = random.random(reading.words) < random.random()
        scores.append(reading.compute_logits(mask[None])[0])
        targets.append(target)
    if not targets:
        return ranker
    rows = np.array(scores)
    places = np.arange(len(targets))

    def measure_loss(temperature: float) -> float:
        return -float(log_softmax(rows / temperature)[places, targets].mean())

    best = min(_TEMPERATURES, key=measure_loss)
    return replace(ranker, temperature=round(float(best), 3))


def fit_attackers(
    people: Population, models: Sequence[Path], count: int, cache: Path | None
) -> dict[str, Ranker]:
    """The lexical ones with temperatures fitted on `count` training people, and one per model."""
    train = [int(at) for at in np.flatnonzero(assign_folds(people.ids) == Fold.TRAIN)[:count]]
    documents = [(people[at].text, at) for at in train]
    found: dict[str, Ranker] = {}
    for name in ("bm25", "pieces"):
        fitted = calibrate(Lexical.fit(people, name), documents)
        found[name] = fitted
        print(
            f"{name}: temperature {fitted.temperature}, fitted on {len(documents)} training people",
            flush=True,
        )
    for model in models:
        ranker = BiEncoder.load(model).fit(people, cache=cache)
        found[ranker.name] = ranker
    return found
