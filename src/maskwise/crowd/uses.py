"""How often the words of a document use the terms of an attacker's vocabulary, without the many zeros."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.ranker import Masks

Terms = tuple[tuple[int, int], ...]  # terms of a word, and how often it uses each


@dataclass(frozen=True, eq=False)
class TermUses:
    """One entry per word and term that it uses, in the order of the terms.

    >>> uses = TermUses.collect([((0, 1),), (), ((0, 1), (1, 2))])
    >>> uses.count_visible(np.array([[False, False, False], [True, False, False]])).tolist()
    [[2.0, 2.0], [1.0, 2.0]]
    """

    words: NDArray[np.intp] = field(repr=False)
    times: NDArray[np.float32] = field(repr=False)
    starts: NDArray[np.intp] = field(repr=False)  # the first entry of each term

    @classmethod
    def collect(cls, terms: Sequence[Terms]) -> TermUses:
        """The entries of all words. Terms are numbered from 0, and some word uses each."""
        found = sorted((term, at, times) for at, used in enumerate(terms) for term, times in used)
        numbers = np.array([term for term, _, _ in found], dtype=np.intp)
        words = np.array([at for _, at, _ in found], dtype=np.intp)
        times = np.array([times for _, _, times in found], dtype=np.float32)
        return cls(words, times, np.unique(numbers, return_index=True)[1])

    def count_visible(self, masks: Masks) -> NDArray[np.float32]:
        """How often the visible words use each term, one row per masking."""
        if not len(self.starts):
            return np.zeros((len(masks), 0), dtype=np.float32)
        visible = ~masks[:, self.words] * self.times
        return np.asarray(np.add.reduceat(visible, self.starts, axis=1), dtype=np.float32)
