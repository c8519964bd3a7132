"""`BatchRun`: a run over many documents. It plans, hands tasks to an engine, keeps the manifest, and can go on.

The bytes of an output follow from its input, the policy, the model and the code. So a run that was stopped at any point
goes on with what the manifest does not call done, and ends with the same files as a run that was never stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from maskwise import io
from maskwise.errors import DeviceError, InputError, MaskwiseError, OutputError, PolicyError
from maskwise.lm.encoder import count_cores
from maskwise.mask.shared_vault import is_shared
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.scale.device import refuse_device
from maskwise.scale.fingerprints import fingerprint_device, fingerprint_run
from maskwise.scale.local import LocalEngine
from maskwise.scale.manifest import PENDING, Manifest
from maskwise.scale.parts import plan_file, plan_table
from maskwise.scale.sources import Listing, list_source
from maskwise.scale.store import StoredFile, StorePlace
from maskwise.scale.tasks import CPU, FOLDER, STOPPED, MaskingJob, Task, TaskOutcome, TextColumns
from maskwise.text import EntityType

PART = 1 << 20  # bytes of a part of a table
OWNER = f"{FOLDER}/run"  # names the one run that may write there
OFTEN = 1.0  # seconds between two writes of the manifest
PER_CORE = 3  # workers with a GPU
MANY = 1000  # outcomes that are written at once

Watch = Callable[[TaskOutcome, Task], None]


class TaskEngine(Protocol):
    """Runs tasks somewhere, each at least once, and yields one outcome per task in any order."""

    def run(self, tasks: Iterator[Task]) -> Iterator[TaskOutcome]: ...


@dataclass(frozen=True)
class BatchRun:
    """The settings of a run: the source, the destination, and how to mask."""

    source: str
    target: str
    policy: Policy = field(repr=False)
    protect: tuple[str, ...] = field(default=(), repr=False)
    table: TextColumns | None = None
    part: int = PART
    manifest: Path | None = None
    aside: Sequence[Path] = ()
    device: str = CPU

    @property
    def job(self) -> MaskingJob:
        place = self.list_inputs().place
        return MaskingJob(
            _settle(place.base), _settle(self.target), json.dumps(self.policy.model_dump(mode="json")),
            self.protect, self.table, self.device,
        )  # fmt: skip

    @property
    def manifest_path(self) -> Path:
        if self.manifest is not None:
            return self.manifest
        if StorePlace(self.target).is_remote:
            raise InputError("an output behind a URL needs --manifest FILE on this machine")
        return Path(self.target, FOLDER, "manifest.sqlite")

    def list_inputs(self) -> Listing:
        return list_source(self.source, self.aside, only_tables=self.table is not None)

    def open(self, resume: bool) -> Manifest:
        """Open the manifest of the run, new or begun, and check that the run can go on."""
        refuse_order(self.policy)
        if self.table and not self.table.id:
            refuse_unnamed(self.policy)
        self._refuse_inside()
        Sanitizer(self.policy)  # what it lacks, such as a key, is told before anything is written
        path = self.manifest_path
        if path.exists() and not resume:
            raise InputError(
                f"{path}: a run has been here; go on with --resume, or write into another folder"
            )
        manifest = Manifest(path)
        try:
            salt = manifest.get("salt") or os.urandom(16).hex()
            fingerprints = fingerprint_run(self.policy, bytes.fromhex(salt), self.protect)
            manifest.expect({"salt": salt, **fingerprints, **self._describe()})
            if manifest.is_planned:
                self._claim(salt)
                self._reopen(manifest)
            else:
                self._plan(manifest)
                self._claim(salt)
        except MaskwiseError:
            # A run that was refused before its first document was none.
            (manifest.remove if manifest.is_new else manifest.close)()
            raise
        except BaseException:
            manifest.close()
            raise
        return manifest

    def _claim(self, salt: str) -> None:
        """Refuse an output that belongs to another run, whatever manifest that one keeps, and wherever."""
        name = hashlib.sha256(salt.encode()).hexdigest()
        if StorePlace(self.target).claim(OWNER, name) != name:
            raise InputError(
                f"{self.target}: another run has written there; name its manifest, or write into another folder"
            )

    def _describe(self) -> dict[str, str]:
        columns = [self.table.text, self.table.id, *self.table.keep] if self.table else None
        return {
            "source": _settle(self.source),
            "output": _settle(self.target),
            "columns": json.dumps(columns),
            "size of a part": str(self.part),
            "device": fingerprint_device(self.device),
        }

    def _refuse_inside(self) -> None:
        """No output takes the place of an input, or becomes one of the next run."""
        base = self.list_inputs().place.base
        if StorePlace(self.target).is_remote != StorePlace(base).is_remote:
            return
        source, target = _split_place(base), _split_place(self.target)
        is_folder = Path(self.source).is_dir() or base == self.source.rstrip("/")
        # Of one file, or of a pattern that stays in its folders, nothing is read further below.
        is_flat = not is_folder and "**" not in self.source
        if target == source or (not is_flat and target[: len(source)] == source):
            raise InputError(f"{self.target}: lies in the source; write into a folder beside it")
        if not is_flat and source[: len(target)] == target:
            raise InputError(f"{self.target}: holds the source; write into a folder beside it")

    def _plan(self, manifest: Manifest) -> None:
        listing = self.list_inputs()
        manifest.plan(self._make_tasks(listing))
        manifest.set("left out", json.dumps(listing.left_out))
        if not manifest.count():
            reasons = "".join(f"; {len(n)} left out ({why})" for why, n in listing.left_out.items())
            raise InputError(f"{self.source}: nothing to mask there{reasons}")

    def _make_tasks(self, listing: Listing) -> Iterator[Task]:
        number = 0
        for file in listing.files:
            if self.table is None:
                tasks: Iterator[Task] = iter([plan_file(file, self._name_output(file), number)])
            else:
                tasks = plan_table(listing.place, file, self.part, number)
            for task in tasks:
                yield task
                number += 1

    def _name_output(self, file: StoredFile) -> str:
        suffix = Path(file.name).suffix
        written = io.find_output_suffix(suffix, self.policy.formats.options)
        return file.name if written == suffix else file.name + written

    def _reopen(self, manifest: Manifest) -> None:
        """Put back what failed, and what is done but whose output is not as it was written."""
        self._compare_inputs(manifest)
        manifest.reopen_failed()
        place = StorePlace(self.target)
        damaged = (
            task.number
            for task, digest, size in manifest.list_done()
            if not is_intact(place, task.target, digest, size)
        )
        manifest.reopen(list(damaged))
        remove_leftovers(self.target)

    def _compare_inputs(self, manifest: Manifest) -> None:
        """Refuse inputs that changed, and note those that have come since."""
        listing = self.list_inputs()
        changed, late = manifest.compare_versions((f.name, f.version) for f in listing.files)
        if changed:
            others = f" (with {len(changed) - 1} others)" if len(changed) > 1 else ""
            raise InputError(
                f"{changed[0]}: changed since the run began{others}; start another run"
            )
        if late:
            listing.left_out["came after the run began"] = late
        manifest.set("left out", json.dumps(listing.left_out))


def is_intact(place: StorePlace, name: str, digest: str, size: int) -> bool:
    """Whether an output is there as it was written. Behind a URL only its size is asked for."""
    if place.find_size(name) != size:
        return False
    if place.is_remote:
        return True
    with open(place.join(name), "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == digest


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files of a run, or of workers, that were killed. A URL has none."""
    if not folder or StorePlace(folder).is_remote:
        return
    for top, _, files in os.walk(folder):
        for name in files:
            if name.startswith(".") and name.endswith(".part"):
                with suppress(OSError):
                    Path(top, name).unlink()


