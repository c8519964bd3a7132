"""Re-identification risk on a public scenario of 50 actors, beside the published attack; and of our own output.

    python benchmarks/attack.py SCENARIO.json[.gz] [--attackers bm25,tfidf,linear,dense] [--seeds 0] [--out FILE]

The scenario has `name`, `public_knowledge`, `original_abstract` and the abstract as masked by others. Two columns are
added: the abstract sanitised by our default policy, with the person named as the one to protect, and without. Published
figures are those of TRIA with DistilBERT (Manzanares-Salor et al., 50 people); where they give none, the cell is empty.
The time counts everything but the sanitising of our own columns: reading, the development set, and the attack.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from dataclasses import replace
from pathlib import Path

from maskwise.cli.attack import DEFAULT, anonymiser, attackers_named, plain
from maskwise.evaluate.attack import attack
from maskwise.evaluate.scenario import Target, read_scenario
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person

CLEAR = "original_abstract"
PUBLISHED = {
    "original_abstract": 100,
    "ner7_abstract": 86,
    "presidio_abstract": 72,
    "spacy_abstract": 74,
    "ner3_abstract": 60,
    "ner4_abstract": 54,
    "word2vec_t=0.25_abstract": 20,
    "manual_abstract": 14,
}
LEFT_OUT = {"dev_abstract"}  # a part of the spaCy column, meant for development
OURS = {"maskwise balanced": False, "maskwise balanced, protecting": True}
AUTOMATIC = "word2vec_t=0.25_abstract"


def ours(targets: tuple[Target, ...], protecting: bool, policy: str) -> tuple[Target, ...]:
    documents = [Document(t.text, protected=(Person(t.name),) if protecting else ()) for t in targets]
    masked = Sanitizer(policy).run(documents)
    return tuple(replace(target, text=one.text) for target, one in zip(targets, masked, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data = os.environ.get("MASKWISE_DATA")
    parser.add_argument(
        "scenario", nargs="?", type=Path, default=Path(data) / "actors/50_eval.json.gz" if data else None
    )
    parser.add_argument("--attackers", default=DEFAULT)
    parser.add_argument("--seeds", default="0")
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if options.scenario is None or not options.scenario.exists():
        parser.exit(0, "attack: unavailable (no scenario; give a path or set MASKWISE_DATA)\n")
    scenario = read_scenario(options.scenario)
    columns = {label: column for label, column in scenario.columns.items() if label not in LEFT_OUT}
    own = {label: ours(columns[CLEAR], protecting, options.policy) for label, protecting in OURS.items()}
    scenario = replace(scenario, columns={**columns, **own})
    wall, cpu = time.perf_counter(), time.process_time()
    seeds = [int(seed) for seed in options.seeds.split(",")]
    chosen = attackers_named(options.attackers.split(","), None, "auto")
    report = attack(scenario, chosen, anonymiser("strict"), seeds=seeds)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu

    names = list(report.development)
    rows = []
    for label, column in report.columns.items():
        rates = [round(100 * column.attackers[name].value, 1) for name in names]
        together = column.ensemble
        interval = f"{100 * together.low:.0f} to {100 * together.high:.0f}"
        best = round(100 * report.trir(label).value, 1)
        rows.append([label, *rates, best, round(100 * together.value, 1), interval, PUBLISHED.get(label)])
    head = ["column", *names, f"chosen ({report.best})", "any attacker", "95 % interval", "published"]
    for row in [head, *rows]:
        print(
            " | ".join(f"{'' if cell is None else cell!s:>12}" if at else f"{cell:32}" for at, cell in enumerate(row))
        )
    tried = {name: round(100 * value, 1) for name, value in report.development.items()}
    print(f"development set: {tried}; guess {report.guess:.1%}, by each attacker {report.guesses:.1%}")
    print(f"{wall:.0f} s, of CPU {cpu:.0f} s; people: {report.background}")
    weaker = [row[0] for row in rows if row[-1] is not None and row[-3] < row[-1]]
    print(f"weaker than the published attack on: {', '.join(weaker) or 'none'}")
    bar = report.columns[AUTOMATIC].ensemble.value if AUTOMATIC in report.columns else None
    for label in OURS:
        value = report.columns[label].ensemble.value
        print(f"{label}: {value:.0%}, {AUTOMATIC}: {'unavailable' if bar is None else f'{bar:.0%}'}")
    if options.out:
        figures = {"title": "Re-identification risk (TRIR, %)", "columns": head, "rows": rows}
        figures |= {"seconds": wall, "cpu_seconds": cpu, "report": plain(report, {})}
        options.out.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
