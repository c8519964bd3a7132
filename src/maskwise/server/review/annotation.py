"""`AnnotationProject`: a corpus in TAB's format in the making, with one layer per annotator that nobody else writes."""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from maskwise.errors import InputError
from maskwise.evaluate.agreement import measure_agreement
from maskwise.evaluate.tab import Score
from maskwise.sanitizer import Sanitizer
from maskwise.server.review.adjudicating import resolve_take
from maskwise.server.review.drafts import dump_drafts, load_state, make_drafts, read_review_text
from maskwise.server.review.history import EDIT, REDO, UNDO, History, ReviewEvent
from maskwise.server.review.layers import (
    ADJUDICATED,
    NO_LAYER,
    PRE,
    compare_layers,
    list_masked,
    make_layer,
    mark_layer,
    resolve_annotation,
)
from maskwise.server.review.marks import Mark, MarkState
from maskwise.server.review.status import StatusBook
from maskwise.server.review.store import ReviewStore
from maskwise.text.tab import AnnotatedDocument, Layer, Raw, parse_corpus

WORK, STEP = "layer:", "status:"  # prefixes of the layers of events of an annotator
RESAMPLES = 200  # for the intervals of agreement while people work


@dataclass
class OpenLayer:
    """A layer in memory, as its events say."""

    base: Layer
    raws: Mapping[str, Raw]
    history: History
    version: int
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @property
    def state(self) -> MarkState:
        return self.history.state


