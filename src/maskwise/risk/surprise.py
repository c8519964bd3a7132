"""How surprising each entity is to the language model, computed once a document and shared by the indicators.

After Papadopoulou et al. 2023, section 5.1: the log-probabilities of all pieces of an entity, all its mentions masked,
reduced to a few numbers. Entities share a pass until nearly half of a window is masked, which is as much as the model
saw in training; on judgments this costs about one pass a window and decides as well as one pass an entity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import Model
from maskwise.lm.encoder import Array
from maskwise.lm.masked import MaskedLM
from maskwise.text import Document, Entity, EntityType
from maskwise.text.tokens import words

Floats = NDArray[np.float64]
TYPES = tuple(EntityType)
NUMBERS = ("min", "max", "mean", "median", "sum", "pieces", "words", "characters", "mentions")
FEATURES = (*NUMBERS, *(kind.value for kind in TYPES))
DISTANCE, SHARE = 0, 0.45
_Key = tuple[Path, tuple[tuple[tuple[int, int], ...], ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Surprise:
    """Natural log-probabilities of each entity: one array a mention, empty where the model reads nothing."""

    log_probs: tuple[tuple[Array, ...], ...]
    passes: int


def surprise(model: Model, document: Document, entities: Sequence[Entity]) -> Surprise:
    """Asks the model, or remembers: the answer stays while the document lives and the entities are the same."""
    key: _Key = (model.path, tuple(tuple(m.span for m in e.mentions) for e in entities))
    with _LOCK:
        known = _KNOWN.get(document)
    if known is not None and known[0] == key:
        return known[1]
    spans = [m.span for e in entities for m in e.mentions]
    ends = np.cumsum([len(e.mentions) for e in entities], dtype=int).tolist()
    groups = [range(end - len(e.mentions), end) for e, end in zip(entities, ends, strict=True)]
    answer = MaskedLM(model.encoder, distance=DISTANCE, share=SHARE).ask(document.text, spans, groups)
    found = Surprise(tuple(tuple(answer.log_probs[at] for at in group) for group in groups), answer.passes)
    with _LOCK:
        _KNOWN[document] = (key, found)
    return found


_KNOWN: WeakKeyDictionary[Document, tuple[_Key, Surprise]] = WeakKeyDictionary()
_LOCK = Lock()


def features(entities: Sequence[Entity], found: Surprise) -> Floats:
    """One row an entity, columns as in `FEATURES`; NaN numbers where the model reads nothing of it."""
    rows = [_row(e, log_probs) for e, log_probs in zip(entities, found.log_probs, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURES))


def _row(entity: Entity, log_probs: Sequence[Array]) -> list[float]:
    """`sum` is that of the mean mention, lengths are those of the longest: they must not grow with the mentions."""
    read = [values for values in log_probs if len(values)]
    longest = entity.longest.text
    shape = [max(map(len, read), default=0), sum(1 for _ in words(longest)), len(longest), len(entity.mentions)]
    kind = [float(entity.type is one) for one in TYPES]
    if not read:
        return [np.nan] * 5 + shape + kind
    pieces = np.concatenate(read)
    total = float(np.mean([values.sum() for values in read]))
    return [float(f(pieces)) for f in (np.min, np.max, np.mean, np.median)] + [total, *shape, *kind]
