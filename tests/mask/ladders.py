"""What every ladder keeps to, for the tests of all of them."""

from __future__ import annotations

from itertools import pairwise

from maskwise.mask.generalise.ladder import LevelList


def is_rising(levels: LevelList) -> bool:
    """Whether losses rise strictly."""
    return all(a.loss < b.loss for a, b in pairwise(levels))
