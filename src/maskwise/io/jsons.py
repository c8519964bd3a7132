"""JSON and JSON Lines. Only the strings that change are written anew; every other character of the file stays.

Keys are read too, each once, in the first row that has it. A masked key is masked in the whole file, and no two keys of
an object become one. A number is read where its column is declared, where its key says that it may identify somebody (a
telephone, an account, a coordinate) or where it is as long as a code. A masked number becomes a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from maskwise.io.atoms import Atom, cut_text, edit_atoms
from maskwise.io.column_typing import TYPES
from maskwise.io.columns import (
    LOOSE,
    ColumnTypes,
    MaskedNumbers,
    Path,
    Table,
    TableCell,
    can_match,
    find_facts,
    find_given,
)
from maskwise.io.encoding import Encoding, decode_text, encode_text
from maskwise.io.formats import Given, Loaded, RowFacts
from maskwise.io.headers import is_dated, is_moment
from maskwise.io.json_values import Value, parse_json, scan_json
from maskwise.io.segments import BREAK, Change, Segments, find_changes, join_segments, rewrite_text
from maskwise.mask import Alignment
from maskwise.mask.token import TOKEN
from maskwise.text import EntityType
from maskwise.text.folding import replace_surrogates
from maskwise.text.word_lists import read_words

_NUMBER_MARK = "\\u005b"  # the bracket with which a token begins
_NUMBER = re.compile(r"-?\d[\d.eE+-]*")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
# Keys under which a number may identify somebody.
TELLING = frozenset(read_words("identifying_keys"))
# Keys under which a long number is a quantity or a moment.
COUNTING = frozenset(read_words("counting_keys"))
LONG = 7  # digits from which a number is read as text
CODE = 9  # digits from which it is a code, whatever a detector says


@dataclass(frozen=True)
class Item:
    """A string or number that is read: where it stands, its text, and how many atoms it is cut into."""

    start: int
    end: int
    text: str = field(repr=False)
    atoms: tuple[Atom, ...] = field(repr=False)
    is_key: bool = False


TypedItem = tuple[Item, TableCell]


@dataclass(frozen=True)
class Row:
    """The text that is read of a row."""

    items: tuple[Item, ...]
    segments: Segments


@dataclass(frozen=True)
class JsonLayout:
    """The text of the file, its rows in order, every key of every object, and where numbers stand that are not read."""

    text: str = field(repr=False)
    encoding: Encoding
    rows: tuple[Row, ...]
    keys: tuple[Value, ...] = field(repr=False)
    numbers: tuple[tuple[int, int], ...] = ()


class Json(Table):
    """One JSON value. A list at the top is a table: each of its elements is a row."""

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode_text(raw, name)
        rows: dict[int, list[TypedItem]] = {}
        kept: list[str] = []
        keys: list[Value] = []
        numbers: list[tuple[int, int]] = []
        who: dict[int, str] = {}
        seen: set[str] = set()
        values = list(self._scan_values(text, name))
        types = self.decide_types(_collect_values(values))
        for value in values:
            string = json.loads(value.token) if value.token[0] == '"' else None
            if not value.is_key and self.is_key(value.path):
                who[value.row] = value.token
            if value.is_key:
                keys.append(value)
            if not self._columns.is_read(value.path):
                kept.append(value.token if string is None else string)
            elif value.is_key and value.token in seen:
                continue
            elif string or self._is_number_read(value, types):
                item = _build_item(value, string)
                cell = self._read_cell(value, item.text, types)
                rows.setdefault(value.row, []).append((item, cell))
                if value.is_key:
                    seen.add(value.token)
            elif string is None and can_match(value.token):
                numbers.append((value.start, value.end))
        groups = [items for _, items in sorted(rows.items())]
        names = [who.get(row, "") for row in sorted(rows)]
        if self._is_together and groups:
            groups, names = [[item for items in groups for item in items]], [""]
        source = JsonLayout(text, encoding, (), tuple(keys), tuple(numbers))
        return _load_rows(groups, source, tuple(kept), names)

    def list_types(self, raw: bytes, name: str) -> ColumnTypes:
        """The type of each path, by its keys and values."""
        text, _ = decode_text(raw, name)
        return self.decide_types(_collect_values(self._scan_values(text, name)))

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        source: JsonLayout = loaded.layout
        edits: list[Change] = []
        renamed: dict[str, str] = {}
        for row, alignment in zip(source.rows, alignments, strict=True):
            for item, new in _mask_items(row, alignment):
                if new == item.text:
                    continue
                if item.is_key:
                    renamed[item.text] = new
                else:
                    old = source.text[item.start : item.end]
                    edits.append((item.start, item.end, _write_value(new, old)))
        edits += _edit_keys(source, renamed)
        edits += _edit_numbers(source, MaskedNumbers.collect(alignments))
        text, _ = rewrite_text(source.text, sorted(edits))
        return encode_text(text, source.encoding)

    def _scan_values(self, text: str, name: str) -> Iterator[Value]:
        parse_json(text, name)
        yield from scan_json(text, name, self.limits)

    def _is_number_read(self, value: Value, types: ColumnTypes) -> bool:
        if not _NUMBER.fullmatch(value.token):
            return False
        if self._columns.find_type(value.path) is not None:
            return True
        verdict = types.get(value.path)
        if verdict is not None and verdict.kind in TYPES and verdict.kind not in LOOSE:
            return True
        if not self._columns.is_read(value.path):
            return False
        if is_telling(value.path, value.token) or _is_moment(value):
            return True
        return _count_digits(value.token) >= LONG and not is_counting(value.path)

    def _read_cell(self, value: Value, text: str, types: ColumnTypes) -> TableCell:
        """A key or value with what is known of its type."""
        declared = self._find_type(value)
        if value.is_key or declared is not None:
            return TableCell(text, declared)
        return self.make_cell(value.path, text, types.get(value.path), None)

    def _find_type(self, value: Value) -> EntityType | None:
        declared = None if value.is_key else self._columns.find_type(value.path)
        number = value.token.strip('"')
        if declared is not None or not _NUMBER.fullmatch(number) or is_dated(number):
            return declared
        if not value.is_key and _is_moment(value):
            return EntityType.DATETIME
        telling = not value.is_key and is_telling(value.path, number)
        long = _count_digits(number) >= CODE and not is_counting(value.path)
        return EntityType.CODE if telling or long else None


class JsonLines(Json):
    """One JSON value per line, each a row."""

    def _scan_values(self, text: str, name: str) -> Iterator[Value]:
        start = holders = 0
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                where = f"{name}, line {number}"
                parse_json(line, where)
                for value in scan_json(line, where, self.limits):
                    holder = value.holder + holders if value.is_key else -1
                    at, end = value.start + start, value.end + start
                    yield value._replace(row=number, start=at, end=end, holder=holder)
                holders += line.count("{")
            start += len(line) + 1


def _collect_values(values: Iterable[Value]) -> dict[Path, list[str]]:
    """The strings and numbers under each path."""
    found: dict[Path, list[str]] = {}
    for value in values:
        is_text = value.token[0] == '"'
        if not value.is_key and (is_text or _NUMBER.fullmatch(value.token)):
            text = json.loads(value.token) if is_text else value.token
            found.setdefault(value.path, []).append(text)
    return found


def is_telling(path: Path, token: str) -> bool:
    """Whether a number under these keys identifies somebody. One or two digits do so only in coordinates.

    >>> is_telling(("phoneNumber",), "48512345678"), is_telling(("pages",), "12"), is_telling(("geo", "lat"), "59.9")
    (True, False, True)
    """
    words = {word.lower() for key in path for word in _PART.findall(key)}
    is_long_enough = "." in token or _count_digits(token) > 2
    return is_long_enough and not words.isdisjoint(TELLING)


def _is_moment(value: Value) -> bool:
    """Whether a number is a date, counted from 1970."""
    digits = value.token.partition(".")[0]
    return digits.isascii() and digits.isdigit() and is_moment(value.path[-1:], digits[:20])


def is_counting(path: Path) -> bool:
    """Whether the innermost key says that its number is a quantity or a moment."""
    key = next((step for step in reversed(path) if step != "*"), "")
    words = {word.lower() for word in _PART.findall(key)}
    return not words.isdisjoint(COUNTING)


def _count_digits(token: str) -> int:
    whole_part = token.partition(".")[0].lower().partition("e")[0]
    return sum(map(str.isdigit, whole_part))


def _build_item(value: Value, string: str | None) -> Item:
    """A string with its escapes and encodings, or a number as it stands."""
    if string:
        return Item(value.start, value.end, string, tuple(cut_text(string)), value.is_key)
    whole = Atom(0, len(value.token), value.token)
    return Item(value.start, value.end, value.token, (whole,), value.is_key)


def _load_rows(
    groups: Sequence[Sequence[TypedItem]],
    source: JsonLayout,
    kept: tuple[str, ...],
    keys: Sequence[str],
) -> Loaded:
    """One text per row: its values, then its new keys, then what is encoded in both."""
    texts: list[str] = []
    rows: list[Row] = []
    given: list[tuple[Given, ...]] = []
    facts: list[RowFacts] = []
    for group, key in zip(groups, keys, strict=True):
        ordered = sorted(group, key=lambda pair: pair[0].is_key)
        atoms = [atom for item, _ in ordered for atom in _glue_first(item.atoms)]
        joined, segments = join_segments(
            (atom.text for atom in atoms), [atom.glue for atom in atoms]
        )
        rows.append(Row(tuple(item for item, _ in ordered), segments))
        texts.append(joined)
        cells = [replace(cell, text=atom.text) for item, cell in ordered for atom in item.atoms]
        given.append(find_given(cells, segments.starts))
        facts.append(find_facts(cells, segments.starts, key))
    layout = replace(source, rows=tuple(rows))
    return Loaded(tuple(texts), layout, tuple(given), kept, rows=tuple(facts))


def _glue_first(atoms: Sequence[Atom]) -> list[Atom]:
    return [atoms[0]._replace(glue=BREAK), *atoms[1:]] if atoms else []


def _mask_items(row: Row, alignment: Alignment) -> Iterator[tuple[Item, str]]:
    """Each item of a row with its masked text."""
    found = iter(find_changes(row.segments, alignment))
    for item in row.items:
        own = list(islice(found, len(item.atoms)))
        edits = edit_atoms(item.atoms, own, lambda text, _: text)
        masked, _ = rewrite_text(item.text, edits)
        yield item, masked


def _edit_keys(source: JsonLayout, renamed: Mapping[str, str]) -> Iterator[Change]:
    """Masked keys, wherever they stand. Where two keys of one object would be one, the second gets a number."""
    if not renamed:
        return
    old = [(key, str(json.loads(key.token))) for key in source.keys]
    used: dict[int, set[str]] = {}
    for key, text in old:
        if text not in renamed:
            used.setdefault(key.holder, set()).add(text)
    chosen: dict[tuple[int, str], str] = {}
    for key, text in old:
        if text not in renamed:
            continue
        if (key.holder, text) not in chosen:
            names = used.setdefault(key.holder, set())
            chosen[key.holder, text] = _choose_free_name(renamed[text], names)
            names.add(chosen[key.holder, text])
        yield (key.start, key.end, _write_string(chosen[key.holder, text], key.token))


def _choose_free_name(name: str, taken: set[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} {number}"
    return free


def _edit_numbers(source: JsonLayout, masked: MaskedNumbers) -> Iterator[Change]:
    """Numbers that were not read and are equal to a masked one."""
    for start, end in source.numbers:
        token = source.text[start:end]
        new = masked.find(token) or masked.find(str(json.loads(token)))
        if new is not None:
            yield (start, end, _write_value(new, token))


def _write_value(text: str, old: str) -> str:
    """A masked value in JSON. The token of a number begins with an escape, by which it is known when it is restored."""
    if old[0] != '"' and TOKEN.fullmatch(text):
        return f'"{_NUMBER_MARK}{text[1:]}"'
    if old.startswith(f'"{_NUMBER_MARK}') and _NUMBER.fullmatch(text):
        return text
    return _write_string(text, old)


def _write_string(text: str, old: str) -> str:
    """A JSON string, escaped as widely as the one it replaces."""
    return json.dumps(text, ensure_ascii=old.isascii() or replace_surrogates(text) != text)
