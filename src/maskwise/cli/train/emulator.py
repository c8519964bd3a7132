"""`maskwise train emulator`: learns the web indicator's answers from an index, so that no query is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from maskwise.cli.options import note, progress
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import SeedOption, collect_settings, require_modules

EXAMPLES = """[bold]Examples[/bold]

maskwise train emulator people.jsonl.xz --index people.index -o emulator.npz"""


def emulator(
    context: typer.Context,
    texts: Annotated[
        Path,
        typer.Argument(
            help="Pages with a `title`, the person each is about, as for `maskwise index build`.",
            exists=True,
            metavar="TEXTS",
        ),
    ],
    index: Annotated[Path, typer.Option(help="Index that holds these pages.", metavar="INDEX")],
    out: Annotated[Path, typer.Option("--out", "-o", help="File to write.", metavar="FILE.npz")],
    model: Annotated[str, typer.Option(help="Read the states of this model.")] = "small",
    limit: Annotated[int, typer.Option(help="Learn from N texts.", min=1, metavar="N")] = 300,
    held_out: Annotated[
        int, typer.Option(help="Report agreement on N further texts.", min=1, metavar="N")
    ] = 80,
    characters: Annotated[
        int, typer.Option(help="Shorten texts to N characters.", metavar="N")
    ] = 1500,
    k: Annotated[int, typer.Option("-k", help="Pages per search.", min=1)] = 50,
    seed: SeedOption = 0,
) -> None:
    """Learn from an index which entities and pairs lead to the person; report agreement on held-out texts."""
    record = f"{out.name}.run.json"
    refuse_clashes(
        {"the emulator": [out, out.with_name(record)]}, {"the texts": texts, "the index": index}
    )
    require_modules("torch", "tqdm")
    from maskwise.lm import load_model
    from maskwise.risk.emulator import Emulator
    from maskwise.risk.index import LocalIndex
    from maskwise.train import emulator as training
    from maskwise.train.run import hash_path, record_run

    local = LocalIndex(index)
    loaded = load_model(model)

    def label(number: int, held: bool) -> list[training.Sample]:
        documents = training.read_subjects(texts, number, characters, held_out=held)
        found = training.detect_entities(documents, model)
        samples = []
        for document, entities in progress(found, len(documents), "Labelling"):
            samples.append(training.label_document(document, entities, local, loaded, k))
        return samples

    settings = collect_settings(context)
    with record_run(
        out.parent, "emulator", data=[texts], seed=seed, file=record, **settings
    ) as run:
        about: dict[str, object] = {"k": k, "rule": "urls", "pages": len(local), "texts": limit}
        made = training.fit_emulator(label(limit, False), loaded, about=about, seed=seed)
        made.save(out)
        scores = training.judge_emulator(Emulator.load(out), label(held_out, True))
        run.note(agreement=scores, sha256=hash_path(out))
    for kind, row in scores.items():
        values = [f"{key} {value:.3f}".removesuffix(".000") for key, value in row.items()]
        note(f"{kind}: {', '.join(values)}")
