"""Files that hold a population: JSONL, plain or compressed, CSV and Parquet, read row by row and checked.

Errors name the file and the row, never the content of the row.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import lzma
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from maskwise.crowd.population import Profile
from maskwise.errors import CorpusError, InputError, OutputError, PluginError, describe_cause

BATCH = 4096  # rows of a Parquet file in memory at once
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}
_LONGEST_CELL = (
    1 << 24
)  # characters of a CSV cell: documents are longer than the library's own limit


def read_profiles(path: str | Path, separator: str = "", texts: bool = True) -> Iterator[Profile]:
    """The profiles of a register, one at a time.

    JSONL rows are `{id, profile: {key: value | [values]}, text?}`. In CSV and Parquet `id` and `text` are columns, and
    every other column is an attribute; `separator` splits a cell into several values. Without a column `id`, rows are
    called by their number. `texts` keeps the documents.
    """
    file = Path(path)
    is_packed = file.suffix.lower() in _OPENERS
    plain = file.with_suffix("") if is_packed else file
    ending = plain.suffix.lower()
    if ending == ".parquet" and not is_packed:
        rows: Iterable[tuple[int, Any]] = _read_parquet(file)
    elif ending in (".csv", ".tsv"):
        rows = _read_text_rows(file, read_csv_rows)
    else:
        rows = _read_text_rows(file, read_json_rows)
    is_table = ending in (".csv", ".tsv", ".parquet")
    for number, row in rows:
        named = {"id": f"row {number}", **row} if is_table else row
        if is_table and "id" not in row and any(value == key for key, value in row.items()):
            raise CorpusError(f"{file}: the first line holds values; name the columns there")
        yield _parse_profile(f"{file}: row {number}", named, separator, texts)


def write_profiles(path: str | Path, profiles: Iterable[Profile]) -> int:
    """Writes a register as JSONL, packed by its ending: whole, or not at all. Returns the number of profiles."""
    target = Path(path)
    count = 0
    part = target.with_name(
        f".{os.getpid()}.part"
    )  # short, because the name of the target may be as long as names can be
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with _OPENERS.get(target.suffix.lower(), open)(part, "wt", encoding="utf-8") as stream:
            for profile in profiles:
                known = {
                    key: values[0] if len(values) == 1 else values
                    for key, values in profile.attributes
                }
                row: dict[str, Any] = {"id": profile.id, "profile": known}
                if profile.text:
                    row["text"] = profile.text
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
                count += 1
        os.replace(part, target)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written ({error.strerror})") from None
    finally:
        with suppress(OSError):
            part.unlink()
    return count


def read_texts(
    path: str | Path, id_key: str = "id", name_key: str = "title"
) -> Iterator[tuple[str, str, str]]:
    """Id, name and text of every biography of a JSONL file, plain or packed."""
    file = Path(path)
    for number, row in _read_text_rows(file, read_json_rows):
        if not isinstance(row, Mapping) or not isinstance(row.get("text"), str):
            raise CorpusError(f"{file}: row {number} is not an object with a `text`")
        id, name = row.get(id_key), row.get(name_key)
        if isinstance(id, bool) or not isinstance(id, str | int) or not str(id).strip():
            raise CorpusError(
                f"{file}: row {number} has no `{id_key}`: text or a whole number is expected"
            )
        if not isinstance(name, str):
            raise CorpusError(
                f"{file}: row {number} has no `{name_key}`: the name of whom it is about is expected"
            )
        yield str(id).strip(), name, row["text"]


def read_json_rows(file: Path, stream: IO[str]) -> Iterator[tuple[int, Any]]:
    """Objects, one per line, with the number of their line."""
    for number, line in enumerate(stream, 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (json.JSONDecodeError, RecursionError):
            raise CorpusError(
                f"{file}: row {number} is not JSON; one object per line is expected"
            ) from None


def read_csv_rows(file: Path, stream: IO[str]) -> Iterator[tuple[int, Any]]:
    """Rows of a table with their number, counted from 1 without the header."""
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        first = stream.readline()
        dialect = max(",;\t", key=first.count)
        stream.seek(0)
        table = csv.DictReader(stream, delimiter=dialect, strict=True)
        for number, row in enumerate(table, 1):
            if None in row or None in row.values():
                raise CorpusError(f"{file}: row {number} has not as many cells as the header")
            yield number, row
    except csv.Error:
        raise CorpusError(f"{file}: not a table that can be read as CSV") from None
    finally:
        csv.field_size_limit(limit)


def open_text(file: Path) -> IO[str]:
    """A text file, unpacked by its ending."""
    stream: IO[str] = _OPENERS.get(file.suffix.lower(), open)(
        file, "rt", encoding="utf-8-sig", newline=""
    )
    return stream


def _read_text_rows(file: Path, rows: Any) -> Iterator[tuple[int, Any]]:
    try:
        with open_text(file) as stream:
            yield from rows(file, stream)
    except (OSError, EOFError, UnicodeDecodeError, lzma.LZMAError) as error:
        raise InputError(
            f"{file}: cannot be read ({describe_cause(error)}); expected a register in UTF-8"
        ) from None


def _read_parquet(file: Path) -> Iterator[tuple[int, Any]]:
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError:
        raise PluginError(f"{file}: Parquet needs pyarrow; install maskwise[tables]") from None
    number = 0
    try:
        with parquet.ParquetFile(file) as table:
            for batch in table.iter_batches(BATCH):
                for row in batch.to_pylist(maps_as_pydicts="lossy"):
                    number += 1
                    yield number, row
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"{file}: cannot be read as Parquet ({describe_cause(error)})") from None


def _parse_profile(where: str, row: Any, separator: str, texts: bool) -> Profile:
    if not isinstance(row, Mapping):
        raise CorpusError(f"{where} is not an object with `id` and `profile`")
    id = row.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int) or not str(id).strip():
        raise CorpusError(f"{where} has no `id`: text or a whole number is expected")
    text = row.get("text")
    if text is not None and not isinstance(text, str):
        raise CorpusError(f"{where}: `text` is not text")
    nested = row.get("profile")
    attributes = (
        nested if "profile" in row else {key: row[key] for key in row if key not in ("id", "text")}
    )
    if not isinstance(attributes, Mapping):
        raise CorpusError(f"{where}: `profile` is not an object of attributes")
    values = {key: _parse_cell(where, value, separator) for key, value in attributes.items()}
    if "" in values:
        raise CorpusError(f"{where} has an attribute without a name")
    return Profile.of(str(id).strip(), values, (text or "") if texts else "")


def _parse_cell(where: str, value: object, separator: str) -> object:
    if isinstance(value, str):
        return value.split(separator) if separator else value
    items = value if isinstance(value, list | tuple) else (value,)
    if any(
        not isinstance(item, str) and isinstance(item, Mapping | list | tuple) for item in items
    ):
        raise CorpusError(f"{where} has an attribute that is neither a value nor a list of values")
    return value
