"""`Ranker`: how likely each profile of a population is the person behind a document, for many maskings of it at once.

This is the model of k-anonymity by re-identification (Morris et al. 2022): a search asks it which word gives the
person away most, masks that word and asks again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.population import Profile

Masks = NDArray[np.bool_]  # one row per masking, one column per word; true is masked
# One row per masking, one column per profile. As probabilities, rows sum to 1.
LogProbabilities = NDArray[np.float32]


class DocumentScorer(Protocol):
    """One document, read by a ranker. What does not depend on the masks is computed once."""

    def score(self, masks: Masks) -> LogProbabilities:
        """Log-probability of every profile under every masking.

        A run of masked words reads as one mask, because their number is a clue.
        """
        ...

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        """An estimate per word: how much the log-probability of profile `target` falls if the word is masked too.

        It is cheap, serves to choose candidates, and is 0 for words that are masked already.
        """
        ...

    def narrow(self, profiles: NDArray[np.intp]) -> DocumentScorer:
        """The same document among some of the profiles, in this order. A search asks it many times as fast."""
        ...


class Ranker(Protocol):
    """A re-identification model fitted to one population. Its columns have the order of the profiles there."""

    @property
    def name(self) -> str: ...

    def __len__(self) -> int:
        """Number of profiles."""
        ...

    def read(self, words: Sequence[str]) -> DocumentScorer: ...

    def join(self, profile: Profile, without: Sequence[int] = ()) -> Ranker:
        """This ranker with one more profile, in the last column; the profiles of `without` are never guessed."""
        ...
