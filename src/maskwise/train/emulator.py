"""Trains the emulator of the web indicator on what a local index says of texts whose subject it knows.

A text is about the person in its title, whose page the index holds. The index labels every entity and every pair. The
pairs that pruning left out follow from their parts: a pair with a risky part is risky, and a pair with a part on no
page of the person is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from maskwise.detect.merge import merge_mentions
from maskwise.errors import InputError
from maskwise.link import RuleLinker
from maskwise.lm import Model
from maskwise.lm.encoder import Array
from maskwise.risk.emulator import (
    WEIGHTS,
    Emulator,
    can_stay_visible,
    compute_features,
    hash_model,
)
from maskwise.risk.pages import read_pages
from maskwise.risk.web import WebIndicator
from maskwise.text import Document, Entity, Person, SearchIndex
from maskwise.train.data import draw_share
from maskwise.train.silver import build_detectors

_BRACKETS = re.compile(r"\s*\(.*?\)")
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


def read_subjects(
    path: str | Path, limit: int, characters: int, *, held_out: bool, share: float = 0.2
) -> list[Document]:
    """Reads the first texts of a collection, cut to length, with the person of their title. The id chooses the side."""
    found: list[Document] = []
    for page in read_pages(path):
        if len(found) == limit:
            break
        name = _BRACKETS.sub("", page.title or "").strip()
        is_held_out = draw_share(page.url, "emulator") < share
        if name and is_held_out == held_out:
            text = page.text[:characters]
            found.append(Document(text, id=page.url, protected=(Person(name),)))
    if not found:
        raise InputError(f"{path}: no page there has a title to take the person from")
    return found


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
        named = zip(WEIGHTS, values, strict=True)
        return {name: value.detach().numpy().copy() for name, value in named}


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
    alone, pairs to be searched for, and the rest.
    """
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    used = [s for s in samples if len(s.pairs)]
    every = np.concatenate([s.rows for s in used])
    network = EmulatorNetwork(every.mean(axis=0), every.std(axis=0) + 1e-2, width, inner, dropout)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    rows = torch.from_numpy(every)
    for _ in range(epochs):
        pairs, risky = _draw_epoch(used, per_text, random)
        order = random.permutation(len(pairs))
        for at in np.array_split(order, max(len(pairs) // 512, 1)):
            _run_step(network, optimiser, rows, pairs[at], risky[at])
    return Emulator(network.eval().collect_weights(), hash_model(model), about)


def _run_step(
    network: EmulatorNetwork,
    optimiser: torch.optim.Optimizer,
    rows: torch.Tensor,
    pairs: NDArray[np.intp],
    risky: NDArray[np.bool_],
) -> None:
    """Trains the network on one batch of pairs."""
    left = torch.from_numpy(pairs[:, 0])
    right = torch.from_numpy(pairs[:, 1])
    logits = network(rows[left], rows[right], (left == right).float())
    wanted = torch.from_numpy(risky).float()
    loss = functional.binary_cross_entropy_with_logits(logits, wanted)
    optimiser.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimiser.step()


def _draw_epoch(
    samples: Sequence[Sample], most: int, random: np.random.Generator
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Draws pairs from every text. Returns them as rows of all texts together, and which of them are risky."""
    pairs, risky = [], []
    start = 0
    for sample in samples:
        at = _draw_pairs(sample, most, random)
        pairs.append(sample.pairs[at] + start)
        risky.append(sample.risky[at])
        start += len(sample.rows)
    return np.concatenate(pairs), np.concatenate(risky)


def _draw_pairs(sample: Sample, most: int, random: np.random.Generator) -> NDArray[np.intp]:
    """Draws the numbers of at most `most` pairs of each kind."""
    single = sample.pairs[:, 0] == sample.pairs[:, 1]
    kinds = (single, sample.open & ~single, ~sample.open & ~single)
    drawn = []
    for kind in kinds:
        found = np.flatnonzero(kind)
        if len(found) > most:
            found = random.choice(found, most, replace=False)
        drawn.append(found)
    return np.concatenate(drawn)


def measure_agreement(predicted: NDArray[np.bool_], truth: NDArray[np.bool_]) -> dict[str, float]:
    """Measures accuracy, Cohen's kappa, F1 of "risky", and the share of risky pairs.

    The share is also the accuracy of always saying "risky".
    """
    n = len(truth)
    if not n:
        return {"n": 0}
    accuracy = float((predicted == truth).mean())
    base = float(truth.mean())
    rate = float(predicted.mean())
    chance = base * rate + (1 - base) * (1 - rate)
    both = int((predicted & truth).sum())
    return {
        "n": n,
        "base_rate": base,
        "accuracy": accuracy,
        "kappa": (accuracy - chance) / (1 - chance) if chance < 1 else 1.0,
        "f1": 2 * both / max(int(predicted.sum()) + int(truth.sum()), 1),
    }


def judge_emulator(
    emulator: Emulator, samples: Iterable[Sample], threshold: float = 0.5
) -> dict[str, dict[str, float]]:
    """Measures agreement with the index: of entities alone, of all pairs, and of the pairs that need a search."""
    used = [s for s in samples if len(s.pairs)]
    predicted = np.concatenate([emulator.score_pairs(s.rows, s.pairs) >= threshold for s in used])
    truth = np.concatenate([s.risky for s in used])
    opened = np.concatenate([s.open for s in used])
    single = np.concatenate([s.pairs[:, 0] == s.pairs[:, 1] for s in used])
    kinds = {
        "entities alone": single,
        "all pairs": ~single,
        "pairs searched for": ~single & opened,
    }
    return {name: measure_agreement(predicted[kind], truth[kind]) for name, kind in kinds.items()}
