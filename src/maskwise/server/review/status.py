"""`StatusBook`: how far each document is, who has it, and how a project went on from day to day."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from maskwise.errors import InputError
from maskwise.server.review.history import ReviewEvent
from maskwise.server.review.store import NewEvent, ReviewStore

STATUS = "status"
ASSIGNED = "assigned"
FREE, IN_WORK, TO_CONFIRM, DONE = "free", "in work", "to be confirmed", "done"
STATUSES = (FREE, IN_WORK, TO_CONFIRM, DONE)


@dataclass(frozen=True)
class StatusBook:
    """Statuses are events too: the last one holds."""

    store: ReviewStore

    def read(self, number: int, layer: str = STATUS) -> dict[str, Any]:
        """How far a document is, and what became of it."""
        found: dict[str, Any] = {"status": FREE, "by": "", "sender": ""}
        for event in self.store.list_events(number, layer):
            found.update(event.body)
            found["by"] = event.author
        return found

    def read_least(self, number: int) -> dict[str, Any]:
        """How far the layer of a document is that is least far."""
        layers = [one for one in self.store.list_worked(number) if one.startswith(STATUS)]
        told = [self.read(number, layer) for layer in layers] or [self.read(number)]
        return min(told, key=lambda one: STATUSES.index(one["status"]))

    def write(self, number: int, author: str, layer: str = STATUS, **fields: Any) -> None:
        status = fields.get("status")
        if status is not None and status not in STATUSES:
            raise InputError(f"a status is one of {', '.join(STATUSES)}")
        if status == TO_CONFIRM:
            fields["sender"] = author
        self.store.append(number, layer, ReviewEvent(STATUS, author, fields))

    def list_beginning(self, number: int, author: str, layer: str = STATUS) -> list[NewEvent]:
        """The events that come with an edit: a document that was free or done is in work with it."""
        if self.read(number, layer)["status"] not in (FREE, DONE):
            return []
        return [(number, layer, ReviewEvent(STATUS, author, {"status": IN_WORK}), None)]

    def find_sending(self, number: int, back: int) -> int:
        """The event by which a document was sent to be confirmed, so many sendings back; 0 where there were fewer."""
        events = self.store.list_events(number, STATUS)
        sent = [event.seq for event in events if event.body.get("status") == TO_CONFIRM]
        return sent[-back] if len(sent) >= back else 0

    def read_assigned(self, number: int) -> list[str]:
        events = self.store.list_events(number, ASSIGNED)
        return list(events[-1].body["names"]) if events else []

    def assign(self, number: int, author: str, names: list[str]) -> None:
        self.store.append(number, ASSIGNED, ReviewEvent(ASSIGNED, author, {"names": names}))

    def count_progress(self) -> dict[str, Any]:
        """The documents by status, and how many were done at the end of each day."""
        statuses: Counter[str] = Counter()
        days: Counter[str] = Counter()
        for number, _, _ in self.store.list_documents():
            layers = [one for one in self.store.list_worked(number) if one.startswith(STATUS)]
            statuses[self.read_least(number)["status"]] += 1
            for layer in layers:
                given = [e for e in self.store.list_events(number, layer) if e.body.get("status")]
                for event in given[-1:]:
                    days[event.time[:10]] += event.body["status"] == DONE
        done, line = 0, []
        for day in sorted(days):
            done += days[day]
            line.append([day, done])
        return {"statuses": {name: statuses[name] for name in STATUSES}, "days": line}
