"""Quality and speed of peers and of ours in one run, on annotated court cases and biographies.

    make bench-peers                       # once: peers get their own environment, .venv-peers
    python benchmarks/peers.py --data $MASKWISE_DATA [--only spacy ...] [--limit N] [--json docs/figures/peers.json]

Everything a peer finds is masked. Ours is the default policy, without the name of the person; and our rule tier with
everything it finds masked, as for the peers. Masks are scored as `maskwise evaluate` scores them (TAB metrics, 95 %
bootstrap intervals over documents). Speed is characters a second of the processor on one core, each tool on the same
texts one after the other, and as a ratio to Presidio. A peer that is not installed is `unavailable`. On a corpus that
the model learnt from, the default policy is timed and not scored.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import figures
from figures import PEERS_PYTHON
from maskwise.evaluate.tab import Score, evaluate_masks
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, tab
from maskwise.text.tab import AnnotatedDocument

CORPORA = {"TAB dev": "tab/dev.json.gz", "biographies dev": "wiki/annotated_dev.json.gz"}
NAMES = {
    "presidio": "Presidio 2.2.366, spaCy medium pipeline",
    "spacy": "spaCy 3.8.18, medium pipeline",
    "presidio rules": "Presidio 2.2.366, rules alone",
    "stella": "stella-anonymize-core 3.0.7",
    "scrubadub": "scrubadub 2.0.1",
    "datafog": "datafog 4.9.0",
}
OURS = "maskwise, default policy"
SHOWN = (
    "precision",
    "recall",
    "f1",
    "entity_recall",
    "entity_recall_direct",
    "entity_recall_quasi",
)
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
Spans = list[tuple[int, int]]


class Run(NamedTuple):
    """Spans by text, and characters a second: of the processor and by the clock."""

    spans: list[Spans]
    speed: float
    clock: float = math.nan


def run_peer(name: str, texts: Sequence[str], *, one_core: bool = True) -> Run | None:
    """A peer in its own environment; None where it is not installed."""
    if not PEERS_PYTHON.exists():
        return None
    command = [PEERS_PYTHON, Path(__file__).parent / "peer.py", name]
    environment = {**os.environ, **(ONE_CORE if one_core else {})}
    done = subprocess.run(
        command,
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    if done.returncode:
        print(f"{name}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    found = json.loads(done.stdout)
    spans = [[(s, e) for s, e in one] for one in found["spans"]]
    return Run(spans, found["characters_per_core_second"], found["characters_per_second"])


def run_ours(texts: Sequence[str]) -> Run:
    """The default policy on one core: detection, decision and masks."""
    raw = Policy.load("balanced").model_dump(mode="json")
    for part in (*raw["detectors"], *raw["indicators"]):
        if part["kind"] in ("neural", "sequence"):
            part["threads"] = 1
    sanitizer = Sanitizer(Policy.parse(raw))
    sanitizer.sanitize(texts[0][:1000])
    start = time.process_time()
    results = list(sanitizer.run([Document(text) for text in texts]))
    seconds = time.process_time() - start
    return Run(
        [[(s, e) for s, e, _ in one.masks] for one in results], sum(map(len, texts)) / seconds
    )


def run_rules(texts: Sequence[str]) -> Run:
    """The rule tier, everything it finds masked."""
    from rules import build_rule_tier

    find = build_rule_tier()
    find(texts[0][:1000])
    start = time.process_time()
    found = [find(text) for text in texts]
    return Run(found, sum(map(len, texts)) / (time.process_time() - start))


def score_spans(corpus: Sequence[AnnotatedDocument], spans: Sequence[Spans]) -> dict[str, Score]:
    return evaluate_masks(
        corpus, {item.document.id: one for item, one in zip(corpus, spans, strict=True)}
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--limit", type=int, help="the first N documents of each corpus")
    args = parser.parse_args()
    sources = {
        name: path
        for name, file in CORPORA.items()
        if (path := figures.find_source(args.data, file))
    }
    if not sources:
        figures.report_unavailable("no corpus; give --data or set MASKWISE_DATA")
    rows: list[list[Any]] = []
    for label, path in sources.items():
        corpus = tab.load_corpus(path)[: args.limit]
        texts = [item.document.text for item in corpus]
        runs = {OURS: run_ours(texts), "maskwise, rule tier, all it finds": run_rules(texts)}
        runs |= {NAMES[name]: run_peer(name, texts) for name in args.only}
        base = runs.get(NAMES["presidio"])
        for name, run in runs.items():
            if run is None:
                rows.append([label, name, *[None] * (len(SHOWN) + 2)])
                print(f"{label:16} {name:42} unavailable", flush=True)
                continue
            is_seen = name == OURS and figures.is_trained_on("small", path)
            scores = {} if is_seen else score_spans(corpus, run.spans)
            ratio = round(run.speed / base.speed, 2) if base else None
            cells = [figures.describe_score(scores[s]) if scores else None for s in SHOWN]
            rows.append([label, name, *cells, run.speed, ratio])
            told = "  ".join(
                f"{s.replace('entity_recall', 'ER')} {scores[s].value:.3f}" for s in SHOWN if scores
            )
            print(
                f"{label:16} {name:42} {told}  {run.speed:12,.0f} characters/s, ratio {ratio}",
                flush=True,
            )
    table = figures.build_figure(
        "Peers and ours: masks against annotators, and speed on one core",
        "python benchmarks/peers.py --data $MASKWISE_DATA --json docs/figures/peers.json",
        [
            "corpus",
            "tool",
            *(name.replace("_", " ") for name in SHOWN),
            "characters/s, one core",
            "ratio to Presidio",
        ],
        rows,
        files=list(sources.values()),
        seeds=[0],
        note="Everything a peer finds is masked; nobody's name is given. Ratio: characters a second of the processor "
        "relative to Presidio on the medium pipeline. Our model learnt from TAB dev: its masks there are not scored; "
        "docs/tables/model.md has models that did not. Intervals: 95 %, bootstrap over documents, 1,000 resamples.",
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
