"""Calibration of the partial match: what the likeliest word of an entity says, made comparable over types and lengths.

    python benchmarks/partial.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST_HALF WITHOUT_SECOND_HALF [--json FILE]

The likeliest of many words is high by chance alone, so its logit loses `words` times the logarithm of the words in a
mention; and some types are masked more readily than others. Both are found by coordinate ascent from nothing, on the
token F1 at the balanced point with the annotators' spans of TAB dev; grid and types as in `by_type.py`. A half is read
by a model that never saw it. What one half finds is measured on the other; what all of it finds goes into
`calibration.partial` of `config.json`, and is measured on the biographies, from which nothing is learnt here. Beside
it: the plain partial match, and the mean over the words of a mention, the default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import figures
from by_type import GRID, SHIFTED, compute_f1
from indicators import read_gold
from maskwise.evaluate.tab import count_document, summarise_counts
from maskwise.lm import Reading, load_model
from maskwise.lm.calibration import Calibration, Match
from maskwise.risk import rarity
from maskwise.risk.sequence import MATCH, POOL, SequenceIndicator, find_runs
from maskwise.text import Document, Entity, tab
from maskwise.text.tab import AnnotatedDocument
from model import split_in_halves

TAB, BIOGRAPHIES = "tab/dev.json.gz", "wiki/annotated_dev.json.gz"
WORDS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8)
RARE = Calibration(shift=SequenceIndicator().rare)  # as the indicator adds it by default
LEAST = 5e-4  # gain in F1 for which a step is worth it
COLUMNS = ("precision", "recall", "f1", "entity_recall_direct", "entity_recall_quasi")

Floats = NDArray[np.float64]


@dataclass
class Read:
    """A document as a model reads it: of each entity its probability by match, its words, and if it is direct."""

    item: AnnotatedDocument
    entities: Sequence[Entity]
    pooled: Mapping[str, NDArray[np.float32]]
    words: NDArray[np.float32]
    direct: NDArray[np.bool_]
    rare: NDArray[np.bool_]
    threshold: float

    def __post_init__(self) -> None:
        self._counted: dict[bytes, Floats] = {}

    def list_masked(self, match: str, how: Match) -> Floats:
        """Counts for the metrics, if all mentions of what is risky are masked."""
        scores = how(self.pooled[match], [e.type for e in self.entities], self.words)
        scores = np.where(self.rare, RARE(scores), scores)
        risky = self.direct | (scores >= self.threshold)
        if (key := risky.tobytes()) not in self._counted:
            spans = [
                m.span
                for e, yes in zip(self.entities, risky, strict=True)
                if yes
                for m in e.mentions
            ]
            self._counted[key] = count_document(self.item, spans)
        return self._counted[key]


def read_documents(
    corpus: Sequence[AnnotatedDocument],
    known: Mapping[str, tuple[Document, Sequence[Entity]]],
    name: str,
) -> list[Read]:
    model = load_model(name)
    found = []
    for item in corpus:
        document, entities = known[item.document.id]
        annotation = Reading.find(document).annotate(model, [document])[0]
        runs = find_runs(annotation, entities)
        if len(runs.known) < len(entities):
            raise SystemExit(f"{item.document.id}: the model has not read every entity")
        ways = {match: SequenceIndicator(name, match=match) for match in MATCH}
        pooled = {
            match: model.config.entity(way.pool_values(runs, annotation.mask, POOL["mean"]))
            for match, way in ways.items()
        }
        direct = ways["partial"].pool_values(runs, annotation.direct, POOL["max"]) >= 0.5
        rare = np.array([rarity.is_rare(entity) for entity in entities])
        found.append(
            Read(
                item,
                entities,
                pooled,
                runs.lengths,
                direct,
                rare,
                model.config.find_point("balanced").mask,
            )
        )
    return found


def climb_thresholds(reads: Sequence[Read]) -> Match:
    """From nothing, one number after the other, the best of each as long as F1 is_rising."""
    grids = {"words": WORDS} | {kind: GRID[kind] for kind in SHIFTED}

    def build_match(at: Mapping[str, float]) -> Match:
        return Match({kind: at[kind] for kind in SHIFTED if at.get(kind)}, at.get("words", 0.0))

    def score(at: Mapping[str, float]) -> float:
        return compute_f1(
            np.sum([one.list_masked("partial", build_match(at)) for one in reads], axis=0)
        )

    at: dict[str, float] = {}
    best, rising = score(at), True
    while rising:
        rising = False
        for name, grid in grids.items():
            found, value = max((score(at | {name: value}), value) for value in grid)
            if found > best + LEAST:
                at, best, rising = at | {name: value}, found, True
    return build_match(at)


def describe_match(match: Match) -> str:
    return ", ".join(
        [
            f"words {match.words:.1f}",
            *(f"{kind} {shift:+.1f}" for kind, shift in match.types.items()),
        ]
    )


def main() -> None:
    parser = figures.build_parser(__doc__)
    parser.add_argument(
        "--model",
        default="small",
        help="reads the biographies; its shifts by type are those of the mean",
    )
    parser.add_argument(
        "--crossed",
        nargs=2,
        metavar="FOLDER",
        help="models that never saw its first, its second half",
    )
    args = parser.parse_args()
    source, other = (
        figures.require_source(args.data, TAB),
        figures.find_source(args.data, BIOGRAPHIES),
    )
    if not args.crossed:
        figures.report_unavailable("needs --crossed: two models, each without one half of TAB dev")
    corpus, known = tab.load_corpus(source), read_gold(source)
    sides = [
        read_documents([corpus[at] for at in half], known, folder)
        for folder, half in zip(args.crossed, split_in_halves(len(corpus)), strict=True)
    ]
    found = [climb_thresholds(side) for side in sides]
    whole = climb_thresholds([*sides[0], *sides[1]])
    mean = load_model(args.model).config.matches["mean"]
    rows: list[list[Any]] = []

    def add_row(name: str, how: str, counted: Sequence[Floats]) -> None:
        scores = summarise_counts(np.stack(counted))
        rows.append([name, how, *(figures.describe_score(scores[column]) for column in COLUMNS)])
        print(f"{name}, {how}:", *(f"{column} {scores[column]}" for column in COLUMNS), flush=True)

    both = [*sides[0], *sides[1]]
    add_row("TAB dev", "mean of the words", [one.list_masked("mean", mean) for one in both])
    add_row("TAB dev", "partial, plain", [one.list_masked("partial", Match()) for one in both])
    crossed = [(one, how) for side, how in zip(sides, reversed(found), strict=True) for one in side]
    add_row(
        "TAB dev",
        "partial, as the other half says",
        [one.list_masked("partial", how) for one, how in crossed],
    )
    add_row(
        "TAB dev",
        "partial, as all of it says (tuned on it)",
        [one.list_masked("partial", whole) for one in both],
    )
    if other:
        reads = read_documents(tab.load_corpus(other), read_gold(other), args.model)
        add_row(
            "biographies", "mean of the words", [one.list_masked("mean", mean) for one in reads]
        )
        add_row(
            "biographies", "partial, plain", [one.list_masked("partial", Match()) for one in reads]
        )
        add_row(
            "biographies",
            "partial, as TAB dev says",
            [one.list_masked("partial", whole) for one in reads],
        )
    first, second = (describe_match(match) for match in found)
    note = (
        f"First half: {first}. Second: {second}. All: {describe_match(whole)}. Annotators' spans."
    )
    print(note)
    figures.save_figure(
        args.json,
        figures.build_figure(
            "Sequence labelling, partial match: calibrated on one half, measured on the other",
            "python benchmarks/partial.py --data $MASKWISE_DATA --crossed WITHOUT_FIRST_HALF WITHOUT_SECOND_HALF"
            " --json docs/figures/partial.json",
            ["corpus", "an entity is as likely as", "P", "R", "F1", "R_direct", "R_quasi"],
            rows,
            files={Path(path).name: path for path in (source, other) if path},
            note=note,
        ),
    )


if __name__ == "__main__":
    main()
