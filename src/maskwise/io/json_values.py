"""The keys and scalars of a JSON text, where they stand and under which keys. Nothing of the text is changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from maskwise.errors import InputError
from maskwise.io.columns import Path
from maskwise.io.limits import Limits
from maskwise.text import possessive

_TOKEN = possessive.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL)


class Value(NamedTuple):
    """A key or a scalar of a JSON text: where it stands, in which row and object, under which keys."""

    row: int
    path: Path
    start: int
    end: int
    token: str
    holder: int  # the object of a key; -1 for a value

    @property
    def is_key(self) -> bool:
        return self.holder >= 0


def parse_json(text: str, name: str) -> Any:
    """The value of a JSON text, or one line that says where it is none."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}: not JSON at character {error.pos}") from None
    except RecursionError:
        raise InputError(f"{name}: JSON nested too deeply") from None
    except ValueError:  # a number of more digits than Python converts
        raise InputError(f"{name}: JSON holds a number that is too long") from None


def scan_json(text: str, name: str, limits: Limits) -> Iterator[Value]:
    """The keys and scalars of a valid JSON text."""
    path: list[str] = []
    objects: list[int] = []  # the number of each open object; -1 for a list
    row = count = 0
    key_next = False
    listed = text.lstrip()[:1] == "["
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign in "{[":
            objects.append(count if sign == "{" else -1)
            count += sign == "{"
            limits.allow(name, "depth", len(objects))
            path.append("*" if sign == "[" else "")
            key_next = objects[-1] >= 0
        elif sign in "}]":
            objects.pop()
            path.pop()
        elif sign == ",":
            key_next = objects[-1] >= 0
            row += listed and len(objects) == 1
        elif sign == ":":
            key_next = False
        elif key_next:
            path[-1] = json.loads(sign)
            yield Value(row, tuple(path[listed:]), *found.span(), sign, objects[-1])
        else:
            yield Value(row, tuple(path[listed:]), *found.span(), sign, -1)
