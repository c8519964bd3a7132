"""Masks made by any tool, by document: offsets `[[start, end(, replacement)]]`, or the masked text itself.

Masked text is aligned back to the original (see `align`). Places with two possible alignments are counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from maskwise.errors import CorpusError
from maskwise.text.align import align_texts
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.types import Span

Mask = tuple[int, int, str | None]


@dataclass(frozen=True, slots=True)
class Masks:
    """Masks of a corpus by doc_id, sorted; `ambiguous` counts the places where the alignment is not sure."""

    by_document: Mapping[str, tuple[Mask, ...]] = field(repr=False)
    ambiguous: Mapping[str, int] = field(default_factory=dict)

    @property
    def spans(self) -> dict[str, list[Span]]:
        found = {}
        for name, masks in self.by_document.items():
            found[name] = [(start, end) for start, end, _ in masks]
        return found


def parse_masks(value: Any, corpus: Sequence[AnnotatedDocument], source: str = "masks") -> Masks:
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
            aligned = align_texts(texts.get(name, ""), masks)
            found[name] = tuple(aligned.masks)
            if aligned.ambiguous:
                ambiguous[name] = len(aligned.ambiguous)
        else:
            found[name] = _parse_document_masks(masks, f"{source}: {name}")
    return Masks(found, ambiguous)


def _parse_document_masks(value: Any, where: str) -> tuple[Mask, ...]:
    if not isinstance(value, list):
        raise CorpusError(
            f"{where}: expected a list of masks or the masked text, found {type(value).__name__}"
        )
    masks = [_parse_mask(item, f"{where}, mask {at}") for at, item in enumerate(value)]
    return tuple(sorted(masks, key=lambda mask: mask[:2]))


def _parse_mask(value: Any, where: str) -> Mask:
    wrong = CorpusError(f"{where}: expected [start, end] or [start, end, replacement]")
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise wrong
    start, end = value[:2]
    if type(start) is not int or type(end) is not int:
        raise wrong
    if len(value) == 2:
        return (start, end, None)
    if not isinstance(value[2], str):
        raise wrong
    return (start, end, value[2])
