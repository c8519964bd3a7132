"""`maskwise agreement`: measures how far annotators agree, and scores each of them against the others."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from maskwise import io
from maskwise.cli.evaluate import describe_score
from maskwise.cli.options import JsonOption, note, output_console
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.terminal import plain_text
from maskwise.errors import CorpusError
from maskwise.evaluate.tab import Score, summarise_counts
from maskwise.text import tab

if TYPE_CHECKING:
    from rich.text import Text

    from maskwise.evaluate.agreement import Agreement, Disagreements

EXAMPLES = """[bold]Examples[/bold]

maskwise agreement dev.json --plot disagreements.svg --json"""

CEILINGS = ("precision", "recall", "f1", "entity_recall_direct", "entity_recall_quasi")


def agreement(
    corpus: Annotated[Path, typer.Argument(help="TAB standoff JSON.", metavar="CORPUS")],
    plot: Annotated[
        Path | None,
        typer.Option(help="Write one SVG of disagreements per attribute.", metavar="FILE.svg"),
    ] = None,
    resamples: Annotated[
        int, typer.Option(help="Draw so many bootstrap resamples.", min=1, max=100_000)
    ] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure how far annotators agree: kappa, alpha, and the scores of each against the others."""
    from maskwise.evaluate import agreement as measures

    if plot:
        from maskwise.report import plots

        plots.load_figure()
    targets = _name_plots(plot, list(measures.ATTRIBUTES)) if plot else None
    refuse_clashes({"a plot": targets}, {"the corpus": corpus})
    documents = tab.load(corpus)
    if not any(len(item.layers) > 1 for item in documents):
        raise CorpusError(f"{corpus.name}: no document has two annotators")
    found = measures.measure_agreement(documents, resamples=resamples, seed=seed)
    people = {
        "each annotator against the others": measures.score_against_others(documents),
        "majority of the others against each": measures.score_majority_of_others(documents),
        "majority of all against all": measures.score_majority_of_all(documents),
    }
    ceilings = {
        name: summarise_counts(t, resamples=resamples, seed=seed)
        for name, t in people.items()
        if len(t)
    }
    clashes = [
        measures.count_disagreements(documents, attribute) for attribute in measures.ATTRIBUTES
    ]
    if plot:
        _write_plots(plot, clashes)
    if as_json:
        print(json.dumps(_build_json(found, ceilings, clashes), indent=1))
    else:
        output_console().print(_build_coefficient_table(found))
        output_console().print(_build_ceiling_table(ceilings))


def _write_plots(path: Path, clashes: Sequence[Disagreements]) -> None:
    """One file per attribute: the first has the name given, the others add theirs to it."""
    from maskwise.report.plots import plot_heatmap

    known = [clash for clash in clashes if len(clash.labels) > 1]
    for target, clash in zip(
        _name_plots(path, [clash.attribute for clash in known]), known, strict=True
    ):
        io.write_file(target, plot_heatmap(clash).encode())
        note(f"disagreements on {clash.attribute} written to {target}")


def _name_plots(path: Path, attributes: Sequence[str]) -> list[Path]:
    endings = [
        f"-{attribute.replace(' ', '-')}" if at else "" for at, attribute in enumerate(attributes)
    ]
    return [path.with_name(f"{path.stem}{ending}{path.suffix}") for ending in endings]


def _build_json(
    found: Sequence[Agreement],
    ceilings: dict[str, dict[str, Score]],
    clashes: Sequence[Disagreements],
) -> dict[str, Any]:
    return {
        "agreement": [
            {"attribute": a.attribute, "unit": a.unit, "documents": a.documents}
            | {name: describe_score(score) for name, score in a.scores.items()}
            for a in found
        ],
        "ceilings": {
            name: {metric: describe_score(score) for metric, score in scores.items()}
            for name, scores in ceilings.items()
        },
        "disagreements": {
            c.attribute: {"labels": c.labels, "matrix": c.matrix.tolist()} for c in clashes
        },
    }


def _build_coefficient_table(found: Sequence[Agreement]) -> Table:
    heads = ("observed", "Fleiss' kappa", "Cohen's kappa", "Krippendorff's alpha")
    table = Table(
        "attribute",
        "unit",
        "documents",
        *heads,
        title="Agreement, mean over documents [95 % interval]",
    )
    for a in found:
        unit = a.unit if a.unit == "character" else f"span, {a.unit}"
        scores = map(_format_score, a.scores.values())
        table.add_row(a.attribute, unit, str(a.documents), *scores)
    return table


def _build_ceiling_table(ceilings: dict[str, dict[str, Score]]) -> Table:
    table = Table("who", *(name.replace("_", " ") for name in CEILINGS), title="People as systems")
    for who, scores in ceilings.items():
        table.add_row(who, *(_format_score(scores[name]) for name in CEILINGS))
    return table


def _format_score(score: Score) -> Text:
    return plain_text("unavailable" if math.isnan(score.value) else str(score))
