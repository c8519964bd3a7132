"""The page `maskwise evaluate --report` writes: metrics, recall by type, curves, mistakes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from maskwise.evaluate.compare import Difference
from maskwise.evaluate.mistakes import Mistake, count_by_type
from maskwise.evaluate.systems import MaskedSystem, PolicyRun
from maskwise.report import page as report
from maskwise.report import plots
from maskwise.report.page import Section
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
        *(_build_mistakes(name, list_of) for name, list_of in found.items()),
    ]
    return report.build_page(
        f"Evaluation on {files[0].name}", report.list_facts(files, settings), sections
    )


def _list_metric_sections(systems: Sequence[MaskedSystem]) -> Iterator[Section]:
    if systems:
        names = [
            m for m in systems[0].scores if not all(math.isnan(s.scores[m].value) for s in systems)
        ]
        rows = [(m.replace("_", " "), *(str(s.scores[m]) for s in systems)) for m in names]
        yield Section(
            "Metrics with 95 % intervals",
            report.build_table(("metric", *(s.name for s in systems)), rows),
        )
    for system in systems:
        by_kind = {t.value: system.scores[f"recall_{t.value.lower()}"] for t in EntityType}
        yield Section(
            f"Recall by type: {system.name}",
            report.build_figure(plots.plot_intervals(by_kind, "Token recall")),
        )


def _build_difference(pair: str, row: Mapping[str, Difference]) -> Section:
    rows = [
        (m.replace("_", " "), f"{d.value:+.3f}", f"{d.low:+.3f} to {d.high:+.3f}", f"{d.p:.3f}")
        for m, d in row.items()
        if not math.isnan(d.value)
    ]
    heads = ("metric", "difference", "95 % interval", "p")
    return Section(f"{pair}, paired bootstrap over documents", report.build_table(heads, rows))


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
    rows = [(r.name, *(r.scores[name].value for name in heads), r.words_masked) for r in runs]
    names = ("policy", *(name.replace("_", " ") for name in heads), "words masked")
    yield Section("Policies and points of the recall knob", report.build_table(names, rows))
    points = [
        (f"{r.recall:g}", r.scores["recall"].value, r.scores["precision"].value)
        for r in runs
        if r.recall is not None
    ]
    svg = plots.plot_curve(
        points, "By threshold: the recall knob from 0 to 1", "recall", "precision"
    )
    yield Section("Precision and recall by threshold", report.build_figure(svg))
    choices = [
        (
            "" if r.recall is not None else r.name,
            r.scores["entity_recall"].value,
            1 - r.words_masked,
        )
        for r in runs
    ]
    svg = plots.plot_pareto(
        choices,
        "Policies, and points of the recall knob; blue: none is better on both",
        "entity recall (privacy)",
        "words kept (utility)",
    )
    yield Section("Privacy and utility", report.build_figure(svg))


def _build_mistakes(name: str, found: Sequence[Mistake]) -> Section:
    counts = count_by_type(found)
    kinds = sorted({kind for row in counts.values() for kind in row})
    rows = [(kind, *(row.get(kind, 0) for row in counts.values())) for kind in kinds]
    return Section(
        f"Mistakes: {name}",
        report.build_table(("type", *counts), rows) + report.list_in_context(found),
    )
