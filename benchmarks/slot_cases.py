"""Slot cases: sentences with one mention, and what the operator writes for every level of its ladder.

A file of cases holds blocks. The first line is "slot TYPE/subtype: sentence with its [mention]", where \\n and \\t
are a line break and a tab. The lines below are the sentences that were read; "!" before one says that its reader
found it broken, and "-" that it reads well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from maskwise.mask import render_plan
from maskwise.mask.generalise import Generalise, find_levels
from maskwise.text import Action, Decision, Document, Entity, EntityType, Plan

_HEAD = re.compile(r"(?P<slot>[a-z]+) (?P<kind>[A-Z]+)(?:/(?P<subtype>\w+))?: (?P<text>.*)")
_OPERATORS = {kind: Generalise() for kind in EntityType}


@dataclass(frozen=True)
class Case:
    """A sentence with its mention, and the sentences that were read: whether each is broken."""

    head: str
    read: dict[str, bool]

    @property
    def slot(self) -> str:
        return self.head.partition(" ")[0]

    @property
    def entity(self) -> Entity:
        found = _HEAD.fullmatch(self.head)
        if found is None:
            raise ValueError(f"no slot case: {self.head}")
        before, mention, after = re.split(r"[\[\]]", _unescape(found["text"]))
        document = Document(before + mention + after)
        kind = EntityType(found["kind"])
        span = (len(before), len(before) + len(mention))
        return Entity("e1", kind, (document.mention(*span, kind, subtype=found["subtype"] or ""),))

    def write(self) -> list[str]:
        """What is written for each level and for the kind alone, each sentence once."""
        entity = self.entity
        levels = range(1, len(find_levels(entity)) + 1)
        decisions = [Decision("e1", Action.GENERALISE, (), level=level) for level in levels]
        decisions.append(Decision("e1", Action.SUPPRESS, ()))
        plans = [Plan((decision,), 0.0, False) for decision in decisions]
        document = entity.first.document
        texts = [render_plan(document, [entity], plan, _OPERATORS).text for plan in plans]
        return [_escape(text) for text in dict.fromkeys(texts)]


def read_cases(path: Path) -> list[Case]:
    return list(_split_blocks(path.read_text("utf-8").splitlines()))


def _split_blocks(lines: list[str]) -> Iterator[Case]:
    case = None
    for line in lines:
        if not line or line.startswith("#"):
            continue
        if line[:2] in ("- ", "! ") and case:
            case.read[line[2:]] = line[0] == "!"
            continue
        if case:
            yield case
        case = Case(line, {})
    if case:
        yield case


def _escape(text: str) -> str:
    return text.replace("\n", "\\n").replace("\t", "\\t")


def _unescape(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\t", "\t")
