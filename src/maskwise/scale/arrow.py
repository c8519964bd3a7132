"""Masks a column of Arrow batches: what Ray Data and Spark call for their blocks.

A row is masked as `maskwise sanitize` masks a text file with its text. So neither the size of a block, nor the order,
nor the number of workers changes a byte. The model is loaded once per process.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from maskwise.policy import Policy
from maskwise.scale.batch import refuse_order, refuse_unnamed
from maskwise.scale.rows import TableRow
from maskwise.scale.tasks import CPU, ERROR, MaskingJob, TextColumns
from maskwise.scale.worker import Worker, start_worker


def make_row_job(
    policy: Policy | str,
    text: str,
    keep: tuple[str, ...],
    id: str | None,
    protect: tuple[str, ...],
    device: str = CPU,
) -> MaskingJob:
    """The job of a function that masks rows and writes no file."""
    chosen = policy if isinstance(policy, Policy) else Policy.load(policy)
    refuse_order(chosen)
    if not id:
        refuse_unnamed(chosen)
    columns = TextColumns(text, tuple(keep), id)
    return MaskingJob("", "", chosen.model_dump_json(), tuple(protect), columns, device)


@lru_cache(maxsize=2)
def get_worker(job: str) -> Worker:
    """The worker of this process for a job. Loads the model at its first row, once."""
    return start_worker(job)


def mask_batch(job: str, batch: Any) -> Any:
    """A record batch or table with the kept columns, the masked text, and the reason where a row has none."""
    import pyarrow as pa

    worker = get_worker(job)
    table = worker.job.table
    assert table is not None
    kept = batch.select(list(table.written))
    names = batch.column(table.id).to_pylist() if table.id else [None] * batch.num_rows
    texts: list[str | None] = []
    reasons: list[str | None] = []
    for text, name in zip(batch.column(table.text).to_pylist(), names, strict=True):
        problem = (
            "" if text is None or isinstance(text, str) else f"column {table.text!r} holds no text"
        )
        row = TableRow({}, None if problem else text, problem)
        masked, reason = worker.mask_row(row, str(name or "row"))
        texts.append(masked)
        reasons.append(reason or None)
    columns = [*kept.columns, pa.array(texts, pa.string()), pa.array(reasons, pa.string())]
    named = [*kept.schema.names, table.text, ERROR]
    return type(batch).from_arrays(columns, names=named)
