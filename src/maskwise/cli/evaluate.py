"""`maskwise evaluate`: scores masks against human annotators."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.table import Table

from maskwise import io
from maskwise.cli.learnt import warn_of_learners
from maskwise.cli.options import (
    BootstrapSeedOption,
    CorpusArgument,
    JsonOption,
    ResamplesOption,
    make_console,
    note,
)
from maskwise.cli.paths import refuse_clashes
from maskwise.cli.sweep import run_sweep
from maskwise.cli.terminal import make_plain
from maskwise.errors import CorpusError
from maskwise.evaluate import weights as weighting
from maskwise.evaluate.compare import Difference, compare_systems
from maskwise.evaluate.mistakes import Mistake, count_by_type, find_mistakes
from maskwise.evaluate.systems import MaskedSystem, PolicyRun
from maskwise.evaluate.tab import Score, Weights, summarise_counts, tally_documents
from maskwise.text import masks as mask_files
from maskwise.text import tab
from maskwise.text.tab import AnnotatedDocument

EXAMPLES = """[bold]Examples[/bold]

maskwise evaluate dev.json masks.json --errors --report report.html

maskwise evaluate dev.json ours.json other-tool.json --json"""

SWEEP = (
    "precision",
    "weighted_precision",
    "recall",
    "entity_recall_direct",
    "entity_recall_quasi",
    "f1",
)


MasksArgument = Annotated[
    list[Path] | None,
    typer.Argument(help="JSON with masks or a masked text per doc_id.", metavar="MASKS"),
]
CompareOption = Annotated[
    bool,
    typer.Option("--compare", help="Compare two or more files of masks with a paired test."),
]
WeightsOption = Annotated[
    str, typer.Option(help="Weigh precision by uniform, lm or hf:NAME.", metavar="W")
]
ErrorsOption = Annotated[
    bool, typer.Option("--errors", help="List missed spans and needless masks in context.")
]
SweepOption = Annotated[
    bool,
    typer.Option("--sweep", help="Also run every shipped policy and points of the recall knob."),
]
ReportOption = Annotated[
    Path | None, typer.Option(help="Write a self-contained HTML page.", metavar="FILE")
]


class Findings(NamedTuple):
    """The scores of all systems, their differences by pair, their mistakes by name, and the runs of a sweep."""

    systems: Sequence[MaskedSystem]
    differences: Mapping[str, Mapping[str, Difference]]
    mistakes: Mapping[str, Sequence[Mistake]]
    runs: Sequence[PolicyRun]


def evaluate(
    corpus: CorpusArgument,
    masks: MasksArgument = None,
    comparison: CompareOption = False,
    weights: WeightsOption = "uniform",
    errors: ErrorsOption = False,
    sweeping: SweepOption = False,
    report: ReportOption = None,
    resamples: ResamplesOption = 1000,
    seed: BootstrapSeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Score masks against human annotators by the metrics of the Text Anonymization Benchmark, with 95 % intervals."""
    paths = masks or []
    _check_usage(paths, comparison, sweeping)
    refuse_clashes({"the report": report}, {"the corpus": corpus, "a file of masks": paths})
    if report:
        from maskwise.report import plots

        plots.load_figure()
    documents = tab.load_corpus(corpus)
    learners = warn_of_learners(corpus)
    weight = weighting.parse_weights(weights)
    systems = [_score_system(documents, path, weight, resamples, seed) for path in paths]
    mistakes = {s.name: find_mistakes(documents, s.masks.spans) for s in systems} if errors else {}
    runs = list(run_sweep(documents, weight, resamples, seed)) if sweeping else []
    found = Findings(systems, _compare_pairs(systems, resamples, seed), mistakes, runs)
    if report:
        settings = {"weights": weights, "resamples": resamples, "seed": seed}
        _write_report(report, [corpus, *paths], {"documents": len(documents), **settings}, found)
    if as_json:
        known = {"trained_on_it": learners} if learners else {}
        print(json.dumps(_build_json(found) | known, indent=1))
    else:
        for table in _build_tables(found):
            make_console().print(table)


def _compare_pairs(
    systems: Sequence[MaskedSystem], resamples: int, seed: int
) -> dict[str, dict[str, Difference]]:
    """Return the differences of all metrics, for each pair of systems."""
    found: dict[str, dict[str, Difference]] = {}
    for a, b in combinations(systems, 2):
        compared = compare_systems(a.counts, b.counts, resamples=resamples, seed=seed)
        found[f"{b.name} - {a.name}"] = compared
    return found


def _write_report(
    report: Path, sources: Sequence[Path], settings: Mapping[str, Any], found: Findings
) -> None:
    from maskwise.report import evaluation

    page = evaluation.build_evaluation_page(sources, settings, *found)
    io.write_file(report, page.encode("utf-8", "replace"))
    note(f"report written to {report}")


def _check_usage(paths: Sequence[Path], comparison: bool, sweeping: bool) -> None:
    if not paths and not sweeping:
        raise CorpusError("no masks: name a file of masks, or use --sweep")
    if comparison and len(paths) < 2:
        raise CorpusError("--compare takes two or more files of masks; name another one")
    if len({path.name for path in paths}) < len(paths):
        raise CorpusError(
            "two files of masks have the same name; rename one, so that the table can tell them apart"
        )


