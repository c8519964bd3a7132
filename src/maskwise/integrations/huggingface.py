"""A function for `datasets.Dataset.map` that masks named columns.

Its hash depends on policy, model and version, so `datasets` computes again only when one of them changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import Any

from maskwise.audit.log import describe_model
from maskwise.errors import InputError, MaskwiseError, PolicyError
from maskwise.io.columns import Columns, TableCell, load_rows
from maskwise.io.formats import Loaded
from maskwise.io.segments import mask_segments
from maskwise.io.values import fill_leaves, list_leaves
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document

Batch = Mapping[str, Sequence[Any]]
Row = dict[str, Any]


def mask_columns(
    *columns: str, policy: Policy | str = "balanced", error: str = "maskwise_error"
) -> MaskColumns:
    """Build the function for `Dataset.map(..., batched=True)` that masks all texts in these columns, at any depth.

    A row is one document: a person has one pseudonym in all its columns. A row that cannot be masked gets empty columns
    and its reason in the column `error`, which is empty in other rows.

    >>> mask_columns("text")({"text": ["Mr Lee left.", None]})
    {'text': ['[PERSON 1] left.', None], 'maskwise_error': ['', '']}
    """
    if not columns:
        raise InputError("mask_columns: name the columns to mask")
    chosen = policy if isinstance(policy, Policy) else Policy.load(policy)
    if chosen.scope == "corpus":
        raise PolicyError(
            "scope 'corpus' would depend on batches and processes; use a vault, or scope 'document'"
        )
    model = json.dumps(describe_model(chosen), sort_keys=True)
    return MaskColumns(columns, chosen.model_dump_json(), version("maskwise"), model, error)


@dataclass(frozen=True)
class MaskColumns:
    """The function that `mask_columns` builds. It holds only strings, so that it is copied and hashed by value."""

    columns: tuple[str, ...]
    policy: str
    version: str
    model: str
    error: str

    def __call__(self, batch: Batch) -> dict[str, list[Any]]:
        if missing := [name for name in self.columns if name not in batch]:
            raise InputError(f"no column {_quote_names(missing)}; there are {_quote_names(batch)}")
        if self.error in batch:
            raise InputError(f"there is a column {self.error!r} already; name another with error=")
        columns = [batch[name] for name in self.columns]
        rows = [
            dict(zip(self.columns, values, strict=True)) for values in zip(*columns, strict=True)
        ]
        sanitizer = _load_sanitizer(self.policy)
        done = list(_mask_rows(rows, sanitizer))
        masked: dict[str, list[Any]] = {}
        for name in self.columns:
            masked[name] = [row[name] for row, _ in done]
        masked[self.error] = [message for _, message in done]
        return masked


def _quote_names(names: Iterable[str]) -> str:
    return ", ".join(map(repr, names))


@lru_cache(maxsize=8)
def _load_sanitizer(policy: str) -> Sanitizer:
    parsed = Policy.parse(json.loads(policy))
    return Sanitizer(parsed)


def _mask_rows(rows: Sequence[Row], sanitizer: Sanitizer) -> Iterator[tuple[Row, str]]:
    """Yields each row masked and an empty message, or an empty row and its error."""
    types = Columns(sanitizer.policy.formats.tables.get("columns"))
    try:
        yield from [(row, "") for row in _mask_together(rows, types, sanitizer)]
    except MaskwiseError as error:  # mask one by one, to find the row that fails
        if len(rows) > 1:
            for row in rows:
                yield from _mask_rows([row], sanitizer)
        else:
            yield dict.fromkeys(rows[0]), str(error)


def _mask_together(rows: Sequence[Row], types: Columns, sanitizer: Sanitizer) -> list[Row]:
    read = [_read_row(row, types) for row in rows]
    documents = [
        Document(text, metadata={"given": loaded.get_given(at)})
        for loaded in read
        for at, text in enumerate(loaded.texts)
    ]
    results = sanitizer.run(documents)
    return [_write_row(row, types, loaded, results) for row, loaded in zip(rows, read, strict=True)]


def _read_row(row: Row, types: Columns) -> Loaded:
    cells = []
    for name, value in row.items():
        kind = types.find_type((name,))
        if kind is None and isinstance(value, int | float | bytes) and not isinstance(value, bool):
            raise InputError(
                f"column {name!r}: {type(value).__name__} is no text; declare its type in formats.tables.columns"
            )
        cells += [TableCell(leaf, kind) for leaf in list_leaves(value, numbers=kind is not None)]
    return load_rows([cells], None, together=False)


def _write_row(row: Row, types: Columns, loaded: Loaded, results: Iterator[Result]) -> Row:
    _, layouts = loaded.layout
    texts: list[str] = []
    for layout in layouts:
        texts += mask_segments(layout, next(results).rendering.alignment)
    masked = iter(texts)
    return {
        name: fill_leaves(value, masked, types.find_type((name,)) is not None)
        for name, value in row.items()
    }
