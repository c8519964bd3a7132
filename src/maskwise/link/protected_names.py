"""Finds the names of protected people in a text, however they are written.

One automaton over the spoken canvas finds every variant of every name at once. Each hit is then judged on the original.
A single word needs a capital; if it is common in English, it also needs a title or a place where it reads as a name
(`reading`). Initials need their dots. In scripts without spaces a name may stand inside a run of letters.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from ahocorasick_rs import AhoCorasick
from rapidfuzz.distance import OSA

from maskwise.link.logins import find_logins
from maskwise.link.name_span import NameSpan
from maskwise.link.propagate import find_title
from maskwise.link.reading import is_name_at
from maskwise.link.scattered import find_scattered
from maskwise.text import Document, EntityType, Person
from maskwise.text.canvas import (
    MARKS,
    Canvas,
    has_escapes,
    has_unspaced_script,
    is_whole_word,
    make_spoken_canvas,
)
from maskwise.text.common_words import COMMON, LEGAL_FORMS
from maskwise.text.english import PARTICLES
from maskwise.text.folding import fold_words
from maskwise.text.person import Variant, list_spellings
from maskwise.text.subtypes import EMAIL, HANDLE, URL

_PIECE = re.compile(r"[^\W_]+")
_GAP = re.compile(rf"[\s.,'’ʼ‐-—_\xad\u200b-\u200d\u2060{MARKS}-]{{1,5}}")
_MIDDLE = re.compile(r"[ \xa0\n](?:[^\W\d_a-z][\w'’-]*\.?[ \xa0\n]){0,2}")
_WEB = re.compile(
    r"\w@\w|://|^www\.|^[@#]\w|\w\.[a-z]{2,6}(?:/|$)|\w_\w|/(?:home|homes|users|mail|export|media|user)/\w"
    r"|\\(?:users|home|profiles)\\\w|^[a-z]:[\\/]\w|^\\\\\w|^~\w",
    re.IGNORECASE,
)
_CAPITALISED_BEFORE = re.compile(r"\b[^\W\d_a-z]\w*\s$")
_GLUED = re.compile(r"_|\d")
_TOKEN = 254  # the longest e-mail address; longer tokens are cut around the name
_LEADING, _TRAILING = "([{<\"'“‘«*", ")]}>\"'”’»*.,;:!?"


def find_names(document: Document) -> list[NameSpan]:
    """Returns the names of `document.protected` in order of position. No two of them overlap."""
    text, people = document.text, document.protected
    canvases = [make_spoken_canvas(text)]
    if has_escapes(text):
        canvases.append(make_spoken_canvas(text, escapes=False))
    variants = _list_variants(people)
    if not variants:
        return []
    found = list(_find_variants(text, canvases, people, variants))
    found += find_scattered(text, people)
    found += find_logins(text, canvases[-1], people)
    return _join_spans(text, found)


def _find_variants(
    text: str,
    canvases: Iterable[Canvas],
    people: Sequence[Person],
    variants: Sequence[tuple[Variant, int]],
) -> Iterator[NameSpan]:
    """Yields the variants that stand as words, inside words, and inside runs of letters without spaces."""
    solid = _list_solid_names(variants)
    unspaced = _list_unspaced_names(variants) if has_unspaced_script(text) else []
    spellings = [list(chain(*map(list_spellings, person.names))) for person in people]
    patterns = [f" {variant.text} " for variant, _ in variants]
    patterns += [name for name, _ in solid]
    patterns += [name for name, _, _ in unspaced]
    automaton = AhoCorasick(patterns)
    for canvas in canvases:
        # The canvas gets a space on each side, so a hit stands one character further left on the canvas itself.
        hits = automaton.find_matches_as_indexes(f" {canvas.text} ", overlapping=True)
        for number, start, end in hits:
            if number < len(variants):
                variant, person = variants[number]
                place = start, end - 2  # a variant has its own space on each side
                yield from _judge_words(text, canvas, place, variant, person, spellings[person])
                continue
            number -= len(variants)
            if number < len(solid):
                yield from _judge_inside_word(text, canvas, start - 1, end - 1, solid[number][1])
                continue
            _, variant, person = unspaced[number - len(solid)]
            yield from _judge_unspaced(text, *canvas.find_span(start - 1, end - 1), variant, person)


def _list_variants(people: Sequence[Person]) -> list[tuple[Variant, int]]:
    """Lists every way to write every person. A variant that is the full name of another person is that person's."""
    owner: dict[str, int] = {}
    for number, person in enumerate(people):
        name = " ".join(fold_words(" ".join(person.parts)))
        owner.setdefault(name, number)
    found: list[tuple[Variant, int]] = []
    for number, person in enumerate(people):
        variants = dict.fromkeys(person.list_variants())
        found += [(v, number) for v in variants if owner.get(v.text, number) == number]
    return found


