"""The page that `maskwise evaluate --report` writes: metrics, recall by type, curves, mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from maskwise.evaluate.compare import Difference
from maskwise.evaluate.mistakes import Mistake, count_by_type
from maskwise.evaluate.systems import MaskedSystem, PolicyRun
from maskwise.report import plots
from maskwise.report.page import (
    Section,
    build_figure,
    build_page,
    build_table,
    list_facts,
    list_in_context,
)
from maskwise.text import EntityType


def build_evaluation_page(
    files: Sequence[Path],
    settings: Mapping[str, object],
    systems: Sequence[MaskedSystem],
    differences: Mapping[str, Mapping[str, Difference]],
    found: Mapping[str, Sequence[Mistake]],
    runs: Sequence[PolicyRun],
) -> str:
    """The page for what was measured."""
    sections = [
        *_list_metric_sections(systems),
        *(_build_difference(pair, row) for pair, row in differences.items()),
        *_list_sweep_sections(runs),
        *(_build_mistakes(name, mistakes) for name, mistakes in found.items()),
    ]
    facts = list_facts(files, settings)
    return build_page(f"Evaluation on {files[0].name}", facts, sections)


def _list_metric_sections(systems: Sequence[MaskedSystem]) -> Iterator[Section]:
    if systems:
        yield Section("Metrics with 95 % intervals", _build_metric_table(systems))
    for system in systems:
        by_kind = {t.value: system.scores[f"recall_{t.value.lower()}"] for t in EntityType}
        plot = plots.plot_intervals(by_kind, "Token recall")
        yield Section(f"Recall by type: {system.name}", build_figure(plot))


def _build_metric_table(systems: Sequence[MaskedSystem]) -> str:
    """One row per metric that is known for a system, one column per system."""
    rows = []
    for metric in systems[0].scores:
        scores = [system.scores[metric] for system in systems]
        if not all(math.isnan(score.value) for score in scores):
            rows.append((metric.replace("_", " "), *map(str, scores)))
    heads = ("metric", *(system.name for system in systems))
    return build_table(heads, rows)


def _build_difference(pair: str, row: Mapping[str, Difference]) -> Section:
    rows = [
        (m.replace("_", " "), f"{d.value:+.3f}", f"{d.low:+.3f} to {d.high:+.3f}", f"{d.p:.3f}")
        for m, d in row.items()
        if not math.isnan(d.value)
    ]
    heads = ("metric", "difference", "95 % interval", "p")
    return Section(f"{pair}, paired bootstrap over documents", build_table(heads, rows))


def _list_sweep_sections(runs: Sequence[PolicyRun]) -> Iterator[Section]:
    if not runs:
        return
    heads = (
        "precision",
        "weighted_precision",
        "recall",
        "entity_recall_direct",
        "entity_recall_quasi",
        "f1",
    )
    rows = []
    for run in runs:
        scores = (run.scores[name].value for name in heads)
        rows.append((run.name, *scores, run.words_masked))
    names = ("policy", *(name.replace("_", " ") for name in heads), "words masked")
    yield Section("Policies and points of the recall knob", build_table(names, rows))
    points = [
        (f"{r.recall:g}", r.scores["recall"].value, r.scores["precision"].value)
        for r in runs
        if r.recall is not None
    ]
    svg = plots.plot_curve(
        points, "By threshold: the recall knob from 0 to 1", "recall", "precision"
    )
    yield Section("Precision and recall by threshold", build_figure(svg))
    choices = []
    for run in runs:
        name = "" if run.recall is not None else run.name
        choices.append((name, run.scores["entity_recall"].value, 1 - run.words_masked))
    svg = plots.plot_pareto(
        choices,
        "Policies, and points of the recall knob; blue: none is better on both",
        "entity recall (privacy)",
        "words kept (utility)",
    )
    yield Section("Privacy and utility", build_figure(svg))


def _build_mistakes(name: str, found: Sequence[Mistake]) -> Section:
    counts = count_by_type(found)
    kinds = sorted({kind for row in counts.values() for kind in row})
    rows = []
    for kind in kinds:
        numbers = (row.get(kind, 0) for row in counts.values())
        rows.append((kind, *numbers))
    table = build_table(("type", *counts), rows)
    return Section(f"Mistakes: {name}", table + list_in_context(found))
