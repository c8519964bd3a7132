"""Makes texts from outside harmless for a terminal: they may hold control characters or markup."""

from __future__ import annotations

import unicodedata
from pathlib import PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

# Marks of direction reorder what a reader sees, and a line break starts a line that nobody wrote.
_HARMLESS = ("L", "M", "N", "P", "S")


def escape_controls(text: str | PurePath) -> str:
    """Put a text on one line and write every character that cannot be seen as its escape.

    >>> escape_controls("a\\nb\\x1b[31m é")
    'a\\\\nb\\\\x1b[31m é'
    """
    return "".join(map(_escape_character, str(text)))


def make_plain(*lines: str | PurePath) -> Text:
    """Make lines that the console prints as they are: brackets are no markup and colons no pictures.

    >>> make_plain("maskwise[train]").plain
    'maskwise[train]'
    """
    from rich.text import Text

    return Text("\n".join(map(escape_controls, lines)))


def _escape_character(character: str) -> str:
    if character == " " or unicodedata.category(character)[0] in _HARMLESS:
        return character
    return character.encode("unicode_escape").decode("ascii")
