"""Confidential attributes: invented sentences by category, and agreement with annotators of TAB.

    python benchmarks/confidential.py --data $MASKWISE_DATA [--json docs/figures/confidential.json]

Precision and recall are per sentence of tests/data/confidential: the development half, on which rules were written, and
the half that was set aside. Agreement is Cohen's kappa over the mentions of gold layers (`gold: true`) of TAB: what the
annotator says of a mention (a category of five, or none) against what the pipeline flags there. Intervals: 95 %,
bootstrap over documents, 1,000 resamples, seed 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import figures
from maskwise.detect.disclosures import find_disclosures
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, tab
from maskwise.text.confidential import NOT_CONFIDENTIAL, TAB_STATUSES, Confidential

SENTENCES = Path(__file__).parent.parent / "tests" / "data" / "confidential"
CORPORA = {"TAB train": "tab/train_full.json.gz", "TAB dev": "tab/dev.json.gz"}
Pair = tuple[str, str]


def score_sentences(path: Path) -> dict[str, tuple[int, int, int]]:
    """True positives, false positives and misses of each category."""
    counts = {category.value: [0, 0, 0] for category in Confidential}
    for line in path.read_text("utf-8").splitlines():
        label, _, sentence = line.partition("\t")
        wanted = set() if label == "-" else set(label.split(","))
        found = {one.category.value for one in find_disclosures(Document(sentence))}
        for category in wanted | found:
            at = 0 if category in wanted & found else 1 if category in found else 2
            counts[category][at] += 1
    return {category: (good, wrong, missed) for category, (good, wrong, missed) in counts.items()}


def pair_statuses(item: tab.AnnotatedDocument, result: Result) -> list[Pair]:
    """What annotator and pipeline say of each mention of the gold layers."""
    flags = [
        (mention.start, mention.end, entity.disclosure.category.value)
        for entity in result.entities
        if entity.disclosure is not None and entity.disclosure.category in TAB_STATUSES
        for mention in entity.mentions
    ]
    pairs = []
    for layer in item.layers:
        if not layer.raw.get("gold"):
            continue
        for annotation in layer.annotations:
            start, end = annotation.mention.span
            ours = next(
                (c for low, high, c in flags if low < end and start < high), NOT_CONFIDENTIAL
            )
            pairs.append((annotation.confidential or NOT_CONFIDENTIAL, ours))
    return pairs


def measure_kappa(pairs: Sequence[Pair]) -> float:
    """Cohen's kappa: (observed - expected agreement) / (1 - expected)."""
    total = len(pairs)
    theirs, ours = (Counter(column) for column in zip(*pairs, strict=True))
    observed = sum(a == b for a, b in pairs) / total
    expected = sum(theirs[label] * ours[label] for label in theirs) / total**2
    return (observed - expected) / (1 - expected) if expected < 1 else 1.0


def bootstrap(documents: Sequence[Sequence[Pair]]) -> dict[str, float]:
    generator = np.random.default_rng(0)
    values = []
    for _ in range(1000):
        drawn = generator.integers(0, len(documents), len(documents))
        values.append(measure_kappa([pair for at in drawn for pair in documents[at]]))
    low, high = np.quantile(values, [0.025, 0.975])
    whole = measure_kappa([pair for document in documents for pair in document])
    return {"value": whole, "low": float(low), "high": float(high)}


def main() -> None:
    args = figures.build_parser(__doc__).parse_args()
    rows: list[list[Any]] = []
    for name in ("development", "heldout"):
        for category, (good, wrong, missed) in score_sentences(SENTENCES / f"{name}.tsv").items():
            precision, recall = good / max(1, good + wrong), good / max(1, good + missed)
            rows.append([f"sentences, {name}", category, good + missed, precision, recall, "–"])
            print(f"{name:12} {category:10} P {precision:.2f} R {recall:.2f} of {good + missed}")
    files = []
    for name, path in CORPORA.items():
        source = figures.find_source(args.data, path)
        if source is None:
            print(f"{name}: unavailable")
            continue
        files.append(source)
        corpus = [
            item
            for item in tab.load_corpus(source)
            if any(la.raw.get("gold") for la in item.layers)
        ]
        results = Sanitizer("balanced").run(
            [replace(item.document, protected=()) for item in corpus]
        )
        pairs = [pair_statuses(item, result) for item, result in zip(corpus, results, strict=True)]
        pairs = [each for each in pairs if each]
        kappa = bootstrap(pairs)
        count = sum(map(len, pairs))
        rows.append([name, "five of TAB", count, "–", "–", kappa])
        print(
            f"{name}: kappa {kappa['value']:.3f} [{kappa['low']:.3f}, {kappa['high']:.3f}], {count} mentions"
        )
        print(
            Counter(
                pair for each in pairs for pair in each if pair != (NOT_CONFIDENTIAL,) * 2
            ).most_common(12)
        )
    figures.save_figure(
        args.json,
        figures.build_figure(
            "Confidential attributes",
            "python benchmarks/confidential.py --data $MASKWISE_DATA --json docs/figures/confidential.json",
            ["set", "category", "count", "precision", "recall", "kappa"],
            rows,
            files=files,
            seeds=[0],
            note="Sentences are invented. Kappa: mentions of gold layers; 95 %, bootstrap over documents.",
        ),
    )


if __name__ == "__main__":
    main()
