"""`LineThreads`: a few threads that take documents down the line, several at once where several wait.

A thread takes what waits for the same policy as one batch, because the model and the detectors read a batch faster than
its documents one by one. While one thread masks, the model reads for another.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from maskwise.detecting import BATCH, CHARACTERS
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document

T = TypeVar("T")


@dataclass
class QueuedDocument:
    """A document that waits for a thread."""

    sanitizer: Sanitizer
    document: Document
    future: Future[Result] = field(default_factory=Future)


@dataclass
class QueuedCall:
    """A function that waits for a thread, such as the masking of a whole file."""

    function: Callable[[], Any]
    future: Future[Any] = field(default_factory=Future)


class LineThreads:
    """Threads and what waits for them. `close` finishes what runs and refuses what waits."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._waiting: deque[QueuedDocument | QueuedCall] = deque()
        self._ready = threading.Condition()
        self._closed = False
        self._pool = [
            threading.Thread(target=self._work, name=f"maskwise-{at}", daemon=True)
            for at in range(threads)
        ]
        for thread in self._pool:
            thread.start()

    async def sanitize(self, sanitizer: Sanitizer, documents: Sequence[Document]) -> list[Result]:
        """Sanitise documents in order. A caller that gives up takes those that still wait with it."""
        queued = [QueuedDocument(sanitizer, document) for document in documents]
        self._add(queued)
        return list(await _gather([each.future for each in queued]))

    async def call(self, function: Callable[[], T]) -> T:
        """Run a function in one of the threads."""
        queued = QueuedCall(function)
        self._add([queued])
        [found] = await _gather([queued.future])
        return found  # type: ignore[no-any-return]

    def close(self, seconds: float = 30) -> None:
        with self._ready:
            self._closed = True
            while self._waiting:
                self._waiting.popleft().future.cancel()
            self._ready.notify_all()
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
            if isinstance(batch, QueuedCall):
                _run_call(batch)
            else:
                _run_documents(batch)

    def _take(self) -> list[QueuedDocument] | QueuedCall | None:
        """The next call, or the next documents that have the same policy."""
        with self._ready:
            self._ready.wait_for(lambda: self._waiting or self._closed)
            if not self._waiting:
                return None
            first = self._waiting.popleft()
            if isinstance(first, QueuedCall):
                return first
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


def _run_call(queued: QueuedCall) -> None:
    if not queued.future.set_running_or_notify_cancel():
        return
    try:
        queued.future.set_result(queued.function())
    except BaseException as error:
        queued.future.set_exception(error)


def _run_documents(batch: Sequence[QueuedDocument]) -> None:
    alive = [each for each in batch if each.future.set_running_or_notify_cancel()]
    if not alive:
        return
    sanitizer = alive[0].sanitizer
    try:
        results = list(sanitizer.run(each.document for each in alive))
        if len(results) < len(alive):
            raise RuntimeError("a document has no result")
    except Exception:
        for each in alive:  # one by one: others' documents have no part in what one does
            _run_alone(each)
        return
    except BaseException as error:
        for each in alive:
            each.future.set_exception(error)
        return
    for each, result in zip(alive, results, strict=True):
        each.future.set_result(result)


def _run_alone(queued: QueuedDocument) -> None:
    try:
        queued.future.set_result(queued.sanitizer.sanitize(queued.document))
    except BaseException as error:
        queued.future.set_exception(error)


async def _gather(futures: Sequence[Future[Any]]) -> list[Any]:
    try:
        return await asyncio.gather(*map(asyncio.wrap_future, futures))
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
