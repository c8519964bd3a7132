"""The web indicator without a query: a small network that predicts from words in context what a search would say.

After Papadopoulou et al. 2022 (section 3.2.2 and appendix), who pool contextual embeddings with an LSTM. Here mentions
are pooled by their mean: the encoder has read the order already, and a mean needs no training of its own.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import BundleError, describe_cause
from maskwise.lm import Model, load_model
from maskwise.lm.encoder import Array
from maskwise.plugins import Count, Share
from maskwise.text import Document, Entity, EntityType, Evidence
from maskwise.text.tokens import find_words

FORMAT = 2
LAYERS = ("mean", "scale", "project", "offset", "inner", "inner_bias", "outer", "outer_bias")
CALIBRATION = "calibration"  # by pairs and entities alone: a and b of logit -> a * logit + b
WEIGHTS = (*LAYERS, CALIBRATION)
PLAIN = np.array([[1, 0], [1, 0]], dtype=np.float32)  # the calibration that changes nothing
_TYPES = tuple(EntityType)
_SURFACE = 6  # numbers that the surface of an entity gives


@dataclass(frozen=True)
class EmulatorIndicator:
    """Evidence for every entity the model can read, and for every pair that is risky though neither of its members is.

    `path` is a file that `maskwise train emulator` wrote, the bundled one by default; it belongs to one `model`.
    """

    name: ClassVar[str] = "emulator"

    path: str | None = None
    model: str = "small"
    threshold: Share = 0.5
    pairs: bool = True
    threads: Count | None = None

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        if not entities:
            return []
        model = load_model(self.model, self.threads)
        emulator = load_bundled() if self.path is None else Emulator.load(self.path)
        emulator.check(model)
        rows = compute_features(document, entities, model)
        alone = emulator.score_alone(rows)
        read = np.flatnonzero(rows[:, : model.config.hidden].any(axis=1)).tolist()
        evidence = [self._build_evidence((entities[at].id,), float(alone[at])) for at in read]
        if self.pairs:
            free = [
                at for at in read if alone[at] < self.threshold and can_stay_visible(entities[at])
            ]
            pairs = np.array(list(combinations(free, 2)), dtype=np.intp).reshape(-1, 2)
            together = emulator.score_pairs(rows, pairs)
            for at in np.flatnonzero(together >= self.threshold):
                members = tuple(entities[member].id for member in pairs[at])
                evidence.append(self._build_evidence(members, float(together[at])))
        return evidence

    def _build_evidence(self, members: tuple[str, ...], probability: float) -> Evidence:
        risky = probability >= self.threshold
        score = round(probability, 4)
        relation = "reaches" if risky else "is under"
        subject = "it" if len(members) == 1 else "the two together"
        reason = (
            f"a search for {subject} would find the protected person with an estimated probability of {score:.2f}, "
            f"which {relation} {self.threshold:.2f}"
        )
        return Evidence(members, score, self.threshold, risky, reason, self.name)


@dataclass(frozen=True, eq=False)
class Emulator:
    """The network: rows of entities are standardised and projected; pairs are summed, subtracted and multiplied.

    A pair is the same whichever comes first; an entity alone is a pair with itself.
    """

    weights: dict[str, Array]
    trained_on: str  # SHA-256 of the encoder whose states it reads
    about: dict[str, object]

    @classmethod
    def load(cls, path: str | Path) -> Emulator:
        try:
            with np.load(path, allow_pickle=False) as arrays:
                about = json.loads(str(arrays["about"]))
                weights = {name: arrays[name].astype(np.float32) for name in WEIGHTS}
            if about["format"] != FORMAT:
                raise BundleError(
                    f"{path}: emulator format {about['format']}, this version reads {FORMAT}"
                )
            return cls(weights, str(about["model"]), about)
        except (OSError, KeyError, ValueError, TypeError, EOFError, BadZipFile) as error:
            raise BundleError(
                f"{path}: no emulator can be read there ({describe_cause(error)})"
            ) from None

    def save(self, path: str | Path) -> None:
        about = json.dumps(
            {**self.about, "format": FORMAT, "model": self.trained_on}, sort_keys=True
        )
        arrays: dict[str, Any] = {n: self.weights[n].astype(np.float16) for n in WEIGHTS}
        with Path(path).open("wb") as file:
            np.savez_compressed(file, about=np.array(about), **arrays)

    def check(self, model: Model) -> None:
        """Refuses to read the states of another encoder."""
        if hash_model(model) != self.trained_on:
            raise BundleError(
                f"the emulator was trained on another model than {model.config.name} {model.config.version}; "
                "train it again with `maskwise train emulator`"
            )

    def score_alone(self, rows: Array) -> Array:
        """Probability that each entity by itself is risky."""
        each = np.arange(len(rows), dtype=np.intp)
        return self.score_pairs(rows, np.stack([each, each], axis=1))

    def score_pairs(self, rows: Array, pairs: NDArray[np.intp]) -> Array:
        """Probability that each pair of rows is risky."""
        logits = self.compute_logits(rows, pairs)
        return np.asarray(1 / (1 + np.exp(-np.clip(logits, -60, 60))), dtype=np.float32)

    def compute_logits(self, rows: Array, pairs: NDArray[np.intp]) -> Array:
        """Calibrated log-odds that each pair of rows is risky."""
        w = self.weights
        points = np.tanh(((rows - w["mean"]) / w["scale"]) @ w["project"] + w["offset"])
        left, right = points[pairs[:, 0]], points[pairs[:, 1]]
        single = (pairs[:, :1] == pairs[:, 1:]).astype(np.float32)
        joined = np.concatenate([left + right, np.abs(left - right), left * right, single], axis=1)
        hidden = np.maximum(joined @ w["inner"] + w["inner_bias"], 0)
        logits = (hidden @ w["outer"] + w["outer_bias"])[:, 0]
        scale, shift = w[CALIBRATION][single[:, 0].astype(np.intp)].T
        return np.asarray(scale * logits + shift, dtype=np.float32)


@lru_cache(maxsize=1)
def load_bundled() -> Emulator:
    with as_file(files("maskwise.bundle").joinpath("risk", "emulator.npz")) as path:
        return Emulator.load(path)


def hash_model(model: Model) -> str:
    return model.config.files["model.onnx"]


def can_stay_visible(entity: Entity) -> bool:
    """Whether it may stay visible at all: names of the person and direct identifiers never do."""
    return not entity.is_direct


def compute_features(document: Document, entities: Sequence[Entity], model: Model) -> Array:
    """One row per entity: mean encoder state of its mentions, its type, and what its longest mention looks like."""
    encoded = model.encoder.encode([document.text], ("states",))[0]
    states, pieces = encoded.values["states"], encoded.pieces
    rows = np.zeros((len(entities), model.config.hidden + len(_TYPES) + _SURFACE), dtype=np.float32)
    for row, entity in zip(rows, entities, strict=True):
        spans = [pieces.find_covering(*mention.span) for mention in entity.mentions]
        seen = [states[first:last].mean(axis=0) for first, last in spans if last > first]
        if seen:
            row[: model.config.hidden] = np.mean(seen, axis=0)
        row[model.config.hidden + _TYPES.index(entity.type)] = 1
        row[-_SURFACE:] = _describe_surface(entity, max(last - first for first, last in spans))
    return rows


def _describe_surface(entity: Entity, pieces: int) -> list[float]:
    """Length, words, rarity (pieces per word), capitals, digits, number of mentions."""
    text = entity.longest.text
    count = max(sum(1 for _ in find_words(text)), 1)
    capitals = sum(word[:1].isupper() for word in text.split())
    digits = len(text) - len(text.translate(_NO_DIGITS))
    return [
        float(np.log1p(len(text))),
        float(np.log1p(count)),
        pieces / count,
        capitals / count,
        digits / len(text),
        float(np.log1p(len(entity.mentions))),
    ]


_NO_DIGITS = dict.fromkeys(range(ord("0"), ord("9") + 1))
