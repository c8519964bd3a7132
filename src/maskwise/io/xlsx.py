"""Spreadsheets: cells of all sheets, hidden ones too, comments, names, headers, validations and charts are masked in
place; formats and formulas are kept.

Properties, people, threaded comments (their plain form stays), pivot tables and their caches, external links, data
connections, scenarios, printer settings and macros are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from maskwise.io import cells, formulas, opc
from maskwise.io.cells import Dates, Strings
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.nodes import Rules, Spots, Sweep, xml_text
from maskwise.io.opc import Opc
from maskwise.io.package import Element, among, drop, local
from maskwise.mask import Alignment
from maskwise.text import EntityType

KNOWN = frozenset(
    "officeDocument worksheet chartsheet sharedStrings styles theme comments drawing vmlDrawing table image hyperlink "
    "chart chartStyle chartColorStyle chartUserShapes".split()
)
HEADINGS = "oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter".split()
# Where a part stands, its font, size and colour, page and date; `&&` is a character of the text.
_HEADING_CODE = re.compile(r"(&(?:[LCRPNDTGFAESUXYBIOHZ]|\"[^\"]*\"|K(?:[0-9A-F]{6}|\d\d[+-]\d{3})|\d{1,3}))", re.I)
RULES = Rules(
    paragraphs=frozenset("p text".split()),
    runs=frozenset(["t"]),
    blanks={"br": "\n"},
    silent=frozenset(
        "col row colOff rowOff sqref formatCode Anchor AutoFill Row Column MoveWithCells SizeWithCells Visible Locked "
        "LockText DefaultSize PrintObject TextHAlign TextVAlign author".split()
    ).union(formulas.ELEMENTS, HEADINGS),
    attributes=(
        *("@descr", "@title", "@alt", "@tooltip", "cNvPr@name", "hyperlink@display", "textpath@string"),
        *(
            "@prompt",
            "@promptTitle",
            "@error",
            "@errorTitle",
            "tableColumn@totalsRowLabel",
            "table@comment",
            "cfRule@text",
        ),
        *("definedName@comment", "definedName@description", "definedName@help", "definedName@statusBar"),
    ),
)
_PRIVATE = frozenset(
    "fileSharing customWorkbookViews fileRecoveryPr webPublishing webPublishObjects smartTagPr smartTagTypes absPath "
    "scenarios customSheetViews protectedRanges webPublishItems smartTags cellWatches rPh phoneticPr "
    "filterColumn".split()
)
_BAD_IN_SHEET_NAMES = re.compile(r"[\[\]:*?/\\']")


def drop_private(tree: Element) -> None:
    for element in among(tree, _PRIVATE):
        drop(element)
    for element in among(tree, ["workbookPr", "sheetPr", "c"]):
        for attribute in ("codeName", "cm", "vm"):  # names for macros; what cells say of parts that are left out
            element.attrib.pop(attribute, None)


def headings(spots: Spots, heading: Element) -> None:
    """Each text of a header or footer is a spot; the codes between them stay."""
    parts = _HEADING_CODE.split(heading.text or "")
    for at in range(0, len(parts), 2):

        def put(new: str, at: int = at) -> None:
            parts[at] = xml_text(new)
            heading.text = "".join(parts)

        if parts[at].strip():
            spots.add(parts[at], put)


def hide_people(tree: Element) -> None:
    """Authors of comments by number."""
    for number, author in enumerate(among(tree, ["author"]), 1):
        author.text = f"Author {number}"


def drop_external(tree: Element) -> None:
    """Formulas that look into other files: their cells keep their values."""
    for formula in among(tree, formulas.ELEMENTS):
        if formulas.is_external(formula):
            cells.drop_formula(formula)


CLEANERS: tuple[Callable[[Element], None], ...] = (drop_private, hide_people, drop_external)


@dataclass(frozen=True)
class Xlsx:
    """Spreadsheets in and out. `columns` declares types by the title of a column in the first row of a sheet."""

    limits: Limits = field(default_factory=Limits)
    columns: Mapping[str, EntityType] = field(default_factory=dict)

    def read(self, raw: bytes, name: str) -> Loaded:
        book = self._open(raw, name)
        spots, given = book.spots(self._columns)
        text, segments = spots.join()
        return Loaded((text,), (raw, name), (spots.given(segments, given),), book.package.notes)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        book = self._open(*loaded.layout)
        spots, _ = book.spots(self._columns)
        spots.fill(spots.join()[1], alignments[0])
        book.settle(Sweep.of(alignments[0]))
        return book.package.pack()

    @property
    def _columns(self) -> dict[str, EntityType]:
        return {title.strip().casefold(): kind for title, kind in self.columns.items()}

    def _open(self, raw: bytes, name: str) -> Workbook:
        package = opc.load(raw, name, self.limits, KNOWN, "xl")
        for tree in package.trees.values():
            for clean in CLEANERS:
                clean(tree)
        return Workbook(package)


@dataclass
class Workbook:
    """A package read as a workbook: its sheets, its shared strings, and the names that formulas use."""

    package: Opc
    strings: Strings = field(init=False)
    sheet_names: dict[str, str] = field(default_factory=dict, repr=False)  # old to new

    def __post_init__(self) -> None:
        self.strings = Strings(next((tree for _, tree in self.package.of_kind("sharedStrings")), None))

    @property
    def main(self) -> Element:
        return next(tree for _, tree in self.package.of_kind("officeDocument"))

    @property
    def sheets(self) -> list[Element]:
        return [tree for _, tree in self.package.of_kind("worksheet")]

    def spots(self, columns: Mapping[str, EntityType]) -> tuple[Spots, dict[Any, EntityType]]:
        """Everything that people wrote: cells first, then names of sheets, then all other places."""
        spots = Spots()
        given: dict[Any, EntityType] = {}
        styles = next((tree for _, tree in self.package.of_kind("styles")), None)
        since_1904 = any(p.get("date1904") in ("1", "true") for p in self.main.iterfind("{*}workbookPr"))
        for sheet in self.sheets:
            given |= cells.collect(spots, sheet, self.strings, Dates.of(styles, since_1904), columns)
        for sheet in self.main.iterfind("{*}sheets/{*}sheet"):
            spots.add(sheet.get("name", ""), lambda new, sheet=sheet: self._rename(sheet, new))  # type: ignore[misc]
        for part, tree in self.package.trees.items():
            kind = self.package.kinds[part]
            if kind in ("styles", "theme", "sharedStrings"):
                continue
            for branch in tree if kind == "worksheet" else [tree]:
                if local(branch) != "sheetData":
                    spots.tree(branch, RULES)
                    for formula in among(branch, formulas.ELEMENTS):
                        formulas.literals(spots, formula)
                    for heading in among(branch, HEADINGS):
                        headings(spots, heading)
        self.package.links(spots)
        return spots, given

    def _rename(self, sheet: Element, new: str) -> None:
        """A masked sheet name, made fit to be one, and unlike all others."""
        taken = {s.get("name", "").casefold() for s in self.main.iterfind("{*}sheets/{*}sheet")}
        bare = " ".join(_BAD_IN_SHEET_NAMES.sub(" ", new).split())[:26] or "Sheet"
        name = next(n for n in (bare, *(f"{bare} {i}" for i in range(2, 10_000))) if n.casefold() not in taken)
        self.sheet_names[sheet.get("name", "")] = name
        sheet.set("name", name)

    def settle(self, sweep: Sweep) -> None:
        """Bring into line what the masks have touched: names in formulas, shared strings, titles of tables."""
        for sheet in self.main.iterfind("{*}sheets/{*}sheet"):
            if sheet.get("name") not in self.sheet_names.values() and sweep.hides(sheet.get("name", "")):
                self._rename(sheet, "Sheet")
        owners = [*self.main.iter("{*}definedName"), *(tree for _, tree in self.package.of_kind("table"))]
        olds = [owner.get(key, "") for owner in owners for key in ("name", "displayName") if owner.get(key)]
        names = {old: new for old in olds if (new := sweep.new(old)) != old}
        for tree in self.package.trees.values():
            for formula in among(tree, formulas.ELEMENTS):
                if formula.text:
                    formula.text = formulas.renamed(formula.text, self.sheet_names, names)
            for link in among(tree, ["hyperlink"]):
                if link.get("location"):
                    link.set("location", formulas.renamed(link.get("location"), self.sheet_names, names))
        self.strings.settle(self._cells())
        self._titles()
        self.package.sweep(sweep)

    def _cells(self) -> Iterator[Element]:
        return (cell for sheet in self.sheets for cell in list(sheet.iterfind("{*}sheetData/{*}row/{*}c")))

    def _titles(self) -> None:
        """The columns of a table are called what their header cells say."""
        for part, tree in self.package.of_kind("worksheet"):
            for relation in self.package.relations.get(part, ()):
                if relation.kind != "table" or relation.target not in self.package.trees:
                    continue
                table = self.package.trees[relation.target]
                titles = cells.first_row(tree, table.get("ref", ""), self.strings)
                if table.get("headerRowCount", "1") == "0":
                    titles = []
                for column, title in zip(table.iter("{*}tableColumn"), titles, strict=False):
                    column.set("name", title or column.get("name", ""))
