"""`maskwise train emulator`: learns the web indicator's answers from an index, so that no query is needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note, show_progress
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import SeedOption, record_command, require_modules

if TYPE_CHECKING:
    from maskwise.lm import Model
    from maskwise.risk.index import LocalIndex
    from maskwise.text import Document
    from maskwise.train.emulator import Sample

EXAMPLES = """[bold]Examples[/bold]

maskwise train emulator people.jsonl.xz --index people.index -o emulator.npz"""


TextsArgument = Annotated[
    Path,
    typer.Argument(
        help="Pages with a `title`, the person each is about, as for `maskwise index build`.",
        exists=True,
        metavar="TEXTS",
    ),
]
IndexOption = Annotated[Path, typer.Option(help="Index that holds these pages.", metavar="INDEX")]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="File to write.", metavar="FILE.npz")]
ModelOption = Annotated[str, typer.Option(help="Read the states of this model.")]
LimitOption = Annotated[int, typer.Option(help="Learn from N texts.", min=1, metavar="N")]
HeldOutOption = Annotated[
    int, typer.Option(help="Report agreement on N further texts.", min=1, metavar="N")
]
CharactersOption = Annotated[int, typer.Option(help="Shorten texts to N characters.", metavar="N")]
PagesOption = Annotated[int, typer.Option("-k", help="Pages per search.", min=1)]


def emulator(
    context: typer.Context,
    texts: TextsArgument,
    index: IndexOption,
    out: OutOption,
    model: ModelOption = "small",
    limit: LimitOption = 300,
    held_out: HeldOutOption = 80,
    characters: CharactersOption = 1500,
    k: PagesOption = 50,
    seed: SeedOption = 0,
) -> None:
    """Learn from an index which entities and pairs lead to the person; report agreement on held-out texts."""
    record = f"{out.name}.run.json"
    written = {"the emulator": [out, out.with_name(record)]}
    refuse_clashes(written, {"the texts": texts, "the index": index})
    require_modules("torch", "tqdm")
    from maskwise.lm import load_model
    from maskwise.risk.emulator import Emulator
    from maskwise.risk.index import LocalIndex
    from maskwise.train import emulator as training
    from maskwise.train.run import hash_path

    local, loaded = LocalIndex(index), load_model(model)
    with record_command(context, "emulator", out.parent, [texts], seed, record) as run:
        about: dict[str, object] = {"k": k, "rule": "urls", "pages": len(local), "texts": limit}
        documents = training.read_subjects(texts, limit, characters, held_out=False)
        learnt = _label_documents(documents, model, loaded, local, k)
        training.fit_emulator(learnt, loaded, about=about, seed=seed).save(out)
        documents = training.read_subjects(texts, held_out, characters, held_out=True)
        unseen = _label_documents(documents, model, loaded, local, k)
        scores = training.judge_emulator(Emulator.load(out), unseen)
        run.note(agreement=scores, sha256=hash_path(out))
    for kind, row in scores.items():
        values = [f"{key} {value:.3f}".removesuffix(".000") for key, value in row.items()]
        note(f"{kind}: {', '.join(values)}")


def _label_documents(
    documents: Sequence[Document], teacher: str, model: Model, index: LocalIndex, k: int
) -> list[Sample]:
    """Labels the entities and pairs of each document by what the index says."""
    from maskwise.train.emulator import detect_entities, label_document

    found = show_progress(detect_entities(documents, teacher), len(documents), "Labelling")
    return [label_document(document, entities, index, model, k) for document, entities in found]
