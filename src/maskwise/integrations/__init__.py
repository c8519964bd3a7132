"""Adapters to other programs, one file per program. Each is loaded when it is imported by name."""

from __future__ import annotations

from importlib import import_module

from maskwise.errors import PluginError


def require_library(module: str, extra: str) -> None:
    """Raise an error that says what to install if the library of an integration is missing."""
    try:
        import_module(module)
    except ImportError:
        raise PluginError(
            f"{module} is not here; this needs the extra: pip install 'maskwise[{extra}]'"
        ) from None
