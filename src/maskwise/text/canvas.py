"""A folded copy of a text to search names in, with the way back to the offsets of the original.

Two foldings: `written` keeps case and punctuation and forgives accents and line breaks; `spoken` keeps letters and
digits alone, in lower case, with one space between words. Both are array look-ups: a long text folds in milliseconds.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

Offsets = npt.NDArray[np.int64]

_LIMIT = 0x3100  # every alphabet with case or accents and all common punctuation lie below
_GONE = 0  # combining marks, soft hyphens, joiners: not there for a reader
_INVISIBLE = frozenset("\xad\u200b\u200c\u200d\u2060\u0000")
_ALIKE = str.maketrans("ıİłŁøØđĐðÐħĦŧŦ’‘ʼ`´‐‑‒–—", "iIlLoOdDdDhHtT'''''-----")


def _written(char: str) -> str:
    if char in _INVISIBLE or unicodedata.combining(char):
        return ""
    if char.isspace():
        return " "
    alike = char.translate(_ALIKE)
    return unicodedata.normalize("NFD", alike)[0] if alike.isalnum() else alike


def _spoken(char: str) -> str:
    folded = _written(char)
    return folded.lower()[:1] if folded.isalnum() else " " if folded else ""


@cache
def _table(fold: Callable[[str], str]) -> npt.NDArray[np.uint16]:
    table = np.arange(0x10000, dtype=np.uint16)
    table[:_LIMIT] = [ord(fold(chr(code)) or "\0") for code in range(_LIMIT)]
    return table


@cache
def _mapping(fold: Callable[[str], str]) -> dict[int, str]:
    return {code: folded for code in range(_LIMIT) if (folded := fold(chr(code))) != chr(code)}


def bare(text: str) -> str:
    """A short text without accents and unusual quotes or dashes; case is kept.

    >>> bare("Şükrü Ørsted’s")
    "Sukru Orsted's"
    """
    return text.translate(_mapping(_written)) if not text.isascii() else text


def words(text: str) -> list[str]:
    """The words of a short text as the `spoken` canvas writes them.

    >>> words("Müller-Østby, J.")
    ['muller', 'ostby', 'j']
    """
    return text.translate(_mapping(_spoken)).split()


class Canvas:
    """The folded `text` of a document; `span` gives the offsets of the original for a stretch of it."""

    __slots__ = ("_at", "text")

    def __init__(self, original: str, fold: Callable[[str], str]) -> None:
        narrow = original.encode("utf-16-le", "surrogatepass")
        if len(narrow) == 2 * len(original):
            encoding = "utf-16-le"
            folded = _table(fold)[np.frombuffer(narrow, dtype=np.uint16)]
        else:  # beyond the basic plane: four bytes a character, and what lies there stays as it is
            encoding = "utf-32-le"
            codes = np.frombuffer(original.encode(encoding, "surrogatepass"), dtype=np.uint32)
            folded = np.where(codes < 0x10000, _table(fold)[codes & 0xFFFF], codes)
        space = folded == 0x20
        drop = folded == _GONE
        drop[1:] |= space[1:] & space[:-1]
        self._at: Offsets | None = None
        if drop.any():
            self._at = np.flatnonzero(~drop)
            folded = folded[self._at]
        self.text = folded.tobytes().decode(encoding, "surrogatepass")

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original of `[start, end)` of the canvas."""
        if self._at is None:
            return start, end
        return int(self._at[start]), int(self._at[end - 1]) + 1

    def spans(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
        """`span` for many stretches at once."""
        return (starts, ends) if self._at is None else (self._at[starts], self._at[ends - 1] + 1)


def written(original: str) -> Canvas:
    return Canvas(original, _written)


def spoken(original: str) -> Canvas:
    return Canvas(original, _spoken)
