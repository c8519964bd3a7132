"""Cuts tables into parts at the borders of rows, so that workers read them side by side.

The borders follow from the bytes of the table and the size of a part alone, never from the number of workers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from maskwise.errors import InputError, PluginError
from maskwise.io.delimited import sniff_delimiter
from maskwise.scale.store import StoredFile, StorePlace
from maskwise.scale.tasks import FILE, ROWS, Task

BLOCK = 1 << 20
HEAD = 1 << 16  # bytes in which the header of a CSV stands
LONGEST_CELL = 1 << 30
NO_GROUP = -1  # of a table without row groups, or whose row groups could not be read
Range = tuple[int, int, int, int]  # row group, start, stop, bytes


def plan_file(file: StoredFile, target: str, number: int) -> Task:
    return Task(number, FILE, file.name, target, file.size, version=file.version)


def plan_table(place: StorePlace, file: StoredFile, size: int, number: int) -> Iterator[Task]:
    """The tasks of one table, numbered from `number`. The parts lie in a folder with the name of the table."""
    suffix = PurePosixPath(file.name).suffix.lower()

    def make_task(group: int, start: int, stop: int, weight: int) -> Task:
        target = f"{file.name}/part-{at:05d}{suffix}"
        return Task(number + at, ROWS, file.name, target, weight, start, stop, group, file.version)

    at = stop = 0
    try:
        for group, start, stop, weight in _cut_table(place, file, suffix, size):
            yield make_task(group, start, stop, weight)
            at += 1
    except InputError:
        if place.is_remote:  # nothing is planned yet, and the store may answer later
            raise
        yield make_task(NO_GROUP, stop, file.size, file.size - stop)  # it fails by name, alone


def _cut_table(place: StorePlace, file: StoredFile, suffix: str, size: int) -> Iterator[Range]:
    if suffix == ".parquet":
        yield from _cut_parquet(place, file, size)
        return
    borders = _cut_lines if suffix == ".jsonl" else _cut_records
    start = 0
    for stop in borders(place, file, size):
        if stop > start:
            yield NO_GROUP, start, stop, stop - start
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
    """Borders of CSV. They are those of its parser, which alone knows which end of a line ends a row."""
    csv.field_size_limit(LONGEST_CELL)
    head = place.read_range(file.name, 0, HEAD).decode("utf-8-sig", "ignore")
    position = 0

    def follow(lines: Iterable[str]) -> Iterator[str]:
        nonlocal position
        for line in lines:
            position += len(line.encode("utf-8", "surrogateescape"))
            yield line.removeprefix("\ufeff")

    least = size
    with place.open_stream(file.name) as stream:
        lines = io.TextIOWrapper(stream, "utf-8", "surrogateescape", newline="")
        records = csv.reader(follow(lines), delimiter=find_delimiter(head, file.name))
        with suppress(csv.Error):  # whoever reads what is left finds the same error
            for _ in records:
                if position >= least:
                    yield position
                    least = position + size
    yield file.size


def find_delimiter(head: str, name: str) -> str:
    return "\t" if name.lower().endswith(".tsv") else sniff_delimiter(head)


def _cut_parquet(place: StorePlace, file: StoredFile, size: int) -> Iterator[Range]:
    """Slices of row groups of about this many bytes. Of a broken file there is one slice, whose task fails by name."""
    pq = load_parquet()
    with place.open_stream(file.name) as stream:
        try:
            metadata = pq.ParquetFile(stream).metadata
            groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
        except Exception:
            yield NO_GROUP, 0, 0, file.size
            return
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
