"""Edits: what a person can do to the marks of a document. Each is a small JSON object, applied by a pure function.

`targets` names entities and `marks` names single marks. An edit of kind `several` is one step for undo and redo.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from maskwise.errors import InputError
from maskwise.server.review.marks import EntityFacts, Mark, MarkState, make_disclosure
from maskwise.text import Action, EntityType, IdentifierType, Override, Provenance

Edit = Mapping[str, Any]
LONGEST = 2000  # characters of a reason or a replacement


def apply_edit(state: MarkState, edit: Edit, author: str = "") -> MarkState:
    """The state after an edit; raises `InputError` for one that does not fit the state."""
    kind = edit.get("kind")
    if kind == "several":
        for one in _read_list(edit, "edits"):
            state = apply_edit(state, one, author)
        return state
    apply = _KINDS.get(str(kind))
    if apply is None:
        raise InputError(f"an edit has one of the kinds {', '.join(_KINDS)}, several")
    return apply(state, edit, author)


def _decide(state: MarkState, edit: Edit, author: str) -> MarkState:
    """Mask, keep or generalise entities, whatever the policy says."""
    action = _read_choice(edit, "action", Action)
    level = edit.get("level", 0)
    if not isinstance(level, int):
        raise InputError("`level` is a whole number")
    reason = _read_text(edit, "reason")
    made = {
        name: Override(name, action, level, author, reason) for name in _read_targets(state, edit)
    }
    return replace(state, overrides={**state.overrides, **made})


def _follow_policy(state: MarkState, edit: Edit, author: str) -> MarkState:
    """Take decisions and replacements back, so that the policy decides."""
    gone = set(_read_targets(state, edit))
    return replace(
        state,
        overrides=_drop_keys(state.overrides, gone),
        texts=_drop_keys(state.texts, gone),
        accepted=state.accepted - gone,
    )


def _accept(state: MarkState, edit: Edit, author: str) -> MarkState:
    return replace(state, accepted=state.accepted | set(_read_targets(state, edit)))


def _retype(state: MarkState, edit: Edit, author: str) -> MarkState:
    kind = _read_choice(edit, "type", EntityType)
    return _change(state, edit, lambda facts: replace(facts, type=kind), type=kind)


def _classify(state: MarkState, edit: Edit, author: str) -> MarkState:
    kind = _read_choice(edit, "identifier", IdentifierType)
    return _change(state, edit, lambda facts: replace(facts, identifier=kind), identifier=kind)


def _disclose(state: MarkState, edit: Edit, author: str) -> MarkState:
    status = _read_text(edit, "confidential")
    try:
        found = make_disclosure(status, 0, 1)
    except ValueError:
        raise InputError("`confidential` is no status of TAB") from None
    return _change(state, edit, lambda facts: replace(facts, disclosure=found), confidential=status)


def _write(state: MarkState, edit: Edit, author: str) -> MarkState:
    """Replace entities by a text of the person's own."""
    text = _read_text(edit, "text").strip()
    if not text:
        raise InputError("a replacement has at least one character")
    targets = _read_targets(state, edit)
    masked = {"targets": targets, "action": Action.SUPPRESS, "reason": edit.get("reason", "")}
    state = _decide(state, masked, author)
    return replace(state, texts={**state.texts, **dict.fromkeys(targets, text)})


def _merge(state: MarkState, edit: Edit, author: str) -> MarkState:
    """Join entities: all are the first from now on."""
    first, *others = _read_targets(state, edit)
    if not others or first in others:
        raise InputError("two different entities are needed to merge")
    facts = state.facts[first]
    marks = {}
    for key, mark in state.marks.items():
        marks[key] = replace(mark, entity=first, type=facts.type) if mark.entity in others else mark
    is_protected = any(state.facts[name].protected for name in (first, *others))
    merged = {**state.facts, first: replace(facts, protected=is_protected)}
    return _forget_empty(replace(state, marks=marks, facts=merged))


def _split(state: MarkState, edit: Edit, author: str) -> MarkState:
    """Make marks an entity of their own."""
    chosen = _read_marks(state, edit)
    old = chosen[0].entity
    if any(mark.entity != old for mark in chosen):
        raise InputError("only marks of one entity can be split from it")
    if len(chosen) == len(state.by_entity[old]):
        return state
    name = f"r{state.made + 1}"
    moved = {mark.id: replace(mark, entity=name) for mark in chosen}
    decided = {**state.overrides}
    if old in decided:
        decided[name] = replace(decided[old], entity=name)
    return replace(
        state,
        marks={**state.marks, **moved},
        facts={**state.facts, name: state.facts[old]},
        overrides=decided,
        made=state.made + 1,
    )


