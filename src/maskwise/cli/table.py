"""`maskwise table`: says how the columns of a table are typed, and makes quasi-identifiers k-anonymous."""

from __future__ import annotations

import csv
import io as streams
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from maskwise import io
from maskwise.cli.options import JsonOption, PolicyOption, make_console, note, split_list
from maskwise.cli.terminal import make_plain
from maskwise.errors import InputError
from maskwise.policy import Policy

EXAMPLES = """[bold]Examples[/bold]

maskwise table patients.csv

maskwise table patients.csv --k 5 --quasi age,postcode,sex --sensitive diagnosis --l 2 -o shared.csv"""


def table(
    path: Annotated[
        Path, typer.Argument(help="CSV, TSV, JSON, JSON Lines, Parquet or XLSX.", metavar="FILE")
    ],
    k: Annotated[
        int | None, typer.Option("--k", help="Hide each row among K of one class.", min=2)
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
        int, typer.Option("--l", help="Require so many sensitive values in each class.", min=1)
    ] = 1,
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
    _anonymise(path, raw, out, split_list(quasi), k, sensitive, diversity, as_json)


def _show_types(path: Path, raw: bytes, policy: str, as_json: bool) -> None:
    reader: Any = io.build_reader(path.suffix, Policy.load(policy).formats.options)
    if not hasattr(reader, "list_types"):
        raise InputError(
            f"{path.name}: not a table; give CSV, TSV, JSON, JSON Lines, Parquet or XLSX"
        )
    types = reader.list_types(raw, path.name)
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
    as_json: bool,
) -> None:
    from maskwise.anonymity import anonymise_rows
    from maskwise.io.delimited import sniff_delimiter
    from maskwise.io.encoding import decode_text

    if path.suffix.lower() not in (".csv", ".tsv"):
        raise InputError(f"{path.name}: k-anonymity is for CSV and TSV")
    text, _ = decode_text(raw, path.name)
    reader = csv.DictReader(streams.StringIO(text), delimiter=sniff_delimiter(text), strict=True)
    try:
        rows = [{name: value or "" for name, value in row.items() if name} for row in reader]
    except csv.Error:
        raise InputError(
            f"{path.name}: the row after line {reader.line_num} has a quotation mark that is not closed or not doubled"
        ) from None
    done = anonymise_rows(rows, quasi, k, sensitive, diversity)
    sink = streams.StringIO()
    writer = csv.DictWriter(sink, list(rows[0]) if rows else [], lineterminator="\n")
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
