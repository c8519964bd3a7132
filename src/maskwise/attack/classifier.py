"""Cuts documents into windows for a classifier, and adds up its logits (TRIA, sections 3.3.2 and 3.3.5).

The sum, rather than a vote, lets one window with a clear clue decide. One clue is enough for a human reader too.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from maskwise.attack.attacker import Scores
from maskwise.lm import windows

SIZE, OVERLAP = 100, 25


class _Slices(Protocol):
    def __getitem__(self, span: slice, /) -> Any: ...


T = TypeVar("T", bound=_Slices)


class Cuts(NamedTuple):
    """Windows of several documents, one after the other: `parts[i]` is `[start, end)` of document `owners[i]`."""

    owners: NDArray[np.int64]
    parts: list[tuple[int, int]]

    def slice_documents(self, documents: Sequence[T]) -> list[T]:
        """Returns the windows themselves. A document slices into its own kind: a list, a string, an array."""
        windows = zip(self.owners, self.parts, strict=True)
        return [documents[owner][start:end] for owner, (start, end) in windows]


def cut_windows(lengths: Sequence[int], size: int = SIZE, overlap: int = OVERLAP) -> Cuts:
    """Returns windows that cover documents of these lengths. An empty document has one empty window."""
    spans = [windows.cut_windows(length, size, overlap) or [(0, 0)] for length in lengths]
    owners = np.repeat(np.arange(len(spans)), [len(one) for one in spans])
    return Cuts(owners, list(chain.from_iterable(spans)))


def sum_windows(logits: Scores, owners: NDArray[np.int64], documents: int) -> Scores:
    """Returns the sum of the logits of each document's windows."""
    total = np.zeros((documents, logits.shape[1]))
    np.add.at(total, owners, logits)
    return total
