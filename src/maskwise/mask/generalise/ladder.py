"""Ladders: the levels of an entity, each a true and less specific way to write it, from the finest to the coarsest.

Losses are shares of bits: with all values of a kind equally likely, a level that leaves `left` of `all_values` possible
loses log(left) / log(all_values). The last level leaves everything possible, loses 1 and says the kind alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from maskwise.text import Entity, Level

LevelList = tuple[Level, ...]

# A pure function of an entity, whose mentions know their document. It returns () for what it does not understand, so
# that the next ladder is tried: no level is better than one that may be untrue.
Ladder = Callable[[Entity], LevelList]


def measure_lost_bits(left: float, all_values: float) -> float:
    """Share of the bits lost when one of `all_values` is only known to be one of `left`, within what a level may lose.

    >>> round(measure_lost_bits(365, 36525), 2)
    0.56
    """
    share = math.log(max(left, 1.0)) / math.log(max(all_values, 1.01))
    return round(min(0.99, max(0.01, share)), 2)


def keep_rising(levels: LevelList) -> LevelList:
    """The levels that say something new and lose more than the one before."""
    kept: list[Level] = []
    for level in levels:
        if not kept or (level.loss > kept[-1].loss and level.text != kept[-1].text):
            kept.append(level)
    return tuple(kept)
