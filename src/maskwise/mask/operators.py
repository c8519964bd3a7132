"""How a masked mention is written: stars, its type, or a numbered pseudonym."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal, Protocol, runtime_checkable

from pydantic import Field

from maskwise.mask.identity import Identity
from maskwise.text import Decision, Entity


@dataclass(frozen=True)
class Replacement:
    """One text per mention of an entity.

    `is_surrogate` says that the texts are invented and look real, `is_coarser` that they say less than was decided.
    """

    texts: tuple[str, ...] = field(repr=False)
    is_surrogate: bool = False
    is_coarser: bool = False


@runtime_checkable
class Operator(Protocol):
    """Writes the replacement of each mention of a masked entity, in order.

    `identity` knows the number of the entity in its document, corpus or vault: `identity.number` counts the masked
    entities of a type from 1 in order of first appearance.
    """

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement: ...


@runtime_checkable
class Coarsener(Protocol):
    """An operator that can say less: it names the decision for the next coarser replacement, or None."""

    def coarsen(self, entity: Entity, decision: Decision) -> Decision | None: ...


@runtime_checkable
class Preparer(Protocol):
    """An operator that looks at all masked entities of a document, with who they are, before it writes the first."""

    def prepare(self, masked: Sequence[tuple[Entity, Identity]]) -> None: ...


@dataclass(frozen=True)
class Suppress:
    """Every mention becomes the same stars: nothing is said, not even the type."""

    text: Annotated[str, Field(min_length=1)] = "***"

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        return Replacement((self.text,) * len(entity.mentions))


@dataclass(frozen=True)
class Label:
    """The type in brackets: [PERSON]."""

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        return Replacement((f"[{entity.type}]",) * len(entity.mentions))


@dataclass(frozen=True)
class Pseudonym:
    """The type and a number, the same for all mentions of an entity: [PERSON 1]."""

    def replace(self, entity: Entity, decision: Decision, identity: Identity) -> Replacement:
        return Replacement((f"[{entity.type} {identity.number}]",) * len(entity.mentions))


Fallback = Literal["pseudonym", "label", "suppress"]
FALLBACKS: Mapping[str, Operator] = {
    "pseudonym": Pseudonym(),
    "label": Label(),
    "suppress": Suppress(),
}
