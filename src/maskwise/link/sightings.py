"""Where the names of protected people stand in a text, in whatever writing.

One automaton over the `spoken` canvas finds every variant of every name at once; each hit is then judged on the
original: a single word needs a capital and, if it is common, a place where it reads as a name (`reading`) or a title;
initials need their dots. In scripts without spaces a name may stand inside a run of letters.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ahocorasick_rs import AhoCorasick
from rapidfuzz.distance import OSA

from maskwise.link.common import COMMON, LEGAL_FORMS
from maskwise.link.logins import find_logins
from maskwise.link.propagate import title_before
from maskwise.link.reading import names_someone
from maskwise.link.scattered import find_scattered
from maskwise.text import Document, EntityType, Person
from maskwise.text.canvas import MARKS, Canvas, has_escapes, has_unspaced_script, is_whole_word, spoken
from maskwise.text.english import PARTICLES
from maskwise.text.folding import fold_words
from maskwise.text.person import Variant, spellings
from maskwise.text.subtypes import EMAIL, HANDLE, URL

_PIECE = re.compile(r"[^\W_]+")
_GAP = re.compile(rf"[\s.,'’ʼ‐-—_\xad\u200b-\u200d{MARKS}-]{{1,5}}")
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


class Sighting(NamedTuple):
    start: int
    end: int
    person: int
    type: EntityType = EntityType.PERSON
    subtype: str = ""


def sightings(document: Document) -> list[Sighting]:
    """Names of `document.protected` in order, apart from one another."""
    text, people = document.text, document.protected
    canvases = [spoken(text)]
    if has_escapes(text):
        canvases.append(spoken(text, escapes=False))
    standing = _variants(people)
    buried = _glued(standing)
    running = _running(standing) if has_unspaced_script(text) else []
    if not standing:
        return []
    names = [[form for name in person.names for form in spellings(name)] for person in people]
    inside = buried + [(name, person) for name, _, person in running]
    automaton = AhoCorasick([f" {variant.text} " for variant, _ in standing] + [name for name, _ in inside])
    found: list[Sighting] = []
    hits = ((c, hit) for c in canvases for hit in automaton.find_matches_as_indexes(f" {c.text} ", overlapping=True))
    for canvas, (number, start, end) in hits:
        if number < len(standing):  # the space before a word of the padded canvas is where it starts on the canvas
            variant, person = standing[number]
            found.extend(_standing(text, canvas, start, end - 2, variant, person, names[person]))
        elif number < len(standing) + len(buried):
            found.extend(_buried(text, canvas, start - 1, end - 1, buried[number - len(standing)][1]))
        else:
            _, variant, person = running[number - len(standing) - len(buried)]
            found.extend(_run(text, *canvas.span(start - 1, end - 1), variant, person))
    found += [Sighting(*name) for name in find_scattered(text, people)]
    found += [Sighting(*name, EntityType.CODE, HANDLE) for name in find_logins(text, canvases[-1], people)]
    return _joined(text, found)


def _variants(people: Sequence[Person]) -> list[tuple[Variant, int]]:
    """Every way to write every person; the name of one, turned around, may be that of another."""
    own = {" ".join(fold_words(" ".join(person.parts))): number for number, person in reversed(list(enumerate(people)))}
    found = [(v, n) for n, person in enumerate(people) for v in dict.fromkeys(person.variants())]
    return [(variant, n) for variant, n in found if own.get(variant.text, n) == n]


def _standing(
    text: str, canvas: Canvas, start: int, end: int, variant: Variant, person: int, names: list[str]
) -> Iterator[Sighting]:
    """A variant that stands as words of its own."""
    low, high = canvas.span(start, end)
    if variant.full == 1 and not variant.initials:
        yield from _misspelt(text, canvas, start, end, names, person)
    token = _web_token(text, low, high)
    if token is not None:
        if _unbroken(text, low, high):
            yield Sighting(*token, person, EntityType.CODE, _web_subtype(text[slice(*token)]))
    elif (judged := _judge(text, low, high, variant)) is not None:
        yield Sighting(title_before(text, low), judged, person)


def _unbroken(text: str, start: int, end: int) -> bool:
    """Whether no token ends inside: in "Souza <ana@example.org>" nobody is called "Souza <ana"."""
    gaps = pairwise(_PIECE.finditer(text, start, end))
    return all(_gap(text, a, b) for a, b in gaps if any(c.isspace() for c in text[a.end() : b.start()]))


def _judge(text: str, start: int, end: int, variant: Variant) -> int | None:
    """Where the name ends (its last dot included), or None if this is not the name."""
    pieces = list(_PIECE.finditer(text, start, end))
    if not all(_gap(text, left, right) for left, right in pairwise(pieces)):
        return None
    first, last = pieces[0], pieces[-1]
    if variant.initials == 0:
        surface = text[start:end]
        if variant.full == 1:
            solid = next((p for p in pieces if p.group().lower() not in PARTICLES), last)
            return end if _single(text, start, solid.start(), end) else None
        dull = surface.islower() and all(word in COMMON for word in fold_words(surface))
        return None if dull else end
    dotted = text[end : end + 1] == "."
    if not all(_capital(p.group()) for p in pieces if p.group().lower() not in PARTICLES or len(p.group()) == 1):
        return None
    if variant.full == 0:
        goes_on = dotted and text[end + 1 : end + 2].isalnum()
        loose = text[first.end()] != "." or goes_on or (start > 0 and text[start - 1] in ".-’'")
        company = _CAPITALISED_BEFORE.search(text, max(0, start - 30), start)  # "Borealis A.S." is no one's initials
        legal_form = "".join(p.group().lower() for p in pieces) in LEGAL_FORMS and title_before(text, start) == start
        named = company and company.group().strip().lower() not in COMMON
        return None if loose or (named and legal_form) else end + dotted
    for piece in pieces:
        undotted = len(piece.group()) == 1 and text[piece.end() : piece.end() + 1] != "."
        if undotted and (piece is last or piece.group() in "AI"):
            return None
    return end + (dotted and len(last.group()) <= 2)


def _gap(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    gap = text[left.end() : right.start()]
    if not _GAP.fullmatch(gap) or gap.count("\n") > 1:
        return False
    if "." in gap:
        return len(left.group()) <= 2
    return not (("'" in gap or "’" in gap) and len(right.group()) == 1)


def _single(text: str, start: int, solid: int, end: int) -> bool:
    """`[solid, end)`: the name without its particles."""
    word = text[solid:end]
    if word.lower() != word.upper() and not _capital(word):
        return False
    telling = len(word) > 1 and (word.lower() not in COMMON or names_someone(text, solid, end))
    return telling or title_before(text, start) < start


def _capital(word: str) -> bool:
    return word[0].isupper() or word[0].istitle()


def _misspelt(text: str, canvas: Canvas, start: int, end: int, names: list[str], person: int) -> Iterator[Sighting]:
    """A neighbour of a name that is one slip away from another name of the same person."""
    folded = canvas.text
    here = folded[start:end]
    before = folded.rfind(" ", 0, max(0, start - 1)) + 1
    after = folded.find(" ", end + 1)
    for low, high in ((before, start - 1), (end + 1, len(folded) if after < 0 else after)):
        word = folded[low:high]
        if not 4 <= len(word) <= 40 or word in names:
            continue
        if any(len(n) > 4 and n != here and OSA.distance(word, n, score_cutoff=1) <= 1 for n in names):
            span = canvas.span(min(low, start), max(high, end))
            pieces = list(_PIECE.finditer(text, *span))
            gaps = pairwise(pieces)
            if all(_capital(p.group()) for p in (pieces[0], pieces[-1])) and all(_gap(text, a, b) for a, b in gaps):
                yield Sighting(title_before(text, span[0]), span[1], person)


def _glued(standing: Sequence[tuple[Variant, int]]) -> list[tuple[str, int]]:
    """Names long enough to be sought inside longer words, written in one."""
    solid = {v.text.replace(" ", ""): person for v, person in reversed(standing) if v.full}
    return [(name, person) for name, person in solid.items() if len(name) > 4 and name not in COMMON]


def _running(standing: Sequence[tuple[Variant, int]]) -> list[tuple[str, Variant, int]]:
    """Names to be sought where no space sets them off: in their own script without spaces, or amid one."""
    telling = [(v, person) for v, person in standing if not v.initials and len(v.text) > 1]
    solid = [
        (v.text.replace(" ", ""), v, person) for v, person in telling if " " in v.text and has_unspaced_script(v.text)
    ]
    return [(v.text, v, person) for v, person in telling] + solid


def _run(text: str, start: int, end: int, variant: Variant, person: int) -> Iterator[Sighting]:
    """A name that touches a letter, of a script without spaces on either side: 他是黄义达, 我叫Ana."""
    beside = text[max(0, start - 1) : start] + text[end : end + 1]
    if any(map(str.isalnum, beside)) and is_whole_word(text, start, end):
        judged = end if has_unspaced_script(text[start:end]) else _judge(text, start, end, variant)
        if judged is not None:
            yield Sighting(start, judged, person)


def _buried(text: str, canvas: Canvas, start: int, end: int, person: int) -> Iterator[Sighting]:
    """A name inside a longer word: anasouza85@..., #FreeAnaSouza, the Souzas."""
    low, high = canvas.span(start, end)
    token = _web_token(text, low, high)
    if token is None and _GLUED.search(text[max(0, low - 1) : low] + text[high : high + 1]):
        token = _token(text, low, high)
    if token is not None:
        yield Sighting(*token, person, EntityType.CODE, _web_subtype(text[slice(*token)]))
    elif _plural(text, low, high):
        yield Sighting(low, high + 1, person)


