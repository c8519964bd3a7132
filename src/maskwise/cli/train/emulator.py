"""`maskwise train emulator`: learns the web indicator's answers from an index, so that no query is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from maskwise.cli.options import note, show_count, show_progress
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.train.common import SeedOption, record_command, require_modules

if TYPE_CHECKING:
    from maskwise.lm import Model
    from maskwise.risk.index import LocalIndex
    from maskwise.text import Document
    from maskwise.train.emulator import Sample

EXAMPLES = """[bold]Examples[/bold]

maskwise train emulator pages.jsonl.xz --people people.jsonl -o emulator.npz"""


TextsArgument = Annotated[
    Path,
    typer.Argument(
        help="Pages with a `title`, the person each is about, as for `maskwise index build`.",
        exists=True,
        metavar="TEXTS",
    ),
]
PeopleOption = Annotated[
    Path | None,
    typer.Option(
        help="Profiles that are background too, as for `maskwise crowd build`.", metavar="FILE"
    ),
]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="File to write.", metavar="FILE.npz")]
ModelOption = Annotated[str, typer.Option(help="Read the states of this model.")]
LimitOption = Annotated[
    int,
    typer.Option(help="Learn from N texts, the last fifth for calibration.", min=5, metavar="N"),
]
HeldOutOption = Annotated[
    int, typer.Option(help="Report agreement on N further texts.", min=1, metavar="N")
]
CharactersOption = Annotated[
    int,
    typer.Option(help="Read at most N characters, and half of a page.", min=1, metavar="N"),
]
PagesOption = Annotated[int, typer.Option("-k", help="Pages per search.", min=1)]


def emulator(
    context: typer.Context,
    texts: TextsArgument,
    out: OutOption,
    people: PeopleOption = None,
    model: ModelOption = "small",
    limit: LimitOption = 300,
    held_out: HeldOutOption = 80,
    characters: CharactersOption = 1500,
    k: PagesOption = 50,
    seed: SeedOption = 0,
) -> None:
    """Learn from an index which entities and pairs lead to the person; report agreement on held-out texts.

    A text is the first part of a page. The index holds the rest of that page, the pages of all others, and profiles.
    """
    record = f"{out.name}.run.json"
    written = {"the emulator": [out, out.with_name(record)]}
    refuse_clashes(written, {"the texts": texts, "the profiles": people})
    require_modules("torch", "tqdm")
    from maskwise.lm import load_model
    from maskwise.risk.emulator import Emulator
    from maskwise.train import emulator as training
    from maskwise.train.background import read_subjects
    from maskwise.train.run import hash_path

    loaded = load_model(model)
    files = [path for path in (texts, people) if path]
    with record_command(context, "emulator", out.parent, files, seed, record) as run:
        known = read_subjects(texts, limit, characters, held_out=False)
        unseen = read_subjects(texts, held_out, characters, held_out=True)
        with build_background(texts, [*known, *unseen], characters, people) as local:
            about: dict[str, object] = {"k": k, "rule": "urls", "pages": len(local), "texts": limit}
            learnt = _label_documents(known, model, loaded, local, k)
            judged = _label_documents(unseen, model, loaded, local, k)
        last = len(learnt) - len(learnt) // 5
        fitted = training.fit_emulator(learnt[:last], loaded, about=about, seed=seed)
        training.calibrate_emulator(fitted, learnt[last:]).save(out)
        scores = training.judge_emulator(Emulator.load(out), judged)
        run.note(agreement=scores, sha256=hash_path(out))
    _note_scores(scores)


def _note_scores(scores: Mapping[str, Mapping[str, float]]) -> None:
    for kind, row in scores.items():
        values = [f"{key} {value:.3f}".removesuffix(".000") for key, value in row.items()]
        note(f"{kind}: {', '.join(values)}")


@contextmanager
def build_background(
    texts: Path, documents: Sequence[Document], characters: int, people: Path | None
) -> Iterator[LocalIndex]:
    """An index for a while: the pages without what the documents say themselves, and the profiles."""
    from maskwise.crowd.population import Population
    from maskwise.risk.index import LocalIndex, build_index
    from maskwise.train.background import list_background

    profiles = Population.load(people, texts=False) if people else ()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "background.index"
        pages = list_background(texts, documents, characters, profiles)
        build_index(show_count(pages, "Indexing", "pages"), path)
        yield LocalIndex(path)


def _label_documents(
    documents: Sequence[Document], teacher: str, model: Model, index: LocalIndex, k: int
) -> list[Sample]:
    """Labels the entities and pairs of each document by what the index says."""
    from maskwise.train.emulator import detect_entities, label_document

    found = show_progress(detect_entities(documents, teacher), len(documents), "Labelling")
    return [label_document(document, entities, index, model, k) for document, entities in found]
