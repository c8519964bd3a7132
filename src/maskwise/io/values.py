"""Values of a typed cell: texts, numbers and bytes, in lists, records and maps of any depth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Path = tuple[str, ...]  # names of the column and the fields down to a value
Change = Callable[[Any, Path], Any]


def change_leaves(value: Any, path: Path, of_leaf: Change) -> Any:
    """A value with each of its leaves changed, at any depth, always in the same order.

    >>> change_leaves({"a": ["x", {"b": "y"}]}, ("top",), lambda leaf, path: leaf.upper())
    {'a': ['X', {'b': 'Y'}]}
    """
    if isinstance(value, dict):
        return {key: change_leaves(inner, (*path, key), of_leaf) for key, inner in value.items()}
    # An entry of a map: its key names its value, and is not null.
    if isinstance(value, tuple) and len(value) == 2:
        key, inner = value
        new = change_leaves(key, path, of_leaf)
        name = (*path, key) if isinstance(key, str) else path
        return _make_empty_key(key) if new is None else new, change_leaves(inner, name, of_leaf)
    if isinstance(value, list | tuple):
        return type(value)(change_leaves(inner, path, of_leaf) for inner in value)
    return of_leaf(value, path)


def _make_empty_key(old: Any) -> Any:
    return (
        bytes(len(old)) if isinstance(old, bytes) else "" if isinstance(old, str) else type(old)(0)
    )


def list_leaves(value: Any, numbers: bool = False) -> Iterator[str]:
    """The texts in a value, at any depth, in order; with `numbers` everything else as text too."""
    found: list[str] = []

    def collect(leaf: Any, _: Path) -> Any:
        if _is_read(leaf, numbers):
            found.append(str(leaf))
        return leaf

    change_leaves(value, (), collect)
    return iter(found)


def fill_leaves(value: Any, texts: Iterator[str], numbers: bool = False) -> Any:
    """`value` with its texts replaced, in the order of `list_leaves`; a number that was read becomes null."""

    def replace(leaf: Any, _: Path) -> Any:
        if not _is_read(leaf, numbers):
            return leaf
        new = next(texts)
        return new if isinstance(leaf, str) else None

    return change_leaves(value, (), replace)


def _is_read(leaf: Any, numbers: bool) -> bool:
    if isinstance(leaf, str):
        return bool(leaf)
    return numbers and leaf is not None and not isinstance(leaf, bool)
