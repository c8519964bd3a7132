"""The findings in a file, kept as JSON: they are made once, and every later version of the page starts from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from maskwise import io
from maskwise.errors import InputError
from maskwise.files import make_documents, read_file
from maskwise.long import LONG
from maskwise.result import Draft
from maskwise.sanitizer import Sanitizer
from maskwise.server.review.marks import EntityFacts, Mark, MarkState, make_entity, mark_entities
from maskwise.server.review.shown import WordIndex
from maskwise.text import Document, EntityType, Evidence, IdentifierType, Person
from maskwise.text.confidential import Confidential, Disclosure, Holder

GLUE = "\n\n"  # between the texts of a file, such as the rows of a table


@dataclass(frozen=True)
class ReviewText:
    """The texts of a file as one: what the page shows, and where each part begins in it."""

    documents: tuple[Document, ...]
    loaded: io.Loaded = field(repr=False)

    @cached_property
    def text(self) -> str:
        return GLUE.join(document.text for document in self.documents)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        found, at = [], 0
        for document in self.documents:
            found.append(at)
            at += len(document) + len(GLUE)
        return tuple(found)

    @cached_property
    def index(self) -> WordIndex:
        return WordIndex(self.text)

    def name_prefix(self, part: int) -> str:
        """The prefix that tells the entities of one part from those of another."""
        return "" if len(self.documents) == 1 else f"{part}."


def read_review_text(
    sanitizer: Sanitizer, raw: bytes, name: str, people: tuple[Person, ...]
) -> ReviewText:
    """Read a file into the text that the page shows."""
    loaded = read_file(raw, name, sanitizer.policy)
    documents = make_documents(loaded, name, people)
    if any(len(document) >= LONG for document in documents):
        raise InputError(f"{name}: has {LONG:,} characters or more; split it to review it")
    if not any(document.text.strip() for document in documents):
        raise InputError(f"{name}: has no text to review")
    return ReviewText(tuple(map(sanitizer.prepare, documents)), loaded)


def make_drafts(sanitizer: Sanitizer, whole: ReviewText) -> list[Draft]:
    """The findings in each part of a text."""
    return [sanitizer.draft(document) for document in whole.documents]


def mark_drafts(whole: ReviewText, drafts: Sequence[Draft]) -> MarkState:
    """The state before any edit."""
    marks: dict[str, Mark] = {}
    facts: dict[str, EntityFacts] = {}
    for at, draft in enumerate(drafts):
        found = mark_entities(draft.entities, whole.starts[at], whole.name_prefix(at))
        marks.update(found.marks)
        facts.update(found.facts)
    return MarkState(marks, facts)


def dump_drafts(whole: ReviewText, drafts: Sequence[Draft]) -> dict[str, Any]:
    state = mark_drafts(whole, drafts)
    evidence = [[_dump_evidence(item) for item in draft.evidence] for draft in drafts]
    return {
        "marks": [mark.to_json() for mark in state.marks.values()],
        "facts": {name: _dump_facts(facts) for name, facts in state.facts.items()},
        "evidence": evidence,
        "read": [dict(draft.read) for draft in drafts],
    }


def load_state(raw: Mapping[str, Any]) -> MarkState:
    """The state before any edit, from JSON."""
    marks = [Mark.from_json(one) for one in raw["marks"]]
    facts = {name: _load_facts(one) for name, one in raw["facts"].items()}
    return MarkState({mark.id: mark for mark in marks}, facts)


def load_drafts(whole: ReviewText, raw: Mapping[str, Any]) -> list[Draft]:
    """The drafts of the parts, from JSON. Their entities have the ids of the page."""
    state = load_state(raw)
    by_part: list[list[Any]] = [[] for _ in whole.documents]
    for name, marks in state.by_entity.items():
        at = find_part(whole, marks[0].start)
        by_part[at].append(
            make_entity(name, state.facts[name], marks, whole.documents[at], whole.starts[at])
        )
    drafts = []
    for at, document in enumerate(whole.documents):
        prefix = whole.name_prefix(at)
        evidence = tuple(_load_evidence(one, prefix) for one in raw["evidence"][at])
        drafts.append(Draft(document, tuple(by_part[at]), evidence, raw["read"][at]))
    return drafts


def find_part(whole: ReviewText, offset: int) -> int:
    """The part of the text in which an offset lies."""
    from bisect import bisect_right

    return bisect_right(whole.starts, offset) - 1


def _dump_facts(facts: EntityFacts) -> list[Any]:
    told = facts.disclosure
    disclosed = [told.start, told.end, told.category.value, told.holder] if told else None
    return [facts.type.value, facts.identifier.value, facts.protected, disclosed]


def _load_facts(raw: Sequence[Any]) -> EntityFacts:
    kind, identifier, protected, told = raw
    disclosure = None
    if told:
        start, end, category, holder = told
        who = holder if isinstance(holder, int) else Holder(holder)
        disclosure = Disclosure(start, end, Confidential(category), who)
    return EntityFacts(EntityType(kind), IdentifierType(identifier), protected, disclosure)


def _dump_evidence(item: Evidence) -> list[Any]:
    return [
        list(item.entities),
        item.score,
        item.threshold,
        item.risky,
        item.reason,
        item.indicator,
        item.silent,
    ]


def _load_evidence(raw: Sequence[Any], prefix: str) -> Evidence:
    entities, *rest = raw
    return Evidence(tuple(prefix + name for name in entities), *rest)
