"""Parquet (extra `tables`). Schema, compression and row groups are kept; strings are masked at any depth of a column.

Statistics and dictionaries are written anew from the masked values. Metadata of the file and its columns is left out,
but for what pandas needs to know the index and types. A number in a column with a declared type becomes null.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.errors import InputError, PluginError
from maskwise.io.columns import Cell, Table, load
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.segments import split
from maskwise.mask import Alignment

_PANDAS = ("index_columns", "column_indexes", "columns", "pandas_version", "creator")


@dataclass(frozen=True)
class Source:
    """The table, the columns whose values are taken apart, and how the file was packed."""

    table: Any = field(repr=False)
    values: Mapping[int, list[Any]] = field(repr=False)
    places: tuple[tuple[int, int], ...]  # column and row of each cell that was read
    compression: str
    group: int


class Parquet(Table):
    """A table of typed columns."""

    def read(self, raw: bytes, name: str) -> Loaded:
        file, table = _table(raw, name, self._limits)
        values: dict[int, list[Any]] = {}
        kept: list[str] = []
        for at, column in enumerate(table.schema):
            if self._columns.type_of((column.name,)) is not None or _holds_text(column.type):
                values[at] = table.column(at).to_pylist()
                if not self._columns.reads((column.name,)):
                    kept += (leaf for value in values.pop(at) for leaf in leaves(value))
        rows: list[list[Cell]] = []
        places: list[tuple[int, int]] = []
        for row in range(table.num_rows):
            cells = []
            for at, column in values.items():
                kind = self._columns.type_of((table.schema[at].name,))
                for leaf in leaves(column[row], numbers=kind is not None):
                    cells.append(Cell(leaf, kind))
                    places.append((at, row))
            rows.append(cells)
        packed = file.metadata.row_group(0) if file.metadata.num_row_groups else None
        compression = packed.column(0).compression if packed and packed.num_columns else "SNAPPY"
        source = Source(table, values, tuple(places), compression, packed.num_rows if packed else 0)
        return load(rows, source, self._together, kept)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        source, layouts = loaded.layout
        after = (text for layout, done in zip(layouts, alignments, strict=True) for text in split(layout, done))
        table = source.table
        done: dict[tuple[int, int], list[str]] = {}
        for place, text in zip(source.places, after, strict=True):
            done.setdefault(place, []).append(text)
        for at, column in source.values.items():
            spec = table.schema[at]
            typed = self._columns.type_of((spec.name,)) is not None
            fresh = [filled(value, iter(done.get((at, row), ())), typed) for row, value in enumerate(column)]
            table = table.set_column(at, spec, pa.array(fresh, type=spec.type))
        sink = io.BytesIO()
        schema = pa.schema([f.remove_metadata() for f in table.schema], metadata=_metadata(table.schema.metadata))
        plain = pa.Table.from_arrays([table.column(i) for i in range(table.num_columns)], schema=schema)
        packing = {"UNCOMPRESSED": "none"}.get(source.compression, source.compression.lower())
        pq.write_table(plain, sink, compression=packing, row_group_size=source.group or None)
        return sink.getvalue()


def _table(raw: bytes, name: str, limits: Limits) -> tuple[Any, Any]:
    """The file and its whole table, once its own account of its size is under the limits."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise PluginError("Parquet needs the extra `tables`: pip install 'maskwise[tables]'") from None
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


def _holds_text(kind: Any) -> bool:
    import pyarrow.types as types

    if types.is_dictionary(kind):
        return _holds_text(kind.value_type)
    if types.is_nested(kind):
        return any(_holds_text(kind.field(i).type) for i in range(kind.num_fields))
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def leaves(value: Any, numbers: bool = False) -> Iterator[str]:
    """The texts in a value, at any depth, in order; with `numbers` everything else as text too."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner, numbers)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner, numbers)
    elif numbers and value is not None and not isinstance(value, bool):
        yield str(value)


def filled(value: Any, texts: Iterator[str], numbers: bool = False) -> Any:
    """`value` with its texts replaced, in the order of `leaves`; a number that was read becomes null."""
    if isinstance(value, str):
        return next(texts) if value else value
    if isinstance(value, dict):
        return {key: filled(inner, texts, numbers) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(filled(inner, texts, numbers) for inner in value)
    if numbers and value is not None and not isinstance(value, bool):
        next(texts)
        return None
    return value


def _metadata(found: Mapping[bytes, bytes] | None) -> dict[bytes, bytes] | None:
    try:
        known = json.loads((found or {})[b"pandas"])
        return {b"pandas": json.dumps({key: known[key] for key in _PANDAS if key in known}).encode()}
    except (KeyError, ValueError, TypeError):
        return None
