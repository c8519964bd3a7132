"""Compares two systems on one corpus: the difference of a metric, its interval, a paired bootstrap over documents.

Both systems are measured on the same resampled documents (Efron and Tibshirani 1993, chapter 16; for language
processing Koehn 2004), so that what makes a document hard for both cancels out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from maskwise.evaluate.tab import Floats, compute_ratios, resample_documents


@dataclass(frozen=True, slots=True)
class Difference:
    """Second minus first, with a 95 % interval. `p` is two-sided, and no smaller than the resamples can show."""

    value: float
    low: float
    high: float
    p: float


def compare_systems(
    first: Floats, second: Floats, *, resamples: int = 1000, seed: int = 0
) -> dict[str, Difference]:
    """Returns the differences of all metrics, from the counts (`tab.tally_documents`) of two systems.

    The counts are of the same documents in the same order.
    """
    if first.shape != second.shape:
        raise ValueError(f"counts of different documents: {first.shape} and {second.shape}")
    values = [compute_ratios(table.sum(axis=0)[None]) for table in (first, second)]
    samples = [
        compute_ratios(resample_documents(table, resamples, seed)) for table in (first, second)
    ]
    found = {}
    for name in values[0]:
        value = float(values[1][name][0] - values[0][name][0])
        found[name] = _measure_difference(value, samples[1][name] - samples[0][name])
    return found


def _measure_difference(value: float, samples: Floats) -> Difference:
    known = samples[~np.isnan(samples)]
    if not known.size or np.isnan(value):
        return Difference(float("nan"), float("nan"), float("nan"), float("nan"))
    low, high = np.quantile(known, (0.025, 0.975))
    tail = min(int((known <= 0).sum()), int((known >= 0).sum()))
    p = min(1.0, 2 * (tail + 1) / (known.size + 1))
    return Difference(value, float(low), float(high), p)
