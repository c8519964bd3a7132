"""The original and the masked text as HTML, cut into the same blocks, so that one follows the other on scrolling."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from maskwise.result import Result

BLOCK = 600  # characters from which a line break ends a block


@dataclass(frozen=True)
class AnchoredResult:
    """A result, and the prefix of the anchors of its entities on the page."""

    result: Result
    prefix: str

    @cached_property
    def anchors(self) -> dict[str, str]:
        """The anchor of each entity's card on the page."""
        return {entity.id: f"{self.prefix}-{at}" for at, entity in enumerate(self.result.findings)}

    @cached_property
    def opening(self) -> dict[str, str]:
        """The start tag of the spans of each entity: a link to its card, which works without the script too."""
        judges: dict[str, dict[str, None]] = {}
        for item in self.result.evidence:
            for member in item.entities:
                judges.setdefault(member, {})[item.indicator] = None
        tags = {}
        for entity in self.result.findings:
            decision = self.result.plan.by_entity[entity.id]
            state = "masked" if decision.masked else "kept"
            anchor = self.anchors[entity.id]
            indicators = " ".join(judges.get(entity.id, ()))
            by = escape(indicators)
            tags[entity.id] = f'<a class="{entity.type} {state}" href="#{anchor}" data-by="{by}">'
        return tags


def build_columns(results: Sequence[AnchoredResult]) -> tuple[str, str]:
    """The original and the masked text of a file, with equally many blocks."""
    pairs = [pair for each in results for pair in _cut_blocks(each)]
    left = "".join(f'<div class="block">{original}</div>' for original, _ in pairs)
    right = "".join(f'<div class="block">{written}</div>' for _, written in pairs)
    return left, right


def _cut_blocks(anchored: AnchoredResult) -> Iterator[tuple[str, str]]:
    """Blocks end at line breaks outside of spans, where both texts are the same."""
    text = anchored.result.document.text
    left: list[str] = []
    right: list[str] = []
    size = cursor = 0
    for start, end, original, written in _list_changes(anchored):
        for between, ends in _cut_pieces(text, cursor, start, size):
            left.append(between)
            right.append(between)
            size += len(between)
            if ends:
                yield "".join(left), "".join(right)
                left, right, size = [], [], 0
        left.append(original)
        right.append(written)
        size += end - start
        cursor = end
    for between, ends in _cut_pieces(text, cursor, len(text), size):
        left.append(between)
        right.append(between)
        if ends:
            yield "".join(left), "".join(right)
            left, right = [], []
    yield "".join(left), "".join(right)


def _list_changes(anchored: AnchoredResult) -> list[tuple[int, int, str, str]]:
    """Where the two columns differ: spans of mentions, linked to their cards, and articles before them."""
    edits = {edit.start: edit for edit in anchored.result.rendering.alignment.edits}
    changes = []
    for entity in anchored.result.findings:
        tag = anchored.opening[entity.id]
        for mention in entity.mentions:
            edit = edits.pop(mention.start, None)
            written = edit.replacement if edit else mention.text
            linked = [f"{tag}{escape(text)}</a>" for text in (mention.text, written)]
            changes.append((*mention.span, linked[0], linked[1]))
    changes += ((e.start, e.end, escape(e.original), escape(e.replacement)) for e in edits.values())
    return sorted(changes)


def _cut_pieces(text: str, start: int, end: int, size: int) -> Iterator[tuple[str, bool]]:
    """The escaped text between two spans, cut after line breaks where a block is full, and whether it is full."""
    while start < end:
        found = text.find("\n", max(start, start + BLOCK - size), end)
        if found < 0:
            yield escape(text[start:end]), False
            return
        yield escape(text[start : found + 1]), True
        start, size = found + 1, 0
