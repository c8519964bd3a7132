"""`maskwise evaluate`: how well masks protect, and how much they spare, against human annotators."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from maskwise.cli.options import JsonOption, out
from maskwise.errors import CorpusError
from maskwise.evaluate.tab import Score, Span
from maskwise.evaluate.tab import evaluate as score
from maskwise.text import tab

EXAMPLES = """[bold]Examples[/bold]

maskwise corpus dev.json -o masks.json && maskwise evaluate dev.json masks.json

maskwise evaluate dev.json other-tool.json --json"""


def evaluate(
    corpus: Annotated[Path, typer.Argument(help="Corpus in TAB standoff JSON.", metavar="CORPUS")],
    masks: Annotated[Path, typer.Argument(help="Masks by doc_id: start, end, maybe a replacement.", metavar="MASKS")],
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples for the intervals.", min=1)] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Score masks against a corpus with the metrics of the Text Anonymization Benchmark, with 95 % intervals."""
    scores = score(tab.load(corpus), read_masks(masks), resamples=resamples, seed=seed)
    if as_json:
        print(json.dumps({name: _plain(value) for name, value in scores.items()}, indent=1))
        return
    table = Table("metric", "value", "95 % interval")
    for name, value in scores.items():
        if not math.isnan(value.value):
            table.add_row(name.replace("_", " "), f"{value.value:.3f}", f"{value.low:.3f} to {value.high:.3f}")
    out().print(table)


def _plain(value: Score) -> dict[str, float | None]:
    found = {"value": value.value, "low": value.low, "high": value.high}
    return {key: None if math.isnan(number) else number for key, number in found.items()}


def read_masks(path: Path) -> dict[str, list[Span]]:
    """Masks by document, checked for shape; offsets are checked against the text by the metrics."""
    value = tab.read_json(path)
    if not isinstance(value, dict):
        raise CorpusError(f"{path.name}: expected an object of masks by doc_id, found {type(value).__name__}")
    return {name: _spans(spans, f"{path.name}: {name}") for name, spans in value.items()}


def _spans(value: Any, where: str) -> list[Span]:
    if not isinstance(value, list):
        raise CorpusError(f"{where}: expected a list of masks, found {type(value).__name__}")
    return [_span(item, f"{where}, mask {at}") for at, item in enumerate(value)]


def _span(value: Any, where: str) -> Span:
    whole = isinstance(value, list) and len(value) in (2, 3) and all(type(n) is int for n in value[:2])
    if not whole:
        raise CorpusError(f"{where}: expected [start, end] or [start, end, replacement]")
    return (value[0], value[1])
