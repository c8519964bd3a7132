"""`Ranker`: how likely each profile of a population is the person behind a document, for many maskings of it at once.

The model of k-anonymity by re-identification (Morris et al. 2022): a search asks it which word
gives the person away most, masks that word and asks again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Masks = NDArray[np.bool_]  # one row a masking of the document, one column a word; true is masked
LogProbabilities = NDArray[np.float32]  # one row a masking, one column a profile; a row's probabilities sum to 1


class DocumentScorer(Protocol):
    """One document, read by a ranker: what does not depend on the masks is done once."""

    def score(self, masks: Masks) -> LogProbabilities:
        """Log-probability of every profile under every masking. A run of masked words reads as one mask: how many there
        were is itself a clue."""
        ...

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        """For each word, about how much the log-probability of profile `target` falls if the word is masked too: a
        cheap estimate to choose candidates by, 0 for words that are masked already."""
        ...


class Ranker(Protocol):
    """A re-identification model fitted to one population, whose order of profiles its columns have."""

    @property
    def name(self) -> str: ...

    def __len__(self) -> int:
        """Number of profiles."""
        ...

    def read(self, words: Sequence[str]) -> DocumentScorer: ...
