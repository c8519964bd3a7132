"""The manifest: one SQLite file that says what a run reads, with which policy, model and code, and what is done.

One process writes it, whatever the engine. A task is done when its output is in place and its row says so; a run that
is killed between the two writes the same bytes again. It holds hashes, counts and reasons, and no text.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

from maskwise.errors import InputError, OutputError
from maskwise.scale.tasks import DONE, FAILED, FILE, FOLDER, Task, TaskOutcome

FORMAT = "3"
PENDING = "pending"
PORTION = 500  # tasks that are fetched at once
_TABLES = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE task (
  number INTEGER PRIMARY KEY, kind TEXT, name TEXT, target TEXT UNIQUE, size INTEGER, start INTEGER, stop INTEGER,
  "group" INTEGER, version TEXT, status TEXT, reason TEXT, input_sha256 TEXT, output_sha256 TEXT,
  output_bytes INTEGER, documents INTEGER, characters INTEGER, seconds REAL,
  cpu_seconds REAL, counts TEXT, gaps TEXT, notes TEXT
);
CREATE INDEX task_order ON task (status, size DESC, number);
CREATE TABLE error (task INTEGER, row INTEGER, reason TEXT, PRIMARY KEY (task, row));
"""
_TASK = ", ".join(f'"{field.name}"' for field in fields(Task))


