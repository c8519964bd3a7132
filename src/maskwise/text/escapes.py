"""Makes texts from outside harmless for a terminal or a report: they may hold characters that nobody sees."""

from __future__ import annotations

import unicodedata
from pathlib import PurePath

# Marks of direction reorder what a reader sees, and a line break starts a line that nobody wrote.
_HARMLESS = ("L", "M", "N", "P", "S")


def escape_controls(text: str | PurePath) -> str:
    """Put a text on one line and write every character that cannot be seen as its escape.

    >>> escape_controls("a\\nb\\x1b[31m é")
    'a\\\\nb\\\\x1b[31m é'
    """
    return "".join(map(_escape_character, str(text)))


def _escape_character(character: str) -> str:
    if character == " " or unicodedata.category(character)[0] in _HARMLESS:
        return character
    return character.encode("unicode_escape").decode("ascii")
