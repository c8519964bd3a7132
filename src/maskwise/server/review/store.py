"""`ReviewStore`: documents and events in one SQLite file (write-ahead log, one writer).

Events are only ever added; triggers refuse anything else. An answer is sent after its event is on the disk. The file
holds the documents themselves, so only its owner can read it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from maskwise.errors import InputError, OutputError, describe_cause
from maskwise.server.review.history import ReviewEvent

VERSION = 1
MOST = (1 << 63) - 1  # the largest number of SQLite
_SCHEMA = """
CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS document (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, sha256 TEXT NOT NULL, raw BLOB NOT NULL, draft TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS event (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES document, layer TEXT NOT NULL,
  kind TEXT NOT NULL, author TEXT NOT NULL, time TEXT NOT NULL, grouped TEXT NOT NULL DEFAULT '', body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS event_of_layer ON event (document, layer, seq);
CREATE INDEX IF NOT EXISTS event_of_group ON event (grouped) WHERE grouped <> '';
CREATE TRIGGER IF NOT EXISTS event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events stay'); END;
CREATE TRIGGER IF NOT EXISTS event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events stay'); END;
"""


# A document, a layer of it, what happened, and the last event that its writer has seen, if it must be the last.
NewEvent = tuple[int, str, ReviewEvent, int | None]


class StaleVersionError(Exception):
    """The layer has events that the writer has not seen."""


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as it was taken in: the bytes of its file and what the tool found in it."""

    id: int
    name: str
    sha256: str
    raw: bytes = field(repr=False)
    draft: Any = field(repr=False)


@dataclass
class ReviewStore:
    """One project. A single connection writes, behind a lock; each thread that reads has its own."""

    path: Path
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)
    _readers: threading.local = field(default_factory=threading.local, init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            self._writer = self._connect()
            self._writer.executescript(_SCHEMA)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be used ({error.strerror})") from None
        except sqlite3.Error:
            raise InputError(f"{self.path}: is no project of the review page") from None
        if self.read_setting("version", str(VERSION)) != str(VERSION):
            raise InputError(f"{self.path}: was made by another version of maskwise")
        self.write_setting("version", str(VERSION))

    def _connect(self) -> sqlite3.Connection:
        found = sqlite3.connect(
            self.path, timeout=30, isolation_level=None, check_same_thread=False
        )
        found.execute("PRAGMA journal_mode = WAL")
        found.execute("PRAGMA synchronous = FULL")
        found.execute("PRAGMA foreign_keys = ON")
        return found

    @property
    def _reader(self) -> sqlite3.Connection:
        if not hasattr(self._readers, "found"):
            self._readers.found = self._connect()
        found: sqlite3.Connection = self._readers.found
        return found

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        """A context whose writes are all kept, or none. A disk that is full may empty again."""
        with self._lock:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except sqlite3.Error as error:
                raise OutputError(
                    f"{self.path.name}: cannot be written ({describe_cause(error)})"
                ) from None
            finally:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")

    def close(self) -> None:
        with self._lock:
            self._writer.close()

    def read_setting(self, name: str, default: str = "") -> str:
        row = self._reader.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else default

    def write_setting(self, name: str, value: str) -> None:
        with self._write() as writer:
            writer.execute("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))

    def add_document(self, name: str, sha256: str, raw: bytes, draft: Any) -> int:
        """Take a document in. Its name must be new."""
        with self._write() as writer:
            cursor = writer.execute(
                "INSERT INTO document (name, sha256, raw, draft) VALUES (?, ?, ?, ?)",
                (name, sha256, raw, _dump(draft)),
            )
            return int(cursor.lastrowid or 0)

    def list_documents(self) -> list[tuple[int, str, str]]:
        """Id, name and hash of every document, in the order in which they came."""
        return list(self._reader.execute("SELECT id, name, sha256 FROM document ORDER BY id"))

    def read_document(self, document: int) -> StoredDocument:
        if document > MOST:
            raise InputError("there is no such document")
        row = self._reader.execute(
            "SELECT id, name, sha256, raw, draft FROM document WHERE id = ?", (document,)
        ).fetchone()
        if row is None:
            raise InputError("there is no such document")
        return StoredDocument(row[0], row[1], row[2], row[3], json.loads(row[4]))

    def list_events(self, document: int, layer: str, after: int = 0) -> list[ReviewEvent]:
        rows = self._reader.execute(
            "SELECT kind, author, body, seq, time, grouped FROM event "
            "WHERE document = ? AND layer = ? AND seq > ? ORDER BY seq",
            (document, layer, after),
        )
        return [
            ReviewEvent(kind, author, json.loads(body), seq, time, group)
            for kind, author, body, seq, time, group in rows
        ]

    def list_grouped(self, group: str) -> list[int]:
        """The documents to which one step was done."""
        rows = self._reader.execute(
            "SELECT DISTINCT document FROM event WHERE grouped = ?", (group,)
        )
        return [number for (number,) in rows]

    def list_worked(self, document: int) -> list[str]:
        """The layers of a document that have events, in the order in which they began."""
        rows = self._reader.execute(
            "SELECT layer FROM event WHERE document = ? GROUP BY layer ORDER BY MIN(seq)",
            (document,),
        )
        return [name for (name,) in rows]

    def append(
        self, document: int, layer: str, event: ReviewEvent, version: int | None = None
    ) -> int:
        """Add an event and return its number. `version` is the last event that the writer has seen."""
        return self.append_all([(document, layer, event, version)])[0]

    def append_all(self, items: Sequence[NewEvent]) -> list[int]:
        """Add all events or none."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        found = []
        with self._write() as writer:
            for document, layer, event, version in items:
                _check_version(writer, document, layer, version)
                cursor = writer.execute(
                    "INSERT INTO event (document, layer, kind, author, time, grouped, body) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        document,
                        layer,
                        event.kind,
                        event.author,
                        now,
                        event.group,
                        _dump(event.body),
                    ),
                )
                found.append(int(cursor.lastrowid or 0))
        return found


def _check_version(
    writer: sqlite3.Connection, document: int, layer: str, version: int | None
) -> None:
    if version is None:
        return
    row = writer.execute(
        "SELECT MAX(seq) FROM event WHERE document = ? AND layer = ?", (document, layer)
    ).fetchone()
    if int(row[0] or 0) != version:
        raise StaleVersionError


def _dump(value: Mapping[str, Any] | Any) -> str:
    return json.dumps(value, separators=(",", ":"))
