"""How a masked mention is written: stars, its type, or a numbered pseudonym."""

from __future__ import annotations

from dataclasses import dataclass

from maskwise.text import Decision, Entity


@dataclass(frozen=True)
class Suppress:
    """Every mention becomes the same stars: nothing is said, not even the type."""

    text: str = "***"

    def replace(self, entity: Entity, decision: Decision, ordinal: int) -> tuple[str, ...]:
        return (self.text,) * len(entity.mentions)


@dataclass(frozen=True)
class Label:
    """The type in brackets: [PERSON]."""

    def replace(self, entity: Entity, decision: Decision, ordinal: int) -> tuple[str, ...]:
        return (f"[{entity.type}]",) * len(entity.mentions)


@dataclass(frozen=True)
class Pseudonym:
    """The type and a number, the same for all mentions of an entity: [PERSON 1]."""

    def replace(self, entity: Entity, decision: Decision, ordinal: int) -> tuple[str, ...]:
        return (f"[{entity.type} {ordinal}]",) * len(entity.mentions)
