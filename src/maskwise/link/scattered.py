"""Names whose letters are set apart: "Z b i g n i e w", "Zbig🙂niew", "Zbig**niew**", names across terminal escapes.

The letters of a text are searched without anything between them. A hit counts if no letter of it touches the next one,
or if what stands between its letters is no white space, or if a whole name of several words is cut by spaces only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from ahocorasick_rs import AhoCorasick

from maskwise.link.name_span import NameSpan
from maskwise.text import Person
from maskwise.text.canvas import MARKS, has_escapes, is_escape, make_spoken_canvas
from maskwise.text.common_words import COMMON

_LEAST = 4  # letters of one name
_WHOLE = 8  # letters of a whole name that spaces may cut anywhere
_GAP = 24  # signs between two letters
_GONE = re.compile(rf"[\xad\u200b-\u200d\u2060{MARKS}]")
_HYPHEN = re.compile(
    r"[-\u2010\xad]?\r?\n[ \t]*"
)  # at the end of a line; a soft one is gone already
_INSIDE = re.compile(r"[^\w\s.,;:!?()/@-]+")

# A name as one run of letters, its number, and where its words end.
SpreadName = tuple[str, int, frozenset[int]]


def find_scattered(text: str, people: Sequence[Person]) -> Iterator[NameSpan]:
    """Yields the names of people whose letters do not stand side by side."""
    for start, end, person in find_spread(text, list(_list_names(people))):
        yield NameSpan(start, end, person)


def find_spread(text: str, names: Sequence[SpreadName]) -> Iterator[tuple[int, int, int]]:
    """Yields start, end and number of the names whose letters do not stand side by side."""
    if not names:
        return
    canvas = make_spoken_canvas(text, escapes=False)
    letters = np.frombuffer(canvas.text.encode("utf-32-le"), dtype=np.uint32)
    kept = np.flatnonzero(letters != ord(" "))
    squeezed = canvas.text.replace(" ", "")
    automaton = AhoCorasick([name for name, _, _ in names])
    escaped = has_escapes(text)
    for at, start, end in automaton.find_matches_as_indexes(squeezed, overlapping=True):
        low, high = int(kept[start]), int(kept[end - 1]) + 1
        _, number, cuts = names[at]
        if high - low == end - start and not escaped:
            continue  # written in one
        places = [canvas.find_span(place, place + 1)[0] for place in kept[start:end].tolist()]
        bounded = (
            canvas.text[max(0, low - 1) : low].strip() == ""
            and canvas.text[high : high + 1].strip() == ""
        )
        gaps = [_GONE.sub("", text[left + 1 : right]) for left, right in pairwise(places)]
        if _is_name(gaps, cuts, bounded):
            yield places[0], places[-1] + 1, number


def _list_names(people: Sequence[Person]) -> Iterator[SpreadName]:
    """Yields each name as one run of letters, with the number of its person and where its words end."""
    for number, person in enumerate(people):
        found: dict[str, frozenset[int]] = {}
        for variant in person.list_variants():
            words = variant.text.split()
            if variant.initials or sum(map(len, words)) < _LEAST or variant.text in COMMON:
                continue
            sizes = np.cumsum([len(word) for word in words]).tolist()
            found.setdefault("".join(words), frozenset(sizes[:-1]))
        yield from ((name, number, cuts) for name, cuts in found.items())


def _is_name(gaps: Sequence[str], cuts: frozenset[int], bounded: bool) -> bool:
    """Whether letters with these gaps are a name. `bounded` says that no letter stands before or after them."""
    if any(len(gap) > _GAP and not is_escape(gap) for gap in gaps):
        return False
    inner = [gap for at, gap in enumerate(gaps, 1) if at not in cuts]
    if all(inner):  # letter by letter
        return not any(gap.count("\n") > 1 for gap in gaps)
    odd = [gap for gap in inner if gap]
    if not odd or not bounded:
        return False
    if all(_INSIDE.fullmatch(gap) or is_escape(gap) for gap in odd):
        return True
    if len(odd) == 1 and _HYPHEN.fullmatch(odd[0]):
        return True
    plain = all(gap.isspace() and len(gap) < 3 for gap in odd)
    return plain and bool(cuts) and len(gaps) >= _WHOLE and all(gaps[at - 1] for at in cuts)
