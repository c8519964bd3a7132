"""Columns and paths by policy: which values of a table or a JSON tree are read, and which have a declared type."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from maskwise.errors import PolicyError
from maskwise.io.column_typing import (
    CellType,
    ColumnKind,
    ColumnVerdict,
    find_header,
    find_role,
    type_column,
)
from maskwise.io.formats import ColumnSpan, Given, Loaded, RowFacts
from maskwise.io.limits import Limits
from maskwise.io.segments import Segments, join_segments
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy
from maskwise.text import EntityType
from maskwise.text.person import parse_name

Path = tuple[str, ...]  # keys from the root; "*" for a place in a list
ColumnTypes = dict[Path, ColumnVerdict]
# Kinds whose values may still be numbers that identify.
LOOSE = (ColumnKind.TEXT, ColumnKind.CATEGORY, ColumnKind.NUMBER)

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

    columns: Mapping[str, EntityType | ColumnKind] = field(default_factory=dict)
    fields: Sequence[str] = ()

    @cached_property
    def _types(self) -> list[tuple[Path, bool, EntityType | ColumnKind]]:
        return [(*_parse_path(name), kind) for name, kind in self.columns.items()]

    @cached_property
    def _fields(self) -> list[tuple[Path, bool]]:
        return [_parse_path(name) for name in self.fields]

    def find_type(self, path: Path) -> EntityType | None:
        """The type that the policy declares: values are masked whole."""
        declared = self._find_declared(path)
        return declared if isinstance(declared, EntityType) else None

    def find_kind(self, path: Path) -> ColumnKind | None:
        """The kind that the policy declares: values are typed as if header and values had told it."""
        declared = self._find_declared(path)
        return declared if isinstance(declared, ColumnKind) else None

    def _find_declared(self, path: Path) -> EntityType | ColumnKind | None:
        for steps, rooted, kind in self._types:
            if _is_below(steps, rooted, path):
                return kind
        return None

    def is_read(self, path: Path) -> bool:
        if not self._fields or self._find_declared(path) is not None:
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
    """A value that is read: its text, its type where the policy or a rule declares one, and what its column tells."""

    text: str = field(repr=False)
    type: EntityType | None = None
    cell_type: CellType | None = None
    role: str | None = (
        None  # of a name: whom it names ("customer"), empty for the person of the row
    )


@dataclass(frozen=True)
class Table:
    """The options of readers of tables: columns and fields, whether rows stand together, and limits."""

    columns: Mapping[str, EntityType | ColumnKind] = field(default_factory=dict)
    fields: tuple[str, ...] = ()
    rows: Literal["separate", "together"] = "separate"
    key: str | None = None
    infer: bool = True
    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    _decided: ColumnTypes | None = None
    suffix = ""

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self.columns, self.fields)

    @cached_property
    def _key(self) -> Columns:
        return Columns({}, (self.key,) if self.key else ())

    def is_key(self, path: Path) -> bool:
        """Whether the values of a column tell who their rows are about."""
        return self.key is not None and self._key.is_read(path)

    def decide_types(self, values: Mapping[Path, Sequence[str]]) -> ColumnTypes:
        """The types of the columns: as decided before, or by header and values, corrected by the policy."""
        if self._decided is not None:
            return self._decided
        found: ColumnTypes = {}
        for path, own in values.items():
            kind = self._columns.find_kind(path)
            if kind is not None:
                found[path] = ColumnVerdict(kind, "the policy says so")
            elif self.infer and self._columns.is_read(path):
                found[path] = type_column(find_header(path), own)
        return found

    def make_cell(
        self, path: Path, text: str, verdict: ColumnVerdict | None, declared: EntityType | None
    ) -> TableCell:
        """A cell with what the policy or a rule declares of it, or else what its column tells."""
        if declared is None and verdict is not None:
            typed = verdict.find_cell_type(find_header(path), text)
            if typed is not None and typed.is_direct:
                role = find_role(find_header(path)) if typed.type is EntityType.PERSON else None
                return TableCell(text, typed.type, None, role)
            return TableCell(text, None, typed)
        named = declared is EntityType.PERSON
        return TableCell(text, declared, None, find_role(find_header(path)) if named else None)

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
        """The replacement of a number, or of one side of its decimal point."""
        runs = _DIGITS.findall(number)
        for run in ("".join(runs), *runs):
            if run in self.replacements:
                return self.replacements[run]
        return None


def can_match(number: str) -> bool:
    """Whether a number has so many digits that it equals a masked number hardly by chance."""
    return sum(map(str.isdigit, number)) >= _FEWEST


def load_rows(
    rows: Sequence[Sequence[TableCell]],
    layout: object,
    together: bool,
    kept: Sequence[str] = (),
    keys: Sequence[str] = (),
) -> Loaded:
    """One text per row, or one for all rows; `layout` is what the writer needs besides the segments.

    `keys` say who each row is about. Without them the names in the row do.
    """
    groups = [[cell for row in rows for cell in row]] if together else rows
    texts: list[str] = []
    layouts: list[Segments] = []
    given: list[tuple[Given, ...]] = []
    facts: list[RowFacts] = []
    for at, group in enumerate(groups):
        if not group:
            continue
        text, segments = join_segments(cell.text for cell in group)
        texts.append(text)
        layouts.append(segments)
        given.append(find_given(group, segments.starts))
        key = keys[at] if keys and not together else ""
        facts.append(find_facts(group, segments.starts, key))
    known = () if together else tuple(facts)
    return Loaded(tuple(texts), (layout, tuple(layouts)), tuple(given), tuple(kept), rows=known)


def find_given(cells: Sequence[TableCell], starts: Sequence[int]) -> tuple[Given, ...]:
    """The spans of the cells whose type is declared, without white space around them."""
    found = []
    for cell, start in zip(cells, starts, strict=True):
        text = cell.text.strip()
        if cell.type is not None and text:
            at = start + cell.text.index(text)
            found.append((at, at + len(text), cell.type))
    return tuple(found)


def find_facts(cells: Sequence[TableCell], starts: Sequence[int], key: str) -> RowFacts:
    """The facts that the columns tell about a row: types of cells, whom it is about, and whether all of it is known."""
    spans: list[ColumnSpan] = []
    names: list[tuple[int, str, str]] = []
    is_typed = True
    for cell, start in zip(cells, starts, strict=True):
        text = cell.text.strip()
        if not text:
            continue
        at = start + cell.text.index(text)
        if cell.cell_type is not None:
            span = (at, at + len(text), cell.cell_type.type)
            spans.append(ColumnSpan(*span, cell.cell_type.subtype, cell.cell_type.score))
        is_typed = is_typed and (cell.type is not None or cell.cell_type is not None)
        if cell.role is not None:
            names.append((at, cell.role, text))
    subject = [(at, text) for at, role, text in names if role == names[0][1]]
    named = " ".join(text for _, text in subject)
    words = " ".join(parse_name(named).words)
    whom = f"\n{key}" if key else words
    return RowFacts(tuple(spans), whom, tuple(at for at, _ in subject), is_typed)
