"""What hiding in a crowd costs as the crowd grows from a thousand to half a million people.

    python benchmarks/crowd_size.py [--sizes 1000 10000 49471 150000 500000] [--json FILE]

The policy `anonymous` reads a letter of this repository in crowds of different sizes, each in a process of its own. Up
to the size of the embedded crowd people are its own; beyond it, a person takes each attribute from another, and an
embedding between two of theirs. CPU seconds, because a busy machine stretches the clock; the second of two runs, so
that nothing is loaded for the first time. The slope is that of log seconds over log people between neighbours: 1 is
linear.
"""

from __future__ import annotations

import json
import math
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import figures
from maskwise.crowd.crowd import DENSE, Crowd, _build_lexical, _list_attributes, _list_terms
from maskwise.crowd.dense import DenseRanker
from maskwise.crowd.neighbours import ExactNeighbours
from maskwise.crowd.population import Profile
from maskwise.crowd.postings import Postings
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person

LETTER = Path(__file__).parent.parent / "examples" / "letter.txt"
NAME = "Ingrid Solberg Hansen"
COLUMNS = [
    "people",
    "seconds to build",
    "seconds per letter",
    "slope",
    "rank before",
    "rank after",
    "MiB",
]


def invent_people(people: list[Profile], size: int) -> Iterator[Profile]:
    """The first people, and beyond their number people who take each attribute from another of them."""
    yield from people[:size]
    draw = np.random.default_rng(0)
    for at in range(len(people), size):
        keys = [key for key, _ in people[at % len(people)].attributes]
        donors = draw.integers(len(people), size=len(keys))
        values = {key: people[who].get(key) for key, who in zip(keys, donors, strict=True)}
        yield Profile.of(f"s{at}", values)


def mix_embeddings(real: np.ndarray, size: int) -> np.ndarray:
    """Those of real people, and beyond their number the direction between two of them."""
    found = np.empty((size, real.shape[1]), dtype=np.float16)
    found[: len(real)] = real[:size]
    draw = np.random.default_rng(0)
    for start in range(len(real), size, len(real)):
        mixed = real[draw.permutation(len(real))] + real[draw.permutation(len(real))]
        mixed /= np.linalg.norm(mixed, axis=1, keepdims=True)
        found[start : start + len(real)] = mixed[: size - start]
    return found


def build_crowd(size: int) -> Crowd:
    """The embedded crowd, made smaller or larger."""
    whole = Crowd.open()
    people = list(whole.read_profiles())
    chosen = list(invent_people(people, size))
    index = Postings.build(_list_terms(chosen))
    rankers = _build_lexical(index, _list_attributes(chosen))
    dense = whole.rankers[DENSE]
    assert isinstance(dense, DenseRanker)
    real = np.asarray(dense.neighbours.take(np.arange(len(whole))), dtype=np.float32)
    rankers[DENSE] = DenseRanker(dense.model, ExactNeighbours(mix_embeddings(real, size)))
    return Crowd(f"{size:,} people", rankers, whole.calibration)


def measure(size: int) -> dict[str, Any]:
    begun = time.process_time()
    crowd = build_crowd(size)
    built = time.process_time() - begun
    sanitizer = Sanitizer("anonymous", crowd)
    document = Document(LETTER.read_text("utf-8"), protected=(Person(NAME),))
    sanitizer.sanitize(document)
    begun = time.process_time()
    person = sanitizer.sanitize(document).risk.persons[0]
    seconds = time.process_time() - begun
    return {
        "built": built,
        "seconds": seconds,
        "before": min(one.rank for one in person.before.values()),
        "after": person.rank,
        "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def main() -> None:
    parser = figures.build_parser(__doc__)
    sizes = (1_000, 10_000, 49_471, 150_000, 500_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=sizes)
    parser.add_argument("--one", type=int, help="measure this size here and print JSON")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args.one)))
        return
    rows: list[list[Any]] = []
    last: tuple[int, float] | None = None
    for size in args.sizes:
        command = [sys.executable, __file__, "--one", str(size)]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        found = json.loads(said)
        slope = None
        if last:
            slope = math.log(found["seconds"] / last[1]) / math.log(size / last[0])
        last = size, found["seconds"]
        numbers = [round(found[key], 2) for key in ("built", "seconds")]
        rounded = None if slope is None else round(slope, 2)
        rows.append([size, *numbers, rounded, found["before"], found["after"], round(found["mib"])])
        print(rows[-1], flush=True)
    table = figures.build_figure(
        "Cost by size of the crowd",
        f"python benchmarks/crowd_size.py --sizes {' '.join(map(str, args.sizes))}",
        COLUMNS,
        rows,
        files=[LETTER],
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
