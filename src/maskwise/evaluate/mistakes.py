"""Mistakes of a system: what it missed and what it masked needlessly, in context, with counts by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from maskwise.evaluate.tab import (
    MaskedText,
    check_masks,
    cover_characters,
    list_masked_spans,
    sum_open,
)
from maskwise.text import IdentifierType
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.types import Span

Kind = Literal["missed", "needless"]

CONTEXT = 40  # characters on each side
NOWHERE = "none"  # the type of a mask that touches no mention of any annotator


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mention left visible (`missed`) or a mask no annotator agrees with (`needless`).

    `annotators` of `of` masked it: at least one where it was missed, none where the mask is needless. The text is that
    of the original, so a list of mistakes is as confidential as the corpus.
    """

    document: str
    kind: Kind
    start: int
    end: int
    type: str
    identifier: str
    annotators: int
    of: int
    before: str = field(repr=False)
    text: str = field(repr=False)
    after: str = field(repr=False)


def find_mistakes(
    corpus: Sequence[AnnotatedDocument], masks: Mapping[str, Sequence[Span]]
) -> list[Mistake]:
    """Returns all mistakes, in the order of the corpus. A mention that several annotators marked alike comes once."""
    found: list[Mistake] = []
    for item in corpus:
        masks_of_document = sorted(masks.get(item.document.id, ()))
        found += _find_in_document(item, masks_of_document)
    return found


def count_by_type(found: Sequence[Mistake]) -> dict[str, dict[str, int]]:
    """Counts the mistakes by kind, then by type."""
    kinds: dict[str, Counter[str]] = {"missed": Counter(), "needless": Counter()}
    for mistake in found:
        kinds[mistake.kind][mistake.type] += 1
    return {kind: dict(sorted(counts.items())) for kind, counts in kinds.items()}


def _find_in_document(item: AnnotatedDocument, masks: Sequence[Span]) -> list[Mistake]:
    check_masks(item, masks)
    found = [*_find_missed(item, masks), *_find_needless(item, masks)]
    return sorted(found, key=lambda one: (one.start, one.end, one.kind, one.type))


def _find_missed(item: AnnotatedDocument, masks: Sequence[Span]) -> Iterator[Mistake]:
    """Yields the mentions that an annotator masked and the system left visible."""
    masked = MaskedText(item.document.text, masks)
    found: dict[tuple[int, int, str], list[IdentifierType]] = {}
    for layer in item.layers:
        for a in layer.annotations:
            if a.identifier is not IdentifierType.NONE and not masked.is_closed(*a.mention.span):
                found.setdefault((*a.mention.span, a.mention.type.value), []).append(a.identifier)
    for (start, end, kind), roles in found.items():
        role = IdentifierType.DIRECT if IdentifierType.DIRECT in roles else IdentifierType.QUASI
        yield _make_mistake(item, "missed", (start, end), kind, role, len(roles))


def _find_needless(item: AnnotatedDocument, masks: Sequence[Span]) -> Iterator[Mistake]:
    """Yields the masks over a word that no annotator masked. Their type is that of the mention they touch, if any."""
    masked = MaskedText(item.document.text, ())
    wanted = chain.from_iterable(map(list_masked_spans, item.layers))
    gold = cover_characters(len(item.document), wanted)
    closed = sum_open(gold | masked.ignored)
    for start, end in masks:
        if item.layers and closed[start] != closed[end]:
            kind = _find_type(item, start, end)
            yield _make_mistake(item, "needless", (start, end), kind, IdentifierType.NONE, 0)


def _find_type(item: AnnotatedDocument, start: int, end: int) -> str:
    """Returns the type of most mentions that the span touches."""
    kinds: Counter[str] = Counter()
    for layer in item.layers:
        for annotation in layer.annotations:
            mention = annotation.mention
            if mention.start < end and start < mention.end:
                kinds[mention.type.value] += 1
    return min(kinds, key=lambda kind: (-kinds[kind], kind), default=NOWHERE)


def _make_mistake(
    item: AnnotatedDocument,
    what: Kind,
    span: Span,
    kind: str,
    role: IdentifierType,
    count: int,
) -> Mistake:
    start, end = span
    text = item.document.text
    context = text[max(0, start - CONTEXT) : start], text[start:end], text[end : end + CONTEXT]
    return Mistake(
        item.document.id, what, start, end, kind, role.value, count, len(item.layers), *context
    )
