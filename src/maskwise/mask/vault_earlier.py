"""Vaults of version 1, which are only read: their rows are checked as far as possible and encrypted again in memory.

Version 1 bound a value to the id of its identity alone, so that tags could be exchanged. A tag was made from an alias
of its identity, which is sealed, so the two are compared here. `maskwise vault rotate` writes the current version.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.mask import vault_rows as rows
from maskwise.mask.keys import Cost, Keys

EARLIER = b"1"
COST = Cost(n=1 << 14)


@dataclass
class Upgrade:
    """Rows of an earlier vault on their way into ours: `damaged` counts those that were left out."""

    memory: sqlite3.Connection = field(repr=False)
    keys: Keys = field(repr=False)
    damaged: rows.Tally = field(default_factory=rows.Tally)
    taken: rows.Tally = field(default_factory=rows.Tally)
    owners: dict[Any, rows.IdentityRow] = field(default_factory=dict, repr=False)

    def take(
        self, row: rows.IdentityRow | rows.AliasRow | rows.WordingRow | None, table: str
    ) -> None:
        """Keep a row, or count it as damaged."""
        if row is None:
            self.damaged = self.damaged.add(table)
            return
        rows.insert_row(self.memory, row)
        self.taken = self.taken.add(table)


def derive_earlier(secret: bytes, meta: Mapping[str, Any]) -> Keys | None:
    """The keys of an earlier vault; None if the secret is not its own."""
    salt = meta.get("salt")
    if not isinstance(salt, bytes):
        return None
    keys = Keys.derive(secret, salt, COST, b"earlier")
    return None if keys.open_bound(meta.get("check"), b"check") is None else keys


def read_earlier(old: sqlite3.Connection, keys: Keys) -> Upgrade:
    """All rows of an earlier vault."""
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    for table in rows.TABLES:
        memory.execute(table)
    upgrade = Upgrade(memory, keys)
    aliases = _read_aliases(old, upgrade)
    _take_identities(old, upgrade, aliases)
    for identity, kind, key in aliases:
        owner = upgrade.owners.get(identity)
        fits = owner is not None and owner.type == kind
        upgrade.take(rows.seal_alias(keys, owner, key) if owner and fits else None, "alias")
    _take_wordings(old, upgrade)
    memory.execute("INSERT INTO meta VALUES ('tally', ?)", (rows.seal_tally(keys, upgrade.taken),))
    return upgrade


def _read_aliases(old: sqlite3.Connection, upgrade: Upgrade) -> list[tuple[Any, str, str]]:
    """Identity, type and key of every alias that opens."""
    keys, found = upgrade.keys, []
    for lookup, identity, sealed in old.execute("SELECT lookup, identity, key FROM alias"):
        text = keys.open_bound(sealed, f"alias {identity}".encode())
        kind, _, key = (text or "").partition("\n")
        if text is not None and keys.compute_lookup("alias", kind, key) == lookup:
            found.append((identity, kind, key))
        else:
            upgrade.take(None, "alias")
    return found


def _take_identities(
    old: sqlite3.Connection, upgrade: Upgrade, aliases: list[tuple[Any, str, str]]
) -> None:
    keys = upgrade.keys
    tags: dict[tuple[Any, str], list[str]] = {}
    for identity, kind, key in aliases:
        whole_tag = keys.compute_lookup("tag", kind, key).hex().upper()
        tags.setdefault((identity, kind), []).append(whole_tag)
    query = "SELECT id, type, number, tag, note FROM identity"
    for at, kind, number, tag, sealed in old.execute(query):
        note = None if sealed is None else keys.open_bound(sealed, f"note {at}".encode())
        is_own = any(whole.startswith(str(tag)) for whole in tags.get((at, kind), ()))
        if is_own and (sealed is None) == (note is None):
            upgrade.owners[at] = rows.seal_identity(keys, at, kind, number, tag, note)
        upgrade.take(upgrade.owners.get(at), "identity")


def _take_wordings(old: sqlite3.Connection, upgrade: Upgrade) -> None:
    keys = upgrade.keys
    query = "SELECT identity, number, lookup, text FROM wording"
    for identity, number, lookup, sealed in old.execute(query):
        owner = upgrade.owners.get(identity)
        text = keys.open_bound(sealed, f"wording {identity} {number}".encode())
        row = None
        if owner and text is not None:
            fits = keys.compute_lookup("wording", str(identity), text) == lookup
            row = rows.seal_wording(keys, owner, number, text) if fits else None
        upgrade.take(row, "wording")
