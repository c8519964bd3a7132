"""`maskwise train silver`: texts labelled by detectors, a generic NER, a model, and the names of their subjects."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import DropOption, need, settings

EXAMPLES = """[bold]Examples[/bold]

maskwise train silver lives.jsonl.xz -o silver.jsonl --pipeline ./en_core_web_md --subject title

maskwise train silver lives.jsonl.xz -o silver.jsonl --subject title --typed 2500 --limit 20000"""


def silver(
    context: typer.Context,
    texts: Annotated[
        Path, typer.Argument(help="JSONL with one `text` per row, also .gz, .xz or .bz2.", exists=True, metavar="TEXTS")
    ],
    target: Annotated[Path, typer.Option("--out", "-o", help="Write this JSONL, or continue it.")],
    pipeline: Annotated[str | None, typer.Option(help="Label with this spaCy pipeline of OntoNotes classes.")] = None,
    teacher: Annotated[str | None, typer.Option(help="Also label with this model, a name or a folder.")] = None,
    subject: Annotated[
        str | None,
        typer.Option(help="Mark all forms of the name under this key, the person of the text.", metavar="KEY"),
    ] = None,
    typed: Annotated[
        int | None, typer.Option(help="Label types in the first N texts, and only names in the rest.", metavar="N")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Read at most N texts.", metavar="N")] = None,
    characters: Annotated[int | None, typer.Option(help="Shorten texts to N characters.", metavar="N")] = None,
    domain: Annotated[str, typer.Option(help="Write this name of the domain into each row.")] = "",
    drop: DropOption = None,
) -> None:
    """Label raw texts for training by patterns, gazetteers, a pipeline, a model and the names of their subjects."""
    record = f"{target.name}.run.json"
    refuse_clashes({"the output": [target, target.with_name(record)]}, {"the texts": texts})
    need("tqdm")
    from maskwise.train.run import recorded, sha256
    from maskwise.train.silver import label_texts

    with recorded(target.parent, "silver", data=[texts], seed=0, file=record, **settings(context)) as run:
        rows = label_texts(texts, target, pipeline=pipeline, teacher=teacher, domain=domain, subject=subject,
                           typed=typed, limit=limit, characters=characters, drop=drop)  # fmt: skip
        run.note(rows=rows, sha256=sha256(target))
    note(f"{rows} rows in {target}")
