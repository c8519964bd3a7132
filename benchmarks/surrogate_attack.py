"""Re-identification of texts with surrogates beside the same texts with labels.

    python benchmarks/surrogate_attack.py --data $MASKWISE_DATA [--scenario 50_eval] [--seeds 0,1,2] [--json FILE]

The default policy masks the same spans both times. The attackers are those of `maskwise attack`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import figures
from actors import CLEAR
from maskwise.attack.scenario import Target, read_scenario
from maskwise.attack.trir import attack_scenario
from maskwise.cli.attack import DEFAULT, build_anonymiser, build_attackers
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person

OPERATORS = {
    "labels": {"kind": "pseudonym"},
    "surrogates": {"kind": "surrogate", "seed": 1},
}


def mask_people(targets: Sequence[Target], operator: dict[str, object]) -> tuple[Target, ...]:
    """The texts as the default policy writes them with this operator, each person protected."""
    policy = Policy.parse({"name": "t", "extends": "balanced", "operator": operator})
    documents = [Document(one.text, protected=(Person(one.name),)) for one in targets]
    results = Sanitizer(policy).run(documents)
    return tuple(
        replace(one, text=result.text) for one, result in zip(targets, results, strict=True)
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--scenario", default="50_eval", help="a file in actors/ of the data")
    parser.add_argument("--seeds", default="0")
    options = parser.parse_args()
    path = figures.require_source(options.data, f"actors/{options.scenario}.json.gz")
    scenario = read_scenario(path)
    clear = scenario.columns[CLEAR]
    columns = {label: mask_people(clear, operator) for label, operator in OPERATORS.items()}
    scenario = replace(scenario, columns={CLEAR: clear, **columns})
    seeds = [int(seed) for seed in options.seeds.split(",")]
    attackers = build_attackers(DEFAULT.split(","), None, "auto")
    report = attack_scenario(scenario, attackers, build_anonymiser("strict"), seeds=seeds)
    names = list(report.development)
    rows = []
    for label, column in report.columns.items():
        each = [figures.describe_score(column.attackers[name]) for name in names]
        rows.append([label, *each, figures.describe_score(column.ensemble)])
        print(label, *(f"{one['value']:.3f}" for one in rows[-1][1:]))
    note = (
        f"{len(clear)} people, each told to the policy. Found by each attacker, and by any of them; a guess finds "
        f"{report.guess:.3f}. Intervals are Wilson's, 95 %."
    )
    found = figures.build_figure(
        "Re-identification under surrogates and under labels",
        f"python benchmarks/surrogate_attack.py --data $MASKWISE_DATA --scenario {options.scenario} "
        f"--seeds {options.seeds}",
        ["texts", *names, "any of these"],
        rows,
        files=[path],
        note=note,
        seeds=seeds,
    )
    figures.save_figure(options.json, found)


if __name__ == "__main__":
    main()
