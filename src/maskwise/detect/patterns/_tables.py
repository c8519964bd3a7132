"""Tables in plain text: the head of a column announces every value below it.

Rules read labels before values: "Account: 12". In a table the label stands lines above. So each cell is read again with
the head of its column before it, and a hit in the cell counts at the place of the cell.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

SIGNS = ("|", "\t", ";", " , ", ",")
LABEL = 40  # characters of a head at most
# Heads that say in a table what they do not say in a sentence.
_NAMES = frozenset(
    "given family first last middle forename forenames fname lname firstname lastname surname vorname nachname prénom"
    " apellido apellidos cognome".split()
)
_INSERT = re.compile(
    r"(?i:insert[ ]+into)[ ]+[\w.\"`\[\]]+[ ]*\((?P<heads>[^()\n]{1,400})\)\s*(?i:values)\s*(?=\()"
)
_ROW = re.compile(r"\s*,?\s*\((?P<row>(?:[^()'\n]|'(?:[^'\n]|'')*')*)\)")
_FIELD = re.compile(r"\s*(?:'(?P<text>(?:[^'\n]|'')*)'|(?P<bare>[^,'\n]*))\s*(?:,|\Z)")
_HEAD = re.compile(r"[^\W\d_][^\d\n]*")
_CELL = re.compile(r"[\w(+@#$€£].*", re.DOTALL)


class TextLine(NamedTuple):
    """A line and where it begins in the text."""

    text: str
    start: int


class Cell(NamedTuple):
    """The text of a cell and its place; `head` is the label of its column, `line` where its row begins."""

    head: str
    text: str
    start: int
    sign: str = ""
    line: int = 0


class Cells:
    """The cells of all tables of a text. `text` has one line per cell, with the head of its column before it."""

    def __init__(self, text: str) -> None:
        lines: list[str] = []
        self._low: list[int] = []
        self._cells: list[Cell] = []
        at = 0
        for cell in (*find_cells(text), *find_inserts(text)):
            label = f"{_name_head(cell.head)}: "
            self._low.append(at + len(label))
            self._cells.append(cell)
            lines.append(f"{label}{cell.text}\n")
            at += len(lines[-1])
        self.text = "".join(lines)
        self._starts = [cell.start for cell in self._cells]

    def is_cut(self, start: int, end: int) -> bool:
        """Whether a stretch of the document runs over the edge of a cell. A comma is no edge: a value may hold one."""
        at = bisect_right(self._starts, end - 1) - 1
        if at < 0 or self._cells[at].sign == ",":
            return False
        cell = self._cells[at]
        low, high = cell.start, cell.start + len(cell.text)
        return start < high and low < end and not (low <= start and end <= high)

    def is_below(self, opening: int, start: int) -> bool:
        """Whether a stretch stands in a cell, and its label on a line above: the last head announces no first cell."""
        at = bisect_right(self._starts, start) - 1
        if at < 0 or self._cells[at].sign == ",":
            return False
        cell = self._cells[at]
        is_inside = start < cell.start + len(cell.text)
        return is_inside and opening < cell.line

    def find_place(self, start: int, end: int) -> tuple[int, int] | None:
        """Returns where a stretch of `text` stands in the document; None if it is not inside a cell."""
        at = bisect_right(self._low, start) - 1
        if at < 0 or end > self._low[at] + len(self._cells[at].text):
            return None
        shift = self._cells[at].start - self._low[at]
        return start + shift, end + shift


def find_cells(text: str) -> Iterator[Cell]:
    """The filled cells below the heads of all tables, in order of position."""
    if not any(sign in text for sign in SIGNS):
        return
    lines = list(_list_lines(text))
    at = 0
    while at + 1 < len(lines):
        sign = next(
            (sign for sign in SIGNS if _is_table_head(lines[at], lines[at + 1], sign)), None
        )
        at += 1
        if sign is None:
            continue
        heads = [cell.text for cell in _split_line(lines[at - 1], sign)]
        while at < len(lines) and lines[at].text.count(sign) == len(heads) - 1:
            for head, cell in zip(heads, _split_line(lines[at], sign), strict=True):
                if _CELL.match(cell.text):
                    yield cell._replace(head=head, sign=sign, line=lines[at].start)
            at += 1


def find_inserts(text: str) -> Iterator[Cell]:
    """The values of SQL inserts, with the names of their columns."""
    for insert in _INSERT.finditer(text):
        heads = [head.strip(' "`[]') for head in insert["heads"].split(",")]
        at = insert.end()
        while row := _ROW.match(text, at):
            at = row.end()
            fields = list(_FIELD.finditer(text, *row.span("row")))[: len(heads)]
            if len(fields) < len(heads):
                break
            for head, field in zip(heads, fields, strict=True):
                group = "bare" if field["text"] is None else "text"
                if _CELL.match(field[group]):
                    yield Cell(head, field[group], field.start(group), ",", row.start())


def _name_head(head: str) -> str:
    """The label that a head stands for: "given" is a name."""
    return "name" if head.lower() in _NAMES else head


def _list_lines(text: str) -> Iterator[TextLine]:
    at = 0
    for line in text.split("\n"):
        yield TextLine(line, at)
        at += len(line) + 1


def _is_table_head(head: TextLine, row: TextLine, sign: str) -> bool:
    count = head.text.count(sign)
    if count < (2 if "," in sign else 1) or row.text.count(sign) != count:
        return False
    cells = [cell.text for cell in _split_line(head, sign)]
    labels = [cell for cell in cells if cell]
    return bool(labels) and all(len(cell) <= LABEL and _HEAD.fullmatch(cell) for cell in labels)


def _split_line(line: TextLine, sign: str) -> Iterator[Cell]:
    """The cells of a line without the blanks and quotes around them."""
    at = line.start
    for cell in line.text.split(sign):
        bare = cell.strip(" \t\r\"'*")
        yield Cell("", bare, at + (cell.index(bare) if bare else 0))
        at += len(cell) + len(sign)
