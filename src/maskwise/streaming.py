"""Tables larger than memory: CSV and JSON Lines are masked block by block, with one set of types and one ledger.

Each block is a table of its own for the readers, writers and the leak check. The columns are typed by the first block.
What a column later holds against its type is read as text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any, BinaryIO

from maskwise import io
from maskwise.files import sanitize_file
from maskwise.mask.spilled import SpilledLedger
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Person

BLOCK = 1 << 19  # bytes of a block
LARGE = 1 << 24  # bytes from which a table is masked block by block
STREAMED = (".csv", ".tsv", ".jsonl")
Watch = Callable[[tuple[Result, ...]], None]


@dataclass(frozen=True)
class StreamedTable:
    """How many rows below the titles were masked, and the notes of all blocks, each once."""

    rows: int
    notes: tuple[str, ...] = ()


def can_stream(suffix: str, size: int, sanitizer: Sanitizer) -> bool:
    """Whether a file is a large table whose rows are masked one by one."""
    tables = sanitizer.policy.formats.tables
    is_plain = not sanitizer.collects_words and tables.get("rows") == "separate"
    return suffix.lower() in STREAMED and size >= LARGE and is_plain


def sanitize_stream(
    sanitizer: Sanitizer,
    source: BinaryIO,
    sink: BinaryIO,
    name: str,
    people: tuple[Person, ...] = (),
    watch: Watch = lambda results: None,
) -> StreamedTable:
    """Mask a table from one stream to another in bounded memory. `watch` sees the results of each block."""
    suffix = PurePath(name).suffix.lower()
    reader: Any = io.build_reader(suffix, sanitizer.policy.formats.options)
    ledger = SpilledLedger()
    is_lines = suffix == ".jsonl"
    header = b""
    rows = titles = 0
    notes: dict[str, None] = {}
    for number, block in enumerate(split_blocks(source, quoted=not is_lines)):
        if number == 0:
            reader = replace(reader, _decided=reader.list_types(block, name))
            header = b"" if is_lines or reader.header == "no" else block[: _find_row_end(block, 0)]
            titles = len(reader.read(header, name).texts) if header else 0
        whole = block if number == 0 else header + block
        done = sanitize_file(sanitizer, whole, name, people, ledger, reader)
        skipped = _find_row_end(done.data, 0) if number and header else 0
        sink.write(done.data[skipped:])
        rows += len(done.results) - titles
        notes |= dict.fromkeys(done.notes)
        watch(done.results)
    return StreamedTable(rows, tuple(notes))


def split_blocks(source: BinaryIO, quoted: bool, size: int = BLOCK) -> Iterator[bytes]:
    """The stream in blocks of whole rows. A line break inside quotes ends no row."""
    left = b""
    while True:
        read = source.read(size)
        block = left + read
        if not read:
            break
        end = _find_last_end(block, quoted)
        if end:
            yield block[:end]
        left = block[end:]
    if left:
        yield left


def _find_last_end(block: bytes, quoted: bool) -> int:
    """Where the last whole row of a block ends; 0 where none does."""
    end = block.rfind(b"\n") + 1
    while quoted and end and block.count(b'"', 0, end) % 2:
        end = block.rfind(b"\n", 0, end - 1) + 1
    return end


def _find_row_end(block: bytes, start: int) -> int:
    """Where the first row ends."""
    end = block.find(b"\n", start) + 1
    while end and block.count(b'"', start, end) % 2:
        end = block.find(b"\n", end) + 1
    return end or len(block)