class Manifest:
    """An open manifest. It is locked while it is open: two runs must not write into one place."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_new = not path.exists()
        self._is_first = not path.parent.parent.exists()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = open(self._lock_path, "w")  # noqa: SIM115 - held
        except OSError as error:
            raise OutputError(f"{path}: cannot be written ({error.strerror})") from None
        _lock(self._lock, path)
        try:
            self._rows = sqlite3.connect(path, isolation_level=None)
            self._prepare()
        except sqlite3.Error as error:
            self._lock.close()
            raise _describe_failure(path, error) from None

    @property
    def _lock_path(self) -> Path:
        return self.path.with_name(self.path.name + ".lock")

    def _prepare(self) -> None:
        found = {name for (name,) in self._rows.execute("SELECT name FROM sqlite_master")}
        if found and not {"run", "task", "error"} <= found:
            raise sqlite3.DatabaseError
        self._rows.execute("PRAGMA journal_mode = WAL")
        self._rows.execute("PRAGMA synchronous = NORMAL")
        if not found:
            self.is_new = True
            self._rows.executescript(f"BEGIN; {_TABLES} COMMIT;")

    def __enter__(self) -> Manifest:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._rows.close()
        self._lock.close()

    def remove(self) -> None:
        """Take back a manifest of no run."""
        self.close()
        for end in ("", "-wal", "-shm", ".lock"):
            self.path.with_name(self.path.name + end).unlink(missing_ok=True)
        if self.path.parent.name == FOLDER:
            with suppress(OSError):  # others may have put something there
                self.path.parent.rmdir()
                if self._is_first:
                    self.path.parent.parent.rmdir()

    def _execute(self, query: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        try:
            return self._rows.execute(query, values)
        except sqlite3.Error as error:
            raise _describe_failure(self.path, error) from None

    # --- the run -----------------------------------------------------------------------------------------------------

    def get(self, key: str) -> str | None:
        found = self._execute("SELECT value FROM run WHERE key = ?", (key,)).fetchone()
        return found[0] if found else None

    def set(self, key: str, value: str) -> None:
        self._execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, value))

    def expect(self, settings: Mapping[str, str]) -> None:
        """Refuse to go on with other settings than those of the run, by name. A new manifest takes them."""
        if self.get("format") is None:
            for key, value in {**settings, "format": FORMAT}.items():
                self.set(key, value)
            return
        if self.get("format") != FORMAT:
            raise InputError(f"{self.path}: a manifest of another version; choose another folder")
        changed = [key for key, value in settings.items() if self.get(key) != value]
        if changed:
            raise InputError(
                f"{self.path}: cannot go on, because these changed since the run began: {', '.join(changed)}; "
                "undo the change, or write into another folder"
            )

    # --- tasks -------------------------------------------------------------------------------------------------------

    def plan(self, tasks: Iterable[Task]) -> None:
        """Add the tasks of a run: all, or none."""
        marks = ", ".join("?" * (len(fields(Task)) + 1))
        with self._transaction():
            try:
                self._rows.executemany(
                    f"INSERT INTO task ({_TASK}, status) VALUES ({marks})",  # noqa: S608
                    ((*task.to_json().values(), PENDING) for task in tasks),
                )
            except sqlite3.IntegrityError:
                raise OutputError(
                    "two inputs would be written to one name; put them into different folders"
                ) from None
            self.set("planned", "yes")

    @property
    def is_planned(self) -> bool:
        return self.get("planned") == "yes"

    def list_pending(self) -> Iterator[Task]:
        """The tasks that are left, the largest first: a large one that begins last would keep all waiting.

        Tasks are fetched in small portions, so that a list of millions needs no memory.
        """
        start = f"SELECT {_TASK} FROM task WHERE status = '{PENDING}' AND size "  # noqa: S608
        # Two questions, because each of them finds its place in the index at once.
        same = f"{start} = ? AND number > ? ORDER BY number LIMIT {PORTION}"
        smaller = f"{start} < ? ORDER BY size DESC, number LIMIT {PORTION}"
        size, number = float("inf"), -1
        while True:
            found = self._execute(same, (size, number)).fetchall()
            found = found or self._execute(smaller, (size,)).fetchall()
            if not found:
                return
            tasks = [Task(*row) for row in found]
            yield from tasks
            size, number = tasks[-1].size, tasks[-1].number

    def list_done(self) -> Iterator[tuple[Task, str, int]]:
        """Each finished task with the hash and the size of its output."""
        query = f"SELECT {_TASK}, output_sha256, output_bytes FROM task WHERE status = ?"  # noqa: S608
        for row in self._execute(query, (DONE,)):
            yield Task(*row[:-2]), row[-2], row[-1]

    def compare_versions(self, found: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
        """The inputs that have another version now, and those that the run does not know.

        The names and versions of millions lie in a table beside the manifest, not in memory.
        """
        self._execute("DROP TABLE IF EXISTS temp.found")
        self._execute("CREATE TEMP TABLE found (name PRIMARY KEY, version) WITHOUT ROWID")
        with self._transaction():
            self._rows.executemany("INSERT OR REPLACE INTO found VALUES (?, ?)", found)
        changed = (
            "SELECT name FROM task JOIN found USING (name) WHERE found.version != task.version "
            "GROUP BY name ORDER BY min(number)"
        )
        late = "SELECT name FROM found WHERE name NOT IN (SELECT name FROM task)"
        both = [[name for (name,) in self._execute(query)] for query in (changed, late)]
        self._execute("DROP TABLE temp.found")
        return both[0], both[1]

    def record(self, outcomes: Iterable[TaskOutcome]) -> None:
        with self._transaction():
            for one in outcomes:
                self._rows.execute(
                    "UPDATE task SET status = ?, reason = ?, input_sha256 = ?, output_sha256 = ?, output_bytes = ?, "
                    "documents = ?, characters = ?, seconds = ?, cpu_seconds = ?, counts = ?, gaps = ?, "
                    "notes = ? WHERE number = ?",
                    (
                        one.status, one.reason, one.input_sha256, one.output_sha256, one.output_bytes,
                        one.documents, one.characters, one.seconds, one.cpu_seconds, json.dumps(one.counts),
                        json.dumps(one.gaps), json.dumps(one.notes), one.number,
                    ),
                )  # fmt: skip
                self._rows.execute("DELETE FROM error WHERE task = ?", (one.number,))
                rows = [(one.number, at, why) for at, why in one.errors]
                self._rows.executemany("INSERT INTO error VALUES (?, ?, ?)", rows)

    def reopen(self, numbers: Iterable[int]) -> None:
        """Put tasks back on the list."""
        with self._transaction():
            self._rows.executemany(
                f"UPDATE task SET status = '{PENDING}' WHERE number = ?",  # noqa: S608
                ((number,) for number in numbers),
            )

    def reopen_failed(self) -> None:
        self._execute("UPDATE task SET status = ? WHERE status = ?", (PENDING, FAILED))

    # --- what became of it -------------------------------------------------------------------------------------------

    def count(self) -> dict[str, tuple[int, int]]:
        """The number of tasks and the bytes of their inputs, by status."""
        query = "SELECT status, count(*), sum(size) FROM task GROUP BY status"
        return {status: (count, size) for status, count, size in self._execute(query)}

    def sum_up(self) -> dict[str, Any]:
        """Documents, characters, worker seconds and entities of the tasks that are done."""
        columns = ("documents", "characters", "seconds", "cpu_seconds", "output_bytes")
        sums = ", ".join(f"coalesce(sum({column}), 0)" for column in columns)
        query = f"SELECT {sums} FROM task WHERE status = ?"  # noqa: S608 - our own names
        documents, characters, seconds, cpu, size = self._execute(query, (DONE,)).fetchone()
        counts: dict[str, int] = {}
        for (found,) in self._execute("SELECT counts FROM task WHERE status = ?", (DONE,)):
            for key, number in json.loads(found).items():
                counts[key] = counts.get(key, 0) + number
        return {
            "documents": documents,
            "characters": characters,
            "worker_seconds": seconds,
            "worker_cpu": cpu,
            "output_bytes": size,
            "entities": dict(sorted(counts.items())),
        }

    def list_errors(self) -> Iterator[dict[str, Any]]:
        """Every document without output: its file, its row for a table, and the reason."""
        query = "SELECT name, NULL, reason FROM task WHERE status = ? ORDER BY number"
        for name, row, reason in self._execute(query, (FAILED,)):
            yield {"name": name, "row": row, "reason": reason}
        query = (
            "SELECT target, row, error.reason FROM error JOIN task ON task.number = error.task "
            "WHERE status = ? ORDER BY task, row"
        )
        for name, row, reason in self._execute(query, (DONE,)):
            yield {"name": name, "row": row, "reason": reason}

    def list_notes(self) -> Iterator[tuple[str, str]]:
        """Every output file with a note on it, in the order of tasks."""
        query = "SELECT target, notes FROM task WHERE status = ? AND notes != '[]' ORDER BY number"
        for target, notes in self._execute(query, (DONE,)):
            yield from ((target, note) for note in json.loads(notes))

    def list_documents(self) -> Iterator[tuple[str, int | None]]:
        """Every masked document in the order of tasks: its output, and its row if that is a part of a table."""
        query = "SELECT target, kind, documents, gaps FROM task WHERE status = ? ORDER BY number"
        for target, kind, documents, gaps in self._execute(query, (DONE,)):
            if kind == FILE:
                yield target, None
                continue
            row, left = 0, documents
            for start, stop in json.loads(gaps):
                yield from ((target, at) for at in range(row, start))
                row, left = stop, left - (start - row)
            yield from ((target, at) for at in range(row, row + left))

    def _transaction(self) -> _Transaction:
        return _Transaction(self._rows, self.path)


class _Transaction:
    """All changes of a block, or none. A full disk becomes one clear line."""

    def __init__(self, rows: sqlite3.Connection, path: Path) -> None:
        self._rows, self._path = rows, path

    def __enter__(self) -> None:
        try:
            self._rows.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as failure:
            raise _describe_failure(self._path, failure) from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: Any
    ) -> None:
        if kind is None:
            try:
                self._rows.execute("COMMIT")
                return
            except sqlite3.Error as failure:
                error = failure
        with suppress(sqlite3.Error):  # a full disk has ended it already
            self._rows.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise _describe_failure(self._path, error) from None


def _describe_failure(path: Path, error: sqlite3.Error) -> OutputError:
    """The error of a manifest. The message of SQLite may quote a value, its code does not."""
    code = getattr(error, "sqlite_errorname", "")
    if code in ("SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"):  # the latter of the index of its log
        return OutputError(f"{path}: cannot be written (the disk is full)")
    if isinstance(error, sqlite3.OperationalError):
        return OutputError(f"{path}: cannot be read or written ({code or 'locked'})")
    return OutputError(f"{path}: not the manifest of a batch; choose another file")


def _lock(file: Any, path: Path) -> None:
    """Lock the manifest, where the system can."""
    if os.name != "posix":
        return
    import fcntl

    try:
        # Unlike flock, this lock ends with this process, even if a worker outlives it.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise OutputError(f"{path}: another run is writing here; wait for it or end it") from None
