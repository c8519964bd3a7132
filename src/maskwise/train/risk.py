"""Training of the risk indicators' deciders on annotated documents: scikit-learn to fit, JSON to keep.

The target of an entity is the share of its words that annotators masked (see `marked`). Thresholds are chosen on
predictions for documents that the fold did not see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import InputError
from maskwise.lm import Model, Reading, load
from maskwise.risk import deciders, perturbation, span
from maskwise.risk.deciders import Floats, sigmoid
from maskwise.risk.surprise import FEATURES, compute_features, measure_surprise
from maskwise.train.data import Example
from maskwise.train.marked import Marked, marked
from maskwise.train.trees import as_json

FOLDS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Everything that training reads of the model, for all entities of all documents; `group` numbers the documents."""

    rows: Floats
    vectors: Floats
    share: Floats
    size: Floats
    group: NDArray[np.int64]


def train_risk(
    corpus: Sequence[Example],
    out: str | Path,
    *,
    model: str = "small",
    pairs: int = 30,
    targets: int = 5,
    automl: float | None = None,
) -> dict[str, float]:
    """Fits all deciders and writes `probability.json`, `span.json` and `perturbation.json`; returns what it found.

    Thresholds of perturbation come from the first `pairs` documents: they take one pass an entity. `automl` is the
    number of seconds in which AutoGluon may look for a decider of probabilities.
    """
    if len(corpus) < FOLDS:
        raise InputError(f"training needs at least {FOLDS} annotated documents, here are {len(corpus)}")
    reader = load(model)
    documents = [marked(example) for example in corpus]
    data = measure(reader, documents)
    names = {"format": deciders.FORMAT, "model": reader.config.name}
    probability, numbers, trees = fit_probability(data)
    if automl:
        probability["automl"], numbers["automl"] = fit_automl(data, automl)
    fusion, fused = fit_span(data, trees)
    limit, reached = fit_pairs(reader, documents[:pairs], targets)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "probability.json", {**names, "features": FEATURES, "deciders": probability})
    _write(folder / "span.json", {**names, "features": FEATURES, "deciders": fusion})
    _write(folder / "perturbation.json", {**names, "deciders": {"pairs": limit}})
    return {"entities": float(len(data.share)), **numbers, **fused, **reached}


def measure(model: Model, documents: Sequence[Marked]) -> Measured:
    """Features and pooled states of all entities. Those that the model cannot read are left out."""
    rows = [compute_features(d.entities, measure_surprise(model, d.document, d.entities)) for d in documents]
    vectors = [span.pool_states(*Reading.of(d.document).take_states(model, d.document), d.entities) for d in documents]
    read = [~np.isnan(v[:, 0]) for v in vectors]

    def stack(parts: Sequence[Floats]) -> Floats:
        return np.concatenate([part[keep] for part, keep in zip(parts, read, strict=True)])

    group = [np.full(len(d.entities), at) for at, d in enumerate(documents)]
    return Measured(
        stack(rows),
        stack(vectors),
        stack([d.share for d in documents]),
        stack([d.size for d in documents]),
        stack(group).astype(np.int64),
    )


def fit_probability(data: Measured) -> tuple[dict[str, Any], dict[str, float], Floats]:
    """The three deciders of `probability`, their F1 on unseen documents, and the unseen logits of the trees."""
    column = FEATURES.index("sum")
    zero, zero_f1 = best_threshold(-data.rows[:, column], data)
    logistic, linear = _crossed(data.rows, data, _logistic)
    trees, boosted = _crossed(data.rows, data, _trees)
    (line, line_f1), (cut, cut_f1) = (best_threshold(sigmoid(logits), data) for logits in (linear, boosted))
    found = {
        "zero-shot": {"kind": "column", "column": column, "threshold": zero},
        "logistic": {**logistic, "threshold": line},
        "boosting": {**trees, "threshold": cut},
    }
    return found, {"zero-shot": zero_f1, "logistic": line_f1, "boosting": cut_f1}, boosted


def fit_automl(data: Measured, seconds: float) -> tuple[dict[str, Any], float]:
    """The decider of probabilities that AutoGluon finds, and its F1 on unseen documents."""
    from maskwise.train.automl import search

    raw, unseen = search(data.rows, data.share, _weights(data), data.group % FOLDS, seconds)
    threshold, f1 = best_threshold(unseen, data)
    return {**raw, "threshold": threshold}, f1


def fit_span(data: Measured, trees: Floats) -> tuple[dict[str, Any], dict[str, float]]:
    """Text and numbers apart, and their fusion over logits of unseen documents."""
    text, logits = _crossed(data.vectors, data, lambda x, y, w: _logistic(x, y, w, 0.003))
    numbers = _trees(data.rows, data.share, _weights(data))
    both = np.stack([logits, trees], axis=1)
    fusion, fused = _crossed(both, data, _logistic)
    threshold, f1 = best_threshold(sigmoid(fused), data)
    found = {"text": text, "numbers": numbers, "fusion": fusion}
    return {name: {**raw, "threshold": threshold} for name, raw in found.items()}, {"span": f1}


