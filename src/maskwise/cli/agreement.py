"""`maskwise agreement`: measures how far annotators agree, and scores each of them against the others."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.table import Table

from maskwise import io
from maskwise.cli.evaluate import describe_score
from maskwise.cli.options import (
    BootstrapSeedOption,
    CorpusArgument,
    JsonOption,
    ResamplesOption,
    make_console,
    note,
)
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.terminal import make_plain
from maskwise.errors import CorpusError
from maskwise.evaluate.tab import Score, summarise_counts
from maskwise.text import tab

if TYPE_CHECKING:
    from rich.text import Text

    from maskwise.evaluate.agreement import Agreement, Disagreements

EXAMPLES = """[bold]Examples[/bold]

maskwise agreement dev.json --plot disagreements.svg --json"""

CEILINGS = ("precision", "recall", "f1", "entity_recall_direct", "entity_recall_quasi")


PlotOption = Annotated[
    Path | None,
    typer.Option(help="Write one SVG of disagreements per attribute.", metavar="FILE.svg"),
]


def agreement(
    corpus: CorpusArgument,
    plot: PlotOption = None,
    resamples: ResamplesOption = 1000,
    seed: BootstrapSeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure how far annotators agree: kappa, alpha, and the scores of each against the others."""
    from maskwise.evaluate import agreement as measures

    if plot:
        from maskwise.report import plots

        plots.load_figure()
    targets = _name_plots(plot, list(measures.ATTRIBUTES)) if plot else None
    refuse_clashes({"a plot": targets}, {"the corpus": corpus})
    documents = tab.load_corpus(corpus)
    if not any(len(item.layers) > 1 for item in documents):
        raise CorpusError(f"{corpus.name}: no document has two annotators")
    found = measures.measure_agreement(documents, resamples=resamples, seed=seed)
    people = {
        "each annotator against the others": measures.score_against_others(documents),
        "majority of the others against each": measures.score_majority_of_others(documents),
        "majority of all against all": measures.score_majority_of_all(documents),
    }
    ceilings = {
        name: summarise_counts(counts, resamples=resamples, seed=seed)
        for name, counts in people.items()
        if len(counts)
    }
    clashes = [measures.count_disagreements(documents, name) for name in measures.ATTRIBUTES]
    if plot:
        _write_plots(plot, clashes)
    if as_json:
        print(json.dumps(_build_json(found, ceilings, clashes), indent=1))
    else:
        make_console().print(_build_coefficient_table(found))
        make_console().print(_build_ceiling_table(ceilings))


def _write_plots(path: Path, clashes: Sequence[Disagreements]) -> None:
    """Write one file per attribute. The first has the name given, the others add theirs to it."""
    from maskwise.report.plots import plot_heatmap

    known = [clash for clash in clashes if len(clash.labels) > 1]
    targets = _name_plots(path, [clash.attribute for clash in known])
    for target, clash in zip(targets, known, strict=True):
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
    rows = []
    for a in found:
        head = {"attribute": a.attribute, "unit": a.unit, "documents": a.documents}
        rows.append({**head, **_describe_scores(a.scores)})
    return {
        "agreement": rows,
        "ceilings": {name: _describe_scores(scores) for name, scores in ceilings.items()},
        "disagreements": {
            c.attribute: {"labels": c.labels, "matrix": c.matrix.tolist()} for c in clashes
        },
    }


def _describe_scores(scores: Mapping[str, Score]) -> dict[str, Any]:
    return {name: describe_score(score) for name, score in scores.items()}


def _build_coefficient_table(found: Sequence[Agreement]) -> Table:
    heads = ("observed", "Fleiss' kappa", "Cohen's kappa", "Krippen-\ndorff's\nalpha")
    table = Table(title="Agreement, mean over documents [95 % interval]", box=SIMPLE_HEAD)
    for head in ("attribute", "unit", "docs"):
        table.add_column(head, no_wrap=True)  # else words are cut off in 80 columns
    for head in heads:
        table.add_column(head)
    for a in found:
        unit = a.unit if a.unit == "character" else f"span,\n{a.unit}"
        scores = map(_format_score, a.scores.values())
        table.add_row(a.attribute.replace(" ", "\n"), unit, str(a.documents), *scores)
    return table


def _build_ceiling_table(ceilings: dict[str, dict[str, Score]]) -> Table:
    table = Table("who", *(name.replace("_", " ") for name in CEILINGS), title="People as systems")
    for who, scores in ceilings.items():
        table.add_row(who, *(_format_score(scores[name]) for name in CEILINGS))
    return table


def _format_score(score: Score) -> Text:
    return make_plain("-" if math.isnan(score.value) else str(score))
