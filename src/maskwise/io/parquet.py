"""Parquet (extra `tables`). Compression and row groups are kept; texts are masked at any depth of a column.

Names of columns and fields are read like values. Bytes that are text are masked as text, other bytes become null, as do
numbers and dates that are masked: those of a declared column, and those that identify by their digits or by the name
of their column. Extension types are written as what they store. Statistics and dictionaries are written anew from the
masked values. Metadata is left out, but for what pandas needs to know the index and types.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any
from uuid import UUID

from maskwise.errors import InputError, PluginError
from maskwise.io import arrow_types
from maskwise.io.column_typing import TYPES, ColumnVerdict
from maskwise.io.columns import (
    LOOSE,
    Columns,
    ColumnTypes,
    MaskedNumbers,
    Table,
    TableCell,
    load_rows,
)
from maskwise.io.formats import Loaded
from maskwise.io.headers import find_number_type, find_text_type, is_birth, is_place
from maskwise.io.limits import Limits
from maskwise.io.readings import choose_reading, decode_if_text, list_readings
from maskwise.io.segments import mask_all
from maskwise.io.values import Path, change_leaves, list_leaves
from maskwise.mask import Alignment
from maskwise.text import EntityType

_SAMPLE = 2000  # values by which a column of numbers is typed


@dataclass(frozen=True)
class ParquetLayout:
    """The table, its names, the values of the columns that are read, and how the file was packed."""

    table: Any = field(repr=False)
    names: tuple[str, ...] = field(repr=False)
    values: Mapping[int, list[Any]] = field(repr=False)
    types: ColumnTypes
    compression: str
    group: int


class Parquet(Table):
    """A table of typed columns."""

    def read(self, raw: bytes, name: str) -> Loaded:
        file, table = _read_table(raw, name, self.limits)
        values, kept = self._split_columns(table)
        names = tuple(arrow_types.list_names(table.schema))
        rows = [[cell for name in names for cell in self._read_cells(name, (), {})]]
        types = self._type_columns(table, values)
        keys = [""]
        unread = numbers = 0

        def collect_leaf(leaf: Any, path: Path) -> Any:
            nonlocal unread, numbers
            cells = self._read_cells(leaf, path, types)
            if leaf is not None and self.is_key(path):
                keys[-1] = str(leaf)
            unread += isinstance(leaf, bytes) and bool(leaf) and not cells
            numbers += bool(cells) and not isinstance(leaf, str | bytes)
            rows[-1].extend(cells)
            return leaf

        for row in range(table.num_rows):
            rows.append([])
            keys.append("")
            for at, column in values.items():
                change_leaves(column[row], (table.schema[at].name,), collect_leaf)
        layout = ParquetLayout(table, names, values, types, *_read_packing(file))
        notes = [f"binary values that are no text, left out: {unread}"] if unread else []
        if numbers:
            notes.append(f"numbers and dates that identify, left out where masked: {numbers}")
        loaded = load_rows(rows, layout, self._is_together, kept, keys if self.key else ())
        return replace(loaded, notes=tuple(notes))

    def _split_columns(self, table: Any) -> tuple[dict[int, list[Any]], list[str]]:
        """The values of the columns that are read, by number, and the texts of those that the policy leaves alone."""
        values: dict[int, list[Any]] = {}
        kept: list[str] = []
        for at, column in enumerate(table.schema):
            path = (column.name,)
            is_declared = self._columns.find_type(path) is not None
            if not self._columns.is_read(path):
                for value in arrow_types.list_values(table.column(at)):
                    kept += list_leaves(value)
                continue
            can_tell = is_declared or arrow_types.can_tell(
                table.column(at), is_birth(path) or is_place(path)
            )
            is_typed = self.is_key(path) or _is_typed(self._type_column(path, table.column(at)))
            if can_tell or is_typed:
                values[at] = arrow_types.list_values(table.column(at))
        return values, kept

    def list_types(self, raw: bytes, name: str) -> ColumnTypes:
        """The type of each column, by its name and values."""
        _, table = _read_table(raw, name, self.limits)
        columns = range(table.num_columns)
        values = {at: arrow_types.list_values(table.column(at)) for at in columns}
        return self._type_columns(table, values)

    def _type_columns(self, table: Any, values: Mapping[int, list[Any]]) -> ColumnTypes:
        found: dict[Path, list[str]] = {}

        def collect_leaf(leaf: Any, path: Path) -> Any:
            if leaf is not None and not isinstance(leaf, bool | bytes):
                found.setdefault(path, []).append(str(leaf))
            return leaf

        for at, column in values.items():
            for value in column:
                change_leaves(value, (table.schema[at].name,), collect_leaf)
        return self.decide_types(found)

    def _type_column(self, path: Path, column: Any) -> ColumnVerdict | None:
        """The type of a flat column, by its name and values."""
        sample = arrow_types.list_values(column.slice(0, _SAMPLE))
        plain = [str(value) for value in sample if isinstance(value, int | float | Decimal | date)]
        return self.decide_types({path: plain}).get(path) if plain else None

    def _read_cells(self, leaf: Any, path: Path, types: ColumnTypes) -> list[TableCell]:
        """The texts that are read of a value: its texts with their type; nothing for one that tells nothing."""
        verdict = types.get(path)
        loose = verdict is None or verdict.kind in LOOSE
        found = _read_cells(leaf, path, self._columns, loose)
        if found or loose or leaf is None or isinstance(leaf, bool | bytes):
            typed = [] if loose else found
            return [self.make_cell(path, cell.text, verdict, cell.type) for cell in typed] or found
        return [self.make_cell(path, str(leaf), verdict, None)]

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        source, layouts = loaded.layout
        after = iter(mask_all(layouts, alignments))
        masked_numbers = MaskedNumbers.collect(alignments)

        def rewrite_leaf(leaf: Any, path: Path) -> Any:
            old = [cell.text for cell in self._read_cells(leaf, path, source.types)]
            if not old and arrow_types.is_number(leaf) and masked_numbers.find(str(leaf)):
                return None
            new = list(islice(after, len(old)))
            return _choose_leaf(leaf, old, new)

        # In the order in which the texts were read: the names first, then row by row.
        renamed = [(name, rewrite_leaf(name, ())) for name in source.names]
        names = dict(arrow_types.make_unique(renamed))
        table = source.table
        fresh: dict[int, list[Any]] = {at: [] for at in source.values}
        for row in range(table.num_rows):
            for at, column in source.values.items():
                path = (table.schema[at].name,)
                fresh[at].append(change_leaves(column[row], path, rewrite_leaf))
        return _write_table(source, names, fresh)


def _is_typed(verdict: ColumnVerdict | None) -> bool:
    return verdict is not None and verdict.kind in TYPES and verdict.kind not in LOOSE


def _read_cells(leaf: Any, path: Path, columns: Columns, loose: bool) -> list[TableCell]:
    """The texts of a value with their declared type. A `loose` column may hold numbers that identify."""
    if leaf is None or isinstance(leaf, bool):
        return []
    text = decode_if_text(leaf) if isinstance(leaf, bytes) else leaf
    if isinstance(text, str):
        kind = columns.find_type(path) or (find_text_type(path, text) if path and loose else None)
        return [TableCell(reading, kind) for reading in list_readings(text) if reading]
    if isinstance(leaf, bytes):
        return []
    declared = EntityType.CODE if isinstance(leaf, UUID) else columns.find_type(path)
    if declared is None and arrow_types.is_number(leaf):
        declared = find_number_type(path, arrow_types.read_digits(leaf))
        if declared is None and is_place(path):
            declared = EntityType.CODE
    if declared is None and (is_birth(path) or arrow_types.is_moment(leaf)):
        declared = EntityType.DATETIME
    return [TableCell(str(leaf), declared)] if declared is not None else []


def _choose_leaf(leaf: Any, old: list[str], new: list[str]) -> Any:
    """A value after masking. What cannot hold the masked text becomes null, and so do bytes that are no text."""
    if isinstance(leaf, bytes) and leaf and not old:
        return None
    chosen = choose_reading(old, new) if old else None
    if chosen is None:
        return leaf
    if isinstance(leaf, bytes):
        return chosen.encode()
    return chosen if isinstance(leaf, str) else None


def _write_table(
    source: ParquetLayout, names: Mapping[str, str], fresh: Mapping[int, list[Any]]
) -> bytes:
    """The file with new names and new values, packed as it was."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    old = source.table
    fields = [arrow_types.simplify_field(column, names) for column in old.schema]
    columns = []
    for at, spec in enumerate(fields):
        if at in fresh:
            columns.append(arrow_types.fill_column(fresh[at], spec.type))
        else:
            columns.append(arrow_types.keep_column(old.column(at), spec))
    metadata = arrow_types.rewrite_pandas_metadata(old.schema.metadata, names, fields)
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=metadata))
    packing = source.compression.lower()
    packing = "none" if packing == "uncompressed" else packing
    sink = io.BytesIO()
    pq.write_table(table, sink, compression=packing, row_group_size=source.group or None)
    return sink.getvalue()


