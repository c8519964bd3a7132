"""Fits the deciders of the risk indicators to annotated documents by scikit-learn, and writes them as JSON.

The target of an entity is the share of its words that annotators masked (see `train.marked`). Thresholds are chosen on
predictions for documents that the fold did not see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import InputError
from maskwise.lm import Model, Reading, load_model
from maskwise.risk import deciders, perturbation, span
from maskwise.risk.deciders import Floats, sigmoid
from maskwise.risk.surprise import FEATURES, compute_features, measure_surprise
from maskwise.train.data import Example
from maskwise.train.marked import JudgedDocument, unite_annotators

FOLDS = 8


@dataclass(frozen=True, slots=True, eq=False)
class EntityMeasures:
    """The numbers that training reads from the model, for all entities. `group` numbers the documents."""

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
    """Fits all deciders and writes `probability.json`, `span.json` and `perturbation.json`. Returns their figures.

    Thresholds of perturbation come from the first `pairs` documents, because they take one pass per entity. `automl`
    is the number of seconds in which AutoGluon may look for a decider of probabilities.
    """
    if len(corpus) < FOLDS:
        raise InputError(
            f"training needs at least {FOLDS} annotated documents, here are {len(corpus)}"
        )
    reader = load_model(model)
    documents = [unite_annotators(example) for example in corpus]
    data = measure_entities(reader, documents)
    names = {"format": deciders.FORMAT, "model": reader.config.name}
    probability, numbers, trees = fit_probability(data)
    if automl:
        probability["automl"], numbers["automl"] = fit_automl(data, automl)
    fusion, fused = fit_span(data, trees)
    limit, reached = fit_pairs(reader, documents[:pairs], targets)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    _write_json(
        folder / "probability.json", {**names, "features": FEATURES, "deciders": probability}
    )
    _write_json(folder / "span.json", {**names, "features": FEATURES, "deciders": fusion})
    _write_json(folder / "perturbation.json", {**names, "deciders": {"pairs": limit}})
    return {"entities": float(len(data.share)), **numbers, **fused, **reached}


def measure_entities(model: Model, documents: Sequence[JudgedDocument]) -> EntityMeasures:
    """Measures features and pooled states of all entities. Those that the model cannot read are left out."""
    rows, vectors = [], []
    for item in documents:
        surprise = measure_surprise(model, item.document, item.entities)
        rows.append(compute_features(item.entities, surprise))
        pieces, states = Reading.find(item.document).take_states(model, item.document)
        vectors.append(span.pool_states(pieces, states, item.entities))
    read = [~np.isnan(v[:, 0]) for v in vectors]

    def stack_read(parts: Sequence[Floats]) -> Floats:
        return np.concatenate([part[keep] for part, keep in zip(parts, read, strict=True)])

    group = [np.full(len(d.entities), at) for at, d in enumerate(documents)]
    return EntityMeasures(
        stack_read(rows),
        stack_read(vectors),
        stack_read([d.share for d in documents]),
        stack_read([d.size for d in documents]),
        stack_read(group).astype(np.int64),
    )


def fit_probability(data: EntityMeasures) -> tuple[dict[str, Any], dict[str, float], Floats]:
    """Fits the three deciders of `probability`. Returns them, their F1 and the trees' logits on unseen documents."""
    column = FEATURES.index("sum")
    zero, zero_f1 = find_threshold(-data.rows[:, column], data)
    logistic, linear = _cross_validate(data.rows, data, _fit_logistic)
    trees, boosted = _cross_validate(data.rows, data, _fit_trees)
    line, line_f1 = find_threshold(sigmoid(linear), data)
    cut, cut_f1 = find_threshold(sigmoid(boosted), data)
    found = {
        "zero-shot": {"kind": "column", "column": column, "threshold": zero},
        "logistic": {**logistic, "threshold": line},
        "boosting": {**trees, "threshold": cut},
    }
    return found, {"zero-shot": zero_f1, "logistic": line_f1, "boosting": cut_f1}, boosted


