"""Searches a decider with AutoGluon: boosted trees of several shapes, bagged over documents, weighted by their use.

AutoGluon may only try what can be written as a table of numbers (LightGBM). Its files are deleted after the search.
A decider is JSON; it is written only if it gives the same probabilities as AutoGluon.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import InputError, MaskwiseError
from maskwise.risk import deciders
from maskwise.risk.deciders import Floats

# Shapes of trees. AutoGluon stops each early, and drops or weighs what it found.
SHAPES: tuple[Mapping[str, Any], ...] = (
    {"num_leaves": 8, "learning_rate": 0.05, "min_data_in_leaf": 20},
    {"num_leaves": 31, "learning_rate": 0.05, "min_data_in_leaf": 40},
    {"num_leaves": 31, "learning_rate": 0.03, "extra_trees": True, "min_data_in_leaf": 20},
)
LABEL, WEIGHT, GROUP = "masked", "weight", "group"
NEAR = 1e-5  # how far the table may be from AutoGluon's own answer


def search_decider(
    x: Floats, share: Floats, weights: Floats, fold: NDArray[np.int64], seconds: float
) -> tuple[dict[str, Any], Floats]:
    """Returns a decider fitted to everything, and the probability of each row by models that did not see its fold."""
    import pandas

    names = [f"f{at}" for at in range(x.shape[1])]
    # Each row once as masked and once as kept, weighted by the share of annotators that says so.
    frame = pandas.DataFrame(np.concatenate([x, x]), columns=names)
    frame[LABEL] = np.repeat([1, 0], len(x))
    frame[WEIGHT] = np.concatenate([weights * share, weights * (1 - share)])
    frame[GROUP] = np.concatenate([fold, fold])
    logging.getLogger("autogluon").setLevel(logging.CRITICAL)  # it calls a missing PyTorch an error
    with TemporaryDirectory(prefix="maskwise-automl-") as folder:
        predictor = _fit_predictor(frame, folder, seconds)
        unseen = predictor.predict_proba_oof(as_multiclass=False).reindex(range(2 * len(x)))
        predictor.refit_full()
        raw = _convert_ensemble(predictor, names)
        rows = frame[names].iloc[: len(x)]
        wanted = predictor.predict_proba(rows, as_multiclass=False).to_numpy()
    found = deciders.parse_decider({**raw, "threshold": 0.5})(x)
    if not np.allclose(found, wanted, atol=NEAR):
        raise MaskwiseError(
            "automl: the table of trees does not say what AutoGluon says; please report its version"
        )
    # A row that all annotators mask, or none, was seen once; its other copy has weight 0 and no answer.
    first = unseen.to_numpy()[: len(x)]
    second = unseen.to_numpy()[len(x) :]
    return raw, np.where(np.isnan(first), second, first).astype(np.float64)


def _fit_predictor(frame: Any, folder: str, seconds: float) -> Any:
    """Lets AutoGluon fit its models to a table for some seconds."""
    from autogluon.tabular import TabularPredictor

    predictor = TabularPredictor(
        LABEL,
        problem_type="binary",
        eval_metric="log_loss",
        path=folder,
        verbosity=0,
        sample_weight=WEIGHT,
        weight_evaluation=True,
        groups=GROUP,
    )
    try:
        predictor.fit(
            frame[frame[WEIGHT] > 0],
            time_limit=seconds,
            calibrate=False,
            num_stack_levels=0,
            num_gpus=0,
            hyperparameters={"GBM": [dict(shape) for shape in SHAPES]},
            feature_generator=None,
        )
    except (AssertionError, RuntimeError) as error:  # which one depends on where the time ran out
        raise InputError(
            f"automl: AutoGluon had no model ready in {seconds:g} seconds; give it more"
        ) from error
    return predictor


def _convert_ensemble(predictor: Any, names: Sequence[str]) -> dict[str, Any]:
    """Returns the best model, fitted to everything, as weighted tables of trees."""
    trainer = predictor._trainer
    best = predictor.model_best
    shares = {best: 1.0}
    if "WeightedEnsemble" in best:
        shares = trainer.load_model(best)._get_model_weights()
    # The weights name the bags, and for each bag there is a model that saw everything.
    whole = predictor.model_refit_map()
    parts: list[tuple[float, dict[str, Any]]] = []
    for name, weight in shares.items():
        bag = trainer.load_model(whole.get(name, name))
        dumps = [booster.dump_model() for booster in _iterate_boosters(bag)]
        parts += [(float(weight), convert_booster(dump, names)) for dump in dumps]
    total = sum(weight for weight, _ in parts)
    return {
        "kind": "mixture",
        "weights": [weight / total for weight, _ in parts],
        "parts": [part for _, part in parts],
    }


def _iterate_boosters(model: Any) -> Iterator[Any]:
    """Yields the LightGBM models inside one of AutoGluon's. A bag that was fitted to everything holds one."""
    if not hasattr(model, "models"):
        yield model.model
        return
    for child in model.models:
        yield model.load_child(child).model


def convert_booster(dump: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Turns LightGBM's own description of its trees into one table of nodes. A leaf is its own child."""
    columns = [names.index(name) for name in dump["feature_names"]]
    keys = ("column", "cut", "left", "right", "missing", "value")
    table: dict[str, list[Any]] = {key: [] for key in keys}
    deepest = 0

    def add_node(node: Mapping[str, Any], depth: int) -> int:
        nonlocal deepest
        deepest = max(deepest, depth)
        at = len(table["cut"])
        leaf = "split_feature" not in node
        row = {"column": 0, "cut": 0.0, "left": at, "right": at, "missing": 0, "value": 0.0}
        if leaf:
            row["value"] = float(node["leaf_value"])
        else:
            row["column"] = columns[node["split_feature"]]
            row["cut"] = float(node["threshold"])
            # Where training saw nothing missing, LightGBM reads a missing value as zero.
            known = node["missing_type"] == "NaN"
            row["missing"] = int(node["default_left"] if known else row["cut"] >= 0)
        for key in keys:
            table[key].append(row[key])
        if not leaf:
            table["left"][at] = add_node(node["left_child"], depth + 1)
            table["right"][at] = add_node(node["right_child"], depth + 1)
        return at

    roots = [add_node(tree["tree_structure"], 0) for tree in dump["tree_info"]]
    return {"kind": "trees", "roots": roots, **table, "bias": 0.0, "depth": deepest}
