# ruff: noqa: E501 - a place reads better in one line
"""Places of Parquet files: types of values, names, metadata, and the file around them."""

from __future__ import annotations

import base64
import datetime
import decimal
import io
import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from . import Place
from .csv import digits


def written(
    columns: dict[str, Any], metadata: dict[str, str] | None = None, **options: Any
) -> bytes:
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    if metadata:
        table = table.replace_schema_metadata(metadata)
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def number(text: str) -> int:
    """A text as a number: its digits, where it is made of them, else none to tell."""
    found = digits(text)
    return int(found) if found.isdigit() else 7


def _values(
    form: Callable[[str], Any], kind: Any = None, header: str = "x"
) -> Callable[[str, str], bytes]:
    """A column of two values beside one of text."""

    def build(planted: str, body: str) -> bytes:
        value = form(planted)
        return written({"note": [body, "Nothing."], header: pa.array([value, None], kind)})

    return build


def _extension(
    name: str, storage: Any, values: Callable[[str], list[Any]]
) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        kind = {"json": pa.json_, "uuid": pa.uuid}[name]()
        array = pa.ExtensionArray.from_storage(kind, pa.array(values(planted), storage))
        return written({"note": [body], "x": array})

    return build


def _named(planted: str, body: str) -> bytes:
    return written({"note": [body], planted: ["x"]})


def _nested_name(planted: str, body: str) -> bytes:
    return written({"note": [body], "x": [[{planted: "a", "b": {planted: 1}}]]})


def _field_metadata(planted: str, body: str) -> bytes:
    schema = pa.schema([pa.field("note", pa.string(), metadata={"comment": planted})])
    return written(pa.table([[body]], schema=schema))


def _deep_metadata(planted: str, body: str) -> bytes:
    inner = pa.struct([pa.field("a", pa.string(), metadata={planted: "x", "y": planted})])
    return written(
        pa.table(
            [[body], [{"a": "b"}]],
            schema=pa.schema([pa.field("note", pa.string()), pa.field("x", inner)]),
        )
    )


def _list_metadata(planted: str, body: str) -> bytes:
    inner = pa.list_(pa.field(planted, pa.string(), metadata={"x": planted}))
    return written(
        pa.table(
            [[body], [["b"]]],
            schema=pa.schema([pa.field("note", pa.string()), pa.field("x", inner)]),
        )
    )


def _pandas(**more: Any) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        column = {
            "name": "note",
            "field_name": "note",
            "pandas_type": "unicode",
            "numpy_type": "object",
            "metadata": None,
        }
        known: dict[str, Any] = {
            "index_columns": [{"kind": "range", "name": None, "start": 0, "stop": 1, "step": 1}],
            "column_indexes": [], "columns": [column], "pandas_version": "2.2.0",
            "creator": {"library": "pyarrow", "version": "16.0.0"},
        }  # fmt: skip
        text = json.dumps(known | more).replace("PLANTED", json.dumps(planted)[1:-1])
        return written({"note": [body]}, {"pandas": text})

    return build


def _column(**more: Any) -> list[dict[str, Any]]:
    plain = {
        "name": "note",
        "field_name": "note",
        "pandas_type": "unicode",
        "numpy_type": "object",
        "metadata": None,
    }
    return [plain | more]


def _metadata(key: str, value: Callable[[str], str]) -> Callable[[str, str], bytes]:
    return lambda planted, body: written(
        {"note": [body]}, {key.replace("{}", planted): value(planted)}
    )


def _unread(planted: str, body: str) -> bytes:
    """Bytes between the first mark and the end that nothing points to."""
    raw = written({"note": [body]}, compression="none")
    return raw[:-8] + b"" + raw[-8:] if not planted else _with_gap(raw, planted.encode())


def _with_gap(raw: bytes, text: bytes) -> bytes:
    size = int.from_bytes(raw[-8:-4], "little")
    footer = len(raw) - 8 - size
    return raw[:footer] + text + raw[footer:]


def _zone(planted: str, body: str) -> bytes:
    at = pa.array([0], pa.timestamp("s", tz=planted))
    return written({"note": [body], "x": at})


