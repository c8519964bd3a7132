"""Columns and paths by policy: which values of a table or a JSON tree are read, and which have a declared type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from maskwise.errors import PolicyError
from maskwise.io.formats import Given, Loaded
from maskwise.io.limits import Limits
from maskwise.io.segments import Segments, join_segments
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy
from maskwise.text import EntityType

Path = tuple[str, ...]  # keys from the root; "*" for a place in a list

_FEWEST = 4
_DIGITS = re.compile(r"\d+")
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\*|\d+|'[^']*'|\"[^\"]*\")\]")


@dataclass(frozen=True)
class Columns:
    """`columns` declares types, `fields` names what is read; without `fields` everything is read.

    A name is a column, a key anywhere in a path, or a path such as `$.author.name` or `$.notes[*].text`. A path covers
    everything below it.

    >>> columns = Columns({"phone": EntityType.CODE}, ("$.people[*].note", "phone"))
    >>> columns.find_type(("people", "*", "phone")), columns.is_read(("people", "*", "age"))
    (<EntityType.CODE: 'CODE'>, False)
    """

    columns: Mapping[str, EntityType] = field(default_factory=dict)
    fields: Sequence[str] = ()

    @cached_property
    def _types(self) -> list[tuple[Path, bool, EntityType]]:
        return [(*_parse_path(name), EntityType(kind)) for name, kind in self.columns.items()]

    @cached_property
    def _fields(self) -> list[tuple[Path, bool]]:
        return [_parse_path(name) for name in self.fields]

    def find_type(self, path: Path) -> EntityType | None:
        for steps, rooted, kind in self._types:
            if _is_below(steps, rooted, path):
                return kind
        return None

    def is_read(self, path: Path) -> bool:
        if not self._fields or self.find_type(path) is not None:
            return True
        return any(_is_below(steps, rooted, path) for steps, rooted in self._fields)


def _parse_path(name: str) -> tuple[Path, bool]:
    """The steps of a name, and whether they begin at the root."""
    if not name.startswith("$"):
        return (name,), False
    found = list(_STEP.finditer(name))
    if "".join(step[0] for step in found) != name[1:]:
        raise PolicyError(
            f"formats.tables: {name!r} is no path; write it like $.author.name or $.notes[*].text"
        )
    steps = (step[1] or step[2].strip("'\"") for step in found)
    return tuple("*" if step.isdigit() else step for step in steps), True


def _is_below(steps: Path, rooted: bool, path: Path) -> bool:
    return path[: len(steps)] == steps if rooted else steps[0] in path


@dataclass(frozen=True)
class TableCell:
    """A value that is read: its text, and its type where the policy declares one."""

    text: str = field(repr=False)
    type: EntityType | None = None


@dataclass(frozen=True)
class Table:
    """The options of readers of tables: columns and fields, whether rows stand together, and limits."""

    columns: Mapping[str, EntityType] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    rows: Literal["separate", "together"] = "separate"
    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    suffix = ""

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self.columns, self.fields)

    @property
    def _is_together(self) -> bool:
        return self.rows == "together"


@dataclass(frozen=True)
class MaskedNumbers:
    """Numbers that were masked in some text of a file, and what stands for them.

    The same number may also be a value of its own that is too short to be read. It must not give the masked one away.

    >>> MaskedNumbers({"2001": "[DATETIME 1]"}).find("-2001.0")
    '[DATETIME 1]'
    """

    replacements: Mapping[str, str] = field(repr=False)

    @classmethod
    def collect(cls, alignments: Iterable[Alignment]) -> MaskedNumbers:
        found: dict[str, str] = {}
        for alignment in alignments:
            for edit in alignment.edits:
                digits = "".join(filter(str.isdigit, edit.original))
                has_letters = any(map(str.isalpha, edit.original))
                if can_match(digits) and not has_letters:
                    found.setdefault(digits, edit.replacement)
        return cls(found)

    def find(self, number: str) -> str | None:
        """What stands for a number, or for one side of its decimal point."""
        runs = _DIGITS.findall(number)
        for run in ("".join(runs), *runs):
            if run in self.replacements:
                return self.replacements[run]
        return None


def can_match(number: str) -> bool:
    """Whether a number has so many digits that it equals a masked number hardly by chance."""
    return sum(map(str.isdigit, number)) >= _FEWEST


def load_rows(
    rows: Sequence[Sequence[TableCell]], layout: object, together: bool, kept: Sequence[str] = ()
) -> Loaded:
    """One text per row, or one for all rows; `layout` is what the writer needs besides the segments."""
    groups = [[cell for row in rows for cell in row]] if together else rows
    texts: list[str] = []
    layouts: list[Segments] = []
    given: list[tuple[Given, ...]] = []
    for group in filter(None, groups):
        text, segments = join_segments(cell.text for cell in group)
        texts.append(text)
        layouts.append(segments)
        given.append(_find_given(group, segments))
    return Loaded(tuple(texts), (layout, tuple(layouts)), tuple(given), tuple(kept))


def _find_given(cells: Sequence[TableCell], segments: Segments) -> tuple[Given, ...]:
    found = []
    for cell, start in zip(cells, segments.starts, strict=True):
        text = cell.text.strip()
        if cell.type is not None and text:
            at = start + cell.text.index(text)
            found.append((at, at + len(text), cell.type))
    return tuple(found)
