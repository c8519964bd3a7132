"""Texts made ready for hardening: what stays masked, what can be masked together, and what that loses.

A unit is an entity with all its mentions, or a term outside them: a word or a noun chunk. A mask inside a noun chunk
covers the whole chunk, so that the sentence still reads. What a unit loses is its information, -log p of its terms by
the language model, as `maskwise utility` counts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from maskwise.attack.harden import TextToHarden, merge_spans
from maskwise.attack.scenario import Target
from maskwise.crowd.words import MARK
from maskwise.errors import CorpusError
from maskwise.evaluate.utility import Information, compute_information
from maskwise.evaluate.weights import load_language_model
from maskwise.mask.alignment import Alignment, apply_replacements
from maskwise.result import Result
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, Person
from maskwise.text.masks import Mask
from maskwise.text.types import Span

EVERY = 6  # terms hidden at once to measure information (N-TA)


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text with masks that were given: the text as they leave it, and the way back to its own offsets."""

    text: str = field(repr=False)
    alignment: Alignment = field(default=Alignment(()), repr=False)

    @classmethod
    def apply(cls, text: str, masks: Sequence[Mask], where: str) -> GivenText:
        """Writes the masks into a text, one without a replacement as `***`."""
        cursor = 0
        for start, end, _ in masks:
            if not cursor <= start < end <= len(text):
                raise CorpusError(
                    f"{where}: a mask is empty, outside the text, or overlaps another"
                )
            cursor = end
        written = [(s, e, MARK if new is None else new) for s, e, new in masks]
        return cls(*apply_replacements(text, written, apart=False))

    def restore(self, spans: Sequence[Span]) -> list[tuple[int, int, str]]:
        """The masks given and those of these spans of the masked text, in offsets of the original text.

        A given mask that a span touches becomes part of it.
        """
        joined = merge_spans(map(self.restore_span, spans))
        found = [(start, end, MARK) for start, end in joined]
        for edit in self.alignment.edits:
            if not any(start < edit.end and edit.start < end for start, end, _ in found):
                found.append((edit.start, edit.end, edit.replacement))
        return sorted(found)

    def restore_span(self, span: Span) -> Span:
        """A span of the masked text in offsets of the original. It covers the given masks that it touches."""
        start, last = (self.alignment.to_source(at) for at in (span[0], span[1] - 1))
        inside = [edit for edit in self.alignment.edits if edit.at < span[1] <= edit.until]
        return start, inside[0].end if inside else last + 1


def draft_texts(
    targets: Sequence[Target], sanitizer: Sanitizer, *, whole: bool = False
) -> Iterator[TextToHarden]:
    """Finds entities by the policy and the information of all terms.

    Direct identifiers, the names of the people and texts of `must_mask` stay masked; with `whole`, everything that the
    policy masks. Texts of `must_keep` stay.
    """
    model = load_language_model("lm")
    documents = [Document(each.text, protected=(Person(each.name),)) for each in targets]
    for target, result in zip(targets, sanitizer.run(documents), strict=True):
        yield draft_text(target, result, compute_information(target.text, model, EVERY), whole)


def draft_text(target: Target, result: Result, known: Information, whole: bool) -> TextToHarden:
    """One text: its entities as the policy found them, its other terms, and what each loses."""
    masked: list[Span] = []
    units: list[tuple[Span, ...]] = []
    costs: list[float] = []
    is_free = np.ones(len(known.spans), dtype=bool)
    for entity in result.entities:
        spans = _list_spans(entity)
        is_masked = result.plan.by_entity[entity.id].masked
        if entity.is_direct or entity.is_listed or (whole and is_masked):
            masked += spans
            continue
        touched = [at for at, term in enumerate(known.spans) if _is_overlapping(term, spans)]
        if entity.is_kept:
            is_free[touched] = False
            continue
        units.append((*spans, *(known.spans[at] for at in touched)))
        costs.append(float(known.content[touched].sum()))
        is_free[touched] = False
    for at in np.flatnonzero(is_free):
        units.append((known.spans[at],))
        costs.append(float(known.content[at]))
    return TextToHarden(target, tuple(masked), tuple(units), tuple(costs))


def _list_spans(entity: Entity) -> list[Span]:
    return [mention.span for mention in entity.mentions]


def _is_overlapping(term: Span, spans: Sequence[Span]) -> bool:
    return any(term[0] < end and start < term[1] for start, end in spans)
