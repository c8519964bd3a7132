"""Trains the emulator of the web indicator on what a local index says of texts whose subject it knows.

A text is about the person in its title, whose page the index holds. The index labels every entity and every pair;
what pruning left out follows: with a risky part a pair is risky, with a part on no page of the person it is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from maskwise.detect.merge import merge
from maskwise.errors import InputError
from maskwise.link import RuleLinker
from maskwise.lm import Model
from maskwise.lm.encoder import Array
from maskwise.risk.emulator import WEIGHTS, Emulator, can_stay_visible, compute_features, fingerprint
from maskwise.risk.pages import read_pages
from maskwise.risk.web import WebIndicator
from maskwise.text import Document, Entity, Person, SearchIndex
from maskwise.train.data import bucket
from maskwise.train.silver import default_detectors

_BRACKETS = re.compile(r"\s*\(.*?\)")
_BATCH = 16


@dataclass(frozen=True, eq=False)
class Sample:
    """One text: a row an entity, pairs of rows (an entity alone is a pair with itself), and which are risky.

    `open` marks the pairs whose members decide nothing alone: those a search has to be made for.
    """

    rows: Array
    pairs: NDArray[np.intp]
    risky: NDArray[np.bool_]
    open: NDArray[np.bool_]


def read_subjects(
    path: str | Path, limit: int, characters: int, *, held_out: bool, share: float = 0.2
) -> list[Document]:
    """The first texts of a collection, cut to length, each with the person of its title; a side hangs on the id."""
    kept = (p for p in read_pages(path) if p.title and (bucket(p.url, "emulator") < share) == held_out)
    named = ((p, _BRACKETS.sub("", p.title).strip()) for p in kept)
    documents = (Document(p.text[:characters], id=p.url, protected=(Person(name),)) for p, name in named if name)
    found = list(islice(documents, limit))
    if not found:
        raise InputError(f"{path}: no page there has a title to take the person from")
    return found


def detected(documents: Sequence[Document], teacher: str | None = "small") -> Iterator[tuple[Document, list[Entity]]]:
    """Each document with its entities, as the detectors and the linker find them."""
    detectors, linker = default_detectors(None, teacher), RuleLinker()
    order = [detector.name for detector in detectors]
    for at in range(0, len(documents), _BATCH):
        batch = documents[at : at + _BATCH]
        found = [detector.detect(batch) for detector in detectors]
        for document, *detections in zip(batch, *found, strict=True):
            yield document, linker.link(document, merge((m for d in detections for m in d.mentions), order))


def label(document: Document, entities: Sequence[Entity], index: SearchIndex, model: Model, k: int) -> Sample:
    """What the index says of every entity and pair that may stay visible."""
    kept = [entity for entity in entities if can_stay_visible(entity)]
    search = WebIndicator(index, k=k, max_arity=2, budget=10**9).search(document, kept)
    said = {finding.members: finding for finding in search.findings}
    singles = [(at, at) for at in range(len(kept))]
    pairs = [*singles, *combinations(range(len(kept)), 2)]
    risky = [said[left,].risky for left, _ in singles]
    for left, right in pairs[len(singles) :]:
        asked = said.get((left, right))
        risky.append(asked.risky if asked else said[left,].risky or said[right,].risky)
    opened = [(left, right) in said for left, right in pairs]
    rows = compute_features(document, kept, model)
    return Sample(rows, np.array(pairs, dtype=np.intp).reshape(-1, 2), np.array(risky, bool), np.array(opened, bool))


class Network(nn.Module):
    """`Emulator` as a module; the two compute the same."""

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

    def forward(self, left: torch.Tensor, right: torch.Tensor, single: torch.Tensor) -> torch.Tensor:
        a, b = (self.dropout(torch.tanh(self.project((x - self.mean) / self.scale))) for x in (left, right))
        joined = torch.cat([a + b, (a - b).abs(), a * b, single[:, None]], dim=1)
        logits: torch.Tensor = self.outer(self.dropout(torch.relu(self.inner(joined))))[:, 0]
        return logits

    def weights(self) -> dict[str, Array]:
        project, inner, outer = self.project, self.inner, self.outer
        tensors = (self.mean, self.scale, project.weight.T, project.bias, inner.weight.T, inner.bias, outer.weight.T)
        values = [*tensors, outer.bias]
        return {name: value.detach().numpy().copy() for name, value in zip(WEIGHTS, values, strict=True)}


def fit(
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
    a_text: int = 60,
    seed: int = 0,
) -> Emulator:
    """The network with the least log-loss. A long text has thousands of pairs, so each epoch draws `a_text` of each
    kind from every text: entities alone, pairs to be searched for, and the rest."""
    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    kept = [s for s in samples if len(s.pairs)]
    every = np.concatenate([s.rows for s in kept])
    network = Network(every.mean(axis=0), every.std(axis=0) + 1e-2, width, inner, dropout)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    loss = nn.BCEWithLogitsLoss()
    rows = torch.from_numpy(every)
    starts = np.cumsum([0, *(len(s.rows) for s in kept)])
    for _ in range(epochs):
        drawn = [_draw(s, a_text, random) for s in kept]
        pairs = np.concatenate([s.pairs[at] + start for s, at, start in zip(kept, drawn, starts[:-1], strict=True)])
        risky = np.concatenate([s.risky[at] for s, at in zip(kept, drawn, strict=True)])
        for at in np.array_split(random.permutation(len(pairs)), max(len(pairs) // 512, 1)):
            left, right = (torch.from_numpy(pairs[at, side]) for side in (0, 1))
            logits = network(rows[left], rows[right], (left == right).float())
            value = loss(logits, torch.from_numpy(risky[at]).float())
            optimiser.zero_grad()
            value.backward()
            optimiser.step()
    return Emulator(network.eval().weights(), fingerprint(model), about)


def _draw(sample: Sample, most: int, random: np.random.Generator) -> NDArray[np.intp]:
    single = sample.pairs[:, 0] == sample.pairs[:, 1]
    kinds = (single, sample.open & ~single, ~sample.open & ~single)
    found = [np.flatnonzero(kind) for kind in kinds]
    return np.concatenate([at if len(at) <= most else random.choice(at, most, replace=False) for at in found])


def agreement(predicted: NDArray[np.bool_], truth: NDArray[np.bool_]) -> dict[str, float]:
    """Accuracy, Cohen's kappa, F1 of "risky", and the share of risky ones, which is what always saying so scores."""
    n = len(truth)
    if not n:
        return {"n": 0}
    accuracy, base, said = float((predicted == truth).mean()), float(truth.mean()), float(predicted.mean())
    chance = base * said + (1 - base) * (1 - said)
    both = int((predicted & truth).sum())
    return {
        "n": n,
        "base_rate": base,
        "accuracy": accuracy,
        "kappa": (accuracy - chance) / (1 - chance) if chance < 1 else 1.0,
        "f1": 2 * both / max(int(predicted.sum()) + int(truth.sum()), 1),
    }


def judge(emulator: Emulator, samples: Iterable[Sample], threshold: float = 0.5) -> dict[str, dict[str, float]]:
    """Agreement with the index: entities alone, all pairs, and the pairs a search has to be made for."""
    scored = [(emulator.pairs(s.rows, s.pairs) >= threshold, s) for s in samples if len(s.pairs)]
    predicted = np.concatenate([p for p, _ in scored])
    truth, opened = (np.concatenate([getattr(s, name) for _, s in scored]) for name in ("risky", "open"))
    single = np.concatenate([s.pairs[:, 0] == s.pairs[:, 1] for _, s in scored])
    kinds = {"entities alone": single, "all pairs": ~single, "pairs searched for": ~single & opened}
    return {name: agreement(predicted[kind], truth[kind]) for name, kind in kinds.items()}
