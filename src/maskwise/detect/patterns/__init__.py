"""Rules for things with a shape: identifiers, contacts, dates, amounts, names with a title.

Each file holds one family. A file dropped in this folder that defines `FAMILY` is a family.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar

from maskwise.detect.patterns._tables import Cells
from maskwise.detect.patterns.engine import Engine, Hit, drop_covered
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import Detection, Document, Mention, Provenance

__all__ = ["Engine", "Family", "PatternDetector", "Rule", "list_families"]


@cache
def list_families() -> tuple[Family, ...]:
    """All families in this folder, by name."""
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    defined = (getattr(module, "FAMILY", None) for module in modules)
    families = [family for family in defined if isinstance(family, Family)]
    return tuple(sorted(families, key=lambda family: family.name))


@dataclass(frozen=True)
class PatternDetector:
    """Rules for things with a shape: all families, or `only` some, or all `without` some."""

    name: ClassVar[str] = Provenance.PATTERNS

    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @cached_property
    def _engine(self) -> Engine:
        chosen = [family for family in list_families() if not self.only or family.name in self.only]
        return Engine([family for family in chosen if family.name not in self.without])

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        return [self._detect(document) for document in documents]

    def _detect(self, document: Document) -> Detection:
        hits = drop_covered(self._find_hits(document.text))
        mentions = tuple(self._make_mention(document, *hit) for hit in hits)
        return Detection(mentions, read=len(document))

    def _find_hits(self, text: str) -> list[Hit]:
        """Runs the rules. Each cell of a table is read with the head of its column, which says what is below."""
        hits = self._engine.find(text)
        cells = Cells(text)
        if not cells.text:
            return hits
        hits = [hit for hit in hits if not cells.is_cut(hit.start, hit.end)]
        for start, end, rule in self._engine.find(cells.text):
            if place := cells.find_place(start, end):
                hits.append(Hit(*place, rule))
        return hits

    def _make_mention(self, document: Document, start: int, end: int, rule: Rule) -> Mention:
        text = document.text[start:end]
        value = rule.value(text) if rule.value else ""
        # A source that no order of detectors names is the weakest of all.
        source = f"{self.name}/{rule.name}" if rule.filler else self.name
        return Mention(
            document,
            start,
            end,
            text,
            rule.type,
            rule.choose_subtype(text),
            source,
            rule.score,
            rule.certain,
            value,
        )
