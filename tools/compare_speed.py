"""Compare two checkouts in one run: processor time and peak memory of the same work, measured in turns.

    python tools/compare_speed.py BEFORE AFTER [--rounds 5] [--documents 60] [--policy balanced] [--json]

BEFORE and AFTER are folders of the repository at two commits (`git worktree add`). Each round starts one process per
checkout, which sanitises the invented documents of tests/data/domains; the order changes with each round. Patterns are
compiled when a text first needs them, so every other document is sanitised and timed first ("first texts"), then the
rest ("next texts"): the first tells what a short run needs, the second what a long one does. A run that does not count
comes first and compiles the sources, as an installation does. The ratio is that of the medians. It exits with 1 if
AFTER needs over 3 % more of anything.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
ALLOWED = 1.03
MEASURES = ("loading, s", "first texts, s", "next texts, s", "peak memory, MiB")
WORK = """
import json, resource, sys, time
from maskwise.sanitizer import Sanitizer
texts = json.load(sys.stdin)
sanitizer = Sanitizer(sys.argv[1])
sanitizer.sanitize("Ann Lee lives in Leeds.")
clock = [0.0, time.process_time()]
for part in texts[::2], texts[1::2]:
    for _ in sanitizer.run(part):
        pass
    clock.append(time.process_time())
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([*(after - before for before, after in zip(clock, clock[1:])), peak]))
"""


def main() -> None:
    options = parse_options()
    texts = read_texts()[: options.documents]
    trees = {"before": options.before.resolve(), "after": options.after.resolve()}
    found: dict[str, list[list[float]]] = {name: [] for name in trees}
    with tempfile.TemporaryDirectory() as folder:
        paths = {name: declare_parts(tree, Path(folder, name)) for name, tree in trees.items()}
        cache = Path(folder, "bytecode")
        for name in trees:
            measure(paths[name], options.policy, texts[:1], cache)
        for turn in range(options.rounds):
            order = list(trees) if turn % 2 else list(reversed(trees))
            for name in order:
                found[name].append(measure(paths[name], options.policy, texts, cache))
    rows = compare(found)
    print_rows(rows, options.json)
    sys.exit(any(row["ratio"] > ALLOWED for row in rows.values()))


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--policy", default="balanced")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args()


def read_texts() -> list[str]:
    paths = sorted((ROOT / "tests" / "data" / "domains").glob("*.json"))
    return [one["text"] for path in paths for one in json.loads(path.read_text("utf-8"))]


def declare_parts(tree: Path, folder: Path) -> str:
    """Writes the entry points of a checkout, and returns the path on which Python finds it before any installed one."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    about = folder / f"maskwise-{project['version']}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Name: maskwise\nVersion: {project['version']}\n", "utf-8")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    (about / "entry_points.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return f"{folder}{os.pathsep}{tree / 'src'}"


def measure(path: str, policy: str, texts: list[str], cache: Path) -> list[float]:
    """What one process needs; `cache` holds the compiled sources."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", WORK, policy],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        env={**kept, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": str(cache)},
        check=False,
    )
    if done.returncode:
        sys.exit(done.stderr.strip().splitlines()[-1])
    found: list[float] = json.loads(done.stdout)
    return found


def compare(found: dict[str, list[list[float]]]) -> dict[str, dict[str, float]]:
    """Median of each measure before and after, and their ratio."""
    rows = {}
    for at, name in enumerate(MEASURES):
        before, after = (median(one[at] for one in found[tree]) for tree in ("before", "after"))
        rows[name] = {"before": before, "after": after, "ratio": after / before}
    return rows


def print_rows(rows: dict[str, dict[str, float]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    for name, row in rows.items():
        print(f"{name:<18} {row['before']:8.2f} {row['after']:8.2f}  ratio {row['ratio']:.3f}")


if __name__ == "__main__":
    main()
