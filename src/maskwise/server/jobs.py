"""`JobStore`: jobs in one SQLite file that survives a restart. What they hold is sealed, and inputs go when a job ends.

Several workers share the file (write-ahead log, one writer at a time). A worker holds a job by a lease that it renews;
the job of a worker that died goes on where it stopped.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from maskwise.errors import InputError, OutputError, describe_cause

LEASE = 15.0  # seconds after which a silent worker counts as dead
TRIES = 4  # beginnings without a result after which a job has failed: its input may kill workers
KEY = "MASKWISE_JOBS_KEY"
_NONCE = 12
_SCHEMA = """
CREATE TABLE IF NOT EXISTS job (
  id TEXT PRIMARY KEY, caller TEXT NOT NULL, policy TEXT NOT NULL, suffix TEXT NOT NULL, state TEXT NOT NULL,
  total INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '',
  created REAL NOT NULL, updated REAL NOT NULL, worker TEXT NOT NULL DEFAULT '', lease REAL NOT NULL DEFAULT 0,
  request BLOB, tries INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS item (job TEXT NOT NULL, at INTEGER NOT NULL, sealed BLOB NOT NULL, PRIMARY KEY (job, at));
"""


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


ENDED = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True)
class Job:
    """The state of a job without its texts. `suffix` is set for a file."""

    id: str
    caller: str
    policy: str
    suffix: str
    state: JobState
    total: int
    done: int
    error: str
    created: float
    updated: float

    def to_json(self) -> dict[str, Any]:
        return {
            key: value for key, value in asdict(self).items() if key not in ("caller", "suffix")
        }


@dataclass
class JobStore:
    """The file `jobs.sqlite` in a folder, and the key that seals it: `MASKWISE_JOBS_KEY`, or a file beside it."""

    folder: Path
    clock: Callable[[], float] = time.time
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)

    def __post_init__(self) -> None:
        with _explain_failures(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._cipher = AESGCM(_read_key(self.folder / "jobs.key"))
            path = self.folder / "jobs.sqlite"
            self._connection = sqlite3.connect(
                path, timeout=30, isolation_level=None, check_same_thread=False
            )
            os.chmod(path, 0o600)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA secure_delete = ON")
            self._connection.executescript(_SCHEMA)
            self._add_column("tries", "INTEGER NOT NULL DEFAULT 0")

    def _add_column(self, name: str, kind: str) -> None:
        """Add a column that a file of an older version lacks."""
        known = self._connection.execute("SELECT name FROM pragma_table_info('job')")
        if (name,) not in known.fetchall():
            with suppress(sqlite3.OperationalError):  # another worker was quicker
                self._connection.execute(f"ALTER TABLE job ADD COLUMN {name} {kind}")

    def add(self, caller: str, policy: str, suffix: str, total: int, request: bytes) -> Job:
        """Keep a new job. Its id cannot be guessed."""
        job = secrets.token_urlsafe(16)
        now = self.clock()
        sealed = self._seal(request, job, "request")
        with self._write() as connection:
            connection.execute(
                "INSERT INTO job (id, caller, policy, suffix, state, total, created, updated, request)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (job, caller, policy, suffix, JobState.WAITING, total, now, now, sealed),
            )
        return self.get(job, caller)

    def get(self, job: str, caller: str) -> Job:
        """A job of this caller. A job of somebody else is as unknown as one that never was."""
        found = self._read("SELECT * FROM job WHERE id = ? AND caller = ?", (job, caller))
        if not found:
            raise InputError("no such job")
        return _describe(found[0])

    def count_waiting(self) -> int:
        return int(self._read("SELECT count(*) FROM job WHERE state = 'waiting'")[0][0])

    def claim(self, worker: str) -> Job | None:
        """The oldest job that waits, or whose worker died. It belongs to this worker until the lease ends."""
        now = self.clock()
        with self._write() as connection:
            _end_hopeless(connection, now)
            row = connection.execute(
                "SELECT id FROM job WHERE state = 'waiting' OR (state = 'running' AND lease < ?)"
                " ORDER BY created LIMIT 1",
                (now,),
            ).fetchone()
            if row is None:
                return None
            connection.execute(
                "UPDATE job SET state = 'running', worker = ?, lease = ?, updated = ?, tries = tries + 1"
                " WHERE id = ?",
                (worker, now + LEASE, now, row[0]),
            )
            return _describe(connection.execute("SELECT * FROM job WHERE id = ?", row).fetchone())

    def renew(self, worker: str) -> None:
        """Tell that a worker lives."""
        with self._write() as connection:
            connection.execute(
                "UPDATE job SET lease = ? WHERE worker = ? AND state = 'running'",
                (self.clock() + LEASE, worker),
            )

    def give_back(self, worker: str, is_try: bool = False) -> None:
        """Let others go on with the jobs of a worker that ends. `is_try` counts a beginning that led to nothing."""
        with self._write() as connection:
            connection.execute(
                "UPDATE job SET state = 'waiting', worker = '', lease = 0, tries = max(0, tries - ?)"
                " WHERE worker = ? AND state = 'running'",
                (0 if is_try else 1, worker),
            )

    def read_request(self, job: Job) -> bytes:
        [[sealed]] = self._read("SELECT request FROM job WHERE id = ?", (job.id,))
        return self._open(sealed, job.id, "request")

    def add_items(self, job: Job, worker: str, items: Mapping[int, bytes]) -> bool:
        """Keep results all at once. Returns False if the job was cancelled or belongs to somebody else by now."""
        with self._write() as connection:
            held = connection.execute(
                "SELECT 1 FROM job WHERE id = ? AND worker = ? AND state = 'running'",
                (job.id, worker),
            ).fetchone()
            if held is None:
                return False
            connection.executemany(
                "INSERT OR REPLACE INTO item VALUES (?, ?, ?)",
                [(job.id, at, self._seal(data, job.id, at)) for at, data in items.items()],
            )
            connection.execute(
                "UPDATE job SET done = (SELECT count(*) FROM item WHERE job = id), updated = ?, lease = ?,"
                " tries = 0"
                " WHERE id = ?",
                (self.clock(), self.clock() + LEASE, job.id),
            )
        return True

    def list_done(self, job: Job) -> set[int]:
        return {at for (at,) in self._read("SELECT at FROM item WHERE job = ?", (job.id,))}

    def read_items(self, job: Job) -> list[bytes]:
        rows = self._read("SELECT at, sealed FROM item WHERE job = ? ORDER BY at", (job.id,))
        return [self._open(sealed, job.id, at) for at, sealed in rows]

    def end(self, job: str, state: JobState, error: str = "") -> None:
        """End a job that has not ended yet, and forget its input. Only a done job keeps its results."""
        with self._write() as connection:
            changed = connection.execute(
                "UPDATE job SET state = ?, error = ?, updated = ?, request = NULL"
                " WHERE id = ? AND state IN ('waiting', 'running')",
                (state, error, self.clock(), job),
            ).rowcount
            if changed and state is not JobState.DONE:
                connection.execute("DELETE FROM item WHERE job = ?", (job,))

    def forget(self, before: float) -> int:
        """Remove jobs that ended before a time. Returns how many."""
        with self._write() as connection:
            old = (
                "SELECT id FROM job WHERE state IN ('done', 'failed', 'cancelled') AND updated < ?"
            )
            connection.execute(f"DELETE FROM item WHERE job IN ({old})", (before,))  # noqa: S608
            return connection.execute(f"DELETE FROM job WHERE id IN ({old})", (before,)).rowcount  # noqa: S608

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _seal(self, data: bytes, job: str, place: object) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, data, f"{job}\n{place}".encode())

    def _open(self, sealed: bytes | None, job: str, place: object) -> bytes:
        if sealed is None:
            raise InputError("the input of this job is gone")
        try:
            return self._cipher.decrypt(
                sealed[:_NONCE], sealed[_NONCE:], f"{job}\n{place}".encode()
            )
        except InvalidTag:
            raise InputError("the job was sealed with another key, or was changed") from None

    def _read(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with self._lock, _explain_failures(self.folder):
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _write(self) -> Iterator[sqlite3.Connection]:
        """A context whose writes are all kept, or none."""
        with self._lock, _explain_failures(self.folder):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


def _end_hopeless(connection: sqlite3.Connection, now: float) -> None:
    """End jobs that no worker has and that were begun too often without a result."""
    found = connection.execute(
        "SELECT id FROM job WHERE tries >= ? AND (state = 'waiting' OR (state = 'running' AND lease < ?))",
        (TRIES, now),
    ).fetchall()
    connection.executemany("DELETE FROM item WHERE job = ?", found)
    connection.executemany(
        "UPDATE job SET state = 'failed', error = ?, updated = ?, request = NULL WHERE id = ?",
        [(f"given up after {TRIES} tries", now, job) for (job,) in found],
    )


def _describe(row: tuple[Any, ...]) -> Job:
    job, caller, policy, suffix, state, total, done, error, created, updated = row[:10]
    return Job(job, caller, policy, suffix, JobState(state), total, done, error, created, updated)


def _read_key(path: Path) -> bytes:
    """The key in the environment, or in a file that is made if missing and that only its owner reads."""
    if given := os.environ.get(KEY):
        from hashlib import sha256

        return sha256(given.encode()).digest()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_bytes()
        if len(key) != 32:
            raise InputError(f"{path.name}: is no key of jobs; remove it with the jobs") from None
        return key
    key = secrets.token_bytes(32)
    with os.fdopen(handle, "wb") as file:
        file.write(key)
    return key


@contextmanager
def _explain_failures(folder: Path) -> Iterator[None]:
    """Turn a failure of the disk into one line: jobs hold texts, so no message of SQLite is passed on."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise OutputError(f"{folder.name}: jobs cannot be kept ({describe_cause(error)})") from None
