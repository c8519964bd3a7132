"""Fills templates: `{slot}` becomes an invented value with its span, `⟨a|b⟩` one choice, `[[text|TYPE|.5]]` a span.

A slot keeps its value through a document; `{slot!}` draws a new one each time. In a file, templates are separated by
lines of `---`. A line that begins with `?` is kept in half of the documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from documents.identities import Cast, Value

_CHOICE = re.compile(r"⟨([^⟨⟩]*)⟩")
_SLOT = re.compile(r"\{([a-z0-9_.]+)(!?)\}|\[\[([^|\]]+)\|([A-Z]+)\|([0-9.]+)\]\]")


@dataclass(frozen=True)
class InventedSpan:
    """A span of an invented document: its type, how likely an annotator masks it, and whether it is direct."""

    start: int
    end: int
    type: str
    mask: float
    direct: bool = False


@dataclass
class InventedDocument:
    """A text with its spans. `name` is that of the person it is about."""

    id: str
    kind: str
    text: str
    spans: list[InventedSpan] = field(default_factory=list)
    name: str = ""


def read_templates(path: Path) -> list[str]:
    """Reads the templates of a file."""
    parts = path.read_text(encoding="utf-8").split("\n---\n")
    return [part.strip("\n") for part in parts if part.strip()]


def fill_template(template: str, cast: Cast, id: str = "", kind: str = "") -> InventedDocument:
    """Returns a document made from a template."""
    text = _choose_words(_drop_lines(template, cast.random), cast.random)
    parts: list[str] = []
    spans: list[InventedSpan] = []
    at = 0
    for part in _split_parts(text, cast):
        value = part if isinstance(part, Value) else Value(part)
        if value.type:
            spans.append(
                InventedSpan(at, at + len(value.text), value.type, value.mask, value.direct)
            )
        parts.append(value.text)
        at += len(value.text)
    return InventedDocument(id, kind, "".join(parts), spans, cast.draw("p").text)


def _split_parts(text: str, cast: Cast) -> Iterator[str | Value]:
    """Yields the plain parts of a template and the values of its slots, in order."""
    end = 0
    for slot in _SLOT.finditer(text):
        yield text[end : slot.start()]
        if slot[1]:
            yield from cast.draw_parts(slot[1], fresh=bool(slot[2]))
        else:
            yield Value(slot[3], slot[4], float(slot[5]))
        end = slot.end()
    yield text[end:]


def _drop_lines(template: str, random: Random) -> str:
    lines = []
    for line in template.split("\n"):
        if not line.startswith("?"):
            lines.append(line)
        elif random.random() < 0.5:
            lines.append(line[1:])
    return "\n".join(lines)


def _choose_words(text: str, random: Random) -> str:
    while "⟨" in text:
        text = _CHOICE.sub(lambda choice: random.choice(choice[1].split("|")), text)
    return text
