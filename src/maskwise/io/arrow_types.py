"""Types of Arrow as a masked table may have them: without metadata, extensions, and names that people gave."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

Names = Mapping[str, str]  # old name to new

_PANDAS = re.compile(
    r"(?:unicode|string|str|bytes|object|bool|boolean|empty|date|time|datetime|datetimetz|timedelta|categorical|decimal"
    r"|u?int\d{1,2}|float\d{1,2}|Int\d{1,2}|Float\d{1,2}|datetime64\[\w{1,2}\]|timedelta64\[\w{1,2}\]|mixed)"
)
_VERSION = re.compile(r"\d{1,3}(?:\.\d{1,3}){1,3}")
_OFFSET = re.compile(r"[+-]\d\d:\d\d")
_LEVEL = re.compile(r"__index_level_\d{1,2}__")
_TELLING = 1000  # a smaller number tells nothing


def can_tell(column: Any, is_named: bool) -> bool:
    """Whether a column can hold something about a person: texts, bytes, dates, or numbers of four digits and more.

    A column that `is_named` for births or places can do so with fewer digits.
    """
    import pyarrow.compute as pc
    import pyarrow.types as types

    kind = column.type
    if types.is_integer(kind) or types.is_floating(kind):
        if types.is_float16(kind):
            return is_named
        least, most = (pc.min_max(column)[side].as_py() or 0 for side in ("min", "max"))
        return bool(is_named or most >= _TELLING or least <= -_TELLING)
    if types.is_time(kind) or types.is_duration(kind):
        return is_named
    return not (types.is_boolean(kind) or types.is_null(kind))


def list_values(column: Any) -> list[Any]:
    """The values of a column. Moments in a zone that is none are read without it."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_timestamp(kind) and kind.tz is not None and not is_zone(kind.tz):
        column = column.cast(pa.int64()).cast(pa.timestamp(kind.unit))
    values: list[Any] = column.to_pylist()
    return values


def is_moment(value: Any) -> bool:
    """Whether it is a date, with its time or without."""
    return isinstance(value, date)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def read_digits(number: float | Decimal) -> str:
    """The digits of a number that may identify: of a fraction none, since a measurement has any number of them."""
    if isinstance(number, int):
        return str(number)
    try:
        whole = int(number)
    except (ValueError, OverflowError, ArithmeticError):
        return ""
    if isinstance(number, float):
        return str(whole) if whole == number and abs(whole) < 1 << 53 else ""
    return format(number, "f").replace(".", "")


def list_names(schema: Any) -> Iterator[str]:
    """Every name in a schema once, in order, at any depth."""
    seen: dict[str, None] = {}
    waiting = list(schema)[::-1]
    while waiting:
        item = waiting.pop()
        seen.setdefault(item.name)
        waiting += list_inner_fields(item.type)[::-1]
    return iter(seen)


def list_inner_fields(kind: Any) -> list[Any]:
    import pyarrow as pa
    import pyarrow.types as types

    if isinstance(kind, pa.BaseExtensionType):
        return list_inner_fields(kind.storage_type)
    if types.is_map(kind):
        # Its own names say nothing.
        return [
            *list_inner_fields(kind.key_type),
            *list_inner_fields(kind.item_type),
        ]
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return [kind.value_field]
    if types.is_struct(kind):
        return [kind.field(at) for at in range(kind.num_fields)]
    return []


def make_unique(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """New names, each given once: a second one of the same gets a number."""
    taken: set[str] = set()
    for old, new in pairs:
        name, count = new, 1
        while name in taken:
            count += 1
            name = f"{new} {count}"
        taken.add(name)
        yield old, name


def simplify_field(column: Any, names: Names) -> Any:
    """A column without metadata, under its new name. It may hold nulls, since what cannot be masked becomes one."""
    import pyarrow as pa

    return pa.field(names[column.name], simplify_type(column.type, names), nullable=True)


def simplify_type(kind: Any, names: Names) -> Any:
    import pyarrow as pa
    import pyarrow.types as types

    if isinstance(kind, pa.BaseExtensionType):
        return simplify_type(kind.storage_type, names)
    if types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, simplify_type(kind.value_type, names), kind.ordered)
    if types.is_map(kind):
        return pa.map_(
            simplify_type(kind.key_type, names),
            simplify_type(kind.item_type, names),
            kind.keys_sorted,
        )
    if types.is_struct(kind):
        return pa.struct([simplify_field(kind.field(at), names) for at in range(kind.num_fields)])
    if types.is_fixed_size_list(kind):
        return pa.list_(simplify_field(kind.value_field, names), kind.list_size)
    if types.is_large_list(kind):
        return pa.large_list(simplify_field(kind.value_field, names))
    if types.is_list(kind):
        return pa.list_(simplify_field(kind.value_field, names))
    if types.is_timestamp(kind) and kind.tz is not None:
        return pa.timestamp(kind.unit, kind.tz if is_zone(kind.tz) else "UTC")
    return kind


