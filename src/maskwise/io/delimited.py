"""CSV and TSV. Delimiter, quotes, line ends and every cell that does not change stay as they are.

With `header: yes` nothing is masked in the first line. By default the first line names the columns and is read like any
other, since a file without a header would begin with somebody's data; only known titles stay, where at least half of
its cells are such. A number that identifies, by its digits or by the
name of its column, is a code. A cell that hides text behind escapes, tags or base64 is also read without them, and
written without them if something in it is masked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator

from maskwise.io.column_words import list_title_cells
from maskwise.io.columns import LOOSE, ColumnTypes, Path, Table, TableCell, load_rows
from maskwise.io.encoding import Encoding, decode_text, encode_text
from maskwise.io.formats import Loaded
from maskwise.io.headers import find_text_type
from maskwise.io.readings import choose_reading, list_readings
from maskwise.io.segments import mask_all, rewrite_text
from maskwise.mask import Alignment
from maskwise.text import possessive

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
    line of a CSV names columns; `rows`: whether each row is a text of its own, or the whole table is one. `key` names
    the column that tells who a row is about; without it, the names in the row do. `infer` types the other columns by
    header and values."""

    # Columns of a file without a header are named by their number from 1.
    header: Annotated[Literal["auto", "yes", "no"], BeforeValidator(_read_truth)] = "auto"

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode_text(raw, name)
        delimiter = "\t" if name.lower().endswith(".tsv") else sniff_delimiter(text)
        rows: dict[int, list[TableCell]] = {}
        spans: list[tuple[int, int, int]] = []
        kept: list[str] = []
        keys: dict[int, str] = {}
        cells = list(split_cells(text, delimiter))
        names = self._list_names(cells)
        types = self.decide_types(self._collect_values(cells, names))
        titles = list_title_cells(list(names.values()))
        for cell in cells:
            first = cell.row == 0 and self.header != "no"
            path = (names.get(cell.column, str(cell.column + 1)),)
            is_title = self.header == "yes" or cell.text.strip() in titles
            is_kept = is_title if first else not self._columns.is_read(path)
            if self.is_key(path) and not first:
                keys[cell.row] = cell.text.strip()
            if is_kept:
                kept.append(cell.text)
            elif cell.text.strip():
                read = [
                    self._read_cell(path, text, types, first) for text in list_readings(cell.text)
                ]
                rows.setdefault(cell.row, []).extend(read)
                spans.append((cell.start, cell.end, len(read)))
        source = DelimitedLayout(text, encoding, delimiter, tuple(spans))
        who = [keys.get(row, "") for row in rows] if self.key else []
        return load_rows(list(rows.values()), source, self._is_together, kept, who)

    def list_types(self, raw: bytes, name: str) -> ColumnTypes:
        """The type of each column, by its header and values."""
        text, _ = decode_text(raw, name)
        delimiter = "\t" if name.lower().endswith(".tsv") else sniff_delimiter(text)
        cells = list(split_cells(text, delimiter))
        return self.decide_types(self._collect_values(cells, self._list_names(cells)))

    def _list_names(self, cells: Sequence[CsvCell]) -> dict[int, str]:
        """The names of the columns, if the first line tells them."""
        if self.header == "no":
            return {}
        first = takewhile(lambda cell: cell.row == 0, cells)
        return {cell.column: cell.text.strip() for cell in first}

    def _collect_values(
        self, cells: Sequence[CsvCell], names: Mapping[int, str]
    ) -> dict[Path, list[str]]:
        found: dict[Path, list[str]] = {}
        for cell in cells:
            if cell.row or self.header == "no":
                path = (names.get(cell.column, str(cell.column + 1)),)
                found.setdefault(path, []).append(cell.text)
        return found

    def _read_cell(self, path: Path, text: str, types: ColumnTypes, first: bool) -> TableCell:
        if first:
            return TableCell(text)
        declared = self._columns.find_type(path)
        verdict = types.get(path)
        is_open = verdict is None or verdict.kind in LOOSE
        if declared is None and is_open and self._columns.find_kind(path) is None:
            declared = find_text_type(path, text)
        return self.make_cell(path, text, verdict, declared)

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
