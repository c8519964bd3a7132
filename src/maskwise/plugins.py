"""Finds parts by entry point: ours and third parties' are registered the same way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from maskwise.errors import MaskwiseError, PluginError

GROUPS = ("detectors", "linkers", "indicators", "solvers", "operators", "indexes", "readers", "writers", "leak_readers")


@cache
def available(group: str) -> Mapping[str, Any]:
    """Entry points of `maskwise.<group>` by name, not loaded."""
    return {point.name: point for point in _installed().select(group=f"maskwise.{group}")}


@cache
def _installed() -> Any:
    """All entry points of all packages: reading them takes longer than a short text."""
    return entry_points()


def build(group: str, name: str, options: Mapping[str, Any] | None = None) -> Any:
    """Load the part `name` of a group and make it with `options`."""
    known = available(group)
    if name not in known:
        raise PluginError(f"no {group.rstrip('s')} named {name!r}; installed: {', '.join(sorted(known)) or 'none'}")
    try:
        factory = known[name].load()
    except ImportError as error:
        raise PluginError(f"{group.rstrip('s')} {name!r} does not load: {error}") from error
    try:
        return factory(**(options or {}))
    except MaskwiseError:
        raise
    except TypeError as error:
        raise PluginError(f"{group.rstrip('s')} {name!r}: wrong options {sorted(options or {})}") from error
