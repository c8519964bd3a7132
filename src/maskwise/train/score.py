"""Quick scores during training: TAB's token and entity metrics (Pilán et al. 2022, section 6), for many thresholds.

They read probabilities of word pieces, not masks. `maskwise.evaluate` has the metrics that are reported.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maskwise.evaluate.closed_class import IGNORED_WORDS
from maskwise.lm.pieces import PieceTokenizer
from maskwise.text import EntityType
from maskwise.train.data import Example, Span

_WORD = re.compile(r"\w+")
_TYPES = {type: at for at, type in enumerate(EntityType, 1)}
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The annotators' decisions, word by word, for all documents in the order of their stream.

    `words` are ranges of pieces. `word`, `masked` and `kind` have one entry per word and annotator. `member` lists the
    words of each entity that an annotator masked, without closed-class ones. `entity` says where each entity begins in
    it, and `direct` whether it is a direct identifier.
    """

    words: Ints
    word: Ints
    masked: Bools
    kind: Ints
    member: Ints
    entity: Ints
    direct: Bools


def align_truth(examples: Sequence[Example], tokenizer: str | Path) -> Truth:
    """Aligns the annotations of `examples` to the pieces of their `build_gold_stream`."""
    reader = PieceTokenizer.load(tokenizer)
    builder = _TruthBuilder()
    for example in examples:
        pieces = reader.encode(example.text)
        found = list(_WORD.finditer(example.text))
        ignored = [m.group().casefold() in IGNORED_WORDS for m in found]
        spans = np.array([m.span() for m in found], dtype=np.int64).reshape(-1, 2)
        telling = ~np.array(ignored, dtype=bool)
        first = np.searchsorted(pieces.ends, spans[:, 0], side="right")
        last = np.searchsorted(pieces.starts, spans[:, 1], side="left")
        real = last > first  # the tokenizer may drop characters such as controls
        builder.add(
            spans[real],
            np.stack([first, last], 1)[real],
            telling[real],
            example.layers,
            len(pieces),
        )
    return builder.build()


def sweep_thresholds(
    truth: Truth, mask: Floats, thresholds: Sequence[float]
) -> list[dict[str, float]]:
    """Returns one row per threshold: token precision, recall and F1, and entity recall, averaged over annotators."""
    probability = _average_ranges(mask, truth.words)
    seen = probability[truth.word]
    weakest = np.zeros(0, np.float32)  # the least probability of a word of each entity
    if len(truth.entity):
        weakest = np.minimum.reduceat(probability[truth.member], truth.entity)
    rows = []
    for threshold in thresholds:
        chosen = seen >= threshold
        p, r, f1 = _compute_prf((chosen & truth.masked).sum(), chosen.sum(), truth.masked.sum())
        direct = weakest[truth.direct] >= threshold
        quasi = weakest[~truth.direct] >= threshold
        rows.append(
            {
                "threshold": threshold,
                "p": p,
                "r": r,
                "f1": f1,
                "er_direct": float(direct.mean()) if len(direct) else 1.0,
                "er_quasi": float(quasi.mean()) if len(quasi) else 1.0,
            }
        )
    return rows


def score_detection(truth: Truth, tags: Floats, threshold: float = 0.5) -> dict[str, float]:
    """Returns token precision, recall and F1 of detection of any type, and the F1 if the type must agree."""
    first = truth.words[:, 0]
    outside = _average_ranges(tags[:, 0], truth.words)
    kind = tags[first, 1:].reshape(len(first), -1, 2).sum(-1).argmax(-1) + 1
    found = np.where(1 - outside >= threshold, kind, 0)[truth.word]
    is_found, is_wanted = found > 0, truth.kind > 0
    is_alike = is_found & (found == truth.kind)
    p, r, f1 = _compute_prf((is_found & is_wanted).sum(), is_found.sum(), is_wanted.sum())
    _, _, labelled = _compute_prf(is_alike.sum(), is_found.sum(), is_wanted.sum())
    return {"p": p, "r": r, "f1": f1, "f1_label": labelled}


def _average_ranges(values: Floats, ranges: Ints) -> Floats:
    """Returns the mean of each range of values."""
    sums = np.append(0.0, np.cumsum(values, dtype=np.float64))
    first, last = ranges[:, 0], ranges[:, 1]
    return np.asarray((sums[last] - sums[first]) / (last - first), dtype=np.float32)


def _compute_prf(
    right: np.integer, found: np.integer, wanted: np.integer
) -> tuple[float, float, float]:
    p = float(right) / max(float(found), 1.0)
    r = float(right) / max(float(wanted), 1.0)
    return p, r, 2 * p * r / max(p + r, 1e-12)


class _TruthBuilder:
    """Collects documents into one `Truth`."""

    def __init__(self) -> None:
        self.pieces = 0
        self.count = 0
        self.words: list[Ints] = []
        self.word: list[Ints] = []
        self.masked: list[Bools] = []
        self.kind: list[Ints] = []
        self.members: list[Ints] = []
        self.direct: list[bool] = []

    def add(
        self,
        spans: Ints,
        ranges: Ints,
        telling: Bools,
        layers: Sequence[Sequence[Span]],
        pieces: int,
    ) -> None:
        """Adds a document: its words as spans and as ranges of pieces, and what each annotator said of them."""
        n = len(spans)
        self.words.append(ranges + self.pieces)
        for layer in layers:
            kind = np.zeros(n, dtype=np.int64)
            masked = np.zeros(n, dtype=bool)
            entities: dict[str, tuple[list[Ints], list[bool]]] = {}
            for span in sorted(layer, key=lambda s: s.end - s.start):
                first = int(np.searchsorted(spans[:, 1], span.start, side="right"))
                last = int(np.searchsorted(spans[:, 0], span.end, side="left"))
                kind[first:last] = _TYPES[span.type]
                if span.mask:
                    masked[first:last] = True
                    inside, direct = entities.setdefault(span.entity, ([], []))
                    inside.append(np.flatnonzero(telling[first:last]) + first + self.count)
                    direct.append(span.direct)
            self.word.append(np.arange(n) + self.count)
            self.kind.append(kind)
            self.masked.append(masked)
            for inside, direct in entities.values():
                if sum(map(len, inside)):
                    self.members.append(np.concatenate(inside))
                    self.direct.append(any(direct))
        self.pieces += pieces
        self.count += n

    def build(self) -> Truth:
        lengths = np.array([len(member) for member in self.members], dtype=np.int64)
        none = np.zeros(0, dtype=np.int64)
        return Truth(
            np.concatenate(self.words) if self.words else none.reshape(0, 2),
            np.concatenate(self.word) if self.word else none,
            np.concatenate(self.masked) if self.masked else none.astype(bool),
            np.concatenate(self.kind) if self.kind else none,
            np.concatenate(self.members) if self.members else none,
            np.cumsum(lengths) - lengths,
            np.array(self.direct, dtype=bool),
        )
