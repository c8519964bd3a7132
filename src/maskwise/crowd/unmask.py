"""Two ways to leave fewer units masked: show again what is harmless, and exchange one unit for several others.

Greedy masking depends on the order of its steps. In a clear text the other words cover what one word tells, so what it
masks first is partly chance. In a masked text each word that is shown tells what it tells alone. At its end no unit
alone can be shown again, but units can replace each other: a town, and the two lakes between which it lies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Units = list[int]
# For maskings, each given as the units that are masked: whether the goal holds, and the log-odds of the true profile.
Look = Callable[[Sequence[Sequence[int]]], tuple[NDArray[np.bool_], NDArray[np.float64]]]

_SHARES = (1.0, 0.75, 0.5, 0.25, 0.125)  # how many of the harmless units to try to show at once
_LEAST = 1e-9  # a gain smaller than this is rounding
_SHOWN = 0.5  # the share of what could be shown at once that is shown before everything is measured again


def show_harmless(look: Look, count: int) -> tuple[Units, bool]:
    """Masks all `count` units, then shows what does not give the person away.

    Returns the units that stay masked, the most telling first, and whether the goal holds. Each step tries every unit
    alone that may still be shown. A unit that would break the goal stays masked for good. Of the others, the step shows
    the least telling together, half as many as would go, and the next step tries the rest.
    """
    masked = list(range(count))
    if not look([masked])[0][0]:
        return masked, False
    telling = np.full(count, np.inf)
    left = masked
    while left:
        without_one = [[at for at in masked if at != unit] for unit in left]
        safe, odds = look([masked, *without_one])
        telling[left] = odds[1:] - odds[0]
        harmless = [at for at, ok in zip(left, safe[1:], strict=True) if ok]
        harmless.sort(key=lambda at: (telling[at], at))
        shown = set(harmless[: _count_shown(look, masked, harmless)])
        masked = [at for at in masked if at not in shown]
        left = [at for at in harmless if at not in shown]
    return sorted(masked, key=lambda at: (-telling[at], at)), True


def _count_shown(look: Look, masked: Sequence[int], order: Sequence[int]) -> int:
    """How many of the first units to show at once: all where that is safe, else half of what is safe, at least one."""
    counts = sorted({max(round(share * len(order)), 1) for share in _SHARES if order}, reverse=True)
    if len(counts) < 2:
        return len(order[:1])
    tries = [[at for at in masked if at not in set(order[:count])] for count in counts[:-1]]
    safe, _ = look(tries)
    most = next((count for count, ok in zip(counts, safe, strict=False) if ok), 1)
    if most in (1, len(order)):
        return most
    return max(round(_SHOWN * most), 1)


def exchange_units(
    masked: Units,
    candidates: Callable[[Units], Sequence[int]],
    thin_out: Callable[[Units, int], Units],
    cost: Callable[[Units], float],
) -> Units:
    """Masks one more unit wherever that lets others be shown and lowers the cost; the first such each time.

    `candidates` gives the units that are worth masking beside the masked ones. `thin_out` gives those of the masked
    units that are still needed once a further one is masked.

    >>> needed = {9: [3]}  # with 9 masked, only the last of 1, 2 and 3 has to stay
    >>> exchange_units([1, 2, 3], lambda masked: [8, 9], lambda masked, one: needed.get(one, masked), len)
    [3, 9]
    """
    better: Units | None = masked
    while better is not None:
        masked = better
        tries = ([*thin_out(masked, one), one] for one in candidates(masked))
        better = next((units for units in tries if cost(units) < cost(masked) - _LEAST), None)
    return masked
