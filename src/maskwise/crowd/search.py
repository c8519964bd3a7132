"""k-anonymity by re-identification (Morris et al. 2022): mask until the profile of the person is no longer among the K
likeliest.

There are two ways. One is the greedy search as published (algorithm 1): it masks what gives the person away most, one
by one. The other masks everything and shows again what is harmless (`maskwise.crowd.unmask`). The published search
scores every word at each step. Here a cheap estimate of how much the person's probability falls makes a short list,
which is scored in one batch by what the goal asks for: how far the true profile is ahead of the K-th other. At the end
the search shows again what is not needed, and on demand exchanges units for fewer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.maskings import Goal, Masking, MaskingScores, Unit
from maskwise.crowd.ranker import DocumentScorer, Masks
from maskwise.crowd.ranks import TIE
from maskwise.crowd.unmask import exchange_units, show_harmless
from maskwise.crowd.words import Mask, Words
from maskwise.text.types import Span

__all__ = [
    "Effort",
    "Goal",
    "SearchOutcome",
    "Unit",
    "assign_words",
    "list_entity_units",
    "list_word_units",
    "search",
]

Way = Literal["mask", "show"]
_LEAPS = (
    (2, 4),
    (8, 16),
)  # units that are masked at once while the goal is far; two numbers are tried together
_NEAR = 0.5  # a lead, in log-odds, from which on units are masked one at a time


@dataclass(frozen=True, slots=True)
class Effort:
    """How to search: `mask` one by one, or mask everything and `show` again what is harmless.

    Masking one by one scores `shortlist` units per step exactly and keeps `beam` partial solutions. With `exchange`, so
    many further units are tried in turn to see whether masking one of them lets two others be shown.
    """

    way: Way = "mask"
    shortlist: int = 4
    beam: int = 1
    exchange: int = 0


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The outcome of a search.

    `units` are those masked, in the order in which they were masked, or the most telling first where everything had
    been masked.
    """

    mask: Mask = field(repr=False)
    units: tuple[Unit, ...]
    reached: bool


def list_word_units(words: Words) -> list[Unit]:
    """Every word that carries content, on its own."""
    return [(int(at),) for at in np.flatnonzero(words.content)]


def list_entity_units(words: Words, entities: Iterable[Iterable[Span]]) -> list[Unit]:
    """All mentions of an entity together, and every other word that carries content on its own."""
    owned = [unit for unit in assign_words(words, entities) if unit]
    taken = {at for unit in owned for at in unit}
    return owned + [unit for unit in list_word_units(words) if unit[0] not in taken]


def assign_words(words: Words, entities: Iterable[Iterable[Span]]) -> list[Unit]:
    """The words of each entity's mentions. A word belongs to the first entity that touches it."""
    units: list[Unit] = []
    taken: set[int] = set()
    for mentions in entities:
        unit = tuple(at for at in words.find_touched(mentions) if at not in taken)
        units.append(unit)
        taken.update(unit)
    return units


def search(
    scorers: Sequence[DocumentScorer],
    target: int,
    units: Sequence[Unit],
    words: int,
    goal: Goal,
    effort: Effort = Effort(),
    start: Mask | None = None,
) -> SearchOutcome:
    """Masks units of a document of `words` words until the goal holds for all scorers.

    What `start` masks stays masked, and is no unit of the outcome. Where showing again does not meet the goal, the
    search masks units one by one.
    """
    scores = MaskingScores(scorers, target, units, words, goal)
    begin = np.zeros(words, bool) if start is None else start
    running = Search(scores, effort, begin)
    shown = running.show() if effort.way == "show" else None
    return shown or running.run()


