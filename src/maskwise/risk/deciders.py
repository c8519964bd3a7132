"""Deciders: small trained functions from features to a score, kept as JSON and evaluated with NumPy alone.

Files name the model whose numbers they were fitted on, since another model's log-probabilities mean other things.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import BundleError
from maskwise.lm import Model

FORMAT = 1
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Decider(Protocol):
    """Gives each row of features a score; a row from `threshold` on is risky."""

    @property
    def threshold(self) -> float: ...

    def __call__(self, rows: Floats) -> Floats: ...


@dataclass(frozen=True)
class ColumnDecider:
    """The negated value of one column: no training but the threshold. A missing value is no risk."""

    column: int
    threshold: float

    def __call__(self, rows: Floats) -> Floats:
        return np.asarray(np.nan_to_num(-rows[:, self.column], nan=0.0))


@dataclass(frozen=True)
class LogisticDecider:
    """Logistic regression over standardised columns; a missing value counts as the mean."""

    mean: Floats = field(repr=False)
    scale: Floats = field(repr=False)
    weights: Floats = field(repr=False)
    bias: float
    threshold: float

    def compute_logits(self, rows: Floats) -> Floats:
        standard = np.nan_to_num((rows - self.mean) / self.scale, nan=0.0)
        return np.asarray(standard @ self.weights + self.bias)

    def __call__(self, rows: Floats) -> Floats:
        return sigmoid(self.compute_logits(rows))


@dataclass(frozen=True)
class TreeDecider:
    """Gradient-boosted trees, all nodes in one table; a node without children holds its value.

    A row goes left where its value is at most `cut`, or missing and `missing` says left.
    """

    roots: Ints = field(repr=False)
    column: Ints = field(repr=False)
    cut: Floats = field(repr=False)
    left: Ints = field(repr=False)
    right: Ints = field(repr=False)
    missing: Ints = field(repr=False)
    value: Floats = field(repr=False)
    bias: float
    depth: int
    threshold: float

    def compute_logits(self, rows: Floats) -> Floats:
        at = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        for _ in range(self.depth):
            seen = np.take_along_axis(rows, self.column[at], axis=1)
            goes_left = np.where(np.isnan(seen), self.missing[at] == 1, seen <= self.cut[at])
            at = np.where(goes_left, self.left[at], self.right[at])  # a leaf is its own child
        return np.asarray(self.value[at].sum(axis=1) + self.bias)

    def __call__(self, rows: Floats) -> Floats:
        return sigmoid(self.compute_logits(rows))


@dataclass(frozen=True)
class MixtureDecider:
    """Several deciders, the weighted mean of their probabilities."""

    parts: tuple[Decider, ...] = field(repr=False)
    weights: Floats = field(repr=False)
    threshold: float

    def __call__(self, rows: Floats) -> Floats:
        scores = np.stack([part(rows) for part in self.parts])
        return np.asarray(self.weights @ scores)


def sigmoid(logits: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -60, 60))))


def parse_decider(raw: Mapping[str, Any]) -> Decider:
    """A decider from its JSON object."""
    parse = _PARSERS.get(raw["kind"])
    if parse is None:
        raise ValueError("kind")
    return parse(raw, float(raw["threshold"]))


def _parse_column(raw: Mapping[str, Any], threshold: float) -> Decider:
    return ColumnDecider(int(raw["column"]), threshold)


def _parse_logistic(raw: Mapping[str, Any], threshold: float) -> Decider:
    return LogisticDecider(
        mean=_to_floats(raw["mean"]),
        scale=_to_floats(raw["scale"]),
        weights=_to_floats(raw["weights"]),
        bias=float(raw["bias"]),
        threshold=threshold,
    )


def _parse_trees(raw: Mapping[str, Any], threshold: float) -> Decider:
    return TreeDecider(
        roots=_to_ints(raw["roots"]),
        column=_to_ints(raw["column"]),
        cut=_to_floats(raw["cut"]),
        left=_to_ints(raw["left"]),
        right=_to_ints(raw["right"]),
        missing=_to_ints(raw["missing"]),
        value=_to_floats(raw["value"]),
        bias=float(raw["bias"]),
        depth=int(raw["depth"]),
        threshold=threshold,
    )


def _parse_mixture(raw: Mapping[str, Any], threshold: float) -> Decider:
    parts = tuple(parse_decider({**part, "threshold": threshold}) for part in raw["parts"])
    weights = _to_floats(raw["weights"])
    if weights.shape != (len(parts),) or not parts:
        raise ValueError("weights")
    return MixtureDecider(parts, weights, threshold)


_PARSERS: Mapping[str, Callable[[Mapping[str, Any], float], Decider]] = {
    "column": _parse_column,
    "logistic": _parse_logistic,
    "trees": _parse_trees,
    "mixture": _parse_mixture,
}


def read_deciders(
    folder: str | Path | None, name: str, model: Model, features: Sequence[str] = ()
) -> Mapping[str, Any]:
    """The file of an indicator in a folder of trained deciders, checked against the model.

    Without a folder, the model's own where it has some, else the bundle's.
    """
    raw = _read_file(str(folder or _find_own_folder(name, model)), name)
    if raw.get("model") != model.config.name:
        fix = "train them for this model with `maskwise train risk`, and name the folder as `deciders`"
        other = f"{raw.get('model')!r}, not {model.config.name!r}"
        raise BundleError(f"{name}.json: its deciders were fitted to model {other}; {fix}")
    if features and list(raw.get("features", ())) != list(features):
        raise BundleError(
            f"{name}.json: its features are not those of this version; train it again"
        )
    return raw


def has_deciders(folder: str | Path | None, name: str, model: Model) -> bool:
    """Whether there are deciders for this model: its own, those of a folder that was named, or the bundle's."""
    return (
        bool(folder or _find_own_folder(name, model))
        or _read_file("", name).get("model") == model.config.name
    )


def _find_own_folder(name: str, model: Model) -> str:
    """The model's folder, where it holds the file."""
    return str(model.path) if f"{name}.json" in model.config.files else ""


def pick_decider(raw: Mapping[str, Any], name: str, source: str) -> Decider:
    """One decider of a file."""
    try:
        return parse_decider(raw["deciders"][name])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BundleError(f"{source}.json: no readable decider {name!r}; train it again") from error


@lru_cache(maxsize=16)
def _read_file(folder: str, name: str) -> Mapping[str, Any]:
    base: Any = Path(folder) if folder else files("maskwise.bundle").joinpath("risk")
    try:
        raw = json.loads(base.joinpath(f"{name}.json").read_text("utf-8"))
        if raw["format"] != FORMAT:
            raise BundleError(
                f"{name}.json: format {raw['format']}, this version reads {FORMAT}; train it again"
            )
    except (OSError, ValueError, KeyError, TypeError) as error:
        where = folder or "the package"
        raise BundleError(
            f"{where}: no readable {name}.json ({type(error).__name__}); train it again"
        ) from error
    return dict(raw)


def _to_floats(values: Any) -> Floats:
    return np.array(values, dtype=np.float64)


def _to_ints(values: Any) -> Ints:
    return np.array(values, dtype=np.int64)
