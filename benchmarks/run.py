"""Every figure of the documentation, from a folder of data, by one command.

    python benchmarks/run.py --data $MASKWISE_DATA [--only attack peers ...] [--without indicators ...] [--list]

Each benchmark writes docs/figures/NAME.json; then `tools/write_docs.py` turns them into docs/tables. A benchmark
whose data or tools are not here is `unavailable`: its file is removed rather than left over from another run, unless
--keep is given. What fails says why and fails the run; nothing is made up.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from figures import ASSETS, FIGURES, ROOT, UNAVAILABLE

HERE = Path(__file__).parent
NEURAL = HERE / "hits"  # whom the neural attacker found, from runs on a GPU


@dataclass(frozen=True)
class Benchmark:
    """A script with its arguments, the files of the data folder it needs, and about how long it takes."""

    script: str
    needs: tuple[str, ...]
    minutes: float
    arguments: tuple[str, ...] = ()


TAB, LIVES, COURT = "tab/dev.json.gz", "wiki/annotated_dev.json.gz", "echr/facts.jsonl.xz"
FEW, MANY = "actors/50_eval.json.gz", "actors/500_random.json.gz"
ALL = {
    "model": Benchmark("model.py", (TAB, LIVES), 5),
    "domains": Benchmark("domains.py", ("ner/twitter_btc.jsonl.xz",), 2),
    "own_documents": Benchmark("own_documents.py", ("ner/contracts_sec.jsonl.xz",), 10),
    "peers": Benchmark("peers.py", (TAB, LIVES), 12),
    "evaluate": Benchmark("evaluate.py", (TAB,), 0.2),
    "review": Benchmark("review.py", (TAB, "tab/train_full.json.gz"), 4),
    "agreement": Benchmark("agreement.py", (TAB,), 0.2),
    "confidential": Benchmark("confidential.py", (TAB, "tab/train_full.json.gz"), 1),
    "utility": Benchmark("utility.py", (FEW,), 4),
    "slots": Benchmark("slots.py", (), 2, ("--model",)),
    "entailment": Benchmark("entailment.py", (), 0.1),
    "generalise": Benchmark("generalise.py", (LIVES,), 0.2),
    "generalise_actors": Benchmark("generalise_actors.py", (FEW,), 5),
    "attack": Benchmark(
        "attack.py",
        (FEW,),
        5,
        (
            "--seeds",
            "0,1,2",
            "--feedback",
            "--plot",
            str(ASSETS / "attack.svg"),
            "--with",
            str(NEURAL / "50_eval.json"),
        ),
    ),
    "attack_500": Benchmark(
        "attack.py",
        (MANY,),
        8,
        ("--scenario", "500_random", "--seeds", "0,1", "--with", str(NEURAL / "500_random.json")),
    ),
    "harden": Benchmark("harden.py", (FEW,), 10),
    "harden_500": Benchmark("harden.py", (MANY,), 15, ("--scenario", "500_random")),
    "crowd_actors": Benchmark("crowd_actors.py", (FEW,), 10),
    "crowd_actors_500": Benchmark(
        "crowd_actors.py", (MANY,), 15, ("--scenario", "500_random", "--seeds", "0,1")
    ),
    "crowd_domains": Benchmark("crowd_domains.py", (TAB,), 30),
    "crowd_time": Benchmark("crowd_time.py", ("wiki/biographies.jsonl.xz",), 8, ("--large",)),
    "crowd_size": Benchmark("crowd_size.py", (), 5),
    "indicators": Benchmark("indicators.py", (TAB, LIVES), 20),
    "partial": Benchmark("partial.py", (TAB, LIVES), 1),
    "weights": Benchmark(
        "weights.py", ("tab/train_full.json.gz", "tab/train_paragraphs.jsonl.gz"), 10
    ),
    "combination": Benchmark("combination.py", (TAB, LIVES), 1),
    "risk": Benchmark("risk.py", (TAB,), 4),
    "web": Benchmark("web.py", ("wiki/biographies.jsonl.xz",), 10),
    "decide": Benchmark("decide.py", (), 3),
    "detect": Benchmark("detect.py", (TAB,), 0.5),
    "rules": Benchmark("rules.py", (COURT,), 2),
    "neural": Benchmark("neural.py", (), 3),
    "large": Benchmark("large.py", (COURT,), 9),
    "tables": Benchmark("tables.py", (), 1),
    "surrogates": Benchmark("surrogates.py", (), 1),
    "surrogate_texts": Benchmark("surrogate_texts.py", (), 0.5),
    "surrogate_attack": Benchmark("surrogate_attack.py", (FEW,), 5),
    "scale": Benchmark("scale.py", (), 30),
    "scale_kills": Benchmark("scale_kills.py", (), 10),
    "feed": Benchmark("feed.py", (), 2),
}


def run(name: str, data: Path | None, keep: bool) -> str:
    """One benchmark, in a process of its own; its outcome in a word or two."""
    benchmark, target = ALL[name], FIGURES / f"{name}.json"
    missing = [need for need in benchmark.needs if data is None or not (data / need).is_file()]
    if missing:
        code, why = UNAVAILABLE, f"no {', '.join(missing)}"
    else:
        command = [sys.executable, HERE / benchmark.script, "--json", target, *benchmark.arguments]
        code = subprocess.run(
            [*command, *(["--data", data] if data else [])], check=False
        ).returncode
        why = "see above"
    if code == UNAVAILABLE:
        if not keep:
            target.unlink(missing_ok=True)
        return f"unavailable ({why})"
    return "done" if code == 0 else f"failed (exit code {code})"


def print_list() -> None:
    for name, benchmark in ALL.items():
        needs = ", ".join(benchmark.needs) or "nothing from the data folder"
        print(f"{name:12} about {benchmark.minutes:4g} minutes   {benchmark.script:14} {needs}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("MASKWISE_DATA"), help="or MASKWISE_DATA"
    )
    parser.add_argument("--only", nargs="+", choices=ALL, metavar="NAME", default=list(ALL))
    parser.add_argument("--without", nargs="+", choices=ALL, metavar="NAME", default=[])
    parser.add_argument(
        "--keep",
        action="store_true",
        help="keep figures of an earlier run where nothing is measured",
    )
    parser.add_argument(
        "--list", action="store_true", help="name the benchmarks, what they need and take"
    )
    args = parser.parse_args()
    if args.list:
        return print_list()
    data = Path(args.data).resolve() if args.data else None
    chosen = [name for name in ALL if name in args.only and name not in args.without]
    begun, outcomes = time.perf_counter(), {}
    for at, name in enumerate(chosen, start=1):
        print(f"[{at}/{len(chosen)}] {name}, about {ALL[name].minutes:g} minutes", flush=True)
        start = time.perf_counter()
        outcomes[name] = run(name, data, args.keep)
        print(
            f"[{at}/{len(chosen)}] {name}: {outcomes[name]}, {time.perf_counter() - start:.0f} s\n",
            flush=True,
        )
    subprocess.run([sys.executable, ROOT / "tools" / "write_docs.py"], check=True)
    for name, outcome in outcomes.items():
        print(f"{name:12} {outcome}")
    print(f"{(time.perf_counter() - begun) / 60:.1f} minutes; docs/tables is written")
    return sys.exit(any(outcome.startswith("failed") for outcome in outcomes.values()))


if __name__ == "__main__":
    main()
