"""Makes texts from outside harmless for the console: they may hold control characters or markup."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from maskwise.text.escapes import escape_controls

if TYPE_CHECKING:
    from rich.text import Text


def make_plain(*lines: str | PurePath) -> Text:
    """Make lines that the console prints as they are: brackets are no markup and colons no pictures.

    >>> make_plain("maskwise[train]").plain
    'maskwise[train]'
    """
    from rich.text import Text

    return Text("\n".join(map(escape_controls, lines)))
