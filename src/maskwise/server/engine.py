"""`LineThreads`: a few threads that take documents down the line, several at once where several wait.

A thread takes what waits for the same policy as one batch, because the model and the detectors read a batch faster than
its documents one by one. No more batches run than there are cores: more would only take Python from each other. While a
file or a long document runs, one more may, so that short ones need not wait for it.
"""

from __future__ import annotations

import asyncio
import os
import threading
from asyncio import AbstractEventLoop, Future
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from maskwise.detecting import BATCH, CHARACTERS
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document

T = TypeVar("T")
LONG = 1 << 16  # characters from which others need not wait for a document


@dataclass
class QueuedDocument:
    """A document that waits for a thread."""

    sanitizer: Sanitizer
    document: Document
    future: Future[Result]


@dataclass
class QueuedCall:
    """A function that waits for a thread, such as the masking of a whole file."""

    function: Callable[[], Any]
    future: Future[Any]


@dataclass(frozen=True)
class Outcome:
    """The outcome for a waiting caller: a value, or an error."""

    future: Future[Any]
    value: Any = None
    error: BaseException | None = None

    def settle(self) -> None:
        if self.future.done():  # the caller gave up
            return
        if self.error is None:
            self.future.set_result(self.value)
        else:
            self.future.set_exception(self.error)