def _plural(text: str, start: int, end: int) -> bool:
    """The Souzas."""
    bounded = not text[max(0, start - 1) : start].isalnum() and not text[end + 1 : end + 2].isalnum()
    return bounded and text[end : end + 1] == "s" and _capital(text[start])


def _web_token(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The e-mail address, URL or handle around a span, if it stands in one."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if not (before and (before.isalnum() or before in "@/\\._-+#=&~%:")) and not (
        after and (after.isalnum() or after in "@/\\._-+=&~%:")
    ):
        return None
    low, high = _token(text, start, end)
    return (low, high) if _WEB.search(text[low:high]) else None


def _token(text: str, start: int, end: int) -> tuple[int, int]:
    left = re.match(r"\S*", text[max(0, start - _TOKEN) : start][::-1])
    right = re.match(r"\S*", text[end : end + _TOKEN])
    low, high = start - (left.end() if left else 0), end + (right.end() if right else 0)
    token = text[low:high].rstrip(_TRAILING)
    if token.endswith(("'s", "’s")):
        token = token[:-2]
    shift = len(token) - len(token.lstrip(_LEADING))
    return min(low + shift, start), max(low + len(token), end)


def _web_subtype(token: str) -> str:
    if token[0] in "@#":
        return HANDLE
    if "@" in token:
        return EMAIL
    return URL if "." in token or "/" in token else HANDLE


