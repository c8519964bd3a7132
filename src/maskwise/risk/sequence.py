"""Indicator 4, sequence labelling: the model's probability that annotators would mask an entity.

After Pilán et al. 2022, section 7.2, and Papadopoulou et al. 2023, section 5.4: each token is to be masked or not, and
a span matches in part (any word) or in full (every word). Here the answer is a calibrated probability, one per entity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import Model, Prediction, Reading, load_model
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
        model: Model = load_model(self.model, self.threads)
        annotation = Reading.find(document).annotate(model, [document])[0]
        threshold = (
            model.config.find_point(self.recall).mask if self.threshold is None else self.threshold
        )
        runs = find_runs(annotation, entities)
        known = [entities[at] for at in runs.known]
        pooled = model.config.entity(self.pool_values(runs, annotation.mask, POOL[self.pool]))
        calibrate = model.config.matches[self.match]
        plain = calibrate(pooled, [entity.type for entity in known], runs.lengths)
        is_rare = np.array(
            [self.rare > 0 and rarity.is_rare(entity) for entity in known], dtype=bool
        )
        scores = np.where(is_rare, Calibration(shift=self.rare)(plain), plain)
        scores = scores.astype(np.float64).round(4)
        directs = self.pool_values(
            runs, annotation.direct, POOL["max"]
        )  # one mention gives a person away
        columns = (plain.tolist(), scores.tolist(), directs.tolist(), is_rare.tolist())
        return [
            self._build_evidence(entity, threshold, *numbers)
            for entity, *numbers in zip(known, *columns, strict=True)
        ]

    def pool_values(self, runs: PieceRuns, values: Array, pool: np.ufunc) -> Array:
        """One value per entity, from values of pieces: words by `match`, mentions by `pool`."""
        words = _reduce_runs(np.add, values[runs.pieces], runs.words)
        mentions = _reduce_runs(MATCH[self.match], words, runs.mentions)
        return _reduce_runs(pool, mentions, runs.entities)

    def _build_evidence(
        self, entity: Entity, threshold: float, said: float, score: float, direct: float, rare: bool
    ) -> Evidence:
        risky = score >= threshold or direct >= self.direct
        count = len(entity.mentions)
        seen = f"in {count} mentions" if count > 1 else "in its mention"
        reason = f"an annotator would mask it with probability {said:.2f} {seen}"
        if rare:
            reason += (
                f"; fewer than 1 in {rarity.ONE_IN:,} people share it, so it counts as {score:.2f}"
            )
        reason += f", which {'reaches' if score >= threshold else 'is under'} {threshold:.2f}"
        if direct >= self.direct:
            reason += f"; it names a person directly with probability {direct:.2f}"
        return Evidence((entity.id,), score, threshold, risky, reason, self.name)


class PieceRuns(NamedTuple):
    """All pieces of all mentions in a row; words begin in it at `words`, and so on up: the first of each run below.

    `known` numbers the entities of which the model has read a mention; the others are left out.
    """

    pieces: NDArray[np.intp]
    words: NDArray[np.intp]
    mentions: NDArray[np.intp]
    entities: NDArray[np.intp]
    known: list[int]

    @property
    def lengths(self) -> Array:
        """The mean number of words per mention, for each entity."""
        return _reduce_runs(np.add, np.diff(self.mentions, append=len(self.words)), self.entities)


def find_runs(annotation: Prediction, entities: Sequence[Entity]) -> PieceRuns:
    """The pieces, words and mentions that make up each entity."""
    spans = np.array(
        [m.span for entity in entities for m in entity.mentions], dtype=np.int32
    ).reshape(-1, 2)
    counts = [len(entity.mentions) for entity in entities]
    owner = np.repeat(np.arange(len(entities)), counts)
    low = np.searchsorted(annotation.pieces.ends, spans[:, 0], side="right")
    high = np.searchsorted(annotation.pieces.starts, spans[:, 1], side="left")
    is_read = high > low
    low = low[is_read]
    owner = owner[is_read]
    lengths = high[is_read] - low
    first = np.cumsum(lengths) - lengths
    pieces = np.arange(int(lengths.sum())) + np.repeat(low - first, lengths)
    begins_word = np.diff(annotation.pieces.words[pieces], prepend=-1) != 0
    begins_word[first] = True
    words = np.flatnonzero(begins_word)
    own = np.flatnonzero(np.diff(owner, prepend=-1))
    mentions = np.searchsorted(words, first)
    return PieceRuns(pieces, words, mentions, own, owner[own].tolist())


def _reduce_runs(how: np.ufunc, values: NDArray[Any], first: NDArray[np.intp]) -> Array:
    """One value per run of values: the mean for `np.add`, else the extreme."""
    if not len(first):
        return np.zeros(0, dtype=np.float32)
    result = how.reduceat(values, first)
    counts = np.diff(first, append=len(values)) if how is np.add else 1
    return np.asarray(result / counts, dtype=np.float32)
