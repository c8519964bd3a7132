"""Calibrates an exported model on annotated documents that it never saw, and chooses its three points on the curve.

Calibration makes .5 mean .5, by a temperature and a shift (Guo et al. 2017) or by isotonic regression. Every text is
read through the exported graphs and in windows, as users run them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import folder as model_folder
from maskwise.lm.calibration import Calibration, compute_logit
from maskwise.lm.encoder import Array, Encoded, OnnxEncoder
from maskwise.lm.model import average_words
from maskwise.lm.pieces import Pieces
from maskwise.train.data import Example
from maskwise.train.score import Truth, align_truth, score_detection, sweep_thresholds
from maskwise.train.stream import compute_soft_targets

Method = Literal["temperature", "isotonic"]
Row = dict[str, float]
Floats = NDArray[np.float64]
_EDGE = 1e-6
_STEPS = [step / 200 for step in range(1, 200)]
# Keys of `config.json` that are written anew.
_REWRITTEN = frozenset(
    "format name version labels hidden window overlap calibration points files".split()
)


@dataclass(frozen=True, slots=True)
class FittedPoints:
    """The result of `fit_points`: `calibration` and `points` as `config.json` writes them, and how good each is."""

    calibration: dict[str, dict[str, object]]
    points: dict[str, dict[str, float]]
    metrics: dict[str, float]


def fit_points(
    folder: str | Path,
    examples: Sequence[Example],
    *,
    method: Method = "temperature",
    precision: float = 0.93,
    recall: float = 0.94,
) -> FittedPoints:
    """Calibrates pieces, then pooled entities, then picks thresholds.

    `balanced` has the best token F1. The other points have the best F1 of those that reach `precision` or `recall`.
    """
    fit = fit_temperature if method == "temperature" else fit_isotonic
    texts = [example.text for example in examples]
    encoded = OnnxEncoder(folder).encode(texts, ("tags", "mask", "direct"))
    read = list(zip(examples, encoded, strict=True))
    targets = [compute_soft_targets(example, e.pieces) for example, e in read]
    raw = np.concatenate([e.values["mask"] for e in encoded])
    masked = np.concatenate([mask for _, mask, _ in targets])
    named = np.concatenate([direct for _, _, direct in targets])
    mask = fit(raw, masked)
    direct = fit(np.concatenate([e.values["direct"] for e in encoded]), named)
    calibrated = mask(raw)
    losses = {"mask_before": (raw, masked), "mask_after": (calibrated, masked)}
    pooled, happened = _pool_examples(read, mask)
    entity = Calibration()
    if len(pooled):
        entity = fit(pooled, happened)
        losses["entity_before"] = (pooled, happened)
        losses["entity_after"] = (entity(pooled), happened)
    tags = np.concatenate([e.values["tags"] for e in encoded])
    points, metrics = _choose_points(
        align_truth(examples, folder), tags, calibrated, precision, recall
    )
    found = {f"log_loss_{name}": compute_log_loss(*pair) for name, pair in losses.items()}
    calibrations = {"mask": mask, "direct": direct, "entity": entity}
    described = {name: describe_calibration(value) for name, value in calibrations.items()}
    return FittedPoints(described, points, {**found, **metrics})


def write_points(folder: str | Path, fitted: FittedPoints) -> model_folder.ModelConfig:
    """Writes calibration and points into the model's `config.json`, with the hash of every file as it is now."""
    old = model_folder.read_config(folder)  # a damaged folder must not get fresh hashes
    raw = json.loads((Path(folder) / model_folder.CONFIG).read_text("utf-8"))
    # The shifts by type and length come from whole pipelines, not from here.
    before = raw.get("calibration", {})
    names = ("types", *model_folder.MATCHES)
    matches = {name: before[name] for name in names if name in before}
    return model_folder.write_config(
        folder,
        name=old.name,
        version=old.version,
        hidden=old.hidden,
        window=old.window,
        overlap=old.overlap,
        points=fitted.points,
        calibration={**fitted.calibration, **matches},
        notes={key: value for key, value in raw.items() if key not in _REWRITTEN},
    )


def fit_temperature(
    probability: NDArray[np.float32], happened: NDArray[np.float32], *, rounds: int = 50
) -> Calibration:
    """Fits a temperature and shift of the logit to the least log-loss by Newton's method. `happened` may be shares."""
    x = compute_logit(probability, _EDGE)
    y = happened.astype(np.float64)
    scale, shift = 1.0, 0.0
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-(scale * x + shift)))
        error, weight = p - y, np.maximum(p * (1 - p), 1e-12)
        gradient = np.array([(error * x).mean(), error.mean()])
        mixed = (weight * x).mean()
        curve = np.array([[(weight * x * x).mean(), mixed], [mixed, weight.mean()]])
        step = np.linalg.solve(curve + 1e-9 * np.eye(2), gradient)
        largest = max(float(np.abs(step).max()), 1e-12)
        step *= min(1.0, 1.0 / largest)  # far from the solution Newton's method overshoots
        scale = max(scale - float(step[0]), 1e-2)
        shift = shift - float(step[1])
        if np.abs(step).max() < 1e-8:
            break
    return Calibration(round(1 / scale, 6), round(shift, 6))


