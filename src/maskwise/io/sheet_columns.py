"""The columns of a sheet: what the policy declares of them, or what their titles and values tell.

Titles stand in the first row, or in the first of several cells where that has one cell alone, such as the name of a
report. A cell that is nothing but words of titles is read by no detector. As in other tables, a direct identifier is
masked whole, and any other value of a typed column has the type of its column, so that no detector reads an amount as
a code or across two cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from maskwise.io.column_typing import FAINT, CellType, ColumnKind, ColumnVerdict, type_column
from maskwise.io.column_words import list_title_cells
from maskwise.text import EntityType

TITLE = CellType(EntityType.MISC, "category", FAINT)
Declared = Mapping[str, EntityType | ColumnKind]  # by title in small letters


class Entry(NamedTuple):
    """A cell with its column, the number of its row and its text."""

    column: str
    row: int
    cell: Any
    text: str


@dataclass
class SheetColumns:
    """Columns by their letters; grows as the cells of a sheet are read, and is asked afterwards."""

    declared: Declared
    infer: bool = True
    entries: list[Entry] = field(default_factory=list, repr=False)

    def add(self, column: str, row: int, cell: Any, text: str) -> None:
        self.entries.append(Entry(column, row, cell, text))

    @cached_property
    def _title_row(self) -> int:
        filled = Counter(one.row for one in self.entries if one.text.strip())
        is_named = filled[0] == 1 and max(filled.values()) > 1
        return next((row for row in sorted(filled) if filled[row] > 1), 0) if is_named else 0

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles by the letters of their columns."""
        return {one.column: one.text for one in self.entries if one.row == self._title_row}

    @cached_property
    def values(self) -> dict[str, list[tuple[Any, str]]]:
        """The cells below the titles, and their texts."""
        found: dict[str, list[tuple[Any, str]]] = {}
        for one in self.entries:
            if one.row > self._title_row:
                found.setdefault(one.column, []).append((one.cell, one.text))
        return found

    def find_declared(self, column: str) -> EntityType | ColumnKind | None:
        return self.declared.get(self.titles.get(column, "").casefold())

    def type_columns(self) -> dict[str, ColumnVerdict]:
        """The type of each column with a title; those whose type the policy declares are left out."""
        found = {}
        for column, title in self.titles.items():
            kind = self.find_declared(column)
            own = [text for _, text in self.values.get(column, [])]
            if isinstance(kind, ColumnKind):
                found[column] = ColumnVerdict(kind, "the policy says so")
            elif kind is None and self.infer:
                found[column] = type_column(title, own)
        return found

    def type_cells(self) -> Iterator[tuple[Any, CellType]]:
        """Yields the cells with a type, by the policy or by their column."""
        yield from self._type_titles()
        verdicts = self.type_columns()
        for column, own in self.values.items():
            declared = self.find_declared(column)
            for cell, text in own:
                typed = None
                if isinstance(declared, EntityType):
                    typed = CellType(declared, is_direct=True)
                elif column in verdicts and text:
                    typed = verdicts[column].find_cell_type(self.titles[column], text)
                if typed is not None:
                    yield cell, typed

    def _type_titles(self) -> Iterator[tuple[Any, CellType]]:
        known = list_title_cells([text.strip() for text in self.titles.values()])
        for one in self.entries if self.infer else ():
            if one.row == self._title_row and one.text.strip() in known:
                yield one.cell, TITLE
