"""How time grows with the size of a text or a file: no repeated unit and no format may cost more than its share.

    python benchmarks/growth.py [--units WORD] [--part 1/4] [--size 40000] [--rows 6000] [--no-files] [--json FILE]

Some eight hundred units, each repeated to four sizes, go through patterns, gazetteer, linking, decisions and masks,
without the model; so does a file of every format. The slope of log time on log size is 1 where time is linear. A time
is the least of several, and what takes less than a few milliseconds counts as that. Prints the worst slopes and exits
with 1 if one is above 1.15. `--part 1/4` measures every fourth from the first on, so that four cores share the work.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from growth_files import SHAPES, Shape
from growth_units import Unit, list_units, write_text
from maskwise.errors import MaskwiseError
from maskwise.files import sanitize_file
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person

BAR = 1.15
FLOOR = 0.01  # seconds that no clock tells apart
PROTECTED = (Person("John Lee Smith"),)


class Growth(NamedTuple):
    """What grew, and how: sizes, seconds, and the slope between their logarithms."""

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    slope: float


def build_rules_only() -> Sanitizer:
    """The default policy without the model: what is left is ours to keep linear."""
    raw = Policy.load("balanced").model_dump(mode="json")
    raw["detectors"] = [part for part in raw["detectors"] if part["kind"] != "neural"]
    return Sanitizer(Policy.parse({**raw, "indicators": []}))


def fit_slope(sizes: Sequence[int], seconds: Sequence[float], floor: float = FLOOR) -> float:
    """Least-squares slope of log time on log size; times under the floor count as the floor.

    >>> round(fit_slope([1, 2, 4], [1.0, 4.0, 16.0]), 6)
    2.0
    """
    xs = [math.log(size) for size in sizes]
    ys = [math.log(max(second, floor)) for second in seconds]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return covariance / sum((x - mean_x) ** 2 for x in xs)


def measure(
    name: str, sizes: Sequence[int], prepare: Callable[[int], Callable[[], object]]
) -> Growth:
    """Time what `prepare` gives for each size; a slope over the bar is measured again, with more repeats."""
    runs = [prepare(size) for size in sizes]
    runs[0]()  # compiles what it needs
    best = [math.inf] * len(runs)
    for repeats in (1, 3, 5):
        for _ in range(repeats):
            best = [min(least, _time_run(run)) for least, run in zip(best, runs, strict=True)]
        slope = fit_slope(sizes, best)
        if slope <= BAR or max(best) > 20:
            break
    return Growth(name, tuple(sizes), tuple(best), slope)


def _time_run(run: Callable[[], object]) -> float:
    """Processor seconds of one run, without collecting the garbage of others."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        run()
        return time.process_time() - start
    finally:
        gc.enable()


def grow_text(sanitizer: Sanitizer, unit: Unit, size: int) -> Growth:
    def prepare(length: int) -> Callable[[], object]:
        document = Document(write_text(unit, length), protected=PROTECTED)
        return lambda: sanitizer.sanitize(document)

    return measure(unit.name, [size // 8, size // 4, size // 2, size], prepare)


def grow_file(sanitizer: Sanitizer, shape: Shape, rows: int) -> Growth:
    rows = min(rows, shape.most)

    def prepare(count: int) -> Callable[[], object]:
        raw = shape.build(count)
        return lambda: sanitize_file(sanitizer, raw, f"file.{shape.suffix}")

    name = f"{shape.suffix}: {shape.name}"
    try:
        return measure(name, [rows // 8, rows // 4, rows // 2, rows], prepare)
    except MaskwiseError as error:
        return Growth(f"{name} (refused: {error})", (rows,), (0.0,), math.inf)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", default="", help="only units and formats whose name holds this")
    parser.add_argument("--part", type=_read_part, default=(1, 1), metavar="N/M")
    parser.add_argument("--size", type=int, default=40_000, help="characters of the longest text")
    parser.add_argument(
        "--rows", type=int, default=6_000, help="rows, paragraphs or levels of the longest file"
    )
    parser.add_argument("--no-files", action="store_true")
    parser.add_argument("--no-texts", action="store_true")
    parser.add_argument("--worst", type=int, default=20, help="how many to print")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found = list(_measure_all(args))
    worst = sorted(found, key=lambda one: -one.slope)
    for one in worst[: args.worst]:
        print(f"{one.slope:5.2f}  {one.seconds[-1]:7.3f} s  {one.name}")
    over = [one for one in found if one.slope > BAR]
    slowest = max(found, key=lambda one: one.seconds[-1] / one.sizes[-1])
    print(
        f"{len(found)} measured, {len(over)} over {BAR}; slowest: {slowest.name}, {slowest.seconds[-1]:.2f} s"
    )
    if args.json:
        args.json.write_text(
            json.dumps([one._asdict() for one in worst], indent=1, ensure_ascii=True), "utf-8"
        )
    sys.exit(1 if over else 0)


def _read_part(text: str) -> tuple[int, int]:
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"{text!r}: write 1/4 for the first of four parts")
    return int(number), int(count)


def _measure_all(args: argparse.Namespace) -> Iterator[Growth]:
    sanitizer = build_rules_only()
    sanitizer.sanitize("On 3 May 2001 Mr John Smith paid.")
    number, count = args.part
    units = [] if args.no_texts else [one for one in list_units() if args.units in one.name]
    shapes = [] if args.no_files else list(SHAPES)
    shapes = [one for one in shapes if args.units in f"{one.suffix}: {one.name}"]
    for unit in units[number - 1 :: count]:
        yield grow_text(sanitizer, unit, args.size)
    for shape in shapes[number - 1 :: count]:
        yield grow_file(sanitizer, shape, args.rows)


if __name__ == "__main__":
    main()