def fit_isotonic(
    probability: NDArray[np.float32], happened: NDArray[np.float32], *, knots: int = 40
) -> Calibration:
    """Fits a rising line by pooling adjacent violators, thinned to at most about `knots` points."""
    order = np.argsort(probability, kind="stable")
    x = probability[order].astype(np.float64)
    y = happened[order].astype(np.float64)
    blocks = _pool_violators(x, y, max(len(x) // (20 * knots), 1))
    centres = np.array([b[0] for b in blocks])
    levels = np.array([b[1] for b in blocks])
    even = np.linspace(0, len(centres) - 1, min(knots, len(centres)))
    points: dict[float, float] = {}
    for at in np.unique(even.round().astype(int)):
        level = float(np.clip(levels[at], 0, 1))
        points[round(float(centres[at]), 6)] = round(level, 6)
    rising = sorted(points.items())
    return Calibration(knots=tuple(rising))


def compute_log_loss(probability: NDArray[np.float32], happened: NDArray[np.float32]) -> float:
    """Computes the mean of -(y log p + (1 - y) log(1 - p))."""
    p = np.clip(probability.astype(np.float64), _EDGE, 1 - _EDGE)
    return float(-(happened * np.log(p) + (1 - happened) * np.log(1 - p)).mean())


def describe_calibration(calibration: Calibration) -> dict[str, object]:
    """Returns a calibration as `config.json` writes it."""
    return {
        "temperature": calibration.temperature,
        "shift": calibration.shift,
        "knots": calibration.knots,
    }


def _pool_examples(
    read: Iterable[tuple[Example, Encoded]], mask: Calibration
) -> tuple[Array, NDArray[np.float32]]:
    """Returns the calibrated probability of every entity, and whether annotators masked it."""
    pairs: list[tuple[float, float]] = []
    for example, encoded in read:
        pairs += _pool_entities(example, encoded.pieces, mask(encoded.values["mask"]))
    pooled = np.array([probability for probability, _ in pairs], np.float32)
    happened = np.array([outcome for _, outcome in pairs], np.float32)
    return pooled, happened


def _pool_entities(example: Example, pieces: Pieces, mask: Array) -> list[tuple[float, float]]:
    """Returns per entity and annotator its probability, pooled as in `risk/sequence`, and whether it was masked."""
    pairs = []
    for layer in example.layers:
        probability: dict[str, float] = defaultdict(float)
        happened: dict[str, bool] = defaultdict(bool)
        for span in layer:
            first, last = pieces.find_covering(span.start, span.end)
            if first < last:
                words = average_words(pieces.words[first:last], mask[first:last])
                probability[span.entity] = max(probability[span.entity], float(words.mean()))
                happened[span.entity] |= span.mask
        pairs += [(probability[name], float(happened[name])) for name in probability]
    return pairs


def _choose_points(
    table: Truth, tags: Array, mask: Array, precision: float, recall: float
) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    masks = sweep_thresholds(table, mask, _STEPS)
    finds = [{"threshold": step, **score_detection(table, tags, step)} for step in _STEPS]
    detect = _choose_rows(finds, precision, recall)
    mask_rows = _choose_rows(masks, precision, recall)
    points = {}
    metrics = {}
    for name, row in mask_rows.items():
        points[name] = {"detect": detect[name]["threshold"], "mask": row["threshold"]}
        for key in ("p", "r", "f1", "er_direct", "er_quasi"):
            metrics[f"{name}_{key}"] = row[key]
    return points, metrics


def _choose_rows(rows: Sequence[Row], precision: float, recall: float) -> dict[str, Row]:
    """Returns the rows of the three points. Thresholds never rise from `precision` to `recall`, but rise in `rows`."""
    best = max(rows, key=lambda row: row["f1"])
    above = [row for row in rows if row["threshold"] >= best["threshold"]]
    below = [row for row in rows if row["threshold"] <= best["threshold"]]
    precise = next((row for row in above if row["p"] >= precision), above[-1])
    complete = next((row for row in reversed(below) if row["r"] >= recall), below[0])
    return {"precision": precise, "balanced": best, "recall": complete}


def _pool_violators(x: Floats, y: Floats, least: int) -> list[tuple[float, float]]:
    """Returns blocks (mean x, mean y) of rising mean. Each has at least `least` points, so that none is a step."""
    stack: list[tuple[float, float, float]] = []  # sum x, sum y, count
    for at in range(0, len(x), least):
        part = slice(at, at + least)
        block = (float(x[part].sum()), float(y[part].sum()), float(len(x[part])))
        while stack and stack[-1][1] * block[2] >= block[1] * stack[-1][2]:
            last = stack.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        stack.append(block)
    return [(sx / n, sy / n) for sx, sy, n in stack]
