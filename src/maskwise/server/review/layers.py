"""Layers: what one annotator marked in a document, between TAB's JSON and the marks of the page, without loss."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from maskwise.errors import InputError
from maskwise.server.review.marks import EntityFacts, Mark, MarkState
from maskwise.server.review.requests import find_spans
from maskwise.text import Document, IdentifierType, Provenance
from maskwise.text.tab import Annotation, Layer, Raw

ADJUDICATED = "adjudicated"  # the layer that reviewers make of all others
PRE = "pre_annotation"  # the key of a layer that began with what a policy found
NO_LAYER = Layer("", ())
Span = tuple[int, int]


def mark_layer(layer: Layer) -> tuple[MarkState, dict[str, Raw]]:
    """The marks of a layer, and what the file says about each."""
    marks: dict[str, Mark] = {}
    facts: dict[str, EntityFacts] = {}
    raws: dict[str, Raw] = {}
    for at, one in enumerate(layer.annotations):
        key = f"t{at}"
        mention = one.mention
        marks[key] = Mark(
            key,
            mention.start,
            mention.end,
            mention.type,
            one.entity_id,
            one.identifier,
            one.confidential,
            source=Provenance.ANNOTATOR,
            certain=True,
        )
        facts.setdefault(one.entity_id, EntityFacts(mention.type, one.identifier))
        raws[key] = one.raw
    return MarkState(marks, facts), raws


def make_layer(
    document: Document, base: Layer, state: MarkState, raws: Mapping[str, Raw], name: str
) -> Layer:
    """The layer of some marks. What nobody changed is written as it was read."""
    found = []
    for mark in state.marks.values():
        raw = raws.get(mark.id)
        known = str(raw.get("entity_mention_id") or "") if raw else f"{name}_{mark.id}"
        mention = document.mention(mark.start, mark.end, mark.type, source=Provenance.ANNOTATOR)
        found.append(
            Annotation(mention, mark.identifier, mark.entity, known, mark.confidential, raw or {})
        )
    return Layer(name, tuple(found), base.raw)


def list_masked(state: MarkState) -> list[tuple[int, int, str]]:
    """The spans that a layer masks, with the type that stands for each. What overlaps is one span."""
    found: list[tuple[int, int, str]] = []
    for mark in sorted(state.marks.values(), key=lambda one: (one.start, -one.end)):
        if mark.identifier is IdentifierType.NONE:
            continue
        if found and mark.start < found[-1][1]:
            start, end, label = found[-1]
            found[-1] = (start, max(end, mark.end), label)
        else:
            found.append((mark.start, mark.end, f"[{mark.type.value}]"))
    return found


def compare_layers(layers: Mapping[str, MarkState]) -> list[dict[str, Any]]:
    """Every span that somebody marked, with the labels of each layer and whether all layers agree.

    A label ends with the first mention of its entity. Layers agree on links where they link the same of the spans that
    all of them mark.
    """
    spans: dict[Span, dict[str, Sequence[Any]]] = {}
    for name, state in layers.items():
        for mark in state.marks.values():
            first = state.by_entity[mark.entity][0]
            own = (mark.type.value, mark.identifier.value, mark.confidential)
            label = [*own, [first.start, first.end]]
            spans.setdefault((mark.start, mark.end), {})[name] = label
    common = {span for span, labels in spans.items() if len(labels) == len(layers)}
    links = [_list_links(state, common) for state in layers.values()]
    rows = []
    for span, labels in sorted(spans.items()):
        told = {tuple(label[:3]) for label in labels.values()}
        is_same = span in common and len(told) == len({linked[span] for linked in links}) == 1
        rows.append({"start": span[0], "end": span[1], "labels": labels, "same": is_same})
    return rows


def _list_links(state: MarkState, common: set[Span]) -> dict[Span, frozenset[Span]]:
    """For each span the spans of its entity, among those that every layer marks."""
    found = {}
    for marks in state.by_entity.values():
        own = frozenset((mark.start, mark.end) for mark in marks) & common
        found.update(dict.fromkeys(own, own))
    return found


def resolve_annotation(
    state: MarkState, text: str, request: Mapping[str, Any], draft: Sequence[Mark] = ()
) -> dict[str, Any]:
    """The edit that an annotator asks for. Equal texts of one type are linked by themselves."""
    do = request.get("do")
    if do == "mark":
        spans = find_spans(state, text, request)
        fields = {key: request[key] for key in ("type", "identifier") if key in request}
        entity = _find_linked(state, text, spans, str(request.get("type")))
        linked = {"entity": entity} if entity else {}
        return {"kind": "mark", "spans": spans, "mask": False, "overlap": True, **fields, **linked}
    if do == "merge":
        return {"kind": "merge", "targets": request.get("entities")}
    if do == "split":
        return {"kind": "split", "marks": [request.get("mark")]}
    if do == "draft":
        return _take_draft(state, draft)
    target: dict[str, Any] = {"targets": [request.get("entity")]}
    if request.get("scope") == "occurrence":
        target = {"marks": [request.get("mark")]}
    if do == "unmark":
        marks = state.by_entity.get(str(request.get("entity")), ())
        return {"kind": "unmark", "marks": target.get("marks") or [mark.id for mark in marks]}
    kinds = {"type": "retype", "identifier": "classify", "confidential": "disclose"}
    if do not in kinds:
        known = ", ".join((*kinds, "mark", "unmark", "merge", "split", "draft"))
        raise InputError(f"`do` is one of {known}")
    return {"kind": kinds[do], do: request.get(do), **target}


def _find_linked(
    state: MarkState, text: str, spans: Sequence[Sequence[int]], kind: str
) -> str | None:
    """The entity that already has one of the texts, with the same type."""
    wanted = {text[start:end] for start, end in spans}
    for mark in state.marks.values():
        if mark.type.value == kind and text[mark.start : mark.end] in wanted:
            return mark.entity
    return None


def _take_draft(state: MarkState, draft: Sequence[Mark]) -> dict[str, Any]:
    """One step that marks all that a policy found where the annotator marked nothing."""
    grouped: dict[str, list[Mark]] = {}
    for mark in draft:
        if not state.list_overlapping(mark.start, mark.end):
            grouped.setdefault(mark.entity, []).append(mark)
    edits = [_mark_again(marks) for marks in grouped.values()]
    if not edits:
        raise InputError("the policy found nothing that is not marked")
    return {"kind": "several", "edits": edits, PRE: True}


def _mark_again(marks: Sequence[Mark]) -> dict[str, Any]:
    return {
        "kind": "mark",
        "spans": [[mark.start, mark.end] for mark in marks],
        "type": marks[0].type.value,
        "identifier": marks[0].identifier.value,
        "mask": False,
        "overlap": True,
    }
