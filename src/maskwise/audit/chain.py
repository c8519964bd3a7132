"""Lines of JSON, each with the hash of the line before and of itself, and the check of a whole file of them.

A line is `{...,"previous":P,"hash":H}`. P is the hash of the line before, 64 zeros for the first line. H is the SHA-256
of the bytes that stand before `,"hash"`. To change, remove, swap or insert a line, one must write all later lines anew.
A copy of the last hash, kept elsewhere, shows even that.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from maskwise.errors import InputError

FIRST = "0" * 64
START, END = "start", "end"  # kinds of the lines around a run
_TAIL = len(',"hash":""}') + 64
LONGEST = 64 << 20  # bytes of a line; the longest lines list the mentions of one entity


@dataclass(frozen=True, slots=True)
class LogCheck:
    """How far a log is whole, and what is wrong with its first broken line."""

    lines: int = 0  # whole lines from the start on
    runs: int = 0
    interrupted: int = 0  # runs without an end that others follow
    hash: str = FIRST  # of the last whole line
    line: int = 0  # the first broken line, 0 for none
    problem: str = ""

    @property
    def is_whole(self) -> bool:
        return not self.problem

    def to_json(self) -> dict[str, Any]:
        return {"whole": self.is_whole, **asdict(self)}


def link_line(fields: Mapping[str, Any], previous: str) -> tuple[bytes, str]:
    """Returns the line for these fields after a line with the hash `previous`, and its own hash."""
    whole = json.dumps({**fields, "previous": previous}, separators=(",", ":"), ensure_ascii=True)
    body = whole.removesuffix("}").encode()
    digest = hashlib.sha256(body).hexdigest()
    return body + f',"hash":"{digest}"}}\n'.encode(), digest


def verify_log(path: Path, expected: str = "") -> LogCheck:
    """Read a log from the start to its first broken line. `expected` is a hash that some line must have.

    An interrupted run may leave half a line. It is no fault if the first line of the next run has its hash.
    """
    state = _ChainState()
    known = not expected
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"{path}: is no audit log: not a file")
        with path.open("rb") as file:
            for number, raw in enumerate(read_lines(file), 1):
                if problem := state.add_line(raw):
                    return state.report(number - (problem is _CHANGED), problem)
                known |= state.hash == expected
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except ValueError:
        raise InputError(f"{path}: no possible name of a file") from None
    if state.cut is not None:
        return state.report(
            state.lines + 1, "the last line is cut off: the run that wrote it was interrupted"
        )
    if state.lines == 0:
        return state.report(1, "the file is empty")
    if state.open:
        return state.report(
            state.lines + 1, "the last run has no end: it was interrupted, or lines were removed"
        )
    if not known:
        return state.report(
            state.lines + 1, "no line has the expected hash: lines were removed or written anew"
        )
    return state.report()


def read_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yields lines with their ends. A line that is too long is cut and has no end, so it counts as broken."""
    while raw := file.readline(LONGEST):
        yield raw


def parse_line(raw: bytes) -> dict[str, Any]:
    """The fields of a line; none if it is no JSON object."""
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


_CHANGED = "changed, or cut off without the next line saying so"  # the next line shows it


class _ChainState:
    """The state of the check after the lines it has read."""

    def __init__(self) -> None:
        self.hash = FIRST
        self.lines = self.runs = self.interrupted = 0
        self.open = False  # a run has begun and not ended
        self.inside = 0  # lines of it, its start included
        self.cut: str | None = None  # hash of a half-written line that the next must vouch for

    def report(self, line: int = 0, problem: str = "") -> LogCheck:
        return LogCheck(self.lines, self.runs, self.interrupted, self.hash, line, problem)

    def add_line(self, raw: bytes) -> str:
        """Add a line. Returns what is wrong with it, an empty text if nothing is."""
        fields = self._read_fields(raw)
        if self.cut is not None and fields.get("cut") != self.cut:
            return _CHANGED
        if not fields:
            if not self.open:
                return "not a line of an audit log, or changed"
            self.cut = hashlib.sha256(raw.rstrip(b"\n")).hexdigest()
            return ""
        if fields.get("previous") != self.hash:
            return "does not follow the line before it: lines were removed, swapped or inserted"
        self.cut = None
        self.hash = str(fields["hash"])
        self.lines += 1
        return self._check_run(fields)

    def _read_fields(self, raw: bytes) -> dict[str, Any]:
        """The fields of a whole line; none if it is broken."""
        body = raw[: -_TAIL - 1]
        tail = raw[-_TAIL - 1 :]
        digest = hashlib.sha256(body).hexdigest()
        if tail != f',"hash":"{digest}"}}\n'.encode():
            return {}
        return parse_line(raw)

    def _check_run(self, fields: Mapping[str, Any]) -> str:
        """Check that the line is inside a run, and that the end of a run counts its lines."""
        kind = fields.get("kind")
        if kind == START:
            self.interrupted += self.open
            self.runs += 1
            self.open = True
            self.inside = 1
            return ""
        if not self.open:
            return "stands outside of a run"
        self.inside += 1
        if kind == END:
            self.open = False
            if fields.get("lines") != self.inside:
                return f"the run ends with another count of lines than the {self.inside} it has"
        return ""
