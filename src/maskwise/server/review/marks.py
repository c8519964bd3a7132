"""`MarkState`: what is marked in a document and what people decided about it. Edits make a new one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from maskwise.text import Document, Entity, EntityType, IdentifierType, Mention, Override
from maskwise.text.confidential import NOT_CONFIDENTIAL, Confidential, Disclosure


@dataclass(frozen=True, slots=True)
class Mark:
    """One span `[start, end)` of an entity. Its offsets are those of the whole text that the page shows."""

    id: str
    start: int
    end: int
    type: EntityType
    entity: str
    identifier: IdentifierType = IdentifierType.QUASI
    confidential: str | None = None
    subtype: str = ""
    source: str = ""
    score: float = 1.0
    certain: bool = False
    value: str = field(default="", repr=False)

    def make_mention(self, document: Document, shift: int) -> Mention:
        """The mention in the part of the text that begins at `shift`."""
        return document.mention(
            self.start - shift,
            self.end - shift,
            self.type,
            subtype=self.subtype,
            source=self.source,
            score=self.score,
            certain=self.certain,
            value=self.value,
        )

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "start": self.start,
            "end": self.end,
            "type": self.type.value,
            "entity": self.entity,
            "identifier": self.identifier.value,
            "confidential": self.confidential,
            "subtype": self.subtype,
            "source": str(self.source),
            "score": self.score,
            "certain": self.certain,
            "value": self.value,
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Mark:
        return cls(
            **{
                **raw,
                "type": EntityType(raw["type"]),
                "identifier": IdentifierType(raw["identifier"]),
            }
        )


@dataclass(frozen=True, slots=True)
class EntityFacts:
    """The facts that hold for an entity as a whole."""

    type: EntityType
    identifier: IdentifierType = IdentifierType.QUASI
    protected: bool = False
    disclosure: Disclosure | None = None

    @property
    def status(self) -> str:
        return self.disclosure.category.value if self.disclosure else NOT_CONFIDENTIAL


def make_disclosure(status: str, start: int, end: int) -> Disclosure | None:
    """The confidential attribute that a person names; None for none."""
    if status == NOT_CONFIDENTIAL:
        return None
    return Disclosure(start, end, Confidential(status))


@dataclass(frozen=True)
class MarkState:
    """Marks and facts by id, the decisions of people by entity, and what they accepted.

    `made` counts what people added, so that new ids are new.
    """

    marks: Mapping[str, Mark] = field(default_factory=dict)
    facts: Mapping[str, EntityFacts] = field(default_factory=dict)
    overrides: Mapping[str, Override] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    accepted: frozenset[str] = frozenset()
    made: int = 0

    @cached_property
    def by_entity(self) -> Mapping[str, tuple[Mark, ...]]:
        """The marks of each entity, in order of position."""
        found: dict[str, list[Mark]] = {}
        for mark in sorted(self.marks.values(), key=lambda one: (one.start, one.end)):
            found.setdefault(mark.entity, []).append(mark)
        return {entity: tuple(marks) for entity, marks in found.items()}

    def list_overlapping(self, start: int, end: int) -> list[Mark]:
        return [one for one in self.marks.values() if one.start < end and start < one.end]


def mark_entities(entities: Iterable[Entity], shift: int = 0, prefix: str = "") -> MarkState:
    """The state before any edit: what the tool found. `shift` is where the text begins in the whole."""
    marks: dict[str, Mark] = {}
    facts: dict[str, EntityFacts] = {}
    for entity in entities:
        name = prefix + entity.id
        facts[name] = EntityFacts(
            entity.type, entity.identifier, entity.protected, entity.disclosure
        )
        status = facts[name].status
        for number, mention in enumerate(entity.mentions, 1):
            mark = Mark(
                f"{name}_{number}",
                mention.start + shift,
                mention.end + shift,
                mention.type,
                name,
                entity.identifier,
                status,
                mention.subtype,
                mention.source,
                mention.score,
                mention.certain,
                mention.value,
            )
            marks[mark.id] = mark
    return MarkState(marks, facts)


def make_entity(
    name: str, facts: EntityFacts, marks: Iterable[Mark], document: Document, shift: int
) -> Entity:
    """The entity of some marks in one part of the text."""
    mentions = tuple(mark.make_mention(document, shift) for mark in marks)
    return Entity(name, facts.type, mentions, facts.identifier, facts.protected, facts.disclosure)
