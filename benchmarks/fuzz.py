"""Mutated files of every format: how many end as a written file, and how many as which error.

    python benchmarks/fuzz.py --n 2000 [--only eml html] [--seed 0] [--json docs/figures/fuzz.json]

Files, mutator and rules are those of tests/io. A mutant counts as `LeakError` when the check found a planted name in
what would have been written: the file was withdrawn. It counts as leaked when the file was written and the oracle of
tests/io/hiding, which shares no code with the check, finds the name in it; the run then ends with exit code 1. A crash
or a half-written file stops the run.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "io"))

import office  # type: ignore[import-not-found]
import samples  # type: ignore[import-not-found]

import fuzz  # type: ignore[import-not-found]
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

ENDS = ("leaked", "written", "InputError", "LeakError", "OutputError")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--n", type=int, default=2000, help="mutants per format")
    parser.add_argument("--only", nargs="*", help="file endings")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    sanitizer = Sanitizer(Policy.parse({"name": "fuzz", "protect": [samples.NAME]}))
    rows = []
    print("file", *ENDS, "other", "seconds", sep="\t")
    for name, raw in (samples.SAMPLES | office.with_one(samples.NAME)).items():
        if options.only and name.rpartition(".")[2] not in options.only:
            continue
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            ends = fuzz.run(sanitizer, raw, name, options.n, Path(folder), options.seed)
        other = ends.total() - ends["of more than one line"] - sum(ends[end] for end in ENDS)
        rows.append([name, *(ends[end] for end in ENDS), other])
        print(*rows[-1], round(time.perf_counter() - began, 1), sep="\t", flush=True)
    if options.json:
        figures = {
            "title": f"Mutated files, {options.n} of each format",
            "command": f"python benchmarks/fuzz.py --n {options.n} --seed {options.seed}",
            "columns": ["file", *ENDS, "other errors of ours"],
            "rows": rows,
            "note": "No crash and no half-written file: either stops the run.",
        }
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    sys.exit(1 if any(row[1] for row in rows) else 0)


if __name__ == "__main__":
    main()
