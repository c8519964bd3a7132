"""How letters are folded, so that two spellings of a word meet.

`fold_case` keeps offsets: the folded text has as many code points as the original. The others shorten what they fold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

_SURROGATE = re.compile("[\ud800-\udfff]")
# Every alphabet with case or accents and all common punctuation, small capitals, presentation and full-width forms,
# then letters in the styles of formulas and in circles or squares.
_FOLDED = (
    range(0x3100),
    range(0xA640, 0xA800),
    range(0xAB30, 0xAB70),
    range(0xFE00, 0x10000),
    range(0x1D400, 0x1D800),
    range(0x1F100, 0x1F200),
)
_SURROGATES = range(0xD800, 0xE000)
# Signs without width, as a class of a regular expression: soft hyphens, joiners, marks of direction.
UNSEEN = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_INVISIBLE = frozenset("\xad\u200b\u200c\u200d\u2060\u0000")
_ALIKE = str.maketrans("ıİłŁøØđĐðÐħĦŧŦ’‘ʼ`´‐‑‒–—", "iIlLoOdDdDhHtT'''''-----")
# Small letters with a stroke or without a dot, which Unicode does not take apart.
STROKED = str.maketrans("łøđħıŧ", "lodhit")


def fold_case(text: str) -> str:
    """Lower-case `text` without moving any offset, fit to be encoded.

    U+0130 (İ) is the only code point whose lower case is longer than itself, so it is replaced first. Lone surrogates,
    which broken JSON can hold, become U+FFFD: the libraries that search a folded text cannot encode them.
    """
    if text.isascii():
        return text.lower()
    if "\u0130" in text:
        text = text.replace("\u0130", "I")
    return replace_surrogates(text.lower())


def replace_surrogates(text: str) -> str:
    """`text` with lone surrogates replaced, one code point for one."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def fold_marks(text: str) -> str:
    """Small letters without marks."""
    folded = fold_case(text)
    if folded.isascii():
        return folded
    marked = unicodedata.normalize("NFD", folded.translate(STROKED))
    return "".join(c for c in marked if not unicodedata.combining(c))


@lru_cache(maxsize=1 << 17)
def fold_word(word: str) -> str:
    """Lower case, without accents, with plain apostrophes."""
    spread = unicodedata.normalize("NFKD", word.replace("’", "'"))
    return "".join(c for c in spread if not unicodedata.combining(c)).casefold()


def fold_written(char: str) -> str:
    """One character without accents and unusual forms, case and punctuation kept; nothing for what no reader sees."""
    if char in _INVISIBLE or unicodedata.combining(char):
        return ""
    if char.isspace():
        return " "
    alike = char.translate(_ALIKE)
    if not alike.isalnum():
        return alike
    plain = unicodedata.normalize("NFKD", alike)  # full-width and mathematical letters
    return plain if len(plain) == 1 and plain.isalpha() else unicodedata.normalize("NFD", alike)[0]


def fold_spoken(char: str) -> str:
    """One character as a small letter or digit; a space for any other that a reader sees."""
    folded = "" if unicodedata.category(char)[0] == "M" else fold_written(char)
    if folded.isalnum():
        return folded.lower()[:1]
    return " " if folded else ""


class Folding(dict[int, str]):
    """A table of folded characters, by code. Each is folded when it is first met, because a text has few of them."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        self._fold = fold
        self._table = np.zeros(0x10000, dtype=np.uint16)
        self._ready = np.zeros(0x100, dtype=np.bool_)

    def __missing__(self, code: int) -> str:
        char = "\ufffd" if code in _SURROGATES else chr(code)
        is_folded = char == "\ufffd" or any(code in block for block in _FOLDED)
        self[code] = self._fold(char) if is_folded else char
        return self[code]

    def get_table(self, codes: npt.NDArray[np.uint16]) -> npt.NDArray[np.uint16]:
        """The same as a table of the basic plane that holds at least these codes."""
        used = np.bincount(codes >> 8, minlength=len(self._ready)) > 0
        for block in np.flatnonzero(used & ~self._ready).tolist():
            start, end = block << 8, (block + 1) << 8
            self._table[start:end] = [ord(self[code] or "\0") for code in range(start, end)]
            self._ready[block] = True
        return self._table


get_folding = cache(Folding)


def strip_accents(text: str) -> str:
    """A short text without accents and unusual quotes or dashes; case is kept.

    >>> strip_accents("Şükrü Ørsted’s")
    "Sukru Orsted's"
    """
    return text.translate(get_folding(fold_written)) if not text.isascii() else text


def fold_words(text: str) -> list[str]:
    """The words of a short text as the spoken canvas writes them.

    >>> fold_words("Müller-Østby, J.")
    ['muller', 'ostby', 'j']
    """
    return text.translate(get_folding(fold_spoken)).split()
