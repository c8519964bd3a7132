"""Spreadsheets: cells of all sheets, hidden ones too, comments, names, headers, validations and charts are masked in
place; formats and formulas are kept.

Only what the grammar knows is written. Ranges, tables and custom styles get new names, authors become numbers, and a
formula that names anything unknown becomes its value. Numbers that identify are masked like text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from maskwise.io import opc
from maskwise.io.column_typing import ColumnKind, ColumnVerdict
from maskwise.io.columns import Path
from maskwise.io.formats import ColumnSpan, Loaded, RowFacts
from maskwise.io.limits import Limits
from maskwise.io.nodes import Sweep
from maskwise.io.ooxml import OoxmlNames
from maskwise.io.opc import Opc
from maskwise.io.sheet_columns import Declared
from maskwise.io.workbook import Workbook, read_table_name
from maskwise.io.xlsx_grammar import build_sheet_grammar
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy
from maskwise.text import EntityType

KNOWN = frozenset(
    "officeDocument worksheet chartsheet sharedStrings styles theme comments drawing vmlDrawing table image hyperlink "
    "chart chartStyle chartColorStyle chartUserShapes".split()
)


@dataclass(frozen=True)
class Xlsx:
    """Spreadsheets in and out. `columns` declares types by the title of a column in the first row of a sheet."""

    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    columns: Mapping[str, EntityType | ColumnKind] = field(default_factory=dict)
    infer: bool = True
    suffix = ""

    def read(self, raw: bytes, name: str) -> Loaded:
        book = self._open(raw, name)
        spots, known = book.collect_spots(self._declared, self.infer)
        text, segments = spots.join()
        direct = {key: typed.type for key, typed in known.items() if typed.is_direct}
        spans = []
        for start, end, key in spots.find_groups(segments, known.keys() - direct.keys()):
            typed = known[key]
            spans.append(ColumnSpan(start, end, typed.type, typed.subtype, typed.score))
        given = (spots.find_given(segments, direct),)
        facts = (RowFacts(tuple(spans)),)
        return Loaded((text,), (raw, name), given, notes=book.package.notes, rows=facts)

    def list_types(self, raw: bytes, name: str) -> dict[Path, ColumnVerdict]:
        """The type of each column, by its title and values; of several sheets, under the name of the sheet."""
        book = self._open(raw, name)
        book.collect_spots(self._declared, self.infer)
        found: dict[Path, ColumnVerdict] = {}
        for sheet, columns in zip(book.list_sheet_names(), book.sheet_columns, strict=False):
            for column, verdict in columns.type_columns().items():
                title = columns.titles[column]
                path = (sheet, title) if len(book.sheet_columns) > 1 else (title,)
                found[path] = verdict
        return found

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        book = self._open(*loaded.layout)
        spots, _ = book.collect_spots(self._declared, self.infer)
        spots.fill(spots.join()[1], alignments[0])
        book.settle(Sweep.of(alignments[0]))
        return book.package.pack()

    @property
    def _declared(self) -> Declared:
        return {title.strip().casefold(): kind for title, kind in self.columns.items()}

    def _open(self, raw: bytes, name: str) -> Workbook:
        package = opc.load_package(raw, name, self.limits, KNOWN, "xl")
        names = OoxmlNames()
        columns = _list_table_columns(package)
        package.rebuild(build_sheet_grammar(names), name)
        return Workbook(package, names, columns)


def _list_table_columns(package: Opc) -> dict[str, tuple[str, ...]]:
    """The columns of each table by its name in small letters, as formulas call it."""
    found = {}
    for _, table in package.find_parts("table"):
        columns = table.iter("{*}tableColumn")
        found[read_table_name(table)] = tuple(column.get("name", "") for column in columns)
    return found
