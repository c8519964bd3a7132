"""`ConversationMemory`: what placeholders stand for between the requests of a conversation, in memory alone."""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

from maskwise.server.gateway.placeholders import PlaceholderTable

REMEMBERED = 10_000  # answers whose conversation may go on
CHARACTERS = 1 << 26  # of all their tables
LONGEST_ID = 256  # a longer id of an answer is not remembered


@dataclass
class ConversationMemory:
    """Tables of conversations that a provider keeps, by caller and the id of an answer. The oldest go first."""

    most: int = REMEMBERED
    characters: int = CHARACTERS
    _tables: OrderedDict[tuple[str, str], tuple[PlaceholderTable, int]] = field(
        default_factory=OrderedDict, repr=False
    )
    _held: int = 0  # characters

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def hide(self, person: str) -> str:
        """The id that a provider gets in place of the caller's id: the same for the same caller."""
        return hmac.digest(self._key, person.encode("utf-8", "replace"), "sha256").hex()[:32]

    def find(self, caller: str, answer: str) -> PlaceholderTable | None:
        table, _ = self._tables.get((caller, answer), (None, 0))
        return table

    def keep(self, caller: str, answer: str, table: PlaceholderTable) -> None:
        if len(answer) > LONGEST_ID:
            return
        self._drop((caller, answer))
        size = table.measure()
        self._tables[caller, answer] = table, size
        self._held += size
        while len(self._tables) > self.most or self._held > self.characters:
            self._drop(next(iter(self._tables)))

    def _drop(self, key: tuple[str, str]) -> None:
        _, size = self._tables.pop(key, (None, 0))
        self._held -= size
