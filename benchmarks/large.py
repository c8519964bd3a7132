"""Large documents: seconds, processor seconds and peak memory of the whole pipeline on one text of 1 MB and of 10 MB.

    python benchmarks/large.py --data $MASKWISE_DATA [--sizes 1 10] [--policies rules balanced] [--json FILE]

The texts are judgments joined, all of them different, as much as one document can hold. `rules` is the default policy
without the model: patterns and gazetteer, the detector's confidence for evidence. Each row is a process of its own;
peak memory is its largest resident set, imports and model included. The model takes most of the time of `balanced`:
about eight minutes for 10 MB on two cores.
"""

from __future__ import annotations

import json
import lzma
import resource
import subprocess
import sys
import time
from pathlib import Path

import figures
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document

TEXTS = "echr/facts.jsonl.xz"
POLICIES = ("rules", "balanced")


def build_text(path: Path, size: int) -> str:
    parts, length = [], 0
    with lzma.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            parts.append(json.loads(line)["text"])
            length += len(parts[-1]) + 2
            if length > size:
                break
    return "\n\n".join(parts)[:size]


def read_policy(name: str) -> Policy:
    if name != "rules":
        return Policy.load(name)
    raw = Policy.load("balanced").model_dump(mode="json")
    raw["detectors"] = [part for part in raw["detectors"] if part["kind"] != "neural"]
    return Policy.parse({**raw, "indicators": []})


def measure(path: Path, name: str, size: int) -> list[float]:
    """Of this process: wall and processor seconds of one document, peak MB, entities and mentions."""
    sanitizer, text = Sanitizer(read_policy(name)), build_text(path, size)
    sanitizer.sanitize(text[:5_000])
    start, cpu = time.perf_counter(), time.process_time()
    result = sanitizer.sanitize(Document(text))
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    unit = 1e6 if sys.platform == "darwin" else 1e3
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return [
        len(text) / 1e6,
        wall,
        cpu,
        peak,
        len(result.entities),
        sum(len(e.mentions) for e in result.entities),
    ]


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--sizes", type=float, nargs="+", default=[1, 10], help="MB")
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=list(POLICIES))
    parser.add_argument(
        "--one", nargs=2, help="measure this policy and size in this process, and print the row"
    )
    options = parser.parse_args()
    path = figures.require_source(options.data, TEXTS)
    if options.one:
        print(json.dumps(measure(path, options.one[0], int(float(options.one[1]) * 1e6))))
        return
    rows = []
    for name in options.policies:
        for size in options.sizes:
            command = [
                sys.executable,
                __file__,
                "--data",
                str(options.data),
                "--one",
                name,
                str(size),
            ]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            rows.append([name, *json.loads(done.stdout)])
            print(
                "{:10} {:5.1f} MB {:8.1f} s {:8.1f} CPU s {:8.0f} MB peak {:7} entities {:8} mentions".format(
                    *rows[-1]
                ),
                flush=True,
            )
    found = figures.build_figure(
        "Large documents",
        "python benchmarks/large.py --data $MASKWISE_DATA --json docs/figures/large.json",
        [
            "policy",
            "million characters",
            "seconds",
            "processor seconds",
            "peak MB",
            "entities",
            "mentions",
        ],
        rows,
        files=[path],
        note="One document each, in a process of its own; the peak holds the imports, the model and the result.",
    )
    figures.save_figure(options.json, found)


if __name__ == "__main__":
    main()
