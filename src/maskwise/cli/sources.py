"""Finds the input of `sanitize`: files, the files of folders, standard input, and what is left out."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from maskwise import io
from maskwise.errors import InputError

UNKNOWN = "unknown format"
HIDDEN = "hidden"


@dataclass(frozen=True)
class InputFile:
    """A file to read, or standard input, and its name below `--out`."""

    path: Path | None
    name: Path

    @property
    def suffix(self) -> str:
        return self.path.suffix if self.path else ".txt"

    def read(self, limits: io.Limits) -> bytes:
        if self.path is not None:
            return limits.read_file(self.path, str(self.name))
        if sys.stdin is None:
            raise InputError("standard input is closed")
        try:
            return limits.read_stream(sys.stdin.buffer, str(self.name))
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror})") from None


@dataclass(frozen=True)
class Skipped:
    """A file or folder that is left out of a given folder, with the reason."""

    path: Path
    reason: str

    @property
    def is_missed(self) -> bool:
        """Whether the person expected it in the output. Nobody expects hidden files there."""
        return self.reason != HIDDEN

    def to_json(self) -> dict[str, str]:
        return {"path": str(self.path), "reason": self.reason}


def find_sources(
    paths: Sequence[str], aside: Sequence[Path] = ()
) -> tuple[list[InputFile], list[Skipped]]:
    """List the files of folders. A file that is named itself must have a known format.

    `aside` are files with another use in this run, such as a vault. They are no input, even if they lie in a folder.
    """
    found: list[InputFile] = []
    skipped: list[Skipped] = []
    used = {os.path.realpath(path) for path in aside}
    for given in paths:
        path = Path(given)
        if given == "-":
            found.append(InputFile(None, Path("stdin.txt")))
        elif path.is_dir():
            inside, left_out = _list_folder(path, used)
            found += inside
            skipped += left_out
        elif path.is_file():
            io.build_reader(path.suffix)
            found.append(InputFile(path, Path(path.name)))
        elif path.exists():
            raise InputError(
                f"{given}: neither a file nor a folder; pipes and devices are refused, - reads a pipe"
            )
        else:
            raise InputError(f"{given}: no such file or folder")
    if sum(source.path is None for source in found) > 1:
        raise InputError("-: standard input can be read once")
    if not found:
        reasons = "".join(f"; {line}" for line in describe_skipped(skipped))
        raise InputError(f"nothing to sanitise: no file of a known format there{reasons}")
    return found, skipped


def describe_skipped(skipped: Sequence[Skipped]) -> list[str]:
    """Return one line per reason, with its count and the first path. Hidden files have no path there."""
    counts = Counter(one.reason for one in skipped)
    first = {one.reason: one.path for one in reversed(skipped)}
    lines = []
    for reason, count in sorted(counts.items()):
        what = "1 file or folder" if count == 1 else f"{count} files or folders"
        line = f"{what} left out ({reason})"
        if reason != HIDDEN:
            line += f", {first[reason]}" if count == 1 else f", the first {first[reason]}"
        lines.append(line)
    return lines


def _list_folder(folder: Path, used: set[str]) -> tuple[list[InputFile], list[Skipped]]:
    known = {f".{suffix}" for suffix in io.list_suffixes()}
    found: list[Path] = []
    skipped: list[Skipped] = []
    for path, reason in _walk_folder(folder):
        if os.path.realpath(path) in used:
            continue
        if not reason and path.suffix.lower() not in known:
            reason = UNKNOWN
        if reason:
            skipped.append(Skipped(path, reason))
        else:
            found.append(path)
    skipped.sort(key=lambda one: one.path)
    return [InputFile(path, path.relative_to(folder)) for path in sorted(found)], skipped


def _walk_folder(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yields every file below a folder and every folder that is not entered, with the reason why it is not read."""
    failed: list[OSError] = []
    for top, folders, files in os.walk(folder, onerror=failed.append):
        here = Path(top)
        for name in sorted(folders):
            if name.startswith("."):
                folders.remove(name)
                yield here / name, HIDDEN
            elif (here / name).is_symlink():
                # It may lead out of the folder, or back into it without end.
                yield here / name, "symbolic link to a folder"
        for name in sorted(files):
            yield here / name, _find_refusal(here / name)
    for error in failed:
        yield Path(error.filename), f"folder cannot be opened: {error.strerror}"


def _find_refusal(path: Path) -> str:
    """Return why a file is not read; an empty text if it is."""
    if path.name.startswith("."):
        return HIDDEN
    if path.is_file():
        return ""
    return "broken symbolic link" if path.is_symlink() else "no regular file"
