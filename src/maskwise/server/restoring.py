"""Records what was restored, by whom and how much: one run of three lines per request in a hash-chained audit log.

`maskwise audit verify` checks the log. It is written before the answer is sent: without a record nothing is restored.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from maskwise.audit.chain import END, FIRST, START, link_line, parse_line
from maskwise.errors import OutputError
from maskwise.mask.encrypt import Restored, restore_tokens
from maskwise.mask.shared_vault import AnyVault

TAIL = 1 << 16  # bytes at the end of the log in which the last run stands
PATIENCE = 5.0  # seconds to wait for another worker


def restore_texts(vault: AnyVault, texts: Sequence[str]) -> list[Restored]:
    """Turn the tokens of a vault in each text back into what they stand for."""
    return [restore_tokens(text, vault) for text in texts]


@dataclass(frozen=True)
class RestoreLog:
    """The log of a server. Several workers take turns in one file."""

    path: Path

    def record(self, caller: str, tokens: int, unknown: int, what: str = "text") -> None:
        """Append who restored how many tokens. A failure is an error: the caller must not answer."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        lines: list[dict[str, Any]] = [
            {"kind": START, "maskwise": version("maskwise"), "time": now},
            {
                "kind": "restored",
                "caller": caller,
                "what": what,
                "tokens": tokens,
                "unknown": unknown,
            },
            {"kind": END, "lines": 3},
        ]
        with self._open() as file:
            previous = self._find_last_hash(file)
            whole = b""
            for fields in lines:
                line, previous = link_line(fields, previous)
                whole += line
            file.write(whole)
            os.fsync(file.fileno())

    @contextmanager
    def _open(self) -> Iterator[BinaryIO]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a+b", buffering=0) as file:
                _lock_file(file)
                yield file
        except OSError as error:
            raise OutputError(f"{self.path.name}: cannot be written ({error.strerror})") from None

    def _find_last_hash(self, file: BinaryIO) -> str:
        """The hash of the last run. Half a run, whose request was never answered, is cut off."""
        size = file.seek(0, os.SEEK_END)
        start = max(0, size - TAIL)
        file.seek(start)
        tail = file.read(TAIL)
        at = len(tail)
        lines = tail.split(b"\n")
        for line in reversed(lines):
            fields = parse_line(line)
            if fields.get("kind") == END and at < len(tail):
                if at + 1 < len(tail):
                    file.truncate(start + at + 1)
                return str(fields["hash"])
            at -= len(line) + 1
        if start == 0:
            if tail and not parse_line(lines[0]).get("previous") == FIRST and b"\n" in tail:
                raise OutputError(f"{self.path.name}: is no audit log; choose another file")
            file.truncate(0)
            return FIRST
        raise OutputError(f"{self.path.name}: is no audit log of a server; choose another file")


def _lock_file(file: BinaryIO) -> None:
    """Wait for other workers, where the system has locks."""
    with suppress(ImportError):
        import fcntl

        until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