class LineThreads:
    """Threads and what waits for them. `close` finishes what runs and refuses what waits."""

    _running = 0  # batches
    _long = 0  # those of them that last long

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._waiting: deque[QueuedDocument | QueuedCall] = deque()
        self._ready = threading.Condition()
        self._closed = False
        self._pool = [
            threading.Thread(target=self._work, name=f"maskwise-{at}", daemon=True)
            for at in range(threads + 1)
        ]
        for thread in self._pool:
            thread.start()

    async def sanitize(self, sanitizer: Sanitizer, documents: Sequence[Document]) -> list[Result]:
        """Sanitise documents in order. A caller that gives up takes those that still wait with it."""
        loop = asyncio.get_running_loop()
        queued = [QueuedDocument(sanitizer, each, loop.create_future()) for each in documents]
        self._add(queued)
        return list(await _gather([each.future for each in queued]))

    async def call(self, function: Callable[[], T]) -> T:
        """Run a function in one of the threads."""
        queued = QueuedCall(function, asyncio.get_running_loop().create_future())
        self._add([queued])
        [found] = await _gather([queued.future])
        return found  # type: ignore[no-any-return]

    def close(self, seconds: float = 30) -> None:
        with self._ready:
            self._closed = True
            waiting = [each.future for each in self._waiting]
            self._waiting.clear()
            self._ready.notify_all()
        deliver([Outcome(future, error=asyncio.CancelledError()) for future in waiting])
        for thread in self._pool:
            thread.join(seconds)

    def _add(self, queued: Sequence[QueuedDocument | QueuedCall]) -> None:
        with self._ready:
            if self._closed:
                raise RuntimeError("the engine is closed")
            self._waiting.extend(queued)
            self._ready.notify(len(queued))

    def _work(self) -> None:
        while (batch := self._take()) is not None:
            outcomes = run_call(batch) if isinstance(batch, QueuedCall) else run_documents(batch)
            with self._ready:
                self._running -= 1
                self._long -= is_long(batch)
                self._ready.notify()
            deliver(outcomes)

    def _can_begin(self) -> bool:
        return bool(self._waiting) and self._running < self.threads + (self._long > 0)

    def _take(self) -> list[QueuedDocument] | QueuedCall | None:
        """The next call, or the next documents that have the same policy."""
        with self._ready:
            self._ready.wait_for(lambda: self._closed or self._can_begin())
            if self._closed:
                return None
            first = self._waiting.popleft()
            batch = first if isinstance(first, QueuedCall) else self._take_batch(first)
            self._running += 1
            self._long += is_long(batch)
            self._ready.notify()
            return batch

    def _take_batch(self, first: QueuedDocument) -> list[QueuedDocument]:
        batch = [first]
        size = len(first.document)
        while self._waiting and len(batch) < self._share() and size < CHARACTERS:
            following = self._waiting[0]
            if isinstance(following, QueuedCall) or following.sanitizer is not first.sanitizer:
                break
            batch.append(following)
            size += len(following.document)
            self._waiting.popleft()
        return batch

    def _share(self) -> int:
        """How many documents one thread takes: no more than its share, so that no other thread idles."""
        waiting = len(self._waiting) + 1
        return min(BATCH, -(-waiting // self.threads) + 1)


def is_long(batch: QueuedCall | Sequence[QueuedDocument]) -> bool:
    return isinstance(batch, QueuedCall) or any(len(each.document) >= LONG for each in batch)


def run_call(queued: QueuedCall) -> list[Outcome]:
    if queued.future.done():
        return []
    try:
        return [Outcome(queued.future, queued.function())]
    except BaseException as error:
        return [Outcome(queued.future, error=error)]


def run_documents(batch: Sequence[QueuedDocument]) -> list[Outcome]:
    """Take those documents down the line for which somebody still waits."""
    alive = [each for each in batch if not each.future.done()]
    if not alive:
        return []
    sanitizer = alive[0].sanitizer
    try:
        results = list(sanitizer.run(each.document for each in alive))
        if len(results) < len(alive):
            raise RuntimeError("a document has no result")
    except Exception:
        # One by one: others' documents have no part in what one does.
        return list(map(_run_alone, alive))
    except BaseException as error:
        return [Outcome(each.future, error=error) for each in alive]
    return [Outcome(each.future, result) for each, result in zip(alive, results, strict=True)]


def _run_alone(queued: QueuedDocument) -> Outcome:
    try:
        return Outcome(queued.future, queued.sanitizer.sanitize(queued.document))
    except BaseException as error:
        return Outcome(queued.future, error=error)


def deliver(outcomes: Sequence[Outcome]) -> None:
    """Hand outcomes to the loops that wait for them. A loop is woken once for all of its own: each time costs."""
    by_loop: dict[AbstractEventLoop, list[Outcome]] = {}
    for outcome in outcomes:
        by_loop.setdefault(outcome.future.get_loop(), []).append(outcome)
    for loop, own in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed, and nobody waits
            loop.call_soon_threadsafe(_settle, own)


def _settle(outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        outcome.settle()


async def _gather(futures: Sequence[Future[Any]]) -> list[Any]:
    try:
        return await asyncio.gather(*futures)
    except BaseException:
        for future in futures:
            future.cancel()
        raise


def count_cpus(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> int:
    """The CPUs that this process may use: those of its affinity, and no more than the quotas of its control groups."""
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    quotas = [quota for group in _list_groups(root, own) if (quota := _read_quota(group))]
    return max(1, min(cores, *map(int, quotas))) if quotas else cores


def _list_groups(root: Path, own: Path) -> Iterator[Path]:
    """The folders of the control groups of this process, with those around them.

    A container sees its own group as the root; a service sees the path to its group.
    """
    yield from (root, root / "cpu")
    try:
        lines = own.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, kinds, path = [*line.split(":", 2), "", ""][:3]
        if not kinds or "cpu" in kinds.split(","):
            inner = PurePosixPath(path.strip("/"))
            base = root / kinds if kinds else root
            yield from (base / each for each in (inner, *inner.parents))


def _read_quota(group: Path) -> float | None:
    """The quota of a control group in CPUs: `cpu.max` of version 2, two files of version 1."""
    try:
        limit, period = (group / "cpu.max").read_text().split()
    except (OSError, ValueError):
        try:
            limit = (group / "cpu.cfs_quota_us").read_text().strip()
            period = (group / "cpu.cfs_period_us").read_text().strip()
        except OSError:
            return None
    try:
        return float(limit) / float(period) if float(limit) > 0 else None
    except (ValueError, ZeroDivisionError):  # "max"
        return None
