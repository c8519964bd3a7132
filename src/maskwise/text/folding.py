"""Case folding that keeps offsets: the folded text has exactly as many code points as the original."""

from __future__ import annotations

import re

_SURROGATE = re.compile("[\ud800-\udfff]")


def fold(text: str) -> str:
    """Lower-case `text` without moving any offset, fit to be encoded.

    U+0130 (İ) is the only code point whose lower case is longer than itself, so it is replaced first. Lone surrogates,
    which broken JSON can hold, become U+FFFD: the libraries that search a folded text cannot encode them.
    """
    folded = (text.replace("\u0130", "I") if "\u0130" in text else text).lower()
    return whole(folded)


def whole(text: str) -> str:
    """`text` with lone surrogates replaced, one code point for one."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text
