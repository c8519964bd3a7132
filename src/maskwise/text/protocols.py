"""The places where parts plug in: one method each, found by entry point (see `maskwise.plugins`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from maskwise.errors import MaskingError
from maskwise.text.document import Document
from maskwise.text.entity import Entity
from maskwise.text.evidence import Evidence
from maskwise.text.mention import Mention
from maskwise.text.plan import Decision, Plan


@dataclass(frozen=True, slots=True)
class Detection:
    """What a detector found in one document, and how many of its characters it read."""

    mentions: tuple[Mention, ...]
    read: int


@runtime_checkable
class Detector(Protocol):
    """Finds mentions. Takes many documents so that models can batch; the answer never depends on the batch."""

    name: str

    def detect(self, documents: Sequence[Document]) -> list[Detection]: ...


@runtime_checkable
class Linker(Protocol):
    """Groups the merged mentions of one document into entities, and adds the mentions detectors left out."""

    def link(self, document: Document, mentions: Sequence[Mention]) -> list[Entity]: ...


@runtime_checkable
class Indicator(Protocol):
    """Measures how much entities, alone or together, help to re-identify the protected person."""

    name: str

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]: ...


@dataclass(frozen=True, slots=True)
class Level:
    """A true and less specific way to write an entity, and the share of its information that is lost by it.

    `after` holds phrases that read better after some words: {"on": "a day in May 2010"}.
    """

    text: str = field(repr=False)
    loss: float
    after: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.text or not 0 < self.loss <= 1:
            raise MaskingError(f"a level needs a text and a loss in (0, 1], not {self.loss}")


Levels = Mapping[str, tuple[Level, ...]]  # by entity id, from the most specific level to the least


@runtime_checkable
class Solver(Protocol):
    """Turns evidence into a plan. Never leaves a direct identifier.

    `levels` are the less specific texts that operators offer. A decision for the first level has `level` 1.
    """

    def solve(
        self, document: Document, entities: Sequence[Entity], evidence: Sequence[Evidence], levels: Levels
    ) -> Plan: ...


@runtime_checkable
class Operator(Protocol):
    """Writes the replacement of each mention of a masked entity, in order.

    `ordinal` numbers the masked entities of a type from 1 in order of first appearance.
    """

    def replace(self, entity: Entity, decision: Decision, ordinal: int) -> tuple[str, ...]: ...


@runtime_checkable
class Ladder(Protocol):
    """What an operator that can generalise also offers: levels from the most specific to the least.

    A decision for the first of them has `level` 1.
    """

    def levels(self, entity: Entity) -> tuple[Level, ...]: ...


@runtime_checkable
class SearchIndex(Protocol):
    """Background knowledge: what is publicly known, as pages that can be searched."""

    def search(self, terms: Sequence[str], k: int) -> list[str]: ...

    def hits(self, terms: Sequence[str]) -> int: ...
