"""Formulas of spreadsheets. Their literals are read as text, and their sheets, ranges, tables and columns get the new
names. A formula that names anything else is not kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from maskwise.io.formula_names import FUNCTIONS, RANGES
from maskwise.io.nodes import Spots, clean_text
from maskwise.io.package import Element

ELEMENTS = (
    "f",
    "definedName",
    "formula",
    "formula1",
    "formula2",
    "calculatedColumnFormula",
    "totalsRowFormula",
)
# A literal, or a number that is long enough to be an identifier.
_LITERAL = re.compile(r'("(?:[^"]|"")*"|(?<![\w.$])\d{7,}(?:\.0*)?(?![\w.]))')
_TOKEN = re.compile(
    r"""(?P<text>"(?:[^"]|"")*")
    |(?P<quoted>'(?:[^']|'')*')!
    |(?P<error>\#(?:NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|N/A|SPILL!|CALC!))
    |(?P<cell>\$?[A-Z]{1,3}\$?\d{1,7}(?![\w.(!\[])|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}(?![\w.(!])|\$?\d{1,7}:\$?\d{1,7})
    |(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?(?![\w]))
    |(?P<call>[A-Za-z_][\w.]*)\(
    |(?P<sheet>[^\W\d][\w.]*)!
    |(?P<table>[^\W\d]\w*(?:\.\w+)*)(?=\[)
    |(?P<name>[^\W\d\\][\w.?\\]*)
    |(?P<columns>\[)
    |(?P<sign>[-+*/^&=<>%(),;:{}@#\s|])""",
    re.VERBOSE,
)
_ONE_COLUMN = re.compile(r"\[(@?)(.*)\]", re.DOTALL)
_BRACKETED = re.compile(r"\[(@?)((?:[^\[\]']|'.)*)\]")
LONG = 9  # digits of a number that identifies
_FIXED = frozenset(["TRUE", "FALSE"])
_SPECIAL = frozenset("#All #Data #Headers #Totals".split()) | {"#This Row"}
_PREFIX = re.compile(r"(?:_xlfn\.|_xlws\.|_xludf\.)+", re.IGNORECASE)


@dataclass(frozen=True)
class FormulaScope:
    """The names that formulas may use: sheets by their names, ranges and tables in small letters, columns by table."""

    sheets: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @cached_property
    def folded_sheets(self) -> Mapping[str, str]:
        return {old.casefold(): new for old, new in self.sheets.items()}

    @cached_property
    def named(self) -> Mapping[str, str]:
        return {**self.tables, **self.names}

    @cached_property
    def every_column(self) -> Mapping[str, str]:
        return {old: new for columns in self.columns.values() for old, new in columns.items()}


class _UnknownError(ValueError):
    """The formula names something that the scope does not know."""


def translate_formula(text: str, scope: FormulaScope) -> str | None:
    """The formula with the names of the scope, or nothing if it names anything else."""
    parts: list[str] = []
    at, table = 0, ""
    try:
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                return None
            at = found.end()
            kind = found.lastgroup
            if kind == "columns":
                at = _find_end_of_columns(text, at)
                parts.append(_translate_columns(text[found.start() : at], table, scope))
                continue
            table = found[0] if kind == "table" else ""
            parts.append(_translate_token(str(kind), found, scope))
    except _UnknownError:
        return None
    return "".join(parts)


def _translate_token(kind: str, found: re.Match[str], scope: FormulaScope) -> str:
    text = found[0]
    if kind == "quoted":
        return _translate_sheet(found["quoted"][1:-1].replace("''", "'"), scope)
    if kind == "sheet":
        return _translate_sheet(found["sheet"], scope)
    if kind == "call":
        if _PREFIX.sub("", found["call"]).upper() not in FUNCTIONS:
            raise _UnknownError
        return text
    if kind == "table":
        return _find_new_name(scope.tables, text)
    if kind == "name" and text.upper() not in _FIXED and text not in RANGES:
        return _find_new_name(scope.named, text)
    return text


def _find_new_name(names: Mapping[str, str], old: str) -> str:
    new = names.get(old.casefold())
    if new is None:
        raise _UnknownError
    return new


def _translate_sheet(name: str, scope: FormulaScope) -> str:
    """One sheet, or the first and last of many."""
    known = scope.folded_sheets
    ends = [name] if name.casefold() in known else name.split(":")
    new = ":".join(_find_new_name(known, end) for end in ends)
    return "'" + new.replace("'", "''") + "'!"


def _find_end_of_columns(text: str, at: int) -> int:
    """Where the bracket that opens before `at` closes."""
    depth = 1
    while at < len(text) and depth:
        if text[at] == "'":
            at += 1
        elif text[at] in "[]":
            depth += 1 if text[at] == "[" else -1
        at += 1
    if depth:
        raise _UnknownError
    return at


def _translate_columns(text: str, table: str, scope: FormulaScope) -> str:
    """`[Sum]`, `[[#All],[Sum]:[Kind]]` or `[@Sum]` with the names that the columns have now."""
    known = scope.columns.get(table.casefold()) if table else scope.every_column
    if known is None:
        raise _UnknownError

    def rename_column(found: re.Match[str]) -> str:
        this, old = found[1], found[2]
        if old in _SPECIAL or not old:
            return f"[{this}{old}]"
        bare = re.sub(r"'(.)", r"\1", old)
        if bare not in known:
            raise _UnknownError
        return f"[{this}{_escape_name(known[bare])}]"

    inner = text[1:-1]
    if "[" not in inner:
        found = _ONE_COLUMN.fullmatch(text)
        if found is None:
            raise _UnknownError
        return rename_column(found)
    between = _BRACKETED.sub("", inner)
    if between.strip(" ,:@"):
        raise _UnknownError
    return "[" + _BRACKETED.sub(rename_column, inner) + "]"


def _escape_name(name: str) -> str:
    return re.sub(r"(['\[\]#@])", r"'\1", name)


def add_literals(spots: Spots, formula: Element, drop: Callable[[Element], None]) -> list[Any]:
    """Add each literal of a formula as a spot. Returns the keys of the numbers that identify.

    A masked literal is written in its place again. A formula in which a long number is masked is dropped.
    """
    parts = _LITERAL.split(formula.text or "")
    numbers: list[Any] = []
    for at in range(1, len(parts), 2):
        if not parts[at].startswith('"'):
            number, key = parts[at].partition(".")[0], (formula, at)
            spots.add(number, lambda _: drop(formula), key)
            numbers += [key] if is_identifying(number) else []
            continue

        def put(new: str, at: int = at) -> None:
            parts[at] = '"' + clean_text(new).replace('"', '""') + '"'
            formula.text = "".join(parts)

        spots.add(parts[at][1:-1].replace('""', '"'), put)
    return numbers


def is_identifying(number: str) -> bool:
    """Whether a whole number is long enough to say who rather than how much, and not round."""
    return len(number) >= LONG and not number.endswith("000")


def list_names(text: str) -> set[str]:
    """The names of ranges that a formula may use, in small letters."""
    return {found[0].casefold() for found in _TOKEN.finditer(text) if found.lastgroup == "name"}


def has_literal(formula: Element) -> bool:
    return '"' in (formula.text or "")
