"""The search for all needles at once (Aho and Corasick 1975), and the rules by which a match counts.

A match counts when it is a whole word or long, when a number has no further digit beside it, and when the rules of its
needle hold. Digits may stand apart by a few signs that people put into numbers, letters by a longer gap.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from maskwise.io.leaks.folding import BARRIER, Offsets, fold_offsets, fold_text, is_unspaced
from maskwise.io.leaks.needles import LONG, SURNAME, Needle

if TYPE_CHECKING:
    from ahocorasick_rs import AhoCorasick

GAP = 24  # characters between two letters of a match
WIDE_GAP = 240  # of a long one
NUMBER_GAP = 3
HANDLE = 7  # letters of an initial and a surname that are no word by chance

_NO_NUMBER = re.compile(r"[\n\r\t,;|\"<>{}\[\]:=&]")
_ADDRESS_SIGNS = frozenset("/\\@_~:=")
_VISIBLE = re.compile(r"[!-~\s]")


class NeedleSearch:
    """Needles, ready to be sought in text."""

    def __init__(self, needles: Collection[Needle]) -> None:
        self.needles: Sequence[Needle] = list(needles)

    @cached_property
    def _automaton(self) -> AhoCorasick:
        """Built on use: most files have no text for some of the searches that are made for them."""
        from ahocorasick_rs import AhoCorasick, Implementation

        # The implementation that is chosen for few patterns takes twice as long to build, and most files are short.
        return AhoCorasick(
            [needle.text for needle in self.needles],
            store_patterns=False,
            implementation=Implementation.ContiguousNFA,
        )

    def find(self, text: str) -> Iterator[Needle]:
        """The needles that stand in a text, each once."""
        if not self.needles or not text:
            return
        matches = self._automaton.find_matches_as_indexes(fold_text(text), overlapping=True)
        if not matches:
            return
        offsets = fold_offsets(text)
        done: set[int] = set()
        for number, start, end in matches:
            if number not in done and _is_hit(self.needles[number], text, offsets, start, end):
                done.add(number)
                yield self.needles[number]


def _is_hit(needle: Needle, text: str, offsets: Offsets, start: int, end: int) -> bool:
    first, last = int(offsets[start]), int(offsets[end - 1])
    length = end - start
    if needle.is_number:
        return _is_whole_number(text, first, last) and _has_number_gaps(text, offsets, start, end)
    can_be_inside = length >= LONG and not needle.handle and not needle.capital
    if not can_be_inside and not _is_whole_word(text, first, last, length):
        return False
    apart = last - first >= length
    if needle.capital:
        return _has_capital(text, offsets, start, end, needle.spaced)
    if needle.handle:
        return not apart and (length >= HANDLE or _is_address(text, first, last))
    if not apart:
        return True
    gap = WIDE_GAP if length >= LONG else GAP
    return _has_gaps(text, offsets, start, end, gap if needle.spaced else 0)


def _is_whole_number(text: str, first: int, last: int) -> bool:
    return not (text[first - 1 : first].isdigit() or text[last + 1 : last + 2].isdigit())


def _is_whole_word(text: str, first: int, last: int, length: int) -> bool:
    return _is_word_start(text, first, length) and _is_word_end(text, last, length)


def _is_word_start(text: str, first: int, length: int) -> bool:
    """Whether a word begins here; for a name of some length a capital after a small letter is a beginning."""
    before = text[first - 1] if first else ""
    if not before.isalnum():
        return True
    here = text[first]
    if is_unspaced(here):
        return True
    if length < SURNAME:
        return False
    return (here.isupper() and before.islower()) or before.isdigit() != here.isdigit()


def _is_word_end(text: str, last: int, length: int) -> bool:
    after = text[last + 1 : last + 2]
    if not after.isalnum():
        return True
    here = text[last]
    if is_unspaced(here):
        return True
    if length < SURNAME:
        return False
    return (after.isupper() and here.islower()) or after.isdigit() != here.isdigit()


def _has_capital(text: str, offsets: Offsets, start: int, end: int, spaced: bool) -> bool:
    """Whether every word of the match begins with a capital; or, of several words, it is in one piece."""
    places = [int(at) for at in offsets[start:end]]
    if not spaced:
        return not text[places[0]].islower() and _has_gaps(text, offsets, start, end, 0)
    if places[-1] - places[0] < len(places):
        return True
    if text[places[0]].islower() or not _has_gaps(text, offsets, start, end, GAP):
        return False
    return not any(text[right].islower() for left, right in pairwise(places) if right - left > 1)


def _has_gaps(text: str, offsets: Offsets, start: int, end: int, widest: int) -> bool:
    """Whether no two letters of a match stand further apart than this; what nobody sees does not count."""
    places = offsets[start:end].tolist()
    for left, right in pairwise(places):
        if right - left > 1:
            between = text[left + 1 : right]
            seen = len(_VISIBLE.findall(between))
            if seen > widest or BARRIER in between:
                return False
    return True


def _has_number_gaps(text: str, offsets: Offsets, start: int, end: int) -> bool:
    places = offsets[start:end].tolist()
    for left, right in pairwise(places):
        if right - left == 1:
            continue
        if right - left - 1 > NUMBER_GAP or _NO_NUMBER.search(text, left + 1, right):
            return False
    return True


def _is_address(text: str, first: int, last: int) -> bool:
    """Whether a sign of paths, addresses or user names stands beside the match."""
    before, after = text[max(first - 1, 0) : first], text[last + 1 : last + 2]
    return before in _ADDRESS_SIGNS or after in _ADDRESS_SIGNS or after.isdigit()
