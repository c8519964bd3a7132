"""Background knowledge and the web indicator: index build and size, query times, queries saved by pruning, emulator.

    python benchmarks/web.py [PAGES.jsonl.xz] [--texts 40] [--characters 1500] [-k 50] [--emulator NPZ] [--people JSONL]
                             [--json FILE]

Pages are titled after the person they are about. The whole collection is indexed in a temporary folder. The questions
are those the web indicator asks for held-out texts of the collection (those the emulator was not trained on), with
nothing remembered between them; a text is the first part of a page. "Without pruning" is the number of questions of
Algorithm 1 as published: one for the person, two for each entity and each pair. The emulator is compared with an index
that holds, of the texts' own pages, only what the texts do not say, and the profiles of PEOPLE: a public page is not
the document itself.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import figures
from maskwise.crowd.population import Population
from maskwise.lm import load_model
from maskwise.risk import emulator
from maskwise.risk.index import LocalIndex, build_index
from maskwise.risk.pages import read_pages
from maskwise.risk.web import WebIndicator
from maskwise.train.background import list_background, read_subjects
from maskwise.train.emulator import detect_entities, judge_emulator, label_document

PAGES = "wiki/biographies.jsonl.xz"


class Timed:
    """An index that writes down how long each answer took."""

    exact = True

    def __init__(self, index: LocalIndex) -> None:
        self.index = index
        self.times: dict[str, list[float]] = {"search": [], "hits": []}

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        return self._take("search", lambda: self.index.search(terms, k))

    def hits(self, terms: Sequence[str]) -> int:
        return self._take("hits", lambda: self.index.hits(terms))

    def _take(self, kind: str, ask: Callable[[], Any]) -> Any:
        self.index._best.cache_clear()
        started = time.perf_counter()
        answer = ask()
        self.times[kind].append(time.perf_counter() - started)
        return answer


def find_percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(int(share * len(values)), len(values) - 1)] * 1000


def measure(options: argparse.Namespace, folder: Path) -> list[list[Any]]:
    path = folder / "pages.index"
    started = time.perf_counter()
    pages = build_index(read_pages(options.pages), path)
    seconds = time.perf_counter() - started
    rows: list[list[Any]] = [
        ["pages indexed", pages],
        ["build, seconds", round(seconds, 1)],
        ["size, MB", round(os.path.getsize(path) / 1e6, 1)],
    ]
    index, model = LocalIndex(path), load_model("small")
    documents = read_subjects(options.pages, options.texts, options.characters, held_out=True)
    found = list(detect_entities(documents))
    timed = Timed(index)
    asked = plain = 0
    both = WebIndicator(timed, k=options.k, rule="either", lower=10**9)
    for document, entities in found:
        asked += WebIndicator(index, k=options.k).search(document, entities).asked
        plain += 1 + 2 * (len(entities) + len(entities) * (len(entities) - 1) // 2)
        both.search(document, entities)
    for kind, name in (("search", f"best {options.k} pages"), ("hits", "number of pages")):
        for share, word in ((0.5, "median"), (0.9, "p90"), (0.99, "p99")):
            rows.append(
                [f"{name}, {word}, ms", round(find_percentile(timed.times[kind], share), 2)]
            )
    rows += [
        ["texts", len(found)],
        ["entities a text", round(sum(len(e) for _, e in found) / len(found), 1)],
        ["questions a text, Algorithm 1, arity 2", round(plain / len(found), 1)],
        ["questions a text, pruned", round(asked / len(found), 1)],
    ]
    rest = folder / "rest.index"
    people = Population.load(options.people, texts=False) if options.people else ()
    build_index(list_background(options.pages, documents, options.characters, people), rest)
    apart = LocalIndex(rest)
    samples = [
        label_document(document, entities, apart, model, options.k) for document, entities in found
    ]
    trained = (
        emulator.Emulator.load(options.emulator) if options.emulator else emulator.load_bundled()
    )
    trained.check(model)
    for kind, scores in judge_emulator(trained, samples).items():
        rows += [
            [f"emulator, {kind}: {name.replace('_', ' ')}", round(v, 3)]
            for name, v in scores.items()
        ]
    return rows


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument(
        "pages",
        type=Path,
        nargs="?",
        help="by default wiki/biographies.jsonl.xz of the data folder",
    )
    parser.add_argument("--texts", type=int, default=40)
    parser.add_argument("--characters", type=int, default=1500)
    parser.add_argument("-k", type=int, default=50)
    parser.add_argument("--emulator", type=Path)
    parser.add_argument("--people", type=Path, help="profiles that are background too, as JSONL")
    options = parser.parse_args()
    options.pages = options.pages or figures.require_source(options.data, PAGES)
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(options, Path(folder))
    for name, value in rows:
        print(f"{name:55} {value:>12,}")
    table = figures.build_figure(
        "Background knowledge",
        f"python benchmarks/web.py --data $MASKWISE_DATA --texts {options.texts} --people people.jsonl "
        "--json docs/figures/web.json",
        ["figure", "value"],
        rows,
        files=[path for path in (options.pages, options.people) if path],
    )
    figures.save_figure(options.json, table)


if __name__ == "__main__":
    main()
