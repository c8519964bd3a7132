"""`KeyedLedger`: numbers that follow from a name and a secret key, so that no document has to wait for another.

The number is an HMAC-SHA256 of the type and the fullest name. Workers that never meet give one entity one number, in
any order and at every retry. Whoever has no key cannot test a guess at a name.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from maskwise.text import EntityType

# The least number. All have 16 digits: among ten million entities, two share one with a probability of 0.6 %.
LEAST = 1_000_000_000_000_000


class KeyedLedger:
    """A ledger without memory.

    >>> ledger = KeyedLedger(b"sixteen bytes or more")
    >>> ledger.number(EntityType.PERSON, ("ana souza",)) == ledger.number(EntityType.PERSON, ("ana souza",))
    True
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = hashlib.sha256(b"maskwise keyed numbers\0" + secret).digest()

    def find(self, kind: EntityType, keys: tuple[str, ...]) -> int | None:
        return self.number(kind, keys) if keys else None

    def number(self, kind: EntityType, keys: Sequence[str]) -> int:
        said = f"{kind}\0{keys[0]}".encode("utf-8", "surrogatepass")
        digest = hmac.new(self._secret, said, hashlib.sha256).digest()
        return LEAST + int.from_bytes(digest[:12]) % (9 * LEAST)

    def recall(self, kind: EntityType, number: int) -> str | None:
        return None

    def note(self, kind: EntityType, number: int, text: str) -> None:
        """Notes are for surrogates of a whole corpus, which nobody can choose without the other documents."""

    def get_noted_words(self) -> set[str]:
        return set()

    def get_avoided_words(self) -> set[str]:
        return set()

    def open_batch(self) -> AbstractContextManager[object]:
        return nullcontext()
