"""Hiding in the embedded crowd without a register: people that no model has seen, judged by attackers never asked.

    python benchmarks/crowd.py --population people.jsonl [--judge FOLDER] [--docs 117] [--ks 24 64] [--json FILE]

`people.jsonl` is what `maskwise crowd from-text` makes of the biographies of the embedded crowd; documents are
the first words of held-out people (`maskwise.crowd.folds`). Each person is taken out of the crowd, and the policy
`anonymous` hides them by what the document itself tells (self-profile). Beside it: the same with the person's real
profile, `balanced`, `strict`, and Presidio where it is installed. The judges know the real profiles of all people, with
names: `pieces` (BM25 over runs of letters) and the bi-encoder of `--judge`, which no search asks. The kept figures are
judged by the encoder that shipped before today's (`git archive dd794e7 src/maskwise/bundle/crowd/encoder`); `maskwise
train reid` with another seed makes a fresh one. A person is found when the judges together, their log-probabilities
added up, rank the right profile first; `by any` counts those whom at least one judge finds. Intervals: 95 %, Wilson
for shares of people, bootstrap over documents for means. Without `--judge` the lexical judge is alone, and finds fewer.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import figures
from attackers import fit_attackers
from baselines import mask_from, score_spans
from maskwise.crowd.chances import Trials
from maskwise.crowd.crowd import Crowd
from maskwise.crowd.folds import Fold
from maskwise.crowd.population import Population
from maskwise.policy import Policy
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Person
from maskwise.trials import try_people
from trial import Trial, describe_mean, describe_rate

BINS = 10  # of the reliability table
COLUMNS = ["method", "found", "by any judge", "words masked", "K reached", "seconds, median"]


def mask_words(trial: Trial, spans: Sequence[Sequence[tuple[int, int]]]) -> list[Any]:
    """The words that share a character with a span, per document."""
    pairs = zip(trial.words, spans, strict=True)
    return [mask_from(score_spans(words, found), 0.5) for words, found in pairs]


def make_documents(trial: Trial) -> list[Document]:
    found = []
    for profile in trial.profiles:
        people = tuple(map(Person, profile.get("name")))
        found.append(Document(profile.text, id=profile.id, protected=people))
    return found


def hide(
    trial: Trial, k: int, people: Population | None, attackers: Sequence[str]
) -> Iterator[tuple[Result, float]]:
    """Each document under `anonymous`, and the seconds it took; with `people`, by the real profiles."""
    policy = Policy.load("anonymous")
    raw = policy.model_dump(mode="json")
    chosen = Policy.parse({**raw, "crowd": {**raw["crowd"], "k": k, "attackers": list(attackers)}})
    shipped = Crowd.open()
    known = replace(shipped, rows=people) if people else None
    for document, place in zip(make_documents(trial), trial.targets, strict=True):
        sanitizer = Sanitizer(chosen, known or replace(shipped, without=(place,)))
        begun = time.perf_counter()
        result = sanitizer.sanitize(document)
        yield result, time.perf_counter() - begun


def run_presidio(texts: Sequence[str]) -> list[list[tuple[int, int]]] | None:
    """The spans of Presidio, or None where it is not installed."""
    if not figures.PEERS_PYTHON.exists():
        return None
    command = [str(figures.PEERS_PYTHON), str(Path(__file__).parent / "peer.py"), "presidio"]
    done = subprocess.run(
        command,
        input=json.dumps(list(texts)),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ},
    )
    return [[(start, end) for start, end in spans] for spans in json.loads(done.stdout)["spans"]]


def add_row(
    rows: list[list[Any]], trial: Trial, name: str, judges: Sequence[str], *more: Any
) -> None:
    found, by_any = trial.find_people(name, judges), trial.find_by_any(name, judges)
    row = [
        name,
        describe_rate(found),
        describe_rate(by_any),
        describe_mean(trial.measure_share(name)),
        *more,
    ]
    rows.append(row)
    print(
        f"{name}: found {row[1]['value']:.3f} [{row[1]['low']:.3f}, {row[1]['high']:.3f}], by any "
        f"{row[2]['value']:.3f}, words {row[3]['value']:.3f} [{row[3]['low']:.3f}, {row[3]['high']:.3f}]",
        *more,
        flush=True,
    )


@dataclass(frozen=True, slots=True)
class Bin:
    """People with similar probabilities: how many there are, their mean probability, and the share that is found."""

    count: int
    probability: float
    found: float


def group_by_probability(
    trials: Trials, estimate: Callable[[float], float]
) -> tuple[list[Bin], float]:
    """The reliability table, and the expected calibration error: the mean gap between said and found."""
    said = np.array([estimate(float(one)) for one in trials.odds])
    places = np.minimum((said * BINS).astype(int), BINS - 1)
    bins = list(_fill_bins(said, trials.found, places))
    gaps = [abs(one.probability - one.found) * one.count for one in bins]
    return bins, sum(gaps) / max(len(said), 1)


def _fill_bins(
    said: NDArray[np.float64], found: NDArray[np.float64], places: NDArray[np.intp]
) -> Iterator[Bin]:
    for place in range(BINS):
        own = places == place
        if own.any():
            yield Bin(int(own.sum()), float(said[own].mean()), float(found[own].mean()))


def show_reliability(people: Population, count: int) -> None:
    """Print, per attacker, how often people of like probability are found: held-out people under random masks."""
    crowd = Crowd.open()
    for name, trials in try_people(people, crowd, Fold.HELD_OUT, count, seed=1).items():
        bins, error = group_by_probability(trials, partial(crowd.estimate_chance, name))
        print(f"{name}: {len(trials.odds)} maskings, expected calibration error {error:.4f}")
        for one in bins:
            print(f"  said {one.probability:.3f}, found {one.found:.3f} of {one.count}")


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--population", type=Path, required=True)
    parser.add_argument(
        "--judge", type=Path, help="a bi-encoder that is not shipped; without it, lexical judges"
    )
    parser.add_argument("--cache", type=Path, help="folder of the judge's embeddings")
    parser.add_argument("--docs", type=int, default=117)
    parser.add_argument("--ks", type=int, nargs="*", default=[24, 64])
    parser.add_argument("--no-real", action="store_true", help="leave out the real profiles")
    parser.add_argument(
        "--attackers", nargs="*", default=[], help="asked by the search; all by default"
    )
    parser.add_argument(
        "--calibration",
        type=int,
        metavar="N",
        help="print reliability on N held-out people and stop",
    )
    args = parser.parse_args()
    if args.calibration:
        show_reliability(Population.load(args.population), args.calibration)
        return
    begun = time.perf_counter()
    people = Population.load(args.population)
    attackers = fit_attackers(people, [args.judge] if args.judge else [], 300, args.cache)
    judges = [name for name in attackers if name != "bm25"]
    trial = Trial(people, {name: attackers[name] for name in judges}, args.docs)
    rows: list[list[Any]] = []
    clear = [np.zeros(len(words), dtype=bool) for words in trial.words]
    trial.masks["clear text"] = clear
    add_row(rows, trial, "clear text", judges, None, None)
    for name in ("balanced", "strict"):
        results = Sanitizer(name).run(make_documents(trial))
        spans = [[(start, end) for start, end, _ in result.masks] for result in results]
        trial.masks[name] = mask_words(trial, spans)
        add_row(rows, trial, name, judges, None, None)
    presidio = run_presidio([profile.text for profile in trial.profiles])
    if presidio is not None:
        trial.masks["Presidio"] = mask_words(trial, presidio)
        add_row(rows, trial, "Presidio", judges, None, None)
    ways = {"self-profile": None} | ({} if args.no_real else {"real profile": people})
    for k in args.ks:
        for way, known in ways.items():
            done = list(hide(trial, k, known, args.attackers))
            spans = [[(start, end) for start, end, _ in result.masks] for result, _ in done]
            name = f"anonymous, {way}, K = {k}"
            trial.masks[name] = mask_words(trial, spans)
            reached = np.mean([not result.risk.exposed for result, _ in done if result.risk])
            seconds = float(np.median([seconds for _, seconds in done]))
            add_row(rows, trial, name, judges, round(float(reached), 3), round(seconds, 2))
    judge = " --judge judge" * bool(args.judge) + " --no-real" * args.no_real
    command = f"python benchmarks/crowd.py --population people.jsonl{judge}"
    found = figures.build_figure(
        "Hiding in the embedded crowd" + ", a lexical judge alone" * (not args.judge),
        command,
        COLUMNS,
        rows,
        files=[args.population],
        note=f"{len(people):,} people, {len(trial)} held-out documents; judges: {', '.join(judges)}.",
        seeds=[0],
        seconds=round(time.perf_counter() - begun),
    )
    figures.save_figure(args.json, found)


if __name__ == "__main__":
    main()
