"""Collections of pages that become background knowledge: JSONL files, plain or compressed, and folders of texts."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from maskwise.errors import CorpusError, InputError, describe_cause

SUFFIXES = (".txt", ".md")
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


@dataclass(frozen=True, slots=True)
class PublicPage:
    """Something public: where it is, what it is called, what it says."""

    url: str
    title: str = field(repr=False)
    text: str = field(repr=False)


def read_pages(path: str | Path) -> Iterator[PublicPage]:
    """The pages of a JSONL file (keys `text`, and if there `url`, `id`, `title`) or of a folder of .txt and .md files.

    A page without `url` goes by its `id`, else by the number of its line; a file by its path below the folder.
    """
    source = Path(path)
    yield from _read_folder(source) if source.is_dir() else _read_rows(source)


def _read_folder(folder: Path) -> Iterator[PublicPage]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix.lower() in SUFFIXES)
    if not files:
        raise InputError(f"{folder}: no {' or '.join(SUFFIXES)} file in this folder")
    for file in files:
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{file}: cannot be read as UTF-8 ({describe_cause(error)})") from None
        yield PublicPage(file.relative_to(folder).as_posix(), file.stem, text)


def _read_rows(file: Path) -> Iterator[PublicPage]:
    try:
        with _open_file(file) as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield _parse_page(file, number, line)
    except (OSError, EOFError, UnicodeDecodeError, lzma.LZMAError) as error:
        raise InputError(
            f"{file}: cannot be read ({describe_cause(error)}); expected JSONL in UTF-8"
        ) from None


def _open_file(file: Path) -> IO[str]:
    stream: IO[str] = _OPENERS.get(file.suffix.lower(), open)(file, "rt", encoding="utf-8")
    return stream


def _parse_page(file: Path, number: int, line: str) -> PublicPage:
    try:
        row = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise CorpusError(
            f"{file}: line {number} is not JSON; one object per line is expected"
        ) from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise CorpusError(f"{file}: line {number} is not an object with a `text`")
    url = next(
        (str(row[key]) for key in ("url", "id") if row.get(key) not in (None, "")), f"line {number}"
    )
    return PublicPage(url, str(row.get("title") or ""), row["text"])
