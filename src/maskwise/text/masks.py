"""Masks made by any tool, by document: offsets `[[start, end(, replacement)]]`, or the masked text itself.

Masked text is aligned back to the original (see `align`); places where the alignment could be another are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from maskwise.errors import CorpusError
from maskwise.text.align import align
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.types import Span

Mask = tuple[int, int, str | None]


@dataclass(frozen=True, slots=True)
class Masks:
    """Masks of a corpus by doc_id, sorted; `ambiguous` counts the places an alignment was not sure of."""

    by_document: Mapping[str, tuple[Mask, ...]] = field(repr=False)
    ambiguous: Mapping[str, int] = field(default_factory=dict)

    @property
    def spans(self) -> dict[str, list[Span]]:
        return {
            name: [(start, end) for start, end, _ in masks]
            for name, masks in self.by_document.items()
        }


def parse(value: Any, corpus: Sequence[AnnotatedDocument], source: str = "masks") -> Masks:
    """Check a decoded file of masks; offsets themselves are checked against the text by the metrics."""
    if not isinstance(value, dict):
        raise CorpusError(
            f"{source}: expected an object of masks by doc_id, found {type(value).__name__}"
        )
    texts = {item.document.id: item.document.text for item in corpus}
    found: dict[str, tuple[Mask, ...]] = {}
    ambiguous: dict[str, int] = {}
    for name, masks in value.items():
        if isinstance(masks, str):
            aligned = align(texts.get(name, ""), masks)
            found[name] = tuple(aligned.masks)
            if aligned.ambiguous:
                ambiguous[name] = len(aligned.ambiguous)
        else:
            found[name] = _parse_masks(masks, f"{source}: {name}")
    return Masks(found, ambiguous)


def _parse_masks(value: Any, where: str) -> tuple[Mask, ...]:
    if not isinstance(value, list):
        raise CorpusError(
            f"{where}: expected a list of masks or the masked text, found {type(value).__name__}"
        )
    masks = [_parse_mask(item, f"{where}, mask {at}") for at, item in enumerate(value)]
    return tuple(sorted(masks, key=lambda mask: mask[:2]))


def _parse_mask(value: Any, where: str) -> Mask:
    whole = (
        isinstance(value, list) and len(value) in (2, 3) and all(type(n) is int for n in value[:2])
    )
    if not whole or not isinstance(value[2] if len(value) == 3 else "", str):
        raise CorpusError(f"{where}: expected [start, end] or [start, end, replacement]")
    return (value[0], value[1], value[2] if len(value) == 3 else None)
