"""The command line: one file a command, imported when it is called. `main` turns errors into one line and a code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from maskwise.errors import MaskwiseError

COMMANDS = (
    "sanitize", "restore", "vault", "corpus", "evaluate", "agreement", "utility", "attack", "policies", "deidentify",
    "doctor", "audit", "index", "population", "models", "train",
)  # fmt: skip


class _Commands(Mapping[str, Any]):
    """All commands by name; one that nobody asks for is not imported."""

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS:
            raise KeyError(name)
        return _command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def _command(name: str) -> Any:
    """A module `maskwise.cli.<name>` holds a function of that name, or an `app` with commands of its own."""
    module = import_module(f"maskwise.cli.{name}")
    host = typer.Typer(rich_markup_mode="rich")
    if hasattr(module, "app"):
        host.add_typer(module.app, name=name)
    else:
        host.command(name, epilog=module.EXAMPLES)(getattr(module, name))
    return get_group(host).commands[name]


class _Group(TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()


app = typer.Typer(
    name="maskwise",
    cls=_Group,
    help="Finds personal information, measures what identifies, masks it at the least loss. Works offline.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a rich traceback prints local variables, and those hold the text
    rich_markup_mode="rich",
    callback=lambda: None,  # makes it a group
)


def main() -> None:
    """Entry point of the `maskwise` command."""
    try:
        app(prog_name="maskwise")
    except MaskwiseError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        _fail("interrupted", 130)
    except Exception as error:
        if os.environ.get("MASKWISE_DEBUG"):
            raise
        # The message of an unforeseen error may quote the text: tell its kind alone.
        _fail(f"internal error ({type(error).__name__}); run again with MASKWISE_DEBUG=1 for a traceback", 2)


def _fail(message: str, code: int) -> None:
    print(f"maskwise: error: {message}", file=sys.stderr)
    sys.exit(code)
