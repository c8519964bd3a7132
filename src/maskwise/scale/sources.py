"""Finds the documents of a batch: a folder, a pattern, one file, or the same behind a URL."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from maskwise import io
from maskwise.errors import InputError
from maskwise.scale.store import StoredFile, StorePlace, is_url

TABLES = frozenset((".jsonl", ".csv", ".tsv", ".parquet"))
_PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True)
class Listing:
    """The place of a batch, its files, and what is left out there: names by reason."""

    place: StorePlace
    files: Iterable[StoredFile]
    left_out: dict[str, list[str]]


def list_source(source: str, aside: Sequence[Path] = (), only_tables: bool = False) -> Listing:
    """List what a source holds, in the order of names. `aside` are files with another use, such as a vault.

    Files whose format nobody reads, and with `only_tables` all that are no tables, are left out and named.
    """
    left_out: dict[str, list[str]] = {}
    known = TABLES if only_tables else {f".{suffix}" for suffix in io.list_suffixes()}
    if is_url(source):
        place, found = _list_url(source)
    else:
        place, found = _list_local(source, {os.path.realpath(path) for path in aside}, left_out)

    def sift() -> Iterator[StoredFile]:
        for file in found:
            if any(part.startswith((".", "_")) for part in file.name.split("/")):
                continue  # hidden, or what engines put beside their parts
            if Path(file.name).suffix.lower() in known:
                yield file
            else:
                reason = "no table" if only_tables else "unknown format"
                left_out.setdefault(reason, []).append(file.name)

    return Listing(place, sift(), left_out)


def _list_url(source: str) -> tuple[StorePlace, Iterator[StoredFile]]:
    if _PATTERN.search(source):
        base = source[: _PATTERN.search(source).start()].rpartition("/")[0]  # type: ignore[union-attr]
        pattern = source[len(base) + 1 :]
        place = StorePlace(base)
        matches = re.compile(_translate(pattern))
        return place, (file for file in place.list_files() if matches.fullmatch(file.name))
    place = StorePlace(source.rstrip("/"))
    if Path(source).suffix and place.find_size("") is not None and _is_object(place):
        folder, _, name = place.base.rpartition("/")
        parent = StorePlace(folder)
        return parent, iter([parent.describe(name)])
    return place, place.list_files()


def _is_object(place: StorePlace) -> bool:
    return bool(place._system.isfile(place.base))


def _translate(pattern: str) -> str:
    """A pattern with `**` for any depth, as a regular expression."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(signs.get(part, re.escape(part)) for part in parts)


def _list_local(
    source: str, aside: set[str], left_out: dict[str, list[str]]
) -> tuple[StorePlace, Iterator[StoredFile]]:
    path = Path(source)
    if path.is_dir():
        return StorePlace(str(path)), _walk(path, aside, left_out)
    if path.is_file():
        io.build_reader(path.suffix)
        return StorePlace(str(path.parent)), iter([_describe_file(path, path.name)])
    if _PATTERN.search(source):
        base = Path(source[: _PATTERN.search(source).start()] + "x").parent  # type: ignore[union-attr]
        found = (Path(each) for each in sorted(glob.glob(source, recursive=True)))
        files = (each for each in found if each.is_file() and os.path.realpath(each) not in aside)
        return StorePlace(str(base)), (
            _describe_file(each, each.relative_to(base).as_posix()) for each in files
        )
    raise InputError(f"{source}: no such file, folder or pattern")


def _walk(folder: Path, aside: set[str], left_out: dict[str, list[str]]) -> Iterator[StoredFile]:
    """The regular files below a folder. Links to folders may lead out of it or around in it: they are not followed."""

    def note_failure(error: OSError) -> None:
        left_out.setdefault("folder cannot be opened", []).append(str(error.filename))

    for top, folders, files in os.walk(folder, onerror=note_failure):
        folders.sort()
        for name in sorted(files):
            path = Path(top, name)
            if os.path.realpath(path) in aside:
                continue
            relative = path.relative_to(folder).as_posix()
            if path.is_file():
                yield _describe_file(path, relative)
            else:
                left_out.setdefault("no regular file", []).append(relative)


def _describe_file(path: Path, name: str) -> StoredFile:
    about = path.stat()
    return StoredFile(name, about.st_size, str(about.st_mtime_ns))
