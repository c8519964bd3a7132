"""Finds the documents of a batch: a folder, a pattern, one file, or the same behind a URL."""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from maskwise import io
from maskwise.errors import InputError
from maskwise.scale.store import StoredFile, StorePlace, describe_path, is_url
from maskwise.scale.tasks import FOLDER

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
            reason = judge_name(file.name, known, only_tables)
            if reason is None:
                yield file
            elif reason:
                # A name that is no UTF-8 cannot be printed.
                name = file.name.encode("utf-8", "backslashreplace").decode()
                left_out.setdefault(reason, []).append(name)

    return Listing(place, sift(), left_out)


def judge_name(name: str, known: Container[str], only_tables: bool) -> str | None:
    """None for a document; else the reason why it is none, which is empty where nobody would ask for it.

    >>> judge_name("a/b.txt", {".txt"}, False), judge_name(".b.txt", {".txt"}, False)
    (None, 'hidden')
    """
    parts = name.split("/")
    is_known = PurePosixPath(name).suffix.lower() in known
    if FOLDER in parts:
        return ""
    if not {"", ".", ".."}.isdisjoint(parts):
        return "a name that leads to another folder"
    if any(part.startswith((".", "_")) for part in parts):
        # Such as what engines put beside the parts of a table.
        return "hidden" if is_known and not only_tables else ""
    if not name.isprintable() and not _is_unicode(name):
        return "a name that is not UTF-8"
    if not is_known:
        return "no table" if only_tables else "unknown format"
    return None


def _is_unicode(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


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
    """A pattern with `**` for any depth, as a regular expression.

    >>> re.fullmatch(_translate("**/box[12]/*.txt"), "old/box2/a.txt") is not None
    True
    """
    parts = re.split(r"(\*\*/|\*\*|\*|\?|\[[^]/]+\])", pattern)
    signs = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(signs.get(part) or _translate_set(part) for part in parts)


def _translate_set(part: str) -> str:
    if len(part) > 2 and part[0] == "[" and part[-1] == "]":
        inner = part[1:-1].replace("\\", r"\\")
        return f"[{'^' + inner[1:] if inner[0] == '!' else inner}]"
    return re.escape(part)


def _list_local(
    source: str, aside: set[str], left_out: dict[str, list[str]]
) -> tuple[StorePlace, Iterator[StoredFile]]:
    path = Path(source)
    if path.is_dir():
        return StorePlace(str(path)), _walk(path, aside, left_out)
    if path.is_file():
        io.build_reader(path.suffix)
        return StorePlace(str(path.parent)), iter([describe_path(path, path.name)])
    if found := _PATTERN.search(source):
        base = Path(source[: found.start()] + "x").parent
        pattern = source[len(source[: found.start()].rpartition("/")[0]) :].lstrip("/")
        depth = None if "**" in pattern else pattern.count("/")
        matches = re.compile(_translate(pattern))
        files = (f for f in _walk(base, aside, left_out, depth) if matches.fullmatch(f.name))
        return StorePlace(str(base)), files
    raise InputError(f"{source}: no such file, folder or pattern")


def _walk(
    folder: Path, aside: set[str], left_out: dict[str, list[str]], depth: int | None = None
) -> Iterator[StoredFile]:
    """The regular files below a folder, down to a depth. Links to folders may lead out of it or around in it: they are
    not followed."""

    def note_failure(error: OSError) -> None:
        left_out.setdefault("folder cannot be opened", []).append(str(error.filename))

    for top, folders, files in os.walk(folder, onerror=note_failure):
        here = Path(top).relative_to(folder)
        for name in sorted(folders):
            if Path(top, name).is_symlink():
                left_out.setdefault("link to a folder", []).append((here / name).as_posix())
        folders[:] = sorted(folders) if depth is None or len(here.parts) < depth else []
        for name in sorted(files):
            path = Path(top, name)
            if os.path.realpath(path) in aside:
                continue
            relative = (here / name).as_posix()
            if path.is_file():
                yield describe_path(path, relative)
            else:
                left_out.setdefault("no regular file", []).append(relative)
