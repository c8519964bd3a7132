"""Smallest sets of visible units that still identify a person: the counterexamples to a plan.

Each is a risky combination in the sense of Papadopoulou et al. 2022 (section 3.3), found where it matters and not by
enumeration: with nothing else visible, an attacker ranks the person among the first K. A plan that masks one unit of
every set found so far is checked again, until no attacker finds a set in what it leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.maskings import MaskingScores
from maskwise.crowd.words import Mask

_SETS = 8  # sets per attacker and round; several at once save rounds
CHECKS = 600  # questions to attackers, after which no further set is looked for: long documents would take minutes


@dataclass(frozen=True, slots=True)
class IdentifyingSet:
    """Units that identify the person to an attacker when they alone are visible."""

    units: tuple[int, ...]
    attacker: int


class Counterexamples:
    """Finds identifying sets among the units of one document, until `checks` questions were asked.

    What `start` masks is never visible.
    """

    def __init__(self, scores: MaskingScores, start: Mask, checks: int = CHECKS) -> None:
        self.scores = scores
        self.start = start
        self._left = checks

    @property
    def is_exhausted(self) -> bool:
        return self._left <= 0

    @cached_property
    def hidden(self) -> Mask:
        """The mask of everything that may be masked."""
        return self.scores.add_units(self.start, range(len(self.scores.units)))

    def find_found(self, mask: Mask) -> list[int]:
        """The attackers who still find the person under a mask."""
        return [at for at in self.scores.attackers if not self._is_safe(at, mask[None])[0]]

    def find_sets(self, mask: Mask) -> list[IdentifyingSet]:
        """Some smallest identifying sets in what a mask leaves, for the first attacker who finds the person.

        An attacker who finds the person with everything masked cannot be fooled, and has no sets.
        """
        for attacker in self._foolable:
            if not self._is_safe(attacker, mask[None])[0]:
                return self._find_several(attacker, mask)
        return []

    def find_sets_around(self, masked: Sequence[int]) -> list[IdentifyingSet]:
        """For each unit of a masking, a smallest set that identifies the person once the unit is shown again."""
        mask = self.scores.add_units(self.start, masked)
        found: dict[tuple[int, ...], IdentifyingSet] = {}
        for unit in masked:
            if self.is_exhausted:
                break
            shown = mask & ~self.scores.rows[unit] | self.start
            for attacker in self._foolable:
                if not self._is_safe(attacker, shown[None])[0]:
                    one = self._find_smallest(attacker, [unit, *self._list_visible(attacker, mask)])
                    found.setdefault(one.units, one)
                    break
        return list(found.values())

    @cached_property
    def _foolable(self) -> list[int]:
        """The attackers who do not find the person with everything masked."""
        return [at for at in self.scores.attackers if self._is_safe(at, self.hidden[None])[0]]

    def _find_several(self, attacker: int, mask: Mask) -> list[IdentifyingSet]:
        """Sets from different orders: each leaves out the most telling unit of the one before."""
        visible = self._list_visible(attacker, mask)
        found: dict[tuple[int, ...], IdentifyingSet] = {}
        while len(found) < _SETS and visible and self._is_identifying(attacker, visible):
            if found and self.is_exhausted:
                break
            one = self._find_smallest(attacker, visible)
            found.setdefault(one.units, one)
            most_telling = next(at for at in visible if at in one.units)
            visible = [at for at in visible if at != most_telling]
        return list(found.values())

    def _list_visible(self, attacker: int, mask: Mask) -> list[int]:
        """The units that a mask leaves, the most telling first."""
        return [at for at in self._order[attacker] if self.scores.has_visible_words(at, mask)]

    def _find_smallest(self, attacker: int, units: list[int]) -> IdentifyingSet:
        """A smallest identifying set among units that identify the person, from the first of them on."""
        smallest = self._shrink(attacker, self._cut_prefix(attacker, units))
        return IdentifyingSet(tuple(sorted(smallest)), attacker)

    def _cut_prefix(self, attacker: int, units: list[int]) -> list[int]:
        """The units up to the one with which they identify the person, found by doubling and then by halving."""
        low, high = 0, 1
        while high < len(units) and not self._is_identifying(attacker, units[:high]):
            low, high = high, 2 * high
        high = min(high, len(units))
        while high - low > 1:
            middle = (low + high) // 2
            if self._is_identifying(attacker, units[:middle]):
                high = middle
            else:
                low = middle
        return units[:high]

    def _shrink(self, attacker: int, units: list[int]) -> list[int]:
        """The units without those that the others do not need to identify the person.

        A unit can also mislead, so what was needed at first may not be once others are gone: all are tried again.
        """
        before: list[int] = []
        while units != before:
            before = units
            for unit in reversed(before):
                less = [at for at in units if at != unit]
                if less and self._is_identifying(attacker, less):
                    units = less
        return units

    @cached_property
    def _order(self) -> list[list[int]]:
        """Per attacker the units, first those that tell most when they alone are visible."""
        alone = np.array([self.show([at]) for at in range(len(self.scores.units))])
        found = []
        for attacker in self.scores.attackers:
            leads = self.scores.ask(attacker, alone)[0] if len(alone) else np.zeros(0)
            found.append(np.argsort(-leads, kind="stable").tolist())
        return found

    def _is_identifying(self, attacker: int, units: Sequence[int]) -> bool:
        return not self._is_safe(attacker, self.show(units)[None])[0]

    def show(self, units: Sequence[int]) -> Mask:
        """The mask with which only these units are visible."""
        shown = self.scores.rows[list(units)].any(axis=0)
        return np.asarray(self.hidden & (~shown | self.start))

    def _is_safe(self, attacker: int, masks: NDArray[np.bool_]) -> NDArray[np.bool_]:
        self._left -= len(masks)
        return np.asarray(self.scores.ask(attacker, masks)[1] > 0)
