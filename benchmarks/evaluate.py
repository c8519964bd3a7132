"""People as systems on an annotated corpus, and the time that scoring takes, intervals included.

    python benchmarks/evaluate.py --data $MASKWISE_DATA [--corpus CORPUS.json[.gz]] [--json FILE]

Each annotator against the others (the human ceiling), the majority of the others against each, the majority of all
against all (about the most one set of masks can reach), and masking everything that anybody marked. The last is scored
as `maskwise evaluate` does: all metrics, 1,000 resamples; its seconds are of the processor, after the corpus is read.
"""

from __future__ import annotations

import time
from pathlib import Path

import figures
from maskwise.evaluate import agreement as measures
from maskwise.evaluate.tab import evaluate_masks, summarise_counts
from maskwise.text import tab

PEOPLE = {
    "each annotator against the others": measures.score_against_others,
    "majority of the others against each": measures.score_majority_of_others,
    "majority of all against all": measures.score_majority_of_all,
}
SHOWN = ("precision", "recall", "f1", "entity_recall_direct", "entity_recall_quasi")


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--corpus", type=Path)
    args = parser.parse_args()
    path = args.corpus or figures.require_source(args.data, "tab/dev.json.gz")
    corpus = tab.load_corpus(path)
    tallies = {who: count(corpus) for who, count in PEOPLE.items()}
    found = {
        who: summarise_counts(tally) for who, tally in tallies.items() if tally.size
    }  # none with one annotator a document
    masks = {
        item.document.id: [a.mention.span for layer in item.layers for a in layer.annotations]
        for item in corpus
    }
    start = time.process_time()
    found["everything anybody marked"] = evaluate_masks(corpus, masks)
    seconds = time.process_time() - start
    for who, scores in found.items():
        print(f"{who:38}" + "  ".join(f"{name} {scores[name]}" for name in SHOWN))
    layers = sum(len(item.layers) for item in corpus)
    told = f"{len(corpus)} documents, {layers} layers of annotation, 1,000 resamples: {seconds:.1f} s on one core"
    print(told)
    table = figures.build_figure(
        f"People as systems, {'TAB dev' if args.corpus is None else path.name}",
        "python benchmarks/evaluate.py --data $MASKWISE_DATA --json docs/figures/evaluate.json",
        ["who", *(name.replace("_", " ") for name in SHOWN)],
        [
            [who, *(figures.describe_score(scores[name]) for name in SHOWN)]
            for who, scores in found.items()
        ],
        files=[path],
        seeds=[0],
        note=f"Time of one evaluation: {told}.",
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