def is_zone(zone: str) -> bool:
    return _OFFSET.fullmatch(zone) is not None or zone in _list_zones()


@cache
def _list_zones() -> frozenset[str]:
    from zoneinfo import available_timezones

    return frozenset(available_timezones() | {"UTC"})


def keep_column(column: Any, spec: Any) -> Any:
    """A column that was not taken apart, in its plain type."""
    import pyarrow as pa

    if column.type == spec.type:
        return column
    if pa.types.is_timestamp(column.type):  # whose zone is no zone
        return column.cast(pa.int64()).cast(spec.type)
    return fill_column(column.to_pylist(), spec.type)


def fill_column(values: list[Any], kind: Any) -> Any:
    """Masked values as a column of this type."""
    import pyarrow as pa

    return pa.array([fit_value(value, kind) for value in values], type=kind)


def fit_value(value: Any, kind: Any) -> Any:
    """A value that its type can hold: bytes of another length than the type says are null."""
    import pyarrow.types as types

    if value is None:
        return None
    if types.is_fixed_size_binary(kind):
        data = value.bytes if isinstance(value, UUID) else value
        return data if len(data) == kind.byte_width else None
    if types.is_dictionary(kind):
        return fit_value(value, kind.value_type)
    if types.is_map(kind):
        return [
            (_fit_key(key, kind.key_type), fit_value(inner, kind.item_type)) for key, inner in value
        ]
    if types.is_struct(kind):
        return {
            kind.field(at).name: fit_value(v, kind.field(at).type)
            for at, v in enumerate(value.values())
        }
    if types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        return [fit_value(inner, kind.value_type) for inner in value]
    return value


def _fit_key(key: Any, kind: Any) -> Any:
    """A key of a map may not be null."""
    fit = fit_value(key, kind)
    return bytes(kind.byte_width) if fit is None else fit


def rewrite_pandas_metadata(
    found: Mapping[bytes, bytes] | None, names: Names, fields: Sequence[Any]
) -> dict[bytes, bytes] | None:
    """The metadata by which pandas knows its index and types, with the new names and words of pandas alone."""
    try:
        known = json.loads((found or {})[b"pandas"])
        made = {
            "index_columns": [_rename_index(index, names) for index in known["index_columns"]],
            "column_indexes": [],
            "columns": [_rename_column(column, names) for column in known["columns"]],
            "pandas_version": known.get("pandas_version"),
            "creator": {"library": "pyarrow"},
        }
    except (KeyError, ValueError, TypeError, AttributeError):
        return None
    if not _VERSION.fullmatch(str(made["pandas_version"])):
        del made["pandas_version"]
    columns = {field.name for field in fields}
    if any(isinstance(index, str) and index not in columns for index in made["index_columns"]):
        return None
    return {b"pandas": json.dumps(made).encode()}


def _rename_index(index: Any, names: Names) -> Any:
    if isinstance(index, str):
        return names[index]
    bounds = {side: int(index[side]) for side in ("start", "stop", "step")}
    return {"kind": "range", "name": None, **bounds}


def _rename_column(column: Mapping[str, Any], names: Names) -> dict[str, Any]:
    name = column.get("field_name") or column["name"]
    kind, numpy = str(column.get("pandas_type")), str(column.get("numpy_type"))
    return {
        "name": None if _LEVEL.fullmatch(name) else names[name],
        "field_name": names[name],
        "pandas_type": kind if _PANDAS.fullmatch(kind) else "object",
        "numpy_type": numpy if _PANDAS.fullmatch(numpy) else "object",
        "metadata": _clean_details(column.get("metadata")),
    }


def _clean_details(found: Any) -> dict[str, Any] | None:
    if not isinstance(found, dict):
        return None
    kept_ones = {
        key: value
        for key, value in found.items()
        if key in ("num_categories", "ordered", "precision", "scale") and isinstance(value, int)
    }
    zone = found.get("timezone")
    return kept_ones | ({"timezone": zone} if isinstance(zone, str) and is_zone(zone) else {})
