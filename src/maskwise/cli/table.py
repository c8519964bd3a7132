"""`maskwise table`: says how the columns of a table are typed, and makes quasi-identifiers k-anonymous."""

from __future__ import annotations

import csv
import io as streams
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from maskwise import io
from maskwise.cli.options import JsonOption, PolicyOption, make_console, note, split_list
from maskwise.cli.terminal import make_plain
from maskwise.errors import InputError
from maskwise.policy import Policy

if TYPE_CHECKING:
    from maskwise.io.column_typing import ColumnKind
    from maskwise.io.columns import ColumnTypes

_MASKED = re.compile(r"(?:\[[A-Z]+(?: [0-9A-F.]+)?\]|\*+)?")

EXAMPLES = """[bold]Examples[/bold]

maskwise table patients.csv

maskwise table patients.csv --k 5 --quasi age,postcode,sex --sensitive diagnosis --l 2 -o shared.csv"""


def table(
    path: Annotated[
        Path, typer.Argument(help="CSV, TSV, JSON, JSON Lines, Parquet or XLSX.", metavar="FILE")
    ],
    k: Annotated[
        int | None, typer.Option("--k", "-k", help="Hide each row among K of one class.", min=2)
    ] = None,
    quasi: Annotated[
        str,
        typer.Option(
            "--quasi", help="Generalise these columns, which identify together.", metavar="A,B,C"
        ),
    ] = "",
    sensitive: Annotated[
        str | None,
        typer.Option(
            "--sensitive", help="Require that this column varies in each class.", metavar="COLUMN"
        ),
    ] = None,
    diversity: Annotated[
        int | None,
        typer.Option(
            "--l",
            help="Require L sensitive values in each class, 2 by default.",
            metavar="L",
            min=1,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write the k-anonymous CSV here.", metavar="FILE"),
    ] = None,
    policy: PolicyOption = "balanced",
    as_json: JsonOption = False,
) -> None:
    """Say what the columns of a table hold. With --k, generalise those that identify together and write the table."""
    limits = Policy.load(policy).formats.limits
    raw = limits.read_file(path, path.name)
    if k is None:
        _show_types(path, raw, policy, as_json)
        return
    if not quasi or out is None:
        raise InputError(
            "--k needs --quasi with the columns that identify together, and -o for the result"
        )
    if path.suffix.lower() not in (".csv", ".tsv"):
        raise InputError(f"{path.name}: k-anonymity is for CSV and TSV")
    types = _list_types(path, raw, policy)
    kinds = {where[-1]: one.kind for where, one in types.items()}
    if diversity is None:
        diversity = 2 if sensitive else 1
    _anonymise(path, raw, out, split_list(quasi), k, sensitive, diversity, kinds, as_json)


def _list_types(path: Path, raw: bytes, policy: str) -> ColumnTypes:
    reader: Any = io.build_reader(path.suffix, Policy.load(policy).formats.options)
    if not hasattr(reader, "list_types"):
        raise InputError(
            f"{path.name}: not a table; give CSV, TSV, JSON, JSON Lines, Parquet or XLSX"
        )
    return cast("ColumnTypes", reader.list_types(raw, path.name))


def _show_types(path: Path, raw: bytes, policy: str, as_json: bool) -> None:
    types = _list_types(path, raw, policy)
    rows = [
        {"column": ".".join(where), "kind": one.kind.value, "reason": one.reason}
        for where, one in types.items()
    ]
    if as_json:
        print(json.dumps({"columns": rows}, indent=1))
        return
    from rich.table import Table

    shown = Table("column", "kind", "reason")
    for row in rows:
        shown.add_row(*map(make_plain, row.values()))
    make_console().print(shown)


def _anonymise(
    path: Path,
    raw: bytes,
    out: Path,
    quasi: list[str],
    k: int,
    sensitive: str | None,
    diversity: int,
    kinds: dict[str, ColumnKind],
    as_json: bool,
) -> None:
    from maskwise.anonymity import anonymise_rows
    from maskwise.io.delimited import sniff_delimiter
    from maskwise.io.encoding import decode_text

    text, _ = decode_text(raw, path.name)
    rows = _read_rows(path, text, sniff_delimiter(text))
    columns = list(rows[0]) if rows else []
    others = [name for name in columns if name not in (*quasi, sensitive)]
    shown = [name for name in others if not _is_masked(row[name] for row in rows)]
    _refuse_identifiers({name: kinds[name] for name in shown if name in kinds})
    done = anonymise_rows(rows, quasi, k, sensitive, diversity)
    sink = streams.StringIO()
    writer = csv.DictWriter(sink, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(done.rows)
    io.write_file(out, sink.getvalue().encode())
    if as_json:
        print(json.dumps(done.to_json(), indent=1))
    found = done.to_json()
    note(
        f"{found['classes']} classes of {found['smallest']} to {found['largest']} rows (median {found['median']}), "
        f"{found['suppressed']} of {found['rows']} rows suppressed; written to {out}"
    )
    if shown:
        names = ", ".join(shown)
        note(f"written as they are: {names}; where these tell who is meant, mask {out} as well")


def _read_rows(path: Path, text: str, delimiter: str) -> list[dict[str, str]]:
    """The rows by column. What two columns of one name or cells without a name hold would be lost."""
    reader = csv.reader(streams.StringIO(text), delimiter=delimiter, strict=True)
    table: list[list[str]] = []
    ended = 0  # the line on which the last sound row ends
    try:
        for row in reader:
            ended = reader.line_num
            if row:
                table.append(row)
    except csv.Error:
        raise InputError(
            f"{path.name}: the row after line {ended} has a quotation mark that is not closed or not doubled"
        ) from None
    header = table[0] if table else []
    if len(set(header)) < len(header):
        raise InputError(f"{path.name}: two columns have one name; rename one of them")
    for number, row in enumerate(table[1:], 2):
        if len(row) > len(header):
            raise InputError(f"{path.name}: row {number} has more cells than the first row")
    empty = [""] * len(header)
    return [dict(zip(header, row + empty[len(row) :], strict=True)) for row in table[1:]]


def _is_masked(cells: Iterable[str]) -> bool:
    """Whether a column holds nothing but masks."""
    return all(_MASKED.fullmatch(cell.strip()) for cell in cells)


def _refuse_identifiers(kinds: Mapping[str, ColumnKind]) -> None:
    """No class hides a row that still shows a name or a number of its own."""
    from maskwise.io.column_typing import DIRECT_KINDS

    for name, kind in kinds.items():
        if kind in DIRECT_KINDS:
            raise InputError(
                f"column {name!r}: {kind} identifies by itself; mask the table with `maskwise sanitize` first, "
                "name it in --quasi, or correct its kind in the policy"
            )
