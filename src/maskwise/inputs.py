"""Reads small files that a user writes by hand, within a limit, and decodes YAML so that nothing hides in them.

A key that stands twice would drop the first value in silence, and a few aliases (`*name`) can stand for gigabytes. Both
are refused. JSON is YAML, so a policy in JSON is read the same way.
"""

from __future__ import annotations

import stat
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from maskwise.errors import InputError, describe_cause

LIMIT = 1 << 20  # bytes of a policy
DIGITS = 64  # characters of a number
_NUMBERS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("int", "float", "timestamp"))


def read_small(path: Path, limit: int = LIMIT) -> bytes:
    """Return the bytes of a file that is no larger than the limit. A folder or a device is refused unopened."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise InputError(f"{path.name or path}: cannot be read (not a file)")
        if found.st_size > limit:
            raise InputError(
                f"{path.name}: has {found.st_size:,} bytes; at most {limit:,} are read"
            )
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"{path.name or path}: cannot be read ({describe_cause(error)})") from None
    if len(data) > limit:
        raise InputError(f"{path.name}: has more than the {limit:,} bytes that are read")
    return data


def decode_yaml(data: bytes, source: str) -> Any:
    """Return the value of a YAML text. `source` names it in errors.

    >>> decode_yaml(b"name: mine", "mine.yaml")
    {'name': 'mine'}
    >>> decode_yaml(b"name: a" + bytes([10]) + b"name: b", "mine.yaml")
    Traceback (most recent call last):
    maskwise.errors.InputError: mine.yaml: key 'name' stands twice, at lines 1 and 2; keep one of them
    """
    try:
        return yaml.load(data.decode("utf-8"), _Loader)  # noqa: S506 - a safe loader, made stricter
    except _RefusedError as refused:
        raise InputError(f"{source}: {refused}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not UTF-8 (byte {error.start}); save it as UTF-8") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark else ""
        raise InputError(f"{source}: not YAML{where}") from None
    except RecursionError:
        raise InputError(f"{source}: YAML nested too deeply") from None
    except (ValueError, OverflowError):  # 2024-13-45
        raise InputError(
            f"{source}: a number or date in it does not exist; write texts in quotes"
        ) from None


class _RefusedError(Exception):
    """YAML that is well formed and not accepted."""


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader without aliases, keys that stand twice, and numbers that take long to read."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            line = self.peek_event().start_mark.line + 1  # type: ignore[no-untyped-call]
            raise _RefusedError(
                f"line {line} has an alias (*), which is not read; write its value out"
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        lines: dict[Hashable, int] = {}
        for name, _ in node.value:
            key, line = self.construct_object(name, deep=True), name.start_mark.line + 1
            if isinstance(key, Hashable) and key in lines:
                said = str(key)[:DIGITS]
                raise _RefusedError(
                    f"key {said!r} stands twice, at lines {lines[key]} and {line}; keep one of them"
                )
            if isinstance(key, Hashable):
                lines[key] = line
        found: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return found

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        if node.tag in _NUMBERS and len(node.value) > DIGITS:
            line = node.start_mark.line + 1
            raise _RefusedError(
                f"line {line} has a number of more than {DIGITS} digits; write texts in quotes"
            )
        return super().construct_object(node, deep)
