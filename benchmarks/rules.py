"""Speed of the rule tier (patterns + gazetteer + link) on one core, and its ratio to peers in the same run.

    make bench-peers                       # once: peers get their own environment, .venv-peers
    python benchmarks/rules.py --data $MASKWISE_DATA [--texts FILE.jsonl.xz] [--json FILE]

Prints characters per second over at least 5 MB of documents, the same for peers on a sample of those documents
(`unavailable` where a peer is not installed), and how time grows from 10 kB to 10 MB in a single document: a slope of
1 on log-log axes is linear.
"""

from __future__ import annotations

import json
import lzma
import math
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import figures
import peers
from maskwise.detect.gazetteer import GazetteerDetector
from maskwise.detect.merge import merge_mentions
from maskwise.detect.patterns import PatternDetector
from maskwise.link import RuleLinker
from maskwise.text import Document

TEXTS = "echr/facts.jsonl.xz"
PEERS = ("scrubadub", "presidio rules", "datafog", "stella")


def build_rule_tier() -> Callable[[str], list[tuple[int, int]]]:
    """Text to the spans of everything the rules find and link."""
    detectors = [PatternDetector(), GazetteerDetector()]
    order = [d.name for d in detectors]
    linker = RuleLinker()

    def run(text: str) -> list[tuple[int, int]]:
        document = Document(text)
        found = (m for d in detectors for m in d.detect([document])[0].mentions)
        return [
            m.span for e in linker.link(document, merge_mentions(found, order)) for m in e.mentions
        ]

    return run


def read_texts(path: Path, characters: int) -> Iterator[str]:
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            text = json.loads(line)["text"]
            yield text
            characters -= len(text)
            if characters <= 0:
                return


def measure_speed(
    run: Callable[[str], list[tuple[int, int]]], documents: list[str]
) -> tuple[float, int]:
    """Characters per processor second, and mentions found."""
    run(documents[0])
    start = time.process_time()
    found = sum(len(run(text)) for text in documents)
    return sum(map(len, documents)) / (time.process_time() - start), found


def fit_slope(
    run: Callable[[str], list[tuple[int, int]]], corpus: str
) -> tuple[float, list[tuple[int, float]]]:
    """Least-squares slope of log time on log length, one document of each length."""
    points = []
    for size in (10_000, 100_000, 1_000_000, 10_000_000):
        text = (corpus * (size // len(corpus) + 1))[:size] if len(corpus) < size else corpus[:size]
        repeats = max(1, 1_000_000 // size)
        start = time.process_time()
        for _ in range(repeats):
            run(text)
        points.append((size, (time.process_time() - start) / repeats))
    xs = [math.log(n) for n, _ in points]
    ys = [math.log(t) for _, t in points]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum(
        (x - mx) ** 2 for x in xs
    ), points


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument(
        "--texts", type=Path, help="JSONL with a key 'text', also .xz; by default court cases"
    )
    parser.add_argument("--characters", type=int, default=5_000_000)
    args = parser.parse_args()
    path = args.texts or figures.require_source(args.data, TEXTS)

    documents = list(read_texts(path, args.characters))
    total = sum(map(len, documents))
    run = build_rule_tier()
    ours, found = measure_speed(run, documents)
    sample = documents[: max(1, len(documents) // 10)]
    sampled, _ = measure_speed(run, sample)
    print(
        f"{len(documents)} documents, {total:,} characters, {platform.machine()}, Python {platform.python_version()}"
    )
    print(f"maskwise rule tier      {ours:12,.0f} characters/s, one core, {found:,} mentions")
    rows: list[list[object]] = [["maskwise rule tier", ours, 1.0]]
    for name in PEERS:
        peer = peers.run_peer(name, sample)
        rows.append(
            [name, peer.speed if peer else None, round(sampled / peer.speed, 2) if peer else None]
        )
        shown = (
            f"{peer.speed:12,.0f} characters/s, ratio {sampled / peer.speed:.2f}"
            if peer
            else "unavailable"
        )
        print(f"{name:24}{shown}")
    gradient, points = fit_slope(run, "\n".join(read_texts(path, 10_000_000)))
    for size, seconds in points:
        print(
            f"one document of {size:>11,} characters: {seconds:8.3f} s, {size / seconds:12,.0f} characters/s"
        )
        rows.append([f"maskwise, one document of {size:,} characters", size / seconds, None])
    print(f"slope of log time on log length: {gradient:.3f}")
    table = figures.build_figure(
        "Rule tier: speed on one core",
        "python benchmarks/rules.py --data $MASKWISE_DATA --json docs/figures/rules.json",
        ["tool", "characters/s", "ours / theirs, same texts"],
        [
            [cell if cell is not None else "" for cell in row] if row[0] not in PEERS else row
            for row in rows
        ],
        files=[path],
        note=f"{total:,} characters in {len(documents)} documents, {found:,} mentions; peers on {len(sample)} of them. "
        f"Slope of log time on log length from 10 kB to 10 MB: {gradient:.3f} (1 is linear).",
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
