"""Presidio's anonymiser: results of an analyser, made free of conflicts, and an operator for each.

Results of one type that overlap become one. A result inside another goes. Results of one type with spaces between them
become one. Texts are replaced from the last to the first, and items are listed in that order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from maskwise.server.presidio.operators import (
    ANONYMIZERS,
    DEANONYMIZERS,
    Operate,
    OperatorChoice,
    operate,
)
from maskwise.server.presidio.parameters import (
    ParameterError,
    expect_filled,
    expect_given,
    expect_kind,
)

DEFAULT = "DEFAULT"  # the operator of types that have none
LARGEST = 1 << 25  # characters that the operators of one request read and write
_SPACES = re.compile(" +")


@dataclass
class AnalyzedSpan:
    """A span that a client names, with its type. It changes when spans are joined."""

    start: int
    end: int
    entity_type: str
    score: float | None = None

    @classmethod
    def parse(cls, raw: Any, needs_score: bool = True) -> AnalyzedSpan:
        start, end, kind, score = (raw.get(key) for key in ("start", "end", "entity_type", "score"))
        for name, value in (("start", start), ("end", end)):
            expect_given(value, "result", name)
            expect_kind(value, name, int)
        expect_filled(kind, "result", "entity_type")
        if start < 0 or end < 0:
            raise ParameterError("Invalid input, result start and end must be positive")
        if start > end:
            raise ParameterError(
                f"Invalid input, start index '{start}' must be smaller than end index '{end}'"
            )
        if needs_score:
            expect_given(score, "analyzer result", "score")
            return cls(start, end, kind, score)
        return cls(start, end, kind, float(score) if score is not None else None)

    def measure_overlap(self, other: AnalyzedSpan) -> int:
        return min(self.end, other.end) - max(self.start, other.start)


@dataclass
class OutputRoom:
    """How much the operators of a request may still read and write. A long value for many spans fills the memory."""

    left: int = field(default_factory=lambda: LARGEST)

    def take(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise ParameterError(
                f"Invalid input, operators work on more than {LARGEST:,} characters"
            )


def anonymize(
    text: str, raw: Any, choices: Mapping[str, OperatorChoice], room: OutputRoom
) -> dict[str, Any]:
    """The anonymised text with its items, as `/anonymize` answers."""
    if raw is None:
        raise ParameterError("Invalid input, request must contain analyzer results")
    spans = [AnalyzedSpan.parse(each) for each in raw]
    spans.sort(key=lambda span: (span.start, span.end))
    spans = _join_spaced(text, _drop_contained(_join_same(spans)))
    chosen = {DEFAULT: OperatorChoice("replace"), **choices}
    spans.sort(key=lambda span: (span.start, span.end), reverse=True)
    return _write(text, spans, chosen, ANONYMIZERS, room)


def deanonymize(
    text: str, raw: Any, choices: Mapping[str, OperatorChoice], room: OutputRoom
) -> dict[str, Any]:
    """The text turned back with its items, as `/deanonymize` answers."""
    spans = [AnalyzedSpan.parse(each, needs_score=False) for each in raw or ()]
    spans.sort(key=lambda span: span.start, reverse=True)
    return _write(text, spans, choices, DEANONYMIZERS, room)


def _join_same(spans: Sequence[AnalyzedSpan]) -> list[AnalyzedSpan]:
    """Join overlapping spans of one type. A joined span stands where its last part stood."""
    latest: dict[str, tuple[int, AnalyzedSpan]] = {}
    kept: list[tuple[int, AnalyzedSpan]] = []
    for at, span in enumerate(spans):
        _, before = latest.get(span.entity_type, (0, None))
        if before is not None and before.measure_overlap(span) > 0:
            before.end = max(before.end, span.end)
            before.score = max(before.score, span.score)  # type: ignore[type-var]
            latest[span.entity_type] = (at, before)
            continue
        if before is not None:
            kept.append(latest[span.entity_type])
        latest[span.entity_type] = (at, span)
    kept += latest.values()
    return [span for _, span in sorted(kept, key=lambda each: each[0])]


def _drop_contained(spans: Sequence[AnalyzedSpan]) -> list[AnalyzedSpan]:
    """Drop spans inside others. Of spans with the same ends the surest stays, the last of equals."""
    best: dict[tuple[int, int], int] = {}
    for at, span in enumerate(spans):
        ends = (span.start, span.end)
        if ends not in best or span.score >= spans[best[ends]].score:  # type: ignore[operator]
            best[ends] = at
    kept: set[int] = set()
    reach = -1
    for start, end in sorted(best, key=lambda ends: (ends[0], -ends[1])):
        if end > reach:
            kept.add(best[start, end])
            reach = end
    return [span for at, span in enumerate(spans) if at in kept]


def _join_spaced(text: str, spans: Sequence[AnalyzedSpan]) -> list[AnalyzedSpan]:
    """Join neighbours of one type with nothing but spaces between them."""
    joined: list[AnalyzedSpan] = []
    for span in spans:
        before = joined[-1] if joined else None
        is_alike = before is not None and before.entity_type == span.entity_type
        if before and is_alike and _SPACES.fullmatch(text[before.end : span.start]):
            joined.pop()
            span.start = before.start
        joined.append(span)
    return joined


def _write(
    text: str,
    spans: Sequence[AnalyzedSpan],
    choices: Mapping[str, OperatorChoice],
    known: Mapping[str, Operate],
    room: OutputRoom,
) -> dict[str, Any]:
    """Replace spans from the last to the first. Items tell where each replacement stands in the output."""
    size, limit = len(text), len(text)
    parts: list[str] = []  # of what follows `limit` in the output, from the last to the first
    written = 0
    items: list[dict[str, Any]] = []
    from_end: list[int] = []
    for span in spans:
        if size < span.start or span.end > size:
            raise ParameterError(
                f"Invalid analyzer result, start: {span.start} and end: {span.end}, "
                f"while text length is only {size}."
            )
        choice = choices.get(span.entity_type) or choices[DEFAULT]
        changed = operate(known, choice, text[span.start : span.end], span.entity_type)
        room.take(span.end - span.start + choice.size + len(changed))
        parts += (text[min(span.end, limit) : limit], changed)
        written += len(parts[-2]) + len(parts[-1])
        limit = span.start
        from_end.append(written)
        told = {"entity_type": span.entity_type, "text": changed, "operator": choice.name}
        items.append({"start": 0, "end": 0, **told, "score": span.score})
    output = text[:limit] + "".join(reversed(parts))
    for item, distance in zip(items, from_end, strict=True):
        item["start"] = len(output) - distance
        item["end"] = item["start"] + len(item["text"])
    return {"text": output, "items": items}
