"""Placeholders: what stands for an entity in a prompt, and how an answer gets its entities back, also in a stream.

A placeholder has closed delimiters, a type, the number of an entity and, from the second wording of the entity on, the
number of the wording: [PERSON_1], [PERSON_1_2].
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from maskwise.mask.identity import list_keys
from maskwise.text import Entity, EntityType

KINDS = "|".join(EntityType)
PLACEHOLDER = re.compile(rf"\[({KINDS})_([1-9][0-9]{{0,5}})(?:_([1-9][0-9]{{0,5}}))?\]")
# Where a placeholder may have begun at the end of a text: any of its beginnings.
BEGINNING = re.compile(
    r"\[(?:[A-Z]{0,8}|[A-Z]{3,8}_(?:[1-9][0-9]{0,5})?(?:_(?:[1-9][0-9]{0,5})?)?)\Z"
)
LONGEST = 24  # characters of the longest beginning
# What a model makes of a placeholder that it does not copy: other case, spaces, no brackets.
DAMAGED = re.compile(rf"\[?\b({KINDS})[ _-]?[0-9]{{1,6}}(?:[ _-][0-9]{{1,6}})?\b\]?", re.IGNORECASE)


@dataclass
class PlaceholderTable:
    """The entity behind each placeholder of a conversation. An entity keeps its number, a text its token."""

    originals: dict[str, str] = field(default_factory=dict, repr=False)
    _numbers: dict[tuple[EntityType, str], int] = field(default_factory=dict, repr=False)
    _tokens: dict[tuple[EntityType, int, str], str] = field(default_factory=dict, repr=False)
    _wordings: Counter[tuple[EntityType, int]] = field(default_factory=Counter, repr=False)
    _last: Counter[EntityType] = field(default_factory=Counter, repr=False)
    _taken: set[str] = field(default_factory=set, repr=False)  # stand in the prompt itself
    # Requests of one conversation may come at once; two entities must not get one token.
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False, compare=False)

    def reserve(self, text: str) -> None:
        """Never use placeholders that a text holds already: they stand for something of its writer's own."""
        self._taken.update(f"[{found[1]}_{found[2]}" for found in PLACEHOLDER.finditer(text))

    def measure(self) -> int:
        """About how many characters the table holds."""
        with self.lock:
            return sum(map(len, self.originals.values())) + LONGEST * (
                len(self.originals) + len(self._taken)
            )

    def assign(self, entity: Entity) -> tuple[str, ...]:
        """The token of each mention."""
        number = self._number(entity)
        return tuple(self._name(entity.type, number, mention.text) for mention in entity.mentions)

    def rename(self, token: str, text: str) -> str:
        """The token of another wording of what a token stands for."""
        kind, number, _ = PLACEHOLDER.fullmatch(token).groups()  # type: ignore[union-attr]
        return self._name(EntityType(kind), int(number), text)

    def _number(self, entity: Entity) -> int:
        keys = list_keys(entity) or (entity.longest.text.casefold(),)
        known = (self._numbers.get((entity.type, key)) for key in keys)
        number = next((each for each in known if each is not None), None)
        if number is None:
            number = self._last[entity.type] + 1
            while f"[{entity.type}_{number}" in self._taken:
                number += 1
            self._last[entity.type] = number
        for key in keys:
            self._numbers.setdefault((entity.type, key), number)
        return number

    def _name(self, kind: EntityType, number: int, text: str) -> str:
        known = self._tokens.get((kind, number, text))
        if known is None:
            self._wordings[kind, number] += 1
            wording = self._wordings[kind, number]
            known = f"[{kind}_{number}]" if wording == 1 else f"[{kind}_{number}_{wording}]"
            self._tokens[kind, number, text] = known
            self.originals[known] = text
        return known


@dataclass
class PlaceholderCount:
    """Placeholders of an answer: restored, invented by the model, and damaged by it."""

    restored: int = 0
    unknown: int = 0
    damaged: int = 0

    def describe(self) -> str:
        return f"restored={self.restored}, unknown={self.unknown}, damaged={self.damaged}"


def escape_json(text: str) -> str:
    """A text as it stands between the quotes of a JSON string."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


@dataclass
class Restorer:
    """Turns the placeholders of a text back, piece by piece: the one automaton for whole answers and for streams.

    What may be the beginning of a placeholder is held back until it is one or cannot be one. `in_json` writes originals
    as they stand inside a JSON string.

    >>> restorer = Restorer(PlaceholderTable({"[PERSON_1]": "Ana"}), PlaceholderCount())
    >>> restorer.feed("Dear [PER"), restorer.feed("SON_1]!"), restorer.finish()
    ('Dear ', 'Ana!', '')
    """

    table: PlaceholderTable
    count: PlaceholderCount
    in_json: bool = False
    _held: str = field(default="", repr=False)

    def feed(self, text: str) -> str:
        whole = self._held + text
        begun = BEGINNING.search(whole, max(0, len(whole) - LONGEST))
        cut = begun.start() if begun else len(whole)
        self._held = whole[cut:]
        return self._restore(whole[:cut])

    def finish(self) -> str:
        """The rest that was held back, at the end."""
        left, self._held = self._held, ""
        return self._restore(left)

    def _restore(self, text: str) -> str:
        write: Callable[[str], str] = escape_json if self.in_json else str
        parts: list[str] = []
        at = 0
        for found in PLACEHOLDER.finditer(text):
            original = self.table.originals.get(found[0])
            between = text[at : found.start()]
            self.count.damaged += _count_damaged(between)
            self.count.restored += original is not None
            self.count.unknown += original is None
            parts += (between, found[0] if original is None else write(original))
            at = found.end()
        self.count.damaged += _count_damaged(text[at:])
        return "".join((*parts, text[at:]))


def _count_damaged(text: str) -> int:
    return sum(1 for _ in DAMAGED.finditer(text))


def list_edits(
    entities: Iterable[Entity], table: PlaceholderTable, end: int
) -> list[tuple[int, int, str]]:
    """Spans before `end` and the placeholders for them, in order."""
    edits: list[tuple[int, int, str]] = []
    for entity in sorted(entities, key=lambda entity: entity.first.start):
        tokens = table.assign(entity)
        edits += [
            (mention.start, mention.end, token)
            for mention, token in zip(entity.mentions, tokens, strict=True)
            if mention.start < end
        ]
    return sorted(edits)


def restore_whole(
    texts: Sequence[str], table: PlaceholderTable, count: PlaceholderCount
) -> list[str]:
    """Whole texts with their placeholders turned back."""
    done = []
    for text in texts:
        restorer = Restorer(table, count)
        done.append(restorer.feed(text) + restorer.finish())
    return done
