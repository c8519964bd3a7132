"""The columns of a sheet: what the policy declares of them, or what their titles and values tell.

Titles stand in the first row. As in other tables, a direct identifier is masked whole, and any other value of a typed
column has the type of its column, so that no detector reads an amount as a code or across two cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.io.column_typing import CellType, ColumnKind, ColumnVerdict, type_column
from maskwise.text import EntityType

Declared = Mapping[str, EntityType | ColumnKind]  # by title in small letters


@dataclass
class SheetColumns:
    """Columns by their letters; grows as the cells of a sheet are read."""

    declared: Declared
    infer: bool = True
    titles: dict[str, str] = field(default_factory=dict, repr=False)
    values: dict[str, list[tuple[Any, str]]] = field(default_factory=dict, repr=False)

    def add(self, column: str, row: int, cell: Any, text: str) -> None:
        if row == 0:
            self.titles[column] = text
        else:
            self.values.setdefault(column, []).append((cell, text))

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
