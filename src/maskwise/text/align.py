"""Masked text aligned back to the original, so that masks made by any tool can be measured as offsets.

An anchor-based difference over tokens: runs of three tokens that occur once in both texts are anchors (a longest
increasing chain of them is kept), and a longest common subsequence settles what lies between two anchors. Letter case
and white space may differ: many tools change both without masking anything. What changed is an `Edit`; edits put into
the original give the masked text exactly.

The subsequence is taken from the left and from the right. Where the two disagree on which words are masked, the text
alone does not tell: the alignment of fewer edits is used and the place is reported as ambiguous.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz.distance import LCSseq

_TOKEN = re.compile(r"\w+|[^\w\s]")
_WORD = re.compile(r"\w")
_ANCHOR = 3  # tokens that an anchor spans

# The number of a token of the original, and of the same token of the masked text.
Match = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edit:
    """`original[start:end)` was written as `replacement`. A `mask` hides a word; other edits are spacing or case."""

    start: int
    end: int
    replacement: str
    mask: bool


@dataclass(frozen=True, slots=True)
class Aligned:
    """All edits in order, and the spans of the original about which two alignments of one length disagree."""

    edits: tuple[Edit, ...]
    ambiguous: tuple[tuple[int, int], ...]

    @property
    def masks(self) -> list[tuple[int, int, str]]:
        return [(e.start, e.end, e.replacement) for e in self.edits if e.mask]


class _Tokens:
    """Tokens of a text: where they stand, and what they are when case is set aside."""

    def __init__(self, text: str) -> None:
        found = list(_TOKEN.finditer(text))
        self.spans = [m.span() for m in found]
        self.keys = [m.group().casefold() for m in found]
        self.size = len(text)

    def find_gap(self, before: int, after: int) -> tuple[int, int]:
        """Characters after token `before` and ahead of token `after`; -1 and the count stand for the two ends."""
        start = self.spans[before][1] if before >= 0 else 0
        end = self.spans[after][0] if after < len(self.spans) else self.size
        return start, end


def align_texts(original: str, masked: str) -> Aligned:
    """The edits that lead from `original` to `masked`."""
    source, target = _Tokens(original), _Tokens(masked)
    matches: list[Match] = []
    ambiguous: list[tuple[int, int]] = []
    end = (len(source.keys), len(target.keys))
    anchors = [(-1, -1), *_find_anchors(source.keys, target.keys), end]
    for (left, low), (right, high) in pairwise(anchors):
        ours, theirs = left + 1, low + 1  # the first tokens after the left anchor
        found, doubt = _match_between(source.keys[ours:right], target.keys[theirs:high])
        matches += [(ours + i, theirs + j) for i, j in found]
        for i, j in doubt:
            ambiguous.append((source.spans[ours + i][0], source.spans[ours + j][1]))
        if right < len(source.keys):
            matches.append((right, high))
    edits = _list_edits(original, masked, source, target, matches)
    return Aligned(tuple(edits), tuple(ambiguous))


def _find_anchors(source: Sequence[str], target: Sequence[str]) -> list[Match]:
    """Matches inside runs of tokens that occur once in both texts, in an order that holds for both."""
    ours, theirs = _find_unique_runs(source), _find_unique_runs(target)
    pairs = [(at, theirs[run]) for run, at in ours.items() if run in theirs]
    chain = _find_longest_chain(sorted(pairs))
    clashing: set[Match] = set()
    for a, b in pairwise(chain):
        if not _is_consistent(a, b):
            clashing |= {a, b}
    kept = [run for run in chain if run not in clashing]
    return sorted({(i + k, j + k) for i, j in kept for k in range(_ANCHOR)})


def _find_unique_runs(keys: Sequence[str]) -> dict[tuple[str, ...], int]:
    runs = list(zip(*(keys[k:] for k in range(_ANCHOR)), strict=False))
    count = Counter(runs)
    return {run: at for at, run in enumerate(runs) if count[run] == 1}


def _is_consistent(a: Match, b: Match) -> bool:
    """Whether two runs are apart, or overlap by as much in both texts, so that no token gets two matches."""
    steps = (b[0] - a[0], b[1] - a[1])
    return steps[0] == steps[1] or min(steps) >= _ANCHOR


def _find_longest_chain(pairs: Sequence[Match]) -> list[Match]:
    """The longest chain of pairs that grows in both numbers (patience sorting)."""
    tails: list[int] = []
    ends: list[int] = []
    back: list[int] = []
    for at, (_, value) in enumerate(pairs):
        slot = bisect_left(tails, value)
        tails[slot : slot + 1] = [value]
        ends[slot : slot + 1] = [at]
        back.append(ends[slot - 1] if slot else -1)
    chain = []
    at = ends[-1] if ends else -1
    while at >= 0:
        chain.append(pairs[at])
        at = back[at]
    return chain[::-1]


def _match_between(source: Sequence[str], target: Sequence[str]) -> tuple[list[Match], list[Match]]:
    """Matches between two anchors, and ranges of source tokens over which the two directions disagree."""
    if not source or not target:
        return [], []
    forward = _find_common(source, target)
    backward = _find_common_backward(source, target)
    if forward == backward:
        return forward, []
    matched_once = {i for i, _ in forward} ^ {i for i, _ in backward}
    differ = sorted(i for i in matched_once if _WORD.match(source[i]))
    better = min(forward, backward, key=_count_breaks)
    return better, [(differ[0], differ[-1])] if differ else []


def _find_common(source: Sequence[str], target: Sequence[str]) -> list[Match]:
    """A longest common subsequence, taken from the left."""
    matches: list[Match] = []
    for block in LCSseq.opcodes(source, target):
        if block.tag == "equal":
            ours = range(block.src_start, block.src_end)
            theirs = range(block.dest_start, block.dest_end)
            matches += zip(ours, theirs, strict=True)
    return matches


def _find_common_backward(source: Sequence[str], target: Sequence[str]) -> list[Match]:
    """A longest common subsequence, taken from the right."""
    size, length = len(source) - 1, len(target) - 1
    mirrored = _find_common(source[::-1], target[::-1])
    return [(size - i, length - j) for i, j in reversed(mirrored)]


def _count_breaks(matches: Sequence[Match]) -> int:
    """How often two matches in a row are not neighbours in both texts."""
    return sum((b[0] - a[0], b[1] - a[1]) != (1, 1) for a, b in pairwise(matches))


def _list_edits(
    original: str, masked: str, source: _Tokens, target: _Tokens, matches: Sequence[Match]
) -> Iterator[Edit]:
    """Yields what differs between two matches in a row, and matched tokens that differ in case."""
    ends = [(-1, -1), *matches, (len(source.keys), len(target.keys))]
    for (left, low), (right, high) in pairwise(ends):
        yield from _edit_gap(original, masked, source, target, (left, right), (low, high))
        if right < len(source.keys):
            start, end = source.spans[right]
            written = masked[slice(*target.spans[high])]
            if original[start:end] != written:
                yield Edit(start, end, written, False)


def _edit_gap(
    original: str,
    masked: str,
    source: _Tokens,
    target: _Tokens,
    ours: tuple[int, int],
    theirs: tuple[int, int],
) -> Iterator[Edit]:
    start, end = source.find_gap(*ours)
    low, high = target.find_gap(*theirs)
    lost, written = original[start:end], masked[low:high]
    if lost == written:
        return
    head, tail = _measure_shared_space(lost, written)
    start, end = start + head, end - tail
    replacement = written[head : len(written) - tail]
    hides_word = _WORD.search(original, start, end) is not None
    yield Edit(start, end, replacement, hides_word)


def _measure_shared_space(a: str, b: str) -> tuple[int, int]:
    """The lengths of the white space that two gaps share at their ends. It is no part of a mask."""
    head = _count_shared_space(a, b)
    tail = _count_shared_space(a[head:][::-1], b[head:][::-1])
    return head, tail


def _count_shared_space(a: str, b: str) -> int:
    count = 0
    while count < min(len(a), len(b)) and a[count] == b[count] and a[count].isspace():
        count += 1
    return count
