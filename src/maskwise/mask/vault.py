"""`Vault`: pseudonyms and what they stand for, in one SQLite file of which nothing can be read without the key.

Values are sealed with AES-256-GCM, each bound to all other cells of its row, to its identity and to the vault; they are
looked up by HMAC-SHA256. Both keys come from the user's by scrypt. Names never reach SQLite in clear, so its journal
holds none either. Writers take turns (`BEGIN IMMEDIATE`). Which types there are and how many of each can be seen, as in
the masked texts.
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
from typing import Any, TypeVar

from maskwise.errors import VaultError
from maskwise.mask import token
from maskwise.mask import vault_rows as rows
from maskwise.mask.keys import Cost, Keys
from maskwise.mask.vault_earlier import read_earlier
from maskwise.mask.vault_file import OpenVault, explain_failures, lock_file, open_file, sync_file
from maskwise.text import EntityType
from maskwise.text.folding import fold_words

TAG = 8  # hexadecimal digits of a token; more where two would be the same
UPGRADE = "has an earlier format, which is only read; upgrade it with `maskwise vault rotate`"

Row = TypeVar("Row", rows.IdentityRow, rows.AliasRow, rows.WordingRow)


@dataclass
class Vault:
    """A vault file and the key that opens it; a missing file is made at the first use, unless it must `exist`.

    `cost` is what a guess at the key of a new file costs; one that is there says its own.
    """

    path: Path
    secret: bytes = field(repr=False)
    exist: bool = False
    cost: Cost = field(default_factory=Cost)
    _open: OpenVault | None = field(default=None, init=False, repr=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, init=False, repr=False)
    _avoid: set[str] = field(default_factory=set, init=False, repr=False)
    _used: set[str] | None = field(default=None, init=False, repr=False)
    # The rows of the vault with those of this batch, once it adds one.
    _tally: rows.Tally | None = field(default=None, init=False, repr=False)

    # --- a ledger ----------------------------------------------------------------------------------------------------

    def find(self, kind: EntityType, keys: tuple[str, ...]) -> int | None:
        with explain_failures(self.path):
            found = self._find(kind, keys)
        return None if found is None else found.number

    def number(self, kind: EntityType, keys: tuple[str, ...]) -> int:
        return self._find_or_make(kind, keys).number

    def recall(self, kind: EntityType, number: int) -> str | None:
        with explain_failures(self.path):
            row = self._read_identity(type=kind, number=number)
            return None if row is None else rows.read_note(rows.open_identity(self._keys, row))

    def note(self, kind: EntityType, number: int, text: str) -> None:
        with self.open_batch() as connection:
            row = self._read_identity(type=kind, number=number)
            if row is None:
                raise VaultError(f"{self.path}: has no {kind} {number}")
            sealed = rows.seal_identity(self._keys, *row[:4], text)
            connection.execute("UPDATE identity SET note = ? WHERE id = ?", (sealed.note, row.id))
        self.get_noted_words().update(fold_words(text))

    def get_noted_words(self) -> set[str]:
        if self._used is None:
            with self._lock, explain_failures(self.path):
                opened = [
                    rows.open_identity(self._keys, row)
                    for row in rows.read_rows(self._connection, rows.IdentityRow)
                ]
            texts = (rows.read_note(text) for text in opened)
            self._used = {word for text in texts if text is not None for word in fold_words(text)}
        return self._used

    def get_avoided_words(self) -> set[str]:
        return self._avoid

    # --- tokens ------------------------------------------------------------------------------------------------------

    def write_tokens(
        self, kind: EntityType, keys: tuple[str, ...], texts: tuple[str, ...]
    ) -> tuple[str, ...]:
        """The token of each text, a wording of the entity that the keys lead to."""
        with self.open_batch():
            owner = self._find_or_make(kind, keys)
            numbers = [self._number_wording(owner, text) for text in texts]
            return tuple(token.write_token(kind, owner.tag, number) for number in numbers)

    def find_original(self, kind: EntityType, tag: str, wording: int) -> str | None:
        """The original of a token; None if it is not of this vault. The first call checks every row."""
        with explain_failures(self.path):
            self._expect_intact()
            owner = self._read_identity(type=kind, tag=tag)
            found = owner and self._read(rows.WordingRow, identity=owner.id, number=wording)
            return rows.open_wording(self._keys, found, owner) if owner and found else None

    def count_entities(self) -> dict[str, int]:
        """Entities by type."""
        with self._lock, explain_failures(self.path):
            return dict(
                self._connection.execute(
                    "SELECT type, count(*) FROM identity GROUP BY type ORDER BY type"
                )
            )

    def count_wordings(self) -> int:
        with self._lock, explain_failures(self.path):
            return rows.count_rows(self._connection).wording

    # --- rows --------------------------------------------------------------------------------------------------------

    def _find(self, kind: EntityType, keys: tuple[str, ...]) -> rows.IdentityRow | None:
        """The identity that the first known key leads to. The alias that leads there is checked."""
        for key in keys:
            alias = self._find_alias(kind, key)
            if alias:
                owner = self._read_identity(id=alias.identity)
                if owner is None:
                    raise rows.DamagedRowError("alias")
                rows.open_alias(self._keys, alias, owner)
                return owner
        return None

    def _find_or_make(self, kind: EntityType, keys: tuple[str, ...]) -> rows.IdentityRow:
        """The identity the keys lead to, made if there is none."""
        with self.open_batch() as connection:
            owner = self._find(kind, keys) or self._make_identity(connection, kind, keys[0])
            for key in keys:
                if self._find_alias(kind, key) is None:
                    self._add(connection, rows.seal_alias(self._keys, owner, key))
            return owner

    def _find_alias(self, kind: EntityType, key: str) -> rows.AliasRow | None:
        lookup = self._keys.compute_lookup("alias", kind, key)
        return self._read(rows.AliasRow, lookup=lookup)

    def _make_identity(
        self, connection: sqlite3.Connection, kind: EntityType, key: str
    ) -> rows.IdentityRow:
        digest = self._keys.compute_lookup("tag", kind, key).hex().upper()
        tags = (digest[:size] for size in range(TAG, len(digest) + 1))
        tag = next(tag for tag in tags if not self._read(rows.IdentityRow, type=kind, tag=tag))
        at = connection.execute("SELECT coalesce(max(id), 0) FROM identity").fetchone()[0]
        last = "SELECT coalesce(max(number), 0) FROM identity WHERE type = ?"
        number = connection.execute(last, (kind,)).fetchone()[0]
        row = rows.seal_identity(self._keys, at + 1, str(kind), number + 1, tag)
        self._add(connection, row)
        return row

    def _number_wording(self, owner: rows.IdentityRow, text: str) -> int:
        lookup = self._keys.compute_lookup("wording", str(owner.id), text)
        known = self._read(rows.WordingRow, lookup=lookup)
        if known:
            rows.open_wording(self._keys, known, owner)
            return known.number
        count = self._connection.execute(
            "SELECT count(*) FROM wording WHERE identity = ?", (owner.id,)
        ).fetchone()[0]
        row = rows.seal_wording(self._keys, owner, count + 1, text)
        self._add(self._connection, row)
        return row.number

    def _add(
        self,
        connection: sqlite3.Connection,
        row: rows.IdentityRow | rows.AliasRow | rows.WordingRow,
    ) -> None:
        rows.insert_row(connection, row)
        tally = rows.read_tally(connection, self._keys) if self._tally is None else self._tally
        self._tally = tally.add(rows.name_table(type(row)))

    def _save_tally(self, connection: sqlite3.Connection) -> None:
        if self._tally is not None:
            rows.write_tally(connection, self._keys, self._tally)

    def _read_identity(self, **where: Any) -> rows.IdentityRow | None:
        """An identity, checked."""
        row = self._read(rows.IdentityRow, **where)
        if row is not None:
            rows.open_identity(self._keys, row)
        return row

    def _read(self, table: type[Row], **where: Any) -> Row | None:
        with self._lock:
            return rows.find_row(self._connection, table, **where)

    # --- the file ----------------------------------------------------------------------------------------------------

    @contextmanager
    def open_batch(self) -> Iterator[sqlite3.Connection]:
        """A context whose writes are all kept, or none. A batch inside a batch is part of it."""
        with self._lock, explain_failures(self.path):
            connection = self._connection
            if connection.in_transaction:
                yield connection
                return
            if self._ensure_open().is_earlier:
                raise VaultError(f"{self.path}: {UPGRADE}")
            connection.execute("BEGIN IMMEDIATE")
            if self._has_moved():  # another process has changed the key, and this is the old file
                connection.execute("ROLLBACK")
                self.close()
                connection = self._connection
                connection.execute("BEGIN IMMEDIATE")
            self._tally = None
            try:
                yield connection
                self._save_tally(connection)
            except BaseException:
                connection.execute("ROLLBACK")
                self._used = None
                raise
            connection.execute("COMMIT")

    def close(self) -> None:
        if self._open is not None:
            self._open.connection.close()
            self._open = None

    def verify(self) -> rows.RowCheck:
        """Open every row of the file, and count what is damaged."""
        with self._lock, explain_failures(self.path):
            opened = self._ensure_open(check=False)
            with _read_at_once(opened.connection):
                found = rows.check_rows(opened.connection, opened.keys)
            lost = opened.damaged or rows.Tally()
            bad = rows.Tally(*(a + b for a, b in zip(found.bad, lost, strict=True)))
            return found._replace(rows=found.rows + sum(lost), bad=bad)

    @property
    def is_earlier(self) -> bool:
        """Whether the file has an earlier format, which is only read."""
        return self._ensure_open(check=False).is_earlier

    def rotate(self, secret: bytes) -> None:
        """Seal everything anew under another key: a new file, then renamed. Whoever holds the old key opens nothing."""
        with self._lock, explain_failures(self.path):
            self._expect_intact()
            with self._hold_rows() as connection:
                self._copy_rows(connection, secret)
        self.close()
        self.secret = secret

    @contextmanager
    def _hold_rows(self) -> Iterator[sqlite3.Connection]:
        """All rows, while no other process can write."""
        if not self._ensure_open().is_earlier:
            with self.open_batch() as connection:
                yield connection
            return
        lock = lock_file(self.path)
        try:
            upgrade = read_earlier(lock, self._keys)
            if sum(upgrade.damaged):
                raise rows.DamagedRowError(f"{sum(upgrade.damaged)} rows")
            yield upgrade.memory
        finally:
            lock.close()

    def _copy_rows(self, connection: sqlite3.Connection, secret: bytes) -> None:
        handle, name = tempfile.mkstemp(
            dir=self.path.parent, prefix=f".{self.path.name}.", suffix=".part"
        )
        os.close(handle)
        try:
            fresh = Vault(Path(name), secret, cost=self.cost)
            with fresh.open_batch() as copy:
                rows.copy_rows(connection, self._keys, copy, fresh._keys)
            fresh.close()
            sync_file(Path(name))
            os.replace(name, self.path)
        finally:
            Path(name).unlink(missing_ok=True)

    def _expect_intact(self) -> None:
        """Refuse a vault of which a row was changed, exchanged or removed. It is checked once after it is opened."""
        opened = self._ensure_open()
        if opened.is_checked:
            return
        found = self.verify()
        if not found.is_intact:
            count = sum(found.bad) + found.astray
            raise VaultError(
                f"{self.path}: damaged or forged ({count} rows); see `maskwise vault verify`"
            )
        opened.is_checked = True

    def _has_moved(self) -> bool:
        return self._open is not None and (
            not self.path.exists() or self.path.stat().st_ino != self._open.inode
        )

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._ensure_open().connection

    @property
    def _keys(self) -> Keys:
        return self._ensure_open().keys

    def _ensure_open(self, check: bool = True) -> OpenVault:
        """One connection per process: one that was opened before a fork must not be used after it."""
        if self._open is None or self._open.process != os.getpid():
            with explain_failures(self.path):
                opened = open_file(self.path, self.secret, self.exist, self.cost)
                if opened.is_earlier and not self.exist:
                    raise VaultError(f"{self.path}: {UPGRADE}")
                self._open = opened
                if check:
                    self._expect_all_rows(opened)
        return self._open

    def _expect_all_rows(self, opened: OpenVault) -> None:
        with _read_at_once(opened.connection):
            counted = rows.count_rows(opened.connection)
            astray = rows.count_astray(opened.connection, opened.keys, counted)
        astray += sum(opened.damaged or ())
        if astray:
            self.close()
            raise VaultError(
                f"{self.path}: damaged or forged ({astray} rows); see `maskwise vault verify`"
            )


@contextmanager
def _read_at_once(connection: sqlite3.Connection) -> Iterator[None]:
    """A context whose reads all see the file at one moment, even while another process writes."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")
