"""The outline of a text, one sign for each character, in which codes and figures stand out from prose."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

import numpy as np

_LAST = 0x2160  # no pattern begins with a character beyond it
_SIGNS = {"Sc": "$", "Pd": "-"}
_CAPITAL, _INNER_CAPITAL, _DIGIT, _INNER_DIGIT = b"AB10"


def draw_outline(text: str) -> bytes:
    """Returns one sign per character, so that offsets stay.

    Capitals that begin a word are "A", other capitals "B", digits that begin a word "1", other digits "0". Other
    letters are "a", white space is " ", currencies are "$", dashes "-". ASCII signs stand for themselves. Anything
    else is "~".

    >>> draw_outline("In 1998 he paid €5 to AB12-C.")
    b'Aa 1000 aa aaaa $1 aa AB00-A.'
    """
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    if not len(codes):
        return b""
    table, word = _build_tables()
    signs = table.take(codes, mode="clip")
    inside = word.take(signs[:-1])
    rest = signs[1:]
    rest[inside & (rest == _CAPITAL)] = _INNER_CAPITAL
    rest[inside & (rest == _DIGIT)] = _INNER_DIGIT
    return signs.tobytes()


@cache
def _build_tables() -> tuple[
    np.ndarray[Any, np.dtype[np.uint8]], np.ndarray[Any, np.dtype[np.bool_]]
]:
    """The sign of each code point, and whether a sign stands for a word character."""
    signs = "".join(_choose_sign(chr(code)) for code in range(_LAST)) + "~"
    word = np.zeros(128, dtype=np.bool_)
    word[[ord(sign) for sign in "Aa1_"]] = True
    return np.frombuffer(signs.encode(), dtype=np.uint8), word


def _choose_sign(character: str) -> str:
    if character.isupper():
        return "A"
    if character.isdecimal():
        return "1"
    if character.isalnum():
        return "a"
    if character.isspace():
        return " "
    return character if character.isascii() else _SIGNS.get(unicodedata.category(character), "~")
