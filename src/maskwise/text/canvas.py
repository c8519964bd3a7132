"""A folded copy of a text to search names in, with the way back to the offsets of the original.

There are two foldings. The written one keeps case and punctuation, and drops accents and line breaks. The spoken one
keeps letters and digits alone, in lower case, with one space between words. Both are array look-ups: a long text folds
in milliseconds. Lone surrogates, which broken JSON can hold, become U+FFFD, so a canvas can always be encoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from maskwise.text.folding import fold_spoken, fold_written, get_folding

Offsets = npt.NDArray[np.int64]

_GONE = 0  # stands for combining marks, soft hyphens and joiners, which no reader sees

# What a terminal obeys and does not show: colours, titles and links.
_ESCAPE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|\x1b[()#%][0-~]|\x1b[78=>]"
)

# Scripts that put no space between words: Thai to Burmese, Khmer, kana, ideographs, and Korean with its particles.
UNSPACED = "\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
# Signs that are part of a letter: accents, and the vowels of Hebrew, Arabic, Indian and South-East Asian scripts.
MARKS = "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670\u0900-\u0dff\u0e31-\u0e4e\u0eb1-\u0ece\u102b-\u103e\u17b4-\u17d3"
_UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")
_KATAKANA = re.compile("[\u30a0-\u30ff]{2}")  # foreign words and names: their runs are words


def has_escapes(text: str) -> bool:
    """Whether it may hold escapes of a terminal."""
    return "\x1b" in text or "\x9b" in text


def is_escape(text: str) -> bool:
    """Whether it is nothing but escapes of a terminal.

    >>> is_escape("\\x1b[1m\\x1b[0m"), is_escape("[1m")
    (True, False)
    """
    return bool(text) and not _ESCAPE.sub("", text)


def has_unspaced_script(text: str) -> bool:
    """Whether a script without spaces occurs in it.

    >>> has_unspaced_script("他是 Ana"), has_unspaced_script("Ana")
    (True, False)
    """
    return not text.isascii() and _UNSPACED_CHARACTER.search(text) is not None


def is_whole_word(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` is no mere part of a word.

    >>> is_whole_word("Anatolia", 0, 3), is_whole_word("他是黄义达。", 2, 5)
    (False, True)
    """
    return not (
        (start and _is_one_word(text[start - 1 : start + 1]))
        or _is_one_word(text[end - 1 : end + 1])
    )


def find_inside_words(text: str, starts: Offsets, ends: Offsets) -> npt.NDArray[np.bool_]:
    """For many spans at once: which of them `is_whole_word` surely refuses, by letters of scripts with spaces."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    solid = _build_word_table()

    def is_inside_word(at: Offsets) -> npt.NDArray[np.bool_]:
        has_neighbours = (at > 0) & (at < len(codes))
        left = codes[np.where(has_neighbours, at - 1, 0)]
        right = codes[np.where(has_neighbours, at, 0)]
        beyond = len(solid) - 1
        return has_neighbours & solid[np.minimum(left, beyond)] & solid[np.minimum(right, beyond)]

    return is_inside_word(starts) | is_inside_word(ends)


@cache
def _build_word_table() -> npt.NDArray[np.bool_]:
    """Whether a character is part of a word, up to the first script without spaces; the last entry is for the rest."""
    solid = [chr(code).isalnum() or code == ord("_") for code in range(0x0E00)]
    return np.array([*solid, False])


def _is_one_word(pair: str) -> bool:
    """Whether two neighbours, the second perhaps missing, belong to one word."""
    if len(pair) < 2 or not all(char.isalnum() or char == "_" for char in pair):
        return False
    return not has_unspaced_script(pair) or _KATAKANA.match(pair) is not None


class Canvas:
    """The folded `text` of a document; `find_span` gives the offsets of the original for a stretch of it."""

    __slots__ = ("_at", "_tight", "text")

    def __init__(self, original: str, fold: Callable[[str], str], escapes: bool = True) -> None:
        folded, encoding = _fold_codes(original, fold)
        self._tight = not escapes and has_escapes(original)
        if self._tight:
            folded = _erase_escapes(folded, original)
        dropped = _find_dropped(folded)
        self._at: Offsets | None = None
        if dropped.any():
            self._at = np.append(np.flatnonzero(~dropped), len(dropped))
            folded = folded[self._at[:-1]]
        self.text = folded.tobytes().decode(encoding, "surrogatepass")

    def find_span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the original of `[start, end)` of the canvas, whose last character is no space.

        What follows that character and is not on the canvas, such as its accent, belongs to the span. An escape does
        not.
        """
        if self._at is None:
            return start, end
        if self._tight and end > start:
            return int(self._at[start]), int(self._at[end - 1]) + 1
        return int(self._at[start]), int(self._at[end])

    def find_spans(self, starts: Offsets, ends: Offsets) -> tuple[Offsets, Offsets]:
        """`find_span` for many stretches at once."""
        return (starts, ends) if self._at is None else (self._at[starts], self._at[ends])


def _fold_codes(original: str, fold: Callable[[str], str]) -> tuple[npt.NDArray[Any], str]:
    """The folded code of each character, and the encoding of these codes."""
    narrow = original.encode("utf-16-le", "surrogatepass")
    if len(narrow) == 2 * len(original):
        plane = np.frombuffer(narrow, dtype=np.uint16)
        return get_folding(fold).get_table(plane)[plane], "utf-16-le"
    # Some characters are beyond the basic plane. They are few, and each is folded once.
    wide = original.encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(wide, dtype=np.uint32)
    plane = (codes & 0xFFFF).astype(np.uint16)
    beyond = codes >= 0x10000
    folded = np.where(beyond, codes, get_folding(fold).get_table(plane)[plane])
    kinds, which = np.unique(codes[beyond], return_inverse=True)
    signs = [ord(fold(chr(code)) or "\0") for code in kinds.tolist()]
    folded[beyond] = np.array(signs, dtype=np.uint32)[which]
    return folded, "utf-32-le"


def _erase_escapes(folded: npt.NDArray[Any], original: str) -> npt.NDArray[Any]:
    erased = folded.copy()
    for escape in _ESCAPE.finditer(original):
        erased[escape.start() : escape.end()] = _GONE
    return erased


def _find_dropped(folded: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """The codes that the canvas leaves out: those that no reader sees, and a space after a space."""
    space = folded == 0x20
    dropped: npt.NDArray[np.bool_] = folded == _GONE
    dropped[1:] |= space[1:] & space[:-1]
    return dropped


def make_written_canvas(original: str) -> Canvas:
    """Folds a text so that case and punctuation stay."""
    return Canvas(original, fold_written)


def make_spoken_canvas(original: str, escapes: bool = True) -> Canvas:
    """Folds a text to small letters and digits. Without `escapes` the text is read as a terminal shows it."""
    return Canvas(original, fold_spoken, escapes)
