"""TPI of every masked column of an attack scenario and of our own output: which tools keep how much.

    python benchmarks/utility.py --data $MASKWISE_DATA [--scenario FILE] [--every 6] [--limit N] [--json FILE]

Masked texts are aligned back to the original; our own masks are known. Prints TPI by S-TA and by N-TA, the IC
multiplier, words masked and compression loss of each column; the rank correlation of TPI with the share of words kept,
over the columns of others; the largest difference between S-TA and N-TA and the ratio of their times.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import actors
import figures
from actors import CLEAR
from maskwise.attack.scenario import Scenario, read_scenario
from maskwise.evaluate.terms import find_terms
from maskwise.evaluate.utility import (
    Information,
    average_utility,
    compute_information,
    measure_utility,
)
from maskwise.evaluate.weights import load_language_model
from maskwise.text.align import align_texts
from maskwise.text.masks import Mask

SCENARIO = "actors/50_eval.json.gz"
HEADS = ("IC multiplier", "words masked", "compression loss", "ambiguous")


class Timed(NamedTuple):
    """Information content with the seconds it took: by the clock, and of all cores (a busy machine slows the clock)."""

    found: list[Information]
    clock: float
    cores: float


def time_reading(texts: Sequence[str], source: str, every: int | None) -> Timed:
    model = load_language_model(source)
    model.measure_information("A warm start.", [(0, 1)])
    clock, cores = time.perf_counter(), time.process_time()
    found = [compute_information(text, model, every) for text in texts]
    return Timed(found, time.perf_counter() - clock, time.process_time() - cores)


def find_cache(texts: Sequence[str]) -> Path:
    """Where the information content of these texts by S-TA with the embedded model is kept for other benchmarks."""
    key = hashlib.sha256(
        "\0".join([figures.list_versions()["model small"], *texts]).encode()
    ).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"maskwise-information-{key}.npz"


def save_readings(texts: Sequence[str], found: Sequence[Information]) -> None:
    np.savez(find_cache(texts), **{str(at): one.content for at, one in enumerate(found)})


def load_readings(texts: Sequence[str]) -> list[Information]:
    """Information content as kept, or measured now."""
    if not (path := find_cache(texts)).is_file():
        save_readings(texts, time_reading(texts, "lm", None).found)
    with np.load(path, allow_pickle=False) as file:
        return [
            Information(tuple(find_terms(text)), file[str(at)]) for at, text in enumerate(texts)
        ]


def correlate_ranks(a: Sequence[float], b: Sequence[float]) -> float:
    """Rank correlation; no ties expected among means of real columns."""
    ranks = [np.argsort(np.argsort(values)) for values in (a, b)]
    return float(np.corrcoef(ranks)[0, 1])


def list_versions(scenario: Scenario) -> dict[str, tuple[list[list[Mask]], int]]:
    """Masks of each column by document, and how many places could be aligned in another way."""
    clear = [target.text for target in scenario.columns[CLEAR]]
    found: dict[str, tuple[list[list[Mask]], int]] = {}
    for label, column in scenario.columns.items():
        if label != CLEAR and label not in actors.LEFT_OUT and len(column) == len(clear):
            aligned = [
                align_texts(text, target.text) for text, target in zip(clear, column, strict=True)
            ]
            found[label] = [list(a.masks) for a in aligned], sum(len(a.ambiguous) for a in aligned)
    return found | {label: (masks, 0) for label, masks in actors.list_own_masks(scenario).items()}


def build_row(
    label: str, texts: Sequence[str], masks: Sequence[Sequence[Mask]], s: Timed, n: Timed
) -> dict[str, Any]:
    by_s, by_n = (
        average_utility(
            [measure_utility(t, m, k) for t, m, k in zip(texts, masks, known.found, strict=True)]
        )
        for known in (s, n)
    )
    values = {
        name: by_s[name].value for name in ("ic_multiplier", "words_masked", "compression_loss")
    }
    return {
        "column": label,
        "tpi": figures.describe_score(by_s["tpi"]),
        "tpi_n": by_n["tpi"].value,
        **values,
    }


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--scenario", type=Path)
    parser.add_argument("--every", type=int, default=6)
    parser.add_argument("--limit", type=int, help="the first N texts")
    parser.add_argument("--model", default="lm")
    args = parser.parse_args()
    path = args.scenario or figures.require_source(args.data, SCENARIO)
    scenario = read_scenario(path)
    if args.limit:
        columns = {label: column[: args.limit] for label, column in scenario.columns.items()}
        scenario = Scenario(scenario.names, scenario.background, columns)
    texts = [target.text for target in scenario.columns[CLEAR]]
    s, n = time_reading(texts, args.model, None), time_reading(texts, args.model, args.every)
    if args.model == "lm":
        save_readings(texts, s.found)
    rows = []
    for label, (masks, ambiguous) in list_versions(scenario).items():
        rows.append(build_row(label, texts, masks, s, n) | {"ambiguous": ambiguous})
    rows.sort(key=lambda r: -r["tpi"]["value"])
    others = [r for r in rows if r["column"] not in actors.OURS]
    kept = [1 - r["words_masked"] for r in others]
    ranks = [
        correlate_ranks(values, kept)
        for values in ([r["tpi"]["value"] for r in others], [r["tpi_n"] for r in others])
    ]
    furthest = max(abs(r["tpi"]["value"] - r["tpi_n"]) for r in rows)
    note = (
        f"{len(texts)} texts, {sum(len(known.spans) for known in s.found):,} terms. Rank correlation of TPI with the "
        f"share of words kept, over the columns of others: {ranks[0]:.3f} (S-TA), {ranks[1]:.3f} ({args.every}-TA). "
        f"Largest difference of the two: {furthest:.3f}. S-TA took {s.cores:.0f} s of CPU ({s.clock:.0f} s by the "
        f"clock), {args.every}-TA {n.cores:.0f} s ({n.clock:.0f} s): {s.cores / n.cores:.1f} times less."
    )
    for r in rows:
        found = "{value:.3f} [{low:.3f}, {high:.3f}]".format(**r["tpi"])
        print(
            f"{r['column']:40} {found} {r['tpi_n']:>7.3f} "
            f"{r['ic_multiplier']:>6.2f} {r['words_masked']:>6.3f} {r['compression_loss']:>6.3f} {r['ambiguous']:>4}"
        )
    print(note)
    table = figures.build_figure(
        "Information kept (TPI) in masked texts of actors",
        "python benchmarks/utility.py --data $MASKWISE_DATA --json docs/figures/utility.json",
        ["version", "TPI, S-TA", f"TPI, {args.every}-TA", *HEADS],
        [list(r.values()) for r in rows],
        files=[path],
        note=note
        + " Ambiguous: places where masked text could be aligned with the original in another way.",
    )
    figures.save_figure(args.json, table)


if __name__ == "__main__":
    main()
