"""The page that `maskwise attack --report` writes: TRIR with intervals, all attackers, privacy against utility."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from maskwise.attack.trir import Rate, Report, compute_f1
from maskwise.evaluate.tab import Score
from maskwise.report import plots
from maskwise.report.page import Section, build_figure, build_page, build_table, list_facts


def build_attack_page(
    files: Sequence[Path],
    settings: Mapping[str, object],
    found: Report,
    utility: Mapping[str, float],
) -> str:
    """The page for one attack. It names no person and holds no text."""
    about = {
        "people in the background": found.background,
        "seeds": ", ".join(map(str, found.seeds)),
        **settings,
    }
    sections = [*_list_risk_sections(found), *_list_utility_sections(found, utility)]
    facts = list_facts(files, about)
    return build_page(f"Attack on {files[0].name}", facts, sections)


def _list_risk_sections(found: Report) -> Iterator[Section]:
    together = {label: _convert_rate(column.ensemble) for label, column in found.columns.items()}
    title = f"People found by any attacker; a guess by each finds {found.guesses:.1%}"
    plot = plots.plot_intervals(together, title)
    yield Section("Re-identification risk (TRIR) with 95 % intervals", build_figure(plot))
    yield Section("By attacker", _build_attacker_table(found))
    chosen = [
        (label, _format_rate(found.find_trir(label)), _format_rate(column.ensemble))
        for label, column in found.columns.items()
    ]
    head = ("column", f"best on the development set ({found.best})", "any attacker")
    yield Section("Together", build_table(head, chosen))


def _build_attacker_table(found: Report) -> str:
    names = list(found.development)
    rows: list[tuple[object, ...]] = []
    for label, column in found.columns.items():
        rates = [_format_rate(column.attackers[name]) for name in names]
        rows.append((label, column.people, f"{column.present:.0%}", *rates))
    development = [f"{found.development[name]:.1%}" for name in names]
    rows.append(("development set", "", "", *development))
    return build_table(("column", "people", "present", *names), rows)


def _list_utility_sections(found: Report, utility: Mapping[str, float]) -> Iterator[Section]:
    known = {
        label: column.ensemble.value for label, column in found.columns.items() if label in utility
    }
    if not known:
        return
    points = [(label, utility[label], 1 - risk) for label, risk in known.items()]
    plot = plots.plot_pareto(
        points, "Blue: no other keeps more at less risk", "TPI (utility)", "1 - TRIR (privacy)"
    )
    rows = [
        (label, risk, utility[label], compute_f1(risk, utility[label]))
        for label, risk in known.items()
    ]
    table = build_table(("column", "TRIR, any attacker", "TPI", "F1(1 - TRIR, TPI)"), rows)
    yield Section("Privacy and utility", build_figure(plot) + table)


def _convert_rate(rate: Rate) -> Score:
    return Score(rate.value, rate.low, rate.high)


def _format_rate(rate: Rate) -> str:
    return f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})"
