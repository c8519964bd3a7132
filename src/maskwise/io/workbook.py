"""A workbook taken apart: its cells, formulas, ranges, tables and the names that a mask changes everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from maskwise.io import cells, formulas
from maskwise.io.cells import Dates, Strings
from maskwise.io.column_typing import CellType
from maskwise.io.formulas import FormulaScope, translate_formula
from maskwise.io.nodes import Spots, Sweep, TreeRules, clean_text
from maskwise.io.ooxml import OoxmlNames
from maskwise.io.opc import Opc
from maskwise.io.package import Element, drop_element, find_elements, get_name
from maskwise.io.sheet_columns import Declared, SheetColumns
from maskwise.io.xlsx_grammar import FONTED, HEADINGS, READ
from maskwise.text import EntityType

# Where a part stands, its font, size and colour, page and date; `&&` is a character of the text.
_HEADING_CODE = re.compile(
    r"(&(?:[LCRPNDTGFAESUXYBIOHZ]|\"[^\"]*\"|K(?:[0-9A-F]{6}|\d\d[+-]\d{3})|\d{1,3}))", re.I
)
RULES = TreeRules(
    paragraphs=frozenset("p text".split()),
    runs=frozenset(["t"]),
    blanks={"br": "\n"},
    silent=frozenset(
        "col row colOff rowOff sqref id formatCode Anchor AutoFill Row Column MoveWithCells SizeWithCells Visible "
        "Locked LockText DefaultSize PrintObject TextHAlign TextVAlign author separator".split()
    ).union(formulas.ELEMENTS, HEADINGS),
    attributes=READ,
)
_BAD_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\']")
# What holds a formula and does not stand without it.
_OWNERS = frozenset("dataValidation cfRule definedName sparkline".split())
_HOLDERS = frozenset(
    "dataValidations conditionalFormatting conditionalFormattings sparklines sparklineGroup sparklineGroups ext extLst "
    "definedNames".split()
)
_POINTING = (("hyperlink", "location"), ("sp", "textlink"))


def add_headings(spots: Spots, heading: Element) -> None:
    """Add the texts of a header or footer, each of its sections in one piece. The codes between them stay."""
    parts = _HEADING_CODE.split(heading.text or "")
    section = 0
    for at, part in enumerate(parts):
        if at % 2:
            section += part[1:].upper() in ("L", "C", "R")
            continue

        def put(new: str, at: int = at) -> None:
            parts[at] = clean_text(new)
            heading.text = "".join(parts)

        if part:
            spots.add(part, put, (heading, section))


def read_table_name(table: Element) -> str:
    name: str = table.get("displayName", table.get("name", ""))
    return name.casefold()


@dataclass
class Workbook:
    """A package read as a workbook: its sheets, its shared strings, and the names that formulas use."""

    package: Opc
    names: OoxmlNames
    columns: dict[str, tuple[str, ...]] = field(repr=False)
    strings: Strings = field(init=False)
    sheet_names: dict[str, str] = field(default_factory=dict, repr=False)  # old to new
    sheet_columns: list[SheetColumns] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.strings = Strings(self._find_first("sharedStrings"))
        self._clean_formulas()

    def _find_first(self, kind: str) -> Element | None:
        return next((tree for _, tree in self.package.find_parts(kind)), None)

    @property
    def main(self) -> Element:
        return next(tree for _, tree in self.package.find_parts("officeDocument"))

    @property
    def sheets(self) -> list[Element]:
        return [tree for _, tree in self.package.find_parts("worksheet")]

    def _clean_formulas(self) -> None:
        """Give ranges and tables in formulas their new names; drop the formulas that name anything else."""
        known = self.names.known.items()
        scope = FormulaScope(
            sheets={name: name for name in self.list_sheet_names()},
            names={old: new for (kind, old), new in known if kind == "range"},
            tables={old: new for (kind, old), new in known if kind == "table"},
            columns={
                table: {name: name for name in names} for table, names in self.columns.items()
            },
        )
        scope = replace(scope, names=self._clean_ranges(scope))
        for tree in self.package.trees.values():
            shared = cells.SharedFormulas(tree)
            for formula in find_elements(tree, formulas.ELEMENTS):
                is_follower = not formula.text and formula.get("t") == "shared"
                if get_name(formula) != "definedName" and not is_follower:
                    _put_formula(formula, translate_formula(formula.text or "", scope), shared)
            for name, key in _POINTING:
                for element in find_elements(tree, [name]):
                    _put_attribute(element, key, translate_formula(element.get(key, ""), scope))

    def _list_sheets(self) -> Iterator[Element]:
        """The entries of the sheets in the workbook."""
        found: Iterator[Element] = self.main.iterfind("{*}sheets/{*}sheet")
        return found

    def list_sheet_names(self) -> list[str]:
        return [sheet.get("name", "") for sheet in self._list_sheets()]

    def _clean_ranges(self, scope: FormulaScope) -> dict[str, str]:
        """The names of the ranges that stay. A range that uses a name that is dropped is dropped too."""
        kept = dict(scope.names)
        olds = {new: old for old, new in scope.names.items()}
        owners: dict[str, list[Element]] = {}
        users: dict[str, list[Element]] = {}
        gone: list[Element] = []
        for owner in self.main.iter("{*}definedName"):
            owners.setdefault(olds.get(owner.get("name", ""), ""), []).append(owner)
            for used in formulas.list_names(owner.text or ""):
                users.setdefault(used, []).append(owner)
            owner.text = translate_formula(owner.text or "", scope)
            if owner.text is None:
                gone.append(owner)
        while gone:
            owner = gone.pop()
            name = olds.get(owner.get("name", ""), "")
            drop_element(owner)
            if kept.pop(name, None) is not None:
                others = (*users.get(name, ()), *owners.get(name, ()))
                gone += (other for other in others if other.getparent() is not None)
        for parent in find_elements(self.main, ["definedNames"]):
            if not len(parent):
                drop_element(parent)
        return kept

    def collect_spots(self, declared: Declared, infer: bool) -> tuple[Spots, dict[Any, CellType]]:
        """Everything that people wrote: cells first, then names of sheets, then all other places."""
        spots = Spots()
        known: dict[Any, CellType] = {}
        settings = self.main.iterfind("{*}workbookPr")
        since_1904 = any(item.get("date1904") in ("1", "true") for item in settings)
        dates = Dates.of(self._find_first("styles"), since_1904)
        for sheet in self.sheets:
            columns = SheetColumns(declared, infer)
            self.sheet_columns.append(columns)
            known |= cells.collect_cells(spots, sheet, self.strings, dates, columns)
        for entry in self._list_sheets():
            spots.add(entry.get("name", ""), partial(self._rename, entry))
        for part, tree in self.package.trees.items():
            kind = self.package.kinds[part]
            if kind in ("styles", "theme", "sharedStrings"):
                continue
            shared = cells.SharedFormulas(tree)
            for branch in tree if kind == "worksheet" else [tree]:
                if get_name(branch) != "sheetData":
                    numbers = _add_branch(spots, branch, shared)
                    known |= dict.fromkeys(numbers, CellType(EntityType.CODE, is_direct=True))
        self.package.add_formats(spots)
        self.package.add_fonts(spots, FONTED)
        self.package.add_links(spots)
        return spots, known

    def _rename(self, sheet: Element, new: str) -> None:
        """Give a sheet its masked name, without signs that such names cannot hold, and unlike all others."""
        taken = set(map(str.casefold, self.list_sheet_names()))
        words = _BAD_IN_SHEET_NAMES.sub(" ", new).split()
        bare = " ".join(words)[:26] or "Sheet"
        name, number = bare, 1
        while name.casefold() in taken:
            number += 1
            name = f"{bare} {number}"
        self.sheet_names[sheet.get("name", "")] = name
        sheet.set("name", name)

    def settle(self, sweep: Sweep) -> None:
        """Let names in formulas, shared strings and titles of tables follow what was masked."""
        for entry in self._list_sheets():
            name = entry.get("name", "")
            if name not in self.sheet_names.values() and sweep.has_secret(name):
                self._rename(entry, "Sheet")
        self.strings.settle(self._list_cells())
        columns = self._rename_columns()
        if self.sheet_names or columns:
            self._rename_in_formulas(columns)
        self.package.sweep(sweep, READ)

    def _rename_in_formulas(self, columns: Mapping[str, Mapping[str, str]]) -> None:
        """Let formulas follow the new names of sheets and of columns."""
        known = self.names.known.items()
        scope = FormulaScope(
            sheets={name: name for name in self.list_sheet_names()} | self.sheet_names,
            names={new.casefold(): new for (kind, _), new in known if kind == "range"},
            tables={new.casefold(): new for (kind, _), new in known if kind == "table"},
            columns=columns,
        )
        for tree in self.package.trees.values():
            shared = cells.SharedFormulas(tree)
            for formula in find_elements(tree, formulas.ELEMENTS):
                if formula.text:
                    _put_formula(formula, translate_formula(formula.text, scope), shared)
            for name, key in _POINTING:
                for element in find_elements(tree, [name]):
                    if element.get(key):
                        _put_attribute(element, key, translate_formula(element.get(key), scope))

    def _list_cells(self) -> Iterator[Element]:
        for sheet in self.sheets:
            yield from list(sheet.iterfind("{*}sheetData/{*}row/{*}c"))

    def _rename_columns(self) -> dict[str, dict[str, str]]:
        """Call the columns of tables what their header cells say. Returns old to new names by table."""
        known = self.names.known.items()
        olds = {new.casefold(): old for (kind, old), new in known if kind == "table"}
        renamed: dict[str, dict[str, str]] = {}
        for part, tree in self.package.find_parts("worksheet"):
            rows = cells.index_rows(tree)
            for relation in self.package.relations.get(part, ()):
                if relation.kind == "table" and relation.target in self.package.trees:
                    table = self.package.trees[relation.target]
                    titles = self._name_columns(table, rows)
                    name = read_table_name(table)
                    old_titles = self.columns.get(olds.get(name, ""), ())
                    renamed[name] = dict(zip(old_titles, titles, strict=False))
        return renamed

    def _name_columns(self, table: Element, rows: Mapping[str, Element]) -> list[str]:
        """Call the columns of a table what its header cells say. Returns their titles."""
        has_header = table.get("headerRowCount", "1") != "0"
        header = cells.find_first_cells(rows, table.get("ref", "")) if has_header else []
        columns = list(table.iter("{*}tableColumn"))
        said = [cells.read_title(cell, self.strings) for cell in header[: len(columns)]]
        missing = [""] * (len(columns) - len(said))
        titles = _make_titles_unique(said + missing)
        self._put_titles(header, titles)
        for column, title in zip(columns, titles, strict=True):
            column.set("name", title)
        return titles

    def _put_titles(self, header: list[Element | None], titles: list[str]) -> None:
        """Write changed titles into their cells, because a program repairs a table whose cells and columns differ."""
        for cell, title in zip(header, titles, strict=False):
            if cell is not None and cells.read_title(cell, self.strings) != title:
                cells.put_title(cell, title)


def _make_titles_unique(titles: list[str]) -> list[str]:
    """Titles of columns: none empty, no two alike."""
    taken = set(titles)
    used: set[str] = set()
    count: dict[str, int] = {}
    found: list[str] = []
    for number, title in enumerate(titles, 1):
        base = new = title or f"Column{number}"
        while new in used or (new != title and new in taken):
            count[base] = count.get(base, 1) + 1
            new = f"{base} {count[base]}"
        used.add(new)
        found.append(new)
    return found


def _add_branch(spots: Spots, branch: Element, shared: cells.SharedFormulas) -> list[Any]:
    """Add the texts, formulas and headings of a part. Returns the keys of the numbers that identify."""

    def drop_formula(formula: Element) -> None:
        _put_formula(formula, None, shared)

    numbers: list[Any] = []
    spots.add_tree(branch, RULES)
    for formula in find_elements(branch, formulas.ELEMENTS):
        numbers += formulas.add_literals(spots, formula, drop_formula)
    for heading in find_elements(branch, HEADINGS):
        add_headings(spots, heading)
    return numbers


def _put_formula(formula: Element, text: str | None, shared: cells.SharedFormulas) -> None:
    """Write a formula, or take it away with what does not stand without it."""
    if text is not None:
        formula.text = text
        return
    owner = formula
    while owner is not None and get_name(owner) not in _OWNERS:
        owner = owner.getparent()
    if owner is not None:
        _drop_owner(owner)
    elif get_name(formula.getparent()) == "c":
        shared.drop(formula)
    elif get_name(formula) == "f":  # of a chart, which needs one
        formula.text = "#REF!"
    else:
        drop_element(formula)


def _drop_owner(owner: Element) -> None:
    """Drop an element and the lists around it that nothing is left in."""
    while owner is not None:
        parent = owner.getparent()
        if parent is None:
            return
        drop_element(owner)
        if any(get_name(child) != "sqref" for child in parent):
            return
        owner = parent if get_name(parent) in _HOLDERS else None


def _put_attribute(element: Element, key: str, text: str | None) -> None:
    if text:
        element.set(key, text)
    else:
        element.attrib.pop(key, None)