def _mark(state: MarkState, edit: Edit, author: str) -> MarkState:
    """Mark spans that were missed. What they overlap gives way, unless `overlap` lets both stand."""
    kind = _read_choice(edit, "type", EntityType)
    identifier = _read_choice(edit, "identifier", IdentifierType, IdentifierType.QUASI)
    spans = [read_span(one) for one in _read_list(edit, "spans")]
    status = None if edit.get("confidential") is None else _read_text(edit, "confidential")
    name = edit.get("entity") or f"r{state.made + 1}"
    marks = dict(state.marks)
    for number, (start, end) in enumerate(spans, 1):
        if not edit.get("overlap"):
            for other in state.list_overlapping(start, end):
                marks.pop(other.id, None)
        key = f"r{state.made + 1}_{number}"
        marks[key] = Mark(
            key,
            start,
            end,
            kind,
            name,
            identifier,
            status,
            source=Provenance.ANNOTATOR,
            certain=True,
        )
    facts = {**state.facts}
    facts.setdefault(name, EntityFacts(kind, identifier))
    made = replace(state, marks=marks, facts=facts, made=state.made + 1)
    if edit.get("mask", True):
        override = Override(name, Action.SUPPRESS, 0, author, _read_text(edit, "reason"))
        made = replace(made, overrides={**made.overrides, name: override})
    return _forget_empty(made)


def _unmark(state: MarkState, edit: Edit, author: str) -> MarkState:
    gone = {mark.id for mark in _read_marks(state, edit)}
    return _forget_empty(replace(state, marks=_drop_keys(state.marks, gone)))


_KINDS: Mapping[str, Callable[[MarkState, Edit, str], MarkState]] = {
    "decide": _decide,
    "follow": _follow_policy,
    "accept": _accept,
    "retype": _retype,
    "classify": _classify,
    "disclose": _disclose,
    "write": _write,
    "merge": _merge,
    "split": _split,
    "mark": _mark,
    "unmark": _unmark,
}


def _change(
    state: MarkState, edit: Edit, change: Callable[[EntityFacts], EntityFacts], **fields: Any
) -> MarkState:
    """Change entities with all their marks, or single marks where the edit names them."""
    if "marks" in edit:
        marks = {mark.id: replace(mark, **fields) for mark in _read_marks(state, edit)}
        return replace(state, marks={**state.marks, **marks})
    targets = _read_targets(state, edit)
    changed = {}
    for name in targets:
        for mark in state.by_entity[name]:
            changed[mark.id] = replace(mark, **fields)
    facts = {name: change(state.facts[name]) for name in targets}
    return replace(state, marks={**state.marks, **changed}, facts={**state.facts, **facts})


def _forget_empty(state: MarkState) -> MarkState:
    """The state without entities that have no mark left."""
    gone = state.facts.keys() - {mark.entity for mark in state.marks.values()}
    if not gone:
        return state
    return replace(
        state,
        facts=_drop_keys(state.facts, gone),
        overrides=_drop_keys(state.overrides, gone),
        texts=_drop_keys(state.texts, gone),
        accepted=state.accepted - gone,
    )


def _drop_keys(mapping: Mapping[str, Any], gone: Iterable[str]) -> dict[str, Any]:
    left = set(gone)
    return {key: value for key, value in mapping.items() if key not in left}


def _read_list(edit: Edit, key: str) -> Sequence[Any]:
    found = edit.get(key)
    if not isinstance(found, (list, tuple)) or not found:
        raise InputError(f"`{key}` is a list with at least one element")
    return found


def _read_targets(state: MarkState, edit: Edit) -> list[str]:
    found = [str(name) for name in _read_list(edit, "targets")]
    if any(name not in state.facts for name in found):
        raise InputError("the document has no such entity any more; load it again")
    return found


def _read_marks(state: MarkState, edit: Edit) -> list[Mark]:
    found = [state.marks.get(str(name)) for name in _read_list(edit, "marks")]
    known = [mark for mark in found if mark is not None]
    if len(known) < len(found):
        raise InputError("the document has no such mark any more; load it again")
    return known


def _read_text(edit: Edit, key: str) -> str:
    found = edit.get(key, "")
    if not isinstance(found, str) or len(found) > LONGEST:
        raise InputError(f"`{key}` is a text of at most {LONGEST:,} characters")
    if any("\ud800" <= letter <= "\udfff" for letter in found):
        raise InputError(f"`{key}` holds half of a character, which no file can")
    return found


def _read_choice(edit: Edit, key: str, kind: Any, default: Any = None) -> Any:
    try:
        return kind(edit.get(key, default))
    except ValueError:
        raise InputError(f"`{key}` is one of {', '.join(kind)}") from None


def read_span(raw: Any) -> tuple[int, int]:
    """A span from JSON, checked."""
    if (
        not isinstance(raw, (list, tuple))
        or len(raw) != 2
        or not all(type(one) is int for one in raw)
        or not 0 <= raw[0] < raw[1]
    ):
        raise InputError("a span is [start, end] in code points, with start before end")
    return raw[0], raw[1]
