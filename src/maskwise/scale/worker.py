"""`Worker`: one process that masks tasks. It loads the model once, reads, masks, checks for leaks and writes."""

from __future__ import annotations

import gc
import hashlib
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property

from maskwise.errors import (
    BundleError,
    DeviceError,
    MaskwiseError,
    OutputError,
    OutputNameError,
    PolicyError,
    SearchError,
    VaultError,
)
from maskwise.files import MaskedFile, sanitize_file
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.scale.rows import TableRow, read_part, write_part
from maskwise.scale.store import StorePlace
from maskwise.scale.tasks import DONE, FAILED, FILE, STOPPED, MaskingJob, Task, TaskOutcome
from maskwise.text import Person

# What no other document would survive either: the run stops, and goes on when the cause is mended. A format that
# cannot be read here, or a document that cannot be written in it, is no such cause; a disk that takes nothing more is.
STOPPING = (PolicyError, VaultError, BundleError, SearchError, DeviceError)


class Worker:
    """Masks the tasks of a job, one after the other. The outcome of a task depends on the task and the job alone."""

    def __init__(self, job: MaskingJob) -> None:
        self.job = job
        self._source, self._target = StorePlace(job.source), StorePlace(job.target)
        self._people = tuple(map(Person, job.protect))

    @cached_property
    def sanitizer(self) -> Sanitizer:
        return Sanitizer(self.job.load_policy())

    def run(self, task: Task) -> TaskOutcome:
        """Mask one task. Whatever fails becomes an outcome with a reason that holds no text."""
        begun, used = time.perf_counter(), time.process_time()
        counted = _Count()
        try:
            _ = self.sanitizer
        except MaskwiseError as error:  # a part of the policy is missing or broken
            return TaskOutcome(task.number, STOPPED, str(error))
        try:
            data, digest = self._mask(task, counted)
            stopped = self._write(task, data)
        except STOPPING as error:
            return TaskOutcome(task.number, STOPPED, str(error))
        except MaskwiseError as error:
            return TaskOutcome(task.number, FAILED, str(error))
        except MemoryError:
            return TaskOutcome(task.number, FAILED, f"{task.name}: not enough memory")
        except Exception as error:  # its message may quote the text
            return TaskOutcome(
                task.number, FAILED, f"{task.name}: masking failed ({type(error).__name__})"
            )
        if stopped:
            return TaskOutcome(task.number, STOPPED, stopped)
        return TaskOutcome(
            task.number,
            DONE,
            input_sha256=digest,
            output_sha256=hashlib.sha256(data).hexdigest(),
            output_bytes=len(data),
            documents=counted.documents,
            characters=counted.characters,
            seconds=time.perf_counter() - begun,
            cpu_seconds=time.process_time() - used,
            counts=dict(sorted(counted.entities.items())),
            errors=tuple(counted.errors),
            gaps=tuple((first, end) for first, end in counted.gaps),
            notes=counted.notes,
        )

    def _write(self, task: Task, data: bytes) -> str:
        """Write an output. What is in the way of all outputs is returned, of this one alone raised."""
        try:
            self._target.write(task.target, data)
        except OutputNameError:
            raise
        except OutputError as error:
            return str(error)
        return ""

    def _mask(self, task: Task, counted: _Count) -> tuple[bytes, str]:
        """The bytes of the output, and the hash of the input."""
        if task.kind == FILE:
            raw = self._source.read(task.name, self.sanitizer.policy.formats.limits)
            self._source.expect(task.name, task.version)
            done = sanitize_file(self.sanitizer, raw, task.name, self._people)
            counted.add(done)
            counted.notes = done.notes
            return done.data, hashlib.sha256(raw).hexdigest()
        if self.job.table is None:
            raise PolicyError("a task of rows needs the name of a column with text")
        table = self.job.table.fit(task.name)
        part = read_part(self._source, task, table)
        self._source.expect(task.name, task.version)
        masked: list[tuple[str | None, str]] = []
        for at, row in enumerate(part.rows):
            name = row.kept.get(table.id) if table.id else None
            text, reason = self.mask_row(row, str(name or "row"), counted)
            if reason:
                counted.errors.append((at, reason))
            if text is None:
                counted.skip(at)
            masked.append((text, reason))
        return write_part(part, masked, task, table), part.sha256

    def mask_row(
        self, row: TableRow, name: str, counted: _Count | None = None
    ) -> tuple[str | None, str]:
        """The masked text of a row, or none and the reason, which holds no text."""
        if row.text is None:
            return None, row.problem
        try:
            done = mask_text(self.sanitizer, row.text, name, self._people)
        except STOPPING:
            raise
        except MaskwiseError as error:
            return None, str(error)
        except Exception as error:  # its message may quote the text
            return None, f"masking failed ({type(error).__name__})"
        if counted is not None:
            counted.add(done)
        return done.data.decode("utf-8", "surrogatepass"), ""


def start_worker(job: str) -> Worker:
    """A warm worker of a job. What its policy lacks is said by its first task."""
    worker = Worker(MaskingJob.from_json(job))
    with suppress(MaskwiseError):
        warm_up(worker)
    return worker


def warm_up(worker: Worker) -> None:
    """Load what the policy names, by masking a short text, and take it out of the collector's walks.

    A walk over all lists would copy their pages into every forked worker, and Spark asks for one after each task.
    """
    sanitizer = worker.sanitizer
    # A vault keeps what is masked, and this text is nobody's.
    walk = sanitizer.draft if sanitizer.policy.vault else sanitizer.sanitize
    walk("Mr John Smith was born on 3 May 1971.")
    gc.collect()
    gc.freeze()


def report_death(task: Task, why: str = "") -> TaskOutcome:
    """The outcome of a task that ends each process that masks it, such as by its need of memory."""
    end = f" ({why})" if why else ""
    return TaskOutcome(task.number, FAILED, f"{task.name}: the process that masked it died{end}")


def mask_text(
    sanitizer: Sanitizer, text: str, name: str = "row", people: tuple[Person, ...] = ()
) -> MaskedFile:
    """Mask one text as `maskwise sanitize` masks a text file with this content, leak check included.

    >>> mask_text(Sanitizer(), "Mr Lee left.").data
    b'[PERSON 1] left.'
    """
    # A name that ends with a slash would have no ending after it. Half of a pair of surrogates is no letter.
    said = name.rstrip("/").encode("utf-8", "replace").decode() or "row"
    return sanitize_file(sanitizer, text.encode("utf-8"), f"{said}.txt", people)


class _Count:
    """Documents, characters, entities and errors of one task."""

    def __init__(self) -> None:
        self.documents = self.characters = 0
        self.entities: Counter[str] = Counter()
        self.errors: list[tuple[int, str]] = []
        self.gaps: list[list[int]] = []  # runs of rows without text
        self.notes: tuple[str, ...] = ()

    def skip(self, row: int) -> None:
        """Note a row without text."""
        if self.gaps and self.gaps[-1][1] == row:
            self.gaps[-1][1] += 1
        else:
            self.gaps.append([row, row + 1])

    def add(self, done: MaskedFile) -> None:
        self.documents += 1
        self._add_results(done.results)

    def _add_results(self, results: Iterable[Result]) -> None:
        for result in results:
            self.characters += result.coverage.characters
            for entity in result.findings:
                action = result.plan.by_entity[entity.id].action.value
                self.entities[f"{entity.type.value} {action}"] += 1
