"""Indicator 2, span classification: what an entity says in its context, with its type and how surprising it is.

After Papadopoulou et al. 2023, section 5.2: a classifier of the span's vector and one of its numbers and type, joined
near the output (late fusion). Here the vector is the encoder's state of the span in its document, so no second model
reads the text: the mean over the pieces of a mention, then over mentions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Annotated, ClassVar

import numpy as np

from maskwise.lm import Model, Reading, load_model
from maskwise.lm.encoder import Array
from maskwise.lm.pieces import Pieces
from maskwise.plugins import Count, FromPolicy, Share
from maskwise.risk import deciders
from maskwise.risk.deciders import Decider, Floats, LogisticDecider, TreeDecider
from maskwise.risk.surprise import FEATURES, compute_features, measure_surprise
from maskwise.text import Document, Entity, Evidence, Line

PARTS = ("text", "numbers", "fusion")


@dataclass(frozen=True)
class SpanIndicator:
    """Evidence for every entity the model can read: the probability that an annotator would mask it.

    `threshold` overrides the one that training found; `deciders` is a folder of `maskwise train risk`.
    """

    name: ClassVar[str] = "span"

    model: Annotated[str, FromPolicy()] = "small"
    threshold: Share | None = None
    deciders: str | None = None
    threads: Annotated[Count | None, FromPolicy()] = None

    def bind(self, line: Line) -> SpanIndicator:
        line.keep_states()
        line.ask_last(self.name)
        return self

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        if not entities:
            return []
        model: Model = load_model(self.model, self.threads)
        raw = deciders.read_deciders(self.deciders, self.name, model, FEATURES)
        parts = [deciders.pick_decider(raw, part, self.name) for part in PARTS]
        pieces, states = Reading.find(document).take_states(model, document)
        vectors = pool_states(pieces, states, entities)
        rows = compute_features(entities, measure_surprise(model, document, entities))
        logits, scores = fuse_scores(parts, vectors, rows)
        threshold = parts[-1].threshold if self.threshold is None else self.threshold
        shares = deciders.sigmoid(logits).tolist()
        is_read = ~np.isnan(vectors[:, 0])
        evidence = []
        for at in np.flatnonzero(is_read).tolist():
            score = float(scores[at].round(4))
            by_text, by_numbers = shares[at]
            reason = _explain_score(by_text, by_numbers, score, threshold)
            evidence.append(
                Evidence(
                    (entities[at].id,), score, threshold, score >= threshold, reason, self.name
                )
            )
        return evidence


def pool_states(pieces: Pieces, states: Array, entities: Sequence[Entity]) -> Floats:
    """One vector per entity; NaN where the model reads nothing of it."""
    result = np.full((len(entities), states.shape[1]), np.nan)
    spans = np.array([m.span for entity in entities for m in entity.mentions]).reshape(-1, 2)
    firsts = np.searchsorted(pieces.ends, spans[:, 0], side="right").tolist()
    lasts = np.searchsorted(pieces.starts, spans[:, 1], side="left").tolist()
    ranges = iter(zip(firsts, lasts, strict=True))
    for at, entity in enumerate(entities):
        mine = islice(ranges, len(entity.mentions))
        means = [
            np.add.reduce(states[first:last]) / (last - first)
            for first, last in mine
            if first < last
        ]
        if means:
            result[at] = np.add.reduce(means) / len(means)
    return result


def fuse_scores(parts: Sequence[Decider], vectors: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """The logits of text and numbers, and the score that fusion makes of them."""
    text, numbers, fusion = parts
    if not isinstance(text, LogisticDecider) or not isinstance(numbers, TreeDecider):
        raise ValueError("span needs a logistic text part and trees over numbers")
    logits = np.stack([text.compute_logits(vectors), numbers.compute_logits(rows)], axis=1)
    return logits, fusion(logits)


def _explain_score(text: float, numbers: float, score: float, threshold: float) -> str:
    relation = "reaches" if score >= threshold else "is under"
    return (
        f"masked with probability {score:.2f}, which {relation} {threshold:.2f}: "
        f"{text:.2f} by what it says in its context, {numbers:.2f} by its type, length and surprise"
    )
