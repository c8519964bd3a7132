"""`ConversationMemory`: what placeholders stand for between the requests of a conversation, in memory alone."""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field

from maskwise.server.gateway.placeholders import PlaceholderTable

REMEMBERED = 10_000  # answers whose conversation may go on


@dataclass
class ConversationMemory:
    """Tables of conversations that a provider keeps, by caller and the id of an answer."""

    most: int = REMEMBERED
    _tables: OrderedDict[tuple[str, str], PlaceholderTable] = field(
        default_factory=OrderedDict, repr=False
    )

    _key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    def hide(self, person: str) -> str:
        """What a provider gets in place of the id of whoever asks: the same for the same id."""
        return hmac.digest(self._key, person.encode("utf-8", "replace"), "sha256").hex()[:32]

    def find(self, caller: str, answer: str) -> PlaceholderTable | None:
        return self._tables.get((caller, answer))

    def keep(self, caller: str, answer: str, table: PlaceholderTable) -> None:
        self._tables[caller, answer] = table
        self._tables.move_to_end((caller, answer))
        while len(self._tables) > self.most:
            self._tables.popitem(last=False)
