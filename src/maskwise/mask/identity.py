"""Identifies entities across documents: the number of an entity in one document, in a corpus, or in a vault.

Entities of two documents are the same if they have the same type and the same normalised name. For people this must be
a full name, at least two words: a bare surname or a name with initials joins the entity of its own document alone.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Protocol

from maskwise.text import Document, Entity, EntityType
from maskwise.text.folding import fold_words
from maskwise.text.person import parse_name

_ARTICLES = frozenset(("the", "a", "an"))


@dataclass(frozen=True)
class Identity:
    """Somebody or something with a number. `name` is its normalised name, `keys` lead to it in a ledger; all secret.

    `hidden` are the masked texts of its document, in the words of `canvas`: a replacement that says one gives it away.
    """

    type: EntityType
    number: int
    name: str = field(repr=False)
    keys: tuple[str, ...] = field(repr=False)
    ledger: Ledger = field(repr=False, compare=False)
    hidden: frozenset[str] = field(default=frozenset(), repr=False, compare=False)

    def is_given_away_by(self, text: str) -> bool:
        """Whether some of the words of a replacement are a masked text."""
        parts = fold_words(text)
        bounds = combinations(range(len(parts) + 1), 2)
        phrases = (" ".join(parts[start:end]) for start, end in bounds)
        return not self.hidden.isdisjoint(phrases)


class Ledger(Protocol):
    """Remembers identities by their keys, and a short note for each."""

    def find(self, kind: EntityType, keys: tuple[str, ...]) -> int | None: ...

    def number(self, kind: EntityType, keys: tuple[str, ...]) -> int:
        """The number of the first key that has one, or a new number. All keys lead to it from then on."""

    def recall(self, kind: EntityType, number: int) -> str | None: ...

    def note(self, kind: EntityType, number: int, text: str) -> None: ...

    def get_noted_words(self) -> set[str]:
        """Words that notes already use."""

    def get_avoided_words(self) -> set[str]:
        """Words that stand in texts: no surrogate may use them."""

    def open_batch(self) -> AbstractContextManager[object]:
        """A context in which all changes are remembered, or none."""


class MemoryLedger:
    """A ledger for one document or one run: as large as the names in it, not as the texts."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[EntityType, str], int] = {}
        self._last: Counter[EntityType] = Counter()
        self._notes: dict[tuple[EntityType, int], str] = {}
        self._used: set[str] = set()
        self._avoid: set[str] = set()

    def find(self, kind: EntityType, keys: tuple[str, ...]) -> int | None:
        return next(
            (self._numbers[kind, key] for key in keys if (kind, key) in self._numbers), None
        )

    def number(self, kind: EntityType, keys: tuple[str, ...]) -> int:
        number = self.find(kind, keys)
        if number is None:
            self._last[kind] += 1
            number = self._last[kind]
        for key in keys:
            self._numbers.setdefault((kind, key), number)
        return number

    def recall(self, kind: EntityType, number: int) -> str | None:
        return self._notes.get((kind, number))

    def note(self, kind: EntityType, number: int, text: str) -> None:
        self._notes[kind, number] = text
        self._used.update(fold_words(text))

    def get_noted_words(self) -> set[str]:
        return self._used

    def get_avoided_words(self) -> set[str]:
        return self._avoid

    def open_batch(self) -> AbstractContextManager[object]:
        return nullcontext()


@dataclass
class Register:
    """The identities of one document. Entities that the linker holds apart stay apart.

    A `local` register joins no other document.
    """

    document: Document
    ledger: Ledger
    local: bool = False
    hidden: frozenset[str] = field(default=frozenset(), repr=False)
    _taken: set[tuple[EntityType, int | None]] = field(default_factory=set, init=False)
    _own: Counter[tuple[EntityType, str]] = field(default_factory=Counter, init=False)

    def identify(self, entity: Entity) -> Identity:
        subject = self._find_subject(entity)
        if subject:
            number = self.ledger.number(entity.type, (subject,))
            self._taken.add((entity.type, number))
            return Identity(entity.type, number, subject, (subject,), self.ledger, self.hidden)
        shared = list_keys(entity)
        name = shared[0] if shared else " ".join(fold_words(entity.longest.text))
        known = self.ledger.find(entity.type, shared)
        if not shared or self.local or (entity.type, known) in self._taken:
            self._own[entity.type, name] += 1
            shared = (f"{name}\n{self._digest}\n{self._own[entity.type, name]}",)
        number = self.ledger.number(entity.type, shared)
        self._taken.add((entity.type, number))
        return Identity(entity.type, number, name, shared, self.ledger, self.hidden)

    def _find_subject(self, entity: Entity) -> str:
        """The key of the person a row of a table is about, if the entity is that person; else nothing."""
        key, starts = self.document.metadata.get("subject", ("", ()))
        if not key or self.local or entity.type is not EntityType.PERSON:
            return ""
        return key if any(mention.start in starts for mention in entity.mentions) else ""

    @cached_property
    def _digest(self) -> str:
        """Tells documents apart, also those of one file, without keeping their text."""
        whole = f"{self.document.id}\n{self.document.text}".encode("utf-8", "surrogatepass")
        return hashlib.sha256(whole).hexdigest()[:32]


def list_keys(entity: Entity) -> tuple[str, ...]:
    """The names by which an entity is known in other documents, the fullest first.

    A person is known by every full name the document uses, or by none; anything else by the longest wording.
    """
    if entity.type is EntityType.PERSON:
        texts = {mention.text for mention in entity.mentions}
        names = {parse_name(text).words for text in texts}
        full = [name for name in names if len(name) > 1]
        full.sort(key=lambda name: (-len(name), name))
        return tuple(" ".join(name) for name in full)
    longest = entity.longest
    found = fold_words(longest.value or longest.text)
    if len(found) > 1 and found[0] in _ARTICLES:
        found = found[1:]
    return (" ".join(found) or longest.text,)
