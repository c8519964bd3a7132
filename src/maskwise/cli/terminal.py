"""What reaches a terminal: texts from outside, which may hold control characters or markup, are made harmless first."""

from __future__ import annotations

import unicodedata
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

# Left-to-right marks and the like reorder what a reader sees; a line break starts a line that nobody wrote.
_HARMLESS = ("L", "M", "N", "P", "S")


def escape_controls(text: str | PurePath) -> str:
    """A text on one line in which every character can be seen; any other is written as its escape.

    >>> escape_controls("a\\nb\\x1b[31m é")
    'a\\\\nb\\\\x1b[31m é'
    """
    return "".join(map(_escape_character, str(text)))


def plain_text(*lines: str | PurePath) -> Text:
    """Lines for the console as they are: it takes brackets in a string for markup and colons for pictures.

    >>> plain_text("maskwise[train]").plain
    'maskwise[train]'
    """
    from rich.text import Text

    return Text("\n".join(map(escape_controls, lines)))


def _escape_character(character: str) -> str:
    if character == " " or unicodedata.category(character)[0] in _HARMLESS:
        return character
    return character.encode("unicode_escape").decode("ascii")
