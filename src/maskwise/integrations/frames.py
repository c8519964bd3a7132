"""Data frames: pandas, Polars, PyArrow and datasets masked as tables, and a function for SQL in DuckDB.

A frame goes through the line as a Parquet table would: columns are typed, one person keeps one pseudonym in all rows,
the result is searched for leaks. Types and index stay; a masked number or date is null.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from maskwise.errors import InputError
from maskwise.files import sanitize_file
from maskwise.integrations import require_library
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

EXTRA = "tables"  # PyArrow, through which all frames go


def mask_frame(frame: Any, policy: Policy | str = "balanced") -> Any:
    """A data frame of the same kind with what identifies masked.

    Takes a `pandas.DataFrame`, a `polars.DataFrame` or `LazyFrame` (masked when it is collected), a `pyarrow.Table` or
    a `datasets.Dataset`.
    """
    require_library("pyarrow", EXTRA)
    library, kind = type(frame).__module__.partition(".")[0], type(frame).__name__
    mask = _MASKS.get((library, kind))
    if mask is None:
        raise InputError(
            f"{library}.{kind} is no data frame that can be masked; give one of pandas, Polars, PyArrow or datasets"
        )
    return mask(frame, _load_sanitizer(_dump(policy)))


def mask_expression(expression: Any, policy: Policy | str = "balanced") -> Any:
    """A Polars expression with the texts of `expression` masked, each a document of its own."""
    require_library("polars", "polars")
    import polars

    sanitizer = _load_sanitizer(_dump(policy))

    def mask_series(series: Any) -> Any:
        return polars.Series(series.name, mask_texts(series.to_list(), sanitizer), polars.String)

    return expression.map_batches(mask_series, return_dtype=polars.String)


def register_function(
    connection: Any, policy: Policy | str = "balanced", name: str = "maskwise"
) -> None:
    """Add the SQL function `maskwise(text)` to a DuckDB connection."""
    require_library("duckdb", "duckdb")
    require_library("pyarrow", EXTRA)
    sanitizer = _load_sanitizer(_dump(policy))

    def mask_array(texts: Any) -> Any:
        import pyarrow

        return pyarrow.array(mask_texts(texts.to_pylist(), sanitizer), pyarrow.string())

    connection.create_function(
        name, mask_array, ["VARCHAR"], "VARCHAR", type="arrow", null_handling="special"
    )


def mask_texts(texts: Iterable[str | None], sanitizer: Sanitizer) -> list[str | None]:
    """Texts masked one by one, in batches; nothing stays nothing.

    >>> mask_texts(["Mr Lee left.", None], Sanitizer())
    ['[PERSON 1] left.', None]
    """
    given = list(texts)
    done = iter(sanitizer.run(text for text in given if text))
    return [next(done).text if text else text for text in given]


def _mask_arrow(table: Any, sanitizer: Sanitizer) -> Any:
    import pyarrow.parquet as parquet

    if not table.num_columns:
        return table
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    done = sanitize_file(sanitizer, sink.getvalue(), "frame.parquet")
    masked = parquet.read_table(io.BytesIO(done.data))
    for at, (old, new) in enumerate(zip(table.schema, masked.schema, strict=True)):
        if old.type != new.type:  # Parquet has no times in seconds
            masked = masked.set_column(at, new.name, masked.column(at).cast(old.type))
    return masked


def _mask_pandas(frame: Any, sanitizer: Sanitizer) -> Any:
    if not frame.columns.is_unique:
        raise InputError("two columns of the data frame have one name; rename one of them")
    masked = _mask_arrow(_convert_pandas(frame), sanitizer).to_pandas()
    # Arrow names columns by texts. A name that was masked stays masked.
    named = {str(name): name for name in frame.columns}
    if [str(name) for name in masked.columns] == list(named):
        return masked.set_axis(frame.columns, axis=1)
    return masked.rename(columns=named) if len(named) == len(frame.columns) else masked


def _convert_pandas(frame: Any) -> Any:
    """A pandas frame as a table of Arrow. Its own errors would show values."""
    import pyarrow

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # columns with names that are no texts
        try:
            return pyarrow.Table.from_pandas(frame)
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
            where = _find_mixed_column(frame)
    raise InputError(f"data frame, {where}: values of several types; give them one with astype")


def _find_mixed_column(frame: Any) -> str:
    """The first column that Arrow cannot hold, by its place."""
    import pyarrow

    for at in range(frame.shape[1]):
        try:
            pyarrow.Array.from_pandas(frame.iloc[:, at])
        except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
            return f"column {at + 1}"
    return "index"


def _mask_polars(frame: Any, sanitizer: Sanitizer) -> Any:
    import polars

    return polars.from_arrow(_mask_arrow(frame.to_arrow(), sanitizer))


def _mask_lazy(frame: Any, sanitizer: Sanitizer) -> Any:
    return frame.map_batches(
        lambda found: _mask_polars(found, sanitizer), validate_output_schema=False
    )


def _mask_dataset(dataset: Any, sanitizer: Sanitizer) -> Any:
    table = _mask_arrow(dataset.with_format("arrow")[:], sanitizer)
    return type(dataset)(table)


_MASKS: dict[tuple[str, str], Callable[[Any, Sanitizer], Any]] = {
    ("pandas", "DataFrame"): _mask_pandas,
    ("polars", "DataFrame"): _mask_polars,
    ("polars", "LazyFrame"): _mask_lazy,
    ("pyarrow", "Table"): _mask_arrow,
    ("datasets", "Dataset"): _mask_dataset,
}


def _dump(policy: Policy | str) -> str:
    chosen = policy if isinstance(policy, Policy) else Policy.load(policy)
    return chosen.model_dump_json()


@lru_cache(maxsize=8)
def _load_sanitizer(policy: str) -> Sanitizer:
    return Sanitizer(Policy.model_validate_json(policy))
