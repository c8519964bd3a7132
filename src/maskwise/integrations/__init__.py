"""Maskwise inside other programs: one file for each. None is loaded before it is imported by name."""

from __future__ import annotations

from importlib import import_module

from maskwise.errors import PluginError


def require_library(module: str, extra: str) -> None:
    """Says what to install where the library of an integration is missing."""
    try:
        import_module(module)
    except ImportError:
        raise PluginError(f"{module} is not here; this needs the extra: pip install 'maskwise[{extra}]'") from None
