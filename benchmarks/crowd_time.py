"""Time that hiding in the embedded crowd takes for texts of 1, 5 and 20 kB.

    python benchmarks/crowd_time.py --data DATA [--docs 6] [--json FILE]

The texts are the first characters of biographies of held-out people (`maskwise.crowd.folds`). One short text is hidden
before the clock starts, so that models and crowd are open. Wall time depends on what else runs on the machine; the
time of the processor counts all cores.
"""

from __future__ import annotations

import json
import lzma
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import figures
from maskwise.crowd.crowd import Crowd
from maskwise.crowd.folds import Fold, assign_folds
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person

SIZES = (1_000, 5_000, 20_000)
COLUMNS = ["text", "seconds, median", "largest", "of processor time, median", "entities"]
SHORT = "Ana Souza, born in Porto in 1971, sings in a choir."


def choose_lives(path: Path, count: int) -> list[dict[str, str]]:
    """The first held-out people whose biographies are long enough for all sizes."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    folds = assign_folds([row["id"] for row in rows])
    held = (row for row, fold in zip(rows, folds, strict=True) if fold == Fold.HELD_OUT)
    long = [row for row in held if len(row["text"]) >= max(SIZES)]
    return long[:count]


def time_texts(lives: list[dict[str, str]], size: int) -> Iterator[tuple[float, float, int]]:
    """Per text: seconds on the clock, of the processor, and the number of entities."""
    sanitizer = Sanitizer("anonymous", Crowd.open())
    sanitizer.sanitize(SHORT)
    for life in lives:
        person = Person(life["title"])
        document = Document(life["text"][:size], id=life["id"], protected=(person,))
        begun, spent = time.perf_counter(), time.process_time()
        result = sanitizer.sanitize(document)
        yield time.perf_counter() - begun, time.process_time() - spent, len(result.entities)


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--docs", type=int, default=6, help="texts per size")
    args = parser.parse_args()
    source = figures.require_source(args.data, "wiki/biographies.jsonl.xz")
    lives = choose_lives(source, args.docs)
    rows: list[list[Any]] = []
    for size in SIZES:
        found = np.array(list(time_texts(lives, size)))
        wall, spent, entities = np.median(found, axis=0)
        largest = found[:, 0].max()
        rows.append(
            [f"{size // 1000} kB", *(round(float(one), 2) for one in (wall, largest, spent))]
        )
        rows[-1].append(round(float(entities)))
        print(*rows[-1], flush=True)
    found_figure = figures.build_figure(
        "Time to hide in the embedded crowd",
        f"python benchmarks/crowd_time.py --data $MASKWISE_DATA --docs {args.docs}",
        COLUMNS,
        rows,
        files=[source],
        note=f"{len(lives)} texts per size; load average {os.getloadavg()[1]:.0f}.",
        seeds=[0],
    )
    figures.save_figure(args.json, found_figure)


if __name__ == "__main__":
    main()
