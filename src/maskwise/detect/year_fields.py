"""Tells years by the label of their field or the head of their column: "Year: 1963", "since=1999".

Four digits alone may be a code, and a model often takes them for one. The label of a field, or the head of a column in
a table of plain text, says when they are a year.
"""

from __future__ import annotations

import re

from maskwise.text import Mention
from maskwise.text.subtypes import YEAR

REACH = 4000  # characters between a cell and the head of its table; further down the head is not looked for

_YEARLY = re.compile(
    r"(?<![^\W_])(?:years?|yr|since|until|founded|established)(?![^\W_])", re.IGNORECASE
)
# A code that a year is part of, or a number that somebody was given in a year.
_NUMBERED = re.compile(
    r"#|(?<![^\W_])(?:no|nr|number|id|code|pin|ref|reference|file|case)(?![^\W_])", re.IGNORECASE
)
_KEY = re.compile(r"([\w.-]{1,40})[\"']?=[\"']?\Z")
_LABEL = re.compile(r"([^\W_][^:=|;\t\n]{0,40})[\"'*]{0,2}:[ \t]{0,8}[\"'*]{0,2}\Z")
_CELL_BEFORE = re.compile(r"([|;,\t])[ \"']{0,4}\Z")
_CELL_AFTER = re.compile(r"[ \"']{0,4}([|;,\t])")


def is_labelled_year(mention: Mention) -> bool:
    """Whether a label or the head of a column says that the mention is a year."""
    if mention.subtype != YEAR:
        return False
    text, start, end = mention.document.text, mention.start, mention.end
    line = text.rfind("\n", max(0, start - REACH), start) + 1
    before = text[line:start]
    label = _KEY.search(before) or _LABEL.search(before)
    if label:
        return _has_year(label[1])
    return _has_year(_find_head(text, line, before, end))


def _has_year(label: str) -> bool:
    return bool(_YEARLY.search(label)) and not _NUMBERED.search(label)


def _find_head(text: str, line: int, before: str, end: int) -> str:
    """The head of the column that a cell stands in, or nothing where no table is seen."""
    sign = _CELL_BEFORE.search(before) or (not before.strip() and _CELL_AFTER.match(text, end))
    if not sign or line < 1:
        return ""
    rows = text[max(0, line - REACH) : line - 1].rpartition("\n\n")[2].split("\n")
    if line > REACH and len(rows[0]) + 1 >= REACH:
        return ""
    stop = text.find("\n", end)
    own = text[line : stop if stop >= 0 else len(text)]
    head = ""
    for row in reversed(rows):
        if row.count(sign[1]) != own.count(sign[1]):
            break
        head = row
    cells = head.split(sign[1])
    at = before.count(sign[1])
    return cells[at] if at < len(cells) else ""
