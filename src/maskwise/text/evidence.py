"""`Evidence`: what an indicator found out about one entity or a combination of entities."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Evidence:
    """A measured reason to mask. `entities` are ids; two or more say that they are risky together.

    `reason` is a sentence a data-protection officer can read, with its numbers.

    >>> found = Evidence(("e1", "e4"), 0.8, 0.5, True, "together on 3 of 20 pages about the person", "web")
    >>> found.risky
    True
    """

    entities: tuple[str, ...]
    score: float
    threshold: float
    risky: bool
    reason: str
    indicator: str
