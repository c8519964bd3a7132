"""Actors hidden in the crowd: whom attackers find who hold texts about them, and how much information is kept.

    python benchmarks/crowd_actors.py --data $MASKWISE_DATA [--scenario 50_eval 500_random] [--json FILE]

The policies have neither the background of a scenario nor any of its attackers. `anonymous` hides each person in the
crowd of the package with growing K. `further` lets the attackers of the search know what a biography tells beyond the
facts that profiles hold. Beside them stand the version masked by hand, `balanced` and `strict`. The attackers are those
of `maskwise attack`, and those of `benchmarks/harden.py` that no hardening asks. The fifty texts of both scenarios are
the same, and are masked once. TPI is that of `benchmarks/utility.py`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import figures
from actors import CLEAR
from harden import Masks, add_versions, build_rows, judge, print_rows
from maskwise.attack.scenario import Scenario, Target, read_scenario
from maskwise.attack.trir import attack_scenario
from maskwise.cli.attack import DEFAULT as ATTACKERS
from maskwise.cli.attack import build_anonymiser, build_attackers
from maskwise.cli.options import choose_crowd
from maskwise.evaluate.tab import Score
from maskwise.evaluate.utility import average_utility, measure_utility
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person
from maskwise.text.masks import Mask
from utility import load_readings

# The bars: TRIR at most, TPI at least.
BARS = {"50_eval": (0.60, 0.36), "500_random": (0.45, 0.36)}
LEXICAL = ("bm25", "words")
# By version: the policy, K, whether attackers know further facts, and which are asked; all by default.
VERSIONS: dict[str, tuple[str, int | None, bool, tuple[str, ...]]] = {
    "balanced": ("balanced", None, False, ()),
    "strict": ("strict", None, False, ()),
    **{f"anonymous, K = {k}": ("anonymous", k, False, ()) for k in (20, 1000)},
    "balanced, K = 20": ("balanced", 20, False, ()),
    "balanced, K = 20, further": ("balanced", 20, True, ()),
    **{f"balanced, K = {k}, further, lexical": ("balanced", k, True, LEXICAL) for k in (2, 20)},
}


def build_policy(base: str, k: int | None, further: bool, attackers: Sequence[str]) -> Policy:
    """The policy as the command line gives it with `--k` and `--further`, and with these attackers."""
    policy = choose_crowd(Policy.load(base), k, further=further)
    if policy.crowd is None:
        return policy
    crowd = policy.crowd.model_copy(update={"attackers": tuple(attackers)})
    return policy.model_copy(update={"crowd": crowd})


def mask_targets(targets: Sequence[Target], versions: Sequence[str]) -> Masks:
    """The masks of each version, one list per text."""
    documents = [Document(t.text, protected=(Person(t.name),)) for t in targets]
    found: Masks = {}
    for label in versions:
        begun = time.perf_counter()
        results = Sanitizer(build_policy(*VERSIONS[label])).run(documents)
        found[label] = [list(result.masks) for result in results]
        print(f"{label}: {time.perf_counter() - begun:.0f} s", flush=True)
    return found


def measure_kept(scenario: Scenario, masks: Masks) -> dict[str, dict[str, Score]]:
    """How much of the clear texts each version keeps."""
    texts = [target.text for target in scenario.columns[CLEAR]]
    known = load_readings(texts)
    kept = {}
    for label, found in masks.items():
        pairs = zip(texts, found, known, strict=True)
        kept[label] = dict(average_utility([measure_utility(*one) for one in pairs]))
    return kept


def attack(
    clear: Scenario, known: dict[str, dict[str, list[Mask]]], seeds: Sequence[int]
) -> tuple[list[str], list[list[Any]]]:
    """The head and the rows of one scenario. `known` holds the masks by version and text."""
    targets = clear.columns[CLEAR]
    own: Masks = {label: [found[t.text] for t in targets] for label, found in known.items()}
    scenario, masks = add_versions(clear, own)
    attackers = build_attackers(ATTACKERS.split(","), None, "cpu")
    report = attack_scenario(scenario, attackers, build_anonymiser("strict"), seeds=seeds)
    head, rows = build_rows(report, judge(scenario, list(masks)), measure_kept(clear, masks))
    people = report.background
    return ["people", *head], [[people, *row] for row in rows]


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--scenario", nargs="+", default=["50_eval"], choices=list(BARS))
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--versions", nargs="*", default=list(VERSIONS), choices=list(VERSIONS))
    args = parser.parse_args()
    seeds = [int(seed) for seed in args.seeds.split(",")]
    begun = time.perf_counter()
    paths = [figures.require_source(args.data, f"actors/{name}.json.gz") for name in args.scenario]
    scenarios = [read_scenario(path) for path in paths]
    targets = scenarios[0].columns[CLEAR]
    known = {
        label: {target.text: mask for target, mask in zip(targets, masks, strict=True)}
        for label, masks in mask_targets(targets, args.versions).items()
    }
    head: list[str] = []
    rows: list[list[Any]] = []
    for scenario in scenarios:
        head, found = attack(scenario, known, seeds)
        print_rows([head, *found])
        rows += found
    asked = (f"at most {BARS[name][0]} at a TPI of {BARS[name][1]}" for name in args.scenario)
    names = " ".join(f'"{name}"' for name in args.versions)
    chosen = f" --versions {names}" * (args.versions != list(VERSIONS))
    table = figures.build_figure(
        f"Actors hidden in the crowd, {', '.join(args.scenario).replace('_', ' ')}",
        f"python benchmarks/crowd_actors.py --data $MASKWISE_DATA --scenario {' '.join(args.scenario)} "
        f"--seeds {args.seeds}{chosen}",
        [one.replace("any asked", "any").replace("any not asked", "any other") for one in head],
        rows,
        files=paths,
        seeds=seeds,
        note=f"{len(targets)} people to find among `people`. Rates of trained attackers are means over "
        f"seeds. Asked of `any`: {'; '.join(asked)}.",
        seconds=round(time.perf_counter() - begun),
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
