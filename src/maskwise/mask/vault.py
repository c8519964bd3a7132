"""`Vault`: pseudonyms and what they stand for, in one SQLite file of which nothing can be read without the key.

Values are sealed with AES-256-GCM, each bound to its row; they are looked up by HMAC-SHA256. Both keys come from the
user's by scrypt. Names never reach SQLite in clear, so its journal holds none either. Writers take turns
(`BEGIN IMMEDIATE`). Which types there are and how many of each can be seen, as in the masked texts.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from maskwise.errors import VaultError
from maskwise.mask import token
from maskwise.mask.keys import Keys
from maskwise.text import EntityType
from maskwise.text.canvas import words

WAIT = 60.0  # seconds a writer waits for another
TAG = 8  # hexadecimal digits of a token; more where two would be the same
_TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    "CREATE TABLE identity (id INTEGER PRIMARY KEY, type TEXT NOT NULL, number INTEGER NOT NULL, tag TEXT NOT NULL, "
    "note BLOB, UNIQUE (type, number), UNIQUE (type, tag))",
    "CREATE TABLE alias (lookup BLOB PRIMARY KEY, identity INTEGER NOT NULL, key BLOB NOT NULL)",
    "CREATE TABLE wording (identity INTEGER NOT NULL, number INTEGER NOT NULL, lookup BLOB NOT NULL UNIQUE, "
    "text BLOB NOT NULL, PRIMARY KEY (identity, number))",
)


@dataclass
class Vault:
    """A vault file and the key that opens it; a missing file is made at the first use, unless it must `exist`."""

    path: Path
    secret: bytes = field(repr=False)
    exist: bool = False
    _open: tuple[int, int, sqlite3.Connection, Keys] | None = field(default=None, init=False, repr=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)
    _avoid: set[str] = field(default_factory=set, init=False, repr=False)
    _used: set[str] | None = field(default=None, init=False, repr=False)

    # --- a ledger ----------------------------------------------------------------------------------------------------

    def find(self, kind: EntityType, keys: tuple[str, ...]) -> int | None:
        found = self._identity(kind, keys)
        return None if found is None else self._row("SELECT number FROM identity WHERE id = ?", found)[0]

    def number(self, kind: EntityType, keys: tuple[str, ...]) -> int:
        number: int = self._row("SELECT number FROM identity WHERE id = ?", self._settled(kind, keys))[0]
        return number

    def recall(self, kind: EntityType, number: int) -> str | None:
        row = self._row("SELECT id, note FROM identity WHERE type = ? AND number = ?", kind, number)
        return None if row is None or row[1] is None else self._keys.opened(row[1], f"note {row[0]}", self.path)

    def note(self, kind: EntityType, number: int, text: str) -> None:
        row = self._row("SELECT id FROM identity WHERE type = ? AND number = ?", kind, number)
        with self.batch() as connection:
            sealed = self._keys.sealed(text, f"note {row[0]}")
            connection.execute("UPDATE identity SET note = ? WHERE id = ?", (sealed, row[0]))
        self.notes().update(words(text))

    def notes(self) -> set[str]:
        if self._used is None:
            rows = self._connection.execute("SELECT id, note FROM identity WHERE note IS NOT NULL")
            texts = (self._keys.opened(sealed, f"note {at}", self.path) for at, sealed in rows)
            self._used = {word for text in texts for word in words(text)}
        return self._used

    def avoid(self) -> set[str]:
        return self._avoid

    # --- tokens ------------------------------------------------------------------------------------------------------

    def tokens(self, kind: EntityType, keys: tuple[str, ...], texts: tuple[str, ...]) -> tuple[str, ...]:
        """The token of each text, a wording of the entity that the keys lead to."""
        with self.batch():
            identity = self._settled(kind, keys)
            tag = self._row("SELECT tag FROM identity WHERE id = ?", identity)[0]
            return tuple(token.written(kind, tag, self._wording(identity, text)) for text in texts)

    def original(self, kind: EntityType, tag: str, wording: int) -> str | None:
        """What a token stands for; None if it is not of this vault."""
        row = self._row(
            "SELECT i.id, w.text FROM identity i JOIN wording w ON w.identity = i.id "
            "WHERE i.type = ? AND i.tag = ? AND w.number = ?",
            kind, tag, wording,
        )  # fmt: skip
        return None if row is None else self._keys.opened(row[1], f"wording {row[0]} {wording}", self.path)

    def counts(self) -> dict[str, int]:
        """Entities by type."""
        return dict(self._connection.execute("SELECT type, count(*) FROM identity GROUP BY type ORDER BY type"))

    def wordings(self) -> int:
        count: int = self._row("SELECT count(*) FROM wording")[0]
        return count

    # --- rows --------------------------------------------------------------------------------------------------------

    def _identity(self, kind: EntityType, keys: tuple[str, ...]) -> int | None:
        for key in keys:
            if row := self._row("SELECT identity FROM alias WHERE lookup = ?", self._keys.lookup("alias", kind, key)):
                identity: int = row[0]
                return identity
        return None

    def _settled(self, kind: EntityType, keys: tuple[str, ...]) -> int:
        """The identity the keys lead to, made if there is none."""
        with self.batch() as connection:
            identity = self._identity(kind, keys)
            if identity is None:
                identity = self._made(connection, kind, keys[0])
            for key in keys:
                lookup = self._keys.lookup("alias", kind, key)
                sealed = self._keys.sealed(f"{kind}\n{key}", f"alias {identity}")
                connection.execute("INSERT OR IGNORE INTO alias VALUES (?, ?, ?)", (lookup, identity, sealed))
            return identity

    def _made(self, connection: sqlite3.Connection, kind: EntityType, key: str) -> int:
        digest = self._keys.lookup("tag", kind, key).hex().upper()
        taken = "SELECT 1 FROM identity WHERE type = ? AND tag = ?"
        size = next(n for n in range(TAG, len(digest) + 1) if self._row(taken, kind, digest[:n]) is None)
        number = self._row("SELECT coalesce(max(number), 0) + 1 FROM identity WHERE type = ?", kind)[0]
        made = connection.execute(
            "INSERT INTO identity (type, number, tag) VALUES (?, ?, ?)", (kind, number, digest[:size])
        )
        return int(made.lastrowid or 0)

    def _wording(self, identity: int, text: str) -> int:
        lookup = self._keys.lookup("wording", str(identity), text)
        if row := self._row("SELECT number FROM wording WHERE lookup = ?", lookup):
            return int(row[0])
        number = int(self._row("SELECT count(*) + 1 FROM wording WHERE identity = ?", identity)[0])
        sealed = self._keys.sealed(text, f"wording {identity} {number}")
        self._connection.execute("INSERT INTO wording VALUES (?, ?, ?, ?)", (identity, number, lookup, sealed))
        return number

    # --- the file ----------------------------------------------------------------------------------------------------

    @contextmanager
    def batch(self) -> Iterator[sqlite3.Connection]:
        """Writes as one: all of them, or none. A batch inside a batch is part of it."""
        with self._lock, _told(self.path):
            connection = self._connection
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN IMMEDIATE")
            if self._moved():  # the key was changed meanwhile, and this is the file of before
                connection.execute("ROLLBACK")
                self.close()
                connection = self._connection
                connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
                self._used = None
                raise
            connection.execute("COMMIT")

    def close(self) -> None:
        if self._open is not None:
            self._open[2].close()
            self._open = None

    def rotate(self, secret: bytes) -> None:
        """Seal everything anew under another key: a new file, then renamed. Whoever holds the old key opens nothing."""
        with self.batch() as connection:
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.", suffix=".part")
            os.close(handle)
            try:
                fresh = Vault(Path(name), secret)
                with fresh.batch() as copy:
                    self._copied(connection, copy, fresh._keys)
                fresh.close()
                _synced(Path(name))
                os.replace(name, self.path)
            finally:
                Path(name).unlink(missing_ok=True)
        self.close()
        self.secret = secret

    def _copied(self, old: sqlite3.Connection, new: sqlite3.Connection, keys: Keys) -> None:
        for at, kind, number, tag, note in old.execute("SELECT id, type, number, tag, note FROM identity"):
            sealed = None if note is None else self._again(keys, note, f"note {at}")
            new.execute("INSERT INTO identity VALUES (?, ?, ?, ?, ?)", (at, kind, number, tag, sealed))
        for identity, sealed in old.execute("SELECT identity, key FROM alias"):
            kind, _, key = self._keys.opened(sealed, f"alias {identity}", self.path).partition("\n")
            row = (keys.lookup("alias", kind, key), identity, self._again(keys, sealed, f"alias {identity}"))
            new.execute("INSERT INTO alias VALUES (?, ?, ?)", row)
        for identity, number, sealed in old.execute("SELECT identity, number, text FROM wording"):
            place = f"wording {identity} {number}"
            lookup = keys.lookup("wording", str(identity), self._keys.opened(sealed, place, self.path))
            new.execute(
                "INSERT INTO wording VALUES (?, ?, ?, ?)", (identity, number, lookup, self._again(keys, sealed, place))
            )

    def _again(self, keys: Keys, sealed: bytes, place: str) -> bytes:
        return keys.sealed(self._keys.opened(sealed, place, self.path), place)

    def _moved(self) -> bool:
        return self._open is not None and (not self.path.exists() or self.path.stat().st_ino != self._open[1])

    def _row(self, query: str, *values: Any) -> Any:
        with self._lock, _told(self.path):
            return self._connection.execute(query, values).fetchone()

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._opened()[2]

    @property
    def _keys(self) -> Keys:
        return self._opened()[3]

    def _opened(self) -> tuple[int, int, sqlite3.Connection, Keys]:
        """One connection a process: one that was opened before a fork must not be used after it."""
        if self._open is None or self._open[0] != os.getpid():
            with _told(self.path):
                connection = _connected(self.path, self.exist)
                self._open = (os.getpid(), self.path.stat().st_ino, connection, _unlocked(connection, self))
        return self._open


def _connected(path: Path, exist: bool) -> sqlite3.Connection:
    if not path.exists():
        if exist:
            raise VaultError(f"{path}: no such vault")
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA secure_delete = ON")
    return connection


def _unlocked(connection: sqlite3.Connection, vault: Vault) -> Keys:
    """The keys of a vault; a new file gets its salt. Two who make it at once take turns here."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise VaultError(f"{vault.path}: not a vault")
            for table in _TABLES:
                connection.execute(table)
            keys = Keys.derived(vault.secret, salt := os.urandom(16))
            rows = (("salt", salt), ("version", b"1"), ("check", keys.sealed("maskwise", "check")))
            connection.executemany("INSERT INTO meta VALUES (?, ?)", rows)
        meta = dict(connection.execute("SELECT name, value FROM meta"))
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    if meta.get("version") != b"1" or not {"salt", "check"} <= meta.keys():
        raise VaultError(f"{vault.path}: not a vault, or one of a later version")
    keys = Keys.derived(vault.secret, meta["salt"])
    if not keys.fits(meta["check"], "check"):
        raise VaultError(f"{vault.path}: this key does not open the vault")
    return keys


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """SQLite's failures in one line that names the file."""
    try:
        yield
    except sqlite3.Error as error:
        busy = "locked" in str(error)
        what = f"another process held it for {WAIT:g} s" if busy else "not a vault, or damaged"
        raise VaultError(f"{path}: {what} ({type(error).__name__})") from None
    except OSError as error:
        raise VaultError(f"{path}: cannot be opened ({error.strerror})") from None


def _synced(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