def _read_packing(file: Any) -> tuple[str, int]:
    """The compression of a file, and the number of rows in its groups."""
    if not file.metadata.num_row_groups:
        return "SNAPPY", 0
    group = file.metadata.row_group(0)
    compression = group.column(0).compression if group.num_columns else "SNAPPY"
    return compression, group.num_rows


def _read_table(raw: bytes, name: str, limits: Limits) -> tuple[Any, Any]:
    """The file and its whole table. The limits are checked before, by the sizes that the file declares."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise PluginError(
            "Parquet needs the extra `tables`: pip install 'maskwise[tables]'"
        ) from None
    try:
        file = pq.ParquetFile(io.BytesIO(raw))
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        unpacked = sum(group.total_byte_size for group in groups)
    except (pa.ArrowException, OSError, ValueError, RuntimeError) as error:
        raise InputError(f"{name}: not a Parquet file ({type(error).__name__})") from None
    limits.allow(name, "unpacked", unpacked)
    limits.allow(name, "ratio", unpacked // max(len(raw), 1))
    try:
        table = file.read(use_threads=False)
        table.validate(full=True)
    except (pa.ArrowException, OSError, ValueError, RuntimeError, MemoryError) as error:
        raise InputError(f"{name}: a broken Parquet file ({type(error).__name__})") from None
    return file, table
