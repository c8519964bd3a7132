"""Checks of Presidio's request fields, with the messages that its clients know."""

from __future__ import annotations

from typing import Any

JSON_NAMES = {str: "string", bool: "boolean", int: "number", list: "array", object: "object"}


class ParameterError(Exception):
    """A field of a request is missing or wrong: status 422."""


def expect_given(value: Any, owner: str, name: str) -> None:
    if value is None:
        raise ParameterError(f"Invalid input, {owner} must contain {name}")


def expect_filled(value: Any, owner: str, name: str) -> None:
    if not value:
        raise ParameterError(f"Invalid input, {owner} must contain {name}")


def expect_parameter(value: Any, name: str, kind: type) -> None:
    if value is None:
        raise ParameterError(f"Expected parameter {name}")
    expect_kind(value, name, kind)


def expect_kind(value: Any, name: str, kind: type) -> None:
    """An empty value passes, as it does there."""
    if not value or isinstance(value, kind):
        return
    wanted, found = JSON_NAMES.get(kind), JSON_NAMES.get(type(value))
    if wanted and found:
        raise ParameterError(
            f"Invalid parameter value for {name}. Expecting '{wanted}', but got '{found}'."
        )
    raise ParameterError(f"Invalid parameter value for '{name}'.")
