"""`Turns`: a person's edit goes before the measuring in a crowd, which takes seconds and waits between its steps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


class SupersededError(Exception):
    """The document has changed since its measuring began, so that the answer would be of no use."""


@dataclass
class Turns:
    """Counts the edits under way. One document is measured at a time, first those that somebody looks at."""

    _edits: int = 0
    _wanted: int = 0  # measurings that somebody waits for
    _measurer: int | None = None  # the thread that measures
    _is_stale: Callable[[], bool] = field(default=lambda: False, repr=False)
    _change: threading.Condition = field(default_factory=threading.Condition, repr=False)
    _measuring: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @contextmanager
    def edit(self) -> Iterator[None]:
        """An edit: measurements wait until it ends."""
        with self._change:
            self._edits += 1
        try:
            yield
        finally:
            with self._change:
                self._edits -= 1
                self._change.notify_all()

    @contextmanager
    def measure(self, is_stale: Callable[[], bool], is_wanted: bool = True) -> Iterator[None]:
        """A measuring. It ends with `SupersededError` as soon as `is_stale` says so.

        One that nobody waits for also ends as soon as somebody wants another.
        """
        with self._change:
            self._wanted += is_wanted
            if not is_wanted:
                self._change.wait_for(lambda: not self._wanted)
        try:
            with self._measuring:
                self._measurer = threading.get_ident()
                self._is_stale = lambda: is_stale() or (not is_wanted and self._wanted > 0)
                try:
                    yield
                finally:
                    self._measurer = None
        finally:
            with self._change:
                self._wanted -= is_wanted
                self._change.notify_all()

    def give_way(self) -> None:
        """Wait until no edit runs. It is called between the steps of a measurement, with no document locked."""
        if threading.get_ident() != self._measurer:
            return
        with self._change:
            self._change.wait_for(lambda: not self._edits)
        if self._is_stale():
            raise SupersededError
