"""`maskwise audit`: checks that an audit log is whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from maskwise.audit import verify_log
from maskwise.cli.options import JsonOption
from maskwise.text.escapes import escape_controls

EXAMPLES = """[bold]Examples[/bold]

maskwise audit verify audit.jsonl --json"""

app = typer.Typer(rich_markup_mode="rich", no_args_is_help=True, epilog=EXAMPLES)


@app.callback(epilog=EXAMPLES)
def audit() -> None:
    """Check the logs that `--audit` writes."""


@app.command("verify", epilog=EXAMPLES)
def verify_(
    path: Annotated[Path, typer.Argument(help="The audit log.", metavar="FILE")],
    expect: Annotated[
        str,
        typer.Option(
            "--expect", help="Require a line with this hash, noted earlier.", metavar="HASH"
        ),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Check the chain and name the first broken line. Exit code 0: whole; 1: broken; 2: cannot be read."""
    found = verify_log(path, expect)
    if as_json:
        print(json.dumps(found.to_json(), indent=1))
    elif found.is_whole:
        left = f", {found.interrupted} interrupted" if found.interrupted else ""
        runs = "1 run" if found.runs == 1 else f"{found.runs} runs"
        print(
            f"{escape_controls(path)}: whole; {found.lines} lines, {runs}{left}; last hash {found.hash}"
        )
    else:
        print(f"{escape_controls(path)}: line {found.line}: {found.problem}")
    if not found.is_whole:
        raise typer.Exit(1)
