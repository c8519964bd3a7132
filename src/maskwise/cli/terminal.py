"""What reaches a terminal: texts from outside, which may hold control characters or markup, are made harmless first."""

from __future__ import annotations

import unicodedata
from pathlib import PurePath

# Left-to-right marks and the like reorder what a reader sees; a line break starts a line that nobody wrote.
_HARMLESS = ("L", "M", "N", "P", "S")


def escape_controls(text: str | PurePath) -> str:
    """A text on one line in which every character can be seen; any other is written as its escape.

    >>> escape_controls("a\\nb\\x1b[31m é")
    'a\\\\nb\\\\x1b[31m é'
    """
    return "".join(map(_escape_character, str(text)))


def escape_markup(text: str | PurePath) -> str:
    """A text for the console, which takes brackets for markup.

    >>> escape_markup("maskwise[train]")
    'maskwise\\\\[train]'
    """
    from rich.markup import escape

    return escape(escape_controls(text))


def _escape_character(character: str) -> str:
    if character == " " or unicodedata.category(character)[0] in _HARMLESS:
        return character
    return character.encode("unicode_escape").decode("ascii")
