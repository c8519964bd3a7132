"""Hiding in a crowd: attackers on masked biographies, searches against baselines, time, and cost by population size.

    python benchmarks/kanonymity.py --population people.jsonl [--model FOLDER]... [--docs 200] [--json FILE]

`people.jsonl` is what `maskwise population from-text` makes of biographies: profiles with the first words of each text.
People are split by a hash of their id (`maskwise.crowd.folds`): documents are those of the first `--docs` held-out
people, whose documents no model has seen; all profiles are candidates; temperatures are fitted on training people.
A document is re-identified when an attacker ranks its person first (equals are guessed among): several attackers as
one, their weighted log-probabilities added up, or any of them. Searches are judged by attackers that none was run
against, and so are the baselines beside them. A search masks one by one (greedy), on top of that exchanges masks for
fewer (`deidentify --exchange 8`), or shows what is harmless.
What grows with the population is timed with recombined profiles, whose embeddings are means of those of two people.
Intervals: 95 %, Wilson for shares of people, bootstrap over documents (1,000 resamples) for means. Figures are saved
after each part.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import figures
from attackers import fit_attackers
from baselines import Rarity
from crowd_growth import list_rows, measure_growth
from maskwise.crowd.dense import DenseRanker
from maskwise.crowd.lexical import join_values
from maskwise.crowd.population import Population
from maskwise.crowd.search import Effort, list_entity_units, list_word_units
from maskwise.report.plots import load_figure
from trial import (
    Trial,
    add_baselines,
    describe_mean,
    describe_rate,
    find_simple_entities,
    format_times,
    hide,
    search_greedily,
    search_plainly,
    time_work,
)

GREEDY, SHOWN, EXCHANGED = Effort(), Effort("show"), Effort(exchange=8)
WAYS = {GREEDY: "greedy", SHOWN: "search", EXCHANGED: "exchange"}
LINES = {
    "search": "#0b6e99",
    "exchange": "#2a7a3b",
    "greedy": "#7b4fa3",
    "IDF, table-aware": "#b35900",
    "IDF": "#7a7a7a",
}
MARKS = {
    "lexical": "s",
    "named entity": "^",
    "default policy, balanced": "D",
    "default policy, recall": "v",
}
BOUNDS = (0.25, 0.05, 0.01)


def format_score(value: Mapping[str, float]) -> str:
    return f"{value['value']:.3f} [{value['low']:.3f}, {value['high']:.3f}]"


def list_attack_rows(trial: Trial) -> list[list[Any]]:
    """Who is found on clear text, without named entities and without the words of the profile."""
    rows = []
    for method in ("clear", "named entity", "lexical"):
        told = {name: describe_rate(trial.find_people(method, [name])) for name in trial.attackers}
        told["ensemble"] = describe_rate(trial.find_people(method, trial.attackers))
        told["any of them"] = describe_rate(trial.find_by_any(method, trial.attackers))
        masked = describe_mean(trial.measure_share(method))
        print(
            f"{method}: {masked['value']:.1%} of words masked; "
            + "; ".join(f"{n} {format_score(v)}" for n, v in told.items())
        )
        rows += [
            [
                f"top-1 on {method} text",
                name,
                "",
                value,
                None,
                masked,
                describe_mean(trial.measure_loss(method)),
            ]
            for name, value in told.items()
        ]
    return rows


def list_privacy_rows(
    trial: Trial,
    judges: Sequence[str],
    against: Sequence[str],
    ks: Sequence[int],
    units: Sequence[Any],
    kind: str,
    effort: Effort,
) -> list[list[Any]]:
    """Searches for each k, judged by attackers that were not searched against; the least words for each bound."""
    label = f"{WAYS[effort]} against {'+'.join(against)}, {kind}"
    rows = []
    for k in ks:
        name = f"{label}, K = {k}"
        trial.masks[name], times, reached = hide(trial, name, against, k, units, effort)
        row = build_row(trial, name, judges)
        print(
            f"{name}: re-identified {format_score(row[3])}, by any {format_score(row[4])}, words "
            f"{format_score(row[5])}, loss {format_score(row[6])}; reached {reached:.1%}; {times}",
            flush=True,
        )
        rows.append([*row[:2], f"{times}; reached {reached:.1%}", *row[3:]])
    return rows + (list_bound_rows(trial, judges, label) if ks else [])


def build_row(trial: Trial, method: str, judges: Sequence[str]) -> list[Any]:
    hits, one, words = (
        trial.find_people(method, judges),
        trial.find_by_any(method, judges),
        trial.measure_share(method),
    )
    return [
        method,
        "+".join(judges),
        "",
        describe_rate(hits),
        describe_rate(one),
        describe_mean(words),
        describe_mean(trial.measure_loss(method)),
    ]


def list_bound_rows(trial: Trial, judges: Sequence[str], label: str) -> list[list[Any]]:
    """For each bound on the share re-identified, the fewest words with which each way keeps it."""
    rows: list[list[Any]] = []
    for bound in BOUNDS:
        for by, found in (("together", trial.find_people), ("any", trial.find_by_any)):
            least: dict[str, tuple[float, str]] = {}
            for method in trial.masks:
                kind = next(
                    (
                        kind
                        for kind in (label, "IDF, table-aware", "IDF")
                        if method.startswith(kind)
                    ),
                    method,
                )
                if found(method, judges).mean() <= bound:
                    least[kind] = min(
                        least.get(kind, (2.0, "")),
                        (float(trial.measure_share(method).mean()), method),
                    )
            ours, table = (
                least.get(label, (None, ""))[0],
                least.get("IDF, table-aware", (None, ""))[0],
            )
            ratio = round(ours / table, 3) if ours is not None and table else None
            told = "; ".join(
                f"{kind} {share:.1%} ({method})" for kind, (share, method) in least.items()
            )
            name = f"{'+'.join(judges)}, {by}"
            print(
                f"at most {bound:.0%} by {name}: ratio to table-aware IDF {ratio}; {told}",
                flush=True,
            )
            title = f"least words at ≤ {bound:.0%} re-identified"
            rows.append(
                [
                    f"{title}: {label}",
                    name,
                    f"ratio to table-aware IDF {ratio}",
                    None,
                    None,
                    ours,
                    None,
                ]
            )
            rows.append([f"{title}: table-aware IDF", name, "", None, None, table, None])
    return rows


def list_speed_rows(
    trial: Trial, against: Sequence[str], k: int, count: int, units: Sequence[Any], kind: str
) -> list[list[Any]]:
    """Our search, as the command runs it, on all documents, and on some of them beside the plain greedy loop."""
    rankers = [trial.rankers[name] for name in against]
    ours, plain, masked = [], [], []
    for at, (words, target, parts) in enumerate(
        zip(trial.words, trial.targets, units, strict=True)
    ):
        mask, *times = time_work(search_greedily, rankers, words, target, k, parts)
        ours.append(times)
        if at < count:
            other, *times = time_work(search_plainly, rankers, words, target, k, parts)
            plain.append(times)
            masked.append((mask.sum(), other.sum()))
    times = format_times(*zip(*ours, strict=True))
    length = np.mean([*map(len, trial.words)])
    told = f"{times} ({len(ours)} documents of {length:.0f} words)"
    if plain:
        wall, cpu = (
            sum(t[n] for t in plain) / sum(t[n] for t in ours[: len(plain)]) for n in (0, 1)
        )
        total, less = np.sum(masked, axis=0), sum(a < b for a, b in masked)
        told += (
            f"; plain greedy, first {len(plain)} of them: {format_times(*zip(*plain, strict=True))}; ours is "
            f"{wall:.1f} times faster ({cpu:.1f} of processor time) and masks {total[0]} words against "
            f"{total[1]}, fewer in {less} and "
            f"as many in {sum(a == b for a, b in masked)}"
        )
    name = f"time against {'+'.join(against)}, {kind}, K = {k}"
    print(f"{name}: {told}", flush=True)
    return [[name, "", told, None, None, None, None]]


def plot(trial: Trial, judges: Sequence[str], against: Sequence[str], path: Path) -> None:
    """Share re-identified by the judges over the share of words masked."""
    figure = load_figure()(figsize=(9.6, 4.2), layout="constrained")
    panels = (("together", trial.find_people), ("by any of them", trial.find_by_any))
    for axes, (by, found) in zip(figure.subplots(1, 2, sharey=True), panels, strict=True):
        for kind, colour in LINES.items():
            names = [
                m for m in trial.masks if m.startswith(f"{kind} against {'+'.join(against)}, words")
            ]
            names = names or [m for m in trial.masks if m.rpartition(", ")[0] == kind]
            points = sorted((trial.measure_share(m).mean(), found(m, judges).mean()) for m in names)
            if points:
                axes.plot(*zip(*points, strict=True), "-o", color=colour, markersize=4, label=kind)
        for method, mark in MARKS.items():
            axes.plot(
                trial.measure_share(method).mean(),
                found(method, judges).mean(),
                mark,
                color="#24292f",
                label=method,
            )
        axes.set(
            xlabel="share of words masked",
            title=f"{' and '.join(judges)} {by}",
            xlim=(0, 0.8),
            ylim=(0, 1),
        )
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("re-identified")
    figure.axes[0].legend(frameon=False, fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument("--population", type=Path, required=True)
    parser.add_argument(
        "--model", type=Path, action="append", default=[], help="a bi-encoder; may be repeated"
    )
    parser.add_argument(
        "--cache", type=Path, help="folder where models keep what they read of the population"
    )
    parser.add_argument(
        "--keep", type=Path, help="folder of finished searches, to go on from with the same models"
    )
    parser.add_argument("--docs", type=int, default=200)
    parser.add_argument(
        "--wide", type=int, default=1000, help="documents for the table of attackers"
    )
    parser.add_argument(
        "--fit", type=int, default=300, help="training people that temperatures are fitted on"
    )
    parser.add_argument(
        "--greedy", type=int, nargs="*", default=[1, 8, 64, 128], help="K of greedy searches"
    )
    parser.add_argument(
        "--exchange", type=int, nargs="*", default=[], help="K of greedy searches with exchange"
    )
    parser.add_argument(
        "--ks", type=int, nargs="*", default=[8, 64], help="K of searches that show again"
    )
    parser.add_argument(
        "--entities", type=int, nargs="*", default=[8], help="K of those over entities"
    )
    parser.add_argument(
        "--against", nargs="+", default=["bm25"], help="searched against, joined by +"
    )
    parser.add_argument(
        "--timed",
        nargs="*",
        default=["bm25"],
        help="attackers whose searches are timed, joined by +",
    )
    parser.add_argument(
        "--plain", type=int, default=10, help="documents for the plain greedy loop beside them"
    )
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 49_471, 500_000])
    parser.add_argument("--growth", type=int, help="only measure the cost at this size")
    parser.add_argument("--plot", type=Path, default=None)
    args = parser.parse_args()
    if args.growth:
        return measure_growth(
            args.population, args.growth, args.docs, next(iter(args.model), None), args.cache
        )
    begun = time.perf_counter()
    people = Population.load(args.population)
    known = fit_attackers(people, args.model, args.fit, args.cache)
    trial = Trial(people, known, args.docs, args.keep)
    entities = [
        [[m.span for m in e.mentions] for e in found] for found in find_simple_entities(trial)
    ]
    wide = trial
    if args.wide != args.docs:
        find_simple_entities(wide := Trial(people, known, args.wide))
    print(f"{len(people):,} profiles, {len(wide)} held-out documents attacked", flush=True)
    rows = list_attack_rows(wide)
    add_baselines(
        trial,
        Rarity.fit(text for profile in people for text in (profile.text, join_values(profile))),
    )
    models = " ".join(
        f"--model {ranker.name}" for ranker in known.values() if isinstance(ranker, DenseRanker)
    )
    command = (
        f"python benchmarks/kanonymity.py --population people.jsonl {models} --docs {args.docs} --wide {args.wide} "
        f"--fit {args.fit} --against {' '.join(args.against)} "
        + "".join(
            " ".join([f"--{key}", *map(str, getattr(args, key)), ""])
            for key in ("greedy", "exchange", "ks", "entities", "timed", "sizes")
        )
        + f"--plain {args.plain} --plot docs/assets/kanonymity.svg --json docs/figures/kanonymity.json"
    )
    columns = [
        "what",
        "judged by",
        "detail",
        "re-identified",
        "by any judge",
        "words masked",
        "compression loss",
    ]
    note = (
        f"{len(people):,} profiles; attackers on {len(wide)}, searches on {len(trial)} held-out documents. "
        + " ".join((__doc__ or "").split("\n\n")[-1].split())
    )

    def save() -> None:
        found = figures.build_figure(
            "k-anonymity by re-identification",
            command,
            columns,
            rows,
            files=[args.population],
            note=note,
            plot=args.plot.name if args.plot else None,
            seeds=[0],
            seconds=round(time.perf_counter() - begun),
        )
        figures.save_figure(args.json, found)

    sets = [one.split("+") for one in args.against]
    judges = [name for name in trial.attackers if not any(name in one for one in sets)]
    rows += [build_row(trial, method, judges) for method in trial.masks if method != "clear"]
    words = [list_word_units(words) for words in trial.words]
    whole = [list_entity_units(w, spans) for w, spans in zip(trial.words, entities, strict=True)]
    parts: list[tuple[Sequence[str], Sequence[int], Any, str, Effort]] = [
        *((fooled, args.greedy, words, "words", GREEDY) for fooled in sets),
        *((fooled, args.exchange, words, "words", EXCHANGED) for fooled in sets),
        (sets[0], args.ks, words, "words", SHOWN),
        (sets[0], args.entities, whole, "entities", SHOWN),
    ]
    for part in parts:
        rows += list_privacy_rows(trial, judges, *part)
        save()
    if args.plot:
        plot(trial, judges, sets[0], args.plot)
    for fooled, (kind, units) in product(args.timed, (("words", words), ("entities", whole))):
        rows += list_speed_rows(trial, fooled.split("+"), 8, args.plain, units, kind)
        save()
    rows += list_rows(args.population, args.sizes, 10, next(iter(args.model), None), args.cache)
    save()
    return None


if __name__ == "__main__":
    main()
