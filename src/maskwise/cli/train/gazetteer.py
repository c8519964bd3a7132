"""`maskwise train gazetteer`: lists of phrases from a Wikidata dump."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import record_command, require_modules

EXAMPLES = """[bold]Examples[/bold]

maskwise train gazetteer latest-all.json.bz2 -o lists

maskwise train gazetteer latest-all.json.gz -o listen --language de --minimum 3"""


def gazetteer(
    context: typer.Context,
    dump: Annotated[
        Path,
        typer.Argument(
            help="Wikidata entity dump, .json, .gz or .bz2.",
            exists=True,
            dir_okay=False,
            metavar="DUMP",
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            help="Folder of the lists; a stopped run continues from it.",
            metavar="FOLDER",
        ),
    ],
    language: Annotated[str, typer.Option(help="Language of the phrases.")] = "en",
    aliases: Annotated[bool, typer.Option(help="Also take other names of a value.")] = True,
    minimum: Annotated[
        int, typer.Option(help="Leave out values that fewer people have.", min=1)
    ] = 1,
) -> None:
    """Collect what Wikidata says about people, one list per type. Reads dumps of any size in constant memory."""
    refuse_clashes({"the folder of lists": out}, {"the dump": dump})
    require_modules("tqdm")
    from maskwise.train.gazetteer import collect_phrases

    with record_command(context, "gazetteer", out, [dump]) as run:
        lists = collect_phrases(dump, out, language=language, aliases=aliases, minimum=minimum)
        counts = {type.value: _count_lines(path) for type, path in lists.items()}
        run.note(phrases=counts)
    note(f"{sum(counts.values())} phrases in {len(counts)} lists written to {out}")


def _count_lines(path: Path) -> int:
    with path.open(encoding="utf-8") as lines:
        return sum(1 for _ in lines)
