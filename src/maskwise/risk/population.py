"""Indicator, population count: how many people of a register share what the text says of one, alone or together.

The bound of k-map (Sweeney 2002, k-anonymity against a population): fewer than `at_least` people is a risk.
Combinations grow level by level as in Apriori: adding to a combination never adds people, so what is risky is not asked
again with more.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Protocol, runtime_checkable

from pydantic import Field

from maskwise.crowd.index import PopulationIndex
from maskwise.crowd.population import Duplicates
from maskwise.risk.web import grow_combinations
from maskwise.text import Document, Entity, EntityType, Evidence
from maskwise.text.kinds import name_kind

_YEAR = re.compile(r"\d\d[\dX]{2}")
_DAY = re.compile(r"(\d{4})-\d\d(?:-\d\d)?")


@runtime_checkable
class PeopleRegister(Protocol):
    """A register that can be asked how many people have all of some values."""

    def __len__(self) -> int: ...

    def hits(self, terms: Sequence[str]) -> int: ...


@dataclass(frozen=True)
class PopulationIndicator:
    """Evidence for every entity whose value the register knows, and for every risky combination of up to `max_arity`.

    `path` is a register or, from Python, a `PeopleRegister`. The number is an upper bound on the crowd: any attribute
    may have the value, and an attacker who knows which one is meant finds fewer. What no profile has is not counted.
    """

    name: ClassVar[str] = "population"

    path: str | Path | PeopleRegister
    at_least: Annotated[int, Field(ge=2)] = 20
    max_arity: Annotated[int, Field(ge=1, le=4)] = 2
    duplicates: Duplicates = "error"
    separator: str = ""

    def __post_init__(self) -> None:
        self._register  # noqa: B018 - a register that cannot be read stops the work before the first document

    @cached_property
    def _register(self) -> PeopleRegister:
        if isinstance(self.path, str | Path):
            return PopulationIndex(self.path, self.duplicates, self.separator)
        return self.path

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        values = [_find_value(entity) for entity in entities]
        counts: dict[tuple[int, ...], int] = {}
        for at, value in enumerate(values):
            if value and (count := self._register.hits([value])):
                counts[(at,)] = count
        level = [
            at for at in counts if counts[at] >= self.at_least and not _is_masked(entities[at[0]])
        ]
        for _ in range(self.max_arity - 1):
            asked = {
                members: self._register.hits([values[at] for at in members])
                for members in grow_combinations(level)
            }
            counts |= asked
            level = [members for members, count in asked.items() if count >= self.at_least]
        evidence = []
        for members, count in counts.items():
            if len(members) == 1 or count < self.at_least:
                evidence.append(self._build_evidence(members, count, entities, values))
        return evidence

    def _build_evidence(
        self,
        members: tuple[int, ...],
        count: int,
        entities: Sequence[Entity],
        values: Sequence[str],
    ) -> Evidence:
        ids = tuple(entities[at].id for at in members)
        who = " and ".join(f"this {name_kind(entities[at])}" for at in members)
        match = f"{who} together match" if len(members) > 1 else f"{who} alone matches"
        of = f"{count:,} of {len(self._register):,} people"
        risky = count < self.at_least
        wider = [_DAY.sub(r"\1", values[at]) for at in members]
        if risky and wider != [values[at] for at in members]:
            of += f" ({self._register.hits(wider):,} if only the year were told)"
        reason = f"{match} {of}; at least {self.at_least:,} are asked"
        return Evidence(ids, float(count), float(self.at_least), risky, reason, self.name)


def _is_masked(entity: Entity) -> bool:
    """Masked in any case, and so part of no combination."""
    return entity.is_direct


def _find_value(entity: Entity) -> str:
    """The form in a register: the ISO form of a date with a year, else the fullest way the text writes it."""
    if entity.type is EntityType.DATETIME:
        return next((m.value for m in entity.mentions if _YEAR.match(m.value)), "")
    return entity.longest.text
