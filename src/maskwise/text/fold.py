"""Case folding that keeps offsets: the folded text has exactly as many code points as the original."""

from __future__ import annotations


def fold(text: str) -> str:
    """Lower-case `text` without moving any offset.

    U+0130 (İ) is the only code point whose lower case is longer than itself, so it is replaced first.
    """
    return (text.replace("\u0130", "I") if "\u0130" in text else text).lower()
