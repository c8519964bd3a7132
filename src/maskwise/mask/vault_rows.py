"""Rows of a vault: what each seals, and the cells that are bound to it, so that nothing can be exchanged between rows.

Every row holds one sealed cell, and every other cell of the row is bound to it. An alias and a wording are also bound
to the type and the tag of their identity. The number of rows is sealed too, so that a missing row is noticed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

from maskwise.errors import VaultError
from maskwise.mask.keys import Cell, Keys

TABLES = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
    "CREATE TABLE identity (id INTEGER PRIMARY KEY, type TEXT NOT NULL, number INTEGER NOT NULL, tag TEXT NOT NULL, "
    "note BLOB NOT NULL, UNIQUE (type, number), UNIQUE (type, tag))",
    "CREATE TABLE alias (lookup BLOB PRIMARY KEY, identity INTEGER NOT NULL, key BLOB NOT NULL)",
    "CREATE TABLE wording (identity INTEGER NOT NULL, number INTEGER NOT NULL, lookup BLOB NOT NULL UNIQUE, "
    "text BLOB NOT NULL, PRIMARY KEY (identity, number))",
)
KINDS = ("identity", "alias", "wording")
_NOTED = "="  # begins the sealed text of a note; an identity without one seals the empty text


class DamagedRowError(VaultError):
    """A row that does not open; says of which table."""


class IdentityRow(NamedTuple):
    """A row of the table `identity`; `note` is sealed."""

    id: int
    type: str
    number: int
    tag: str
    note: bytes


class AliasRow(NamedTuple):
    lookup: bytes
    identity: int
    key: bytes


class WordingRow(NamedTuple):
    identity: int
    number: int
    lookup: bytes
    text: bytes


Row = TypeVar("Row", IdentityRow, AliasRow, WordingRow)


class Tally(NamedTuple):
    """How many rows of each table there are."""

    identity: int = 0
    alias: int = 0
    wording: int = 0

    def add(self, table: str) -> Tally:
        return self._replace(**{table: getattr(self, table) + 1})


class RowCheck(NamedTuple):
    """How many rows were read, how many of each table are damaged, and how many too few or too many there are."""

    rows: int
    bad: Tally
    astray: int

    @property
    def is_intact(self) -> bool:
        return not sum(self.bad) and not self.astray


# --- one row ---------------------------------------------------------------------------------------------------------


def seal_identity(
    keys: Keys, at: int, kind: str, number: int, tag: str, note: str | None = None
) -> IdentityRow:
    sealed = keys.seal("" if note is None else _NOTED + note, "identity", at, kind, number, tag)
    return IdentityRow(at, kind, number, tag, sealed)


def open_identity(keys: Keys, row: IdentityRow) -> str:
    """The sealed text of an identity: see `read_note`."""
    return _expect_text(keys.open(row.note, "identity", *row[:4]), "identity")


def read_note(text: str) -> str | None:
    return text[1:] if text.startswith(_NOTED) else None


def seal_alias(keys: Keys, owner: IdentityRow, key: str) -> AliasRow:
    lookup = keys.compute_lookup("alias", owner.type, key)
    sealed = keys.seal(key, "alias", lookup, owner.id, owner.type, owner.tag)
    return AliasRow(lookup, owner.id, sealed)


def open_alias(keys: Keys, row: AliasRow, owner: IdentityRow) -> str:
    bound = ("alias", row.lookup, row.identity, owner.type, owner.tag)
    key = _expect_text(keys.open(row.key, *bound), "alias")
    if keys.compute_lookup("alias", owner.type, key) != row.lookup:
        raise DamagedRowError("alias")
    return key


def seal_wording(keys: Keys, owner: IdentityRow, number: int, text: str) -> WordingRow:
    lookup = keys.compute_lookup("wording", str(owner.id), text)
    sealed = keys.seal(text, "wording", owner.id, number, lookup, owner.type, owner.tag)
    return WordingRow(owner.id, number, lookup, sealed)


def open_wording(keys: Keys, row: WordingRow, owner: IdentityRow) -> str:
    bound = ("wording", row.identity, row.number, row.lookup, owner.type, owner.tag)
    text = _expect_text(keys.open(row.text, *bound), "wording")
    if keys.compute_lookup("wording", str(owner.id), text) != row.lookup:
        raise DamagedRowError("wording")
    return text


def _expect_text(text: str | None, what: str) -> str:
    if text is None:
        raise DamagedRowError(what)
    return text


# --- all rows --------------------------------------------------------------------------------------------------------


def seal_tally(keys: Keys, tally: Tally) -> bytes:
    return keys.seal(" ".join(map(str, tally)), "tally")


def read_tally(connection: sqlite3.Connection, keys: Keys) -> Tally:
    row = connection.execute("SELECT value FROM meta WHERE name = 'tally'").fetchone()
    text = _expect_text(keys.open(row[0], "tally") if row else None, "tally")
    return Tally(*map(int, text.split(" ")))


def write_tally(connection: sqlite3.Connection, keys: Keys, tally: Tally) -> None:
    connection.execute("UPDATE meta SET value = ? WHERE name = 'tally'", (seal_tally(keys, tally),))


def count_rows(connection: sqlite3.Connection) -> Tally:
    queries = [f"SELECT count(*) FROM {table}" for table in KINDS]  # noqa: S608
    return Tally(*(connection.execute(query).fetchone()[0] for query in queries))


def read_rows(connection: sqlite3.Connection, table: type[Row]) -> Iterator[Row]:
    query = f"SELECT {', '.join(table._fields)} FROM {name_table(table)}"  # noqa: S608
    return map(table._make, connection.execute(query))


def find_row(connection: sqlite3.Connection, table: type[Row], **where: Cell) -> Row | None:
    """The row with these cells. An index that leads to another row is forged."""
    asked = " AND ".join(f"{name} = ?" for name in where)
    query = f"SELECT {', '.join(table._fields)} FROM {name_table(table)} WHERE {asked}"  # noqa: S608
    found = connection.execute(query, tuple(where.values())).fetchone()
    if found is None:
        return None
    row = table._make(found)
    if any(getattr(row, name) != value for name, value in where.items()):
        raise DamagedRowError(name_table(table))
    return row


def insert_row(connection: sqlite3.Connection, row: IdentityRow | AliasRow | WordingRow) -> None:
    holes = ", ".join("?" * len(row))
    query = f"INSERT INTO {name_table(type(row))} ({', '.join(row._fields)}) VALUES ({holes})"  # noqa: S608
    connection.execute(query, row)


def name_table(table: type[IdentityRow | AliasRow | WordingRow]) -> str:
    return table.__name__.removesuffix("Row").lower()


def check_rows(connection: sqlite3.Connection, keys: Keys) -> RowCheck:
    """Open every row, and count those that do not open. The caller keeps other processes from writing meanwhile."""
    owners: dict[Cell, IdentityRow] = {}
    bad = Tally()
    for row in read_rows(connection, IdentityRow):
        owners[row.id] = row
        if keys.open(row.note, "identity", *row[:4]) is None:
            bad = bad.add("identity")
    for alias in read_rows(connection, AliasRow):
        if not _can_open(alias, keys, owners.get(alias.identity)):
            bad = bad.add("alias")
    for wording in read_rows(connection, WordingRow):
        if not _can_open(wording, keys, owners.get(wording.identity)):
            bad = bad.add("wording")
    counted = count_rows(connection)
    astray = count_astray(connection, keys, counted) + _count_broken(connection)
    return RowCheck(sum(counted), bad, astray)


def _count_broken(connection: sqlite3.Connection) -> int:
    """How many entries of indexes lead nowhere or to another row."""
    problems = [row[0] for row in connection.execute("PRAGMA integrity_check")]
    return 0 if problems == ["ok"] else len(problems)


def count_astray(connection: sqlite3.Connection, keys: Keys, counted: Tally) -> int:
    """How many rows there are too few or too many."""
    try:
        sealed = read_tally(connection, keys)
    except DamagedRowError:
        return sum(counted)
    return sum(abs(a - b) for a, b in zip(sealed, counted, strict=True))


def _can_open(row: AliasRow | WordingRow, keys: Keys, owner: IdentityRow | None) -> bool:
    if owner is None:
        return False
    try:
        if isinstance(row, AliasRow):
            open_alias(keys, row, owner)
        else:
            open_wording(keys, row, owner)
    except DamagedRowError:
        return False
    return True


def copy_rows(
    old: sqlite3.Connection, old_keys: Keys, new: sqlite3.Connection, new_keys: Keys
) -> None:
    """Seal every row anew; pseudonyms stay. A row that does not open raises an error."""
    owners: dict[Cell, IdentityRow] = {row.id: row for row in read_rows(old, IdentityRow)}
    tally = Tally()
    for row in owners.values():
        note = read_note(open_identity(old_keys, row))
        insert_row(new, seal_identity(new_keys, *row[:4], note))
        tally = tally.add("identity")
    for alias in read_rows(old, AliasRow):
        owner = _expect_owner(owners, alias.identity, "alias")
        key = open_alias(old_keys, alias, owner)
        insert_row(new, seal_alias(new_keys, owner, key))
        tally = tally.add("alias")
    for wording in read_rows(old, WordingRow):
        owner = _expect_owner(owners, wording.identity, "wording")
        text = open_wording(old_keys, wording, owner)
        insert_row(new, seal_wording(new_keys, owner, wording.number, text))
        tally = tally.add("wording")
    if tally != read_tally(old, old_keys):
        raise DamagedRowError("tally")
    write_tally(new, new_keys, tally)


def _expect_owner(owners: dict[Cell, IdentityRow], at: Cell, what: str) -> IdentityRow:
    if at not in owners:
        raise DamagedRowError(what)
    return owners[at]
