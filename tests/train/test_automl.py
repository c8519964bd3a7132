from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from maskwise.risk import deciders
from maskwise.risk.deciders import sigmoid
from maskwise.train.automl import convert_booster


def leaf(value: float) -> dict[str, Any]:
    return {"leaf_index": 0, "leaf_value": value}


def split(
    feature: int, cut: float, left: Any, right: Any, missing: str = "None", default: bool = True
) -> Any:
    node = {
        "split_feature": feature,
        "threshold": cut,
        "missing_type": missing,
        "default_left": default,
    }
    return {**node, "decision_type": "<=", "left_child": left, "right_child": right}


DUMP = {
    "feature_names": ["f1", "f0"],
    "tree_info": [
        {
            "tree_structure": split(
                0, 0.5, leaf(-1.0), split(1, -2.0, leaf(0.25), leaf(2.0)), "NaN", False
            )
        },
        {"tree_structure": leaf(0.5)},
    ],
}


def test_lightgbms_trees_become_one_table() -> None:
    raw = convert_booster(DUMP, ["f0", "f1", "f2"])
    rows = np.array(
        [[-3, 0.5, 9], [-3, 0.6, 9], [0, 0.6, 9], [-3, np.nan, 9], [np.nan, 1, 9]], dtype=float
    )
    found = deciders.parse_decider({**raw, "threshold": 0.5})(rows)
    # f1 asks first; missing goes right there, and in the second question, where none was missing, it reads as 0.
    assert found == pytest.approx(sigmoid(np.array([-0.5, 0.75, 2.5, 0.75, 2.5])))
    assert raw["depth"] == 2


def test_a_mixture_is_the_weighted_mean_of_its_parts() -> None:
    parts = [
        convert_booster(
            {"feature_names": ["f0"], "tree_info": [{"tree_structure": leaf(v)}]}, ["f0"]
        )
        for v in (-1, 2)
    ]
    raw = {"kind": "mixture", "weights": [0.25, 0.75], "parts": parts, "threshold": 0.4}
    decide = deciders.parse_decider(raw)
    assert decide.threshold == 0.4
    low, high = sigmoid(np.array([-1.0, 2.0]))
    assert decide(np.zeros((2, 1))) == pytest.approx([0.25 * low + 0.75 * high] * 2)
    for broken in ({"weights": [1.0]}, {"weights": [], "parts": []}):
        with pytest.raises(ValueError, match="weights"):
            deciders.parse_decider(raw | broken)
