"""How surprising each entity is to the language model, computed once per document and shared by the indicators.

After Papadopoulou et al. 2023, section 5.1: the log-probabilities of all pieces of an entity, all its mentions masked,
reduced to a few numbers. Entities share a pass until nearly half of a window is masked, which is as much as the model
saw in training, in windows that share few pieces. On judgments this costs about one pass per window and decides as
well as one pass per entity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import Model, Reading
from maskwise.lm.encoder import Array
from maskwise.lm.masked import MaskedLM
from maskwise.text import Document, Entity, EntityType
from maskwise.text.tokens import find_words

Floats = NDArray[np.float64]
TYPES = tuple(EntityType)
NUMBERS = ("min", "max", "mean", "median", "sum", "pieces", "words", "characters", "mentions")
FEATURES = (*NUMBERS, *(kind.value for kind in TYPES))
DISTANCE = 0
SHARE = 0.45
OVERLAP = 16


@dataclass(frozen=True, slots=True, eq=False)
class Surprise:
    """Natural log-probabilities of each entity: one array per mention, empty where the model reads nothing."""

    log_probs: tuple[tuple[Array, ...], ...]
    passes: int


def measure_surprise(
    model: Model, document: Document, entities: Sequence[Entity], context: int | None = None
) -> Surprise:
    """Asks the model once per question; the reading of the document remembers the answer.

    A pass sees no more than `context` pieces on both sides of what is masked in it, or its whole window.
    """
    spans = tuple(tuple(mention.span for mention in entity.mentions) for entity in entities)
    key = ("surprise", model.path, context, spans)
    reading = Reading.find(document)
    return reading.remember(document, key, lambda: _ask_model(model, document, entities, context))


def _ask_model(
    model: Model, document: Document, entities: Sequence[Entity], context: int | None
) -> Surprise:
    spans: list[tuple[int, int]] = []
    groups: list[range] = []  # the places of each entity's mentions in the list of spans
    for entity in entities:
        first = len(spans)
        spans.extend(mention.span for mention in entity.mentions)
        groups.append(range(first, len(spans)))
    asked = MaskedLM(
        model.encoder,
        distance=DISTANCE,
        share=SHARE,
        overlap=OVERLAP,
        context=context,
    )
    pieces = Reading.find(document).find_pieces(model, document)
    answer = asked.ask(pieces, spans, groups)
    log_probs = tuple(tuple(answer.log_probs[at] for at in group) for group in groups)
    return Surprise(log_probs, answer.passes)


def compute_features(entities: Sequence[Entity], found: Surprise) -> Floats:
    """One row per entity, columns as in `FEATURES`; NaN numbers where the model reads nothing of it.

    `sum` is that of the mean mention, lengths are those of the longest: they must not grow with the mentions.
    """
    rows = np.full((len(entities), len(FEATURES)), np.nan)
    for row, entity, arrays in zip(rows, entities, found.log_probs, strict=True):
        text = entity.longest.text
        row[5] = max(map(len, arrays))
        row[6] = sum(1 for _ in find_words(text))
        row[7] = len(text)
        row[8] = len(entity.mentions)
        row[9:] = [entity.type is kind for kind in TYPES]
    sizes = np.array([sum(map(len, arrays)) for arrays in found.log_probs], dtype=np.intp)
    read = sizes > 0
    if read.any():
        mentions = np.array(
            [sum(1 for array in arrays if len(array)) for arrays in found.log_probs]
        )
        values = np.concatenate(
            [array for arrays in found.log_probs for array in arrays], dtype=np.float64
        )
        rows[read, :5] = _summarise_runs(values, sizes[read], mentions[read])
    return rows


def _summarise_runs(values: Floats, sizes: NDArray[np.intp], mentions: NDArray[np.intp]) -> Floats:
    """Least, greatest, mean and median of each run of values, and its sum per mention."""
    first = np.cumsum(sizes) - sizes
    last = first + sizes - 1
    order = np.lexsort((values, np.repeat(first, sizes)))
    ranked = values[order]
    total = np.add.reduceat(values, first)
    below = ranked[first + (sizes - 1) // 2]
    above = ranked[first + sizes // 2]
    columns = [
        ranked[first],
        ranked[last],
        total / sizes,
        (below + above) / 2,
        total / mentions,
    ]
    return np.stack(columns, axis=1)
