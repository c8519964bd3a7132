"""`maskwise vault`: counts what a vault holds, checks it, and gives it a new key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import JsonOption, KeyFileOption, note

EXAMPLES = """[bold]Examples[/bold]

maskwise vault info cases.vault --key-file cases.key"""

VERIFY = """[bold]Examples[/bold]

maskwise vault verify cases.vault --key-file cases.key"""

ROTATE = """[bold]Examples[/bold]

maskwise vault rotate cases.vault --old-key-file cases.key --new-key-file new.key"""

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

VaultArgument = Annotated[Path, typer.Argument(help="File that keeps pseudonyms.", metavar="V")]


@app.callback(epilog=EXAMPLES)
def vault() -> None:
    """Look after a vault: the encrypted file that keeps pseudonyms and what they stand for."""


@app.command("info", epilog=EXAMPLES)
def info(path: VaultArgument, key_file: KeyFileOption = None, as_json: JsonOption = False) -> None:
    """Count the entities in a vault by type. Prints no name."""
    from maskwise.mask.keys import read_secret
    from maskwise.mask.vault import Vault

    opened = Vault(path, read_secret("MASKWISE_VAULT_KEY", key_file), exist=True)
    counts, wordings = opened.count_entities(), opened.count_wordings()
    if as_json:
        print(json.dumps({"entities": counts, "wordings": wordings, "bytes": path.stat().st_size}))
        return
    for kind, count in counts.items():
        print(f"{kind}: {count}")
    print(f"wordings: {wordings}")


@app.command("verify", epilog=VERIFY)
def verify(
    path: VaultArgument, key_file: KeyFileOption = None, as_json: JsonOption = False
) -> None:
    """Check every row of a vault and count those that somebody changed, exchanged or removed."""
    from maskwise.mask.keys import read_secret
    from maskwise.mask.vault import UPGRADE, Vault

    opened = Vault(path, read_secret("MASKWISE_VAULT_KEY", key_file), exist=True)
    found = opened.verify()
    if opened.is_earlier:
        note(f"{path}: {UPGRADE}")
    if as_json:
        about = {"rows": found.rows, "damaged": found.bad._asdict(), "astray": found.astray}
        print(json.dumps({**about, "intact": found.is_intact}))
    elif found.is_intact:
        print(f"{found.rows} rows, all intact")
    else:
        print(
            f"{found.rows} rows, {sum(found.bad)} damaged or forged, {found.astray} too few or too many"
        )
    if not found.is_intact:
        raise typer.Exit(1)


@app.command("rotate", epilog=ROTATE)
def rotate(
    path: VaultArgument,
    old: Annotated[
        Path, typer.Option("--old-key-file", help="File with the present key.", metavar="K")
    ],
    new: Annotated[
        Path, typer.Option("--new-key-file", help="File with the new key.", metavar="K")
    ],
) -> None:
    """Encrypt a vault with another key. An earlier format is upgraded. Pseudonyms stay the same."""
    from maskwise.mask.keys import read_secret
    from maskwise.mask.vault import Vault

    before, after = read_secret(file=old), read_secret(file=new)
    Vault(path, before, exist=True).rotate(after)
    note(
        f"{path}: encrypted again" + ("" if before == after else "; the old key no longer opens it")
    )
