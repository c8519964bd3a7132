"""What a ladder is made of: rungs, each a true and less specific way to write an entity, from the finest on.

Losses are shares of bits: with all values of a kind equally likely, a rung that leaves `left` of `all_values` possible
loses log(left) / log(all_values). The last rung leaves everything possible, loses 1 and says the kind alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from maskwise.errors import MaskingError
from maskwise.text import Entity


@dataclass(frozen=True, slots=True)
class Rung:
    """A phrase with its article ("a city in Norway", "the 2000s", "European"), and the share of information it loses.

    `after` holds phrases that read better after some words: {"on": "a day in May 2010"}. See `grammar.fit`.
    """

    text: str = field(repr=False)
    loss: float
    after: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.text or not 0 < self.loss <= 1:
            raise MaskingError(f"a rung needs a text and a loss in (0, 1], not {self.loss}")


Rungs = tuple[Rung, ...]

# A pure function of an entity, whose mentions know their document. It answers () for what it does not understand, and
# the next ladder is tried: better no level than one that may be untrue.
Ladder = Callable[[Entity], Rungs]


def bits_lost(left: float, all_values: float) -> float:
    """Share of the bits lost when one of `all_values` is only known to be one of `left`, within what a rung may lose.

    >>> round(bits_lost(365, 36525), 2)
    0.56
    """
    return round(min(0.99, max(0.01, math.log(max(left, 1.0)) / math.log(max(all_values, 1.01)))), 2)


def rising(rungs: Rungs) -> Rungs:
    """The rungs that say something new and lose more than the one before."""
    kept: list[Rung] = []
    for rung in rungs:
        if not kept or (rung.loss > kept[-1].loss and rung.text != kept[-1].text):
            kept.append(rung)
    return tuple(kept)


def rises(rungs: Rungs) -> bool:
    """Whether losses rise strictly."""
    return all(a.loss < b.loss for a, b in pairwise(rungs))
