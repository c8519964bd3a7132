"""Speed of the rule tier (patterns + gazetteer + link) on one core, and its ratio to peers in the same run.

    make bench-peers                       # once: peers get their own environment, .venv-peers
    python benchmarks/rules.py --texts $MASKWISE_DATA/echr/facts.jsonl.xz

Prints characters per second over at least 5 MB of documents, the same for peers on a sample of those documents
(`unavailable` where a peer is not installed), and how time grows from 10 kB to 10 MB in a single document: a slope of
1 on log-log axes is linear.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import math
import os
import platform
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from maskwise.detect.gazetteer import GazetteerDetector
from maskwise.detect.merge import merge
from maskwise.detect.patterns import PatternDetector
from maskwise.link import RuleLinker
from maskwise.text import Document

HERE = Path(__file__).parent
PEERS = ("scrubadub", "presidio", "datafog")


def rule_tier() -> Callable[[str], int]:
    detectors = [PatternDetector(), GazetteerDetector()]
    order = [d.name for d in detectors]
    linker = RuleLinker()

    def run(text: str) -> int:
        document = Document(text)
        found = (m for d in detectors for m in d.detect([document])[0].mentions)
        return sum(len(e.mentions) for e in linker.link(document, merge(found, order)))

    return run


def texts(path: Path, characters: int) -> Iterator[str]:
    opener = lzma.open if path.suffix == ".xz" else open
    with opener(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            text = json.loads(line)["text"]
            yield text
            characters -= len(text)
            if characters <= 0:
                return


def speed(run: Callable[[str], int], documents: list[str]) -> tuple[float, int]:
    """Characters per processor second, and mentions found."""
    run(documents[0])
    start = time.process_time()
    found = sum(run(text) for text in documents)
    return sum(map(len, documents)) / (time.process_time() - start), found


def peer(name: str, python: Path, sample: list[str]) -> float | None:
    """Characters per second of a peer in its own environment, on one core too."""
    if not python.exists():
        return None
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [python, HERE / "peers.py", name],
        input=json.dumps(sample),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    return json.loads(done.stdout)["characters_per_second"] if done.returncode == 0 else None


def slope(run: Callable[[str], int], corpus: str) -> tuple[float, list[tuple[int, float]]]:
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
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / sum((x - mx) ** 2 for x in xs), points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, required=True, help="JSONL with a key 'text', also .xz")
    parser.add_argument("--characters", type=int, default=5_000_000)
    parser.add_argument("--peers-python", type=Path, default=HERE.parent / ".venv-peers" / "bin" / "python")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    args = parser.parse_args()

    documents = list(texts(args.texts, args.characters))
    digest = hashlib.sha256("\0".join(documents).encode()).hexdigest()[:16]
    total = sum(map(len, documents))
    run = rule_tier()
    ours, found = speed(run, documents)
    sample = documents[: max(1, len(documents) // 100)]
    sampled, _ = speed(run, sample)
    print(
        f"{len(documents)} documents, {total:,} characters, sha256 {digest}, "
        f"{platform.machine()}, Python {platform.python_version()}"
    )
    print(f"maskwise rule tier      {ours:12,.0f} characters/s, one core, {found:,} mentions")
    figures: dict[str, object] = {
        "title": "Rule tier, characters per second on one core",
        "command": "python benchmarks/rules.py --texts $MASKWISE_DATA/echr/facts.jsonl.xz",
    }
    figures |= {"characters": total, "sha256": digest, "maskwise": ours, "mentions": found}
    for name in PEERS:
        rate = peer(name, args.peers_python, sample)
        shown = f"{rate:12,.0f} characters/s, ratio {sampled / rate:.1f}" if rate else "unavailable"
        print(f"{name:24}{shown}")
        figures[name] = rate
    gradient, points = slope(run, "\n".join(texts(args.texts, 10_000_000)))
    for size, seconds in points:
        print(f"one document of {size:>11,} characters: {seconds:8.3f} s, {size / seconds:12,.0f} characters/s")
    print(f"slope of log time on log length: {gradient:.3f}")
    figures |= {"slope": gradient, "points": points}
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
