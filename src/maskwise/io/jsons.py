"""JSON and JSON Lines. Only the strings that change are written anew; every other character of the file stays.

Keys are never masked. A number is read only where the policy declares the type of its column; it becomes a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from maskwise.errors import InputError
from maskwise.io.columns import Cell, Path, Table, load
from maskwise.io.encoding import Encoding, decode, encode
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.segments import rewrite, split
from maskwise.mask import Alignment
from maskwise.text import possessive
from maskwise.text.fold import whole

_TOKEN = possessive.compile(r'"(?:[^"\\]++|\\.)*+"|[{}\[\],:]|[^\s{}\[\],:"]++', re.DOTALL)


class Value(NamedTuple):
    """A scalar of a JSON text: where it stands, in which row, under which keys."""

    row: int
    path: Path
    start: int
    end: int
    token: str


@dataclass(frozen=True)
class Source:
    """The text of the file and the spans of the values that were read, in order."""

    text: str = field(repr=False)
    encoding: Encoding
    spans: tuple[tuple[int, int], ...]


class Json(Table):
    """One JSON value. A list at the top is a table: each of its elements is a row."""

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode(raw, name)
        rows: dict[int, list[Cell]] = {}
        spans: list[tuple[int, int]] = []
        kept: list[str] = []
        for value in self._values(text, name):
            kind = self._columns.type_of(value.path)
            string = json.loads(value.token) if value.token[0] == '"' else None
            if string is not None and not self._columns.reads(value.path):
                kept.append(string)
            elif string or (kind and value.token[0] in "-0123456789"):
                rows.setdefault(value.row, []).append(Cell(string or value.token, kind))
                spans.append((value.start, value.end))
        return load(list(rows.values()), Source(text, encoding, tuple(spans)), self._together, kept)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        source, layouts = loaded.layout
        before = (text for layout in layouts for text in layout.texts)
        after = (text for layout, done in zip(layouts, alignments, strict=True) for text in split(layout, done))
        edits = [
            (start, end, _token(new, source.text[start:end]))
            for (start, end), old, new in zip(source.spans, before, after, strict=True)
            if new != old
        ]
        return encode(rewrite(source.text, edits)[0], source.encoding)

    def _values(self, text: str, name: str) -> Iterator[Value]:
        _parse(text, name)
        yield from _scan(text, name, self._limits)


class JsonLines(Json):
    """One JSON value a line, each a row."""

    def _values(self, text: str, name: str) -> Iterator[Value]:
        start = 0
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                where = f"{name}, line {number}"
                _parse(line, where)
                for value in _scan(line, where, self._limits):
                    yield value._replace(row=number, start=value.start + start, end=value.end + start)
            start += len(line) + 1


def _parse(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}: not JSON at character {error.pos}") from None
    except RecursionError:
        raise InputError(f"{name}: JSON nested too deeply") from None
    except ValueError:  # a number of more digits than Python converts
        raise InputError(f"{name}: JSON holds a number that is too long") from None


def _scan(text: str, name: str, limits: Limits) -> Iterator[Value]:
    """The scalars of a valid JSON text."""
    path: list[str] = []
    objects: list[bool] = []
    row, key_next = 0, False
    listed = text.lstrip()[:1] == "["
    for found in _TOKEN.finditer(text):
        sign = found[0]
        if sign in "{[":
            objects.append(sign == "{")
            limits.allow(name, "depth", len(objects))
            path.append("*" if sign == "[" else "")
            key_next = objects[-1]
        elif sign in "}]":
            objects.pop()
            path.pop()
        elif sign == ",":
            key_next = objects[-1]
            row += listed and len(objects) == 1
        elif sign == ":":
            key_next = False
        elif key_next:
            path[-1] = json.loads(sign)
        else:
            yield Value(row, tuple(path[listed:]), *found.span(), sign)


def _token(text: str, old: str) -> str:
    """A JSON string, escaped as widely as the one it replaces."""
    return json.dumps(text, ensure_ascii=old.isascii() or whole(text) != text)
