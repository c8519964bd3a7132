"""Indicator 4, sequence labelling: the model's probability that annotators would mask an entity.

After Pilán et al. 2022, section 7.2, and Papadopoulou et al. 2023, section 5.4: each token is to be masked or not, and
a span matches in part (any word) or in full (every word). Here the answer is a calibrated probability, one an entity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import Annotation, Model, Reading, load
from maskwise.lm.calibration import Calibration
from maskwise.lm.encoder import Array
from maskwise.plugins import Count, FromPolicy, Recall, Share, Threshold, Weight
from maskwise.risk import rarity
from maskwise.text import Document, Entity, Evidence

MATCH: Mapping[str, np.ufunc] = {"mean": np.add, "partial": np.maximum, "full": np.minimum}
POOL: Mapping[str, np.ufunc] = {"mean": np.add, "max": np.maximum}


@dataclass(frozen=True)
class SequenceIndicator:
    """Evidence for every entity the model has read: its mask probability against the threshold of the point.

    `match` says how the words of a mention make its probability (mean; partial: the likeliest word; full: the least
    likely), `pool` how the mentions make the entity's. `recall` picks the point on the curve as for the detector;
    `threshold` overrides it. From `direct` on, the probability of a direct identifier is a reason of its own. `rare` is
    added to the logit of a demographic attribute that few people share.
    """

    name: ClassVar[str] = "sequence"

    model: Annotated[str, FromPolicy()] = "small"
    recall: Annotated[Recall, FromPolicy()] = "balanced"
    threshold: Share | None = None
    match: Literal["mean", "partial", "full"] = "mean"
    pool: Literal["max", "mean"] = "mean"
    direct: Threshold = 0.5
    rare: Weight = 1.1
    threads: Annotated[Count | None, FromPolicy()] = None

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        model: Model = load(self.model, self.threads)
        annotation = Reading.of(document).annotate(model, [document])[0]
        threshold = model.config.point(self.recall).mask if self.threshold is None else self.threshold
        runs = find_runs(annotation, entities)
        types = [entities[at].type for at in runs.known]
        pooled = model.config.entity(self.pool_values(runs, annotation.mask, POOL[self.pool]))
        said = model.config.matches[self.match](pooled, types, runs.lengths)
        few = np.array([self.rare > 0 and rarity.is_rare(entities[at]) for at in runs.known], dtype=bool)
        scores = np.where(few, Calibration(shift=self.rare)(said), said).astype(np.float64).round(4)
        directs = self.pool_values(runs, annotation.direct, POOL["max"])  # one mention gives a person away
        return [
            self._build_evidence(entities[at], threshold, *numbers)
            for at, *numbers in zip(
                runs.known, said.tolist(), scores.tolist(), directs.tolist(), few.tolist(), strict=True
            )
        ]

    def pool_values(self, runs: PieceRuns, values: Array, pool: np.ufunc) -> Array:
        """One value an entity, from values of pieces: words by `match`, mentions by `pool`."""
        words = _reduce_runs(np.add, values[runs.pieces], runs.words)
        return _reduce_runs(pool, _reduce_runs(MATCH[self.match], words, runs.mentions), runs.entities)

    def _build_evidence(
        self, entity: Entity, threshold: float, said: float, score: float, direct: float, rare: bool
    ) -> Evidence:
        risky = score >= threshold or direct >= self.direct
        count = len(entity.mentions)
        seen = f"in {count} mentions" if count > 1 else "in its mention"
        reason = f"an annotator would mask it with probability {said:.2f} {seen}"
        if rare:
            reason += f"; fewer than 1 in {rarity.ONE_IN:,} people share it, so it counts as {score:.2f}"
        reason += f", which {'reaches' if score >= threshold else 'is under'} {threshold:.2f}"
        if direct >= self.direct:
            reason += f"; it names a person directly with probability {direct:.2f}"
        return Evidence((entity.id,), score, threshold, risky, reason, self.name)


class PieceRuns(NamedTuple):
    """All pieces of all mentions in a row; words begin in it at `words`, and so on up: the first of each run below.

    `known` numbers the entities of which the model has read a mention; those of whom it has not are left out.
    """

    pieces: NDArray[np.intp]
    words: NDArray[np.intp]
    mentions: NDArray[np.intp]
    entities: NDArray[np.intp]
    known: list[int]

    @property
    def lengths(self) -> Array:
        """Words a mention, for each entity: their mean."""
        return _reduce_runs(np.add, np.diff(self.mentions, append=len(self.words)), self.entities)


def find_runs(annotation: Annotation, entities: Sequence[Entity]) -> PieceRuns:
    """Which pieces, words and mentions make up each entity."""
    spans = np.array([m.span for entity in entities for m in entity.mentions], dtype=np.int32).reshape(-1, 2)
    owner = np.repeat(np.arange(len(entities)), [len(entity.mentions) for entity in entities])
    low = np.searchsorted(annotation.pieces.ends, spans[:, 0], side="right")
    high = np.searchsorted(annotation.pieces.starts, spans[:, 1], side="left")
    read = high > low
    low, high, owner = low[read], high[read], owner[read]
    first = np.cumsum(high - low) - (high - low)
    pieces = np.arange(int((high - low).sum())) + np.repeat(low - first, high - low)
    begins = np.diff(annotation.pieces.words[pieces], prepend=-1) != 0
    begins[first] = True
    words = np.flatnonzero(begins)
    own = np.flatnonzero(np.diff(owner, prepend=-1))
    return PieceRuns(pieces, words, np.searchsorted(words, first), own, owner[own].tolist())


def _reduce_runs(how: np.ufunc, values: NDArray[Any], first: NDArray[np.intp]) -> Array:
    """One value a run of values: the mean for `np.add`, else the extreme."""
    if not len(first):
        return np.zeros(0, dtype=np.float32)
    result = how.reduceat(values, first)
    counts = np.diff(first, append=len(values)) if how is np.add else 1
    return np.asarray(result / counts, dtype=np.float32)