def fit_automl(data: EntityMeasures, seconds: float) -> tuple[dict[str, Any], float]:
    """Returns the decider of probabilities that AutoGluon finds, and its F1 on unseen documents."""
    from maskwise.train.automl import search_decider

    weights = _weigh_entities(data)
    raw, unseen = search_decider(data.rows, data.share, weights, data.group % FOLDS, seconds)
    threshold, f1 = find_threshold(unseen, data)
    return {**raw, "threshold": threshold}, f1


def fit_span(data: EntityMeasures, trees: Floats) -> tuple[dict[str, Any], dict[str, float]]:
    """Fits text and numbers apart, and their fusion over logits of unseen documents."""
    fit_text = partial(_fit_logistic, strength=0.003)
    text, logits = _cross_validate(data.vectors, data, fit_text)
    numbers = _fit_trees(data.rows, data.share, _weigh_entities(data))
    both = np.stack([logits, trees], axis=1)
    fusion, fused = _cross_validate(both, data, _fit_logistic)
    threshold, f1 = find_threshold(sigmoid(fused), data)
    found = {"text": text, "numbers": numbers, "fusion": fusion}
    return {name: {**raw, "threshold": threshold} for name, raw in found.items()}, {"span": f1}


def fit_pairs(
    model: Model, documents: Sequence[JudgedDocument], targets: int
) -> tuple[dict[str, Any], dict[str, float]]:
    """Finds the threshold of at least zero that maximises P + R_direct + R_quasi (equation 1 of the paper).

    The paper has no such limit: its best threshold is negative and nearly everything is masked. But an entity whose
    removal makes the target easier to guess is no evidence that the two are risky together.
    """
    drops = [find_strongest_drops(model, d, targets) for d in documents]
    value = np.concatenate(drops)
    share = np.concatenate([d.share for d in documents])
    size = np.concatenate([d.size for d in documents])
    direct = np.concatenate([d.direct for d in documents])
    quasi = np.concatenate([d.quasi for d in documents])
    best, threshold = -1.0, 0.0
    positive = value[np.isfinite(value) & (value >= 0)]
    for candidate in np.unique(np.round(positive, 2)):
        chosen = value >= candidate
        precision = float((size * share)[chosen].sum() / max(size[chosen].sum(), 1))
        recalls = [float(n[chosen].sum() / max(n.sum(), 1)) for n in (direct, quasi)]
        total = precision + sum(recalls)
        if total > best:
            best = total
            threshold = float(candidate)
    return {"kind": "column", "column": 0, "threshold": threshold}, {"perturbation": best}


def find_strongest_drops(model: Model, item: JudgedDocument, targets: int) -> Floats:
    """Returns the largest drop of any pair that each entity is in; minus infinity for one in no pair."""
    result = np.full(len(item.entities), -np.inf)
    if len(item.entities) < 2:
        return result
    chosen = perturbation.choose_targets(model, item.document, item.entities, targets)
    drops = perturbation.measure_drops(model, item.document, item.entities, chosen)
    for pair, nats in drops.nats.items():
        result[list(pair)] = np.maximum(result[list(pair)], nats)
    return result


def find_threshold(scores: Floats, data: EntityMeasures) -> tuple[float, float]:
    """Returns the score from which on masking has the best F1 by words, and that F1."""
    scores = np.nan_to_num(scores, nan=float(np.nanmin(scores)))
    order = np.argsort(-scores, kind="stable")
    wanted = (data.share * data.size)[order]
    chosen = data.size[order]
    f1 = 2 * np.cumsum(wanted) / (np.cumsum(chosen) + wanted.sum())
    f1[:-1][np.diff(scores[order]) == 0] = 0  # a threshold cannot part equals
    at = int(f1.argmax())
    return round(float(scores[order][at]), 4), float(f1[at])


