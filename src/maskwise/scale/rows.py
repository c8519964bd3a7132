"""Reads the rows of a part of a table, and writes masked rows in the same format.

The output has the columns that are kept, the masked text, and `error`: the reason why a row has no text. A column that
is not named is left out, because nobody has looked at it.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from maskwise.errors import InputError
from maskwise.scale.parts import HEAD, LONGEST_CELL, NO_GROUP, find_delimiter, load_parquet
from maskwise.scale.store import StorePlace
from maskwise.scale.tasks import ERROR, Task, TextColumns


@dataclass(frozen=True)
class TableRow:
    """One row: the values that are kept, the text, and what is wrong with it."""

    kept: Mapping[str, Any] = field(repr=False)
    text: str | None = field(repr=False)
    problem: str = ""


@dataclass(frozen=True)
class TablePart:
    """The rows of a task, the hash of what was read, and what the writer needs."""

    rows: list[TableRow] = field(repr=False)
    sha256: str
    layout: Any = field(default=None, repr=False)


def read_part(place: StorePlace, task: Task, columns: TextColumns) -> TablePart:
    """Read the rows of a task."""
    suffix = PurePosixPath(task.name).suffix.lower()
    if suffix == ".parquet":
        return _read_parquet(place, task, columns)
    raw = place.read_range(task.name, task.start, task.stop)
    if len(raw) != task.stop - task.start:
        raise InputError(f"{task.name}: shorter than when the run began; start another run")
    digest = hashlib.sha256(raw).hexdigest()
    if suffix == ".jsonl":
        lines = (line for line in raw.split(b"\n") if line.strip())
        return TablePart([_parse_line(line, columns) for line in lines], digest)
    delimiter, names = _read_header(place.read_range(task.name, 0, HEAD), task.name, columns)
    rows = list(_parse_records(raw, task, columns, delimiter, names))
    return TablePart(rows, digest, delimiter)


def write_part(
    part: TablePart, masked: Sequence[tuple[str | None, str]], task: Task, columns: TextColumns
) -> bytes:
    """The bytes of the output: each row with its masked text, or with the reason why it has none."""
    suffix = PurePosixPath(task.name).suffix.lower()
    if suffix == ".parquet":
        return _write_parquet(part, masked, columns)
    records = [
        {**row.kept, columns.text: text, ERROR: reason or None}
        for row, (text, reason) in zip(part.rows, masked, strict=True)
    ]
    if suffix == ".jsonl":
        return b"".join(map(_write_line, records))
    sink = io.StringIO()
    names = [*columns.written, columns.text, ERROR]
    writer = csv.DictWriter(sink, names, delimiter=part.layout, lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return sink.getvalue().encode()


def _write_line(record: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(record, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # half of a pair of surrogates in a column that is kept
        return json.dumps(record).encode() + b"\n"


def _parse_line(line: bytes, columns: TextColumns) -> TableRow:
    missing = dict.fromkeys(columns.written)
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return TableRow(missing, None, "not a line of JSON")
    if not isinstance(found, dict):
        return TableRow(missing, None, "not a JSON object")
    return _build_row(found, columns)


def _build_row(found: Mapping[str, Any], columns: TextColumns) -> TableRow:
    kept = {name: found.get(name) for name in columns.written}
    text = found.get(columns.text)
    if text is None:
        return TableRow(kept, None, "" if columns.text in found else f"no column {columns.text!r}")
    if not isinstance(text, str):
        return TableRow(kept, None, f"column {columns.text!r} holds no text")
    return TableRow(kept, text)


def _read_header(head: bytes, name: str, columns: TextColumns) -> tuple[str, list[str]]:
    """The delimiter and the names of the columns, from the first row of the file."""
    text = head.decode("utf-8-sig", "ignore")
    delimiter = find_delimiter(text, name)
    names = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
    absent = [each for each in (columns.text, *columns.written) if each not in names]
    if absent:
        raise InputError(f"{name}: its first line names no column {', '.join(map(repr, absent))}")
    return delimiter, names


def _parse_records(
    raw: bytes, task: Task, columns: TextColumns, delimiter: str, names: Sequence[str]
) -> Iterator[TableRow]:
    csv.field_size_limit(LONGEST_CELL)
    try:
        text = raw.decode("utf-8-sig" if task.start == 0 else "utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{task.name}: not UTF-8; convert it first") from None
    try:
        found = list(_cut_cells(text, delimiter))
    except csv.Error:
        raise InputError(f"{task.name}: a broken CSV file") from None
    missing = dict.fromkeys(columns.written)
    for at, (record, is_sound) in enumerate(found):
        if not record or (at == 0 and task.start == 0):
            continue
        if not is_sound:
            yield TableRow(missing, None, "a quotation mark that is not closed or not doubled")
        elif len(record) != len(names):
            yield TableRow(missing, None, "another number of cells than the first line")
        else:
            yield _build_row(dict(zip(names, record, strict=True)), columns)


def _cut_cells(text: str, delimiter: str) -> Iterator[tuple[list[str], bool]]:
    """Yields the cells of each record, and whether its quotation marks are sound.

    After one that nobody closed, cells hold what stood in other cells and rows: a name may stand in a column that is
    kept. Borders of parts are those of the parser that forgives, so the strict one only judges what that one read.
    """
    lines: list[str] = []

    def follow() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            lines.append(line)
            yield line

    for record in csv.reader(follow(), delimiter=delimiter):
        yield record, _is_sound(lines, delimiter)
        lines.clear()


def _is_sound(lines: Sequence[str], delimiter: str) -> bool:
    if not any('"' in line for line in lines):
        return True
    try:
        return len(list(csv.reader(lines, delimiter=delimiter, strict=True))) == 1
    except csv.Error:
        return False


def _read_parquet(place: StorePlace, task: Task, columns: TextColumns) -> TablePart:
    pq = load_parquet()
    wanted = [*columns.written, columns.text]
    with place.open_stream(task.name) as stream:
        try:
            file = pq.ParquetFile(stream)
            absent = [name for name in wanted if name not in file.schema_arrow.names]
            table = (
                None
                if absent or task.group == NO_GROUP
                else file.read_row_group(task.group, columns=wanted, use_threads=False)
            )
        except Exception as error:
            raise InputError(
                f"{task.name}: a broken Parquet file ({type(error).__name__})"
            ) from None
    if absent:
        raise InputError(f"{task.name}: has no column {', '.join(map(repr, absent))}")
    if table is None:  # nobody knows its rows
        raise InputError(f"{task.name}: could not be read when the run began; start another run")
    table = table.slice(task.start, task.stop - task.start)
    # Columns that are only kept stay as they are: not each of their values can be one of Python.
    named = list(dict.fromkeys((columns.id or columns.text, columns.text)))
    rows = [_build_row(row, columns) for row in table.select(named).to_pylist()]
    return TablePart(rows, _hash_table(table), table)


def _hash_table(table: Any) -> str:
    """The hash of the rows, not of their file: other slices of it are other tasks."""
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return hashlib.sha256(sink.getvalue()).hexdigest()


def _write_parquet(
    part: TablePart, masked: Sequence[tuple[str | None, str]], columns: TextColumns
) -> bytes:
    import pyarrow as pa

    texts = pa.array([text for text, _ in masked], pa.string())
    reasons = pa.array([reason or None for _, reason in masked], pa.string())
    kept = [part.layout.column(name) for name in columns.written]
    names = [*columns.written, columns.text, ERROR]
    table = pa.table([*kept, texts, reasons], names=names)
    sink = io.BytesIO()
    load_parquet().write_table(table, sink, compression="snappy")
    return sink.getvalue()
