"""Long sequences as overlapping windows, and the weights that blend their results where they overlap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def cut_windows(n: int, size: int, overlap: int) -> list[tuple[int, int]]:
    """Ranges `[start, end)` of at most `size` that cover `0..n`; neighbours share at least `overlap`.

    The windows are spread evenly, so the last is not a short rest without context:

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
    """As many ranges as `cut_windows` gives, each only as long as this overlap needs: no position is read for nothing.

    >>> fit_windows(10, 8, 2)
    [(0, 6), (4, 10)]
    """
    count = len(cut_windows(n, size, overlap))
    return (
        cut_windows(n, -(-(n + (count - 1) * overlap) // count), overlap)
        if count > 1
        else cut_windows(n, size, overlap)
    )


def weigh_window(length: int) -> NDArray[np.float32]:
    """Weights that fall from the middle of a window to its ends, where context is missing on one side; all positive."""
    rise = np.arange(1, length + 1, dtype=np.float32)
    return np.minimum(rise, rise[::-1])


class Blend:
    """Averages what several windows say about the same positions, weighted by `weigh_window`."""

    def __init__(self, n: int, shape: tuple[int, ...] = ()) -> None:
        """For `n` positions, each with values of this shape."""
        self._sum = np.zeros((n, *shape), dtype=np.float32)
        self._weight = np.zeros((n, *[1] * len(shape)), dtype=np.float32)

    def add(self, start: int, values: NDArray[np.float32]) -> None:
        """Values of positions `start...`, one row each."""
        span = slice(start, start + len(values))
        weight = weigh_window(len(values)).reshape(-1, *self._weight.shape[1:])
        self._sum[span] += values * weight
        self._weight[span] += weight

    def average(self) -> NDArray[np.float32]:
        """The averages, to be asked for once; every position must have been added."""
        return np.divide(self._sum, self._weight, out=self._sum)
