"""Glyphs of a page as words, where they are set one by one: letter-spaced, vertical, or along a slope.

PDFium puts spaces and line breaks where it sees gaps. Glyphs that follow each other in equal steps, or each behind a
gap, are one word, and a wider step or gap is a space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from statistics import median

RUN = 4  # glyphs that are words by themselves, at the least
ROW = 6  # glyphs in equal steps, at the least
WIDE = 1.5  # of the usual gap: a space
FAR = 2.0  # of the height of a glyph: a wider gap parts columns
LONG = 200  # glyphs of one run: a longer one is cut
STEPS = 4  # a wider step ends a run
_TOLERANCE = 0.02  # of a step
_ROUNDING = 0.1  # points
_CLOSE = 0.5  # points between glyphs of one word


Size = Callable[[int], tuple[float, float]]


@dataclass(frozen=True)
class Glyph:
    """A character, its index on the page, and where it begins, in points."""

    text: str
    index: int
    x: float
    y: float

    @property
    def is_solid(self) -> bool:
        return not self.text.isspace() and self.text != ""


def join_glyphs(glyphs: Sequence[Glyph], size_of: Size) -> list[tuple[int, str]]:
    """Characters with their indices, with white space where words end. `size_of` says how wide and high a glyph is."""
    solid = [at for at, glyph in enumerate(glyphs) if glyph.is_solid]
    between = _find_gaps(glyphs, solid, size_of) | _find_steps(glyphs, solid, size_of)
    first = solid[0] if solid else len(glyphs)
    found = [(glyph.index, glyph.text) for glyph in glyphs[:first]]
    for number, at in enumerate(solid):
        glyph = glyphs[at]
        found.append((glyph.index, glyph.text))
        end = solid[number + 1] if number + 1 < len(solid) else len(glyphs)
        if number not in between:
            found += ((blank.index, blank.text) for blank in glyphs[at + 1 : end])
        elif between[number]:
            found.append((glyph.index, between[number]))
    return found


def _find_steps(glyphs: Sequence[Glyph], solid: Sequence[int], size_of: Size) -> dict[int, str]:
    """The separator after each glyph of runs in equal steps, in any direction."""
    steps = [(glyphs[b].x - glyphs[a].x, glyphs[b].y - glyphs[a].y) for a, b in pairwise(solid)]
    found: dict[int, str] = {}
    start = 0
    while start < len(steps):
        counts = _count_run(steps, start)
        run = range(start, start + len(counts))
        if len(counts) + 1 < ROW or 2 * counts.count(1) <= len(counts):
            start += 1
            continue
        if not _is_set_in_flow(glyphs, solid, steps, run, size_of):
            for number, count in zip(run, counts, strict=True):
                found[number] = _choose_glue(glyphs, solid, number, count > 1)
        start = run.stop
    return found


def _count_run(steps: Sequence[tuple[float, float]], start: int) -> list[int]:
    """How many times the first step each step of a run is, as far as it goes on."""
    counts = [1]
    for step in steps[start + 1 : start + LONG]:
        count = _count_steps(step, steps[start])
        if not count:
            break
        counts.append(count)
    return counts


def _is_set_in_flow(
    glyphs: Sequence[Glyph],
    solid: Sequence[int],
    steps: Sequence[tuple[float, float]],
    run: range,
    size_of: Size,
) -> bool:
    """Whether most glyphs of a run begin where the one before ends, as in a line of digits or of a typewriter."""
    close = 0
    for number in run:
        width, _ = size_of(glyphs[solid[number]].index)
        close += abs(hypot(*steps[number]) - width) <= _CLOSE
    return 2 * close > len(run)


def _count_steps(step: tuple[float, float], base: tuple[float, float]) -> int:
    """How many times `base` a step is, or nothing."""
    length = hypot(*base)
    if length < 1:
        return 0
    count = round(hypot(*step) / length)
    if not 1 <= count <= STEPS:
        return 0
    off = hypot(step[0] - count * base[0], step[1] - count * base[1])
    return count if off <= _TOLERANCE * count * length + _ROUNDING else 0


def _find_gaps(glyphs: Sequence[Glyph], solid: Sequence[int], size_of: Size) -> dict[int, str]:
    """The separator after each glyph of runs in which each is a word by itself."""
    found: dict[int, str] = {}
    start = 0
    while start < len(solid):
        end = start
        while end + 1 < len(solid) and _has_blank(glyphs[solid[end] + 1 : solid[end + 1]]):
            end += 1
        # A glyph that is joined to the word before is no word by itself.
        joined = start > 0 and solid[start] - solid[start - 1] == 1
        run = range(start + joined, end)
        if len(run) + 1 >= RUN:
            found |= _judge_gaps(glyphs, solid, run, size_of)
        start = end + 1
    return found


def _judge_gaps(
    glyphs: Sequence[Glyph], solid: Sequence[int], run: range, size_of: Size
) -> dict[int, str]:
    gaps = []
    for number in run:
        one, other = glyphs[solid[number]], glyphs[solid[number + 1]]
        gaps.append(_measure_gap(one, other, size_of))
    usual = max(median(gaps), 0.5)
    _, height = size_of(glyphs[solid[run[0]]].index)
    if usual > FAR * height:
        return {}
    found = {}
    for number, gap in zip(run, gaps, strict=True):
        found[number] = _choose_glue(glyphs, solid, number, gap > WIDE * usual)
    return found


def _has_blank(between: Sequence[Glyph]) -> bool:
    return bool(between) and not any(blank.text in "\r\n" for blank in between)


def _measure_gap(one: Glyph, other: Glyph, size_of: Size) -> float:
    return hypot(other.x - one.x, other.y - one.y) - size_of(one.index)[0]


def _choose_glue(glyphs: Sequence[Glyph], solid: Sequence[int], number: int, is_wide: bool) -> str:
    """A space where the step is wide, or where a capital follows a small letter."""
    one, other = glyphs[solid[number]].text, glyphs[solid[number + 1]].text
    return " " if is_wide or (one.islower() and other.isupper()) else ""
