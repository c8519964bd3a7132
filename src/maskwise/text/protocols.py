"""The protocols of parts. Most have one method; parts are found by entry point (see `maskwise.plugins`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from maskwise.errors import MaskingError
from maskwise.text.document import Document
from maskwise.text.entity import Entity
from maskwise.text.evidence import Evidence
from maskwise.text.mention import Mention
from maskwise.text.plan import Override, Plan
from maskwise.text.types import EntityType


@dataclass(frozen=True, slots=True)
class Detection:
    """The findings of a detector in one document, and the number of characters that it read.

    `hints` are what it would be sure of only if another detector saw something in the same place.
    """

    mentions: tuple[Mention, ...]
    read: int
    hints: tuple[Mention, ...] = ()


@runtime_checkable
class Detector(Protocol):
    """Finds mentions. Takes many documents so that models can batch; the answer never depends on the batch."""

    @property
    def name(self) -> str: ...

    def detect(self, documents: Sequence[Document]) -> list[Detection]: ...


@runtime_checkable
class Linker(Protocol):
    """Groups the merged mentions of one document into entities, and adds the mentions detectors left out."""

    def link(self, document: Document, mentions: Sequence[Mention]) -> list[Entity]: ...


@runtime_checkable
class Indicator(Protocol):
    """Measures how much entities, alone or together, help to re-identify the protected person."""

    @property
    def name(self) -> str: ...

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]: ...


@dataclass(frozen=True, slots=True)
class Level:
    """A true and less specific way to write an entity, and the share of its information that is lost by it.

    `after` holds phrases that read better after some words: {"on": "a day in May 2010"}. `forms` holds phrases for
    other slots than a noun phrase: {"modifier": "Northern European"}; an empty one: the level cannot fill the slot.
    """

    text: str = field(repr=False)
    loss: float
    after: Mapping[str, str] = field(default_factory=dict, repr=False)
    forms: Mapping[str, str] = field(default_factory=dict, repr=False)

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
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels,
    ) -> Plan: ...


@runtime_checkable
class Reviewable(Protocol):
    """A solver that follows the decisions of a person: it solves again for the rest of the document."""

    def solve_again(
        self,
        document: Document,
        entities: Sequence[Entity],
        evidence: Sequence[Evidence],
        levels: Levels,
        overrides: Sequence[Override],
    ) -> Plan: ...


@runtime_checkable
class Ladder(Protocol):
    """An operator that can generalise: it offers levels from the most specific to the least."""

    def levels(self, entity: Entity) -> tuple[Level, ...]: ...


@runtime_checkable
class SearchIndex(Protocol):
    """Background knowledge: what is publicly known, as pages that can be searched.

    `exact` says that every page found has every term, so that a count is exact.
    """

    @property
    def exact(self) -> bool: ...

    def search(self, terms: Sequence[str], k: int) -> list[str]: ...

    def hits(self, terms: Sequence[str]) -> int: ...


class Line(Protocol):
    """The requests that a part may make to the line it is built into."""

    @property
    def vault(self) -> Any:
        """The vault of the policy, or None."""

    def run_apart(self, detector: str) -> None:
        """Run this detector in a thread of its own, one batch ahead."""

    def ask_last(self, indicator: str) -> None:
        """Ask this indicator last in a lazy policy, and only about entities whose verdict it could change."""

    def keep_states(self) -> None:
        """Keep the encoder's states when the model reads a batch: an indicator will need them."""

    def collect_words(self) -> None:
        """Tell the words of all documents before the first is masked, so that no surrogate repeats one."""

    def spare(self, is_spared: Callable[[EntityType, str], bool]) -> None:
        """Let stand the types and subtypes that a policy keeps by name, where a model took them for something else."""

    def find_checks(self, subtypes: frozenset[str]) -> Sequence[Callable[[str], bool]]:
        """The checksums of the codes of these subtypes: an invented code must fail them."""

    def measure_information(
        self, document: Document, entities: Sequence[Entity]
    ) -> Mapping[str, float]:
        """The information of each entity by the policy's language model."""


@runtime_checkable
class Bindable(Protocol):
    """A part that asks something of its line. `bind` is called once, and the part that it returns is used."""

    def bind(self, line: Line) -> Any: ...
