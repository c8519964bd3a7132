"""A policy laid over the one it extends: what is added, what is changed, and what is taken away only by name.

Mappings are merged key by key. Lists grow: a part of a kind that the list below has is laid over it, everything else is
appended. `replace:` puts a list in place of the one below, `null` takes a key back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

REPLACE = "replace"


def overlay(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The mapping `own` laid over `base`.

    >>> overlay({"protect": ["Ana"], "recall": 0.5}, {"protect": ["Bo"]})
    {'protect': ['Ana', 'Bo'], 'recall': 0.5}
    >>> overlay({"protect": ["Ana"]}, {"protect": {"replace": ["Bo"]}})
    {'protect': ['Bo']}
    """
    merged = dict(base)
    for key, value in own.items():
        below = merged.get(key)
        if value is None and below is not None:
            del merged[key]
        else:
            merged[key] = _lay(below, value)
    return merged


def settle_lists(own: Mapping[str, Any]) -> dict[str, Any]:
    """A mapping that lies over nothing: lists in `replace:` stand alone.

    >>> settle_lists({"protect": {"replace": ["Bo"]}})
    {'protect': ['Bo']}
    """
    return {key: _lay(None, value) for key, value in own.items()}


def _lay(below: Any, value: Any) -> Any:
    """A value in its place: over the one below, if that is of the same kind."""
    if isinstance(value, dict):
        if set(value) == {REPLACE} and isinstance(value[REPLACE], list):
            return [_lay(None, item) for item in value[REPLACE]]
        fits = isinstance(below, dict) and value.get("kind") in (None, below.get("kind"))
        return overlay(below, value) if fits else settle_lists(value)
    if isinstance(value, list):
        return _extend(below if isinstance(below, list) else [], value)
    return value


def _extend(below: list[Any], own: list[Any]) -> list[Any]:
    """The list below with the items of `own`: the first part of a kind over the first of that kind, and so on."""
    merged = list(below)
    places: dict[
        str, list[int]
    ] = {}  # by kind, places of the list below that nothing was laid over yet
    for at, item in enumerate(below):
        places.setdefault(_identify(item), []).append(at)
    for item in own:
        if same := places.get(_identify(item)):
            at = same.pop(0)
            merged[at] = _lay(below[at], item)
        else:
            merged.append(_lay(None, item))
    return merged


def _identify(item: Any) -> str:
    """Equal for parts of one kind, and for equal values."""
    return str(item["kind"]) if isinstance(item, dict) and "kind" in item else repr(item)
