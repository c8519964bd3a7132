"""Rules for things with a shape: identifiers, contacts, dates, amounts, names with a title.

One family a file; a file dropped in this folder that defines `FAMILY` is a family.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar

from maskwise.detect.patterns._tables import Cells
from maskwise.detect.patterns.engine import Engine, Hit, uncovered
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import Detection, Document, Mention

__all__ = ["Engine", "Family", "PatternDetector", "Rule", "families"]


@cache
def families() -> tuple[Family, ...]:
    """All families in this folder, by name."""
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    found = (getattr(module, "FAMILY", None) for module in modules)
    return tuple(sorted((f for f in found if isinstance(f, Family)), key=lambda f: f.name))


@dataclass(frozen=True)
class PatternDetector:
    """Rules for things with a shape: all families, or `only` some, or all `without` some."""

    name: ClassVar[str] = "patterns"

    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @cached_property
    def _engine(self) -> Engine:
        chosen = [family for family in families() if not self.only or family.name in self.only]
        return Engine([family for family in chosen if family.name not in self.without])

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        return [self._detect(document) for document in documents]

    def _detect(self, document: Document) -> Detection:
        hits = [*self._engine.find(document.text), *self._find_in_tables(document.text)]
        mentions = tuple(self._mention(document, *hit) for hit in uncovered(hits))
        return Detection(mentions, read=len(document))

    def _find_in_tables(self, text: str) -> Iterator[Hit]:
        """What the head of a column gives away in the cells below it."""
        cells = Cells(text)
        for start, end, rule in self._engine.find(cells.text) if cells.text else ():
            if place := cells.place(start, end):
                yield Hit(*place, rule)

    def _mention(self, document: Document, start: int, end: int, rule: Rule) -> Mention:
        text = document.text[start:end]
        value = rule.value(text) if rule.value else ""
        # A source that no order of detectors names is the weakest of all.
        source = f"{self.name}/{rule.name}" if rule.filler else self.name
        return Mention(
            document, start, end, text, rule.type, rule.subtype(text), source, rule.score, rule.certain, value
        )
