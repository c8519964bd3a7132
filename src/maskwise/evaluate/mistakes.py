"""What a system missed and what it masked in vain, in context, with counts by type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from maskwise.evaluate.tab import MaskedText, check_masks, cover_characters, list_masked_spans, sum_open
from maskwise.text import IdentifierType
from maskwise.text.tab import AnnotatedDocument
from maskwise.text.types import Span

Kind = Literal["missed", "needless"]

CONTEXT = 40  # characters on each side
NOWHERE = "none"  # the type of a mask that touches no mention of any annotator


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mention left visible (`missed`) or a mask no annotator agrees with (`needless`).

    `annotators` of `of` are on the other side: they masked what was missed; none of them masked what is needless. The
    text is that of the original, so a list of mistakes is as confidential as the corpus.
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


def find_mistakes(corpus: Sequence[AnnotatedDocument], masks: Mapping[str, Sequence[Span]]) -> list[Mistake]:
    """All mistakes, in the order of the corpus; a mention several annotators marked alike is listed once."""
    return [m for item in corpus for m in _find_in_document(item, sorted(masks.get(item.document.id, ())))]


def count_by_type(found: Sequence[Mistake]) -> dict[str, dict[str, int]]:
    """Counts of mistakes: kind, then type."""
    kinds: dict[str, Counter[str]] = {"missed": Counter(), "needless": Counter()}
    for mistake in found:
        kinds[mistake.kind][mistake.type] += 1
    return {kind: dict(sorted(counts.items())) for kind, counts in kinds.items()}


def _find_in_document(item: AnnotatedDocument, masks: Sequence[Span]) -> Iterator[Mistake]:
    check_masks(item, masks)
    yield from sorted(
        (*_find_missed(item, masks), *_find_needless(item, masks)), key=lambda m: (m.start, m.end, m.kind, m.type)
    )


def _find_missed(item: AnnotatedDocument, masks: Sequence[Span]) -> Iterator[Mistake]:
    page = MaskedText(item.document.text, masks)
    found: dict[tuple[int, int, str], list[IdentifierType]] = {}
    for layer in item.layers:
        for a in layer.annotations:
            if a.identifier is not IdentifierType.NONE and not page.is_closed(*a.mention.span):
                found.setdefault((*a.mention.span, a.mention.type.value), []).append(a.identifier)
    for (start, end, kind), roles in found.items():
        role = IdentifierType.DIRECT if IdentifierType.DIRECT in roles else IdentifierType.QUASI
        yield _make_mistake(item, "missed", (start, end), kind, role, len(roles))


def _find_needless(item: AnnotatedDocument, masks: Sequence[Span]) -> Iterator[Mistake]:
    """Masks that hide a word no annotator masked; the type is that of the mention they touch, if any."""
    page = MaskedText(item.document.text, ())
    gold = cover_characters(len(item.document), (span for layer in item.layers for span in list_masked_spans(layer)))
    closed = sum_open(gold | page.ignored)
    for start, end in masks:
        if item.layers and closed[start] != closed[end]:
            kinds = Counter(
                a.mention.type.value
                for layer in item.layers
                for a in layer.annotations
                if a.mention.start < end and start < a.mention.end
            )
            kind = min(kinds, key=lambda k: (-kinds[k], k), default=NOWHERE)
            yield _make_mistake(item, "needless", (start, end), kind, IdentifierType.NONE, 0)


def _make_mistake(
    item: AnnotatedDocument,
    what: Literal["missed", "needless"],
    span: Span,
    kind: str,
    role: IdentifierType,
    count: int,
) -> Mistake:
    start, end = span
    text = item.document.text
    context = text[max(0, start - CONTEXT) : start], text[start:end], text[end : end + CONTEXT]
    return Mistake(item.document.id, what, start, end, kind, role.value, count, len(item.layers), *context)
