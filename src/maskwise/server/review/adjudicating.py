"""Adjudication: one layer made of what others marked: types, identifier kinds, confidential attributes and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from maskwise.errors import InputError
from maskwise.server.review.edits import read_span
from maskwise.server.review.marks import Mark, MarkState
from maskwise.text import EntityType

Span = tuple[int, int]


class Linked(NamedTuple):
    """To which entity of the adjudicated layer a span belongs."""

    entity: str
    type: EntityType


def resolve_take(
    state: MarkState, text: str, rows: Any, layers: Mapping[str, MarkState]
) -> dict[str, Any]:
    """One step that takes each chosen span as a layer has it, in place of what stood at this span.

    A row is `[start, end, layer]`. What the layer links to a span that was taken before is linked here as well.
    """
    if not isinstance(rows, list) or not rows:
        raise InputError("`rows` is a list of [start, end, layer]")
    chosen = [found for row in rows for found in _read_row(row, layers)]
    spans = {(mark.start, mark.end) for _, mark in chosen}
    gone, known = [], {}
    for mark in state.marks.values():
        span = mark.start, mark.end
        if span in spans:
            gone.append(mark.id)
        else:
            known[span] = Linked(mark.entity, mark.type)
    edits = [{"kind": "unmark", "marks": gone}] if gone else []
    for made, (layer, mark) in enumerate(chosen, state.made + 1):
        entity = _find_entity(mark, layer, known, text)
        edits.append(_mark_as(mark, entity))
        known[mark.start, mark.end] = Linked(entity or f"r{made}", mark.type)
    return {"kind": "several", "edits": edits}


def _read_row(row: Any, layers: Mapping[str, MarkState]) -> list[tuple[MarkState, Mark]]:
    is_row = isinstance(row, list) and len(row) == 3 and isinstance(row[2], str)
    layer = layers.get(row[2]) if is_row else None
    if layer is None:
        raise InputError("a row is [start, end, layer], of a layer that holds work")
    start, end = read_span(row[:2])
    marks = [one for one in layer.marks.values() if (one.start, one.end) == (start, end)]
    if not marks:
        raise InputError("this layer does not mark this span")
    return [(layer, mark) for mark in marks]


def _find_entity(
    mark: Mark, layer: MarkState, known: Mapping[Span, Linked], text: str
) -> str | None:
    """The entity to which a mark belongs: that of what its layer links to it, else that of an equal text."""
    own = [(one.start, one.end) for one in layer.by_entity[mark.entity]]
    for span in own:
        if span in known:
            return known[span].entity
    apart = {(one.start, one.end) for one in layer.marks.values()} - set(own)
    wanted = text[mark.start : mark.end]
    for span, linked in known.items():
        is_equal = linked.type == mark.type and text[slice(*span)] == wanted
        if is_equal and span not in apart:
            return linked.entity
    return None


def _mark_as(mark: Mark, entity: str | None) -> dict[str, Any]:
    edit = {
        "kind": "mark",
        "spans": [[mark.start, mark.end]],
        "type": mark.type.value,
        "identifier": mark.identifier.value,
        "confidential": mark.confidential,
        "mask": False,
        "overlap": True,
    }
    return {**edit, "entity": entity} if entity else edit
