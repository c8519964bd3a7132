"""Court judgments, letters, notes and chats in the crowd: ranks before and after, and what more is masked.

    python benchmarks/crowd_domains.py --data $MASKWISE_DATA [--docs 127] [--k 20] [--json FILE]

Each document of TAB dev and of the sixty invented ones in `tests/data/domains` is read in clear, under `balanced` and
under `anonymous`. The people are those that the task names. The attackers are those that `anonymous` asks, and the
person stands in the crowd with what the document tells about them: ranks say what the policy promises, not what an
attacker that was not asked would find (`benchmarks/crowd.py` does). "Beyond balanced" is the share of all words that
`anonymous` masks and `balanced` keeps, and "less" the other way round. F1 is that of `maskwise evaluate`. Intervals:
95 %, Wilson for people found, bootstrap for medians and F1.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import figures
from maskwise.evaluate.tab import evaluate_masks
from maskwise.evaluate.tradeoff import summarise_outcomes
from maskwise.frontier import Version, VersionOutcome, VersionTrial, list_versions
from maskwise.settings import CrowdSettings
from maskwise.text import tab
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.tokens import find_words

COURT = "tab/dev.json.gz"
DOMAINS = Path(__file__).parent.parent / "tests" / "data" / "domains"
COLUMNS = [
    "documents",
    "version",
    "people measured",
    "found",
    "median rank",
    "words masked",
    "beyond balanced",
    "less than balanced",
    "F1",
]


def spread_documents(corpus: Sequence[AnnotatedDocument], count: int) -> list[AnnotatedDocument]:
    """So many documents, evenly over the corpus."""
    step = max(len(corpus) / count, 1)
    return [corpus[int(at * step)] for at in range(min(count, len(corpus)))]


def cover_words(outcome: VersionOutcome) -> np.ndarray:
    """Which words a mask touches."""
    covered = np.zeros(len(outcome.document.text) + 1, dtype=bool)
    for start, end, _ in outcome.masks:
        covered[start:end] = True
    words = find_words(outcome.document.text)
    return np.array([covered[start:end].any() for start, end in words], dtype=bool)


def build_rows(
    label: str, corpus: Sequence[AnnotatedDocument], trial: VersionTrial
) -> list[list[Any]]:
    begun = time.process_time()
    outcomes = list(trial.run([item.document for item in corpus]))
    print(
        f"{label}: {len(corpus)} documents, {time.process_time() - begun:.0f} s of CPU", flush=True
    )
    by_version = {
        version.name: [one for one in outcomes if one.version is version]
        for version in trial.versions
    }
    kept = np.concatenate([cover_words(one) for one in by_version["balanced"]])
    rows = []
    for version in trial.versions:
        own = by_version[version.name]
        masked = np.concatenate([cover_words(one) for one in own])
        rows.append(build_row(label, version, own, masked, kept, corpus))
    return rows


def build_row(
    label: str,
    version: Version,
    own: Sequence[VersionOutcome],
    masked: np.ndarray,
    balanced: np.ndarray,
    corpus: Sequence[AnnotatedDocument],
) -> list[Any]:
    point = summarise_outcomes(version.name, version.kind, [one.outcome for one in own])
    score = None
    if corpus and version.policy:
        spans = {one.document.id: [(start, end) for start, end, _ in one.masks] for one in own}
        score = figures.describe_score(evaluate_masks(corpus, spans)["f1"])
    compared = version.policy is not None and version.name != "balanced"
    return [
        f"{label} ({len(own)})",
        version.name,
        point.people,
        figures.describe_score(point.found) if point.found else None,
        figures.describe_score(point.rank) if point.rank else None,
        float(masked.mean()),
        float((masked & ~balanced).mean()) if compared else None,
        float((balanced & ~masked).mean()) if compared else None,
        score,
    ]


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--docs", type=int, default=127, help="documents of TAB dev")
    parser.add_argument("--k", type=int, default=20)
    args = parser.parse_args()
    court = figures.require_source(args.data, COURT)
    everyone = CrowdSettings()
    trial = VersionTrial(list_versions(["balanced"], [], [args.k], everyone), everyone)
    sources = {"TAB dev": court, **{path.stem: path for path in sorted(DOMAINS.glob("*.json"))}}
    rows: list[list[Any]] = []
    for label, path in sources.items():
        corpus = tab.load_corpus(path)
        if path == court:
            corpus = spread_documents(corpus, args.docs)
        name = label if path == court else f"invented {label}"
        rows += build_rows(name, corpus, trial)
        for row in rows[-3:]:
            print(row, flush=True)
    table = figures.build_figure(
        "Judgments, letters, notes and chats in the crowd",
        f"python benchmarks/crowd_domains.py --data $MASKWISE_DATA --docs {args.docs} --k {args.k}",
        COLUMNS,
        rows,
        files=list(sources.values()),
        seeds=[0],
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
