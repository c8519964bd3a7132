"""Agreement on a corpus in TAB format beside what was published for the whole of TAB (Pilán et al. 2022, table 5).

    python benchmarks/agreement.py --data $MASKWISE_DATA [--corpus CORPUS.json[.gz]] [--json FILE]

Our kappa is Fleiss', a mean over documents. A difference over .03 is marked. How well people do as systems is in
`benchmarks/evaluate.py`.

Where labels of the corpus were filled in from other annotators, people seem to agree more than they did. The last
column, for spans, puts the published disagreement on the labels of shared spans back: with alpha published and alpha
found, the share of agreeing labels falls from a to a', observed agreement is scaled by a' / a, and kappa follows with
the same chance agreement.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import figures
from maskwise.evaluate import agreement as measures
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


def put_back(observed: float, kappa: float, alpha: float, published_alpha: float) -> float:
    """Kappa if people disagreed on the labels of shared spans as often as published."""
    chance = (observed - kappa) / (1 - kappa)
    found, real = (1 - (1 - a) * (1 - chance) for a in (alpha, published_alpha))
    return (observed * min(1.0, real / found) - chance) / (1 - chance)


def run(path: Path) -> list[dict[str, Any]]:
    rows = []
    for found in measures.measure_agreement(tab.load_corpus(path)):
        theirs = PUBLISHED[found.attribute, found.unit]
        ours = [found.scores[name].value for name in ("observed", "fleiss", "alpha")]
        row = {
            "attribute": found.attribute,
            "unit": found.unit,
            "documents": found.documents,
            "published": theirs,
        }
        rows.append(
            row
            | (
                {"found": ours, "kappa_put_back": put_back(*ours, theirs[2])}
                if found.documents
                else {}
            )
        )
    return rows


def list_cells(row: dict[str, Any]) -> list[Any]:
    unit = row["unit"] if row["unit"] == "character" else f"span, {row['unit']}"
    found = row.get("found", [None] * 3)
    pairs = [
        cell
        for ours, theirs in zip(found, row["published"], strict=True)
        for cell in (ours, theirs)
    ]
    return [row["attribute"], unit, row["documents"], *pairs]


def show(rows: Sequence[dict[str, Any]]) -> None:
    heads = "".join(f"{name:>18}" for name in ("observed", "kappa", "alpha"))
    print(
        f"{'attribute':20} {'unit':10} {'docs':>4}{heads}   kappa with published label disagreement"
    )
    for row in rows:
        print(f"{row['attribute']:20} {row['unit']:10} {row['documents']:>4}", end="")
        if "found" not in row:
            print("  unavailable: no document has two layers with it")
            continue
        for ours, theirs in zip(row["found"], row["published"], strict=True):
            mark = "*" if abs(ours - theirs) > LIMIT else " "
            print(f"   {ours:.3f} ({theirs:.2f}) {mark}", end="")
        print(f"   {row['kappa_put_back']:.3f}" if row["unit"] != "character" else "")
    print(f"found (published); * differs by more than {LIMIT}")


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--corpus", type=Path)
    args = parser.parse_args()
    path = args.corpus or figures.require_source(args.data, "tab/dev.json.gz")
    start = time.perf_counter()
    rows = run(path)
    seconds = time.perf_counter() - start
    show(rows)
    put = ", ".join(
        f"{row['attribute']}, {row['unit']} {row['kappa_put_back']:.3f}"
        for row in rows
        if "found" in row and row["unit"] != "character"
    )
    table = figures.build_figure(
        "Agreement of annotators, TAB dev, beside the whole of TAB as published",
        "python benchmarks/agreement.py --data $MASKWISE_DATA --json docs/figures/agreement.json",
        [
            "attribute",
            "unit",
            "documents",
            *(h for n in ("observed", "kappa", "alpha") for h in (n, "published")),
        ],
        [list_cells(row) for row in rows],
        files=[path],
        seconds=seconds,
        note=f"Kappa of spans with the published disagreement on labels put back: {put}. "
        "What differs and why: [Evaluation](evaluation.md#maskwise-agreement).",
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
