"""A ledger that keeps most of its names on disk, for tables with more people than memory should hold.

The file is temporary, is removed when the ledger is, and holds keyed hashes, no names.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from maskwise.mask.identity import MemoryLedger
from maskwise.text import EntityType

IN_MEMORY = 200_000  # names before they go to disk


class SpilledLedger(MemoryLedger):
    """Numbers identities like `MemoryLedger`. What is older than the last `most` names is looked up on disk."""

    def __init__(self, most: int = IN_MEMORY) -> None:
        super().__init__()
        self._most = most
        self._secret = secrets.token_bytes(32)
        self._folder = tempfile.TemporaryDirectory(prefix="maskwise-")
        self._file: sqlite3.Connection | None = None

    def find(self, kind: EntityType, keys: tuple[str, ...]) -> int | None:
        number = super().find(kind, keys)
        if number is not None or self._file is None:
            return number
        for key in keys:
            row = self._file.execute(
                "SELECT number FROM names WHERE hash = ?", (self._hash(kind, key),)
            )
            found = row.fetchone()
            if found is not None:
                return int(found[0])
        return None

    def number(self, kind: EntityType, keys: tuple[str, ...]) -> int:
        number = super().number(kind, keys)
        if len(self._numbers) > self._most:
            self._spill()
        return number

    def _spill(self) -> None:
        """Move all names to disk."""
        if self._file is None:
            path = Path(self._folder.name) / "names"
            self._file = sqlite3.connect(path, isolation_level=None)
            self._file.execute("PRAGMA journal_mode = OFF")
            self._file.execute("PRAGMA synchronous = OFF")
            self._file.execute(
                "CREATE TABLE names (hash BLOB PRIMARY KEY, number INT) WITHOUT ROWID"
            )
        self._file.execute("BEGIN")
        self._file.executemany("INSERT OR IGNORE INTO names VALUES (?, ?)", self._list_rows())
        self._file.execute("COMMIT")
        self._numbers.clear()

    def _list_rows(self) -> Iterator[tuple[bytes, int]]:
        rows = [(self._hash(kind, key), number) for (kind, key), number in self._numbers.items()]
        return iter(sorted(rows))

    def _hash(self, kind: EntityType, key: str) -> bytes:
        name = f"{kind}\n{key}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(name, digest_size=16, key=self._secret).digest()
