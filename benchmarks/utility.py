"""TPI of every masked column of an attack scenario: which tools keep how much, by two ways of asking the model.

    python benchmarks/utility.py SCENARIO.json[.gz] [--every 6] [--limit N] [--model lm] [--json]

The scenario is a list of records with `original_abstract` and further `*_abstract` columns. Masked texts are aligned
back to the original. Prints TPI by S-TA and by N-TA, the IC multiplier, words masked and compression loss of each
column; the rank correlation of TPI with the share of words kept; the largest difference between S-TA and N-TA and the
ratio of their times. Without the file, `MASKWISE_DATA/actors/50_eval.json.gz` is read; without that: unavailable.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from maskwise.evaluate.align import align
from maskwise.evaluate.utility import Information, Utility, average, information, measure
from maskwise.evaluate.weights import language_model
from maskwise.text.tab import read_json

ORIGINAL = "original_abstract"


def spearman(a: Sequence[float], b: Sequence[float]) -> float:
    """Rank correlation; no ties expected among means of real columns."""
    ranks = [np.argsort(np.argsort(values)) for values in (a, b)]
    return float(np.corrcoef(ranks)[0, 1])


def columns(records: Sequence[dict[str, Any]]) -> list[str]:
    names = [name for name in records[0] if name.endswith("_abstract") and name != ORIGINAL]
    return [name for name in names if all(record.get(name) for record in records)]


def timed(texts: Sequence[str], source: str, every: int | None) -> tuple[list[Information], tuple[float, float]]:
    """Information content with the seconds it took: by the clock, and of all cores (a busy machine slows the clock)."""
    model = language_model(source)
    model.information("A warm start.", [(0, 1)])
    clock, cores = time.perf_counter(), time.process_time()
    found = [information(text, model, every) for text in texts]
    return found, (time.perf_counter() - clock, time.process_time() - cores)


def run(path: Path, every: int, limit: int | None, source: str) -> dict[str, Any]:
    records = read_json(path)[:limit]
    texts = [record[ORIGINAL] for record in records]
    by_sentence, slow = timed(texts, source, None)
    by_number, fast = timed(texts, source, every)
    rows = []
    for column in columns(records):
        aligned = [align(text, record[column]) for text, record in zip(texts, records, strict=True)]
        s, n = (
            [measure(t, a.masks, k) for t, a, k in zip(texts, aligned, known, strict=True)]
            for known in (by_sentence, by_number)
        )
        rows.append(row(column, s, n, sum(len(a.ambiguous) for a in aligned)))
    kept = [1 - r["words_masked"] for r in rows]
    return {
        "documents": len(records),
        "terms": sum(len(known.spans) for known in by_sentence),
        "columns": rows,
        "rank_correlation": {
            "S-TA": spearman([r["tpi"] for r in rows], kept),
            f"{every}-TA": spearman([r["tpi_n"] for r in rows], kept),
        },
        "largest_difference": max(abs(r["tpi"] - r["tpi_n"]) for r in rows),
        "seconds": {"S-TA": slow, f"{every}-TA": fast},
        "time_ratio": slow[1] / fast[1],
    }


def row(column: str, s: Sequence[Utility], n: Sequence[Utility], ambiguous: int) -> dict[str, Any]:
    means = {name: score.value for name, score in average(s).items()}
    found = average(s)["tpi"]
    return {
        "column": column.removesuffix("_abstract"),
        "tpi": found.value,
        "low": found.low,
        "high": found.high,
        "tpi_n": average(n)["tpi"].value,
        "ic_multiplier": means["ic_multiplier"],
        "words_masked": means["words_masked"],
        "compression_loss": means["compression_loss"],
        "ambiguous": ambiguous,
    }


def show(result: dict[str, Any], every: int) -> None:
    print(f"{result['documents']} documents, {result['terms']} terms")
    heads = f"{'TPI S-TA':>20} {f'TPI {every}-TA':>9} {'IC mult.':>8} {'words':>6} {'compr.':>6} {'ambig.':>6}"
    print(f"{'column':16} {heads}")
    for r in sorted(result["columns"], key=lambda r: -r["tpi"]):
        print(
            f"{r['column']:16} {r['tpi']:.3f} [{r['low']:.3f}, {r['high']:.3f}] {r['tpi_n']:>9.3f} "
            f"{r['ic_multiplier']:>8.2f} {r['words_masked']:>6.3f} {r['compression_loss']:>6.3f} {r['ambiguous']:>6}"
        )
    for name, value in result["rank_correlation"].items():
        print(f"rank correlation of TPI ({name}) with 1 - words masked: {value:.3f}")
    print(f"largest difference of S-TA and {every}-TA: {result['largest_difference']:.3f}")
    for name, (clock, cores) in result["seconds"].items():
        print(f"{name}: {clock:.1f} s by the clock, {cores:.1f} s of CPU")
    print(f"ratio of CPU times: {result['time_ratio']:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", type=Path)
    parser.add_argument("--every", type=int, default=6)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--model", default="lm")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    path = options.scenario or Path(os.environ.get("MASKWISE_DATA", "")) / "actors" / "50_eval.json.gz"
    if not path.is_file():
        sys.exit("unavailable: name a scenario, or set MASKWISE_DATA")
    result = run(path, options.every, options.limit, options.model)
    print(json.dumps(result, indent=1)) if options.json else show(result, options.every)


if __name__ == "__main__":
    main()
