"""Options and small helpers that several commands share."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from maskwise.errors import InputError, PolicyError
from maskwise.policy import Policy
from maskwise.text.domain import Domain
from maskwise.text.escapes import escape_controls

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")
PHRASES = "phrases"  # the detector that offers what only the crowd asks to mask


class ScopeChoice(StrEnum):
    document = "document"
    corpus = "corpus"
    keyed = "keyed"
    vault = "vault"


PolicyOption = Annotated[
    str,
    typer.Option(
        "--policy",
        "-p",
        help="Use this shipped policy or YAML file; see `maskwise policies`.",
        metavar="P",
    ),
]
ScopeOption = Annotated[
    ScopeChoice | None,
    typer.Option(
        "--scope",
        help="Keep one pseudonym per entity in each document, in this run, by key, or in the vault.",
    ),
]
VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault", help="Keep pseudonyms in this file; it is created if missing.", metavar="V"
    ),
]
KeyFileOption = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        help="Read the vault's key from this file, not from MASKWISE_VAULT_KEY.",
        metavar="K",
    ),
]
IndexOption = Annotated[
    Path | None,
    typer.Option(
        "--index", help="Also mask what leads to the person in this index; see `maskwise index`."
    ),
]
AuditOption = Annotated[
    Path | None,
    typer.Option(
        "--audit",
        help="Append one line per decision to this log; lines hold no text.",
        metavar="FILE",
    ),
]
AuditKeyOption = Annotated[
    Path | None,
    typer.Option(
        "--audit-key",
        help="Add the HMAC of each masked text to the log, with the key in this file.",
        metavar="FILE",
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit", help="Change a limit of the policy, such as pages=20000.", metavar="KEY=NUMBER"
    ),
]
CrowdSizeOption = Annotated[
    int | None,
    typer.Option(
        "--k",
        "-k",
        help="Mask until N people of the crowd are likelier to be meant.",
        min=1,
        metavar="N",
    ),
]
RiskOption = Annotated[
    bool, typer.Option("--risk", help="Measure where each person ranks in the crowd.")
]
PopulationOption = Annotated[
    Path | None,
    typer.Option(
        "--population",
        help="Hide in this register or crowd folder, not in the crowd of the package.",
        metavar="FILE",
    ),
]
ExtendOption = Annotated[
    bool, typer.Option("--extend", help="Add the people of --population to the crowd.")
]
KnownOption = Annotated[
    Path | None,
    typer.Option(
        "--known", help="Facts that an attacker knows, as YAML: {attribute: value}.", metavar="FILE"
    ),
]
FurtherOption = Annotated[
    bool,
    typer.Option("--further", help="Hide also from attackers who hold a biography of the person."),
]
FailOverOption = Annotated[
    bool,
    typer.Option(
        "--fail-over",
        help="Exit with 1 when K was missed, or facts about somebody were not measured.",
    ),
]
DomainOption = Annotated[
    Domain | None,
    typer.Option("--domain", help="Treat every text as this kind; each is recognised by default."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
CorpusArgument = Annotated[Path, typer.Argument(help="TAB standoff JSON.", metavar="CORPUS")]
ResamplesOption = Annotated[
    int, typer.Option(help="Draw N bootstrap resamples.", metavar="N", min=1, max=100_000)
]
BootstrapSeedOption = Annotated[int, typer.Option(help="Seed of the bootstrap.")]


def override_policy(
    policy: Policy,
    scope: ScopeChoice | None,
    vault: Path | None,
    key_file: Path | None,
    index: Path | None,
) -> Policy:
    """Return the policy with the scope, the vault and the index of the command line in place of its own."""
    if scope is None and vault is None and key_file is None and index is None:
        return policy
    raw = policy.model_dump(mode="json")
    if scope:
        raw["scope"] = str(scope)
    if index:
        raw["index"] = str(index)
    if vault or key_file:
        given = {"path": vault, "key_file": key_file}
        named = {key: str(path) for key, path in given.items() if path}
        raw["vault"] = (raw["vault"] or {}) | named
        if "path" not in raw["vault"]:
            raise PolicyError("--key-file opens a vault: name one with --vault or in the policy")
    return Policy.parse(raw, "--scope")


def choose_crowd(
    policy: Policy,
    k: int | None,
    risk: bool = False,
    population: Path | None = None,
    extend: bool = False,
    known: Path | None = None,
    further: bool = False,
) -> Policy:
    """The policy with the crowd of the command line in place of its own."""
    given = {"k": k, "population": population, "known": known}
    named = {key: value for key, value in given.items() if value is not None}
    if not named and not (risk or extend or further):
        return policy
    if extend and population is None:
        raise InputError(
            "--extend adds the people of a register to the crowd: name it with --population"
        )
    raw = policy.model_dump(mode="json")
    paths = {key: str(value) if isinstance(value, Path) else value for key, value in named.items()}
    turned_on = {key: True for key, on in {"extend": extend, "further": further}.items() if on}
    raw["crowd"] = (raw["crowd"] or {}) | paths | turned_on
    if k is not None and not any(part["kind"] == PHRASES for part in raw["detectors"]):
        raw["detectors"].append({"kind": PHRASES})
    return Policy.parse(raw, "--k")


def choose_domain(policy: Policy, domain: Domain | None) -> Policy:
    """Return the policy with the kind of text of the command line in place of its own."""
    return policy if domain is None else policy.model_copy(update={"domain": domain})


def set_limits(policy: Policy, given: Sequence[str]) -> Policy:
    """Return the policy with the limits of the command line, such as `pages=20000`, in place of its own."""
    if not given:
        return policy
    raw = policy.model_dump(mode="json")
    for each in given:
        key, _, number = each.partition("=")
        raw["formats"]["limits"][key.strip()] = number
    return Policy.parse(raw, "--limit")


def make_console() -> Console:
    """Make a console on standard output for tables. Pass texts from outside through `make_plain` first."""
    from rich.console import Console

    class PipeConsole(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    return PipeConsole(highlight=False, soft_wrap=True)


def make_error_console() -> Console:
    """Make a console on standard error for messages and progress."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def note(message: str) -> None:
    """Print one line for the person at the terminal to standard error."""
    print(f"maskwise: {escape_controls(message)}", file=sys.stderr)


def show_progress(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """Show a progress bar on standard error if a person is watching and there are two items or more."""
    if total < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=make_error_console(), transient=True) as bar:
        yield from bar.track(items, total=total)


def show_count(items: Iterable[T], label: str, unit: str) -> Iterator[T]:
    """Show a bar that counts items of unknown number if a person is watching."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    counted = TextColumn("{task.completed:,.0f} " + unit)
    columns = (TextColumn(label), BarColumn(), counted, TimeElapsedColumn())
    with Progress(*columns, console=make_error_console(), transient=True) as bar:
        task = bar.add_task(label, total=None)
        for item in items:
            yield item
            bar.advance(task)


def split_list(value: str) -> list[str]:
    """Return the names in a value such as `a,b`."""
    names = [name.strip() for name in value.split(",")]
    return [name for name in names if name]
