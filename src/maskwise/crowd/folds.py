"""Who trains a re-identification model, who chooses among its states and who is held out: by a hash of the id alone."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray


class Fold(IntEnum):
    """The part a person plays. The profiles of all are candidates; only documents are held back."""

    TRAIN = 0
    HELD_OUT = 1
    CHOOSE = 2


def assign_folds(ids: Sequence[str], train: int = 40_000, held_out: int = 5_000) -> NDArray[np.uint8]:
    """The fold of each person, in order of the hash: `train`, then `held_out`, the rest to choose by.

    >>> assign_folds(["a", "b", "c", "d"], train=2, held_out=1).tolist()
    [2, 1, 0, 0]
    """
    order = sorted(range(len(ids)), key=lambda at: sha256(ids[at].encode()).digest())
    found = np.full(len(ids), Fold.CHOOSE, dtype=np.uint8)
    found[order[:train]] = Fold.TRAIN
    found[order[train : train + held_out]] = Fold.HELD_OUT
    return found
