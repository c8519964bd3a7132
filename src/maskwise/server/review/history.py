"""`History`: the state of a document from its events, with undo and redo without end.

Events are never changed. An undo is an event of its own that takes the last edit back; a redo brings it back. The last
states are kept, so that a step takes no longer in a long history.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.errors import InputError
from maskwise.server.review.edits import apply_edit
from maskwise.server.review.marks import MarkState

KEPT = 256  # states that are remembered
EDIT, UNDO, REDO = "edit", "undo", "redo"


@dataclass(frozen=True, slots=True)
class ReviewEvent:
    """Something that somebody did to a layer of a document. `group` joins what one step did to several documents."""

    kind: str
    author: str
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    seq: int = 0
    time: str = ""
    group: str = ""


@dataclass
class History:
    """Edits that hold, those that were taken back, and the state they lead to."""

    start: MarkState
    done: list[ReviewEvent] = field(default_factory=list)
    undone: list[ReviewEvent] = field(default_factory=list)
    _states: dict[int, MarkState] = field(default_factory=dict, repr=False)

    @classmethod
    def replay(cls, start: MarkState, events: Iterable[ReviewEvent]) -> History:
        """The history that events lead to. States are made once, at the end."""
        found = cls(start)
        for event in events:
            found._take(event)
        return found

    @property
    def state(self) -> MarkState:
        return self._find_state(len(self.done))

    def preview(self, event: ReviewEvent) -> MarkState:
        """The state after an event that has not happened; raises `InputError` where it cannot happen."""
        if event.kind == EDIT:
            return apply_edit(self.state, event.body, event.author)
        if event.kind == UNDO:
            if not self.done:
                raise InputError("there is nothing to undo")
            return self._find_state(len(self.done) - 1)
        if not self.undone:
            raise InputError("there is nothing to redo")
        again = self.undone[-1]
        return apply_edit(self.state, again.body, again.author)

    def find_group(self, kind: str) -> str:
        """The group of the edit that an undo or a redo would be about."""
        edits = self.done if kind == UNDO else self.undone
        return edits[-1].group if edits else ""

    def add(self, event: ReviewEvent, state: MarkState) -> None:
        """Add an event and the state that `preview` gave for it."""
        self._take(event)
        self._keep(len(self.done), state)

    def _take(self, event: ReviewEvent) -> None:
        if event.kind == EDIT:
            self.done.append(event)
            self.undone.clear()
        elif event.kind == UNDO and self.done:
            self._states.pop(len(self.done), None)
            self.undone.append(self.done.pop())
        elif event.kind == REDO and self.undone:
            self.done.append(self.undone.pop())

    def _keep(self, count: int, state: MarkState) -> None:
        self._states[count] = state
        self._states.pop(count - KEPT, None)

    def _find_state(self, count: int) -> MarkState:
        """The state after `count` edits. If it was forgotten, it is made again from the nearest one before."""
        if count == 0:
            return self.start
        if count not in self._states:
            known = max((at for at in self._states if at < count), default=0)
            state = self._states.get(known, self.start)
            for at in range(known, count):
                event = self.done[at]
                state = apply_edit(state, event.body, event.author)
                if count - at <= KEPT:
                    self._keep(at + 1, state)
        return self._states[count]
