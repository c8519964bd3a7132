"""Leak reader of Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from maskwise.io.leaks.piece import Piece


class ParquetLeaks:
    """Values batch by batch, column names, metadata and the statistics of every column chunk."""

    def pieces(self, raw: bytes) -> Iterator[Piece]:
        import pyarrow.parquet as pq

        file = pq.ParquetFile(io.BytesIO(raw))
        yield from (Piece("column name", name) for name in file.schema.names)
        for key, value in (file.metadata.metadata or {}).items():
            if key != b"ARROW:schema":
                yield Piece("metadata", _read_value(key) + "\n" + _read_value(value))
        for column in file.schema_arrow:
            for key, value in (column.metadata or {}).items():
                yield Piece("metadata of a column", _read_value(key) + "\n" + _read_value(value))
        for group in range(file.metadata.num_row_groups):
            for at in range(file.metadata.num_columns):
                stats = file.metadata.row_group(group).column(at).statistics
                if stats is not None and stats.has_min_max:
                    yield Piece("statistics", f"{_read_value(stats.min)}\n{_read_value(stats.max)}")
        for batch in file.iter_batches(batch_size=1024, use_threads=False):
            for number, column in enumerate(batch.columns, 1):
                for value in column.to_pylist():
                    yield Piece(f"column {number}", _read_value(value))


def _read_value(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
