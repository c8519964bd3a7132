"""`maskwise models`: lists the models, and imports one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table

from maskwise.cli.options import JsonOption, make_console, note
from maskwise.cli.terminal import make_plain
from maskwise.errors import BundleError

EXAMPLES = """[bold]Examples[/bold]

maskwise models"""

IMPORT = """[bold]Examples[/bold]

maskwise models import ./model"""

app = typer.Typer(invoke_without_command=True, rich_markup_mode="rich", epilog=EXAMPLES)


@app.callback(epilog=EXAMPLES)
def models(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the models that policies can name and check every file against its hash."""
    if context.invoked_subcommand:
        return
    from maskwise.lm import folder

    rows = [_describe_model(name, path) for name, path in folder.list_models().items()]
    if as_json:
        print(json.dumps({"models": rows}, indent=1))
    else:
        table = Table("model", "version", "MB", Column("where", overflow="fold"), "state")
        for row in rows:
            cells = [str(row[key]) for key in ("name", "version", "megabytes", "path", "state")]
            table.add_row(*map(make_plain, cells))
        make_console().print(table)
    if any(row["state"] != "ok" for row in rows):
        raise typer.Exit(2)


@app.command("import", epilog=IMPORT)
def import_(
    path: Annotated[
        Path,
        typer.Argument(help="Model folder that `maskwise train export` wrote.", metavar="FOLDER"),
    ],
) -> None:
    """Check a model folder and copy it to your models."""
    from maskwise.lm import folder

    config = folder.install_model(path)
    note(
        f"model {config.name} {config.version} is ready; name it in a policy as `model: {config.name}`"
    )


def _describe_model(name: str, path: Path) -> dict[str, object]:
    from maskwise.lm import folder

    size = sum(file.stat().st_size for file in path.iterdir() if file.is_file())
    row: dict[str, object] = {
        "name": name,
        "version": "",
        "megabytes": round(size / 1e6, 1),
        "path": str(path),
        "state": "ok",
    }
    try:
        row["version"] = folder.read_config(path).version
    except BundleError as error:
        row["state"] = str(error)
    return row