def refuse_order(policy: Policy) -> None:
    """Refuse pseudonyms that are counted in the order of documents, which workers do not keep."""
    scope = policy.scope or ("vault" if policy.vault else "document")
    if scope == "corpus":
        raise PolicyError(
            "scope 'corpus' counts in the order of documents, which workers do not keep; use --scope keyed"
        )
    if policy.vault is not None and not is_shared(policy.vault.path):
        raise PolicyError(
            "this vault counts in the order of documents, which workers do not keep; "
            "name a shared one in the policy: sqlite:///FILE or postgresql://HOST/NAME"
        )
    operators = {policy.find_operator(kind).kind for kind in EntityType}
    if scope != "document" and "surrogate" in operators:
        raise PolicyError(
            f"surrogates with scope {scope!r} depend on other documents; use scope 'document'"
        )


def refuse_unnamed(policy: Policy) -> None:
    """Refuse to move the dates of rows without names: all would move by the same days."""
    if "shift" in {policy.find_operator(kind).kind for kind in EntityType}:
        raise PolicyError(
            "the operator 'shift' moves the dates of a document by its name; name rows by their id"
        )


def run_batch(manifest: Manifest, engine: TaskEngine, watch: Watch | None = None) -> float:
    """Run what is left. Returns the seconds of the run with those before it was stopped.

    What no document survives, such as a full disk, raises `OutputError`.
    """
    before = float(manifest.get("seconds") or 0)
    if PENDING not in manifest.count():
        return before
    begun = last = time.perf_counter()
    tasks = {}

    def follow() -> Iterator[Task]:
        for task in manifest.list_pending():
            tasks[task.number] = task
            yield task

    def record() -> None:
        manifest.record(waiting)
        manifest.set("seconds", str(before + time.perf_counter() - begun))

    waiting: list[TaskOutcome] = []
    outcomes = engine.run(follow())
    try:
        for outcome in outcomes:
            task = tasks.pop(outcome.number)
            if outcome.status == STOPPED:
                raise _build_stop(outcome.reason)
            waiting.append(outcome)
            if watch:
                watch(outcome, task)
            if time.perf_counter() - last > OFTEN or len(waiting) >= MANY:
                record()
                waiting.clear()
                last = time.perf_counter()
    except DeviceError as error:
        raise _build_stop(str(error)) from None
    finally:
        record()
        close = getattr(outcomes, "close", None)
        if close:
            close()
        remove_leftovers(manifest.get("output") or "")
    return float(manifest.get("seconds") or 0)


