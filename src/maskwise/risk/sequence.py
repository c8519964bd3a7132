"""Indicator 4, sequence labelling: the model's probability that annotators would mask an entity.

After Pilán et al. 2022, section 7.2, and Papadopoulou et al. 2023, section 5.4: each token is to be masked or not, and
a span matches in part (any word) or in full (every word). Here the answer is a calibrated probability, one an entity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from maskwise.lm import Annotation, Model, load
from maskwise.lm.encoder import Array
from maskwise.text import Document, Entity, Evidence

MATCH: Mapping[str, Callable[[Array], float]] = {"mean": np.mean, "partial": np.max, "full": np.min}
POOL: Mapping[str, Callable[[Array], float]] = {"max": np.max, "mean": np.mean}


class SequenceIndicator:
    """Evidence for every entity the model has read: its mask probability against the threshold of the point.

    `match` says how the words of a mention make its probability (mean; partial: the likeliest word; full: the least
    likely), `pool` how the mentions make the entity's. `recall` picks the point on the curve as for the detector;
    `threshold` overrides it. From `direct` on, the probability of a direct identifier is a reason of its own.
    """

    name = "sequence"

    def __init__(
        self,
        model: str = "small",
        recall: str | float = "balanced",
        threshold: float | None = None,
        match: Literal["mean", "partial", "full"] = "mean",
        pool: Literal["max", "mean"] = "mean",
        direct: float = 0.5,
        threads: int | None = None,
    ) -> None:
        self._model, self._recall, self._threads = model, recall, threads
        self._threshold, self._direct = threshold, direct
        self._match, self._pool = MATCH[match], POOL[pool]

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        model: Model = load(self._model, self._threads)
        annotation = model.annotate([document])[0]
        threshold = model.config.point(self._recall).mask if self._threshold is None else self._threshold
        evidence = [self._entity(entity, annotation, model, threshold) for entity in entities]
        return [e for e in evidence if e is not None]

    def _entity(self, entity: Entity, annotation: Annotation, model: Model, threshold: float) -> Evidence | None:
        mask = self._pooled(entity, annotation, annotation.mask, self._pool)
        direct = self._pooled(entity, annotation, annotation.direct, POOL["max"])  # one mention gives a person away
        if mask is None or direct is None:
            return None
        score = round(float(model.config.entity(np.array([mask], dtype=np.float32))[0]), 4)
        risky = score >= threshold or direct >= self._direct
        return Evidence(
            (entity.id,), score, threshold, risky, self._reason(entity, score, threshold, direct), self.name
        )

    def _pooled(
        self, entity: Entity, annotation: Annotation, values: Array, pool: Callable[[Array], float]
    ) -> float | None:
        mentions = [annotation.words(m.start, m.end, values) for m in entity.mentions]
        read = [self._match(words) for words in mentions if len(words)]
        return float(pool(np.array(read, dtype=np.float32))) if read else None

    def _reason(self, entity: Entity, score: float, threshold: float, direct: float) -> str:
        relation = "reaches" if score >= threshold else "is under"
        count = len(entity.mentions)
        seen = f"in {count} mentions" if count > 1 else "in its mention"
        reason = f"an annotator would mask it with probability {score:.2f} {seen}, which {relation} {threshold:.2f}"
        if direct >= self._direct:
            reason += f"; it names a person directly with probability {direct:.2f}"
        return reason
