"""k-anonymity by re-identification (Morris et al. 2022): mask until the profile of the person is no longer among the K
likeliest.

There are two ways. One is the greedy search as published (algorithm 1): mask what gives the person away most, one by
one. The other hides everything and shows again what is harmless (`maskwise.crowd.reveal`). Where the published search
scores every word at each step, here a cheap estimate of how much the person's probability falls makes a short list. The
list is scored in one batch, by what the goal asks for: how far the true profile is ahead of the K-th other. The masks
are thinned out at the end, and on demand exchanged for fewer (`maskwise.crowd.exchange`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.ranker import DocumentScorer, Masks
from maskwise.crowd.ranks import TIE, compute_leads, compute_odds, is_outranked
from maskwise.crowd.unmask import exchange_units, show_harmless
from maskwise.crowd.words import Mask, Words

Unit = tuple[int, ...]  # words that are masked together
Way = Literal["mask", "show"]
_LEAPS = ((2, 4), (8, 16))  # units that are masked at once while the goal is far; two numbers are tried together
_NEAR = 0.5  # a lead, in log-odds, from which on units are masked one at a time


@dataclass(frozen=True, slots=True)
class Goal:
    """At least `k` other profiles must be likelier than the true one, by `margin` in log-odds; at most `max_share` of
    the words may go for it."""

    k: int = 8
    margin: float = 0.0
    max_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Effort:
    """How to look: `mask` one by one, with so many units a step scored exactly and so many partial solutions kept; or
    hide everything and `show` again what is harmless. With `exchange`, so many further units are tried in turn to see
    whether masking one of them lets two others be shown."""

    way: Way = "mask"
    shortlist: int = 4
    beam: int = 1
    exchange: int = 0


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What a search did. `units` are those masked, in the order they were, or the most telling first where all had been
    hidden; `released` were masked and given back."""

    mask: Mask = field(repr=False)
    units: tuple[Unit, ...]
    released: int
    reached: bool


def list_word_units(words: Words) -> list[Unit]:
    """Every word that carries content, on its own."""
    return [(int(at),) for at in np.flatnonzero(words.content)]


def list_entity_units(words: Words, entities: Iterable[Iterable[tuple[int, int]]]) -> list[Unit]:
    """All mentions of an entity together, and every other word that carries content on its own."""
    owned = [unit for unit in assign_words(words, entities) if unit]
    taken = {at for unit in owned for at in unit}
    return owned + [unit for unit in list_word_units(words) if unit[0] not in taken]


def assign_words(words: Words, entities: Iterable[Iterable[tuple[int, int]]]) -> list[Unit]:
    """The words of each entity's mentions; a word belongs to the first entity that touches it."""
    units: list[Unit] = []
    taken: set[int] = set()
    for mentions in entities:
        units.append(tuple(at for at in words.find_touched(mentions) if at not in taken))
        taken.update(units[-1])
    return units


def search(
    readings: Sequence[DocumentScorer],
    target: int,
    units: Sequence[Unit],
    words: int,
    goal: Goal,
    effort: Effort = Effort(),
    start: Mask | None = None,
) -> SearchOutcome:
    """Mask units of a document of so many words until the goal holds for all the readings. What `start` masks stays
    masked, and is no unit of the result. Where showing again does not meet the goal, words are masked one by one."""
    found = _Search(readings, target, units, words, goal, effort)
    begin = np.zeros(words, bool) if start is None else start
    shown = found.show(begin) if effort.way == "show" else None
    return shown or found.run(begin)


@dataclass(frozen=True, slots=True)
class _Masking:
    """Some units are masked; `ahead` is by how much, in log-odds, the true profile leads the K-th other, added up over
    the readings that are not yet fooled."""

    mask: Mask
    units: tuple[int, ...]
    ahead: float
    odds: float  # log-odds of the true profile against all others, added up over all readings
    unfooled: tuple[int, ...]  # readings

    @property
    def is_safe(self) -> bool:
        return not self.unfooled


