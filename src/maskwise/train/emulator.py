"""Trains the emulator of the web indicator on what a local index says of texts whose subject it knows.

A text is about the person in its title, of whom the index holds what the text is not (`maskwise.train.background`). The
index labels every entity and every pair. The pairs that pruning left out follow from their parts: a pair with a risky
part is risky, and a pair with a part on no page of the person is not. Draws are weighted back to the frequency that
pairs have in texts, and the odds are calibrated on texts that the network did not learn from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from maskwise.detect.merge import merge_mentions
from maskwise.link import RuleLinker
from maskwise.lm import Model
from maskwise.lm.encoder import Array
from maskwise.risk.emulator import (
    CALIBRATION,
    LAYERS,
    PLAIN,
    Emulator,
    can_stay_visible,
    compute_features,
    hash_model,
)
from maskwise.risk.web import WebIndicator
from maskwise.text import Document, Entity, SearchIndex
from maskwise.train.silver import build_detectors

_BATCH = 16


@dataclass(frozen=True, eq=False)
class Sample:
    """One text: one row per entity, pairs of rows (an entity alone is a pair with itself), and which pairs are risky.

    `open` marks the pairs whose members decide nothing alone, so that a search has to be made for them.
    """

    rows: Array
    pairs: NDArray[np.intp]
    risky: NDArray[np.bool_]
    open: NDArray[np.bool_]


def detect_entities(
    documents: Sequence[Document], teacher: str | None = "small"
) -> Iterator[tuple[Document, list[Entity]]]:
    """Yields each document with its entities, as the detectors and the linker find them."""
    detectors = build_detectors(None, teacher)
    linker = RuleLinker()
    order = [detector.name for detector in detectors]
    for at in range(0, len(documents), _BATCH):
        batch = documents[at : at + _BATCH]
        found = [detector.detect(batch) for detector in detectors]
        for document, *detections in zip(batch, *found, strict=True):
            mentions = merge_mentions((m for d in detections for m in d.mentions), order)
            yield document, linker.link(document, mentions)


def label_document(
    document: Document, entities: Sequence[Entity], index: SearchIndex, model: Model, k: int
) -> Sample:
    """Labels every entity and pair that may stay visible by what the index says."""
    visible = [entity for entity in entities if can_stay_visible(entity)]
    search = WebIndicator(index, k=k, max_arity=2, budget=10**9).search(document, visible)
    is_risky = {finding.members: finding.risky for finding in search.findings}
    singles = [(at, at) for at in range(len(visible))]
    pairs = [*singles, *combinations(range(len(visible)), 2)]
    risky = [is_risky[left,] for left, _ in singles]
    for left, right in pairs[len(singles) :]:
        either = is_risky[left,] or is_risky[right,]
        risky.append(is_risky.get((left, right), either))
    opened = [pair in is_risky for pair in pairs]
    rows = compute_features(document, visible, model)
    return Sample(
        rows,
        np.array(pairs, dtype=np.intp).reshape(-1, 2),
        np.array(risky, bool),
        np.array(opened, bool),
    )


class EmulatorNetwork(nn.Module):
    """`Emulator` as a PyTorch module; the two compute the same."""

    mean: torch.Tensor
    scale: torch.Tensor

    def __init__(self, mean: Array, scale: Array, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("scale", torch.from_numpy(scale))
        self.project = nn.Linear(len(mean), width)
        self.inner = nn.Linear(3 * width + 1, inner)
        self.outer = nn.Linear(inner, 1)
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, left: torch.Tensor, right: torch.Tensor, single: torch.Tensor
    ) -> torch.Tensor:
        a = self._project(left)
        b = self._project(right)
        joined = torch.cat([a + b, (a - b).abs(), a * b, single[:, None]], dim=1)
        inner = self.dropout(torch.relu(self.inner(joined)))
        logits: torch.Tensor = self.outer(inner)[:, 0]
        return logits

    def _project(self, rows: torch.Tensor) -> torch.Tensor:
        projected = self.project((rows - self.mean) / self.scale)
        dropped: torch.Tensor = self.dropout(torch.tanh(projected))
        return dropped

    def collect_weights(self) -> dict[str, Array]:
        """Returns the weights by the names that `Emulator` gives them."""
        values = [self.mean, self.scale]
        for layer in (self.project, self.inner, self.outer):
            values += [layer.weight.T, layer.bias]
        named = zip(LAYERS, values, strict=True)
        found = {name: value.detach().numpy().copy() for name, value in named}
        return {**found, CALIBRATION: PLAIN.copy()}


def fit_emulator(
    samples: Iterable[Sample],
    model: Model,
    *,
    about: dict[str, object],
    width: int = 48,
    inner: int = 48,
    epochs: int = 30,
    rate: float = 2e-3,
    decay: float = 1e-2,
    dropout: float = 0.3,
    per_text: int = 60,
    seed: int = 0,
) -> Emulator:
    """Fits the network with the least log-loss.

    A long text has thousands of pairs. Each epoch therefore draws `per_text` of each kind from every text: entities
    alone, pairs to be searched for, and the rest. What was drawn stands for all of its kind, so the network sees risky
    pairs as often as texts have them.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    used = [s for s in samples if len(s.pairs)]
    every = np.concatenate([s.rows for s in used])
    network = EmulatorNetwork(every.mean(axis=0), every.std(axis=0) + 1e-2, width, inner, dropout)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    rows = torch.from_numpy(every)
    for _ in range(epochs):
        pairs, risky, stands_for = _draw_epoch(used, per_text, random)
        order = random.permutation(len(pairs))
        for at in np.array_split(order, max(len(pairs) // 512, 1)):
            _run_step(network, optimiser, rows, pairs[at], risky[at], stands_for[at])
    return Emulator(network.eval().collect_weights(), hash_model(model), about)


def _run_step(
    network: EmulatorNetwork,
    optimiser: torch.optim.Optimizer,
    rows: torch.Tensor,
    pairs: NDArray[np.intp],
    risky: NDArray[np.bool_],
    stands_for: Array,
) -> None:
    """Trains the network on one batch of pairs, each of which counts for as many as it stands for."""
    left = torch.from_numpy(pairs[:, 0])
    right = torch.from_numpy(pairs[:, 1])
    logits = network(rows[left], rows[right], (left == right).float())
    wanted = torch.from_numpy(risky).float()
    weights = torch.from_numpy(stands_for)
    loss = functional.binary_cross_entropy_with_logits(logits, wanted, weights)
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()


def _draw_epoch(
    samples: Sequence[Sample], most: int, random: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.bool_], Array]:
    """Draws pairs from every text.

    Returns them as rows of all texts together, which of them are risky, and how many each stands for, 1 on average.
    """
    pairs, risky, counts = [], [], []
    start = 0
    for sample in samples:
        at, stands_for = _draw_pairs(sample, most, random)
        pairs.append(sample.pairs[at] + start)
        risky.append(sample.risky[at])
        counts.append(stands_for)
        start += len(sample.rows)
    weights = np.concatenate(counts)
    return np.concatenate(pairs), np.concatenate(risky), weights / weights.mean()


def _draw_pairs(
    sample: Sample, most: int, random: np.random.Generator
) -> tuple[NDArray[np.intp], Array]:
    """Draws the numbers of at most `most` pairs of each kind, and how many of the text's pairs each stands for."""
    single = sample.pairs[:, 0] == sample.pairs[:, 1]
    kinds = (single, sample.open & ~single, ~sample.open & ~single)
    drawn, weights = [], []
    for kind in kinds:
        found = np.flatnonzero(kind)
        every = len(found)
        if every > most:
            found = random.choice(found, most, replace=False)
        drawn.append(found)
        weights.append(np.full(len(found), every / max(len(found), 1), dtype=np.float32))
    return np.concatenate(drawn), np.concatenate(weights)


def calibrate_emulator(emulator: Emulator, samples: Iterable[Sample]) -> Emulator:
    """Fits odds to what texts show that the network did not learn from: logit -> a * logit + b (Platt 1999).

    Entities alone and pairs have an `a` and a `b` of their own, because they are risky to a different extent.
    """
    plain = replace(emulator, weights={**emulator.weights, CALIBRATION: PLAIN.copy()})
    used = [s for s in samples if len(s.pairs)]
    logits = np.concatenate([plain.compute_logits(s.rows, s.pairs) for s in used])
    risky = np.concatenate([s.risky for s in used])
    single = np.concatenate([s.pairs[:, 0] == s.pairs[:, 1] for s in used])
    fitted = [fit_odds(logits[kind], risky[kind]) for kind in (~single, single)]
    weights = {**emulator.weights, CALIBRATION: np.array(fitted, dtype=np.float32)}
    return replace(emulator, weights=weights)


def fit_odds(logits: Array, risky: NDArray[np.bool_], rounds: int = 50) -> tuple[float, float]:
    """The `a` and `b` with the least log-loss, by Newton's method. Counts get half a success and half a failure."""
    if not len(logits):
        return 1.0, 0.0
    rows = np.stack([logits, np.ones_like(logits)], axis=1).astype(np.float64)
    n, hits = len(risky), int(risky.sum())
    wanted = np.where(risky, (hits + 1) / (hits + 2), 1 / (n - hits + 2))
    found = np.array([1.0, 0.0])
    for _ in range(rounds):
        chances = 1 / (1 + np.exp(-np.clip(rows @ found, -60, 60)))
        slope = rows.T @ (wanted - chances)
        spread = chances * (1 - chances)
        curve = (rows * spread[:, None]).T @ rows + 1e-6 * np.eye(2)
        found = found + np.clip(np.linalg.solve(curve, slope), -2, 2)
        if found[0] <= 0:
            # A negative slope would turn the order of all pairs around, which is chance in too few texts.
            share = wanted.mean()
            return 0.0, float(np.log(share / (1 - share)))
    return float(found[0]), float(found[1])


def measure_agreement(
    chances: Array, truth: NDArray[np.bool_], threshold: float = 0.5
) -> dict[str, float]:
    """Measures how often risk is called and how often it is there, calibration error, accuracy, kappa and F1.

    `risky` is the true share, and also the accuracy of always saying "risky". The calibration error is the mean
    distance of probability and frequency over ten bins of equal width, by their number of pairs.
    """
    n = len(truth)
    if not n:
        return {"n": 0}
    predicted = chances >= threshold
    accuracy = float((predicted == truth).mean())
    base = float(truth.mean())
    rate = float(predicted.mean())
    chance = base * rate + (1 - base) * (1 - rate)
    both = int((predicted & truth).sum())
    return {
        "n": n,
        "risky": base,
        "called_risky": rate,
        "mean_probability": float(chances.mean()),
        "calibration_error": _measure_calibration(chances, truth),
        "accuracy": accuracy,
        "kappa": (accuracy - chance) / (1 - chance) if chance < 1 else 1.0,
        "f1": 2 * both / max(int(predicted.sum()) + int(truth.sum()), 1),
    }


def _measure_calibration(chances: Array, truth: NDArray[np.bool_], bins: int = 10) -> float:
    place = np.minimum((chances * bins).astype(int), bins - 1)
    gaps = [abs(float((chances - truth)[place == at].sum())) for at in range(bins)]
    return sum(gaps) / len(truth)


def judge_emulator(
    emulator: Emulator, samples: Iterable[Sample], threshold: float = 0.5
) -> dict[str, dict[str, float]]:
    """Measures agreement with the index: of entities alone, of all pairs, and of the pairs that need a search."""
    used = [s for s in samples if len(s.pairs)]
    chances = np.concatenate([emulator.score_pairs(s.rows, s.pairs) for s in used])
    truth = np.concatenate([s.risky for s in used])
    opened = np.concatenate([s.open for s in used])
    single = np.concatenate([s.pairs[:, 0] == s.pairs[:, 1] for s in used])
    kinds = {
        "entities alone": single,
        "all pairs": ~single,
        "pairs searched for": ~single & opened,
    }
    found = {}
    for name, kind in kinds.items():
        found[name] = measure_agreement(chances[kind], truth[kind], threshold)
    return found
