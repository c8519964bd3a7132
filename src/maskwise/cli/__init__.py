"""The command line: one file per command, imported on use. `main` turns errors into one line and an exit code."""

from __future__ import annotations

import os
import select
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_group

from maskwise.errors import InputError, MaskwiseError
from maskwise.text.escapes import escape_controls

COMMANDS = (
    "sanitize", "batch", "restore", "vault", "corpus", "evaluate", "agreement", "utility", "attack", "harden", "pareto",
    "policies", "deidentify", "table", "doctor", "audit", "index", "crowd", "models", "train", "serve", "mcp",
    "review", "annotate",
)  # fmt: skip
CLOSED_PIPE = 141  # exit code of a Unix tool whose output nobody reads any more: 128 + SIGPIPE
ALIASES = {"population": "crowd"}  # second names of commands; the list of commands leaves them out

# The base of all errors of usage. Some versions of Typer hold a copy of Click, others use the installed one.
UsageError: type[Exception] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)


class _Commands(Mapping[str, Any]):
    """All commands by name. A command is imported when somebody asks for it."""

    def __getitem__(self, name: str) -> Any:
        if name not in COMMANDS and name not in ALIASES:
            raise KeyError(name)
        return _load_command(name)

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


@cache
def _load_command(name: str) -> Any:
    """Import the module of a command. It holds a function of that name, or an `app` with commands of its own."""
    module = import_module(f"maskwise.cli.{ALIASES.get(name, name)}")
    host = typer.Typer(rich_markup_mode="rich")
    if hasattr(module, "app"):
        host.add_typer(module.app, name=name)
    else:
        host.command(name, epilog=module.EXAMPLES)(getattr(module, name))
    command = get_group(host).commands[name]
    _simplify_help(command)
    return command


def _simplify_help(command: Any) -> None:
    """Remove the names of Python types and the line breaks of the source from the help."""
    paragraphs = (command.help or "").split("\n\n")
    command.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    _hide_types([*command.params, command.get_help_option(typer.Context(command))])
    for inner in getattr(command, "commands", {}).values():
        _simplify_help(inner)


def _hide_types(params: Sequence[Any]) -> None:
    for param in params:
        if (display := getattr(param, "display_type_rich", None)) is not None:
            param.display_type_rich = partial(_display_value, param, display)


def _display_value(param: Any, display: Callable[..., str | None], ctx: Any) -> str | None:
    """The value of a parameter in the help: its choices, or a name in capitals."""
    if getattr(param, "is_flag", False) or param.param_type_name == "argument":
        return None
    shown = display(ctx=ctx) or ""
    return shown if param.metavar or "|" in shown else str(param.name).upper()


class _CommandGroup(TyperGroup):
    """The commands of `maskwise`, loaded on use, with a plain help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()

    def get_help_option(self, ctx: Any) -> Any:
        found = super().get_help_option(ctx)
        _hide_types([*self.params, found])
        return found


_EXAMPLES = """[bold]Examples[/bold]

maskwise sanitize letter.txt --protect "Ana Souza"

maskwise sanitize --help"""

app = typer.Typer(
    name="maskwise",
    cls=_CommandGroup,
    epilog=_EXAMPLES,
    help="Find personal information, measure the risk, and mask what identifies. Works offline.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,  # a rich traceback prints local variables, and those hold the text
    rich_markup_mode="rich",
)


def _print_version(asked: bool) -> None:
    if asked:
        print(f"maskwise {version('maskwise')}")
        raise typer.Exit


@app.callback()
def maskwise(
    show: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Make `app` a group of commands."""


def main() -> None:
    """Entry point of the `maskwise` command."""
    _check_streams()
    with _open_outputs_again() as pipes:
        try:
            code = _run_command(sys.argv[1:])
            sys.stdout.flush()
        except MaskwiseError as error:
            _fail(str(error), error.exit_code)
        except UsageError as error:
            _fail_usage(error)
        except OSError as error:
            _fail_output(error, pipes)
        except Exception as error:
            _show_traceback()
            # The message of an unforeseen error may quote the text, so only its kind is printed.
            kind = type(error).__name__
            _fail(f"internal error ({kind}); run again with MASKWISE_DEBUG=1 for a traceback", 2)
    if code == 130:
        _fail("interrupted", 130)
    sys.exit(code)


def _show_traceback() -> None:
    """Print where an unforeseen error comes from, if the user asks for it. The exit code stays the same."""
    if os.environ.get("MASKWISE_DEBUG"):
        traceback.print_exc()


def _run_command(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code."""
    _refuse_empty(arguments)
    try:
        code = app(list(arguments), prog_name="maskwise", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        return 130
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # typer ends in silence
            raise ended.__context__ from None
        raise
    return code if isinstance(code, int) else 0


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Refuse empty arguments: an empty path would be the current folder, and an empty name would protect nobody."""
    for before, given in pairwise(["maskwise", *arguments]):
        if not given:
            raise InputError(f"empty argument after {before!r}; give it a value or leave it out")
        option, sign, value = given.partition("=")
        if option.startswith("--") and sign and not value:
            raise InputError(f"{option}: its value is empty; give it one or leave it out")
        if "\0" in given:
            raise InputError(f"an argument after {before!r} holds a NUL character")


def _check_streams() -> None:
    """Stop if standard output is closed. Go on if standard error is."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process
    if sys.stdout is None:
        _fail("standard output is closed", 2)


def _fail_usage(error: Any) -> NoReturn:
    """Report a wrong option or argument in one line. Without a command, Typer has printed the help."""
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.exit(2)
    message = error.format_message().replace("Value error, ", "").rstrip(".")
    if context := getattr(error, "ctx", None):
        message += " See" if message.endswith("?") else "; see"
        message += f" `{context.command_path} --help`"
    _fail(message, 2)


@contextmanager
def _open_outputs_again() -> Iterator[list[int]]:
    """Open both outputs a second time: Rich exchanges a closed pipe for the null device before its error arrives."""
    pipes = []
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            pipes.append(os.dup(stream.fileno()))
    try:
        yield pipes
    finally:
        for pipe in pipes:
            os.close(pipe)


def _fail_output(error: OSError, pipes: Sequence[int]) -> NoReturn:
    """Report an error of the system that no command expects, mostly a full disk. Be quiet if the reader has left."""
    _show_traceback()
    _discard_output(sys.__stdout__)
    if isinstance(error, BrokenPipeError) and any(map(_has_lost_reader, pipes)):
        _discard_output(sys.__stderr__)
        sys.exit(CLOSED_PIPE)
    what = f"{error.filename}: cannot be used" if error.filename else "the output cannot be written"
    _fail(f"{what} ({error.strerror or type(error).__name__})", 2)


def _has_lost_reader(pipe: int) -> bool:
    """Say whether nobody reads a pipe any more, as after `maskwise policies | head -1`."""
    if not hasattr(select, "poll"):  # Windows reports a closed pipe by another error
        return False
    poll = select.poll()
    poll.register(pipe, 0)
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))


def _discard_output(stream: Any) -> None:
    """Send what a stream still holds nowhere: it would fail again when Python ends, with a traceback."""
    with suppress(AttributeError, OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _fail(message: str, code: int) -> NoReturn:
    try:
        print(f"maskwise: error: {escape_controls(message)}", file=sys.stderr)
    except OSError:  # nobody reads messages; the exit code says it
        _discard_output(sys.__stderr__)
    sys.exit(code)