def _index(planted: str, body: str) -> bytes:
    known = {
        "index_columns": [planted],
        "column_indexes": [],
        "columns": [],
        "pandas_version": "2.2.0",
    }
    return written({"note": [body], planted: ["x"]}, {"pandas": json.dumps(known)})


def _two_columns(planted: str, body: str) -> bytes:
    return written(
        pa.Table.from_arrays(
            [pa.array([body]), pa.array(["x"]), pa.array(["y"])],
            names=["note", planted, planted + " 2"],
        )
    )


def _wide(planted: str) -> bytes:
    return planted.encode("utf-16-le")


def _dictionary(planted: str, body: str) -> bytes:
    kinds = pa.DictionaryArray.from_arrays(pa.array([1, 1]), pa.array([planted, "x"]))
    return written({"note": [body, "y"], "x": kinds})


def _of_years(planted: str) -> Any:
    return datetime.datetime(1985, 3, 12)


_MADE: dict[str, Callable[[str, str], bytes]] = {
    "text": _values(str),
    "large text": _values(str, pa.large_string()),
    "view of text": _values(str, pa.string_view()),
    "binary": _values(str.encode, pa.binary()),
    "large binary": _values(str.encode, pa.large_binary()),
    "view of binary": _values(str.encode, pa.binary_view()),
    "binary of UTF-16": _values(_wide, pa.binary()),
    "binary of UTF-32": _values(lambda p: p.encode("utf-32"), pa.binary()),
    "binary that is no text": _values(lambda p: b"\0\xff" + p.encode() + b"\x80", pa.binary()),
    "binary of a pickle": _values(lambda p: b"\x80\x04X" + p.encode(), pa.binary()),
    "binary of fixed size": lambda p, b: _values(str.encode, pa.binary(len(p.encode())))(p, b),
    "binary of another fixed size": _values(lambda p: p.encode()[:30].ljust(30, b"\0"), pa.binary(30)),
    "JSON type": _extension("json", pa.string(), lambda p: [json.dumps({"who": p})]),
    "escaped JSON type": _extension("json", pa.string(), lambda p: ['{"who": "' + "".join(f"\\u{ord(c):04x}" for c in p) + '"}']),
    "key of JSON type": _extension("json", pa.string(), lambda p: [json.dumps({p: 1})]),
    "UUID type": lambda p, b: _extension("uuid", pa.binary(16), lambda q: [q.encode()[-16:].rjust(16, b"0")])(p, b),
    "JSON in text": _values(lambda p: json.dumps({"a": [{"who": p}]})),
    "base64 in text": _values(lambda p: base64.b64encode(p.encode()).decode()),
    "base64 in binary": _values(lambda p: base64.b64encode(p.encode()), pa.binary()),
    "HTML in text": _values(lambda p: f"<p title='{p}'>x</p>"),
    "entities in text": _values(lambda p: "".join(f"&#{ord(c)};" for c in p)),
    "dictionary": _values(str, pa.dictionary(pa.int32(), pa.string())),
    "unused value of a dictionary": _dictionary,
    "dictionary of binary": _values(str.encode, pa.dictionary(pa.int32(), pa.binary())),
    "struct": _values(lambda p: {"a": {"b": p}}),
    "list": _values(lambda p: ["x", p]),
    "large list": _values(lambda p: ["x", p], pa.large_list(pa.string())),
    "list of fixed size": _values(lambda p: ["x", p], pa.list_(pa.string(), 2)),
    "list of structs": _values(lambda p: [{"a": [p]}]),
    "list of binary": _values(lambda p: [p.encode()], pa.list_(pa.binary())),
    "value of a map": _values(lambda p: [("a", p)], pa.map_(pa.string(), pa.string())),
    "key of a map": _values(lambda p: [(p, 1)], pa.map_(pa.string(), pa.int64())),
    "binary key of a map": _values(lambda p: [(p.encode(), 1)], pa.map_(pa.binary(), pa.int64())),
    "unreadable key of a map": _values(lambda p: [(b"\xff" + p.encode(), 1)], pa.map_(pa.binary(), pa.int64())),
    "list in a map": _values(lambda p: [("a", [{"b": p}])], pa.map_(pa.string(), pa.list_(pa.struct([("b", pa.string())])))),
    "integer": _values(number, pa.int64()),
    "unsigned integer": _values(number, pa.uint64()),
    "integer under a telling header": _values(number, pa.int64(), "phone"),
    "short integer under a telling header": _values(lambda p: number(p) % 10**10, pa.int64(), "account_no"),
    "fraction": _values(lambda p: float(number(p)), pa.float64()),
    "decimal": _values(lambda p: decimal.Decimal(number(p)), pa.decimal128(38, 0)),
    "decimal with places": _values(lambda p: decimal.Decimal(number(p)).scaleb(-4), pa.decimal128(38, 4)),
    "large decimal": _values(lambda p: decimal.Decimal(number(p)), pa.decimal256(60, 2)),
    "integer in a struct": _values(lambda p: {"a": number(p)}),
    "integer in a list": _values(lambda p: [1, number(p)]),
    "integer in a map": _values(lambda p: [("phone", number(p))], pa.map_(pa.string(), pa.int64())),
    "integer key of a map": _values(lambda p: [(number(p), "x")], pa.map_(pa.int64(), pa.string())),
    "dictionary of integers": _values(number, pa.dictionary(pa.int32(), pa.int64())),
    "text of a number": _values(digits),
    "name of a column": _named,
    "names of two columns": _two_columns,
    "name of a field": _nested_name,
    "name of a column in base64": lambda p, b: written({"note": [b], base64.b64encode(p.encode()).decode(): ["x"]}),
    "value of metadata": _metadata("owner", str),
    "key of metadata": _metadata("{}", lambda p: "x"),
    "metadata in base64": _metadata("owner", lambda p: base64.b64encode(p.encode()).decode()),
    "metadata of another program": _metadata("org.apache.spark.sql.parquet.row.metadata", lambda p: json.dumps({"type": "struct", "fields": [{"name": "note", "metadata": {"comment": p}}]})),
    "metadata of Avro": _metadata("parquet.avro.schema", lambda p: json.dumps({"doc": p})),
    "metadata of GeoParquet": _metadata("geo", lambda p: json.dumps({"columns": {"x": {"crs": p}}})),
    "metadata of a column": _field_metadata,
    "metadata of a field": _deep_metadata,
    "metadata of a list": _list_metadata,
    "attributes of pandas": _pandas(attributes={"owner": "PLANTED"}),
    "name of the index of pandas": _pandas(index_columns=[{"kind": "range", "name": "PLANTED", "start": 0, "stop": 1, "step": 1}]),
    "name of the columns of pandas": _pandas(column_indexes=[{"name": "PLANTED", "field_name": "PLANTED", "pandas_type": "unicode", "numpy_type": "object", "metadata": {"encoding": "PLANTED"}}]),
    "column of pandas": _pandas(columns=_column(name="PLANTED")),
    "type of pandas": _pandas(columns=_column(pandas_type="PLANTED", numpy_type="PLANTED")),
    "metadata of a column of pandas": _pandas(columns=_column(metadata={"owner": "PLANTED", "timezone": "PLANTED"})),
    "creator of pandas": _pandas(creator={"library": "PLANTED", "version": "PLANTED"}),
    "version of pandas": _pandas(pandas_version="PLANTED"),
    "partition columns of pandas": _pandas(partition_columns=["PLANTED"]),
    "kind of index of pandas": _pandas(index_columns=[{"kind": "PLANTED", "start": 0, "stop": 1, "step": 1}]),
    "index of pandas": _index,
    "time zone": _zone,
    "statistics": lambda p, b: written({"note": [b, p, "a"]}, write_statistics=True),
    "page index": lambda p, b: written({"note": [b, p, "a"]}, write_page_index=True),
    "dictionary page": lambda p, b: written({"note": [b, p, p]}, use_dictionary=True),
    "second row group": lambda p, b: written({"note": [b, "a", p]}, row_group_size=1),
    "uncompressed": lambda p, b: written({"note": [b, p]}, compression="none"),
    "gap before the footer": _unread,
    "delta encoding": lambda p, b: written({"note": [b, p]}, use_dictionary=False, column_encoding="DELTA_BYTE_ARRAY"),
}  # fmt: skip

PLACES = [Place(f"parquet: {name}", "parquet", build) for name, build in _MADE.items()]