class Search:
    """One search from the mask `start`."""

    def __init__(self, scores: MaskingScores, effort: Effort, start: Mask) -> None:
        self.scores = scores
        self.effort = effort
        self.start = start
        self.limit = scores.goal.max_share * len(start)

    def show(self) -> SearchOutcome | None:
        """Masks everything but what is harmless. None where that misses the goal or masks too many words."""
        free = [
            at
            for at in range(len(self.scores.units))
            if self.scores.has_visible_words(at, self.start)
        ]

        def look(masked: Sequence[Sequence[int]]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
            picked = [[free[at] for at in units] for units in masked]
            maskings = self.scores.score(self._mask_each(picked), picked)
            safe = [masking.is_safe for masking in maskings]
            odds = [masking.odds for masking in maskings]
            return np.array(safe), np.array(odds)

        order, reached = show_harmless(look, len(free))
        masked = [free[at] for at in order]
        outcome = self._describe(masked, reached)
        if not reached or outcome.mask.sum() > self.limit:
            return None
        return outcome

    def run(self) -> SearchOutcome:
        """Masks what gives the person away most, step by step, and shows again what is not needed."""
        beam = self.scores.score(self.start[None], [()])
        while not any(masking.is_safe for masking in beam):
            larger = [more for masking in beam for more in self.expand(masking)]
            if not larger:
                nearest = min(beam, key=lambda masking: masking.lead)
                return self._describe(nearest.units, reached=False)
            distinct = {masking.mask.tobytes(): masking for masking in larger}
            beam = sorted(distinct.values(), key=_rank_masking)[: self.effort.beam]
        done = [masking for masking in beam if masking.is_safe]
        return self.finish(min(done, key=_rank_masking))

    def finish(self, masking: Masking) -> SearchOutcome:
        """The masking without the units that are not needed, and exchanged for a smaller one on demand."""
        masked = self.improve(list(masking.units))
        return self._describe(masked, reached=True)

    def improve(self, masked: list[int]) -> list[int]:
        """The units without those that are not needed, exchanged for others on demand."""
        masked = self.thin_out(masked, self.start)
        if self.effort.exchange:
            masked = exchange_units(
                masked,
                lambda now: self.find_telling(self.scores.add_units(self.start, now)),
                lambda now, one: self.thin_out(now, self.scores.add_units(self.start, [one])),
                lambda now: float(self.scores.weights[now].sum()),
            )
            masked = self.thin_out(masked, self.start)
        return masked

    def expand(self, masking: Masking) -> list[Masking]:
        """The masking with one more unit, for the units of its short list; with more units where the goal is far."""
        order, is_guided = self.rank_units(masking)
        if self.effort.beam == 1 and is_guided:
            leap = self.leap(masking, order)
            if leap:
                return [leap]
        # Where nothing lowers the probability any more the estimate is no guide: all are tried.
        count = max(self.effort.shortlist, self.effort.beam) if is_guided else len(order)
        chosen = order[:count]
        return self.race(masking, chosen) if chosen else []

    def race(self, masking: Masking, chosen: Sequence[int]) -> list[Masking]:
        """The masking with one more of the chosen units, without those that cannot be best.

        Attackers that are fooled are asked last, and not about maskings that are already worse by the others.
        """
        masks = masking.mask | self.scores.rows[list(chosen)]
        least = self.scores.sum_leads(masks, masking.unfooled)
        front = np.argsort(least, kind="stable")[: max(self.effort.beam, 2)]
        leads = sorted(self.scores.sum_leads(masks[front], self.scores.attackers))
        bound = leads[: self.effort.beam][-1]
        left = [at for at in range(len(masks)) if at in front or least[at] <= bound]
        return self.scores.score(masks[left], [(*masking.units, chosen[at]) for at in left])

    def leap(self, masking: Masking, order: Sequence[int]) -> Masking | None:
        """The best two, four, eight... units at once, as many as leave at least half of the way.

        From there the estimates are made anew. Larger leaps are tried where the smaller ones leave enough.
        """
        far = max(masking.lead / 2, _NEAR)
        if masking.lead <= far:
            return None
        best = 0
        for counts in _LEAPS:
            masks = np.array(
                [self.scores.add_units(masking.mask, order[:count]) for count in counts]
            )
            fits = (masks.sum(axis=1) <= self.limit) & (np.array(counts) <= len(order))
            good = self.scores.sum_leads(masks[fits], masking.unfooled, enough=far) >= far
            best = max([best, *(count for count, ok in zip(counts, good, strict=False) if ok)])
            if best < counts[-1]:
                break
        if not best:
            return None
        mask = self.scores.add_units(masking.mask, order[:best])
        [leap] = self.scores.score(mask[None], [(*masking.units, *order[:best])])
        return leap

    def rank_units(self, masking: Masking) -> tuple[list[int], bool]:
        """Units that may be masked next, the most telling first, and whether the estimate finds any."""
        visible = self.scores.rows & ~masking.mask
        sizes = visible.sum(axis=1) + masking.mask.sum()
        fits = visible.any(axis=1) & (sizes <= self.limit)
        gains = np.where(fits, self.scores.estimate_gains(masking.mask, masking.unfooled), -np.inf)
        order = [int(at) for at in np.argsort(-gains, kind="stable") if fits[at]]
        return order, gains.max(initial=0) > TIE

    def find_telling(self, mask: Mask) -> list[int]:
        """The visible units that tell most about the person by the estimate of all attackers, as many as are tried."""
        gains = self.scores.estimate_gains(mask, self.scores.attackers)
        order = np.argsort(-gains, kind="stable")
        visible = [int(at) for at in order if self.scores.has_visible_words(int(at), mask)]
        return visible[: self.effort.exchange]

    def thin_out(self, masked: list[int], start: Mask) -> list[int]:
        """The units without those that can be shown again, until each that is left is needed."""
        tried = masked
        while tried:
            totals = self._measure_without([[at] for at in tried], masked, start)
            free = [
                (float(total), at)
                for at, total in zip(tried, totals, strict=True)
                if total < np.inf
            ]
            if not free and len(tried) == len(masked):
                break
            if free:
                # Each can go alone: the costliest first, then those without which the person stays hidden best.
                removable = sorted(free, key=lambda one: (-self.scores.weights[one[1]], one[0]))
                order = [at for _, at in removable]
                gone = order[: self.count_removable(order, masked, start)]
                masked = [at for at in masked if at not in gone]
            # What had to stay will hardly be free with less masked: it is tried once more at the end alone.
            tried = [at for _, at in free if at in masked] or masked
        return masked

    def count_removable(self, order: Sequence[int], masked: Sequence[int], start: Mask) -> int:
        """How many of the first units can go together, found by halving. The first alone can go."""
        low, high = 1, len(order)
        while low < high:
            middle = (low + high + 1) // 2
            [total] = self._measure_without([order[:middle]], masked, start)
            if total < np.inf:
                low = middle
            else:
                high = middle - 1
        return low

    def _measure_without(
        self, gone: Sequence[Sequence[int]], masked: Sequence[int], start: Mask
    ) -> NDArray[np.float64]:
        """The safe lead of the true profile per group of units that are shown again."""
        left = [[at for at in masked if at not in group] for group in gone]
        masks = np.array([self.scores.add_units(start, units) for units in left])
        return self.scores.sum_safe_leads(masks)

    def _mask_each(self, picked: Sequence[Sequence[int]]) -> Masks:
        return np.array([self.scores.add_units(self.start, units) for units in picked])

    def _describe(self, masked: Sequence[int], reached: bool) -> SearchOutcome:
        units = tuple(self.scores.units[at] for at in masked)
        return SearchOutcome(self.scores.add_units(self.start, masked), units, reached)


def _rank_masking(masking: Masking) -> tuple[bool, int, float]:
    """The safe ones with the fewest words come first, then those that hide the person best."""
    if masking.is_safe:
        return False, int(masking.mask.sum()), masking.lead
    return True, 0, masking.lead
