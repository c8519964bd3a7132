"""`maskwise restore`: turns the tokens of a vault in a masked file back into the original."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from maskwise import io
from maskwise.cli.options import KeyFileOption, LimitOption, note, set_limits
from maskwise.cli.paths import Paths, refuse_clashes, vault_files
from maskwise.policy import Policy

EXAMPLES = """[bold]Examples[/bold]

maskwise restore masked/letter.docx --vault cases.vault --key-file cases.key -o letter.docx"""


def restore(
    masked: Annotated[Path, typer.Argument(help="File that was masked with the operator encrypt.", metavar="MASKED")],
    vault: Annotated[Path, typer.Option("--vault", help="File that keeps the pseudonyms.", metavar="V")],
    key_file: KeyFileOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write, instead of standard output.", metavar="OUT")
    ] = None,
    limit: LimitOption = None,
) -> None:
    """Write the original of a masked file. A file that holds a pseudonym of another vault is an error."""
    from maskwise.files import restore_file
    from maskwise.mask.keys import read_secret
    from maskwise.mask.vault import Vault

    read: dict[str, Paths] = {"the masked file": masked, "the vault": vault_files(vault), "the key": key_file}
    refuse_clashes({"the original": out}, read)
    formats = set_limits(Policy.load("balanced"), limit or ()).formats
    raw = formats.ceilings.read_file(masked, str(masked))
    opened = Vault(vault, read_secret("MASKWISE_VAULT_KEY", key_file), exist=True)
    done = restore_file(raw, masked.name, opened, formats)
    if out is None:
        sys.stdout.buffer.write(done.data)
        sys.stdout.buffer.flush()
    else:
        io.write_file(out, done.data)
        note(f"{done.tokens} pseudonyms restored in {out}")
