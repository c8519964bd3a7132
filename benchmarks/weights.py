"""Tunes, on TAB train, how much the default listens to the language model beside sequence labelling.

    python benchmarks/weights.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST WITHOUT_SECOND [--json FILE]

A model knows the labels it learnt from by heart. So TAB train is read by two models, each of which took no part of one
half of its documents (`side`): each reads the half it never saw, with deciders of probabilities fitted on the other.

The rule was written before the first reading. Starting from no weight at all, type after type takes the weight of
highest token F1, the smallest of equals, if the 95 % interval of what it adds over none (paired bootstrap over
documents, 1,000 resamples, seed 0) lies above 0, and none otherwise; and this again, until nothing changes.
`benchmarks/combination.py` shows what such weights do on other corpora.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import figures
from combination import FIRST, SECOND, WEIGHTS, Read, Tuning, Weights
from maskwise.evaluate.tab import Floats, Score, interval, ratios, resample, tally
from maskwise.policy import Policy
from maskwise.text import EntityType, IdentifierType, tab
from maskwise.text.tab import AnnotatedDocument
from maskwise.train.data import Example, bucket, read_examples
from model import Readers, run

WHOLE, PARTS = "tab/train_full.json.gz", "tab/train_paragraphs.jsonl.gz"
ROUNDS = 5


def side(id: str) -> int:
    """The half of TAB train that a document belongs to, drawn from its id."""
    return 0 if bucket(id, "half") < 0.5 else 1


def annotated(example: Example) -> dict[str, Any]:
    """A document joined of its annotated paragraphs, in TAB format."""
    layers = {
        f"annotator {number}": {
            "entity_mentions": [
                {
                    "entity_type": span.type.value,
                    "start_offset": span.start,
                    "end_offset": span.end,
                    "span_text": example.text[span.start : span.end],
                    "identifier_type": "DIRECT" if span.direct else "QUASI" if span.mask else "NO_MASK",
                    "entity_id": span.entity,
                }
                for span in layer
            ]
        }
        for number, layer in enumerate(example.layers, 1)
    }
    return {"doc_id": example.id, "text": example.text, "annotations": layers}


def widest(policy: Policy) -> Policy:
    """The policy with the largest weight for every type: what it does not ask about, no smaller weight needs."""
    rule = {"kind": "noisy_or", "weights": {SECOND: max(WEIGHTS)}}
    return Policy.model_validate(
        policy.model_dump(exclude_unset=True)
        | {"combine": rule, "combine_by": {IdentifierType.DIRECT: {"kind": "k_of_n"}}, "lazy": True}
    )


class Search:
    """Weights by type, and what they bring on one corpus."""

    def __init__(self, read: Read, tuning: Tuning) -> None:
        self._read, self._tuning = read, tuning
        self._tallies: dict[tuple[tuple[EntityType, float], ...], Floats] = {}

    def tally(self, weights: Weights) -> Floats:
        key = tuple(sorted((kind, weight) for kind, weight in weights.items() if weight))
        if key not in self._tallies:
            self._tallies[key] = tally(self._read.corpus, self._tuning.masks(self._read.results, weights))
        return self._tallies[key]

    def gain(self, weights: Weights, over: Weights) -> Score:
        """What F1 gains by the one over the other, on the same draws of documents."""
        pair = [self.tally(weights), self.tally(over)]
        value = np.subtract(*(ratios(table.sum(axis=0)[None])["f1"][0] for table in pair))
        return interval(float(value), np.subtract(*(ratios(resample(table, 1000, 0))["f1"] for table in pair)))

    def best(self, kind: EntityType, others: Weights) -> float:
        """The weight of a type by the rule, the others being what they are."""
        gains = {weight: self.gain({**others, kind: weight}, others) for weight in WEIGHTS}
        weight = max(gains, key=lambda w: (gains[w].value, -w))
        return weight if gains[weight].low > 0 else 0.0

    def found(self) -> Iterator[Weights]:
        """The weights after each round, until one changes nothing."""
        weights: dict[EntityType, float] = {}
        for _ in range(ROUNDS):
            before = dict(weights)
            for kind in EntityType:
                weights.pop(kind, None)
                if weight := self.best(kind, weights):
                    weights[kind] = weight
            yield dict(weights)
            if weights == before:
                return


def corpus_of(whole: Any, parts: Any) -> list[AnnotatedDocument]:
    joined = [annotated(example) for example in read_examples(parts)]
    return [*tab.load(whole), *tab.parse(joined, source=parts.name)]


def readers(corpus: Sequence[AnnotatedDocument], models: Sequence[str]) -> Readers:
    sides = [side(item.document.id) for item in corpus]
    return [(model, [at for at, own in enumerate(sides) if own == half]) for half, model in enumerate(models)]


def main() -> None:
    parser = figures.options(__doc__)
    parser.add_argument("--crossed", nargs=2, metavar="FOLDER", help="models, each without one half of TAB train")
    args = parser.parse_args()
    if not args.crossed:
        figures.unavailable("needs --crossed: two models, each without one half of TAB train")
    files = [figures.needed(args.data, name) for name in (WHOLE, PARTS)]
    corpus = corpus_of(*files)
    policy = widest(Policy.load("balanced"))
    print(f"{len(corpus)} documents, read by", *args.crossed, file=sys.stderr)
    search = Search(Read(corpus, run(corpus, policy, False, readers(corpus, args.crossed))), Tuning(policy))
    alone = ratios(search.tally({}).sum(axis=0)[None])
    print(f"{FIRST} alone", *(f"{alone[name][0]:.4f}" for name in ("precision", "recall", "f1")))
    rows: list[list[Any]] = []
    for kind in EntityType:
        gains = [search.gain({kind: weight}, {}) for weight in WEIGHTS]
        print(
            f"{kind:10}",
            *(
                f"{weight:.2f} {10000 * g.value:+.1f} [{10000 * g.low:+.1f}, {10000 * g.high:+.1f}]  "
                for weight, g in zip(WEIGHTS, gains, strict=True)
            ),
            flush=True,
        )
        rows.append([str(kind), *map(figures.score, gains)])
    chosen: Weights = {}
    for number, chosen in enumerate(search.found(), 1):
        print(f"round {number}:", {str(kind): weight for kind, weight in chosen.items()}, flush=True)
    total = search.gain(chosen, {})
    print(f"together {10000 * total.value:+.1f} [{10000 * total.low:+.1f}, {10000 * total.high:+.1f}]")
    rows = [[*row, chosen.get(EntityType(row[0]), 0.0)] for row in rows]
    rows.append(["all chosen", *[None] * len(WEIGHTS), figures.score(total)])
    columns = ["type", *(f"F1 gained by {weight:.2f}" for weight in WEIGHTS), "chosen"]
    command = "python benchmarks/weights.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST WITHOUT_SECOND"
    title = "Weight of the language model, tuned on TAB train by two models, each on the half it never saw"
    figures.save(args.json, figures.figure(title, command, columns, rows, files=files, seeds=[0]))


if __name__ == "__main__":
    main()
