"""The form in which the leak check compares text: letters and digits alone, without case, accents and look-alikes.

Whatever else stands between two letters (spaces, marks, joiners, emoji) is left out, so that a name is found however it
is spaced. `BARRIER` stays: no match runs across it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np
import numpy.typing as npt

from maskwise.text.canvas import UNSPACED
from maskwise.text.lookalikes import find_look

Offsets = npt.NDArray[np.int64]

BARRIER = "\x02"  # a control character, which is taken out of whatever is read

# Letters that Unicode does not take apart.
_APART = str.maketrans(
    {"æ": "ae", "œ": "oe", "þ": "th"} | dict(zip("øłđðħıŧ", "olddhit", strict=True))
)
_FLAGS = range(0x1F1E6, 0x1F200)  # letters of flags
_TAGS = range(0xE0020, 0xE007F)  # invisible ASCII
_UNSPACED = re.compile(f"[{UNSPACED}]")
_HANGUL = range(0xAC00, 0xD7A4)


class _FoldTable(dict[int, str]):
    """A table of folded characters, by code; each is folded when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_code(code)
        return folded


def _fold_code(code: int) -> str:
    if code in _FLAGS:
        return chr(code - _FLAGS.start + ord("a"))
    if code in _TAGS:
        code -= 0xE0000
    char = chr(code)
    if char == BARRIER or code in _HANGUL:
        return char
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    if (look := find_look(char)) is not None:
        return look
    plain = unicodedata.normalize("NFKD", char).casefold()
    plain = unicodedata.normalize("NFKD", plain.translate(_APART))
    return "".join(filter(str.isalnum, plain))


_TABLE = _FoldTable()
_LETTERS = bytes(code for code in range(128) if chr(code).isalnum() or chr(code) == BARRIER)
_DROPPED = bytes(code for code in range(256) if code not in _LETTERS)
_LOWER = bytes(range(256)).lower()


def fold_text(text: str) -> str:
    """A text in the form for comparison.

    >>> fold_text("K\u00f3walczyk, Z. (2)")
    'kowalczykz2'
    """
    if text.isascii():
        return text.encode().translate(_LOWER, _DROPPED).decode()
    return text.translate(_TABLE)


def weigh_text(folded: str) -> int:
    """How much a folded text tells, in letters: a character of a script without spaces tells as much as three.

    >>> weigh_text("hansen"), weigh_text("\u9ec4\u4e49\u8fbe")
    (6, 9)
    """
    return len(folded) if folded.isascii() else len(folded) + 2 * len(_UNSPACED.findall(folded))


def fold_offsets(text: str) -> Offsets:
    """For each character of the folded text its place in the text."""
    if text.isascii():
        codes = np.frombuffer(text.encode(), dtype=np.uint8)
        return np.flatnonzero(_build_letter_table()[codes])
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    known, which = np.unique(codes, return_inverse=True)
    widths = np.array([len(_TABLE[code]) for code in known.tolist()], dtype=np.int64)
    return np.repeat(np.arange(len(codes)), widths[which])


def is_unspaced(char: str) -> bool:
    """Whether a character is of a script that puts no space between words."""
    return _UNSPACED.match(char) is not None


@cache
def _build_letter_table() -> npt.NDArray[np.bool_]:
    table = np.zeros(256, dtype=np.bool_)
    table[list(_LETTERS)] = True
    return table