def _build_stop(reason: str) -> OutputError:
    return OutputError(f"{reason}; nothing is half-written, go on with --resume")


def count_workers(engine: str, device: str) -> int:
    """How many processes keep a machine busy: those of the local engine wait for the GPU most of the time."""
    return count_cores() * (PER_CORE if engine == "local" and device != CPU else 1)


def make_engine(name: str, job: MaskingJob, workers: int | None = None) -> TaskEngine:
    """The engine of that name. Ray and Spark are imported when somebody asks for them.

    A device that is not there is an error here, before anything is written.
    """
    refuse_device(job.device, name)
    workers = workers or count_workers(name, job.device)
    if name == "ray":
        from maskwise.scale.ray import RayEngine

        return RayEngine(job, workers)
    if name == "spark":
        from maskwise.scale.spark import SparkEngine

        return SparkEngine(job, workers)
    return LocalEngine(job, workers)


def _split_place(place: str) -> tuple[str, ...]:
    """The parts of a place, so that one inside another begins like it."""
    if StorePlace(place).is_remote:
        return tuple(part for part in re.split("/+", place) if part)
    return Path(place).resolve().parts


def _settle(place: str) -> str:
    """A path that means the same on every worker."""
    return place if StorePlace(place).is_remote else str(Path(place).resolve())
