"""Drops mentions that are parts of a whole, where a weaker detector saw the whole.

As many mentions may overlap as a document has words. So nothing here compares them in pairs: ranks are few, and each
question about a whole is asked once per rank and answered by a table.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from maskwise.text import EntityType, Mention

Rank = tuple[bool, int, int]  # not certain, grade, place of its detector in the policy
READ = 1  # the grade of what a pattern reads for certain
UNREAD = 2  # the grade of anything less
Strength = tuple[bool, int, int, int, float, int]


class Ranked(NamedTuple):
    """A mention and how strong it is; the least strength wins. `is_spared`: the policy keeps it by name."""

    strength: Strength
    mention: Mention
    is_spared: bool = False

    @property
    def rank(self) -> Rank:
        """The part of the strength that counts before length: certainty, grade and detector."""
        return self.strength[:3]


def drop_parts(cluster: list[Ranked]) -> list[Ranked]:
    """Returns the cluster without the parts of a whole that a weaker detector saw."""
    ranks = sorted({r.rank for r in cluster})
    if len(ranks) < 2 or len({r.mention.span for r in cluster}) < 2:
        return cluster
    by_rank: dict[Rank, list[Ranked]] = {rank: [] for rank in ranks}
    for ranked in cluster:
        by_rank[ranked.rank].append(ranked)
    tables = {rank: _Parts(same) for rank, same in by_rank.items()}
    wholes: dict[Rank, list[Mention]] = {}
    for whole in cluster:
        stronger = [tables[rank] for rank in ranks if rank < whole.rank]
        if stronger and _is_whole(whole.mention, stronger):
            wholes.setdefault(whole.rank, []).append(whole.mention)
    if not wholes:
        return cluster
    holders = {rank: _Holders(found) for rank, found in wholes.items()}
    parts: set[tuple[str, tuple[int, int]]] = set()
    for part in cluster:
        weaker = [holder for rank, holder in holders.items() if part.rank < rank]
        if any(holder.is_held(part.mention) for holder in weaker):
            parts.add((part.mention.source, part.mention.span))
    return [r for r in cluster if (r.mention.source, r.mention.span) not in parts]


def _is_whole(mention: Mention, stronger: Sequence[_Parts]) -> bool:
    """Whether the mentions of stronger ranks inside it are its parts."""
    if any(parts.has_identifier_inside(mention) for parts in stronger):
        return False
    if mention.type is EntityType.CODE and len(mention.text.split(maxsplit=1)) == 1:
        return True
    begun = any(parts.has_start(mention) for parts in stronger)
    return begun and any(parts.has_end(mention) for parts in stronger)


def _is_untouchable(part: Ranked) -> bool:
    """Whether no whole may take it over: it names the person, is a code, or was read by its label."""
    return part.mention.certain or part.strength[1] < UNREAD


class _Parts:
    """Mentions of one rank, for questions about a whole around them."""

    def __init__(self, ranked: Sequence[Ranked]) -> None:
        mentions = [r.mention for r in ranked]
        self._first_end: dict[int, int] = {}
        self._last_start: dict[int, int] = {}
        for m in mentions:
            self._first_end[m.start] = min(m.end, self._first_end.get(m.start, m.end))
            self._last_start[m.end] = max(m.start, self._last_start.get(m.end, m.start))
        naming = sorted((r.mention for r in ranked if _is_untouchable(r)), key=lambda m: m.start)
        self._starts = [m.start for m in naming]
        # The least end of all that start here or later.
        self._ends = list(accumulate((m.end for m in reversed(naming)), min))[::-1]

    def has_start(self, whole: Mention) -> bool:
        """Whether a shorter mention begins where the whole does."""
        return self._first_end.get(whole.start, whole.end) < whole.end

    def has_end(self, whole: Mention) -> bool:
        """Whether a shorter mention ends where the whole does."""
        return self._last_start.get(whole.end, whole.start) > whole.start

    def has_identifier_inside(self, whole: Mention) -> bool:
        """Whether a shorter mention that no whole may take over stands inside the whole."""
        here = bisect_left(self._starts, whole.start)
        later = bisect_left(self._starts, whole.start + 1)
        starts_with = here < len(self._ends) and self._ends[here] < whole.end
        return starts_with or (later < len(self._ends) and self._ends[later] <= whole.end)


class _Holders:
    """Wholes of one rank, to ask whether one of them holds a mention and more."""

    def __init__(self, wholes: Sequence[Mention]) -> None:
        ordered = sorted(wholes, key=lambda m: m.start)
        self._starts = [m.start for m in ordered]
        self._ends = list(accumulate((m.end for m in ordered), max))

    def is_held(self, part: Mention) -> bool:
        here = bisect_right(self._starts, part.start) - 1
        before = bisect_left(self._starts, part.start) - 1
        return (here >= 0 and self._ends[here] > part.end) or (
            before >= 0 and self._ends[before] >= part.end
        )
