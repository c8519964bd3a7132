"""`maskwise restore`: turns the tokens of a vault in a masked file back into the original."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from maskwise import io
from maskwise.cli.options import KeyFileOption, note
from maskwise.errors import InputError, OutputError

EXAMPLES = """[bold]Examples[/bold]

maskwise restore masked/letter.docx --vault cases.vault --key-file cases.key -o letter.docx"""


def restore(
    masked: Annotated[Path, typer.Argument(help="File that was masked with the operator encrypt.", metavar="MASKED")],
    vault: Annotated[Path, typer.Option("--vault", help="File that keeps the pseudonyms.", metavar="V")],
    key_file: KeyFileOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write, instead of standard output.", metavar="OUT")
    ] = None,
) -> None:
    """Write the original of a masked file."""
    from maskwise.files import restore_file
    from maskwise.mask.keys import secret
    from maskwise.mask.vault import Vault

    try:
        raw = masked.read_bytes()
    except OSError as error:
        raise InputError(f"{masked}: cannot be read ({error.strerror})") from None
    if out is not None and out.resolve() == masked.resolve():
        raise OutputError(f"{out}: would overwrite the masked file; choose another --out")
    done = restore_file(raw, masked.name, Vault(vault, secret("MASKWISE_VAULT_KEY", key_file), exist=True))
    if out is None:
        sys.stdout.buffer.write(done.data)
        sys.stdout.buffer.flush()
    else:
        io.write_file(out, done.data)
        note(f"{done.tokens} pseudonyms restored in {out}")
    if done.unknown:
        note(f"{done.unknown} pseudonyms are not of this vault and stay")
