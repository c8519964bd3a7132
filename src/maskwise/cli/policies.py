"""`maskwise policies`: what ships, and what a policy says in full."""

from __future__ import annotations

import json
from typing import Annotated

import typer
import yaml
from rich.markup import escape
from rich.table import Table

from maskwise.cli.options import JsonOption, out
from maskwise.policy import Policy, shipped

EXAMPLES = """[bold]Examples[/bold]

maskwise policies

maskwise policies court > mine.yaml"""


def policies(
    name: Annotated[
        str | None, typer.Argument(help="Show this policy in full, as YAML.", metavar="[NAME|FILE]")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the shipped policies, or print one (with everything it extends) to start your own from."""
    if name is not None:
        full = Policy.load(name).model_dump(mode="json")
        text = json.dumps(full, indent=1) if as_json else yaml.safe_dump(full, sort_keys=False, allow_unicode=True)
        print(text.rstrip())
        return
    loaded = [Policy.load(each) for each in shipped()]
    if as_json:
        listed = [{"name": p.name, "description": p.description.strip()} for p in loaded]
        print(json.dumps({"policies": listed}, indent=1))
        return
    table = Table("policy", "what it is for")
    for policy in loaded:
        table.add_row(policy.name, escape(" ".join(policy.description.split())))
    out().print(table)