def _cross_validate(x: Floats, data: EntityMeasures, fit: Any) -> tuple[dict[str, Any], Floats]:
    """Returns a decider fitted on everything, and the logits of each document by one that did not see it."""
    weights = _weigh_entities(data)
    fold = data.group % FOLDS
    logits = np.zeros(len(x))
    for at in np.unique(fold):
        seen, held = fold != at, fold == at
        raw = fit(x[seen], data.share[seen], weights[seen])
        part = deciders.parse_decider({**raw, "threshold": 0.5})
        logits[held] = part.compute_logits(x[held])  # type: ignore[attr-defined]
    return fit(x, data.share, weights), logits


def _weigh_entities(data: EntityMeasures) -> Floats:
    """Weighs entities. Long ones count more, as in the metrics, but not so much that one name outweighs a document."""
    return np.sqrt(np.maximum(data.size, 1))


def _double_rows(x: Floats, share: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Returns each row once as masked and once as kept, weighted by the share that says so."""
    y = np.repeat([1.0, 0.0], len(x))
    w = np.concatenate([weights * share, weights * (1 - share)])
    keep = w > 0
    return np.concatenate([x, x])[keep], y[keep], w[keep]


def _fit_logistic(
    x: Floats, share: Floats, weights: Floats, strength: float = 1.0
) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression

    mean = np.nanmean(x, axis=0)
    scale = np.maximum(np.nanstd(x, axis=0), 1e-6)
    scaled = np.nan_to_num((x - mean) / scale, nan=0.0)
    rows, y, w = _double_rows(scaled, share, weights)
    found = LogisticRegression(C=strength, max_iter=2000).fit(rows, y, w)
    return {
        "kind": "logistic",
        "mean": _round_values(mean),
        "scale": _round_values(scale),
        "weights": _round_values(found.coef_[0]),
        "bias": float(found.intercept_[0]),
    }


def _round_values(values: Floats) -> list[float]:
    """Returns the values in six significant digits."""
    return [float(f"{value:.6g}") for value in values]


def _fit_trees(x: Floats, share: Floats, weights: Floats) -> dict[str, Any]:
    from sklearn.ensemble import HistGradientBoostingClassifier

    rows, y, w = _double_rows(x, share, weights)
    found = HistGradientBoostingClassifier(
        max_iter=120,
        learning_rate=0.06,
        max_leaf_nodes=8,
        min_samples_leaf=20,
        l2_regularization=5.0,
        random_state=0,
    )
    return _dump_trees(found.fit(rows, y, w))


def _dump_trees(model: Any) -> dict[str, Any]:
    """Returns the nodes of all trees in one table. A leaf is its own child: walks of equal length end in leaves."""
    tables = [stage[0].nodes for stage in model._predictors]
    starts = np.cumsum([0, *(len(table) for table in tables)])[:-1]
    nodes = np.concatenate(tables)
    offset = np.repeat(starts, [len(table) for table in tables])
    leaf = nodes["is_leaf"].astype(bool)
    own = np.arange(len(nodes))
    return {
        "kind": "trees",
        "roots": starts.tolist(),
        "column": np.where(leaf, 0, nodes["feature_idx"]).tolist(),
        # Cuts are not rounded, because they may be values of the data.
        "cut": np.where(leaf, 0.0, nodes["num_threshold"]).tolist(),
        "left": np.where(leaf, own, nodes["left"] + offset).tolist(),
        "right": np.where(leaf, own, nodes["right"] + offset).tolist(),
        "missing": nodes["missing_go_to_left"].astype(int).tolist(),
        "value": [float(f"{v:.7g}") for v in np.where(leaf, nodes["value"], 0.0)],
        "bias": float(np.ravel(model._baseline_prediction)[0]),
        "depth": int(nodes["depth"].max()),
    }


def _write_json(path: Path, value: dict[str, Any]) -> None:
    path.write_text(json.dumps(value, separators=(",", ":")) + "\n", "utf-8")
