"""CSV and TSV. Delimiter, quotes, line ends and every cell that does not change stay as they are.

With `header: yes` nothing is masked in the first line. By default the first line names the columns and is read like any
other, since a file without a header would begin with somebody's data. A number that identifies, by its digits or by the
name of its column, is a code. A cell that hides text behind escapes, tags or base64 is also read without them, and
written without them if something in it is masked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator

from maskwise.io.columns import Path, Table, TableCell, load_rows
from maskwise.io.encoding import Encoding, decode_text, encode_text
from maskwise.io.formats import Loaded
from maskwise.io.headers import find_text_type
from maskwise.io.readings import choose_reading, list_readings
from maskwise.io.segments import mask_all, rewrite_text
from maskwise.mask import Alignment
from maskwise.text import EntityType, possessive

_DELIMITERS = ",;\t|"
_SAMPLE = 1 << 16


class CsvCell(NamedTuple):
    """A cell of the file: where it stands, and its text without quotes."""

    row: int
    column: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class DelimitedLayout:
    text: str = field(repr=False)
    encoding: Encoding
    delimiter: str
    # The start and the end of each cell, and how many readings it has.
    spans: tuple[tuple[int, int, int], ...]


def _read_truth(value: Any) -> Any:
    """YAML reads a bare yes as true."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


@dataclass(frozen=True)
class Delimited(Table):
    """JSON, CSV, Parquet and, for `columns`, spreadsheets. `columns` declares the type of a column or key: its values
    are masked whole. `fields` are the only columns or paths that are read; none means all. `header`: whether the first
    line of a CSV names columns; `rows`: whether people are told apart in each row or in the whole table."""

    # Columns of a file without a header are named by their number from 1.
    header: Annotated[Literal["auto", "yes", "no"], BeforeValidator(_read_truth)] = "auto"

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode_text(raw, name)
        delimiter = "\t" if name.lower().endswith(".tsv") else sniff_delimiter(text)
        rows: dict[int, list[TableCell]] = {}
        spans: list[tuple[int, int, int]] = []
        kept: list[str] = []
        names: dict[int, str] = {}
        for cell in split_cells(text, delimiter):
            first = cell.row == 0 and self.header != "no"
            if first:
                names[cell.column] = cell.text.strip()
            path = (names.get(cell.column, str(cell.column + 1)),)
            is_kept = self.header == "yes" if first else not self._columns.is_read(path)
            if is_kept:
                kept.append(cell.text)
            elif cell.text.strip():
                kind = None if first else self._find_type(path, cell.text)
                read = [TableCell(text, kind) for text in list_readings(cell.text)]
                rows.setdefault(cell.row, []).extend(read)
                spans.append((cell.start, cell.end, len(read)))
        source = DelimitedLayout(text, encoding, delimiter, tuple(spans))
        return load_rows(list(rows.values()), source, self._is_together, kept)

    def _find_type(self, path: Path, text: str) -> EntityType | None:
        return self._columns.find_type(path) or find_text_type(path, text)

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        source, layouts = loaded.layout
        before = (text for layout in layouts for text in layout.texts)
        after = iter(mask_all(layouts, alignments))
        edits = []
        for start, end, count in source.spans:
            old_readings, new_readings = list(islice(before, count)), list(islice(after, count))
            new = choose_reading(old_readings, new_readings)
            if new is not None:
                cell = _quote_cell(new, source.text[start:end], source.delimiter)
                edits.append((start, end, cell))
        text, _ = rewrite_text(source.text, edits)
        return encode_text(text, source.encoding)


def split_cells(text: str, delimiter: str) -> Iterator[CsvCell]:
    """Yields the cells of a table, as leniently as the reader of the standard library."""
    mark = re.escape(delimiter)
    pattern = possessive.compile(
        rf'(?:"((?:[^"]++|"")*+)"?([^{mark}\r\n]*+)|([^{mark}\r\n]*+))({mark}|\r\n|\r|\n|\Z)'
    )
    row = column = at = 0
    while at < len(text) or column:
        found = pattern.match(text, at)
        if found is None:  # cannot be: some alternative matches everywhere
            return
        value = found[3] if found[1] is None else found[1].replace('""', '"') + found[2]
        if value or column or found[4] == delimiter:  # an empty line has no cells
            yield CsvCell(row, column, at, found.start(4), value)
        at = found.end()
        if found[4] == delimiter:
            column += 1
        else:
            row, column = row + 1, 0


def sniff_delimiter(text: str) -> str:
    """The delimiter that cuts the first lines into the most columns, equally many in nearly every line."""
    best, chosen = 0.0, ","
    for delimiter in _DELIMITERS:
        cells_per_row = Counter(cell.row for cell in split_cells(text[:_SAMPLE], delimiter))
        widths = Counter(cells_per_row.values())
        if not widths:
            continue
        width, times = max(widths.items(), key=lambda item: (item[1], item[0]))
        worth = (width - 1) * (times / widths.total()) ** 2
        if worth > best:
            best, chosen = worth, delimiter
    return chosen


def _quote_cell(text: str, old: str, delimiter: str) -> str:
    if old.startswith('"') or any(sign in text for sign in (delimiter, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