@dataclass
class AnnotationProject:
    """All documents. `shows_draft` says whether layers begin with what the policy found, or whoever wants it asks."""

    store: ReviewStore
    sanitizer: Sanitizer
    drafts: bool = False  # whether the policy marks documents first
    shows_draft: bool = True
    _items: dict[int, AnnotatedDocument] = field(default_factory=dict, repr=False)
    _open: dict[tuple[int, str], OpenLayer] = field(default_factory=dict, repr=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @property
    def book(self) -> StatusBook:
        return StatusBook(self.store)

    def take_in(self, name: str, raw: bytes) -> list[int]:
        """Take in the documents of a TAB corpus, or the text of a file of any other kind."""
        found = _read_tab(name, raw)
        if found is None:
            whole = read_review_text(self.sanitizer, raw, name, ())
            found = [{"doc_id": name, "text": whole.text, "annotations": {}}]
        return [self._add(entry) for entry in found]

    def _add(self, entry: Mapping[str, Any]) -> int:
        raw = json.dumps(entry, ensure_ascii=False).encode("utf-8", "surrogatepass")
        digest = hashlib.sha256(raw).hexdigest()
        name = str(entry["doc_id"])
        for number, known, sha256 in self.store.list_documents():
            if known == name and sha256 == digest:
                return number
            if known == name:
                raise InputError(
                    f"{name}: has changed since its project began; name another --state"
                )
        draft = self._draft(str(entry["text"])) if self.drafts else None
        return self.store.add_document(name, digest, raw, draft)

    def _draft(self, text: str) -> Any:
        whole = read_review_text(self.sanitizer, text.encode(), "text.txt", ())
        return dump_drafts(whole, make_drafts(self.sanitizer, whole))

    def read_item(self, number: int) -> AnnotatedDocument:
        """A document as it was taken in."""
        if number not in self._items:
            stored = self.store.read_document(number)
            entry = json.loads(stored.raw.decode("utf-8", "surrogatepass"))
            self._items[number] = parse_corpus([entry], stored.name)[0]
        return self._items[number]

    def open(self, number: int, name: str) -> OpenLayer:
        """A layer with all its events. It is read once; a new one is written with its first event."""
        with self._lock:
            if (number, name) not in self._open:
                self._open[number, name] = self._load(number, name)
            return self._open[number, name]

    def _load(self, number: int, name: str) -> OpenLayer:
        item = self.read_item(number)
        base = next((one for one in item.layers if one.annotator == name), None)
        state, raws = mark_layer(base or NO_LAYER)
        if base is None and self.shows_draft and name != ADJUDICATED:
            state = _soften(self.list_draft(number))
            base = Layer(name, (), self._name_policy() if state.marks else {})
        events = self.store.list_events(number, WORK + name)
        history = History.replay(state, events)
        version = events[-1].seq if events else 0
        return OpenLayer(base or Layer(name, ()), raws, history, version)

    def _name_policy(self) -> dict[str, Any]:
        return {PRE: self.sanitizer.policy.name}

    def list_draft(self, number: int) -> list[Mark]:
        """The marks of the policy, if it was asked."""
        raw = self.store.read_document(number).draft
        return list(load_state(raw).marks.values()) if raw else []

    def edit(
        self, number: int, version: int, request: Mapping[str, Any], author: str, layer: str
    ) -> dict[str, Any]:
        opened = self.open(number, layer)
        with opened.lock:
            edit = self._resolve(number, layer, opened.state, request)
            return self._take(number, layer, ReviewEvent(EDIT, author, edit), version)

    def _resolve(
        self, number: int, layer: str, state: MarkState, request: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """The edit that somebody asks for. Only the adjudicated layer is made of those of others."""
        text = self.read_item(number).document.text
        if request.get("do") == "take" and layer == ADJUDICATED:
            return resolve_take(state, text, request.get("rows"), self._list_states(number))
        draft = self.list_draft(number) if request.get("do") == "draft" else ()
        return resolve_annotation(state, text, request, draft)

    def step(self, number: int, version: int, kind: str, author: str, layer: str) -> dict[str, Any]:
        """Undo or redo."""
        if kind not in (UNDO, REDO):
            raise InputError("a step is undo or redo")
        with self.open(number, layer).lock:
            return self._take(number, layer, ReviewEvent(kind, author), version)

    def _take(self, number: int, layer: str, event: ReviewEvent, version: int) -> dict[str, Any]:
        opened = self.open(number, layer)
        state = opened.history.preview(event)
        begun = self.book.list_beginning(number, event.author, STEP + layer)
        opened.version, *_ = self.store.append_all([(number, WORK + layer, event, version), *begun])
        opened.history.add(event, state)
        return self.describe(number, layer, with_text=False)

    def describe(self, number: int, layer: str, with_text: bool = True) -> dict[str, Any]:
        """A layer for the page. It writes nothing."""
        opened = self.open(number, layer)
        item = self.read_item(number)
        with opened.lock:
            state = opened.state
            found = {
                "id": number,
                "name": item.document.id,
                "layer": layer,
                "version": opened.version,
                "undo": len(opened.history.done),
                "redo": len(opened.history.undone),
                "marks": _list_labelled(state),
                "entities": [_describe_linked(state, name) for name in state.by_entity],
                "edits": [list(one) for one in list_masked(state)],
                **self.book.read(number, STEP + layer),
            }
        if with_text:
            task = item.raw.get("task")
            found |= {"text": item.document.text, "task": task if isinstance(task, str) else ""}
        return found

    def list_names(self, number: int) -> list[str]:
        """The layers that hold work of somebody: those of the file, then those of people here."""
        names = [layer.annotator for layer in self.read_item(number).layers]
        for known in self.store.list_worked(number):
            name = known.partition(":")[2]
            if known.startswith((WORK, STEP)) and name and name not in names:
                names.append(name)
        return names

    def compare(self, number: int) -> list[dict[str, Any]]:
        """The difference of all layers but the adjudicated one."""
        return compare_layers(self._list_states(number))

    def _list_states(self, number: int) -> dict[str, MarkState]:
        names = [name for name in self.list_names(number) if name != ADJUDICATED]
        return {name: self.open(number, name).state for name in names}

    def export(self, with_adjudicated: bool = True) -> list[AnnotatedDocument]:
        """The corpus as it stands."""
        return [
            self._export_one(number, with_adjudicated)
            for number, _, _ in self.store.list_documents()
        ]

    def _export_one(self, number: int, with_adjudicated: bool) -> AnnotatedDocument:
        item = self.read_item(number)
        layers = []
        for name in self.list_names(number):
            if name == ADJUDICATED and not with_adjudicated:
                continue
            opened = self.open(number, name)
            base = opened.base
            if any(event.body.get(PRE) for event in opened.history.done):
                base = Layer(name, (), {**base.raw, **self._name_policy()})
            layers.append(make_layer(item.document, base, opened.state, opened.raws, name))
        return AnnotatedDocument(item.document, tuple(layers), item.raw)

    def measure(self) -> list[dict[str, Any]]:
        """The figures of `maskwise agreement` over the layers as they are now."""
        corpus = [item for item in self.export(with_adjudicated=False) if len(item.layers) > 1]
        rows = []
        for one in measure_agreement(corpus, resamples=RESAMPLES) if corpus else ():
            scores = {name: _describe_score(score) for name, score in one.scores.items()}
            head = {"attribute": one.attribute, "unit": one.unit, "documents": one.documents}
            rows.append({**head, **scores})
        return rows

    def list_queue(self, name: str, leads: bool = False) -> list[dict[str, Any]]:
        """The documents in the order in which they came, with how far a person is.

        Who leads and has no layer of their own sees the layer that is least far.
        """
        found = []
        for number, known, _ in self.store.list_documents():
            assigned = self.book.read_assigned(number)
            layers = self.list_names(number)
            line = {"id": number, "name": known, "assigned": assigned, "layers": layers}
            told = self.book.read(number, STEP + name)
            if leads and name not in layers:
                told = self.book.read_least(number)
            found.append({**line, **told})
        return found


def assign_documents(
    numbers: Sequence[int], names: Sequence[str], share: float
) -> dict[int, list[str]]:
    """Divide documents among annotators: everybody in turn, and a share of the documents evenly spread by two people.

    >>> assign_documents([1, 2, 3, 4], ["Ana", "Ivo"], 0.5)
    {1: ['Ana'], 2: ['Ivo', 'Ana'], 3: ['Ana'], 4: ['Ivo', 'Ana']}
    """
    found = {}
    for at, number in enumerate(numbers):
        people = [names[at % len(names)]]
        is_double = math.floor((at + 1) * share) > math.floor(at * share)
        if is_double and len(names) > 1:
            people.append(names[(at + 1) % len(names)])
        found[number] = people
    return found


def _read_tab(name: str, raw: bytes) -> list[dict[str, Any]] | None:
    """The documents of a TAB corpus; None for a file of another kind."""
    if PurePath(name).suffix.lower() != ".json":
        return None
    try:
        value = json.loads(raw.decode("utf-8-sig"))
    except ValueError:
        return None
    if not isinstance(value, list) or not value:
        return None
    if not all(isinstance(one, dict) and "doc_id" in one and "text" in one for one in value):
        return None
    parse_corpus(value, name)
    return value


def _soften(draft: Sequence[Mark]) -> MarkState:
    """The marks of a policy, as the beginning of a layer."""
    from maskwise.server.review.marks import EntityFacts

    facts = {mark.entity: EntityFacts(mark.type, mark.identifier) for mark in draft}
    return MarkState({mark.id: mark for mark in draft}, facts)


def _list_labelled(state: MarkState) -> list[list[Any]]:
    marks = sorted(state.marks.values(), key=lambda one: (one.start, one.end))
    return [
        [m.id, m.start, m.end, m.entity, m.type.value, m.identifier.value, m.confidential]
        for m in marks
    ]


def _describe_linked(state: MarkState, name: str) -> dict[str, Any]:
    mark = state.by_entity[name][0]
    is_masked = any(one.identifier.value != "NONE" for one in state.by_entity[name])
    return {
        "id": name,
        "type": mark.type.value,
        "identifier": mark.identifier.value,
        "confidential": mark.confidential,
        "action": "suppress" if is_masked else "keep",
        "replacement": f"[{mark.type.value}]" if is_masked else None,
        "score": round(mark.score, 3),
        "doubt": 0.0 if mark.certain else round(1.0 - abs(2.0 * mark.score - 1.0), 3),
        "reasons": [],
        "levels": [],
        "accepted": False,
    }


def _describe_score(score: Score) -> list[float | None]:
    values = (score.value, score.low, score.high)
    return [None if math.isnan(one) else round(one, 4) for one in values]
