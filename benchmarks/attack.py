"""Re-identification risk on a public scenario of actors, beside the published attack; and of our own output.

    python benchmarks/attack.py --data $MASKWISE_DATA [--scenario 50_eval] [--seeds 0,1,2] [--json FILE] [--plot FILE]
    python benchmarks/attack.py ... --attackers neural --checkpoint FOLDER --device cuda --hits neural.json

The scenario has `name`, `public_knowledge`, `original_abstract` and the abstract as masked by others. Our own columns
are added: the default policy, its recall knob half and wholly turned up, and `strict`. Published figures are those of
TRIA with DistilBERT (Manzanares-Salor et al.). TPI comes from the figures of `benchmarks/utility.py` if they were made
with the same model and texts.

`--hits` writes who was found by whom, as zeros and ones, without texts; `--with FILE` adds the attackers of such a
file, made on another machine, to the table where the masked texts are the same. `--feedback` masks in the default
column what `maskwise attack --top` lists for each person found, and attacks that too. The time counts everything but
the sanitising of our own columns: the development set and the attack.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import actors
import figures
from actors import BEST_AUTOMATIC, CLEAR, DEFAULT
from maskwise.attack.clues import find_clues
from maskwise.attack.scenario import Scenario, Target, read_scenario
from maskwise.attack.trir import FUSION, Hits, Report, attack_scenario, compute_f1, estimate_rate
from maskwise.cli.attack import DEFAULT as ATTACKERS
from maskwise.cli.attack import build_anonymiser, build_attackers
from maskwise.crowd.curate import drop_masks
from maskwise.evaluate.utility import average_utility, measure_utility
from maskwise.io import write_file
from maskwise.report import plots
from maskwise.text.masks import Mask
from utility import load_readings

PUBLISHED = {  # of 50 people
    "original_abstract": 1.0,
    "ner7_abstract": 0.86,
    "presidio_abstract": 0.72,
    "spacy_abstract": 0.74,
    "ner3_abstract": 0.60,
    "ner4_abstract": 0.54,
    BEST_AUTOMATIC: 0.20,
    "manual_abstract": 0.14,
}
FEEDBACK = f"{DEFAULT}, what gave people away masked too"
HIGHER = 0.10  # how much more of the information ours should keep than the best automatic column, at no more risk
By = dict[str, dict[str, Hits]]  # column, attacker, one row a seed


def measure_feedback(
    scenario: Scenario, report: Report, masks: Sequence[Sequence[Mask]]
) -> list[list[Mask]]:
    """Default masks, and the spans that `--top` says hide each person that the chosen attacker finds."""
    scorer, found = report.scorers[report.best], []
    for clear, target, one in zip(
        scenario.columns[CLEAR], scenario.columns[DEFAULT], masks, strict=True
    ):
        told = find_clues(target, drop_masks(target.text), scorer)
        spans = [clue.text for clue in told.clues[: told.enough]] if told and told.enough else []
        found.append(actors.add_masks(clear.text, one, spans))
    return found


def hash_column(column: Sequence[Target]) -> str:
    return hashlib.sha256("\0".join(target.text for target in column).encode()).hexdigest()[:16]


def read_hits(path: Path | None, scenario: Scenario) -> By:
    """Hits that another run wrote, of columns whose texts are the same."""
    given = json.loads(path.read_text("utf-8")) if path and path.is_file() else {"columns": {}}
    return {
        label: {name: np.array(hits, dtype=bool) for name, hits in one["hits"].items()}
        for label, one in given["columns"].items()
        if label in scenario.columns and one["texts"] == hash_column(scenario.columns[label])
    }


def unite_hits(hits: Sequence[Hits]) -> float:
    """Mean number of people that anybody finds, over the seeds that all have."""
    seeds = min(len(one) for one in hits)
    return float(np.any([one[:seeds] for one in hits], axis=0).sum(axis=1).mean())


def read_utility(path: Path, scenario: Path) -> dict[str, float]:
    """TPI by column, where it was measured with this model on these texts."""
    if not path.is_file():
        return {}
    found = json.loads(path.read_text("utf-8"))
    same = (
        found.get("versions") == figures.list_versions()
        and figures.hash_file(scenario) in found.get("data", {}).values()
    )
    return {row[0]: row[1]["value"] for row in found["rows"]} if same else {}


def measure_tpi(texts: Sequence[str], masks: Sequence[Sequence[Mask]]) -> float:
    """TPI by S-TA of masks that `benchmarks/utility.py` did not see."""
    found = [
        measure_utility(text, one, known)
        for text, one, known in zip(texts, masks, load_readings(texts), strict=True)
    ]
    return average_utility(found)["tpi"].value


def build_rows(
    report: Report, more: By, tpi: Mapping[str, float]
) -> tuple[list[str], list[list[Any]]]:
    names = list(report.development)
    extra = sorted({name for one in more.values() for name in one})
    rows = []
    for label, column in report.columns.items():
        n, known = column.people, more.get(label, {})
        added = {
            name: estimate_rate(float(hits.sum(axis=1).mean()), n) for name, hits in known.items()
        }
        row: list[Any] = [
            label,
            *(column.attackers[name].value for name in names),
            figures.describe_score(column.ensemble),
        ]
        row += [figures.describe_score(added[name]) if name in added else None for name in extra]
        if extra:
            row.append(
                figures.describe_score(
                    estimate_rate(unite_hits([*column.hits.values(), *known.values()]), n)
                )
                if known
                else None
            )
        risk = column.ensemble.value
        row += [PUBLISHED.get(label, ""), tpi.get(label, 1.0 if label == CLEAR else None)]
        rows.append([*row, compute_f1(risk, row[-1]) if row[-1] is not None else None])
    head = ["version", *names, "any of these", *extra, *["any, with these"] * bool(extra)]
    return [*head, "published", "TPI", "F1(1 - TRIR, TPI)"], rows


def judge_report(report: Report, tpi: Mapping[str, float]) -> str:
    """Ours against the best automatic column, as one sentence."""
    if BEST_AUTOMATIC not in report.columns or BEST_AUTOMATIC not in tpi:
        return "Against the best automatic column: unavailable."
    bar, least = report.columns[BEST_AUTOMATIC].ensemble.value, tpi[BEST_AUTOMATIC] + HIGHER
    passed = [
        label
        for label in report.columns
        if label.startswith("maskwise")
        and report.columns[label].ensemble.value <= bar
        and tpi.get(label, 0) >= least
    ]
    return (
        f"Best automatic column: TRIR {bar:.3f} by any attacker, TPI {tpi[BEST_AUTOMATIC]:.3f}. No more risk at a TPI "
        f"of {least:.3f} or more: {'; '.join(passed) or 'none of ours'}."
    )


def shorten_label(label: str) -> str:
    return (
        label.removesuffix("_abstract")
        .removeprefix("maskwise, ")
        .replace("default policy", "maskwise")
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument(
        "--scenario", default="50_eval", help="a file in actors/ of the data folder, or a path"
    )
    parser.add_argument("--attackers", default=ATTACKERS)
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--only", nargs="+", help="only these columns")
    parser.add_argument("--feedback", action="store_true")
    parser.add_argument("--utility", type=Path, default=figures.FIGURES / "utility.json")
    parser.add_argument("--hits", type=Path)
    parser.add_argument("--with", dest="more", type=Path)
    parser.add_argument("--plot", type=Path)
    args = parser.parse_args()
    given = Path(args.scenario)
    path = (
        given
        if given.is_file()
        else figures.require_source(args.data, f"actors/{args.scenario}.json.gz")
    )
    scenario = read_scenario(path)
    own = actors.list_own_masks(scenario)
    scenario = actors.add_columns(scenario, own)
    if args.only:
        scenario = replace(
            scenario, columns={label: scenario.columns[label] for label in args.only}
        )
    seeds = [int(seed) for seed in args.seeds.split(",")]
    chosen = build_attackers(args.attackers.split(","), args.checkpoint, args.device)
    wall, cpu = time.perf_counter(), time.process_time()
    report = attack_scenario(scenario, chosen, build_anonymiser("strict"), seeds=seeds)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    tpi, columns = read_utility(args.utility, path), len(report.columns)
    if args.feedback:
        masks = measure_feedback(scenario, report, own[DEFAULT])
        scenario = actors.add_columns(scenario, {FEEDBACK: masks})
        only = replace(scenario, columns={FEEDBACK: scenario.columns[FEEDBACK]})
        again = attack_scenario(only, chosen, build_anonymiser("strict"), seeds=seeds)
        report = replace(report, columns={**report.columns, **again.columns})
        if tpi:
            tpi[FEEDBACK] = measure_tpi([target.text for target in scenario.columns[CLEAR]], masks)
    head, rows = build_rows(report, read_hits(args.more, scenario), tpi)
    for row in [head, *rows]:
        told = [
            f"{c['value']:.3f} [{c['low']:.2f}, {c['high']:.2f}]" if isinstance(c, dict) else c
            for c in row
        ]
        print(
            " | ".join(
                f"{c:.3f}" if isinstance(c, float) else str("" if c is None else c) for c in told
            )
        )
    weaker = [
        label
        for label, value in PUBLISHED.items()
        if label in report.columns and report.columns[label].ensemble.value < value
    ]
    tried = ", ".join(f"{name} {value:.3f}" for name, value in report.development.items())
    people = len(next(iter(scenario.columns.values())))
    note = (
        f"{people} people protected, {report.background} in the background: a guess finds {report.guess:.3f}, one by "
        f"each attacker {report.guesses:.3f}. Development set: {tried}; chosen: {report.best}. Rates are means over "
        f"seeds; intervals are Wilson's, 95 %. Weaker than the published attack on: "
        f"{', '.join(map(shorten_label, weaker)) or 'none'}. {judge_report(report, tpi)} Attack on {columns} versions, "
        f"{len(seeds)} seeds: {wall:.0f} s by the clock, {cpu:.0f} s of CPU."
    )
    print(note)
    if args.hits:
        write_hits(args.hits, scenario, report)
    plotted = [
        (label, tpi[label], 1 - c.ensemble.value)
        for label, c in report.columns.items()
        if label in tpi
    ]
    if args.plot and plotted:
        points = [(shorten_label(label), x, y) for label, x, y in plotted]
        svg = plots.plot_pareto(
            points, "Privacy and utility of masked texts", "TPI", "1 - TRIR, any attacker"
        )
        write_file(args.plot, svg.encode())
    table = figures.build_figure(
        f"Re-identification risk (TRIR), {path.name.split('.')[0].replace('_', ' ')}",
        f"python benchmarks/attack.py --data $MASKWISE_DATA --scenario {args.scenario} --seeds {args.seeds}",
        head,
        rows,
        files=[path],
        seeds=seeds,
        note=note,
        plot=args.plot.name if args.plot and plotted else None,
    )
    figures.save_figure(args.json, table)


def write_hits(path: Path, scenario: Scenario, report: Report) -> None:
    """Who was found by whom, with a print of the texts it holds for."""
    columns = {
        label: {
            "texts": hash_column(scenario.columns[label]),
            "hits": {
                name: one.astype(int).tolist()
                for name, one in column.hits.items()
                if name != FUSION
            },
        }
        for label, column in report.columns.items()
    }
    found = {
        "seeds": list(report.seeds),
        "development": dict(report.development),
        "columns": columns,
    }
    write_file(path, (json.dumps(found) + "\n").encode())


if __name__ == "__main__":
    main()
