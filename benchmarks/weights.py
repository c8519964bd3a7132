"""Tunes, on TAB train, how much the default listens to the language model beside sequence labelling.

    python benchmarks/weights.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST WITHOUT_SECOND [--json FILE]

A model knows the labels it learnt from by heart. So TAB train is read by two models, each of which took no part of one
half of its documents (`side`): each reads the half it never saw, with deciders of probabilities fitted on the other.

The annotators of TAB train mask less in doubt than those of TAB dev, dates above all (of those given even odds 3 in 10,
not 6), so a rule that only adds masks finds nothing to add, and one that may move thresholds finds those of these
annotators. What is tuned is therefore which entities are masked, not how many. For a type and a weight the neutral
point of the language model is that with which as many entities of the type are masked as without it. A type takes the
weight with the highest token F1 of those whose gain has a 95 % interval (paired bootstrap over documents, 1,000
resamples, seed 0) above 0, and none where there is no such weight. `raising` is the gain of the same weight with a
neutral point of 0. `benchmarks/combination.py` shows what the chosen weights do on other corpora.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import figures
from combination import FIRST, SECOND, Listening, Read, Tuning
from maskwise.evaluate.tab import (
    Floats,
    Score,
    compute_ratios,
    make_interval,
    resample_documents,
    tally_documents,
)
from maskwise.policy import Policy
from maskwise.text import EntityType, IdentifierType, tab
from maskwise.text.tab import AnnotatedDocument
from maskwise.train.data import Example, draw_share, read_examples
from model import Readers, run

WHOLE, PARTS = "tab/train_full.json.gz", "tab/train_paragraphs.jsonl.gz"
WEIGHTS = (0.1, 0.2, 0.4, 0.6, 0.8)


def choose_side(id: str) -> int:
    """The half of TAB train that a document belongs to, drawn from its id."""
    return 0 if draw_share(id, "half") < 0.5 else 1


def annotate_example(example: Example) -> dict[str, Any]:
    """A document joined of its annotated paragraphs, in TAB format."""
    layers = {
        f"annotator {number}": {
            "entity_mentions": [
                {
                    "entity_type": span.type.value,
                    "start_offset": span.start,
                    "end_offset": span.end,
                    "span_text": example.text[span.start : span.end],
                    "identifier_type": "DIRECT"
                    if span.direct
                    else "QUASI"
                    if span.mask
                    else "NO_MASK",
                    "entity_id": span.entity,
                }
                for span in layer
            ]
        }
        for number, layer in enumerate(example.layers, 1)
    }
    return {"doc_id": example.id, "text": example.text, "annotations": layers}


def read_corpus(whole: Path, parts: Path) -> list[AnnotatedDocument]:
    joined = [annotate_example(example) for example in read_examples(parts)]
    return [*tab.load_corpus(whole), *tab.parse_corpus(joined, source=parts.name)]


def build_readers(corpus: Sequence[AnnotatedDocument], models: Sequence[str]) -> Readers:
    sides = [choose_side(item.document.id) for item in corpus]
    return [
        (model, [at for at, own in enumerate(sides) if own == half])
        for half, model in enumerate(models)
    ]


def list_strengths(read: Read, kind: EntityType) -> Floats:
    """What both indicators say of the entities of a type that are not direct identifiers: shape (entities, 2)."""
    rows = []
    for result in read.results:
        said = {(e.indicator, e.entities): e.strength for e in result.evidence}
        for entity in result.entities:
            if (
                entity.type is kind
                and entity.identifier is not IdentifierType.DIRECT
                and not entity.protected
            ):
                pair = [said.get((name, (entity.id,))) for name in (FIRST, SECOND)]
                if None not in pair:
                    rows.append(pair)
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def find_neutral(said: Floats, weight: float) -> float:
    """The neutral point of the second voice with which as many entities are risky as by the first alone."""
    first, second = said.T
    risky = int((first >= 0.5).sum())
    # 1 - (1 - first)(1 - w (second - n)) reaches 0.5 for every n up to this one:
    points = np.sort(second - (1 - 0.5 / np.maximum(1 - first, 1e-9)) / weight)[::-1]
    between = points[max(risky - 1, 0) : risky + 1]
    return round(float(np.clip(between.mean(), 0, 1)), 2)


class Search:
    """What listening to the language model brings on one corpus."""

    def __init__(self, read: Read, tuning: Tuning) -> None:
        self._read, self._tuning = read, tuning
        self._alone = self.tally({})

    def tally(self, listening: Mapping[EntityType, Listening]) -> Floats:
        return tally_documents(
            self._read.corpus, self._tuning.list_masks(self._read.results, listening)
        )

    def measure_gain(self, listening: Mapping[EntityType, Listening]) -> Score:
        """What F1 gains over the first indicator alone, on the same draws of documents."""
        pair = [self.tally(listening), self._alone]
        value = np.subtract(*(compute_ratios(table.sum(axis=0)[None])["f1"][0] for table in pair))
        return make_interval(
            float(value),
            np.subtract(
                *(compute_ratios(resample_documents(table, 1000, 0))["f1"] for table in pair)
            ),
        )

    def tune_alone(self) -> list[float]:
        found = compute_ratios(self._alone.sum(axis=0)[None])
        return [float(found[name][0]) for name in ("precision", "recall", "f1")]


def format_score(score: Score) -> str:
    return f"{10000 * score.value:+.1f} [{10000 * score.low:+.1f}, {10000 * score.high:+.1f}]"


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument(
        "--crossed", nargs=2, metavar="FOLDER", help="models, each without one half of TAB train"
    )
    args = parser.parse_args()
    if not args.crossed:
        figures.report_unavailable(
            "needs --crossed: two models, each without one half of TAB train"
        )
    files = [figures.require_source(args.data, name) for name in (WHOLE, PARTS)]
    corpus = read_corpus(*files)
    policy = Policy.load("balanced").model_copy(update={"lazy": False})
    print(f"{len(corpus)} documents, read by", *args.crossed, file=sys.stderr)
    read = Read(corpus, run(corpus, policy, False, build_readers(corpus, args.crossed)))
    search = Search(read, Tuning(policy))
    precision, recall, f1 = search.tune_alone()
    note = f"{len(corpus)} documents; {FIRST} alone: precision {precision:.4f}, recall {recall:.4f}, F1 {f1:.4f}."
    print(note, "Gains in 1/10,000 of F1.", flush=True)
    rows: list[list[Any]] = []
    chosen: dict[EntityType, Listening] = {}
    for kind in EntityType:
        said = list_strengths(read, kind)
        found: dict[Listening, Score] = {}
        for weight in WEIGHTS:
            listening = Listening(weight, find_neutral(said, weight))
            found[listening] = search.measure_gain({kind: listening})
            raising = search.measure_gain({kind: Listening(weight)})
            cells = [format_score(found[listening]), "raising", format_score(raising)]
            print(f"{kind:10} {weight:.1f} neutral {listening.neutral:.2f}", *cells, flush=True)
            gains = [figures.describe_score(found[listening]), figures.describe_score(raising)]
            rows.append([str(kind), len(said), weight, listening.neutral, *gains])
        if real := [one for one, gain in found.items() if gain.low > 0]:
            chosen[kind] = max(real, key=lambda one: found[one].value)
    together = search.measure_gain(chosen)
    told = (
        ", ".join(
            f"{kind} {one.weight:g} (neutral {one.neutral:g})" for kind, one in chosen.items()
        )
        or "none"
    )
    print("chosen:", told, "together", format_score(together))
    rows.append([f"chosen: {told}", None, None, None, figures.describe_score(together), None])
    columns = ["type", "entities", "weight", "neutral", "F1 gained", "F1 gained, raising"]
    command = (
        "python benchmarks/weights.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST WITHOUT_SECOND"
    )
    title = "Weight of the language model, tuned on TAB train by two models, each on the half it never saw"
    figures.save_figure(
        args.json,
        figures.build_figure(title, command, columns, rows, files=files, seeds=[0], note=note),
    )


if __name__ == "__main__":
    main()
