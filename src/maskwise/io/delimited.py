"""CSV and TSV. Delimiter, quotes, line ends and every cell that does not change stay as they are.

In a header the policy vouches for (`header: yes`) nothing is masked. By default the first line names the columns and is
read like any other, since a file without a header would begin with somebody's data. A number that identifies, by its
digits or by the name of its column, is a code. A cell that hides text behind escapes, tags or base64 is also read
without them, and written without them if something in it is masked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from maskwise.io.columns import Cell, Table, load
from maskwise.io.encoding import Encoding, decode, encode
from maskwise.io.formats import Loaded
from maskwise.io.headers import kind_of_text
from maskwise.io.limits import Limits
from maskwise.io.readings import choose_reading, readings
from maskwise.io.segments import rewrite, split
from maskwise.mask import Alignment
from maskwise.text import EntityType, possessive

_DELIMITERS = ",;\t|"
_SAMPLE = 1 << 16


class Field(NamedTuple):
    """A cell of the file: where it stands, and its text without quotes."""

    row: int
    column: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Source:
    text: str = field(repr=False)
    encoding: Encoding
    delimiter: str
    spans: tuple[tuple[int, int, int], ...]  # start and end of each cell, and how many readings it has


class Delimited(Table):
    """A table in text. Columns are named by the first line, or by their number from 1."""

    def __init__(
        self,
        columns: Mapping[str, EntityType] | None = None,
        fields: Sequence[str] = (),
        header: str = "auto",
        rows: str = "separate",
        limits: Limits | None = None,
    ) -> None:
        super().__init__(columns, fields, rows, limits)
        self._header = header

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode(raw, name)
        delimiter = "\t" if name.lower().endswith(".tsv") else sniff(text)
        rows: dict[int, list[Cell]] = {}
        spans: list[tuple[int, int, int]] = []
        kept: list[str] = []
        names: dict[int, str] = {}
        for cell in fields(text, delimiter):
            first = cell.row == 0 and self._header != "no"
            if first:
                names[cell.column] = cell.text.strip()
            path = (names.get(cell.column, str(cell.column + 1)),)
            if (first and self._header == "yes") or not (first or self._columns.reads(path)):
                kept.append(cell.text)
            elif cell.text.strip():
                kind = None if first else self._columns.type_of(path) or kind_of_text(path, cell.text)
                read = [Cell(text, kind) for text in readings(cell.text)]
                rows.setdefault(cell.row, []).extend(read)
                spans.append((cell.start, cell.end, len(read)))
        source = Source(text, encoding, delimiter, tuple(spans))
        return load(list(rows.values()), source, self._together, kept)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        source, layouts = loaded.layout
        before = (text for layout in layouts for text in layout.texts)
        after = (text for layout, done in zip(layouts, alignments, strict=True) for text in split(layout, done))
        edits = []
        for start, end, count in source.spans:
            new = choose_reading(list(islice(before, count)), list(islice(after, count)))
            if new is not None:
                edits.append((start, end, _quoted(new, source.text[start:end], source.delimiter)))
        return encode(rewrite(source.text, edits)[0], source.encoding)


def fields(text: str, delimiter: str) -> Iterator[Field]:
    """The cells of a table, with the leniency of the standard library's reader."""
    mark = re.escape(delimiter)
    pattern = possessive.compile(rf'(?:"((?:[^"]++|"")*+)"?([^{mark}\r\n]*+)|([^{mark}\r\n]*+))({mark}|\r\n|\r|\n|\Z)')
    row = column = at = 0
    while at < len(text) or column:
        found = pattern.match(text, at)
        if found is None:  # cannot be: some alternative matches everywhere
            return
        value = found[3] if found[1] is None else found[1].replace('""', '"') + found[2]
        if value or column or found[4] == delimiter:  # an empty line has no cells
            yield Field(row, column, at, found.start(4), value)
        at = found.end()
        if found[4] == delimiter:
            column += 1
        else:
            row, column = row + 1, 0


def sniff(text: str) -> str:
    """The delimiter that cuts the first lines into the most columns, the same number in nearly each."""
    best, chosen = 0.0, ","
    for delimiter in _DELIMITERS:
        widths = Counter(Counter(cell.row for cell in fields(text[:_SAMPLE], delimiter)).values())
        if not widths:
            continue
        width, times = max(widths.items(), key=lambda item: (item[1], item[0]))
        worth = (width - 1) * (times / widths.total()) ** 2
        if worth > best:
            best, chosen = worth, delimiter
    return chosen


def _quoted(text: str, old: str, delimiter: str) -> str:
    if old.startswith('"') or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
