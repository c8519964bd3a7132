"""Spreadsheets: cells of all sheets, hidden ones too, comments, names, headers, validations and charts are masked in
place; formats and formulas are kept.

Only what the grammar knows is written. Ranges, tables and custom styles get new names, authors become numbers, and a
formula that names anything unknown becomes its value. Numbers that identify are masked like text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from maskwise.io import cells, formulas, opc
from maskwise.io.cells import Dates, Strings
from maskwise.io.formats import Loaded
from maskwise.io.formulas import FormulaScope, translate_formula
from maskwise.io.limits import Limits
from maskwise.io.nodes import Spots, Sweep, TreeRules, clean_text
from maskwise.io.ooxml import OoxmlNames
from maskwise.io.opc import Opc
from maskwise.io.package import Element, drop_element, find_elements, get_name
from maskwise.io.xlsx_grammar import FONTED, HEADINGS, READ, build_sheet_grammar
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy
from maskwise.text import EntityType

KNOWN = frozenset(
    "officeDocument worksheet chartsheet sharedStrings styles theme comments drawing vmlDrawing table image hyperlink "
    "chart chartStyle chartColorStyle chartUserShapes".split()
)
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
    """The texts of a header or footer, each of its sections in one piece; the codes between them stay."""
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


@dataclass(frozen=True)
class Xlsx:
    """Spreadsheets in and out. `columns` declares types by the title of a column in the first row of a sheet."""

    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    columns: Mapping[str, EntityType] = field(default_factory=dict)
    suffix = ""

    def read(self, raw: bytes, name: str) -> Loaded:
        book = self._open(raw, name)
        spots, given = book.collect_spots(self._columns)
        text, segments = spots.join()
        return Loaded(
            (text,), (raw, name), (spots.find_given(segments, given),), notes=book.package.notes
        )

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        book = self._open(*loaded.layout)
        spots, _ = book.collect_spots(self._columns)
        spots.fill(spots.join()[1], alignments[0])
        book.settle(Sweep.of(alignments[0]))
        return book.package.pack()

    @property
    def _columns(self) -> dict[str, EntityType]:
        return {title.strip().casefold(): kind for title, kind in self.columns.items()}

    def _open(self, raw: bytes, name: str) -> Workbook:
        package = opc.load_package(raw, name, self.limits, KNOWN, "xl")
        names = OoxmlNames()
        columns = _list_table_columns(package)
        package.rebuild(build_sheet_grammar(names), name)
        return Workbook(package, names, columns)


def _list_table_columns(package: Opc) -> dict[str, tuple[str, ...]]:
    """The columns of each table by its name in small letters, as formulas call it."""
    return {
        table.get("displayName", table.get("name", "")).casefold(): tuple(
            column.get("name", "") for column in table.iter("{*}tableColumn")
        )
        for _, table in package.find_parts("table")
    }


@dataclass
class Workbook:
    """A package read as a workbook: its sheets, its shared strings, and the names that formulas use."""

    package: Opc
    names: OoxmlNames
    columns: dict[str, tuple[str, ...]] = field(repr=False)
    strings: Strings = field(init=False)
    sheet_names: dict[str, str] = field(default_factory=dict, repr=False)  # old to new

    def __post_init__(self) -> None:
        self.strings = Strings(
            next((tree for _, tree in self.package.find_parts("sharedStrings")), None)
        )
        self._clean_formulas()

    @property
    def main(self) -> Element:
        return next(tree for _, tree in self.package.find_parts("officeDocument"))

    @property
    def sheets(self) -> list[Element]:
        return [tree for _, tree in self.package.find_parts("worksheet")]

    def _clean_formulas(self) -> None:
        """Give ranges and tables in formulas their new names; drop the formulas that name anything else."""
        known = self.names.known
        ranges = {old: new for (kind, old), new in known.items() if kind == "range"}
        scope = FormulaScope(
            sheets={
                s.get("name", ""): s.get("name", "")
                for s in self.main.iterfind("{*}sheets/{*}sheet")
            },
            names=ranges,
            tables={old: new for (kind, old), new in known.items() if kind == "table"},
            columns={
                table: {name: name for name in names} for table, names in self.columns.items()
            },
        )
        scope = replace(scope, names=self._clean_ranges(scope))
        for tree in self.package.trees.values():
            shared = cells.SharedFormulas(tree)
            for formula in find_elements(tree, formulas.ELEMENTS):
                if get_name(formula) != "definedName" and (
                    formula.text or formula.get("t") != "shared"
                ):
                    _put_formula(formula, translate_formula(formula.text or "", scope), shared)
            for name, key in _POINTING:
                for element in find_elements(tree, [name]):
                    _put_attribute(element, key, translate_formula(element.get(key, ""), scope))

    def _clean_ranges(self, scope: FormulaScope) -> dict[str, str]:
        """The names of the ranges that stay. One that needs a name that goes goes too."""
        kept = dict(scope.names)
        olds = {new: old for old, new in scope.names.items()}
        owners: dict[str, list[Element]] = {}
        users: dict[str, list[Element]] = {}
        gone: list[Element] = []
        for owner in self.main.iter("{*}definedName"):
            owners.setdefault(olds.get(owner.get("name", ""), ""), []).append(owner)
            for used in formulas.list_names(owner.text or ""):
                users.setdefault(used, []).append(owner)
            text = translate_formula(owner.text or "", scope)
            gone += [owner] if text is None else []
            owner.text = text
        while gone:
            owner = gone.pop()
            name = olds.get(owner.get("name", ""), "")
            drop_element(owner)
            if kept.pop(name, None) is not None:
                gone += (
                    each
                    for each in (*users.get(name, ()), *owners.get(name, ()))
                    if each.getparent() is not None
                )
        for parent in find_elements(self.main, ["definedNames"]):
            if not len(parent):
                drop_element(parent)
        return kept

    def collect_spots(
        self, columns: Mapping[str, EntityType]
    ) -> tuple[Spots, dict[Any, EntityType]]:
        """Everything that people wrote: cells first, then names of sheets, then all other places."""
        spots = Spots()
        given: dict[Any, EntityType] = {}
        styles = next((tree for _, tree in self.package.find_parts("styles")), None)
        since_1904 = any(
            p.get("date1904") in ("1", "true") for p in self.main.iterfind("{*}workbookPr")
        )
        for sheet in self.sheets:
            given |= cells.collect_cells(
                spots, sheet, self.strings, Dates.of(styles, since_1904), columns
            )
        for sheet in self.main.iterfind("{*}sheets/{*}sheet"):
            spots.add(sheet.get("name", ""), lambda new, sheet=sheet: self._rename(sheet, new))  # type: ignore[misc]
        for part, tree in self.package.trees.items():
            kind = self.package.kinds[part]
            if kind in ("styles", "theme", "sharedStrings"):
                continue
            shared = cells.SharedFormulas(tree)
            for branch in tree if kind == "worksheet" else [tree]:
                if get_name(branch) != "sheetData":
                    spots.add_tree(branch, RULES)
                    for formula in find_elements(branch, formulas.ELEMENTS):
                        numbers = formulas.add_literals(
                            spots,
                            formula,
                            lambda f: _put_formula(f, None, shared),  # noqa: B023
                        )
                        given |= dict.fromkeys(numbers, EntityType.CODE)
                    for heading in find_elements(branch, HEADINGS):
                        add_headings(spots, heading)
        self.package.add_formats(spots)
        self.package.add_fonts(spots, FONTED)
        self.package.add_links(spots)
        return spots, given

    def _rename(self, sheet: Element, new: str) -> None:
        """A masked sheet name, made fit to be one, and unlike all others."""
        taken = {s.get("name", "").casefold() for s in self.main.iterfind("{*}sheets/{*}sheet")}
        bare = " ".join(_BAD_IN_SHEET_NAMES.sub(" ", new).split())[:26] or "Sheet"
        name = next(
            n
            for n in (bare, *(f"{bare} {i}" for i in range(2, 10_000)))
            if n.casefold() not in taken
        )
        self.sheet_names[sheet.get("name", "")] = name
        sheet.set("name", name)

    def settle(self, sweep: Sweep) -> None:
        """Bring into line what the masks have touched: names in formulas, shared strings, titles of tables."""
        for sheet in self.main.iterfind("{*}sheets/{*}sheet"):
            if sheet.get("name") not in self.sheet_names.values() and sweep.has_secret(
                sheet.get("name", "")
            ):
                self._rename(sheet, "Sheet")
        self.strings.settle(self._list_cells())
        columns = self._rename_columns()
        if self.sheet_names or columns:
            self._rename_in_formulas(columns)
        self.package.sweep(sweep, READ)

    def _rename_in_formulas(self, columns: Mapping[str, Mapping[str, str]]) -> None:
        """Let formulas follow the new names of sheets and of columns."""
        sheets = {
            s.get("name", ""): s.get("name", "") for s in self.main.iterfind("{*}sheets/{*}sheet")
        }
        known = self.names.known.items()
        scope = FormulaScope(
            sheets={**sheets, **self.sheet_names},
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
        return (
            cell
            for sheet in self.sheets
            for cell in list(sheet.iterfind("{*}sheetData/{*}row/{*}c"))
        )

    def _rename_columns(self) -> dict[str, dict[str, str]]:
        """Call the columns of a table what their header cells say, and write into these what tells two of them apart.

        Returns old to new names by table.
        """
        olds = {
            new.casefold(): old for (kind, old), new in self.names.known.items() if kind == "table"
        }
        renamed: dict[str, dict[str, str]] = {}
        for part, tree in self.package.find_parts("worksheet"):
            rows = cells.index_rows(tree)
            for relation in self.package.relations.get(part, ()):
                if relation.kind != "table" or relation.target not in self.package.trees:
                    continue
                table = self.package.trees[relation.target]
                has_header = table.get("headerRowCount", "1") != "0"
                header = cells.find_first_cells(rows, table.get("ref", "")) if has_header else []
                titles = [cells.read_title(cell, self.strings) for cell in header]
                name = table.get("displayName", table.get("name", "")).casefold()
                columns = list(table.iter("{*}tableColumn"))
                titles = _make_titles_unique(
                    [*titles[: len(columns)], *[""] * (len(columns) - len(titles))]
                )
                self._put_titles(header, titles)
                for column, title in zip(columns, titles, strict=True):
                    column.set("name", title)
                renamed[name] = dict(
                    zip(self.columns.get(olds.get(name, ""), ()), titles, strict=False)
                )
        return renamed

    def _put_titles(self, header: list[Element | None], titles: list[str]) -> None:
        """A program repairs a table whose header cells and columns differ."""
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
        if any(get_name(child) not in ("sqref",) for child in parent):
            return
        owner = parent if get_name(parent) in _HOLDERS else None


def _put_attribute(element: Element, key: str, text: str | None) -> None:
    if text:
        element.set(key, text)
    else:
        element.attrib.pop(key, None)