def _judge_words(
    text: str,
    canvas: Canvas,
    place: tuple[int, int],
    variant: Variant,
    person: int,
    spellings: list[str],
) -> Iterator[NameSpan]:
    """Yields a variant that stands as words of its own. `place` is its span on the canvas."""
    low, high = canvas.find_span(*place)
    if variant.full == 1 and not variant.initials:
        yield from _find_misspelt(text, canvas, *place, spellings, person)
    token = _find_web_token(text, low, high)
    if token is not None:
        if _is_unbroken(text, low, high):
            yield _make_web_span(text, token, person)
        return
    end = _find_name_end(text, low, high, variant)
    if end is not None:
        yield NameSpan(find_title(text, low), end, person)


def _make_web_span(text: str, token: tuple[int, int], person: int) -> NameSpan:
    subtype = _choose_web_subtype(text[slice(*token)])
    return NameSpan(*token, person, EntityType.CODE, subtype)


def _is_unbroken(text: str, start: int, end: int) -> bool:
    """Whether no token ends inside: in "Souza <ana@example.org>" nobody is called "Souza <ana"."""
    for left, right in pairwise(_PIECE.finditer(text, start, end)):
        has_space = any(map(str.isspace, text[left.end() : right.start()]))
        if has_space and not _is_name_gap(text, left, right):
            return False
    return True


def _find_name_end(text: str, start: int, end: int, variant: Variant) -> int | None:
    """Returns where the name ends (its last dot included), or None if this is not the name."""
    pieces = list(_PIECE.finditer(text, start, end))
    if not all(_is_name_gap(text, left, right) for left, right in pairwise(pieces)):
        return None
    if variant.initials == 0:
        surface = text[start:end]
        if variant.full == 1:
            solid = next((p for p in pieces if p.group().lower() not in PARTICLES), pieces[-1])
            return end if _is_single_name(text, start, solid.start(), end) else None
        is_common = surface.islower() and all(word in COMMON for word in fold_words(surface))
        return None if is_common else end
    if not all(_is_capitalised(p.group()) or _is_particle(p.group()) for p in pieces):
        return None
    has_dot = text[end : end + 1] == "."
    if variant.full == 0:
        return end + has_dot if _is_initials(text, start, end, pieces) else None
    for piece in pieces:
        undotted = len(piece.group()) == 1 and text[piece.end() : piece.end() + 1] != "."
        if undotted and (piece is pieces[-1] or piece.group() in "AI"):
            return None
    return end + (has_dot and len(pieces[-1].group()) <= 2)


def _is_particle(piece: str) -> bool:
    return len(piece) > 1 and piece.lower() in PARTICLES


def _is_initials(text: str, start: int, end: int, pieces: Sequence[re.Match[str]]) -> bool:
    """Whether initials alone stand with their dots and apart. "A.S." in "Borealis A.S." is nobody's initials."""
    goes_on = text[end : end + 1] == "." and text[end + 1 : end + 2].isalnum()
    if text[pieces[0].end()] != "." or goes_on or (start > 0 and text[start - 1] in ".-’'"):
        return False
    letters = "".join(piece.group().lower() for piece in pieces)
    if letters not in LEGAL_FORMS or find_title(text, start) < start:
        return True
    company = _CAPITALISED_BEFORE.search(text, max(0, start - 30), start)
    return company is None or company.group().strip().lower() in COMMON


