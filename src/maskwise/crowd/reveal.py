"""Hide everything, then show again what does not give the person away: the reverse of greedy masking.

In a clear text every word's part is covered by the others, so what greedy masking removes first is partly chance. In a
masked text each word that is shown speaks for itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

# Of maskings, each as the units that are masked: whether the goal holds, and the log-odds of the true profile.
Look = Callable[[Sequence[Sequence[int]]], tuple[NDArray[np.bool_], NDArray[np.float64]]]

_SHARES = (1.0, 0.75, 0.5, 0.25, 0.125)  # of the harmless units, how many to try to show at once
_SHOWN = 0.5  # share of what could be shown at once that is shown before all is measured again


def reveal(look: Look, units: int) -> tuple[list[int], bool]:
    """The units that stay masked, the most telling first, and whether the goal holds.

    At each step every unit that may still be shown is tried alone. Those that would break the goal stay masked for
    good; of the others the least telling are shown together, half as many as would go, and the rest tried again.
    """
    masked = list(range(units))
    if not look([masked])[0][0]:
        return masked, False
    telling = np.full(units, np.inf)
    left = masked
    while left:
        safe, odds = look([masked, *([at for at in masked if at != one] for one in left)])
        telling[left] = odds[1:] - odds[0]
        left = sorted((at for at, ok in zip(left, safe[1:], strict=True) if ok), key=lambda at: (telling[at], at))
        gone = set(left[: _together(look, masked, left)])
        masked, left = [at for at in masked if at not in gone], [at for at in left if at not in gone]
    return sorted(masked, key=lambda at: (-telling[at], at)), True


def _together(look: Look, masked: Sequence[int], order: Sequence[int]) -> int:
    """How many of the first units to show at once: all where that is safe, else half of what is; the first alone is."""
    counts = sorted({max(round(share * len(order)), 1) for share in _SHARES if order}, reverse=True)
    if len(counts) < 2:
        return len(order[:1])
    safe, _ = look([[at for at in masked if at not in set(order[:count])] for count in counts[:-1]])
    most = next((count for count, ok in zip(counts, safe, strict=False) if ok), 1)
    return most if most in (1, len(order)) else max(round(_SHOWN * most), 1)
