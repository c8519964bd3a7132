"""Leak reader of Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from maskwise.io.leaks.piece import Piece, read_text
from maskwise.io.leaks.sources import read_byte_pieces


class ParquetLeaks:
    """Values batch by batch, column names, metadata and the statistics of every column chunk."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        import pyarrow.parquet as pq

        file = pq.ParquetFile(io.BytesIO(raw))
        yield Piece(
            "names of columns", file.schema_arrow.to_string(truncate_metadata=False), markup=True
        )
        for key, value in (file.metadata.metadata or {}).items():
            if key != b"ARROW:schema":  # read above
                yield from _read_value("metadata", [key, value])
        for column in file.schema_arrow:
            for key, value in (column.metadata or {}).items():
                yield from _read_value("metadata of a column", [key, value])
        for group in range(file.metadata.num_row_groups):
            for at in range(file.metadata.num_columns):
                stats = file.metadata.row_group(group).column(at).statistics
                if stats is not None and stats.has_min_max:
                    yield from _read_value("statistics", [stats.min, stats.max])
        for batch in file.iter_batches(batch_size=1024, use_threads=False):
            for number, column in enumerate(batch.columns, 1):
                yield from _read_value(f"column {number}", column.to_pylist())


def _read_value(place: str, value: Any) -> Iterator[Piece]:
    """The texts in a value, at any depth; bytes are opened."""
    if isinstance(value, str):
        yield Piece(place, value)
    elif isinstance(value, bytes):
        yield Piece(place, read_text(value))
        yield from read_byte_pieces(place, value)
    elif isinstance(value, dict):
        yield from (Piece(place, str(key)) for key in value)
        for inner in value.values():
            yield from _read_value(place, inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _read_value(place, inner)
    elif value is not None:
        yield Piece(place, str(value))