def _is_name_gap(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    """Whether what stands between two pieces may stand inside a name."""
    gap = text[left.end() : right.start()]
    if not _GAP.fullmatch(gap) or gap.count("\n") > 1:
        return False
    if "." in gap:
        return len(left.group()) <= 2
    return not (("'" in gap or "’" in gap) and len(right.group()) == 1)


def _is_single_name(text: str, start: int, solid: int, end: int) -> bool:
    """Whether one word is a name here. `[solid, end)` is the name without its particles."""
    word = text[solid:end]
    if word.lower() != word.upper() and not _is_capitalised(word):
        return False
    telling = len(word) > 1 and (word.lower() not in COMMON or is_name_at(text, solid, end))
    return telling or find_title(text, start) < start


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() or word[0].istitle()


def _find_misspelt(
    text: str, canvas: Canvas, start: int, end: int, spellings: list[str], person: int
) -> Iterator[NameSpan]:
    """Yields a name with its neighbour, if that is one slip away from another name of the same person."""
    folded = canvas.text
    before = folded.rfind(" ", 0, max(0, start - 1)) + 1
    after = folded.find(" ", end + 1)
    others = [name for name in spellings if len(name) > 4 and name != folded[start:end]]
    for low, high in ((before, start - 1), (end + 1, len(folded) if after < 0 else after)):
        word = folded[low:high]
        if not 4 <= len(word) <= 40 or word in spellings:
            continue
        if not any(OSA.distance(word, name, score_cutoff=1) <= 1 for name in others):
            continue
        span = canvas.find_span(min(low, start), max(high, end))
        pieces = list(_PIECE.finditer(text, *span))
        is_capitalised = all(_is_capitalised(p.group()) for p in (pieces[0], pieces[-1]))
        if is_capitalised and all(_is_name_gap(text, a, b) for a, b in pairwise(pieces)):
            yield NameSpan(find_title(text, span[0]), span[1], person)


def _list_solid_names(variants: Sequence[tuple[Variant, int]]) -> list[tuple[str, int]]:
    """Lists the names, written without spaces, that are long enough to be sought inside longer words."""
    solid = {v.text.replace(" ", ""): person for v, person in reversed(variants) if v.full}
    return [found for found in solid.items() if len(found[0]) > 4 and found[0] not in COMMON]


def _list_unspaced_names(variants: Sequence[tuple[Variant, int]]) -> list[tuple[str, Variant, int]]:
    """Lists the names to be sought without spaces around them, in or amid a script that has none."""
    telling = [(v, person) for v, person in variants if not v.initials and len(v.text) > 1]
    solid = [
        (v.text.replace(" ", ""), v, person)
        for v, person in telling
        if " " in v.text and has_unspaced_script(v.text)
    ]
    return [(v.text, v, person) for v, person in telling] + solid


def _judge_unspaced(
    text: str, start: int, end: int, variant: Variant, person: int
) -> Iterator[NameSpan]:
    """Yields a name that touches a letter of a script without spaces on one side: 他是黄义达, 我叫Ana."""
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    if not any(map(str.isalnum, beside)) or not is_whole_word(text, start, end):
        return
    if has_unspaced_script(text[start:end]):
        yield NameSpan(start, end, person)
        return
    judged = _find_name_end(text, start, end, variant)
    if judged is not None:
        yield NameSpan(start, judged, person)


def _judge_inside_word(
    text: str, canvas: Canvas, start: int, end: int, person: int
) -> Iterator[NameSpan]:
    """Yields a name inside a longer word: anasouza85@..., #FreeAnaSouza, the Souzas."""
    low, high = canvas.find_span(start, end)
    token = _find_web_token(text, low, high)
    if token is None and _GLUED.search(text[max(0, low - 1) : low] + text[high : high + 1]):
        token = _find_token(text, low, high)
    if token is not None:
        yield _make_web_span(text, token, person)
    elif _is_plural(text, low, high):
        yield NameSpan(low, high + 1, person)


def _is_plural(text: str, start: int, end: int) -> bool:
    """Whether a name stands in the plural: the Souzas."""
    if text[max(0, start - 1) : start].isalnum() or text[end + 1 : end + 2].isalnum():
        return False
    return text[end : end + 1] == "s" and _is_capitalised(text[start])


def _find_web_token(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Returns the e-mail address, URL or handle around a span, if it stands in one."""
    before, after = text[start - 1 : start], text[end : end + 1]
    goes_back = before and (before.isalnum() or before in "@/\\._-+#=&~%:")
    goes_on = after and (after.isalnum() or after in "@/\\._-+=&~%:")
    if not goes_back and not goes_on:
        return None
    low, high = _find_token(text, start, end)
    return (low, high) if _WEB.search(text[low:high]) else None


def _find_token(text: str, start: int, end: int) -> tuple[int, int]:
    """Returns the run of characters without white space around a span, without the marks at its edges."""
    left = re.match(r"\S*", text[max(0, start - _TOKEN) : start][::-1])
    right = re.match(r"\S*", text[end : end + _TOKEN])
    low, high = start - (left.end() if left else 0), end + (right.end() if right else 0)
    token = text[low:high].rstrip(_TRAILING)
    if token.endswith(("'s", "’s")):
        token = token[:-2]
    shift = len(token) - len(token.lstrip(_LEADING))
    return min(low + shift, start), max(low + len(token), end)


def _choose_web_subtype(token: str) -> str:
    """Returns the subtype of a web token by the signs in it."""
    if token[0] in "@#":
        return HANDLE
    if "@" in token:
        return EMAIL
    return URL if "." in token or "/" in token else HANDLE


def _drop_crossing_commas(text: str, found: list[NameSpan]) -> Iterator[NameSpan]:
    """Drops names with a comma that cut across another name: in "Ana Souza, Ana Lima" there is no "Souza, Ana"."""
    plain = [s for s in found if "," not in text[s.start : s.end]]
    starts = [s.start for s in plain]
    for name in found:
        start, end = name.start, name.end
        near = plain[bisect_left(starts, start - 100) : bisect_left(starts, end)]
        crossed = any(s.start < start < s.end < end or start < s.start < end < s.end for s in near)
        if not crossed or "," not in text[start:end]:
            yield name


def _join_spans(text: str, found: Iterable[NameSpan]) -> list[NameSpan]:
    """Joins spans that overlap, and the parts of one name: Ana [Beatriz] Souza."""
    kept: list[NameSpan] = []
    # Sorted by all that tells two spans apart, so that the order of a set never decides.
    ordered = sorted(set(found), key=lambda s: (s.start, -s.end, s.person, s.type, s.subtype))
    for name in _drop_crossing_commas(text, ordered):
        last = kept[-1] if kept else None
        if last is None:
            kept.append(name)
        elif name.start < last.end:
            code = EntityType.CODE in (last.type, name.type)
            kept[-1] = last._replace(
                end=max(last.end, name.end),
                type=EntityType.CODE if code else last.type,
                subtype=last.subtype or name.subtype,
            )
        elif _is_rest_of_name(text, last, name):
            kept[-1] = last._replace(end=name.end)
        else:
            kept.append(name)
    return kept


def _is_rest_of_name(text: str, last: NameSpan, name: NameSpan) -> bool:
    """Whether both are one person's, and only middle names stand between them."""
    if last.person != name.person or not last.type is name.type is EntityType.PERSON:
        return False
    gap = name.start - last.end
    return gap < 40 and _MIDDLE.fullmatch(text, last.end, name.start) is not None
