"""`ReviewProject`: the documents of a review, their histories and plans, behind one lock per document."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from maskwise.crowd.measured import CrowdRisk
from maskwise.errors import InputError, PlanError
from maskwise.revising import Reviser
from maskwise.server.review.drafts import (
    ReviewText,
    dump_drafts,
    find_part,
    load_drafts,
    load_state,
    make_drafts,
    read_review_text,
)
from maskwise.server.review.history import EDIT, REDO, UNDO, History, ReviewEvent
from maskwise.server.review.pages import count_pages
from maskwise.server.review.plans import (
    Outlook,
    Planner,
    count_doubtful,
    describe_entity,
    is_flipped,
    list_changed,
)
from maskwise.server.review.requests import resolve_request
from maskwise.server.review.shown import refuse_told
from maskwise.server.review.status import StatusBook
from maskwise.server.review.store import ReviewStore, StoredDocument
from maskwise.server.review.turns import SupersededError, Turns
from maskwise.text import Evidence, Person

REVIEW = "review"  # the layer of the edits of a review
RISK = "risk:"  # prefix of the settings with the first measured risk of a document
NOBODY = "-"  # the risk of a document without people to look for
DOUBTFUL = "doubtful:"  # prefix of the settings with the number of doubtful mentions


@dataclass
class OpenDocument:
    """A document in memory: its history and its plan, as its events say."""

    stored: StoredDocument
    planner: Planner
    history: History
    outlook: Outlook
    version: int
    found: Sequence[Sequence[Evidence]] = ()
    measured: tuple[int, CrowdRisk | None] | None = field(default=None, repr=False)  # by version
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @property
    def whole(self) -> ReviewText:
        return self.planner.whole


@dataclass
class ReviewProject:
    """All documents of a project. `people` are those to protect."""

    store: ReviewStore
    reviser: Reviser
    people: tuple[Person, ...] = ()
    second: bool = False  # whether another person confirms each document, whatever the policy says
    _turns: Turns = field(default_factory=Turns, repr=False)
    _open: dict[int, OpenDocument] = field(default_factory=dict, repr=False)
    _lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def __post_init__(self) -> None:
        if self.reviser.watch is not None:
            watch = replace(self.reviser.watch, pause=self._turns.give_way)
            self.reviser = replace(self.reviser, watch=watch)

    @property
    def needs_second(self) -> bool:
        """Whether a document is written once another person than the one who sent it approved it."""
        return self.second or self.reviser.sanitizer.policy.second_reader

    def take_in(self, name: str, raw: bytes) -> int:
        """Read a file and find what is in it. A file that is known with the same bytes stays as it is."""
        digest = hashlib.sha256(raw).hexdigest()
        for number, known, sha256 in self.store.list_documents():
            if known == name and sha256 == digest:
                return number
            if known == name:
                raise InputError(
                    f"{name}: has changed since its review began; name another --state"
                )
        sanitizer = self.reviser.sanitizer
        whole = read_review_text(sanitizer, raw, name, self.people)
        drafts = make_drafts(sanitizer, whole)
        number = self.store.add_document(name, digest, raw, dump_drafts(whole, drafts))
        self.store.write_setting(f"{DOUBTFUL}{number}", str(count_doubtful(drafts)))
        return number

    def open(self, number: int) -> OpenDocument:
        """A document with all its events. It is read once."""
        with self._lock:
            if number not in self._open:
                self._open[number] = self._load(number)
            return self._open[number]

    def _load(self, number: int) -> OpenDocument:
        stored = self.store.read_document(number)
        sanitizer = self.reviser.sanitizer
        whole = read_review_text(sanitizer, stored.raw, stored.name, self.people)
        start = load_state(stored.draft)
        planner = Planner(self.reviser, whole, start, load_drafts(whole, stored.draft))
        events = self.store.list_events(number, REVIEW)
        history = History.replay(start, events)
        version = events[-1].seq if events else 0
        found = planner.hide(history.state) if self.reviser.hides else ()
        outlook = planner.plan(history.state, found)
        return OpenDocument(stored, planner, history, outlook, version, found)

    def edit(
        self,
        number: int,
        version: int,
        request: Mapping[str, Any],
        author: str,
        can_edit: Callable[[int], bool] = lambda other: True,
    ) -> dict[str, Any]:
        """Do what a person asks for, in this document and, if asked, in all others that they can edit.

        Returns what changed here.
        """
        opened = self.open(number)
        with self._turns.edit():
            with opened.lock:
                edit = resolve_request(opened.outlook, opened.whole.text, request)
                wanted = _list_texts(opened, request)
                group = secrets.token_hex(8) if request.get("scope") == "batch" else ""
                event = ReviewEvent(EDIT, author, edit, group=group)
                answer = self._add(number, opened, event, version)
            if group:
                others = [one for one, _, _ in self.store.list_documents() if one != number]
                allowed = filter(can_edit, others)
                answer["documents"] = self._repeat(allowed, wanted, request, author, group)
        return answer

    def step(
        self,
        number: int,
        version: int,
        kind: str,
        author: str,
        can_edit: Callable[[int], bool] = lambda other: True,
    ) -> dict[str, Any]:
        """Undo or redo, in all documents in which the same step was the last."""
        if kind not in (UNDO, REDO):
            raise InputError("a step is undo or redo")
        opened = self.open(number)
        with self._turns.edit():
            with opened.lock:
                group = opened.history.find_group(kind)
                answer = self._add(number, opened, ReviewEvent(kind, author), version)
            if group:
                others = [one for one in self.store.list_grouped(group) if one != number]
                allowed = filter(can_edit, others)
                answer["documents"] = self._step_others(allowed, kind, author, group)
        return answer

    def _step_others(self, others: Iterable[int], kind: str, author: str, group: str) -> int:
        """Take the same step back, or do it again, where nothing came after it. Returns in how many documents."""
        count = 0
        for other in others:
            opened = self.open(other)
            with opened.lock, suppress(InputError):
                if opened.history.find_group(kind) == group:
                    self._add(other, opened, ReviewEvent(kind, author), None)
                    count += 1
        return count

    def _add(
        self, number: int, opened: OpenDocument, event: ReviewEvent, version: int | None
    ) -> dict[str, Any]:
        """Plan first, then write: an event that cannot be planned never happened."""
        state = opened.history.preview(event)
        try:
            outlook = opened.planner.plan(state, opened.found)
        except PlanError:
            raise InputError("no plan fits these decisions") from None
        if event.kind == EDIT:
            refuse_told(state, outlook.entities, outlook.decisions, opened.history.state)
        items = [(number, REVIEW, event, version), *self.book.list_beginning(number, event.author)]
        opened.version, *_ = self.store.append_all(items)
        opened.history.add(event, state)
        before, opened.outlook = opened.outlook, outlook
        return self._describe_change(opened, before)

    def _repeat(
        self,
        others: Iterable[int],
        wanted: set[str],
        request: Mapping[str, Any],
        author: str,
        group: str,
    ) -> int:
        """Do the same to equal texts of other documents, where it can be done. Returns in how many it was."""
        count = 0
        for other in others:
            opened = self.open(other)
            with opened.lock:
                same = _find_same(opened, wanted, request)
                if same is not None:
                    with suppress(
                        InputError
                    ):  # a document may forbid it, such as by whom it protects
                        edit = resolve_request(opened.outlook, opened.whole.text, same)
                        event = ReviewEvent(EDIT, author, edit, group=group)
                        self._add(other, opened, event, None)
                        count += 1
        return count

    def describe(self, number: int) -> dict[str, Any]:
        """The whole document for the page. It writes nothing."""
        opened = self.open(number)
        with opened.lock:
            outlook = opened.outlook
            return {
                "id": number,
                "name": opened.stored.name,
                "text": opened.whole.text,
                "pages": count_pages(opened.stored.name, opened.stored.raw),
                **self.book.read(number),
                "marks": _list_marks(outlook),
                "entities": [self._describe_one(opened, name) for name in outlook.entities],
                "edits": [[*span, text] for span, text in outlook.edits.items()],
                **self._describe_state(opened),
            }

    def _describe_state(self, opened: OpenDocument) -> dict[str, Any]:
        return {
            "version": opened.version,
            "kept": round(opened.outlook.kept, 4),
            "undo": len(opened.history.done),
            "redo": len(opened.history.undone),
            "shown": [one.describe() for one in opened.outlook.shown],
        }

    def _describe_one(self, opened: OpenDocument, name: str) -> dict[str, Any]:
        part = find_part(opened.whole, opened.outlook.state.by_entity[name][0].start)
        return describe_entity(opened.outlook, name, self.reviser, part)

    def _describe_change(self, opened: OpenDocument, old: Outlook) -> dict[str, Any]:
        new = opened.outlook
        changed = list_changed(old, new)
        targets = set(new.state.overrides) ^ set(old.state.overrides)
        targets |= {
            name
            for name, one in new.state.overrides.items()
            if old.state.overrides.get(name) != one
        }
        flipped = [n for n in changed if n not in targets and is_flipped(old, new, n)]
        moved = new.state.marks != old.state.marks
        return {
            **self._describe_state(opened),
            "entities": [self._describe_one(opened, name) for name in changed],
            "gone": [name for name in old.entities if name not in new.entities],
            "marks": _list_marks(new) if moved else None,
            "edits": [[*span, t] for span, t in new.edits.items() if old.edits.get(span) != t],
            "dropped": [list(span) for span in old.edits if span not in new.edits],
            "elsewhere": flipped,
            "kept_before": round(old.kept, 4),
        }

    def measure(self, number: int) -> dict[str, Any]:
        """Where people rank now, for the page; `stale` where an edit came meanwhile."""
        try:
            version, change, risk = self.measure_risk(number)
        except SupersededError:
            return {"stale": True}
        return {"version": version, "change": change, "risk": describe_risk(risk)}

    def measure_risk(
        self, number: int, is_wanted: bool = True
    ) -> tuple[int, dict[str, Any] | None, CrowdRisk | None]:
        """The version, what hiding people anew changed in its plan, and where they rank under it.

        Nobody who edits waits for it: an edit raises `SupersededError` here. A version is measured once, however many
        ask for it.
        """
        opened = self.open(number)
        version = opened.version
        with self._turns.measure(lambda: opened.version != version, is_wanted):
            if opened.measured is not None and opened.measured[0] == version == opened.version:
                return version, None, opened.measured[1]
            change = self._hide_anew(opened, version) if self.reviser.hides else None
            risk = opened.planner.measure(opened.outlook)
            opened.measured = version, risk
            return version, change, risk

    def _hide_anew(self, opened: OpenDocument, version: int) -> dict[str, Any] | None:
        """Plan again what hides people, where the policy asks for it. Returns what changed."""
        found = opened.planner.hide(opened.history.state)
        with opened.lock:
            if opened.version != version:
                raise SupersededError
            if found == opened.found:
                return None
            opened.found, before = found, opened.outlook
            opened.outlook = opened.planner.plan(opened.history.state, found)
            return self._describe_change(opened, before)

    @property
    def book(self) -> StatusBook:
        return StatusBook(self.store)

    def rank_queue(self) -> None:
        """Measure every document once, so that the queue knows which is the riskiest."""
        for line in self.list_queue():
            number = line["id"]
            while not self.store.read_setting(f"{RISK}{number}"):
                try:
                    _, _, risk = self.measure_risk(number, is_wanted=False)
                except SupersededError:
                    continue
                told = [one.probability for one in risk.persons] if risk else []
                written = f"{max(told):.4f}" if told else NOBODY
                self.store.write_setting(f"{RISK}{number}", written)

    def list_queue(self) -> list[dict[str, Any]]:
        """All documents: those with the highest measured risk first, then those with the most doubtful mentions."""
        found = []
        for number, name, _ in self.store.list_documents():
            raw = self.store.read_setting(f"{RISK}{number}", NOBODY)
            risk = None if raw == NOBODY else float(raw)
            doubtful = int(self.store.read_setting(f"{DOUBTFUL}{number}", "0"))
            line = {"id": number, "name": name, "risk": risk, "doubtful": doubtful}
            assigned = self.book.read_assigned(number)
            found.append({**line, "assigned": assigned, **self.book.read(number)})
        found.sort(key=_rate_urgency)
        return found


def _rate_urgency(line: Mapping[str, Any]) -> tuple[float, int, int]:
    risk = -1.0 if line["risk"] is None else line["risk"]
    return -risk, -line["doubtful"], line["id"]


def describe_risk(risk: CrowdRisk | None) -> dict[str, Any] | None:
    if risk is None:
        return None
    persons = []
    for person in risk.persons:
        before = min(one.rank for one in person.before.values())
        persons.append(
            {
                "label": person.label,
                "before": before,
                "after": person.rank,
                "probability": round(person.probability, 4),
            }
        )
    return {"people": risk.people, "k": risk.k, "persons": persons, "note": risk.note}


def _list_marks(outlook: Outlook) -> list[list[Any]]:
    marks = sorted(outlook.state.marks.values(), key=lambda one: (one.start, one.end))
    return [[one.id, one.start, one.end, one.entity] for one in marks]


def _list_texts(source: OpenDocument, request: Mapping[str, Any]) -> set[str]:
    text = source.whole.text
    if request.get("do") == "mark":
        return {text[start:end] for start, end in request.get("spans", ())}
    marks = source.outlook.state.by_entity.get(str(request.get("entity")), ())
    return {text[mark.start : mark.end] for mark in marks}


def _find_same(
    opened: OpenDocument, wanted: set[str], request: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The request as it would be asked in another document; None where it has no such text."""
    text = opened.whole.text
    if request.get("do") == "mark":
        start = next((text.find(one) for one in wanted if one in text), -1)
        size = next((len(one) for one in wanted if one in text), 0)
        return {**request, "spans": [[start, start + size]], "scope": "document"} if size else None
    for name, marks in opened.outlook.state.by_entity.items():
        if any(text[mark.start : mark.end] in wanted for mark in marks):
            return {**request, "entity": name, "mark": marks[0].id, "scope": "document"}
    return None