def _without_crossing_commas(text: str, found: list[Sighting]) -> Iterator[Sighting]:
    """In "Ana Souza, Ana Lima" there is no "Souza, Ana": such a reading gives way to one it cuts across."""
    plain = [s for s in found if "," not in text[s.start : s.end]]
    starts = [s.start for s in plain]
    for sighting in found:
        start, end = sighting.start, sighting.end
        near = plain[bisect_left(starts, start - 100) : bisect_left(starts, end)]
        crossed = any(s.start < start < s.end < end or start < s.start < end < s.end for s in near)
        if not crossed or "," not in text[start:end]:
            yield sighting


def _joined(text: str, found: Iterable[Sighting]) -> list[Sighting]:
    """Overlapping sightings become one, and so do the parts of one name: Ana [Beatriz] Souza."""
    kept: list[Sighting] = []
    for sighting in _without_crossing_commas(text, sorted(set(found), key=lambda s: (s.start, -s.end, s.person))):
        last = kept[-1] if kept else None
        if last is None:
            kept.append(sighting)
        elif sighting.start < last.end:
            code = EntityType.CODE in (last.type, sighting.type)
            kept[-1] = last._replace(
                end=max(last.end, sighting.end),
                type=EntityType.CODE if code else last.type,
                subtype=last.subtype or sighting.subtype,
            )
        elif (
            last.person == sighting.person
            and last.type is sighting.type is EntityType.PERSON
            and (sighting.start - last.end < 40 and _MIDDLE.fullmatch(text, last.end, sighting.start))
        ):
            kept[-1] = last._replace(end=sighting.end)
        else:
            kept.append(sighting)
    return kept
