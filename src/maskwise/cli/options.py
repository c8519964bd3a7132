"""Options and small helpers that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")

PolicyOption = Annotated[
    str, typer.Option("--policy", "-p", help="A shipped policy (see `maskwise policies`) or a YAML file.", metavar="P")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def out() -> Console:
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def err() -> Console:
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def note(message: str) -> None:
    """A line for the person at the terminal; standard output stays clean."""
    print(f"maskwise: {message}", file=sys.stderr)


def progress(items: Iterable[T], total: int, label: str) -> Iterator[T]:
    """A progress bar on standard error, where a person is watching and there is more than a moment's work."""
    if total < 2 or not sys.stderr.isatty():
        yield from items
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err(), transient=True) as bar:
        yield from bar.track(items, total=total)
