"""Spark: masks a column of a data frame by `mapInArrow`, and runs the tasks of `maskwise batch --engine spark`.

Python workers of Spark live as long as their executor, so each loads the model once. A task that Spark runs twice,
after a failure or by speculation, gives the same bytes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from maskwise.errors import PluginError
from maskwise.policy import Policy
from maskwise.scale.arrow import make_row_job, mask_batch
from maskwise.scale.rows import ERROR
from maskwise.scale.tasks import MaskingJob, Task, TaskOutcome
from maskwise.scale.worker import Worker

WAVE = 64  # tasks per worker in one Spark job; after each job the manifest is complete


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
        self._spark = open_session(workers)
        self._job, self._workers = job.to_json(), workers

    def run(self, tasks: Iterator[Task]) -> Iterator[TaskOutcome]:
        """Yield the outcomes of one Spark job after the other; the largest tasks are spread over its partitions."""
        told = self._job

        def run_all(lines: Iterator[str]) -> Iterator[str]:
            for line in lines:
                yield json.dumps(get_task_worker(told).run(Task(**json.loads(line))).to_json())

        context = self._spark.sparkContext
        while wave := list(islice(tasks, WAVE * self._workers)):
            lines = [json.dumps(task.to_json()) for task in wave]
            # One partition per task: Spark gives the next to whoever is free.
            found = context.parallelize(lines, len(lines)).mapPartitions(run_all).collect()
            for line in found:
                yield TaskOutcome.from_json(json.loads(line))


@lru_cache(maxsize=1)
def get_task_worker(job: str) -> Worker:
    """The worker of this Python process for a job."""
    return Worker(MaskingJob.from_json(job))


def open_session(workers: int) -> Any:
    """The session that is there, one on the cluster of a submission, or one on so many cores of this machine."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise PluginError("this needs the extra `spark`: pip install 'maskwise[spark]'") from None
    there = SparkSession.getActiveSession()
    if there is not None:
        return there
    builder = SparkSession.builder.appName("maskwise").config("spark.ui.enabled", "false")
    if not has_master():
        builder = builder.master(f"local[{workers}]")
    return builder.getOrCreate()


def has_master() -> bool:
    """Whether `spark-submit` runs this process, or PYSPARK_SUBMIT_ARGS names a master."""
    options = os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    return "PYSPARK_GATEWAY_PORT" in os.environ or "--master" in options
