"""Cells of a sheet as text: what a person sees in each, row by row, and how a masked value is written back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from maskwise.io import formulas
from maskwise.io.column_typing import CellType
from maskwise.io.nodes import Spots, clean_text
from maskwise.io.ooxml_values import is_number_picture
from maskwise.io.package import Element, drop_element, dump_xml, get_name
from maskwise.io.sheet_columns import SheetColumns
from maskwise.text import EntityType

# Numbers of the formats for dates that every program knows.
_DATES = frozenset(map(str, [*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)]))
_DATE_FORMAT = re.compile(r"[ymdhs]", re.IGNORECASE)
_NOT_FORMAT = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_FIXED = re.compile(r"[01]|true|false|#[A-Z0-9/!?]+")  # truth values and errors
_LETTERS = re.compile(r"[A-Z]+")
_PLAIN = frozenset(["0", "1", "49"])  # number formats without separators of thousands
_TITLE = re.compile(
    r"\b(?:phone|telephone|tel|mobile|cell|fax|account|acct|iban|card|ssn|nhs|mrn|passport|licen[cs]e|insurance|patient"
    r"|member|customer|client|employee|student|tax|vat|id|ids|no|nr|number|code|ref|reference|serial|zip|postcode)\b",
    re.IGNORECASE,
)
TITLED = 5  # digits that identify under a title that says so
_COLUMNS = 16384  # that a sheet can have
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@dataclass
class Strings:
    """The shared strings of a workbook. A masked cell gets a string of its own; what no cell uses is dropped."""

    table: Element | None
    items: list[Element] = field(default_factory=list, repr=False)
    # Each cell with a masked string, and that string.
    own: dict[Element, Element] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.items = [] if self.table is None else list(self.table.iterchildren("{*}si"))

    def find_item(self, cell: Element) -> Element | None:
        text = cell.findtext("{*}v") or ""
        if not text.isdecimal() or int(text) >= len(self.items):
            return None
        return self.items[int(text)]

    def put(self, cell: Element, run: int, new: str) -> None:
        if cell not in self.own:
            self.own[cell] = deepcopy(self.find_item(cell))
        runs = list(self.own[cell].iter("{*}t"))
        put_text(runs[run], new)

    def settle(self, cells: Iterator[Element]) -> None:
        """Write the table anew: each string that a cell shows, once."""
        if self.table is None:
            return
        index: dict[bytes, int] = {}
        kept: list[Element] = []
        old: dict[Element, bytes] = {}
        for cell in cells:
            if cell.get("t") != "s":
                continue
            item = self.own.get(cell)
            if item is None:
                item = self.find_item(cell)
            if item is None:
                drop_element(cell)
                continue
            if item not in old:
                old[item] = dump_xml(item)
            key = old[item]
            if key not in index:
                index[key] = len(kept)
                kept.append(deepcopy(item))
            cell.find("{*}v").text = str(index[key])
        self.table[:] = self.items = kept
        self.own = {}
        for count in ("count", "uniqueCount"):
            self.table.attrib.pop(count, None)


def put_text(element: Element, new: str) -> None:
    element.text = clean_text(new)
    element.set(_SPACE, "preserve")


@dataclass(frozen=True)
class Dates:
    """The cell styles that show a number as a date, and the day from which they count."""

    styles: frozenset[int]
    origin: datetime
    counting: frozenset[int] = frozenset()  # styles that show amounts

    @classmethod
    def of(cls, styles: Element | None, since_1904: bool) -> Dates:
        origin = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        if styles is None:
            return cls(frozenset(), origin)
        codes = {f.get("numFmtId"): f.get("formatCode", "") for f in styles.iter("{*}numFmt")}
        formats = [xf.get("numFmtId", "0") for xf in styles.iterfind("{*}cellXfs/{*}xf")]
        dates: set[int] = set()
        counting: set[int] = set()
        for at, number in enumerate(formats):
            code = codes.get(number, "")
            if _is_date_format(number, code):
                dates.add(at)
            if _is_amount_format(number, code):
                counting.add(at)
        return cls(frozenset(dates), origin, frozenset(counting))

    def show_number(self, cell: Element, value: str) -> str:
        """A number as people read it: a date as a date, a whole number without exponent."""
        try:
            number = float(value)
            is_whole = number == int(number)
            if self._read_style(cell) in self.styles:
                moment = self.origin + timedelta(seconds=round(number * 86400))
                return moment.date().isoformat() if is_whole else moment.isoformat(" ", "minutes")
            return str(int(number)) if is_whole and not value.isdecimal() else value
        except (ValueError, OverflowError):
            return value

    def is_identifying(self, cell: Element, shown: str, title: str) -> bool:
        """Whether a number says who rather than how much: by the title of its column, or by its length."""
        if not shown.isdecimal():
            return False
        if len(shown) >= TITLED and _TITLE.search(title):
            return True
        return formulas.is_identifying(shown) and self._read_style(cell) not in self.counting

    def _read_style(self, cell: Element) -> int:
        style = cell.get("s", "0")
        return int(style) if style.isdecimal() else 0


def _is_date_format(number: str, code: str) -> bool:
    """Whether a number format, by its number or its code, shows a date."""
    if number in _DATES:
        return True
    return _DATE_FORMAT.search(_NOT_FORMAT.sub("", code)) is not None


def _is_amount_format(number: str, code: str) -> bool:
    """Whether a number format shows an amount: with separators of thousands, decimals, a currency or a percentage."""
    if not code:
        return number not in _PLAIN
    has_amount_sign = re.search(r"[,.%$€£¥]", code) is not None
    return has_amount_sign and is_number_picture(_NOT_FORMAT.sub("", code))


@dataclass
class SharedFormulas:
    """Formulas of a sheet by the number under which cells share them, so that all go when one goes."""

    sheet: Element
    by_number: dict[str, list[Element]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for formula in self.sheet.iterfind("{*}sheetData/{*}row/{*}c/{*}f"):
            if formula.get("t") == "shared":
                self.by_number.setdefault(formula.get("si", ""), []).append(formula)

    def drop(self, formula: Element) -> None:
        """Drop a formula and those that share it; their cells keep their values."""
        if formula.get("t") == "shared":
            for other in self.by_number.pop(formula.get("si", ""), []):
                drop_element(other)
        drop_element(formula)


def collect_cells(
    spots: Spots, sheet: Element, strings: Strings, dates: Dates, columns: SheetColumns
) -> dict[Any, CellType]:
    """Add all cells of a sheet as spots, row by row, and to `columns`. Returns the types that are known, by key."""
    titles: dict[str, str] = {}
    known: dict[Any, CellType] = {}
    code = CellType(EntityType.CODE, is_direct=True)
    shared = SharedFormulas(sheet)
    for number, row in enumerate(sheet.iterfind("{*}sheetData/{*}row")):
        for at, cell in enumerate(row.iterfind("{*}c")):
            before = len(spots.groups)
            for key in _add_cell(spots, cell, strings, dates, shared):
                known[key] = code
            group = spots.groups.get(cell)
            if group is None or len(spots.groups) == before:
                continue
            letters = _LETTERS.match(cell.get("r", ""))
            column = letters[0] if letters else str(at)
            text = "".join(spot.text for spot in group).strip()
            columns.add(column, number, cell, text)
            if cell.get("t", "n") != "n":
                titles[column] = text if len(text) <= 60 else ""
            elif cell.find("{*}f") is None and dates.is_identifying(
                cell, text, titles.get(column, "")
            ):
                known.setdefault(cell, code)
    for cell, typed in columns.type_cells():
        is_declared = typed.is_direct and typed.type is not EntityType.CODE
        if is_declared or cell not in known:
            known[cell] = typed
    return known


def _add_cell(
    spots: Spots, cell: Element, strings: Strings, dates: Dates, shared: SharedFormulas
) -> list[Any]:
    """The texts of a cell as spots; the keys of long numbers in its formula."""
    kind = cell.get("t", "n")
    children = {get_name(child): child for child in cell}
    value, formula, inline = children.get("v"), children.get("f"), children.get("is")
    if kind == "s":
        item = strings.find_item(cell)
        for run, text in enumerate(item.iter("{*}t") if item is not None else ()):
            spots.add(text.text or "", partial(strings.put, cell, run), cell)
    elif inline is not None:
        for text in inline.iter("{*}t"):
            spots.add(text.text or "", partial(put_text, text), cell)
    elif value is not None and value.text and not _is_fixed(kind, value.text):
        shown = dates.show_number(cell, value.text) if kind == "n" else value.text
        spots.add(shown, lambda new: _put_value(cell, new, shared), cell)
    return formulas.add_literals(spots, formula, shared.drop) if formula is not None else []


def _is_fixed(kind: str, value: str) -> bool:
    """Whether a value is a truth value or an error, which nobody wrote."""
    return kind in ("b", "e") and _FIXED.fullmatch(value) is not None


def _put_value(cell: Element, new: str, shared: SharedFormulas) -> None:
    """Write a masked value as a string. A formula with literals could compute the old one again, so it is dropped."""
    value, formula = cell.find("{*}v"), cell.find("{*}f")
    value.text = clean_text(new)
    cell.set("t", "str")
    if formula is not None and formulas.has_literal(formula):
        shared.drop(formula)


def index_rows(sheet: Element) -> dict[str, Element]:
    return {row.get("r", ""): row for row in sheet.iterfind("{*}sheetData/{*}row")}


def find_first_cells(rows: Mapping[str, Element], reference: str) -> list[Element | None]:
    """The cells in the first row of a range like `B2:D9`; nothing for one that the sheet does not have."""
    found = re.fullmatch(r"\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?\d+)?", reference)
    if found is None or found[2] not in rows:
        return []
    low, high = _count_column(found[1]), _count_column(found[3] or found[1])
    cells = {}
    for cell in rows[found[2]].iterfind("{*}c"):
        letters = _LETTERS.match(cell.get("r", "A"))
        cells[_count_column(letters[0])] = cell  # type: ignore[index]
    last = min(high, low + _COLUMNS)
    return [cells.get(column) for column in range(low, last + 1)]


def put_title(cell: Element, title: str) -> None:
    """Write a string into a cell, whatever it held."""
    namespace = cell.tag[: cell.tag.find("}") + 1]
    for child in list(cell):
        cell.remove(child)
    cell.set("t", "inlineStr")
    inline = cell.makeelement(namespace + "is")
    text = cell.makeelement(namespace + "t")
    cell.append(inline)
    inline.append(text)
    put_text(text, title)


def read_title(cell: Element | None, strings: Strings) -> str:
    """The text of a cell that gives a column its name."""
    if cell is None:
        return ""
    item = strings.find_item(cell) if cell.get("t") == "s" else cell
    if item is None:
        return ""
    runs = "".join(t.text or "" for t in item.iter("{*}t"))
    return runs if runs or cell.get("t") == "s" else cell.findtext("{*}v") or ""


def _count_column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
