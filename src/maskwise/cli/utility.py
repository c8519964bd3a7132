"""`maskwise utility`: measures the information that masked documents keep. It needs no annotations."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from maskwise.cli.evaluate import describe_score
from maskwise.cli.options import (
    BootstrapSeedOption,
    CorpusArgument,
    JsonOption,
    ResamplesOption,
    make_console,
    note,
    show_progress,
)
from maskwise.errors import CorpusError
from maskwise.evaluate import weights as weighting
from maskwise.evaluate.tab import check_masks
from maskwise.text import masks as mask_files
from maskwise.text import tab
from maskwise.text.masks import Masks
from maskwise.text.tab import AnnotatedDocument

if TYPE_CHECKING:
    from maskwise.evaluate.utility import Similarity, Utility
    from maskwise.lm.masked import MaskedLM

EXAMPLES = """[bold]Examples[/bold]

maskwise utility dev.json masks.json

maskwise utility dev.json generalised.json --credit --json"""


MasksArgument = Annotated[
    Path,
    typer.Argument(help="JSON with masks or a masked text per doc_id.", metavar="MASKS"),
]
EveryOption = Annotated[
    int | None,
    typer.Option(
        help="Hide every Nth term at once (N-TA), not one term per sentence (S-TA).", min=2
    ),
]
ModelOption = Annotated[
    str,
    typer.Option(help="Measure with this language model: lm, lm:MODEL or hf:NAME.", metavar="M"),
]
CreditOption = Annotated[
    bool, typer.Option("--credit", help="Credit a replacement by its likeness to the original.")
]


def utility(
    corpus: CorpusArgument,
    masks: MasksArgument,
    every: EveryOption = None,
    model: ModelOption = "lm",
    credit: CreditOption = False,
    resamples: ResamplesOption = 1000,
    seed: BootstrapSeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure the information that masked documents keep: TIC, TPI, IC multiplier, compression loss."""
    from maskwise.evaluate.utility import Similarity, average_utility

    documents = tab.load_corpus(corpus)
    found = mask_files.parse_masks(tab.read_json(masks), documents, masks.name)
    _check_documents(documents, found, masks.name)
    language_model = weighting.load_language_model(model)
    likeness = Similarity(language_model.encoder) if credit else None
    start = time.perf_counter()
    measured = _measure_documents(documents, found, language_model, every, likeness)
    each = dict(show_progress(measured, len(documents), "Measuring"))
    seconds = time.perf_counter() - start
    note(f"information content of {len(documents)} documents in {seconds:.1f} s")
    scores = average_utility(list(each.values()), resamples=resamples, seed=seed)
    if as_json:
        value = {name: describe_score(score) for name, score in scores.items()}
        rows = {name: _drop_nan(asdict(one)) for name, one in each.items()}
        whole = {**value, "ambiguous": dict(found.ambiguous), "documents": rows}
        print(json.dumps(whole, indent=1))
        return
    table = Table("measure", "mean over documents", "95 % interval")
    for name, score in scores.items():
        interval = f"{score.low:.3f} to {score.high:.3f}"
        table.add_row(name.replace("_", " "), f"{score.value:.3f}", interval)
    make_console().print(table)


def _check_documents(documents: Sequence[AnnotatedDocument], found: Masks, name: str) -> None:
    """Refuses masks of other documents, and masks outside their text."""
    unknown = sorted(set(found.by_document) - {item.document.id for item in documents})
    if unknown or not documents:
        raise CorpusError(
            f"{name}: {len(unknown)} documents are not in the corpus of {len(documents)}"
        )
    for item in documents:
        masks = found.by_document.get(item.document.id, ())
        check_masks(item, [(start, end) for start, end, _ in masks])


def _measure_documents(
    documents: Sequence[AnnotatedDocument],
    masks: Masks,
    model: MaskedLM,
    every: int | None,
    likeness: Similarity | None,
) -> Iterator[tuple[str, Utility]]:
    """Yield the id and the figures of each document."""
    from maskwise.evaluate.utility import compute_information, measure_utility

    for item in documents:
        text = item.document.text
        known = compute_information(text, model, every)
        spans = masks.by_document.get(item.document.id, ())
        yield item.document.id, measure_utility(text, spans, known, likeness)


def _drop_nan(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields for JSON, which has no NaN. A NaN differs from itself."""
    return {key: value if value == value else None for key, value in fields.items()}
