"""Unites the annotators of a document: the entities that any of them marked, and how much of each they masked.

An entity that an annotator did not mark counts as kept, as in the metrics.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.text import Document, Entity, EntityType
from maskwise.text.tokens import find_words
from maskwise.train.data import Example

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class JudgedDocument:
    """A document with the entities of all annotators: `share` of their words that is masked, `size` in words.

    `direct` and `quasi` count, for each entity, the annotators who masked it as such.
    """

    document: Document
    entities: tuple[Entity, ...]
    share: Floats
    size: Floats
    direct: Floats
    quasi: Floats


def unite_annotators(example: Example) -> JudgedDocument:
    """Returns the entities of all annotators. Mentions that one annotator links, or two mark alike, are one entity."""
    document = Document(example.text, id=example.id)
    parent: dict[Any, Any] = {}

    def find_root(key: Any) -> Any:
        while (above := parent.setdefault(key, key)) != key:
            key = above
        return key

    kinds: dict[tuple[int, int], Counter[EntityType]] = {}
    for at, layer in enumerate(example.layers):
        for one in layer:
            kinds.setdefault((one.start, one.end), Counter())[one.type] += 1
            parent[find_root((one.start, one.end))] = find_root((at, one.entity))
    clusters: dict[Any, list[tuple[int, int]]] = {}
    for place in sorted(kinds):
        clusters.setdefault(find_root(place), []).append(place)
    entities = [
        _build_entity(document, f"e{at}", spans, kinds)
        for at, spans in enumerate(clusters.values())
    ]
    return _count_judgements(document, tuple(entities), example)


def _build_entity(
    document: Document,
    id: str,
    spans: Sequence[tuple[int, int]],
    kinds: dict[Any, Counter[EntityType]],
) -> Entity:
    """Builds an entity. Its overlapping spans become one mention."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    votes = sum((kinds[place] for place in spans), Counter())
    kind = votes.most_common(1)[0][0]
    return Entity(id, kind, tuple(document.mention(*place, kind) for place in joined))


def _count_judgements(
    document: Document, entities: tuple[Entity, ...], example: Example
) -> JudgedDocument:
    tokens = np.array(list(find_words(document.text)), dtype=np.int64).reshape(-1, 2)

    def find_touched(start: int, end: int) -> slice:
        first = np.searchsorted(tokens[:, 1], start, "right")
        return slice(first, np.searchsorted(tokens[:, 0], end))

    numbers = np.arange(len(tokens))
    inside = []
    for entity in entities:
        parts = [numbers[find_touched(*mention.span)] for mention in entity.mentions]
        inside.append(np.unique(np.concatenate(parts)))
    share = np.zeros(len(entities))
    direct = np.zeros(len(entities))
    quasi = np.zeros(len(entities))
    for layer in example.layers:
        masked = np.zeros(len(tokens), dtype=bool)
        names = np.zeros(len(tokens), dtype=bool)
        for one in layer:
            if one.mask:
                inner = find_touched(one.start, one.end)
                masked[inner] = True
                names[inner] |= one.direct
        share += [masked[i].mean() if len(i) else 0.0 for i in inside]
        hit = np.array([masked[i].any() for i in inside], dtype=bool)
        named = np.array([names[i].any() for i in inside], dtype=bool)
        direct += named
        quasi += hit & ~named
    size = np.array([len(i) for i in inside], dtype=np.float64)
    share /= max(len(example.layers), 1)
    return JudgedDocument(document, entities, share, size, direct, quasi)
