"""How surprising each entity is to the language model, computed once a document and shared by the indicators.

After Papadopoulou et al. 2023, section 5.1: the log-probabilities of all pieces of an entity, all its mentions masked,
reduced to a few numbers. Entities share a pass until nearly half of a window is masked, which is as much as the model
saw in training, in windows that share few pieces; on judgments this costs about one pass a window and decides as well
as one pass an entity.
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
from maskwise.text.tokens import words

Floats = NDArray[np.float64]
TYPES = tuple(EntityType)
NUMBERS = ("min", "max", "mean", "median", "sum", "pieces", "words", "characters", "mentions")
FEATURES = (*NUMBERS, *(kind.value for kind in TYPES))
DISTANCE, SHARE, OVERLAP = 0, 0.45, 16


@dataclass(frozen=True, slots=True, eq=False)
class Surprise:
    """Natural log-probabilities of each entity: one array a mention, empty where the model reads nothing."""

    log_probs: tuple[tuple[Array, ...], ...]
    passes: int


def measure_surprise(
    model: Model, document: Document, entities: Sequence[Entity], context: int | None = None
) -> Surprise:
    """Asks the model once per question; the reading of the document remembers the answer.

    A pass sees no more than `context` pieces on both sides of what is masked in it, or its whole window.
    """
    spans = tuple(tuple(m.span for m in e.mentions) for e in entities)
    key = ("surprise", model.path, context, spans)
    return Reading.of(document).remember(document, key, lambda: _ask_model(model, document, entities, context))


def _ask_model(model: Model, document: Document, entities: Sequence[Entity], context: int | None) -> Surprise:
    spans = [m.span for e in entities for m in e.mentions]
    ends = np.cumsum([len(e.mentions) for e in entities], dtype=int).tolist()
    groups = [range(end - len(e.mentions), end) for e, end in zip(entities, ends, strict=True)]
    asked = MaskedLM(model.encoder, distance=DISTANCE, share=SHARE, overlap=OVERLAP, context=context)
    answer = asked.ask(Reading.of(document).find_pieces(model, document), spans, groups)
    return Surprise(tuple(tuple(answer.log_probs[at] for at in group) for group in groups), answer.passes)


def compute_features(entities: Sequence[Entity], found: Surprise) -> Floats:
    """One row an entity, columns as in `FEATURES`; NaN numbers where the model reads nothing of it.

    `sum` is that of the mean mention, lengths are those of the longest: they must not grow with the mentions.
    """
    longest = [entity.longest.text for entity in entities]
    lengths = [[sum(1 for _ in words(text)), len(text)] for text in longest]
    rows = np.full((len(entities), len(FEATURES)), np.nan)
    rows[:, 5] = [max(map(len, mine)) for mine in found.log_probs]
    rows[:, 6:8] = np.array(lengths).reshape(-1, 2)
    rows[:, 8] = [len(entity.mentions) for entity in entities]
    rows[:, 9:] = np.array([[entity.type is kind for kind in TYPES] for entity in entities]).reshape(-1, len(TYPES))
    sizes = np.array([sum(map(len, mine)) for mine in found.log_probs], dtype=np.intp)
    read = sizes > 0
    if read.any():
        mentions = np.array([sum(1 for values in mine if len(values)) for mine in found.log_probs])
        values = np.concatenate([values for mine in found.log_probs for values in mine], dtype=np.float64)
        rows[read, :5] = _summarise_runs(values, sizes[read], mentions[read])
    return rows


def _summarise_runs(values: Floats, sizes: NDArray[np.intp], mentions: NDArray[np.intp]) -> Floats:
    """Least, greatest, mean and median of each run of values, and its sum a mention."""
    first = np.cumsum(sizes) - sizes
    ranked = values[np.lexsort((values, np.repeat(first, sizes)))]
    total = np.add.reduceat(values, first)
    median = (ranked[first + (sizes - 1) // 2] + ranked[first + sizes // 2]) / 2
    return np.stack([ranked[first], ranked[first + sizes - 1], total / sizes, median, total / mentions], axis=1)
