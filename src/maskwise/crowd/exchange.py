"""Fewer masks by exchange: one more unit is masked where at least two can be shown again for it.

A greedy search ends where no unit alone can be shown again. Units stand in for each other, though (a town, and the two
lakes it lies between), and the order in which they were masked decides which of them stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Units = list[int]


def exchanged(
    kept: Units,
    candidates: Callable[[Units], Sequence[int]],
    thinned: Callable[[Units, int], Units],
    size: Callable[[Units], int],
) -> Units:
    """The units after all exchanges that leave fewer words masked, the first that does each time.

    `candidates` are units worth masking beside those kept; `thinned` says which of those kept are still needed once a
    further one is masked; `size` counts the words of units.

    >>> needed = {9: [3]}  # with 9 masked, of 1, 2 and 3 the last alone has to stay
    >>> exchanged([1, 2, 3], lambda kept: [8, 9], lambda kept, one: needed.get(one, kept), len)
    [3, 9]
    """
    better: Units | None = kept
    while better is not None:
        kept = better
        tries = ([*thinned(kept, one), one] for one in candidates(kept))
        better = next((one for one in tries if size(one) < size(kept)), None)
    return kept
