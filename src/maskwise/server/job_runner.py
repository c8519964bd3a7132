"""`JobRunner`: a thread that works on jobs, a batch at a time, and keeps what is done after each batch."""

from __future__ import annotations

import json
import os
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import Any

from maskwise.detecting import BATCH
from maskwise.errors import MaskwiseError, OutputError
from maskwise.sanitizer import Sanitizer
from maskwise.server.jobs import LEASE, Job, JobState, JobStore
from maskwise.server.metrics import Metrics
from maskwise.server.recorder import log_event, log_failure
from maskwise.server.shelf import PolicyShelf
from maskwise.server.uploads import Upload, mask_upload
from maskwise.text import Document, Person

IDLE = 0.5  # seconds between two looks for a job
HOUR = 3600.0
_HEAD = 4  # bytes that say how long the head of a request is


@dataclass
class JobRunner:
    """Works on the jobs of a store until it is closed. A job that it cannot finish then goes back to the others."""

    store: JobStore
    shelf: PolicyShelf
    metrics: Metrics
    keep_hours: float = 24
    worker: str = field(default_factory=lambda: f"{os.getpid()}-{secrets.token_hex(4)}")
    _ended: threading.Event = field(default_factory=threading.Event, init=False, repr=False)

    def start(self) -> None:
        self._threads = [
            threading.Thread(target=target, name=name, daemon=True)
            for target, name in ((self._work, "maskwise-jobs"), (self._renew, "maskwise-lease"))
        ]
        for thread in self._threads:
            thread.start()

    def close(self, seconds: float = 30) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join(seconds)
        self.store.give_back(self.worker)

    def _renew(self) -> None:
        while not self._ended.wait(LEASE / 4):
            try:
                self.store.renew(self.worker)
            except MaskwiseError as error:  # a full disk may empty again
                log_failure(error)

    def _work(self) -> None:
        while not self._ended.is_set():
            try:
                job = self.store.claim(self.worker)
                if job is None:
                    self.store.forget(time.time() - self.keep_hours * HOUR)
                    self._ended.wait(IDLE)
                else:
                    self.run(job)
            except Exception as error:  # the thread must outlive any failure
                log_failure(error)
                self._ended.wait(IDLE)
                self._let_go()

    def _let_go(self) -> None:
        """Give a job back that cannot be kept or ended now, such as on a full disk, so that another worker takes it."""
        try:
            self.store.give_back(self.worker, is_try=True)
        except MaskwiseError as error:
            log_failure(error)

    def run(self, job: Job) -> None:
        """Work on a claimed job until it ends, is cancelled, or the runner is closed."""
        try:
            head, body = unpack_request(self.store.read_request(job))
            sanitizer = self.shelf.find(job.policy, head.get("k"), head.get("risk", False))
            people = tuple(map(Person, head["protect"]))
            if job.suffix:
                is_over = self._run_file(job, sanitizer, tuple(head["protect"]), body)
            else:
                is_over = self._run_texts(job, sanitizer, people, json.loads(body))
        except OutputError:  # the disk is full or gone, and may come back
            raise
        except MaskwiseError as error:
            self._end(job, JobState.FAILED, str(error))
            return
        except Exception as error:
            log_failure(error)
            self._end(job, JobState.FAILED, f"internal error ({type(error).__name__})")
            return
        if is_over:
            self._end(job, JobState.DONE)

    def _run_texts(
        self, job: Job, sanitizer: Sanitizer, people: tuple[Person, ...], texts: list[str]
    ) -> bool:
        done = self.store.list_done(job)
        left = [at for at in range(len(texts)) if at not in done]
        for first in range(0, len(left), BATCH):
            if self._ended.is_set():
                return False
            places = left[first : first + BATCH]
            results = list(sanitizer.run(Document(texts[at], protected=people) for at in places))
            self.metrics.count_results(job.policy, results)
            items = {
                at: json.dumps(describe_result(result.to_json())).encode()
                for at, result in zip(places, results, strict=True)
            }
            if not self.store.add_items(job, self.worker, items):
                return False
        return True

    def _run_file(
        self, job: Job, sanitizer: Sanitizer, protect: tuple[str, ...], raw: bytes
    ) -> bool:
        upload = Upload(raw, job.suffix, job.policy, protect)
        masked = mask_upload(
            sanitizer, upload, lambda results: self.metrics.count_results(job.policy, results)
        )
        whole = masked.suffix.encode() + b"\n" + masked.data
        return self.store.add_items(job, self.worker, {0: whole})

    def _end(self, job: Job, state: JobState, error: str = "") -> None:
        self.store.end(job.id, state, error)
        self.metrics.jobs.labels(state.value).inc()
        log_event("job", state=state.value, items=job.total)


def describe_result(found: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a result as the API gives it: a text that came in a request has no path."""
    return {key: value for key, value in found.items() if key != "path"}


def pack_request(head: dict[str, Any], body: bytes) -> bytes:
    """One value to seal: what was asked, and the texts or the file."""
    packed = json.dumps(head).encode()
    return len(packed).to_bytes(_HEAD) + packed + body


def unpack_request(data: bytes) -> tuple[dict[str, Any], bytes]:
    """
    >>> unpack_request(pack_request({"k": 5}, b"text"))
    ({'k': 5}, b'text')
    """
    end = _HEAD + int.from_bytes(data[:_HEAD])
    head: dict[str, Any] = json.loads(data[_HEAD:end])
    return head, data[end:]
