"""Texts with marked mentions: `[PERSON Ana Souza]` in a template becomes a mention of that type."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from maskwise.link import RuleLinker
from maskwise.text import Document, Entity, EntityType, Mention, Person

_MARK = re.compile(r"\[([A-Z]+) ([^\]]+)\]")


def marked(template: str, protect: tuple[Person, ...] = ()) -> tuple[Document, list[Mention]]:
    parts, spans, at, size = [], [], 0, 0
    for match in _MARK.finditer(template):
        before = template[at : match.start()]
        parts += [before, match[2]]
        spans.append((size + len(before), size + len(before) + len(match[2]), EntityType(match[1])))
        size += len(before) + len(match[2])
        at = match.end()
    document = Document("".join(parts) + template[at:], protected=protect)
    return document, [document.mention(*span, source="marks") for span in spans]


def entities(template: str, *protect: str | Person, propagate: bool = True) -> list[Entity]:
    people = tuple(Person(p) if isinstance(p, str) else p for p in protect)
    return RuleLinker(propagate=propagate).link(*marked(template, people))


Groups = Callable[..., list[list[str]]]


@pytest.fixture
def groups() -> Groups:
    """Entities of a template as lists of strings, in order."""

    def group(template: str, *protect: str | Person, propagate: bool = True) -> list[list[str]]:
        return [
            [m.text for m in e.mentions] for e in entities(template, *protect, propagate=propagate)
        ]

    return group


@pytest.fixture
def link() -> Callable[..., list[Entity]]:
    return entities
