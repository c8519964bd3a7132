"""Agreement on a corpus in TAB format beside what was published for the whole of TAB (Pilán et al. 2022, table 5).

    python benchmarks/agreement.py [CORPUS.json[.gz]] [--json]

Without a path, `MASKWISE_DATA/tab/dev.json.gz` is read; without that: unavailable. Our kappa is Fleiss', a mean over
documents. A difference over .03 is marked. Also printed: each annotator against the others, and the majority.

Where labels of the corpus were filled in from other annotators, people seem to agree more than they did. The last
column, for spans, puts the published disagreement on the labels of shared spans back: with alpha published and alpha
found, the share of agreeing labels falls from a to a', observed agreement is scaled by a' / a, and kappa follows with
the same chance agreement.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from maskwise.evaluate import agreement as measures
from maskwise.evaluate.tab import summary
from maskwise.text import tab

PUBLISHED = {  # observed agreement, kappa, alpha
    ("entity type", "exact"): (0.75, 0.67, 0.96),
    ("entity type", "partial"): (0.80, 0.74, 0.95),
    ("entity type", "character"): (0.96, 0.86, 0.94),
    ("identifier type", "exact"): (0.67, 0.46, 0.68),
    ("identifier type", "partial"): (0.71, 0.51, 0.67),
    ("identifier type", "character"): (0.94, 0.79, 0.69),
    ("confidential status", "exact"): (0.97, 0.30, 0.30),
    ("confidential status", "partial"): (0.97, 0.33, 0.32),
    ("confidential status", "character"): (0.96, 0.86, 0.44),
}
LIMIT = 0.03
PEOPLE = {
    "each annotator against the others": measures.against_others,
    "majority of the others against each": measures.majority_of_others,
    "majority of all against all": measures.majority_of_all,
}


def put_back(observed: float, kappa: float, alpha: float, published_alpha: float) -> float:
    """Kappa if people disagreed on the labels of shared spans as often as published."""
    chance = (observed - kappa) / (1 - kappa)
    found, real = (1 - (1 - a) * (1 - chance) for a in (alpha, published_alpha))
    return (observed * min(1.0, real / found) - chance) / (1 - chance)


def run(path: Path) -> dict[str, Any]:
    documents = tab.load(path)
    start = time.perf_counter()
    rows = []
    for found in measures.agreement(documents):
        theirs = PUBLISHED[found.attribute, found.unit]
        ours = [found.scores[name].value for name in ("observed", "fleiss", "alpha")]
        row = {"attribute": found.attribute, "unit": found.unit, "documents": found.documents, "published": theirs}
        rows.append(row | ({"found": ours, "kappa_put_back": put_back(*ours, theirs[2])} if found.documents else {}))
    people = {who: summary(count(documents)) for who, count in PEOPLE.items()}
    names = ("precision", "recall", "f1")
    return {
        "corpus": path.name,
        "agreement": rows,
        "people": {who: {name: scores[name].value for name in names} for who, scores in people.items()},
        "seconds": time.perf_counter() - start,
    }


def show(result: dict[str, Any]) -> None:
    heads = "".join(f"{name:>18}" for name in ("observed", "kappa", "alpha"))
    print(f"{'attribute':20} {'unit':10} {'docs':>4}{heads}   kappa with published label disagreement")
    for row in result["agreement"]:
        print(f"{row['attribute']:20} {row['unit']:10} {row['documents']:>4}", end="")
        if "found" not in row:
            print("  unavailable: no document has two layers with it")
            continue
        for ours, theirs in zip(row["found"], row["published"], strict=True):
            mark = "*" if abs(ours - theirs) > LIMIT else " "
            print(f"   {ours:.3f} ({theirs:.2f}) {mark}", end="")
        print(f"   {row['kappa_put_back']:.3f}" if row["unit"] != "character" else "")
    print(f"found (published); * differs by more than {LIMIT}")
    for who, scores in result["people"].items():
        print(f"{who}: P {scores['precision']:.3f} R {scores['recall']:.3f} F1 {scores['f1']:.3f}")
    print(f"{result['seconds']:.1f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="?", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    path = options.corpus or Path(os.environ.get("MASKWISE_DATA", "")) / "tab" / "dev.json.gz"
    if not path.is_file():
        sys.exit("unavailable: name a corpus, or set MASKWISE_DATA")
    result = run(path)
    print(json.dumps(result, indent=1)) if options.json else show(result)


if __name__ == "__main__":
    main()
