"""Spark: masks a column of a data frame by `mapInArrow`, and runs the tasks of `maskwise batch --engine spark`.

Python workers of Spark live as long as their executor, so each loads the model once. A task that Spark runs twice,
after a failure or by speculation, gives the same bytes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any

from maskwise.errors import OutputError, PluginError
from maskwise.policy import Policy
from maskwise.scale.arrow import make_row_job, mask_batch
from maskwise.scale.tasks import ERROR, STOPPED, MaskingJob, Task, TaskOutcome
from maskwise.scale.worker import Worker, report_death, start_worker

FAILURES = 3  # of a task, after which Spark gives up its job
PARTITIONS = 8  # per worker in one Spark job: few, because each costs time, and enough for all to end together
WAVE, WAVE_BYTES = (
    256,
    16 << 20,
)  # of tasks per worker in one job; after each job the manifest is complete


def sanitize(
    frame: Any,
    text: str = "text",
    keep: tuple[str, ...] = (),
    id: str | None = None,
    policy: Policy | str = "balanced",
    protect: tuple[str, ...] = (),
) -> Any:
    """The frame with the column `text` masked, the columns `keep` and `id`, and `error`. Other columns are left out.

    The same call works on a stream: `spark.readStream…`.
    """
    from pyspark.sql.types import StringType, StructField, StructType

    job = make_row_job(policy, text, tuple(keep), id, protect)
    assert job.table is not None
    written = job.table.written
    fields = [frame.schema[name] for name in written]
    schema = StructType(
        [*fields, StructField(text, StringType()), StructField(ERROR, StringType())]
    )
    told = job.to_json()

    def mask_batches(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield mask_batch(told, batch)

    wanted = list(dict.fromkeys((*written, text)))
    return frame.select(*wanted).mapInArrow(mask_batches, schema)


class SparkEngine:
    """Runs tasks as Spark jobs, in the session that is there or in one on this machine."""

    def __init__(self, job: MaskingJob, workers: int) -> None:
        self._is_own = not has_session()
        self._spark = open_session(workers)
        self._job = job.to_json()
        self._workers = max(workers, self._spark.sparkContext.defaultParallelism)
        self._expect_start()

    def run(self, tasks: Iterator[Task]) -> Iterator[TaskOutcome]:
        """Yield the outcomes of one Spark job after the other."""
        try:
            while wave := take_wave(tasks, self._workers):
                yield from self._run_wave(wave)
        except BaseException:
            if self._is_own:  # its workers would go on writing
                with suppress(Exception):
                    self._spark.stop()
            raise

    def _run_wave(self, wave: list[Task]) -> Iterator[TaskOutcome]:
        """Run tasks as one job. Of a job that fails the halves are run, down to the task that ends its workers."""
        context, told = self._spark.sparkContext, self._job

        def run_all(hand: list[str]) -> Iterator[str]:
            for line in hand:
                outcome = get_task_worker(told).run(Task(**json.loads(line)))
                yield json.dumps(outcome.to_json())
                if outcome.status == STOPPED:
                    return

        lines = [json.dumps(task.to_json()) for task in wave]
        count = min(len(lines), PARTITIONS * self._workers)
        hands = [lines[at::count] for at in range(count)]  # each with its share of the largest
        try:
            found = context.parallelize(hands, count).flatMap(run_all).collect()
        except list_failures():
            if is_stopped(context):
                raise OutputError("Spark has stopped; go on with --resume") from None
            if len(wave) == 1:
                yield report_death(wave[0])
                return
            half = len(wave) // 2
            yield from self._run_wave(wave[:half])
            yield from self._run_wave(wave[half:])
            return
        for line in found:
            yield TaskOutcome.from_json(json.loads(line))

    def _expect_start(self) -> None:
        """Load the package in the workers, before a failure could be taken for one of a document."""

        def load(_: int) -> int:
            import maskwise.scale.worker

            return len(maskwise.scale.worker.STOPPING)

        count = self._workers
        try:
            self._spark.sparkContext.parallelize(range(count), count).map(load).collect()
        except list_failures():
            raise OutputError(
                "a worker of Spark does not start; is maskwise installed there?"
            ) from None


def take_wave(tasks: Iterator[Task], workers: int) -> list[Task]:
    """The next tasks for one job: a task for each partition, and then as many as take some minutes."""
    wave = list(islice(tasks, PARTITIONS * workers))
    size = sum(task.size for task in wave)
    while len(wave) < WAVE * workers and size < WAVE_BYTES * workers:
        task = next(tasks, None)
        if task is None:
            break
        wave.append(task)
        size += task.size
    return wave


def list_failures() -> tuple[type[Exception], ...]:
    """The errors that a failed job raises: those of Java, and those that Spark makes of errors of Python."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return Py4JError, PySparkException


def is_stopped(context: Any) -> bool:
    """Whether the driver of Spark is gone, or has ended."""
    try:
        return bool(context._jsc is None or context._jsc.sc().isStopped())
    except Exception:
        return True


@lru_cache(maxsize=1)
def get_task_worker(job: str) -> Worker:
    """The worker of this Python process for a job."""
    return start_worker(job)


def open_session(workers: int) -> Any:
    """The session that is there, one on the cluster of a submission, or one on so many cores of this machine."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise PluginError("this needs the extra `spark`: pip install 'maskwise[spark]'") from None
    if has_session():
        return SparkSession.getActiveSession()
    builder = SparkSession.builder.appName("maskwise").config("spark.ui.enabled", "false")
    if not has_master():
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # not another one of this machine
        builder = builder.master(f"local[{workers},{FAILURES}]")
    return builder.getOrCreate()


def has_session() -> bool:
    """Whether this process has a session of its user."""
    session = sys.modules.get("pyspark.sql")
    return session is not None and session.SparkSession.getActiveSession() is not None


def has_master() -> bool:
    """Whether `spark-submit` runs this process, or PYSPARK_SUBMIT_ARGS names a master."""
    options = os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    return "PYSPARK_GATEWAY_PORT" in os.environ or "--master" in options