def fit_pairs(model: Model, documents: Sequence[Marked], targets: int) -> tuple[dict[str, Any], dict[str, float]]:
    """The threshold that maximises P + R_direct + R_quasi (equation 1 of the paper) among those of zero or more.

    The limit is ours. Without it the best threshold is negative and nearly everything is masked, as in the paper; but
    an entity without which the target is easier to guess is no evidence that the two are risky together.
    """
    drops = [strongest(model, d, targets) for d in documents]
    value = np.concatenate(drops)
    share, size, direct, quasi = (
        np.concatenate([getattr(d, name) for d in documents]) for name in ("share", "size", "direct", "quasi")
    )
    best, threshold = -1.0, 0.0
    for candidate in np.unique(np.round(value[np.isfinite(value) & (value >= 0)], 2)):
        chosen = value >= candidate
        found = float((size * share)[chosen].sum() / max(size[chosen].sum(), 1))
        recalls = [float(n[chosen].sum() / max(n.sum(), 1)) for n in (direct, quasi)]
        if found + sum(recalls) > best:
            best, threshold = found + sum(recalls), float(candidate)
    return {"kind": "column", "column": 0, "threshold": threshold}, {"perturbation": best}


def strongest(model: Model, item: Marked, targets: int) -> Floats:
    """The largest drop of any pair that each entity is in; minus infinity for one in no pair."""
    result = np.full(len(item.entities), -np.inf)
    if len(item.entities) < 2:
        return result
    chosen = perturbation.choose_targets(model, item.document, item.entities, targets)
    for pair, nats in perturbation.measure_drops(model, item.document, item.entities, chosen).nats.items():
        result[list(pair)] = np.maximum(result[list(pair)], nats)
    return result


def best_threshold(scores: Floats, data: Measured) -> tuple[float, float]:
    """The score from which on masking has the best F1 by words, and that F1."""
    scores = np.nan_to_num(scores, nan=float(np.nanmin(scores)))
    order = np.argsort(-scores, kind="stable")
    wanted, chosen = (data.share * data.size)[order], data.size[order]
    f1 = 2 * np.cumsum(wanted) / (np.cumsum(chosen) + wanted.sum())
    f1[:-1][np.diff(scores[order]) == 0] = 0  # a threshold cannot part equals
    at = int(f1.argmax())
    return round(float(scores[order][at]), 4), float(f1[at])


def _crossed(x: Floats, data: Measured, fit: Any) -> tuple[dict[str, Any], Floats]:
    """The decider fitted on everything, and the logits of each document by one that did not see it."""
    weights = _weights(data)
    fold = data.group % FOLDS
    logits = np.zeros(len(x))
    for at in np.unique(fold):
        seen, held = fold != at, fold == at
        part = deciders.parse_decider({**fit(x[seen], data.share[seen], weights[seen]), "threshold": 0.5})
        logits[held] = part.compute_logits(x[held])  # type: ignore[attr-defined]
    return fit(x, data.share, weights), logits


def _weights(data: Measured) -> Floats:
    """Long entities count more, as they do in the metrics, but not so much that one name outweighs a document."""
    return np.sqrt(np.maximum(data.size, 1))


def _doubled(x: Floats, share: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Each row once as masked and once as kept, weighted by the share that says so."""
    y = np.repeat([1.0, 0.0], len(x))
    w = np.concatenate([weights * share, weights * (1 - share)])
    keep = w > 0
    return np.concatenate([x, x])[keep], y[keep], w[keep]


def _logistic(x: Floats, share: Floats, weights: Floats, strength: float = 1.0) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression

    mean, scale = np.nanmean(x, axis=0), np.maximum(np.nanstd(x, axis=0), 1e-6)
    rows, y, w = _doubled(np.nan_to_num((x - mean) / scale, nan=0.0), share, weights)
    found = LogisticRegression(C=strength, max_iter=2000).fit(rows, y, w)
    numbers = {"mean": mean, "scale": scale, "weights": found.coef_[0]}
    return {
        "kind": "logistic",
        **{name: [float(f"{v:.6g}") for v in values] for name, values in numbers.items()},
        "bias": float(found.intercept_[0]),
    }


def _trees(x: Floats, share: Floats, weights: Floats) -> dict[str, Any]:
    from sklearn.ensemble import HistGradientBoostingClassifier

    rows, y, w = _doubled(x, share, weights)
    found = HistGradientBoostingClassifier(
        max_iter=120, learning_rate=0.06, max_leaf_nodes=8, min_samples_leaf=20, l2_regularization=5.0, random_state=0
    )
    return as_json(found.fit(rows, y, w))


def _write(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, separators=(",", ":")) + "\n", "utf-8")
