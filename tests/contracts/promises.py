"""What each shipped policy promises, read off its description: what it masks and what stays readable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .kinds import CODES

HIPAA = ("name", "street", "city", "county", "zip", "date", "age over 89", *CODES)


@dataclass(frozen=True)
class Promise:
    """Kinds that are masked in every layout and case, those that stay readable there, and those that a model judges.

    What is `kept` may still be masked where the model takes it for a person: a word that may be a name is masked.
    `told` are kinds that no rule finds wherever they stand (names and towns in small letters, what people say of
    themselves), and `spared` those that a model may take for something else: their shares are reported.
    """

    masked: tuple[str, ...]
    kept: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        return (*self.masked, *self.told, *self.kept, *self.spared)


class Seen(Protocol):
    """What became of a value."""

    kind: str
    is_masked: bool
    is_touched: bool
    is_taken_for_person: bool


def holds(promise: Promise, seen: Seen) -> bool:
    """Whether a value is treated as its policy promises."""
    if seen.kind in promise.masked:
        return seen.is_masked
    if seen.kind in promise.kept:
        return not seen.is_touched or seen.is_taken_for_person
    return True


_MODELLED = ("name", "city")
_LIMITED = ("county", "zip", "date", "age over 89")  # what a limited data set may hold

PROMISES: Mapping[str, Promise] = {
    "anonymous": Promise(
        masked=(*CODES, "application number", "street"),
        told=("name",),
    ),
    "balanced": Promise(
        masked=(*CODES, "application number"),
        kept=("law", "relative date"),
        told=(*_MODELLED, "street", "date"),
    ),
    "court": Promise(
        masked=(*CODES, "application number", "date", "street"),
        kept=("court", "government", "country", "law"),
        told=_MODELLED,
    ),
    "gdpr": Promise(
        masked=(*CODES, "application number"),
        told=(
            *_MODELLED,
            "street",
            "date",
            "health",
            "belief",
            "ethnic origin",
            "orientation",
            "politics",
            "offence",
        ),
    ),
    "hipaa-limited": Promise(
        masked=tuple(name for name in HIPAA if name not in (*_MODELLED, *_LIMITED)),
        kept=(
            "date",
            "age over 89",
            "age under 90",
            "state",
            "year",
            "diagnosis",
            "drug",
            "amount",
            "zip",
        ),
        spared=("city", "county", "test"),
        told=("name",),
    ),
    "hipaa-safe-harbor": Promise(
        masked=tuple(name for name in HIPAA if name not in _MODELLED),
        kept=("diagnosis", "drug", "amount", "age under 90", "state", "year"),
        spared=("test",),
        told=_MODELLED,
    ),
    "research": Promise(
        masked=(*CODES, "application number", "date", "street"),
        kept=("organisation", "place", "amount", "demographic", "year"),
        told=("name",),
    ),
    "strict": Promise(
        masked=(*CODES, "application number", "date", "street"),
        told=_MODELLED,
    ),
    "thorough": Promise(
        masked=(*CODES, "application number"),
        kept=("law", "relative date"),
        told=(*_MODELLED, "street", "date"),
    ),
}
