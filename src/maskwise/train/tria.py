"""The neural text re-identification attack (TRIA, Manzanares-Salor et al., sections 3.2 and 3.3).

An encoder continues masked language modelling on the curated background and its anonymised copy. It then learns whose
background a window of 100 pieces comes from, until its success on the masked development texts no longer grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from maskwise.attack.attacker import Background, Scorer, Scores
from maskwise.attack.classifier import OVERLAP, SIZE, sum_windows
from maskwise.crowd.curate import extract_terms
from maskwise.train import checkpoint
from maskwise.train.encode import encode_texts
from maskwise.train.loop import Metrics, TrainingPlan, choose_precision, train_network
from maskwise.train.mlm import train_mlm
from maskwise.train.model import Network, NetworkConfig
from maskwise.train.stream import Stream, build_raw_stream


class PersonClassifier(Network):
    """The network with one more head: logits over the people, from the state of the first piece."""

    def __init__(self, config: NetworkConfig, people: int, dropout: float = 0.1) -> None:
        super().__init__(config, dropout)
        self.people = nn.Linear(config.hidden, people)
        nn.init.normal_(self.people.weight, std=0.02)
        nn.init.zeros_(self.people.bias)

    def classify(self, ids: Tensor, shapes: Tensor, attention: Tensor) -> Tensor:
        logits: Tensor = self.people(self.encoder(ids, shapes, attention)[:, 0])
        return logits


@dataclass(frozen=True, slots=True)
class NeuralAttacker:
    """TRIA with the settings of the paper, from a checkpoint folder of `maskwise train`."""

    start: Path
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    lr: float = 5e-5
    rows: int = 16
    epochs: int = 20
    patience: int = 5
    mlm_epochs: int = 3
    mlm_rows: int = 8
    mlm_size: int = 510
    size: int = SIZE
    overlap: int = OVERLAP
    workers: int | None = None
    max_seconds: float | None = None  # of the last stage; the rate reaches zero there
    name: str = "neural"
    trained: ClassVar[bool] = True

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        torch.manual_seed(seed)
        model = self._build_classifier(len(background))
        stream = self._encode_texts([*background.texts, *background.masked])
        if self.mlm_epochs:
            self._adapt_encoder(model, stream, seed)
        self._learn_people(model, stream, background, seed)
        return lambda texts: self._classify_texts(model, self._encode_texts(texts))

    def _build_classifier(self, people: int) -> PersonClassifier:
        plain = checkpoint.load_checkpoint(self.start)
        model = PersonClassifier(plain.config, people)
        model.load_state_dict(plain.state_dict(), strict=False)
        return model.to(self.device)

    def _encode_texts(self, texts: Sequence[str]) -> Stream:
        curated = (" ".join(extract_terms(text)) for text in texts)
        encoded = encode_texts(curated, self.start, workers=self.workers)
        return build_raw_stream(encoded, self.start).to(self.device)

    def _adapt_encoder(self, model: PersonClassifier, stream: Stream, seed: int) -> None:
        """Continues masked language modelling on the background."""
        size = min(self.mlm_size, model.config.positions - 2)
        windows = len(stream.cut_windows(size, size // 4))
        steps = self.mlm_epochs * -(-windows // self.mlm_rows)
        plan = TrainingPlan(self.lr, max(steps, 1), seed=seed)
        train_mlm(model, [stream], plan=plan, size=size, rows=self.mlm_rows, rates=(0.15, 0.15))

    def _learn_people(
        self, model: PersonClassifier, stream: Stream, background: Background, seed: int
    ) -> None:
        """Learns whose background a window comes from."""
        table, owners = self._cut_windows(stream)
        people = torch.as_tensor(owners % len(background), device=self.device)
        epoch = max(-(-len(table) // self.rows), 1)
        trial = self._encode_texts([text for _, text in background.trial])
        truth = np.array([person for person, _ in background.trial], dtype=np.int64)

        def compute_loss(step: int) -> tuple[Tensor, dict[str, Tensor]]:
            order = np.random.default_rng((seed, step // epoch)).permutation(len(table))
            at = order[step % epoch * self.rows :][: self.rows]
            batch = stream.build_batch(table[at], self.size)
            logits = model.classify(batch.ids, batch.shapes, batch.attention)
            owned = people[torch.as_tensor(at, device=self.device)]
            value = functional.cross_entropy(logits.float(), owned)
            return value, {"loss": value.detach()}

        def evaluate_trial() -> Metrics:
            return {"select": _measure_success(self._classify_texts(model, trial), truth)}

        plan = TrainingPlan(
            self.lr,
            self.epochs * epoch,
            max_seconds=self.max_seconds,
            seed=seed,
            evaluate_every=epoch,
            patience=self.patience,
        )
        train_network(model, compute_loss, plan, evaluate_trial if len(truth) else None)

    def _classify_texts(self, model: PersonClassifier, stream: Stream) -> Scores:
        table, owners = self._cut_windows(stream)
        people = model.people.out_features
        parts = [np.zeros((0, people))]
        with torch.no_grad(), choose_precision(self.device):
            for first in range(0, len(table), 256):
                batch = stream.build_batch(table[first : first + 256], self.size)
                logits = model.classify(batch.ids, batch.shapes, batch.attention)
                parts.append(logits.double().cpu().numpy())
        return sum_windows(np.concatenate(parts), owners, len(stream.bounds) - 1)

    def _cut_windows(self, stream: Stream) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Returns the windows of the stream, and the document of each. A document without a piece has none."""
        table = stream.cut_windows(self.size, self.overlap)
        documents = np.searchsorted(stream.bounds, table[:, 0], side="right")
        return table, documents.astype(np.int64) - 1


def _measure_success(scores: Scores, truth: NDArray[np.int64]) -> float:
    """Returns the share of people found. The mean probability of the right ones breaks the ties that few texts make."""
    odds = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
    likely = odds[np.arange(len(truth)), truth].mean()
    return float((scores.argmax(axis=1) == truth).mean() + 1e-3 * likely)
