"""Ray Data: masks a column of a dataset, and runs the tasks of `maskwise batch --engine ray` (extra `ray`).

Actors load the model once, on a GPU of their own or on a share of one where they are given any. Ray runs a task again
when its actor dies; on a CPU the bytes are the same.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from typing import Any

from maskwise.errors import DeviceError, OutputError, PluginError
from maskwise.policy import Policy
from maskwise.scale.arrow import make_row_job, mask_batch
from maskwise.scale.device import GPU, read_here, refuse_device
from maskwise.scale.stopping import keep_signals
from maskwise.scale.tasks import CPU, MaskingJob, Task, TaskOutcome
from maskwise.scale.worker import report_death, start_worker

ROWS = 64  # rows that an actor gets at once
RETRIES = 1


def sanitize(
    dataset: Any,
    text: str = "text",
    keep: tuple[str, ...] = (),
    id: str | None = None,
    policy: Policy | str = "balanced",
    protect: tuple[str, ...] = (),
    workers: int | tuple[int, int] = 1,
    gpus: float = 0,
    device: str = "",
) -> Any:
    """The dataset with the column `text` masked, the columns `keep` and `id`, and `error`. Other columns are left out.

    `workers` is the number of actors, or the least and the most. `gpus` gives each so many GPUs, or a share of
    one, to read on; `device` names another place.
    """
    load_ray()
    device = device or (GPU if gpus else CPU)
    refuse_device(device, "ray")
    job = make_row_job(policy, text, tuple(keep), id, protect, device)
    return dataset.map_batches(
        BatchActor,
        fn_constructor_args=(job.to_json(),),
        batch_format="pyarrow",
        batch_size=ROWS,
        concurrency=workers,
        num_gpus=gpus or None,  # an actor that dies is started again, and its rows are masked again
    )


class BatchActor:
    """An actor that masks rows."""

    def __init__(self, job: str) -> None:
        self._job = job
        read_here(MaskingJob.from_json(job).device)

    def __call__(self, batch: Any) -> Any:
        return mask_batch(self._job, batch)


class TaskActor:
    """An actor that reads, masks and writes the inputs of a batch."""

    def __init__(self, job: str) -> None:
        read_here(MaskingJob.from_json(job).device)
        self._worker = start_worker(job)

    def report_ready(self) -> None:
        """Return at once, when the actor has started."""

    def run(self, task: dict[str, Any]) -> dict[str, Any]:
        return self._worker.run(Task(**task)).to_json()


class RayEngine:
    """Runs tasks on a pool of Ray actors, in a cluster that is there (RAY_ADDRESS) or on this machine."""

    def __init__(self, job: MaskingJob, workers: int) -> None:
        self._ray = load_ray()
        self._job, self._workers = job.to_json(), workers
        self._is_gpu = job.device == GPU
        if self._is_gpu:
            self._connect()
            self._count_gpus()

    def run(self, tasks: Iterator[Task]) -> Iterator[TaskOutcome]:
        """Yield one outcome per task. Each actor has two tasks: one in work, and the next at hand.

        An actor gets its first task when it has started: one for which the cluster has no room holds nothing up. Of the
        tasks of an actor that keeps dying, each gets an actor of its own at the end, so that one costs no other.
        """
        self._connect()
        ray = self._ray
        kind = ray.remote(num_cpus=1, num_gpus=self._share_gpus())(TaskActor)
        lasting = kind.options(max_restarts=-1, max_task_retries=RETRIES)
        actors = [lasting.remote(self._job) for _ in range(self._workers)]
        starting = {actor.report_ready.remote(): actor for actor in actors}
        pending: dict[Any, tuple[Any, Task]] = {}
        suspects: list[Task] = []
        left = _Peekable(tasks)
        try:
            while pending or (starting and left):
                [done], _ = ray.wait([*pending, *starting], num_returns=1)
                if done in starting:
                    actor = starting.pop(done)
                    self._expect_start(done)
                    _submit(actor, left, pending)
                    _submit(actor, left, pending)
                    continue
                actor, task = pending.pop(done)
                try:
                    outcome = TaskOutcome.from_json(ray.get(done))
                except ray.exceptions.RayError:
                    suspects.append(task)
                    _submit(actor, left, pending)
                    continue
                _submit(actor, left, pending)
                yield outcome
        finally:
            for actor in actors:
                ray.kill(actor)
        for task in suspects:
            yield self._run_alone(kind, task)

    def _connect(self) -> None:
        """Connect to the cluster of RAY_ADDRESS, which has its own size, or start one here."""
        if self._ray.is_initialized():
            return
        place: dict[str, Any] = {"address": "local", "num_cpus": self._workers}
        if os.environ.get("RAY_ADDRESS"):
            place = {}
        with keep_signals():
            self._ray.init(include_dashboard=False, log_to_driver=False, **place)

    def _count_gpus(self) -> float:
        """How many GPUs the cluster has. One without any is an error."""
        count = float(self._ray.cluster_resources().get("GPU", 0))
        if not count:
            raise DeviceError(f"--device {GPU}: this cluster of Ray has no GPU")
        return count

    def _share_gpus(self) -> float:
        """The share of a GPU for each worker, so that all of them find a place."""
        if not self._is_gpu:
            return 0
        return 1 / math.ceil(self._workers / self._count_gpus())

    def _expect_start(self, started: Any) -> None:
        try:
            self._ray.get(started)
        except self._ray.exceptions.RayError as error:
            needed = "maskwise with PyTorch" if self._is_gpu else "maskwise"
            raise OutputError(
                f"a worker of Ray does not start ({type(error).__name__}); is {needed} installed there?"
            ) from None

    def _run_alone(self, kind: Any, task: Task) -> TaskOutcome:
        actor = kind.options(max_restarts=0).remote(self._job)
        try:
            return TaskOutcome.from_json(self._ray.get(actor.run.remote(task.to_json())))
        except self._ray.exceptions.RayError:
            return report_death(task)
        finally:
            self._ray.kill(actor)


class _Peekable:
    """An iterator of tasks that knows whether there is a next one."""

    def __init__(self, tasks: Iterator[Task]) -> None:
        self._tasks = tasks
        self._next = next(tasks, None)

    def __bool__(self) -> bool:
        return self._next is not None

    def take(self) -> Task | None:
        task = self._next
        if task is not None:
            self._next = next(self._tasks, None)
        return task


def _submit(actor: Any, tasks: _Peekable, pending: dict[Any, tuple[Any, Task]]) -> None:
    task = tasks.take()
    if task is not None:
        pending[actor.run.remote(task.to_json())] = actor, task


def load_ray() -> Any:
    try:
        import ray
    except ImportError:
        raise PluginError("this needs the extra `ray`: pip install 'maskwise[ray]'") from None
    return ray
