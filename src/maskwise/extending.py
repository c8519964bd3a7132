"""Lays a policy over the one it extends.

Mappings are merged key by key. Lists grow: a part of a kind that the list below has is laid over that part, everything
else is appended. `replace:` puts a list in place of the one below, `null` takes a key back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

REPLACE = "replace"


def overlay_policy(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the mapping `own` laid over `base`.

    >>> overlay_policy({"protect": ["Ana"], "recall": 0.5}, {"protect": ["Bo"]})
    {'protect': ['Ana', 'Bo'], 'recall': 0.5}
    >>> overlay_policy({"protect": ["Ana"]}, {"protect": {"replace": ["Bo"]}})
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
    """Returns a mapping that lies over nothing: lists in `replace:` stand alone.

    >>> settle_lists({"protect": {"replace": ["Bo"]}})
    {'protect': ['Bo']}
    """
    return {key: _lay(None, value) for key, value in own.items()}


def _lay(below: Any, value: Any) -> Any:
    """Returns a value laid over the one below, if that is of the same kind."""
    if isinstance(value, dict):
        if set(value) == {REPLACE} and isinstance(value[REPLACE], list):
            return [_lay(None, item) for item in value[REPLACE]]
        fits = isinstance(below, dict) and value.get("kind") in (None, below.get("kind"))
        return overlay_policy(below, value) if fits else settle_lists(value)
    if isinstance(value, list):
        return _extend(below if isinstance(below, list) else [], value)
    return value


def _extend(below: list[Any], own: list[Any]) -> list[Any]:
    """Returns the list below with the items of `own`: the first part of a kind over the first of it, and so on."""
    merged = list(below)
    places: dict[str, list[int]] = {}  # the parts below that nothing was laid over yet, by kind
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
    """Returns a key that is equal for parts of one kind, and for equal values."""
    return str(item["kind"]) if isinstance(item, dict) and "kind" in item else repr(item)
