"""Cuts long sequences into overlapping windows, and blends their results where they overlap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cut_windows(n: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Returns ranges `[start, end)` of at most `size` that cover `0..n`. Neighbours share at least `overlap`.

    The windows are spread evenly, so that the last is not a short rest without context:

    >>> cut_windows(10, 6, 2)
    [(0, 6), (4, 10)]
    """
    if not 0 <= overlap < size:
        raise ValueError(f"overlap {overlap} is not inside a window of {size}")
    if n <= 0:
        return []
    if n <= size:
        return [(0, n)]
    count = -(-(n - overlap) // (size - overlap))
    starts = [at * (n - size) // (count - 1) for at in range(count)]
    return [(start, start + size) for start in starts]


def fit_windows(n: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Returns as many ranges as `cut_windows`, each only as long as the overlap needs.

    >>> fit_windows(10, 8, 2)
    [(0, 6), (4, 10)]
    """
    windows = cut_windows(n, size, overlap)
    count = len(windows)
    if count < 2:
        return windows
    least = -(-(n + (count - 1) * overlap) // count)
    return cut_windows(n, least, overlap)


def weigh_window(length: int) -> NDArray[np.float32]:
    """Returns positive weights that fall from the middle of a window to its ends, where one side has no context."""
    rise = np.arange(1, length + 1, dtype=np.float32)
    return np.minimum(rise, rise[::-1])


class Blend:
    """Averages what several windows say about the same positions, weighted by `weigh_window`."""

    def __init__(self, n: int, shape: tuple[int, ...] = ()) -> None:
        """Prepares for `n` positions, each with values of this shape."""
        self._sum = np.zeros((n, *shape), dtype=np.float32)
        self._weight = np.zeros((n, *[1] * len(shape)), dtype=np.float32)

    def add(self, start: int, values: NDArray[np.float32]) -> None:
        """Adds the values of one window: one row per position, from `start` on."""
        span = slice(start, start + len(values))
        weight = weigh_window(len(values)).reshape(-1, *self._weight.shape[1:])
        self._sum[span] += values * weight
        self._weight[span] += weight

    def average(self) -> NDArray[np.float32]:
        """Returns the averages. Every position must have been added. May be called once."""
        return np.divide(self._sum, self._weight, out=self._sum)
