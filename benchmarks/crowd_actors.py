"""Actors under the policy `anonymous`: whom attackers find who know what is public, and how much information is kept.

    python benchmarks/crowd_actors.py --data $MASKWISE_DATA [--scenario 50_eval] [--seeds 0,1,2] [--json FILE]

`anonymous` hides each person in the crowd of the package. It has neither the background of the scenario nor any of its
attackers. Beside it stand the version masked by hand, `balanced` and `strict`. The attackers are those of `maskwise
attack`, and those of `benchmarks/harden.py` that no hardening asks. TPI is that of `benchmarks/utility.py`.
"""

from __future__ import annotations

import time

import figures
from actors import CLEAR, DEFAULT, OURS
from harden import add_versions, build_rows, judge, print_rows
from maskwise.attack.scenario import Scenario, read_scenario
from maskwise.attack.trir import attack_scenario
from maskwise.cli.attack import DEFAULT as ATTACKERS
from maskwise.cli.attack import build_anonymiser, build_attackers
from maskwise.evaluate.tab import Score
from maskwise.evaluate.utility import average_utility, measure_utility
from maskwise.text.masks import Mask
from utility import load_readings

STRICT, ANONYMOUS = "maskwise, strict policy", "maskwise, anonymous policy"
BARS = {"50_eval": (0.60, 0.36), "500_random": (0.45, 0.36)}  # TRIR at most, TPI at least
NO_BAR = (0.0, 1.0)


def measure_kept(
    scenario: Scenario, masks: dict[str, list[list[Mask]]]
) -> dict[str, dict[str, Score]]:
    """How much of the clear texts each version keeps."""
    texts = [target.text for target in scenario.columns[CLEAR]]
    known = load_readings(texts)
    kept = {}
    for label, found in masks.items():
        pairs = zip(texts, found, known, strict=True)
        kept[label] = dict(average_utility([measure_utility(*one) for one in pairs]))
    return kept


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--scenario", default="50_eval", help="a file in actors/")
    parser.add_argument("--seeds", default="0,1,2")
    args = parser.parse_args()
    path = figures.require_source(args.data, f"actors/{args.scenario}.json.gz")
    clear = read_scenario(path)
    targets = clear.columns[CLEAR]
    begun = time.perf_counter()
    own = {label: OURS[label].build_masks(targets) for label in (DEFAULT, STRICT, ANONYMOUS)}
    print(f"masked in {time.perf_counter() - begun:.0f} s", flush=True)
    scenario, masks = add_versions(clear, own)
    attackers = build_attackers(ATTACKERS.split(","), None, "cpu")
    seeds = [int(seed) for seed in args.seeds.split(",")]
    report = attack_scenario(scenario, attackers, build_anonymiser("strict"), seeds=seeds)
    kept = measure_kept(clear, masks)
    head, rows = build_rows(report, judge(scenario, list(masks)), kept)
    print_rows([head, *rows])
    most, least = BARS.get(args.scenario, NO_BAR)
    note = (
        f"{len(targets)} people, {report.background} in the background. Rates of trained attackers are "
        f"means over seeds. Asked for: any at most {most} at a TPI of at least {least}."
    )
    table = figures.build_figure(
        f"Actors under the policy anonymous, {args.scenario.replace('_', ' ')}",
        f"python benchmarks/crowd_actors.py --data $MASKWISE_DATA --scenario {args.scenario} --seeds {args.seeds}",
        [one.replace("any asked", "any").replace("any not asked", "any other") for one in head],
        rows,
        files=[path],
        seeds=seeds,
        note=note,
        seconds=round(time.perf_counter() - begun),
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
