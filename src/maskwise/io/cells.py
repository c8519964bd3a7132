"""Cells of a sheet as text: what a reader sees in each, row by row, and a way to write a masked value back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from maskwise.io import formulas
from maskwise.io.nodes import Spots, xml_text
from maskwise.io.package import Element, drop, dump
from maskwise.text import EntityType

_DATES = frozenset([*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)])
_DATE_FORMAT = re.compile(r"[ymdhs]", re.IGNORECASE)
_NOT_FORMAT = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
_FIXED = re.compile(r"[01]|true|false|#[A-Z0-9/!?]+")  # truth values and errors
_LETTERS = re.compile(r"[A-Z]+")
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@dataclass
class Strings:
    """The shared strings of a workbook. A masked cell gets a string of its own; what no cell uses is dropped."""

    table: Element | None
    items: list[Element] = field(default_factory=list, repr=False)
    own: dict[Element, Element] = field(default_factory=dict, repr=False)  # cell to its masked string

    def __post_init__(self) -> None:
        self.items = [] if self.table is None else list(self.table.iterchildren("{*}si"))

    def of(self, cell: Element) -> Element | None:
        text = cell.findtext("{*}v") or ""
        return self.items[int(text)] if text.isdecimal() and int(text) < len(self.items) else None

    def put(self, cell: Element, run: int, new: str) -> None:
        if cell not in self.own:
            self.own[cell] = deepcopy(self.of(cell))
        put_text(list(self.own[cell].iter("{*}t"))[run], new)

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
            item = self.of(cell) if item is None else item
            if item is None:
                drop(cell)
                continue
            key = old[item] if item in old else old.setdefault(item, dump(item))
            if key not in index:
                index[key] = len(kept)
                kept.append(deepcopy(item))
            cell.find("{*}v").text = str(index[key])
        self.table[:] = self.items = kept
        self.own = {}
        for count in ("count", "uniqueCount"):
            self.table.attrib.pop(count, None)


def put_text(element: Element, new: str) -> None:
    element.text = xml_text(new)
    element.set(_SPACE, "preserve")


@dataclass(frozen=True)
class Dates:
    """Which cell styles show a number as a date, and from which day they count."""

    styles: frozenset[int]
    origin: datetime

    @classmethod
    def of(cls, styles: Element | None, since_1904: bool) -> Dates:
        origin = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)
        if styles is None:
            return cls(frozenset(), origin)
        own = {
            f.get("numFmtId"): bool(_DATE_FORMAT.search(_NOT_FORMAT.sub("", f.get("formatCode", ""))))
            for f in styles.iter("{*}numFmt")
        }
        known = own | {str(number): True for number in _DATES}
        formats = styles.iterfind("{*}cellXfs/{*}xf")
        return cls(frozenset(at for at, xf in enumerate(formats) if known.get(xf.get("numFmtId"))), origin)

    def shown(self, cell: Element, value: str) -> str:
        """A number as people read it: a date as a date, a whole number without exponent."""
        try:
            number = float(value)
            if cell.get("s", "").isdecimal() and int(cell.get("s")) in self.styles:
                moment = self.origin + timedelta(seconds=round(number * 86400))
                return moment.date().isoformat() if number == int(number) else moment.isoformat(" ", "minutes")
            return str(int(number)) if "e" in value.casefold() and number == int(number) else value
        except (ValueError, OverflowError):
            return value


def collect(
    spots: Spots, sheet: Element, strings: Strings, dates: Dates, columns: Mapping[str, EntityType]
) -> dict[Any, EntityType]:
    """All cells of a sheet as spots, row by row; the cells of columns whose type is declared, by spot key."""
    header: dict[str, EntityType] = {}
    given: dict[Any, EntityType] = {}
    for number, row in enumerate(sheet.iterfind("{*}sheetData/{*}row")):
        for at, cell in enumerate(row.iterfind("{*}c")):
            before = len(spots.groups)
            _cell(spots, cell, strings, dates)
            group = spots.groups.get(cell)
            if group is None or len(spots.groups) == before:
                continue
            letters = _LETTERS.match(cell.get("r", ""))
            column = letters[0] if letters else str(at)
            if number == 0:
                title = "".join(spot.text for spot in group).strip().casefold()
                header |= {column: columns[title]} if title in columns else {}
            elif column in header:
                given[cell] = header[column]
    return given


def _cell(spots: Spots, cell: Element, strings: Strings, dates: Dates) -> None:
    kind, value, formula = cell.get("t", "n"), cell.find("{*}v"), cell.find("{*}f")
    if kind == "s":
        item = strings.of(cell)
        for run, text in enumerate(item.iter("{*}t") if item is not None else ()):
            spots.add(text.text or "", lambda new, run=run: strings.put(cell, run, new), cell)  # type: ignore[misc]
    elif cell.find("{*}is") is not None:
        for text in cell.iterfind("{*}is//{*}t"):
            spots.add(text.text or "", lambda new, text=text: put_text(text, new), cell)  # type: ignore[misc]
    elif value is not None and value.text and not (kind in ("b", "e") and _FIXED.fullmatch(value.text)):
        shown = dates.shown(cell, value.text) if kind == "n" else value.text
        spots.add(shown, lambda new: _put_value(cell, new), cell)
    if formula is not None:
        formulas.literals(spots, formula)


def _put_value(cell: Element, new: str) -> None:
    """A masked value is a string. A formula with literals could compute the old one again: it is dropped."""
    value, formula = cell.find("{*}v"), cell.find("{*}f")
    value.text = xml_text(new)
    cell.set("t", "str")
    if formula is not None and formulas.has_literal(formula):
        drop_formula(formula)


def drop_formula(formula: Element) -> None:
    """Drop a formula and those that share it; their cells keep their values."""
    shared = formula.get("si") if formula.get("t") == "shared" else None
    if shared is not None:
        root = formula.getroottree().getroot()
        for other in list(root.iter("{*}f")):
            if other.get("t") == "shared" and other.get("si") == shared and other is not formula:
                drop(other)
    drop(formula)


def first_row(sheet: Element, reference: str, strings: Strings) -> list[str]:
    """Texts of the cells in the first row of a range like `B2:D9`."""
    found = re.fullmatch(r"\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?\d+)?", reference)
    if found is None:
        return []
    low, high = _number(found[1]), _number(found[3] or found[1])
    texts = {
        _number(_LETTERS.match(cell.get("r", "A"))[0]): _plain(cell, strings)  # type: ignore[index]
        for row in sheet.iterfind("{*}sheetData/{*}row")
        if row.get("r") == found[2]
        for cell in row.iterfind("{*}c")
    }
    return [texts.get(column, "") for column in range(low, min(high, low + 16384) + 1)]


def _plain(cell: Element, strings: Strings) -> str:
    item = strings.of(cell) if cell.get("t") == "s" else cell
    if item is None:
        return ""
    runs = "".join(t.text or "" for t in item.iter("{*}t"))
    return runs if runs or cell.get("t") == "s" else cell.findtext("{*}v") or ""


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number
