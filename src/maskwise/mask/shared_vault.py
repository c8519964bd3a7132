"""`SharedVault`: a vault that many processes and machines write at once, in PostgreSQL, or in SQLite on one machine.

A token follows from the key, the type, the name and the wording by HMAC-SHA256. So no worker has to wait for another's
count: every order, retry and number of workers gives the same tokens. A row is added once and never changed. What a
token stands for is sealed with AES-256-GCM and bound to its token. A server that restarts is asked again.
"""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from maskwise.errors import PluginError, VaultError
from maskwise.mask.keyed import KeyedLedger
from maskwise.mask.keys import Cost, Keys, encode_cells
from maskwise.mask.token import write_token
from maskwise.mask.vault import Vault
from maskwise.text import EntityType

TAG = 20  # hexadecimal digits: among a billion entities, two share a tag with a probability below one in a million
WORDINGS = 10**12
TRIES = 8
PAUSE = 0.25  # seconds before the second try; each further one waits twice as long
VERSION = b"shared 1"
_URL = re.compile(r"(postgresql|sqlite):/+(.*)", re.DOTALL)
_TABLES = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value {bytes} NOT NULL)",
    "CREATE TABLE IF NOT EXISTS token (type TEXT, tag TEXT, wording BIGINT, sealed {bytes} NOT NULL, "
    "PRIMARY KEY (type, tag, wording))",
)
Answer = TypeVar("Answer")


def is_shared(path: str) -> bool:
    """Whether a policy names a shared vault.

    >>> is_shared("postgresql://vault.example.org/cases"), is_shared("cases.vault")
    (True, False)
    """
    return _URL.match(path) is not None


def open_any_vault(path: str, secret: bytes, exist: bool = False) -> AnyVault:
    """The vault in a file, or the shared one behind a URL."""
    if is_shared(path):
        return SharedVault(path, secret, exist)
    return Vault(Path(path), secret, exist)


