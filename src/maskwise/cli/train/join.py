"""`maskwise train join`: several re-identification models as one, whose log-odds are the mean of theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import OutOption, require_modules
from maskwise.errors import InputError

EXAMPLES = """[bold]Examples[/bold]

maskwise train join one/model two/model three/model -o team

maskwise crowd build lives.jsonl.xz --texts --encoder team -o our-crowd"""


def join(
    models: Annotated[
        list[Path], typer.Argument(help="Models of `maskwise train reid`.", metavar="MODELS")
    ],
    out: OutOption,
    name: Annotated[str, typer.Option(help="Name of the model.")] = "dense",
) -> None:
    """Join models that share their words and windows. Each goes on as it was trained."""
    refuse_clashes({"the output": out}, {f"model {at}": one for at, one in enumerate(models, 1)})
    if len(models) < 2:
        raise InputError("one model has nothing to join; name two or more")
    require_modules()
    from maskwise.train import tower

    config = tower.join_members(models, out, name=name)
    note(f"{config.members} members with {config.size} numbers per embedding in {out}")
