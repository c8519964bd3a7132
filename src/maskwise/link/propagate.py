"""Makes a mention of every further occurrence of a detected name, by one Aho–Corasick automaton.

People, organisations, places, codes and other names are sought again. Dates, quantities and demographics are not. Names
are sought as written and in capitals, and as whole words only; in scripts without spaces also inside a run of letters.

A single word may stand in lower case elsewhere in the text: then it is sought only as the name of a person. It may be
common in English: then it is sought only if that person is named in full or with a title. Either counts only where it
reads as a name (`reading`).

A match inside a mention is dropped. A match that holds weaker mentions replaces them. A match that cuts across a
mention, or holds one that is certain, a code or part of a definition, gives way.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from ahocorasick_rs import AhoCorasick, Implementation

from maskwise.link.cluster import SurfaceForm
from maskwise.link.organisations import is_acronym, is_distinctive, make_acronym
from maskwise.link.reading import is_name_at, is_read_as_person
from maskwise.text import Document, EntityType, Mention, Provenance
from maskwise.text.canvas import (
    Canvas,
    Offsets,
    find_inside_words,
    is_whole_word,
    make_written_canvas,
)
from maskwise.text.common_words import COMMON, LEGAL_FORMS, NEVER, PLACED
from maskwise.text.english import HONORIFICS, PARTICLES
from maskwise.text.folding import fold_words, strip_accents
from maskwise.text.nicknames import list_short

STRETCH = 1 << 20  # characters searched at once
LONGEST = 200  # characters of a name; building an automaton takes the square of the longest one
# Types that are not sought again, and that never are a second type of a name.
UNSOUGHT = (EntityType.DATETIME, EntityType.QUANTITY)
_TITLES = sorted(
    (title.capitalize() for title in HONORIFICS if title != "me"), key=len, reverse=True
)
_TITLE_BEFORE = re.compile(rf"\b(?:{'|'.join(_TITLES)})\.?\s{{1,2}}$")
_ADDRESS_BEFORE, _ADDRESS_GOES_ON = re.compile(r"[@./#&=+~%-]$"), re.compile(r"[@/=&~%-]|\.\w")
_KNOWN_LETTERS = frozenset("us uk eu un usa".split())
_CLOCK_BEFORE = re.compile(r"\d\s?\Z")
_NUMBER_GOES_ON = re.compile(r"[/.,:-]\d")
_SHOUTED = re.compile(r"\b[^\W\d_a-z]{4,}\b")  # a line in capitals
_NUMBER_CAME_BEFORE = re.compile(r"\d[/.,:-]$")


class Pattern(NamedTuple):
    """A text to look for, and the type of a match.

    `at`: the number of the mention it comes from. `exact`: that mention is written so.
    """

    text: str
    type: EntityType
    at: int
    exact: bool


def propagate_names(
    document: Document,
    mentions: Sequence[Mention],
    known: Iterable[SurfaceForm],
    fixed: Collection[int] = (),
) -> list[Mention]:
    """Returns all mentions, old and new, sorted. No two of them overlap.

    `known`: the names of these mentions to look for. `fixed`: where mentions start that must stay as they are.
    """
    patterns = _make_patterns(known)
    if not patterns:
        return list(mentions)
    canvas = make_written_canvas(document.text)
    matches = _find_matches(canvas, document.text, mentions, patterns)
    chosen = _choose_matches(document.text, mentions, matches, fixed)
    if not chosen:
        return list(mentions)
    dropped = {at for _, _, _, inside in chosen for at in inside}
    kept = [m for at, m in enumerate(mentions) if at not in dropped]
    for start, end, pattern, _ in chosen:
        origin = mentions[pattern.at]
        kept.append(
            document.mention(
                start,
                end,
                pattern.type,
                subtype=origin.subtype if pattern.exact else "",
                source=Provenance.LINK,
                score=origin.score,
                value=origin.value if pattern.exact else "",
            )
        )
    kept.sort(key=lambda m: m.start)
    return kept


def find_title(text: str, start: int) -> int:
    """Returns where a title right before `start` begins, else `start`."""
    match = _TITLE_BEFORE.search(text, max(0, start - 14), start)
    return match.start() if match else start


def _make_patterns(known: Iterable[SurfaceForm]) -> dict[str, Pattern]:
    """Returns the patterns by text. A name as written goes before one that was derived from another name."""
    exact: dict[str, Pattern] = {}
    derived: dict[str, Pattern] = {}
    for surface, kind, members in known:
        for number, variant in enumerate(_list_variants(strip_accents(surface), kind)):
            if len(variant) > LONGEST:
                continue
            if number == 0:
                exact.setdefault(variant, Pattern(variant, kind, members[0], True))
            else:
                derived.setdefault(variant, Pattern(variant, kind, members[0], False))
    return derived | exact


def _list_variants(surface: str, kind: EntityType) -> Iterator[str]:
    """Yields the ways to write a name that are telling enough to be sought, the string itself first."""
    if kind is EntityType.CODE:
        if len(surface) > 4 and any(c.isdigit() for c in surface):
            yield surface
        return
    if kind is EntityType.PERSON:
        forms = _list_person_names(surface)
    elif kind is EntityType.ORG:
        forms = _list_organisation_names(surface)
    elif kind in (EntityType.LOC, EntityType.MISC):
        forms = iter((surface,))
    else:
        return
    common = NEVER - PLACED if kind is EntityType.PERSON and " " in surface else COMMON
    if kind is EntityType.ORG and is_acronym(surface):
        common = frozenset()
    for form in forms:
        if _is_telling(form, common):
            yield form
            if len(form) > 3 and not form.isupper():
                yield form.upper()


def _is_telling(form: str, common: frozenset[str] = COMMON) -> bool:
    """Whether a name is telling enough to be sought: in a script that has capitals, it needs one."""
    low = form.lower()
    has_capitals = low != form
    has_caseless_letters = low == form.upper() and any(map(str.isalpha, form))
    if len(form) < 2 or not (has_capitals or has_caseless_letters):
        return False
    if " " in form:
        return True
    word = low.strip(".")
    return word not in common and (len(word) > 1 or form[-1] == ".")


def _list_person_names(surface: str) -> Iterator[str]:
    """Yields a name as written, without its title, the surname, the given name and its short forms."""
    yield surface
    tokens = surface.split()
    while len(tokens) > 1 and tokens[0].rstrip(".").lower() in HONORIFICS:
        del tokens[0]
    if not tokens or "and" in tokens or "," in surface:
        return
    if len(tokens[-1].rstrip(".")) < 2 or any(c.isdigit() for c in surface):
        return  # "Mr X" is sought with his title only
    if all(token.isupper() and len(token) > 2 for token in tokens):
        yield from (" ".join(tokens).title(), tokens[-1].title())
    family = len(tokens) - 1
    while family > 0 and tokens[family - 1].lower() in PARTICLES:
        family -= 1
    yield from (" ".join(tokens), " ".join(tokens[family:]))
    if tokens[-1][-1] == ".":
        return
    yield tokens[-1]
    if len(tokens[0]) > 2:
        yield from (
            f.title() for f in list_short(_fold(tokens[0])) if len(f) > 2 and f not in COMMON
        )
    if family > 0:
        yield from _list_initials(tokens)
        yield f"{tokens[0]} {' '.join(tokens[family:])}"
        if len(tokens[0]) > 2 and "." not in tokens[0]:
            yield tokens[0]


def _fold(word: str) -> str:
    return "".join(fold_words(word))


def _list_initials(tokens: Sequence[str]) -> Iterator[str]:
    """Yields the initials of a full name, close together and apart, unless they mean something else to everybody."""
    letters = [token[0] for token in tokens if token.lower() not in PARTICLES]
    if "".join(letters).lower() in _KNOWN_LETTERS or not all(map(str.isupper, letters)):
        return
    yield "".join(f"{letter}." for letter in letters)
    yield " ".join(f"{letter}." for letter in letters)


def _list_organisation_names(surface: str) -> Iterator[str]:
    """Yields a name as written, its acronym, the name without its legal form, and a distinctive first word."""
    yield surface
    tokens = surface.split()
    if not tokens:
        return  # nothing but marks was found
    if letters := make_acronym(surface):
        yield letters
    size = len(tokens)
    while len(tokens) > 1 and tokens[-1].replace(".", "").strip(",").lower() in LEGAL_FORMS:
        tokens.pop()
    tokens[-1] = tokens[-1].rstrip(",")
    if len(tokens) == size or (len(tokens) == 1 and not is_distinctive(tokens[0])):
        return
    yield " ".join(tokens)
    if is_distinctive(tokens[0]):
        yield tokens[0]


def _find_matches(
    canvas: Canvas, text: str, mentions: Sequence[Mention], patterns: dict[str, Pattern]
) -> Iterator[tuple[int, int, Pattern]]:
    """Yields the matches of whole words that no mention covers, the earliest and longest first."""
    names = list(patterns.values())
    singles = [p for p in names if _is_single_word(p)]
    sought = [p.text for p in names] + [p.text.lower() for p in singles]
    which, starts, ends = _find_occurrences(canvas, text, sought)
    lower = which >= len(names)
    common: set[int] = set()
    in_lower_case = [column[lower].tolist() for column in (which, starts, ends)]
    for number, start, end in zip(*in_lower_case, strict=True):
        if number not in common and _is_word(text, start, end):
            common.add(number)
    words = {singles[number - len(names)].text for number in common}
    words |= {name.upper() for name in words}
    free = ~lower & (_find_cover_ends(mentions, starts) < ends)
    order = np.lexsort((-ends[free], starts[free]))
    found = [column[free][order].tolist() for column in (starts, ends, which)]
    for start, end, number in zip(*found, strict=True):
        if is_whole_word(text, start, end) and _is_name(text, start, end, names[number], words):
            yield start, end, names[number]


def _is_single_word(pattern: Pattern) -> bool:
    """Whether it is one word in small letters after the first, which may also be a common word of the text."""
    text = pattern.text
    return " " not in text and pattern.type is not EntityType.CODE and text[1:].islower()


def _find_occurrences(
    canvas: Canvas, text: str, names: Sequence[str]
) -> tuple[Offsets, Offsets, Offsets]:
    """Returns number, start and end of each occurrence, without those that are only part of a word."""
    longest = max(map(len, names))
    # The implementation that is chosen for few patterns takes twice as long to build, and most texts are short.
    automaton = AhoCorasick(
        names, store_patterns=False, implementation=Implementation.ContiguousNFA
    )
    parts = []
    # Short names are found inside many words. One stretch at a time keeps memory small.
    for low in range(0, len(canvas.text), STRETCH):
        stretch = canvas.text[low : low + STRETCH + longest - 1]
        hits = chain.from_iterable(automaton.find_matches_as_indexes(stretch, overlapping=True))
        flat = np.fromiter(hits, dtype=np.int64).reshape(-1, 3)
        flat = flat[flat[:, 1] < STRETCH]
        parts.append(np.stack([flat[:, 0], *canvas.find_spans(flat[:, 1] + low, flat[:, 2] + low)]))
    found = np.concatenate([np.zeros((3, 0), dtype=np.int64), *parts], axis=1)
    which, starts, ends = found[:, ~find_inside_words(text, found[1], found[2])]
    return which, starts, ends


def _is_name(text: str, start: int, end: int, pattern: Pattern, words: set[str]) -> bool:
    """Whether a match is the name. `words` stand in lower case elsewhere in the text."""
    if pattern.type is EntityType.CODE:
        goes_on = _NUMBER_GOES_ON.match(text, end)
        return not (goes_on or _NUMBER_CAME_BEFORE.search(text, max(0, start - 2), start))
    if pattern.text[-1] == ".":
        is_longer = text[end : end + 1].isalnum() or text[start - 1 : start] == "."
        if is_longer or _CLOCK_BEFORE.search(text, max(0, start - 2), start):
            return False  # "5 P.M."
    if pattern.text.lower() in PLACED:
        is_titled = find_title(text, start) < start
        return is_titled or is_read_as_person(text, start, end)
    if pattern.text in words or pattern.text.lower() in COMMON:
        if pattern.type is EntityType.ORG and is_acronym(pattern.text):
            return not _SHOUTED.search(text[max(0, start - 24) : start] + text[end : end + 24])
        if pattern.type is not EntityType.PERSON:
            return False
        return is_name_at(text, start, end) or find_title(text, start) < start
    return True


def _is_word(text: str, start: int, end: int) -> bool:
    """Whether lower-case letters are a word of the text, rather than part of an address."""
    if _ADDRESS_BEFORE.search(text, max(0, start - 1), start) or _ADDRESS_GOES_ON.match(text, end):
        return False
    return is_whole_word(text, start, end)


def _find_cover_ends(mentions: Sequence[Mention], offsets: Offsets) -> Offsets:
    """Returns for each offset the end of the last mention that starts at it or before."""
    starts = np.fromiter((m.start for m in mentions), dtype=np.int64, count=len(mentions))
    ends = np.fromiter((m.end for m in mentions), dtype=np.int64, count=len(mentions))
    at = np.searchsorted(starts, offsets, side="right")
    return np.concatenate(([0], ends))[at]


def _choose_matches(
    text: str,
    mentions: Sequence[Mention],
    matches: Iterable[tuple[int, int, Pattern]],
    fixed: Collection[int],
) -> list[tuple[int, int, Pattern, range]]:
    """Returns the matches that count, each with the numbers of the mentions it replaces."""
    starts = [m.start for m in mentions]
    chosen: list[tuple[int, int, Pattern, range]] = []
    free = 0
    for start, end, pattern in matches:
        if start < free:
            continue
        low = bisect_right(starts, start)
        if low and mentions[low - 1].end > start:
            low -= 1
        high = low
        while high < len(mentions) and starts[high] < end:
            high += 1
        inside = mentions[low:high]
        if any(m.start < start or m.end > end or m.certain or m.start in fixed for m in inside):
            continue
        if pattern.type is not EntityType.CODE and any(m.type is EntityType.CODE for m in inside):
            continue  # a code stays one
        if pattern.type is EntityType.PERSON:
            titled = find_title(text, start)
            left = mentions[low - 1].end if low else 0
            start = titled if titled >= max(left, free) else start
        chosen.append((start, end, pattern, range(low, high)))
        free = end
    return chosen
