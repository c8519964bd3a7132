"""Folds of a population: people who train a re-identification model, who choose its best state, and who are held out.

A hash of the id alone decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray


class Fold(IntEnum):
    """The part of a person. The profiles of all people are candidates; only documents are held back."""

    TRAIN = 0
    HELD_OUT = 1
    CHOOSE = 2


def assign_folds(
    ids: Sequence[str], train: int = 40_000, held_out: int = 5_000
) -> NDArray[np.uint8]:
    """The fold of each person. In order of the hash, `train` people train, `held_out` are held out, the rest choose.

    >>> assign_folds(["a", "b", "c", "d"], train=2, held_out=1).tolist()
    [2, 1, 0, 0]
    """
    order = sorted(range(len(ids)), key=lambda at: sha256(ids[at].encode()).digest())
    found = np.full(len(ids), Fold.CHOOSE, dtype=np.uint8)
    found[order[:train]] = Fold.TRAIN
    found[order[train : train + held_out]] = Fold.HELD_OUT
    return found
