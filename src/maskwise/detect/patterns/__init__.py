"""Rules for things with a shape: identifiers, contacts, dates, amounts, names with a title.

Each file holds one family. A file dropped in this folder that defines `FAMILY` is a family.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import ClassVar

from maskwise.detect.codes import is_rich
from maskwise.detect.patterns._tables import Cells
from maskwise.detect.patterns.engine import Engine, Hit, drop_covered
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import Detection, Document, Mention, Provenance, possessive
from maskwise.text.folding import fold_case

__all__ = ["Engine", "Family", "PatternDetector", "Rule", "list_families"]

_UNIT = re.compile(r"\A[A-Za-z]{1,4} ")
# Two words or more in capitals.
_SHOUT = possessive.compile(r"\b[A-Z]{1,30}+\b(?:[^\w\n]{1,3}+(?:[A-Z]{1,30}+|[0-9]{1,9}+)\b)++")


@cache
def list_families() -> tuple[Family, ...]:
    """All families in this folder, by name."""
    modules = (import_module(f"{__name__}.{info.name}") for info in iter_modules(__path__))
    defined = (getattr(module, "FAMILY", None) for module in modules)
    families = [family for family in defined if isinstance(family, Family)]
    return tuple(sorted(families, key=lambda family: family.name))


def _is_misread(text: str, hit: Hit, cells: Cells) -> bool:
    """Whether the head of another column announces a hit that is no code by its look: "type 2", "EUR 704.90"."""
    figures = _UNIT.sub("", text[hit.start : hit.end])
    return cells.is_below(hit.opening, hit.start) and not is_rich(figures)


@dataclass(frozen=True)
class PatternDetector:
    """Rules for things with a shape: all families, or `only` some, or all `without` some."""

    name: ClassVar[str] = Provenance.PATTERNS

    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    @cached_property
    def _families(self) -> list[Family]:
        chosen = [family for family in list_families() if not self.only or family.name in self.only]
        return [family for family in chosen if family.name not in self.without]

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self._families)

    @cached_property
    def _shout_engine(self) -> Engine:
        return Engine(
            [
                replace(family, rules=tuple(rule for rule in family.rules if rule.shouted))
                for family in self._families
            ]
        )

    def detect(self, documents: Sequence[Document]) -> list[Detection]:
        return [self._detect(document) for document in documents]

    def _detect(self, document: Document) -> Detection:
        found = self._find(document.text)
        hits = drop_covered(hit for hit in found if not hit.rule.hint)
        hints = drop_covered(hit for hit in found if hit.rule.hint)
        return Detection(
            tuple(self._make_mention(document, hit) for hit in hits),
            len(document),
            tuple(self._make_mention(document, hit) for hit in hints),
        )

    def _find(self, text: str) -> list[Hit]:
        """Runs the rules. Tables are read cell by cell with the head of the column, which says what is below."""
        hits = self._read(text)
        cells = Cells(text)
        if not cells.text:
            return hits
        hits = [
            hit
            for hit in hits
            if not cells.is_cut(hit.start, hit.end) and not _is_misread(text, hit, cells)
        ]
        for hit in self._read(cells.text):
            if place := cells.find_place(hit.start, hit.end):
                hits.append(Hit(*place, hit.rule, place[0]))
        return hits

    def _read(self, text: str) -> list[Hit]:
        """Runs the rules over a text, and some again with its capitals written small."""
        hits = self._engine.find(text)
        small = _SHOUT.sub(lambda words: fold_case(words[0]), text)
        if small != text:
            for hit in self._shout_engine.find(small):
                if small[hit.start : hit.end] != text[hit.start : hit.end]:
                    hits.append(hit)
        return hits

    def _make_mention(self, document: Document, hit: Hit) -> Mention:
        start, end, rule = hit.start, hit.end, hit.rule
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
