"""Information kept by truthful replacements and by suppression at equal risk, on a public scenario of actors.

    python benchmarks/generalise_actors.py --data $MASKWISE_DATA [--scenario FILE] [--seeds 0,1,2] [--json FILE]

Replacements: the default policy with the operator `generalise`. Suppression: the default policy that writes ***, along
its recall knob, which is the only way to more or less risk without replacements. All versions are attacked by the
attackers that need no GPU; the version by suppression whose share of people found by any of them (TRIR) is nearest is
the one at equal risk (of equally near ones, the one that keeps most). TPI counts a replaced term as lost; "with credit"
counts it by the similarity of the replacement to what it stands for, a rough measure (`maskwise utility --credit`).
The scenario that is reported chooses the point of the knob; nothing else is fitted to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import actors
import figures
from actors import CLEAR
from maskwise.attack.scenario import Scenario, Target, read_scenario
from maskwise.attack.trir import attack_scenario
from maskwise.cli.attack import DEFAULT as ATTACKERS
from maskwise.cli.attack import build_anonymiser, build_attackers
from maskwise.evaluate.tab import Score, make_interval
from maskwise.evaluate.utility import Similarity, Utility, average_utility, measure_utility
from maskwise.evaluate.weights import load_language_model
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person
from maskwise.text.masks import Mask
from utility import SCENARIO, load_readings

OURS = "generalise, default policy"
KNOB = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75, 1.0)


class Version(NamedTuple):
    """A way to mask: its risk, and the information that each document keeps, without and with credit."""

    label: str
    risk: Score
    plain: list[Utility]
    credited: list[Utility]

    def measure_tpi(self, credit: bool) -> Score:
        return average_utility(self.credited if credit else self.plain)["tpi"]


def build_masks(operator: str, knob: float | None, targets: Sequence[Target]) -> list[list[Mask]]:
    raw: dict[str, Any] = {"name": operator, "extends": "balanced"}
    raw |= {"operator": {"kind": operator}}
    if knob is not None:
        raw |= {"recall": knob, "weakens": ["recall"]}
    policy = Policy.parse(raw)
    documents = [Document(target.text, protected=(Person(target.name),)) for target in targets]
    return [list(result.masks) for result in Sanitizer(policy).run(documents)]


def build_versions(scenario: Scenario, seeds: Sequence[int]) -> list[Version]:
    """Ours first, then suppression along the knob."""
    clear = scenario.columns[CLEAR]
    found = {OURS: build_masks("generalise", None, clear)}
    found |= {
        f"suppress, recall knob at {knob:g}": build_masks("suppress", knob, clear) for knob in KNOB
    }
    whole = actors.add_columns(replace(scenario, columns={CLEAR: clear}), found)
    attacked = replace(whole, columns={label: whole.columns[label] for label in found})
    chosen = build_attackers(ATTACKERS.split(","), None, "cpu")
    report = attack_scenario(attacked, chosen, build_anonymiser("strict"), seeds=seeds)
    texts = [target.text for target in clear]
    known, likeness = load_readings(texts), Similarity(load_language_model("lm").encoder)
    return [
        Version(
            label,
            report.columns[label].ensemble,
            [
                measure_utility(text, one, info)
                for text, one, info in zip(texts, column, known, strict=True)
            ],
            [
                measure_utility(text, one, info, likeness)
                for text, one, info in zip(texts, column, known, strict=True)
            ],
        )
        for label, column in found.items()
    ]


def find_nearest(ours: Version, others: Sequence[Version]) -> Version:
    """The version at equal risk."""
    return min(
        others,
        key=lambda v: (round(abs(v.risk.value - ours.risk.value), 6), -v.measure_tpi(False).value),
    )


def measure_gain(ours: Version, other: Version, credit: bool) -> Score:
    """Mean over documents of the TPI of ours less that of the other, resampled by document."""
    one, two = ((v.credited if credit else v.plain) for v in (ours, other))
    apart = np.array([a.tpi - b.tpi for a, b in zip(one, two, strict=True)])
    draws = np.random.default_rng(0).integers(apart.size, size=(1000, apart.size))
    return make_interval(float(apart.mean()), apart[draws].mean(axis=1))


def format_score(score: Score) -> str:
    return f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}]"


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--scenario", type=Path)
    parser.add_argument("--seeds", default="0,1,2")
    args = parser.parse_args()
    path = args.scenario or figures.require_source(args.data, SCENARIO)
    seeds = [int(seed) for seed in args.seeds.split(",")]
    ours, *others = build_versions(read_scenario(path), seeds)
    for v in (ours, *others):
        print(
            f"{v.label:32} TRIR {format_score(v.risk)}  TPI {format_score(v.measure_tpi(False))}  with credit "
            f"{format_score(v.measure_tpi(True))}"
        )
    equal = find_nearest(ours, others)
    note = (
        f"At equal risk: {equal.label}, TRIR {equal.risk.value:.3f} against {ours.risk.value:.3f}. Generalisation "
        f"keeps {format_score(measure_gain(ours, equal, False))} more of the information, with credit "
        f"{format_score(measure_gain(ours, equal, True))}. TRIR: share of people whom any of "
        f"{ATTACKERS.replace(',', ', ')} or their fusion finds, mean over seeds, Wilson intervals; "
        "TPI: bootstrap over documents."
    )
    print(note)
    figures.save_figure(
        args.json,
        figures.build_figure(
            "Generalisation against suppression at equal risk, actors",
            "python benchmarks/generalise_actors.py --data $MASKWISE_DATA --json docs/figures/generalise_actors.json",
            ["version", "TRIR", "TPI", "TPI with credit"],
            [
                [
                    v.label,
                    *map(
                        figures.describe_score, (v.risk, v.measure_tpi(False), v.measure_tpi(True))
                    ),
                ]
                for v in (ours, *others)
            ],
            files=[path],
            seeds=seeds,
            note=note,
        ),
    )


if __name__ == "__main__":
    main()