class _Search:
    def __init__(
        self,
        readings: Sequence[DocumentScorer],
        target: int,
        units: Sequence[Unit],
        words: int,
        goal: Goal,
        effort: Effort,
    ) -> None:
        self.readings, self.target, self.goal, self.effort = readings, target, goal, effort
        self.units = units
        self.rows: Masks = np.zeros((len(units), words), dtype=bool)
        for at, unit in enumerate(units):
            self.rows[at, list(unit)] = True
        self.sizes = self.rows.sum(axis=1)
        self.limit = goal.max_share * words
        self.known: list[dict[bytes, tuple[float, float, float]]] = [{} for _ in readings]

    def show(self, start: Mask) -> SearchOutcome | None:
        """Everything hidden but what is harmless; nothing where that misses the goal or masks too many words."""
        free = [at for at, row in enumerate(self.rows) if (row & ~start).any()]

        def look(masked: Sequence[Sequence[int]]) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
            picked = [[free[at] for at in one] for one in masked]
            states = self.score_maskings(np.array([start | self.rows[one].any(axis=0) for one in picked]), picked)
            return np.array([state.is_safe for state in states]), np.array([state.odds for state in states])

        order, reached = show_harmless(look, len(free))
        kept = [free[at] for at in order]
        mask = start | self.rows[kept].any(axis=0)
        if not reached or mask.sum() > self.limit:
            return None
        return SearchOutcome(mask, tuple(self.units[at] for at in kept), len(free) - len(kept), reached)

    def run(self, start: Mask) -> SearchOutcome:
        beam = self.score_maskings(start[None], [()])
        while not (done := [state for state in beam if state.is_safe]):
            larger = [state for one in beam for state in self.expand(one)]
            if not larger:
                return self.finish(min(beam, key=lambda state: state.ahead), start, reached=False)
            distinct = {state.mask.tobytes(): state for state in larger}
            beam = sorted(distinct.values(), key=self.key_of)[: self.effort.beam]
        return self.finish(min(done, key=self.key_of), start, reached=True)

    def key_of(self, state: _Masking) -> tuple[bool, int, float]:
        """The safe ones with the fewest words first, then those that hide the person best."""
        return (not state.is_safe, int(state.mask.sum()) if state.is_safe else 0, state.ahead)

    def expand(self, state: _Masking) -> list[_Masking]:
        """The state with one more unit, for the units of its short list; with more units where the goal is far."""
        order, guided = self.rank_units(state)
        if self.effort.beam == 1 and guided and (leap := self.leap(state, order)):
            return [leap]
        # Where nothing lowers the probability any more the estimate is no guide: all are tried.
        chosen = order[: max(self.effort.shortlist, self.effort.beam)] if guided else order
        return self.race(state, chosen) if chosen else []

    def race(self, state: _Masking, chosen: Sequence[int]) -> list[_Masking]:
        """The state with one more of the chosen units, those left out that cannot be best: readings that are fooled are
        asked last, and of no masking that is worse already in the eyes of the others."""
        masks = state.mask | self.rows[list(chosen)]
        least = self.sum_leads(masks, state.unfooled)
        front = np.argsort(least, kind="stable")[: max(self.effort.beam, 2)]
        bound = sorted(self.sum_leads(masks[front], range(len(self.readings))))[: self.effort.beam][-1]
        left = [at for at in range(len(masks)) if at in front or least[at] <= bound]
        return self.score_maskings(masks[left], [(*state.units, chosen[at]) for at in left])

    def leap(self, state: _Masking, order: Sequence[int]) -> _Masking | None:
        """The best two, four, eight... units at once, as many as leave at least half of the way: from there the
        estimates are made anew. Larger leaps are tried where the smaller ones leave enough."""
        far, best = max(state.ahead / 2, _NEAR), 0
        for counts in _LEAPS if state.ahead > far else ():
            masks = np.array([self.rows[order[:count]].any(axis=0) | state.mask for count in counts])
            fit = (masks.sum(axis=1) <= self.limit) & (np.array(counts) <= len(order))
            good = self.sum_leads(masks[fit], state.unfooled, enough=far) >= far
            best = max([best, *(count for count, ok in zip(counts, good, strict=False) if ok)])
            if best < counts[-1]:
                break
        leapt = order[:best]
        return (
            self.score_maskings(state.mask[None] | self.rows[leapt].any(axis=0), [(*state.units, *leapt)])[0]
            if best
            else None
        )

    def rank_units(self, state: _Masking) -> tuple[list[int], bool]:
        """Units that may be masked next, the most revealing first, and whether the estimate finds any."""
        fits = (self.rows & ~state.mask).any(axis=1)
        fits &= (self.rows & ~state.mask).sum(axis=1) + state.mask.sum() <= self.limit
        gains = np.where(fits, self.estimate_gains(state.mask, state.unfooled), -np.inf)
        return [int(at) for at in np.argsort(-gains, kind="stable") if fits[at]], gains.max(initial=0) > TIE

    def estimate_gains(self, mask: Mask, readings: Iterable[int]) -> NDArray[np.float64]:
        """By how much masking each unit too would lower the probability of the true profile, as readings estimate."""
        fall = sum(self.readings[at].screen(mask, self.target) for at in readings)
        return np.asarray(self.rows @ np.where(mask, 0, fall), dtype=np.float64)

    def score_maskings(self, masks: Masks, units: Sequence[Sequence[int]]) -> list[_Masking]:
        """Exact scores of maskings under every reading."""
        told = np.array([self.ask_scorer(at, masks) for at in range(len(self.readings))]).reshape(-1, 3, len(masks))
        lead, safe, odds = told[:, 0], told[:, 1] > 0, told[:, 2].sum(axis=0)
        parts = zip(masks, units, np.where(safe, 0, lead).sum(axis=0), odds, safe.T, strict=True)
        return [_Masking(m, tuple(u), float(a), float(o), tuple(np.flatnonzero(~s))) for m, u, a, o, s in parts]

    def sum_leads(self, masks: Masks, readings: Iterable[int], enough: float = np.inf) -> NDArray[np.float64]:
        """By how much the true profile leads with some readings, added up over those that are not fooled; where it is
        `enough`, those that are left are not asked."""
        total = np.zeros(len(masks))
        for at in readings:
            left = np.flatnonzero(total < enough)
            lead, safe, _ = self.ask_scorer(at, masks[left])
            total[left] += np.where(safe > 0, 0, lead)
        return total

    def ask_scorer(self, at: int, masks: Masks) -> NDArray[np.float64]:
        """For each masking, by how much the true profile leads with a reading, whether the goal holds, and the log-odds
        of the true profile. Each masking is scored once."""
        known, keys = self.known[at], [mask.tobytes() for mask in masks]
        new = {key: place for place, key in enumerate(keys) if key not in known}
        if new:
            rows, k = self.readings[at].score(masks[list(new.values())]), self.goal.k
            lead, safe = compute_leads(rows, self.target, k), is_outranked(rows, self.target, k, self.goal.margin)
            known |= dict(zip(new, zip(lead, safe, compute_odds(rows, self.target), strict=True), strict=True))
        return np.array([known[key] for key in keys], dtype=np.float64).reshape(-1, 3).T

    def finish(self, state: _Masking, start: Mask, reached: bool) -> SearchOutcome:
        kept = self.thin_out(list(state.units), start) if reached else list(state.units)
        if reached and self.effort.exchange:
            kept = exchange_units(
                kept,
                lambda now: self.find_telling(start | self.rows[now].any(axis=0)),
                lambda now, one: self.thin_out(now, start | self.rows[one]),
                lambda now: int(self.rows[now].any(axis=0).sum()),
            )
            kept = self.thin_out(kept, start)
        mask = start | self.rows[kept].any(axis=0)
        return SearchOutcome(mask, tuple(self.units[at] for at in kept), len(state.units) - len(kept), reached)

    def find_telling(self, mask: Mask) -> list[int]:
        """The visible units that tell most about the person by the estimate of all readings, as many as are tried."""
        order = np.argsort(-self.estimate_gains(mask, range(len(self.readings))), kind="stable")
        return [int(at) for at in order if (self.rows[at] & ~mask).any()][: self.effort.exchange]

    def thin_out(self, kept: list[int], start: Mask) -> list[int]:
        """The units without those that can be shown again, until each that is left is needed."""
        tried = kept
        while tried:
            totals = self.sum_safe_leads(self.build_masks_without([[at] for at in tried], kept, start))
            free = [(float(total), at) for at, total in zip(tried, totals, strict=True) if total < np.inf]
            if not free and len(tried) == len(kept):
                break
            if free:
                # Each can go alone: the largest first, then those without which the person stays hidden best.
                order = [at for _, at in sorted(free, key=lambda one: (-self.sizes[one[1]], one[0]))]
                gone = order[: self.count_removable(order, kept, start)]
                kept = [at for at in kept if at not in gone]
            # What had to stay will hardly be free with less masked: it is tried once more at the end alone.
            tried = [at for _, at in free if at in kept] or kept
        return kept

    def count_removable(self, order: Sequence[int], kept: Sequence[int], start: Mask) -> int:
        """How many of the first units can go together, found by halving; the first alone can."""
        low, high = 1, len(order)
        while low < high:
            middle = (low + high + 1) // 2
            [total] = self.sum_safe_leads(self.build_masks_without([order[:middle]], kept, start))
            low, high = (middle, high) if total < np.inf else (low, middle - 1)
        return low

    def build_masks_without(self, gone: Sequence[Sequence[int]], kept: Sequence[int], start: Mask) -> Masks:
        left = [[at for at in kept if at not in one] for one in gone]
        return np.array([start | self.rows[one].any(axis=0) for one in left])

    def sum_safe_leads(self, masks: Masks) -> NDArray[np.float64]:
        """The lead of the true profile over all readings where the goal holds, else infinity. A reading is spared the
        maskings with which one before it finds the person."""
        totals, left = np.zeros(len(masks)), np.arange(len(masks))
        for at in range(len(self.readings)):
            lead, safe, _ = self.ask_scorer(at, masks[left])
            totals[left] += np.where(safe > 0, lead, np.inf)
            left = left[safe > 0]
        return totals
