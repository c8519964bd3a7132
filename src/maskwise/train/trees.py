"""Gradient-boosted trees of scikit-learn as one table of numbers, for `maskwise.risk.deciders.TreeDecider`."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_json(model: Any) -> dict[str, Any]:
    """Nodes of all trees, numbered through; a leaf is its own child, so that walks of equal length end in leaves."""
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
        "cut": np.where(leaf, 0.0, nodes["num_threshold"]).tolist(),  # exact: cuts may be values of the data
        "left": np.where(leaf, own, nodes["left"] + offset).tolist(),
        "right": np.where(leaf, own, nodes["right"] + offset).tolist(),
        "missing": nodes["missing_go_to_left"].astype(int).tolist(),
        "value": [float(f"{v:.7g}") for v in np.where(leaf, nodes["value"], 0.0)],
        "bias": float(np.ravel(model._baseline_prediction)[0]),
        "depth": int(nodes["depth"].max()),
    }
