"""The file of a vault: its header, and the keys that fit it.

The header names the version, the salt and the cost of scrypt. All three are bound to everything that is sealed in the
vault, so that a row of another vault, or a cheaper cost, opens nothing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from maskwise.errors import VaultError
from maskwise.mask import vault_rows as rows
from maskwise.mask.keys import Cost, Keys, encode_cells
from maskwise.mask.vault_earlier import EARLIER, derive_earlier, read_earlier

WAIT = 60.0  # seconds a writer waits for another
VERSION = b"2"


@dataclass
class OpenVault:
    """A vault that was opened: by which process, which file, and with which keys.

    The rows of an earlier format are in memory, sealed as ours; `damaged` counts those of them that do not open.
    """

    process: int
    inode: int
    connection: sqlite3.Connection = field(repr=False)
    keys: Keys = field(repr=False)
    damaged: rows.Tally | None = None
    is_checked: bool = False

    @property
    def is_earlier(self) -> bool:
        """Whether the file has an earlier format, which is only read."""
        return self.damaged is not None


def open_file(path: Path, secret: bytes, exist: bool, cost: Cost) -> OpenVault:
    """Open a vault, or make it where it need not exist."""
    connection = _connect_file(path, exist)
    try:
        meta, keys = _unlock_header(connection, path, secret, cost)
        if keys is not None:
            return OpenVault(os.getpid(), path.stat().st_ino, connection, keys)
        earlier = derive_earlier(secret, meta)
        if earlier is None:
            raise VaultError(f"{path}: this key does not open the vault")
        upgrade = read_earlier(connection, earlier)
    except BaseException:
        connection.close()
        raise
    connection.close()
    return OpenVault(os.getpid(), path.stat().st_ino, upgrade.memory, earlier, upgrade.damaged)


def lock_file(path: Path) -> sqlite3.Connection:
    """A connection that keeps writers out until it is closed."""
    connection = _connect_file(path, exist=True)
    connection.execute("BEGIN IMMEDIATE")
    return connection


def _connect_file(path: Path, exist: bool) -> sqlite3.Connection:
    if not path.exists():
        if exist:
            raise VaultError(f"{path}: no such vault")
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def _unlock_header(
    connection: sqlite3.Connection, path: Path, secret: bytes, cost: Cost
) -> tuple[Mapping[str, Any], Keys | None]:
    """The header of a vault and the keys that fit it, which are made for a new file. No keys for an earlier format.

    The transaction keeps two processes from making the same file.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone():
            if connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise VaultError(f"{path}: not a vault")
            _make_tables(connection, secret, cost)
        meta = dict(connection.execute("SELECT name, value FROM meta"))
        keys = None if meta.get("version") == EARLIER else _derive_keys(path, secret, meta)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return meta, keys


def _make_tables(connection: sqlite3.Connection, secret: bytes, cost: Cost) -> None:
    for table in rows.TABLES:
        connection.execute(table)
    salt, how = os.urandom(16), str(cost).encode()
    keys = Keys.derive(secret, salt, cost, _bind_header(salt, how))
    header = {
        "version": VERSION,
        "salt": salt,
        "kdf": how,
        "check": keys.seal("maskwise", "check"),
        "tally": rows.seal_tally(keys, rows.Tally()),
    }
    connection.executemany("INSERT INTO meta VALUES (?, ?)", header.items())


def _derive_keys(path: Path, secret: bytes, meta: Mapping[str, Any]) -> Keys:
    salt, how = meta.get("salt"), meta.get("kdf")
    if meta.get("version") != VERSION or not isinstance(salt, bytes) or not isinstance(how, bytes):
        raise VaultError(f"{path}: not a vault, or one of a later version")
    cost = Cost.parse(how.decode("ascii", "replace"))
    if cost is None:
        raise VaultError(f"{path}: not a vault, or one of a later version")
    keys = Keys.derive(secret, salt, cost, _bind_header(salt, how))
    if keys.open(meta.get("check"), "check") is None:
        raise VaultError(f"{path}: this key does not open the vault")
    return keys


def _bind_header(salt: bytes, how: bytes) -> bytes:
    return encode_cells("maskwise vault", VERSION, salt, how)


@contextmanager
def explain_failures(path: Path) -> Iterator[None]:
    """Turn a failure of SQLite into one line that names the file."""
    try:
        yield
    except (sqlite3.Error, UnicodeError, OverflowError) as error:
        # The message of SQLite quotes the bytes of a damaged file, so it is not repeated.
        busy = "locked" in str(error)
        what = f"another process held it for {WAIT:g} s" if busy else "not a vault, or damaged"
        raise VaultError(f"{path}: {what} ({type(error).__name__})") from None
    except OSError as error:
        raise VaultError(f"{path}: cannot be opened ({error.strerror})") from None
    except rows.DamagedRowError as error:
        raise VaultError(
            f"{path}: damaged or forged ({error}); see `maskwise vault verify`"
        ) from None


def sync_file(path: Path) -> None:
    with path.open("rb") as stream:
        os.fsync(stream.fileno())
