"""`maskwise train silver`: texts labelled by detectors, a generic NER, a model, and the names of their subjects."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import DropOption, record_command, require_modules

EXAMPLES = """[bold]Examples[/bold]

maskwise train silver lives.jsonl.xz -o silver.jsonl --pipeline ./en_core_web_md --subject title

maskwise train silver lives.jsonl.xz -o silver.jsonl --subject title --typed 2500 --limit 20000"""


TextsArgument = Annotated[
    Path,
    typer.Argument(
        help="JSONL with one `text` per row, also .gz, .xz or .bz2.", exists=True, metavar="TEXTS"
    ),
]
TargetOption = Annotated[
    Path, typer.Option("--out", "-o", help="JSONL file to write; an existing one is continued.")
]
PipelineOption = Annotated[
    str | None, typer.Option(help="A spaCy pipeline with OntoNotes classes, by name or folder.")
]
TeacherOption = Annotated[
    str | None, typer.Option(help="A model, by name or folder, that labels too.")
]
SubjectOption = Annotated[
    str | None,
    typer.Option(
        help="Key of the name of the person a row is about; all mentions are marked.", metavar="KEY"
    ),
]
TypedOption = Annotated[
    int | None,
    typer.Option(
        help="Give types to the first N texts only, to the rest names alone.", metavar="N"
    ),
]
LimitOption = Annotated[int | None, typer.Option(help="Read at most N texts.", metavar="N")]
CharactersOption = Annotated[
    int | None, typer.Option(help="Shorten texts to N characters.", metavar="N")
]
DomainOption = Annotated[str, typer.Option(help="Write this name of the domain into each row.")]


def silver(
    context: typer.Context,
    texts: TextsArgument,
    target: TargetOption,
    pipeline: PipelineOption = None,
    teacher: TeacherOption = None,
    subject: SubjectOption = None,
    typed: TypedOption = None,
    limit: LimitOption = None,
    characters: CharactersOption = None,
    domain: DomainOption = "",
    drop: DropOption = None,
) -> None:
    """Label raw texts for training by patterns, gazetteers, a pipeline, a model and the names of their subjects."""
    record = f"{target.name}.run.json"
    refuse_clashes({"the output": [target, target.with_name(record)]}, {"the texts": texts})
    require_modules("tqdm")
    from maskwise.train.run import hash_path
    from maskwise.train.silver import label_texts

    with record_command(context, "silver", target.parent, [texts], file=record) as run:
        rows = label_texts(
            texts,
            target,
            pipeline=pipeline,
            teacher=teacher,
            domain=domain,
            subject=subject,
            typed=typed,
            limit=limit,
            characters=characters,
            drop=drop,
        )
        run.note(rows=rows, sha256=hash_path(target))
    note(f"{rows} rows in {target}")
