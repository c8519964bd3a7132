"""`maskwise restore`: replaces the tokens of a vault in a masked file by what they stand for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from maskwise import io
from maskwise.cli.options import KeyFileOption, LimitOption, note, set_limits
from maskwise.cli.paths import Paths, list_vault_files, refuse_clashes
from maskwise.policy import Policy

EXAMPLES = """[bold]Examples[/bold]

maskwise restore masked/letter.docx --vault cases.vault --key-file cases.key -o letter.docx"""


def restore(
    masked: Annotated[
        Path, typer.Argument(help="File that the operator encrypt masked.", metavar="MASKED")
    ],
    vault: Annotated[
        Path, typer.Option("--vault", help="File or URL that keeps the pseudonyms.", metavar="V")
    ],
    key_file: KeyFileOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Write this file, not to standard output.", metavar="OUT"),
    ] = None,
    limit: LimitOption = None,
) -> None:
    """Restore the original of a masked file. A file with a pseudonym of another vault is refused."""
    from maskwise.files import restore_file
    from maskwise.mask.keys import read_secret
    from maskwise.mask.shared_vault import is_shared, open_any_vault

    read: dict[str, Paths] = {
        "the masked file": masked,
        "the vault": [] if is_shared(str(vault)) else list_vault_files(vault),
        "the key": key_file,
    }
    refuse_clashes({"the original": out}, read)
    formats = set_limits(Policy.load("balanced"), limit or ()).formats
    raw = formats.limits.read_file(masked, str(masked))
    secret = read_secret("MASKWISE_VAULT_KEY", key_file)
    opened = open_any_vault(str(vault), secret, exist=True)
    done = restore_file(raw, masked.name, opened, formats)
    if out is None:
        sys.stdout.buffer.write(done.data)
        sys.stdout.buffer.flush()
    else:
        io.write_file(out, done.data)
        note(f"{done.tokens} pseudonyms restored in {out}")
