"""`maskwise policies`: lists the shipped policies, prints one in full, and compares one with its parent."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
import yaml
from rich.markup import escape
from rich.table import Table
from typer.core import TyperGroup

from maskwise.cli.options import JsonOption, make_console, note
from maskwise.errors import PolicyError
from maskwise.policy import Policy, PolicyFamily, list_shipped, load_family
from maskwise.weakening import Weakening, find_weakenings

if TYPE_CHECKING:
    from maskwise.probes import Comparison

EXAMPLES = """[bold]Examples[/bold]

maskwise policies

maskwise policies court > mine.yaml"""

LIST = """[bold]Examples[/bold]

maskwise policies list --json"""

SHOW = """[bold]Examples[/bold]

maskwise policies show court > mine.yaml"""

CHECK = """[bold]Examples[/bold]

maskwise policies check mine.yaml --against strict"""


class _Policies(TyperGroup):
    """Reads `maskwise policies` as `list` and `maskwise policies court` as `show court`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = next((each for each in args if not each.startswith("-")), None)
        if "--help" not in args and named not in self.commands:
            args = ["list" if named is None else "show", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=_Policies, rich_markup_mode="rich")


@app.callback(epilog=EXAMPLES)
def policies() -> None:
    """List the shipped policies, print one in full, or compare one with its parent."""


@app.command("list", epilog=LIST)
def list_policies(as_json: JsonOption = False) -> None:
    """List the shipped policies."""
    loaded = [Policy.load(each) for each in list_shipped()]
    if as_json:
        listed = [{"name": p.name, "description": p.description.strip()} for p in loaded]
        print(json.dumps({"policies": listed}, indent=1))
        return
    table = Table("policy", "what it is for")
    for policy in loaded:
        purpose = " ".join(policy.description.split())
        table.add_row(policy.name, escape(purpose))
    make_console().print(table)


@app.command("show", epilog=SHOW)
def show(
    name: Annotated[
        str, typer.Argument(help="A shipped policy or a YAML file.", metavar="NAME|FILE")
    ],
    as_json: JsonOption = False,
) -> None:
    """Print a policy in full, as a start for your own."""
    full = Policy.load(name).model_dump(mode="json")
    full["description"] = " ".join(full["description"].split())
    if as_json:
        print(json.dumps(full, indent=1))
        return
    print(yaml.safe_dump(full, sort_keys=False, allow_unicode=True).rstrip())


@app.command("check", epilog=CHECK)
def check(
    file: Annotated[str, typer.Argument(help="Policy to check.", metavar="FILE")],
    against: Annotated[
        str | None,
        typer.Option(
            "--against", help="Compare with this policy, not with its parent.", metavar="P"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a policy with its parent on twelve invented documents and list what it stops masking.

    Exit code 1 if it masks fewer direct identifiers.
    """
    from maskwise.probes import compare_policies

    family = load_family(file)
    other = Policy.load(against) if against else family.parent
    if other is None:
        raise PolicyError(
            f"{family.source}: extends no policy; name one to compare with by --against"
        )
    found = find_weakenings(family.policy, other) if against else family.weakenings
    comparison = compare_policies(family.policy, other)
    is_weaker = bool(found or comparison.lost_direct)
    if as_json:
        described = _describe_comparison(family, other, found, comparison)
        print(json.dumps({**described, "weaker": is_weaker}, indent=1))
    else:
        _print_comparison(family, other, found, comparison)
    if comparison.not_asked:
        names = ", ".join(comparison.not_asked)
        note(f"not asked, since nothing is sent and nobody is looked for: {names}")
    if is_weaker:
        raise typer.Exit(1)


def _describe_comparison(
    family: PolicyFamily, other: Policy, found: tuple[Weakening, ...], comparison: Comparison
) -> dict[str, Any]:
    return {
        "policy": family.policy.name,
        "against": other.name,
        "documents": comparison.documents,
        "masked": comparison.masked,
        "stops_masking": [asdict(loss) for loss in comparison.losses],
        "weakens": [{**each._asdict(), "allowed": each.name in family.allowed} for each in found],
        "not_asked": list(comparison.not_asked),
    }


def _print_comparison(
    family: PolicyFamily, other: Policy, found: tuple[Weakening, ...], comparison: Comparison
) -> None:
    mine, theirs = family.policy.name, other.name
    for each in found:
        print(f"{mine} {each.what}")
    where = f"in {comparison.documents} invented documents"
    if not comparison.losses:
        print(f"{mine} masks all {comparison.masked} mentions that {theirs} masks {where}")
        return
    print(
        f"{mine} stops masking {comparison.lost} of the {comparison.masked} mentions that {theirs} masks {where}:"
    )
    table = Table("type", "subtype", "direct identifier", "mentions")
    for loss in comparison.losses:
        is_direct = "yes" if loss.direct else ""
        table.add_row(loss.type, escape(loss.subtype), is_direct, str(loss.count))
    make_console().print(table)