@dataclass
class SharedVault(KeyedLedger):
    """A shared vault and the key that opens it. Its tables are made at the first use, unless it must `exist`."""

    url: str
    secret: bytes = field(repr=False)
    exist: bool = False
    cost: Cost = field(default_factory=Cost)
    _connection: Any = field(default=None, init=False, repr=False)
    _process: int = field(default=0, init=False, repr=False)
    _keys: Keys | None = field(default=None, init=False, repr=False)
    _stored: set[tuple[str, str, int]] = field(default_factory=set, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__init__(self.secret)
        found = _URL.match(self.url)
        if found is None:
            raise VaultError(
                f"{self.place}: no URL of a shared vault: postgresql://… or sqlite:///…"
            )
        self.url = f"{found[1]}://{'/' if found[1] == 'sqlite' else ''}{found[2]}"

    @property
    def place(self) -> str:
        """The vault in messages, without what stands before the host."""
        scheme, _, rest = self.url.partition("://")
        return f"{scheme}://{rest.rpartition('@')[2]}"

    @property
    def is_server(self) -> bool:
        return self.url.startswith("postgresql")

    # --- tokens ------------------------------------------------------------------------------------------------------

    def write_tokens(
        self, kind: EntityType, keys: tuple[str, ...], texts: tuple[str, ...]
    ) -> tuple[str, ...]:
        """The token of each text, a wording of the entity that the first key names."""
        own = self._open_keys()
        tag = own.compute_lookup("tag", kind, keys[0]).hex().upper()[:TAG]
        rows = {}
        tokens = []
        for text in texts:
            digest = own.compute_lookup("wording", kind, keys[0], text)
            wording = 2 + int.from_bytes(digest[:8]) % WORDINGS
            tokens.append(write_token(kind, tag, wording))
            rows[str(kind), tag, wording] = text
        fresh = [(*at, own.seal(text, *at)) for at, text in rows.items() if at not in self._stored]
        if fresh:
            self._add(fresh)
        return tuple(tokens)

    def find_original(self, kind: EntityType, tag: str, wording: int) -> str | None:
        """The original of a token; None if it is not of this vault."""
        at = (str(kind), tag, wording)
        query = "SELECT sealed FROM token WHERE type = ? AND tag = ? AND wording = ?"
        found = self._ask(lambda: self._execute(query, at).fetchone())
        if found is None:
            return None
        text = self._open_keys().open(bytes(found[0]), *at)
        if text is None:
            raise VaultError(f"{self.place}: damaged or forged (a token does not open)")
        return text

    def count_entities(self) -> dict[str, int]:
        """Entities by type. Opens the vault, so that a wrong key is noticed before the first document."""
        self._open_keys()
        query = "SELECT type, count(DISTINCT tag) FROM token GROUP BY type ORDER BY type"
        return dict(self._ask(lambda: self._execute(query).fetchall()))

    def _add(self, rows: list[tuple[str, str, int, bytes]]) -> None:
        query = "INSERT INTO token VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

        def insert() -> None:
            # Rows in order, so that two writers never wait for each other in a circle.
            for row in sorted(rows):
                self._execute(query, row)
            self._connection.commit()

        self._ask(insert)
        if len(self._stored) > 1_000_000:
            self._stored.clear()
        self._stored.update(row[:3] for row in rows)

    # --- the store ---------------------------------------------------------------------------------------------------

    def _open_keys(self) -> Keys:
        """The keys that fit the header, which is made for a new vault. Of two that make it at once, one wins."""
        if self._keys is not None:
            return self._keys
        meta = self._ask(self._read_header)
        if "check" not in meta:
            if self.exist:
                raise VaultError(f"{self.place}: no such vault")
            self._ask(self._make_header)
            meta = self._ask(self._read_header)
        salt, how = bytes(meta["salt"]), bytes(meta["kdf"])
        cost = Cost.parse(how.decode("ascii", "replace"))
        if cost is None or bytes(meta["version"]) != VERSION:
            raise VaultError(f"{self.place}: not a vault, or one of a later version")
        keys = Keys.derive(
            self.secret, salt, cost, encode_cells("maskwise vault", VERSION, salt, how)
        )
        if keys.open(bytes(meta["check"]), "check") is None:
            raise VaultError(f"{self.place}: this key does not open the vault")
        self._keys = keys
        return keys

    def _read_header(self) -> Mapping[str, Any]:
        self._make_tables()
        return dict(self._execute("SELECT name, value FROM meta").fetchall())

    def _make_header(self) -> None:
        salt, how = os.urandom(16), str(self.cost).encode()
        keys = Keys.derive(
            self.secret, salt, self.cost, encode_cells("maskwise vault", VERSION, salt, how)
        )
        header = {
            "check": keys.seal("maskwise", "check"),
            "kdf": how,
            "salt": salt,
            "version": VERSION,
        }
        # All rows of one writer, or none: the first name is the one that both want.
        query = "INSERT INTO meta VALUES (?, ?)"
        try:
            for row in sorted(header.items()):
                self._execute(query, row)
            self._connection.commit()
        except Exception as error:
            if not _is_duplicate(error):
                raise
            self._connection.rollback()

    def _make_tables(self) -> None:
        kind = "BYTEA" if self.is_server else "BLOB"
        for table in _TABLES:
            try:
                self._execute(table.format(bytes=kind))
                self._connection.commit()
            except Exception as error:  # two processes may make one table at once
                if not _is_duplicate(error):
                    raise
                self._connection.rollback()

    def _execute(self, query: str, values: tuple[Any, ...] = ()) -> Any:
        if self._connection is None or self._process != os.getpid():
            self._connection = self._connect()
            self._process = os.getpid()
        return self._connection.execute(
            query.replace("?", "%s") if self.is_server else query, values
        )

    def _connect(self) -> Any:
        if self.is_server:
            try:
                import psycopg
            except ImportError:
                raise PluginError(
                    "a vault in PostgreSQL needs: pip install 'maskwise[postgres]'"
                ) from None
            return psycopg.connect(self.url, connect_timeout=10)
        path = Path(self.url.removeprefix("sqlite://"))
        if not path.exists():
            if self.exist:
                raise VaultError(f"{self.place}: no such vault")
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        return sqlite3.connect(path, timeout=60)

    def _ask(self, action: Callable[[], Answer]) -> Answer:
        """Ask the store. A connection that broke is opened again, some times."""
        pause = PAUSE
        for left in reversed(range(TRIES)):
            try:
                return action()
            except (VaultError, PluginError):
                raise
            except Exception as error:
                self._connection = None
                if not left or not _is_passing(error):
                    # The message of a server may quote values, so only its kind is told.
                    raise VaultError(
                        f"{self.place}: does not answer ({type(error).__name__})"
                    ) from None
                time.sleep(pause)
                pause *= 2
        raise AssertionError("the loop returns or raises")


def _is_passing(error: Exception) -> bool:
    """Whether a failure may pass: a server that restarts, a lock, or two writers that met."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return not names.isdisjoint(("OperationalError", "InterfaceError", "AdminShutdown", "OSError"))


def _is_duplicate(error: Exception) -> bool:
    return type(error).__name__ in ("UniqueViolation", "DuplicateTable", "IntegrityError")


AnyVault = Vault | SharedVault
