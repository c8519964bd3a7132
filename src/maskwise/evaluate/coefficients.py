"""Coefficients of agreement between annotators over one table of labels (Artstein and Poesio 2008).

Rows of `labels` are annotators, columns are items; 0 is an item the annotator did not mark, 1 and up are categories.
`weights` says how much an item counts (a run of characters of one labelling counts its length).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

Labels = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def observed(labels: Labels, weights: Floats) -> float:
    """Average observed agreement: the share of pairs of annotators that give an item one label, over all items."""
    table = _counts(labels)
    raters = len(labels)
    same = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1))
    return float(np.average(same, weights=weights))


def fleiss(labels: Labels, weights: Floats) -> float:
    """Fleiss' kappa (1971): (Ao - Ae) / (1 - Ae), Ae the chance that two labels drawn from all are the same."""
    share = weights @ _counts(labels) / (weights.sum() * len(labels))
    return _corrected(observed(labels, weights), float((share**2).sum()))


def cohen(labels: Labels, weights: Floats) -> float:
    """Cohen's kappa (1960), each pair of annotators with their own distributions, averaged over pairs."""
    rows = np.eye(int(labels.max(initial=0)) + 1)[labels]
    shares = np.einsum("rik,i->rk", rows, weights) / weights.sum()
    pairs = [
        _corrected(float(np.average(labels[a] == labels[b], weights=weights)), float(shares[a] @ shares[b]))
        for a, b in combinations(range(len(labels)), 2)
    ]
    return float(np.mean(pairs))


def krippendorff(labels: Labels, weights: Floats) -> float:
    """Krippendorff's alpha (1980) for categories: 1 - Do / De. What is not marked is missing, not a disagreement."""
    table = _counts(labels)[:, 1:]
    sizes = table.sum(axis=1)
    paired = sizes > 1
    table, sizes, weights = table[paired], sizes[paired], weights[paired]
    total = float(weights @ sizes)
    if total <= 1:
        return float("nan")
    category = weights @ table
    actual = float(weights @ ((sizes**2 - (table**2).sum(axis=1)) / (sizes - 1))) / total
    expected = float(total**2 - (category**2).sum()) / (total * (total - 1))
    return 1 - actual / expected if expected > 0 else 1.0


def _counts(labels: Labels) -> Floats:
    """How many annotators gave each item each label."""
    return np.stack([(labels == k).sum(axis=0) for k in range(int(labels.max(initial=0)) + 1)], axis=1).astype(float)


def _corrected(actual: float, chance: float) -> float:
    return (actual - chance) / (1 - chance) if chance < 1 else 1.0
