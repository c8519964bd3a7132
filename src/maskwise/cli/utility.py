"""`maskwise utility`: measures the information that masked documents keep. It needs no annotations."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from maskwise.cli.evaluate import describe_score
from maskwise.cli.options import JsonOption, note, output_console, progress
from maskwise.errors import CorpusError
from maskwise.evaluate import weights as weighting
from maskwise.evaluate.tab import check_masks
from maskwise.text import masks as mask_files
from maskwise.text import tab

EXAMPLES = """[bold]Examples[/bold]

maskwise utility dev.json masks.json

maskwise utility dev.json generalised.json --credit --json"""


def utility(
    corpus: Annotated[Path, typer.Argument(help="TAB standoff JSON.", metavar="CORPUS")],
    masks: Annotated[
        Path,
        typer.Argument(help="JSON with masks or a masked text per doc_id.", metavar="MASKS"),
    ],
    every: Annotated[
        int | None,
        typer.Option(
            help="Hide every Nth term at once (N-TA), not one term per sentence (S-TA).", min=2
        ),
    ] = None,
    model: Annotated[
        str,
        typer.Option(
            help="Measure with this language model: lm, lm:MODEL or hf:NAME.", metavar="M"
        ),
    ] = "lm",
    credit: Annotated[
        bool, typer.Option("--credit", help="Credit a replacement by its likeness to the original.")
    ] = False,
    resamples: Annotated[
        int, typer.Option(help="Draw so many bootstrap resamples.", min=1, max=100_000)
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure the information that masked documents keep: TIC, TPI, IC multiplier, compression loss."""
    from maskwise.evaluate.utility import (
        Similarity,
        Utility,
        average_utility,
        compute_information,
        measure_utility,
    )

    documents = tab.load(corpus)
    found = mask_files.parse(tab.read_json(masks), documents, masks.name)
    unknown = sorted(set(found.by_document) - {item.document.id for item in documents})
    if unknown or not documents:
        raise CorpusError(
            f"{masks.name}: {len(unknown)} documents are not in the corpus of {len(documents)}"
        )
    for item in documents:
        check_masks(
            item, [(start, end) for start, end, _ in found.by_document.get(item.document.id, ())]
        )
    language_model = weighting.load_language_model(model)
    likeness = Similarity(language_model.encoder) if credit else None

    def measure_documents() -> Iterator[tuple[str, Utility]]:
        for item in documents:
            known = compute_information(item.document.text, language_model, every)
            spans = found.by_document.get(item.document.id, ())
            yield item.document.id, measure_utility(item.document.text, spans, known, likeness)

    start = time.perf_counter()
    each = dict(progress(measure_documents(), len(documents), "Measuring"))
    note(
        f"information content of {len(documents)} documents in {time.perf_counter() - start:.1f} s"
    )
    scores = average_utility(list(each.values()), resamples=resamples, seed=seed)
    if as_json:
        value = {name: describe_score(score) for name, score in scores.items()}
        rows = {name: _drop_nan(asdict(one)) for name, one in each.items()}
        print(
            json.dumps({**value, "ambiguous": dict(found.ambiguous), "documents": rows}, indent=1)
        )
        return
    table = Table("measure", "mean over documents", "95 % interval")
    for name, score in scores.items():
        table.add_row(
            name.replace("_", " "), f"{score.value:.3f}", f"{score.low:.3f} to {score.high:.3f}"
        )
    output_console().print(table)


def _drop_nan(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields for JSON, which has no NaN. A NaN differs from itself."""
    return {key: value if value == value else None for key, value in fields.items()}
