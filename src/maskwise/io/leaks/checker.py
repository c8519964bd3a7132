"""The leak check: a written file is read again by a reader of its own, and every masked string is searched in it.

Text is compared in one normal form: compatibility characters and accents undone, case folded, and only letters and
digits left, so that "SMITH, JOHN", "john.smith" and "J&#111;hn Smith" are found alike. Names are also sought with their
words in reverse and with the last word first. Escapes (HTML, URL, quoted-printable, base64, UTF-16) are undone first.

What does not count as a leak, so that a hit is one:

- a string that the masked text itself shows elsewhere: the plan left it there (a surname that is also a kept place);
- a string of fewer than three letters or digits, or of fewer than four digits and nothing else;
- a string of fewer than `LONG` characters inside a longer word ("ann" in "planned");
- in markup (tags, style names, raw bytes) and behind an escape, anything shorter than `DISTINCT` characters: every
  format has short words and numbers of its own.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from urllib.parse import unquote

from maskwise.errors import LeakError
from maskwise.io.leaks.sources import pieces
from maskwise.text.fold import whole

SHORT = 3
DIGITS = 4  # a number of fewer digits is everywhere
LONG = 8
DISTINCT = 6
PREFIX = 200  # of a longer string its beginning is sought

_MARKS = re.compile("[\u0300-\u036f]+")
_WORD = re.compile(r"[^\W_]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}(?:\s+[A-Za-z0-9+/_-]{12,})*={0,2}")
_QUOTED = re.compile(r"=(?:[0-9A-Fa-f]{2}|\r?\n)")


@dataclass(frozen=True)
class Checked:
    """How many masked strings were searched, and how many the rules above leave out."""

    searched: int
    left_out: int


def check(raw: bytes, suffix: str, name: str, masked: Iterable[str], visible: Iterable[str]) -> Checked:
    """Search the `masked` strings in the bytes of a file; `visible` are its masked texts. A hit raises `LeakError`."""
    secrets = {secret for secret in masked if secret.strip()}
    needles = {n for secret in secrets for n in _needles(secret)}
    if needles:
        # All at once: what ends one row and begins the next also stands side by side in the file.
        needles -= set(_Search(needles).found("\n".join(visible)))
    if not needles:
        return Checked(0, len(secrets))
    search = _Search(needles)
    places: Counter[str] = Counter()
    leaked: set[str] = set()
    try:
        for piece in pieces(raw, suffix):
            hits = {n for n in search.found(piece.text) if len(n) >= DISTINCT or not piece.markup}
            hits |= {n for view in _unescaped(piece.text) for n in search.found(view) if len(n) >= DISTINCT}
            places[piece.place] += len(hits)
            leaked |= hits
    except Exception as error:
        raise LeakError(f"{name}: the output cannot be read again ({type(error).__name__}); it is withdrawn") from None
    if leaked:
        where = ", ".join(f"{place} ({count})" for place, count in places.most_common(4) if count)
        more = sum(1 for count in places.values() if count) - 4
        where += f" and {more} more places" if more > 0 else ""
        raise LeakError(f"{name}: {len(leaked)} masked strings still stand in the output, in {where}; it is withdrawn")
    searched = sum(not needles.isdisjoint(_needles(secret)) for secret in secrets)
    return Checked(searched, len(secrets) - searched)


def _words(text: str) -> list[str]:
    """The words of a text in normal form."""
    plain = _MARKS.sub("", unicodedata.normalize("NFKD", whole(text)))
    return _WORD.findall(unicodedata.normalize("NFKC", plain.casefold()))


def _needles(secret: str) -> Iterator[str]:
    """The ways in which a masked string is sought: as it stands, reversed, last word first."""
    words = _words(secret)
    for order in (words, words[::-1], words[-1:] + words[:-1]):
        needle = "".join(order)[:PREFIX]
        if len(needle) >= (DIGITS if needle.isdigit() else SHORT):
            yield needle


class _Search:
    """All needles at once (Aho and Corasick 1975)."""

    def __init__(self, needles: Iterable[str]) -> None:
        from ahocorasick_rs import AhoCorasick

        self._needles: Sequence[str] = sorted(needles)
        self._automaton = AhoCorasick(self._needles)

    def found(self, text: str) -> Iterator[str]:
        """Needles in a text: whole words, or anywhere if long."""
        words = _words(text)
        edges = set(accumulate(map(len, words), initial=0))
        for at, start, end in self._automaton.find_matches_as_indexes("".join(words), overlapping=True):
            if end - start >= LONG or (start in edges and end in edges):
                yield self._needles[at]


def _unescaped(text: str) -> Iterator[str]:
    """A string with each kind of escape undone that it seems to hold."""
    if "&" in text:
        yield html.unescape(text)
    if "%" in text:
        yield unquote(text, errors="replace")
    if "\\u" in text or "\\x" in text:
        yield re.sub(r"\\(?:u|x)([0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})", lambda m: chr(int(m[1], 16)), text)
    if _QUOTED.search(text):
        yield quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    for found in _BASE64.finditer(text):
        yield from _base64(found[0])


def _base64(run: str) -> Iterator[str]:
    packed = re.sub(r"\s+", "", run).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return
    yield data.decode("utf-8", "replace")
    if b"\0" in data:
        yield data.decode("utf-16-le", "replace")
