"""Cuts tables into parts at the borders of rows, so that workers read them side by side.

The borders follow from the bytes of the table and the size of a part alone, never from the number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from maskwise.errors import InputError, PluginError
from maskwise.scale.store import StoredFile, StorePlace
from maskwise.scale.tasks import FILE, ROWS, Task

BLOCK = 1 << 20
Range = tuple[int, int, int, int]  # row group, start, stop, bytes


def plan_file(file: StoredFile, target: str, number: int) -> Task:
    return Task(number, FILE, file.name, target, file.size)


def plan_table(place: StorePlace, file: StoredFile, size: int, number: int) -> Iterator[Task]:
    """The tasks of one table, numbered from `number`. The parts lie in a folder with the name of the table."""
    suffix = PurePosixPath(file.name).suffix.lower()
    for at, (group, start, stop, weight) in enumerate(_cut_table(place, file, suffix, size)):
        target = f"{file.name}/part-{at:05d}{suffix}"
        yield Task(number + at, ROWS, file.name, target, weight, start, stop, group)


def _cut_table(place: StorePlace, file: StoredFile, suffix: str, size: int) -> Iterator[Range]:
    if suffix == ".parquet":
        yield from _cut_parquet(place, file.name, size)
        return
    borders = _cut_lines if suffix == ".jsonl" else _cut_records
    start = 0
    for stop in borders(place, file, size):
        if stop > start:
            yield -1, start, stop, stop - start
            start = stop


def _cut_lines(place: StorePlace, file: StoredFile, size: int) -> Iterator[int]:
    """Borders of JSONL: the first end of a line after each part. Nothing else is read."""
    at = size
    while at < file.size:
        block = place.read_range(file.name, at, min(at + BLOCK, file.size))
        end = block.find(b"\n")
        if end < 0:
            at += len(block) or file.size
            continue
        yield at + end + 1
        at += end + 1 + size
    yield file.size


def _cut_records(place: StorePlace, file: StoredFile, size: int) -> Iterator[int]:
    """Borders of CSV, read once: an end of a line between quotes is no end of a row."""
    position = quotes = 0
    least = size
    with place.open_stream(file.name) as stream:
        while block := stream.read(BLOCK):
            for line in block.splitlines(keepends=True):
                position += len(line)
                quotes += line.count(b'"')
                if line.endswith(b"\n") and quotes % 2 == 0 and position >= least:
                    yield position
                    least = position + size
    yield file.size


def _cut_parquet(place: StorePlace, name: str, size: int) -> Iterator[Range]:
    """Slices of row groups of about this many bytes."""
    pq = load_parquet()
    with place.open_stream(name) as stream:
        try:
            metadata = pq.ParquetFile(stream).metadata
            groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
        except Exception as error:
            raise InputError(f"{name}: not a Parquet file ({type(error).__name__})") from None
    for at, group in enumerate(groups):
        width = max(1, group.total_byte_size // max(group.num_rows, 1))
        step = max(1, size // width)
        for start in range(0, group.num_rows, step):
            stop = min(start + step, group.num_rows)
            yield at, start, stop, width * (stop - start)


def load_parquet() -> Any:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise PluginError(
            "Parquet needs the extra `batch`: pip install 'maskwise[batch]'"
        ) from None
    return pq
