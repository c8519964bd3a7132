"""Turns a key pressed on the page into an edit: for this occurrence, or for all of them in the document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from maskwise.errors import InputError
from maskwise.server.review.edits import Edit, read_span
from maskwise.server.review.marks import MarkState
from maskwise.server.review.plans import Outlook

_SIMPLE: Mapping[str, Mapping[str, Any]] = {
    "mask": {"kind": "decide", "action": "suppress"},
    "unmask": {"kind": "decide", "action": "keep"},
    "level": {"kind": "decide", "action": "generalise"},
    "write": {"kind": "write"},
    "follow": {"kind": "follow"},
    "accept": {"kind": "accept"},
    "type": {"kind": "retype"},
    "identifier": {"kind": "classify"},
    "confidential": {"kind": "disclose"},
}
_FIELDS = ("level", "text", "type", "identifier", "confidential", "reason")


def resolve_request(outlook: Outlook, text: str, request: Mapping[str, Any]) -> Edit:
    """The edit that does what is asked for."""
    do = request.get("do")
    if do == "mark":
        return _resolve_mark(outlook.state, text, request)
    if do == "show":
        return _resolve_show(outlook.state, text, request)
    if do == "merge":
        return {"kind": "merge", "targets": request.get("entities")}
    if do == "split":
        return {"kind": "split", "marks": [request.get("mark")]}
    if do == "acceptAll":
        return {"kind": "accept", "targets": _list_open(outlook.state)}
    simple = _SIMPLE.get(str(do))
    if simple is None:
        known = ", ".join((*_SIMPLE, "acceptAll", "mark", "show", "merge", "split"))
        raise InputError(f"`do` is one of {known}")
    fields = {key: request[key] for key in _FIELDS if key in request}
    edit = {**fields, **simple, "targets": [request.get("entity")]}
    if request.get("scope") != "occurrence":
        return edit
    return _narrow(outlook.state, edit, request)


def _list_open(state: MarkState) -> list[str]:
    """The entities about which nobody said anything."""
    found = [name for name in state.facts if name not in state.accepted | state.overrides.keys()]
    if not found:
        raise InputError("everything is accepted or decided")
    return found


def _narrow(state: MarkState, edit: dict[str, Any], request: Mapping[str, Any]) -> Edit:
    """The edit for one occurrence alone: it becomes an entity of its own first."""
    entity = str(request.get("entity"))
    if len(state.by_entity.get(entity, ())) < 2:
        return edit
    split = {"kind": "split", "marks": [request.get("mark")]}
    alone = {**edit, "targets": [f"r{state.made + 1}"]}
    return {"kind": "several", "edits": [split, alone]}


def _resolve_mark(state: MarkState, text: str, request: Mapping[str, Any]) -> Edit:
    """Mark a span, and every equal text that nobody marked where all occurrences are meant."""
    spans = find_spans(state, text, request)
    fields = {key: request[key] for key in ("type", "identifier", "reason") if key in request}
    return {"kind": "mark", "spans": spans, **fields}


def _resolve_show(state: MarkState, text: str, request: Mapping[str, Any]) -> Edit:
    """Say of words that nothing masks that they may be read here, whatever is masked elsewhere."""
    spans = find_spans(state, text, {**request, "scope": "occurrence"})
    if any(state.list_overlapping(*span) for span in spans):
        raise InputError("these words are marked: unmask the mark instead")
    fields = {key: request[key] for key in ("type", "identifier") if key in request}
    marked = {"kind": "mark", "spans": spans, "mask": False, "type": "MISC", **fields}
    kept = {"kind": "decide", "action": "keep", "targets": [f"r{state.made + 1}"]}
    return {
        "kind": "several",
        "edits": [marked, {**kept, "reason": request.get("reason", "")}],
    }


def find_spans(state: MarkState, text: str, request: Mapping[str, Any]) -> list[list[int]]:
    """The spans that a person selected, and those with the same text unless one occurrence is meant."""
    given = request.get("spans")
    spans = [list(read_span(one)) for one in given] if isinstance(given, list) else []
    if not spans or any(end > len(text) for _, end in spans):
        raise InputError("a span lies inside the text, with its start before its end")
    if any(one[1] > two[0] for one, two in pairwise(sorted(spans))):
        raise InputError("the spans of one mark lie apart from each other")
    if request.get("scope") == "occurrence":
        return spans
    start, end = spans[0]
    for hit in re.finditer(rf"(?<!\w){re.escape(text[start:end])}(?!\w)", text):
        span = [hit.start(), hit.end()]
        if span not in spans and not state.list_overlapping(*span):
            spans.append(span)
    return spans
