"""Mutated files of every format: how many end as a written file, and how many as which error. A crash stops the run.

    python benchmarks/fuzz.py --n 2000 [--only eml html] [--seed 0] [--json docs/figures/fuzz.json]

Files, mutator and rules are those of tests/io. A mutant counts as `LeakError` when the check found a planted name in
what would have been written: the file was withdrawn.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType

from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer

TESTS = Path(__file__).parent.parent / "tests" / "io"
ENDS = ("written", "InputError", "LeakError", "OutputError")


def load(name: str) -> ModuleType:
    """A module beside the tests of formats."""
    spec = importlib.util.spec_from_file_location(f"tests_io_{name}", TESTS / f"{name}.py")
    if spec is None or spec.loader is None:
        sys.exit(f"{TESTS / name}.py is missing")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=2000, help="mutants a format")
    parser.add_argument("--only", nargs="*", help="file endings")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    fuzz, samples = load("fuzz"), load("samples")
    sanitizer = Sanitizer(Policy.parse({"name": "fuzz", "protect": [samples.NAME]}))
    rows = []
    for name, raw in (samples.SAMPLES | load("office").with_one(samples.NAME)).items():
        if options.only and name.rpartition(".")[2] not in options.only:
            continue
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            ends = fuzz.run(sanitizer, raw, name, options.n, Path(folder), options.seed)
        other = ends.total() - sum(ends[end] for end in ENDS)
        rows.append([name, *(ends[end] for end in ENDS), other, round(time.perf_counter() - began, 1)])
        print(*rows[-1], sep="\t", flush=True)
    if options.json:
        figures = {
            "title": f"Mutated files, {options.n} of each format",
            "command": f"python benchmarks/fuzz.py --n {options.n}",
            "columns": ["file", *ENDS, "other errors of ours", "seconds"],
            "rows": rows,
            "note": "No crash, no half-written file: either stops the run.",
        }
        options.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
