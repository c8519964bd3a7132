"""Time that hiding in the embedded crowd takes for texts of 1, 5 and 20 kB.

    python benchmarks/crowd_time.py --data DATA [--docs 6] [--large] [--json FILE]

The texts are the first characters of biographies of held-out people (`maskwise.crowd.folds`). One short text is hidden
before the clock starts, so that models and crowd are open. `--large` adds one text of 1 MB, the biographies of held-out
people one after the other: over 20,000 words the policy searches no least masks, masks all it found and says so. Wall
time depends on what else runs on the machine; the time of the processor counts all cores.
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
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person

LARGE = 1_000_000
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


def join_lives(path: Path) -> dict[str, str]:
    """One text of 1 MB, about the first held-out person and many others."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    folds = assign_folds([row["id"] for row in rows])
    held = [row for row, fold in zip(rows, folds, strict=True) if fold == Fold.HELD_OUT]
    text = "\n\n".join(row["text"] for row in held)
    return {"id": "large", "title": held[0]["title"], "text": text[:LARGE]}


def check_large(result: Result) -> None:
    """Refuses a result that measured somebody, or does not say why nobody was searched for."""
    if result.risk is None or "no search for the least" not in result.risk.note:
        raise SystemExit("the large text was searched, or its result does not say that it was not")


def time_texts(lives: list[dict[str, str]], size: int) -> Iterator[tuple[float, float, int]]:
    """Per text: seconds on the clock, of the processor, and the number of entities."""
    sanitizer = Sanitizer("anonymous", Crowd.open())
    sanitizer.sanitize(SHORT)
    for life in lives:
        person = Person(life["title"])
        document = Document(life["text"][:size], id=life["id"], protected=(person,))
        begun, spent = time.perf_counter(), time.process_time()
        result = sanitizer.sanitize(document)
        if size == LARGE:
            check_large(result)
        yield time.perf_counter() - begun, time.process_time() - spent, len(result.entities)


def name_size(size: int) -> str:
    return "1 MB" if size == LARGE else f"{size // 1000} kB"


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--docs", type=int, default=6, help="texts per size")
    parser.add_argument("--large", action="store_true", help="also time a text of 1 MB")
    args = parser.parse_args()
    source = figures.require_source(args.data, "wiki/biographies.jsonl.xz")
    lives = choose_lives(source, args.docs)
    rows: list[list[Any]] = []
    texts = dict.fromkeys(SIZES, lives)
    if args.large:
        texts[LARGE] = [join_lives(source)]
    for size, own in texts.items():
        found = np.array(list(time_texts(own, size)))
        wall, spent, entities = np.median(found, axis=0)
        largest = found[:, 0].max()
        rows.append([name_size(size), *(round(float(one), 2) for one in (wall, largest, spent))])
        rows[-1].append(round(float(entities)))
        print(*rows[-1], flush=True)
    found_figure = figures.build_figure(
        "Time to hide in the embedded crowd",
        f"python benchmarks/crowd_time.py --data $MASKWISE_DATA --docs {args.docs}{' --large' * args.large}",
        COLUMNS,
        rows,
        files=[source],
        note=f"{len(lives)} texts per size; load average {os.getloadavg()[1]:.0f}.",
        seeds=[0],
    )
    figures.save_figure(args.json, found_figure)


if __name__ == "__main__":
    main()
