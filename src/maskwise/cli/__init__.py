"""The command line: one file a command. `main` turns every error into one line and an exit code."""

from __future__ import annotations

import os
import sys

import typer

from maskwise.cli import (
    agreement,
    attack,
    corpus,
    deidentify,
    doctor,
    evaluate,
    index,
    models,
    policies,
    population,
    sanitize,
    train,
    utility,
)
from maskwise.errors import MaskwiseError

app = typer.Typer(
    name="maskwise",
    help="Finds personal information, measures what identifies, masks it at the least loss. Works offline.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # a rich traceback prints local variables, and those hold the text
    rich_markup_mode="rich",
)
app.command("sanitize", epilog=sanitize.EXAMPLES)(sanitize.sanitize)
app.command("corpus", epilog=corpus.EXAMPLES)(corpus.corpus)
app.command("evaluate", epilog=evaluate.EXAMPLES)(evaluate.evaluate)
app.command("agreement", epilog=agreement.EXAMPLES)(agreement.agreement)
app.command("utility", epilog=utility.EXAMPLES)(utility.utility)
app.command("attack", epilog=attack.EXAMPLES)(attack.attack)
app.command("policies", epilog=policies.EXAMPLES)(policies.policies)
app.add_typer(index.app, name="index")
app.add_typer(population.app, name="population")
app.command("deidentify", epilog=deidentify.EXAMPLES)(deidentify.deidentify)
app.add_typer(models.app, name="models")
app.add_typer(train.app, name="train")
app.command("doctor", epilog=doctor.EXAMPLES)(doctor.doctor)


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
