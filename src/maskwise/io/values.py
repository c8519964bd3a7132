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
    # A pair is an entry of a map. Its key names its value, and must not be null.
    if isinstance(value, tuple) and len(value) == 2:
        key, inner = value
        new_key = change_leaves(key, path, of_leaf)
        if new_key is None:
            new_key = _make_empty_key(key)
        name = (*path, key) if isinstance(key, str) else path
        return new_key, change_leaves(inner, name, of_leaf)
    if isinstance(value, list | tuple):
        return type(value)(change_leaves(inner, path, of_leaf) for inner in value)
    return of_leaf(value, path)


def _make_empty_key(old: Any) -> Any:
    if isinstance(old, bytes):
        return bytes(len(old))
    return "" if isinstance(old, str) else type(old)(0)


def list_leaves(value: Any, numbers: bool = False) -> Iterator[str]:
    """The texts in a value, at any depth, in order. With `numbers` everything else is read as text too."""
    found: list[str] = []

    def collect_leaf(leaf: Any, _: Path) -> Any:
        if _is_read(leaf, numbers):
            found.append(str(leaf))
        return leaf

    change_leaves(value, (), collect_leaf)
    return iter(found)


def fill_leaves(value: Any, texts: Iterator[str], numbers: bool = False) -> Any:
    """`value` with its texts replaced, in the order of `list_leaves`; a number that was read becomes null."""

    def replace_leaf(leaf: Any, _: Path) -> Any:
        if not _is_read(leaf, numbers):
            return leaf
        new = next(texts)
        return new if isinstance(leaf, str) else None

    return change_leaves(value, (), replace_leaf)


def _is_read(leaf: Any, numbers: bool) -> bool:
    if isinstance(leaf, str):
        return bool(leaf)
    return numbers and leaf is not None and not isinstance(leaf, bool)