def _score_system(
    documents: Sequence[AnnotatedDocument],
    path: Path,
    weights: Weights | None,
    resamples: int,
    seed: int,
) -> MaskedSystem:
    masks = mask_files.parse_masks(tab.read_json(path), documents, path.name)
    if masks.ambiguous:
        places = sum(masks.ambiguous.values())
        note(
            f"{path.name}: {places} places in {len(masks.ambiguous)} documents could be aligned in another way"
        )
    counts = tally_documents(documents, masks.spans, weights)
    scores = summarise_counts(counts, resamples=resamples, seed=seed)
    return MaskedSystem(path, masks, counts, scores)


def _build_json(found: Findings) -> dict[str, Any]:
    """Return the metrics of one system at the top level, those of several under their names."""
    each = {s.name: _describe_system(s, found.mistakes.get(s.name)) for s in found.systems}
    value: dict[str, Any] = {}
    if len(each) == 1:
        [value] = each.values()
    elif each:
        value = {"systems": each}
    if found.differences:
        pairs = found.differences.items()
        value["differences"] = {pair: _describe_scores(row) for pair, row in pairs}
    if found.runs:
        value["sweep"] = [_describe_run(run) for run in found.runs]
    return value


def _describe_run(run: PolicyRun) -> dict[str, Any]:
    head = {"name": run.name, "recall_point": run.recall, "words_masked": run.words_masked}
    return {**head, **_describe_scores(run.scores)}


def _describe_scores(scores: Mapping[str, Score | Difference]) -> dict[str, Any]:
    return {metric: describe_score(score) for metric, score in scores.items()}


def _describe_system(system: MaskedSystem, found: Sequence[Mistake] | None) -> dict[str, Any]:
    value = _describe_scores(system.scores)
    if system.masks.ambiguous:
        value["ambiguous"] = dict(system.masks.ambiguous)
    if found is not None:
        value["errors"] = {"counts": count_by_type(found), "list": [asdict(m) for m in found]}
    return value


def describe_score(value: Score | Difference) -> dict[str, float | None]:
    """Return the fields of a score for JSON, which has no NaN."""
    return {key: None if math.isnan(number) else number for key, number in asdict(value).items()}


def _build_tables(found: Findings) -> Iterator[Table]:
    if found.systems:
        yield _build_metric_table(found.systems)
    for pair, row in found.differences.items():
        yield _build_difference_table(pair, row)
    for name, mistakes in found.mistakes.items():
        yield from _build_mistake_tables(name, mistakes)
    if found.runs:
        yield _build_sweep_table(found.runs)


def _build_metric_table(systems: Sequence[MaskedSystem]) -> Table:
    table = Table("metric")
    for system in systems:
        table.add_column(make_plain(system.name if len(systems) > 1 else "value [95 % interval]"))
    for metric in systems[0].scores:
        scores = [s.scores[metric] for s in systems]
        if not all(math.isnan(score.value) for score in scores):
            table.add_row(metric.replace("_", " "), *(make_plain(str(score)) for score in scores))
    return table


def _build_difference_table(pair: str, row: Mapping[str, Difference]) -> Table:
    table = Table(
        "metric",
        "difference",
        "95 % interval",
        "p",
        title=make_plain(f"{pair} (paired bootstrap)"),
    )
    for metric, found in row.items():
        if math.isnan(found.value):
            continue
        interval = f"{found.low:+.3f} to {found.high:+.3f}"
        table.add_row(metric.replace("_", " "), f"{found.value:+.3f}", interval, f"{found.p:.3f}")
    return table


def _build_mistake_tables(name: str, found: Sequence[Mistake]) -> Iterator[Table]:
    counts = count_by_type(found)
    kinds = sorted({kind for row in counts.values() for kind in row})
    summary_table = Table("type", *counts, title=make_plain(f"{name}: mistakes by type"))
    for kind in kinds:
        summary_table.add_row(kind, *(str(row.get(kind, 0)) for row in counts.values()))
    yield summary_table
    table = Table(
        "document", "at", "kind", "type", "masked by", "in context", title=make_plain(name)
    )
    for m in found:
        parts = [re.sub(r"\s+", " ", part) for part in (m.before, m.text, m.after)]
        before, text, after = map(make_plain, parts)
        context = before.append(f"«{text}»", "bold").append(after)
        votes = f"{m.annotators} of {m.of}"
        table.add_row(make_plain(m.document), str(m.start), m.kind, m.type, votes, context)
    yield table


def _build_sweep_table(runs: Sequence[PolicyRun]) -> Table:
    metrics = [name.replace("_", " ") for name in SWEEP]
    table = Table("policy", *metrics, "words masked", title="Privacy and utility")
    for run in runs:
        values = [f"{run.scores[name].value:.3f}" for name in SWEEP]
        table.add_row(run.name, *values, f"{run.words_masked:.3f}")
    return table
