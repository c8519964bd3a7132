"""Calibration of an exported model on annotated documents that it never trained on, and its three points on the curve.

Calibration makes .5 mean .5: by a temperature and a shift (Guo et al. 2017) or by isotonic regression. Every text is
read through the exported graphs, windows and all, as users run them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import folder as model_folder
from maskwise.lm.calibration import Calibration, compute_logit
from maskwise.lm.encoder import Array, OnnxEncoder
from maskwise.lm.model import average_words
from maskwise.lm.pieces import Pieces
from maskwise.train.data import Example
from maskwise.train.score import Truth, align_truth, score_detection, sweep
from maskwise.train.stream import compute_soft_targets

Method = Literal["temperature", "isotonic"]
Row = dict[str, float]
Floats = NDArray[np.float64]
_EDGE = 1e-6
_STEPS = [step / 200 for step in range(1, 200)]
_KEPT = frozenset(
    (
        "format",
        "name",
        "version",
        "labels",
        "hidden",
        "window",
        "overlap",
        "calibration",
        "points",
        "files",
    )
)


@dataclass(frozen=True, slots=True)
class FittedPoints:
    """What `fit` found: `calibration` and `points` as `config.json` writes them, and how good each is."""

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
    """Calibrates pieces, then pooled entities; then picks thresholds.

    `balanced` has the best token F1, the others the best of the rest at which token precision or recall is reached.
    """
    encoder = OnnxEncoder(folder)
    texts = [example.text for example in examples]
    encoded = encoder.encode(texts, ("tags", "mask", "direct"))
    values = {
        name: np.concatenate([e.values[name] for e in encoded])
        for name in ("tags", "mask", "direct")
    }
    targets = [
        compute_soft_targets(example, e.pieces)
        for example, e in zip(examples, encoded, strict=True)
    ]
    masked = np.concatenate([mask for _, mask, _ in targets])
    named = np.concatenate([direct for _, _, direct in targets])
    fit = fit_temperature if method == "temperature" else fit_isotonic
    mask = fit(values["mask"], masked)
    direct = fit(values["direct"], named)
    pairs: list[tuple[float, float]] = []
    for example, e in zip(examples, encoded, strict=True):
        pairs += _pool_entities(example, e.pieces, mask(e.values["mask"]))
    pooled = np.array([probability for probability, _ in pairs], np.float32)
    happened = np.array([outcome for _, outcome in pairs], np.float32)
    entity = fit(pooled, happened) if pairs else Calibration()
    calibrated = mask(values["mask"])
    table = align_truth(examples, folder)
    points, metrics = _choose_points(table, values["tags"], calibrated, precision, recall)
    losses = {"mask_before": (values["mask"], masked), "mask_after": (calibrated, masked)}
    if pairs:
        losses["entity_before"] = (pooled, happened)
        losses["entity_after"] = (entity(pooled), happened)
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
        notes={key: value for key, value in raw.items() if key not in _KEPT},
    )


def fit_temperature(
    probability: NDArray[np.float32], happened: NDArray[np.float32], *, rounds: int = 50
) -> Calibration:
    """The temperature and shift of the logit with the least log-loss, by Newton's method. `happened` may be shares."""
    x = compute_logit(probability, _EDGE)
    y = happened.astype(np.float64)
    scale, shift = 1.0, 0.0
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-(scale * x + shift)))
        error, weight = p - y, np.maximum(p * (1 - p), 1e-12)
        gradient = np.array([(error * x).mean(), error.mean()])
        curve = np.array(
            [[(weight * x * x).mean(), (weight * x).mean()], [(weight * x).mean(), weight.mean()]]
        )
        step = np.linalg.solve(curve + 1e-9 * np.eye(2), gradient)
        step *= min(
            1.0, 1.0 / max(float(np.abs(step).max()), 1e-12)
        )  # far from the solution Newton overshoots
        scale = max(scale - float(step[0]), 1e-2)
        shift = shift - float(step[1])
        if np.abs(step).max() < 1e-8:
            break
    return Calibration(round(1 / scale, 6), round(shift, 6))


def fit_isotonic(
    probability: NDArray[np.float32], happened: NDArray[np.float32], *, knots: int = 40
) -> Calibration:
    """A rising line by pooling adjacent violators, thinned to at most about `knots` points."""
    order = np.argsort(probability, kind="stable")
    x = probability[order].astype(np.float64)
    y = happened[order].astype(np.float64)
    blocks = _pool_violators(x, y, max(len(x) // (20 * knots), 1))
    centres = np.array([b[0] for b in blocks])
    levels = np.array([b[1] for b in blocks])
    keep = np.unique(np.linspace(0, len(centres) - 1, min(knots, len(centres))).round().astype(int))
    points = {round(float(centres[i]), 6): round(float(np.clip(levels[i], 0, 1)), 6) for i in keep}
    return Calibration(knots=tuple(sorted(points.items())))


def compute_log_loss(probability: NDArray[np.float32], happened: NDArray[np.float32]) -> float:
    """Mean of -(y log p + (1 - y) log(1 - p))."""
    p = np.clip(probability.astype(np.float64), _EDGE, 1 - _EDGE)
    return float(-(happened * np.log(p) + (1 - happened) * np.log(1 - p)).mean())


def describe_calibration(calibration: Calibration) -> dict[str, object]:
    """How `config.json` writes it."""
    return {
        "temperature": calibration.temperature,
        "shift": calibration.shift,
        "knots": calibration.knots,
    }


def _pool_entities(example: Example, pieces: Pieces, mask: Array) -> list[tuple[float, float]]:
    """For each entity of each annotator: its probability, pooled as in `risk/sequence`, and whether it was masked."""
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
    masks = sweep(table, mask, _STEPS)
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
    """Rows of the three points, thresholds never rising from `precision` to `recall`. `rows` rise in threshold."""
    best = max(rows, key=lambda row: row["f1"])
    above = [row for row in rows if row["threshold"] >= best["threshold"]]
    below = [row for row in rows if row["threshold"] <= best["threshold"]]
    precise = next((row for row in above if row["p"] >= precision), above[-1])
    complete = next((row for row in reversed(below) if row["r"] >= recall), below[0])
    return {"precision": precise, "balanced": best, "recall": complete}


def _pool_violators(x: Floats, y: Floats, least: int) -> list[tuple[float, float]]:
    """Blocks (mean x, mean y) of rising mean; each holds at least `least` points, so that no single one is a step."""
    stack: list[tuple[float, float, float]] = []  # sum x, sum y, count
    for at in range(0, len(x), least):
        block = (
            float(x[at : at + least].sum()),
            float(y[at : at + least].sum()),
            float(len(x[at : at + least])),
        )
        while stack and stack[-1][1] * block[2] >= block[1] * stack[-1][2]:
            last = stack.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        stack.append(block)
    return [(sx / n, sy / n) for sx, sy, n in stack]
