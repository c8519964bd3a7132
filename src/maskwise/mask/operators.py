"""How a masked mention is written: stars, its type, or a numbered pseudonym."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from maskwise.mask.identity import Identity
from maskwise.text import Decision, Entity


@dataclass(frozen=True)
class Named:
    """A replacement for each mention; `surrogate` says that they are invented and look real, `coarser` that they say
    less than was decided."""

    texts: tuple[str, ...] = field(repr=False)
    surrogate: bool = False
    coarser: bool = False


@runtime_checkable
class Naming(Protocol):
    """What an operator that knows entities across documents offers: it is asked in place of `replace`."""

    def rename(self, entity: Entity, decision: Decision, identity: Identity) -> Named: ...


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
