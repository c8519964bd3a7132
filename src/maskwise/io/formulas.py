"""Formulas of spreadsheets: their string literals are text, and the names of sheets, ranges and tables in them can be
changed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from maskwise.io.nodes import Spots, xml_text
from maskwise.io.package import Element

_LITERAL = re.compile(r'("(?:[^"]|"")*")')
_EXTERNAL = re.compile(r"\[\d+\][^\[\]!]*!")
ELEMENTS = ("f", "definedName", "formula", "formula1", "formula2", "calculatedColumnFormula", "totalsRowFormula")


def literals(spots: Spots, formula: Element) -> None:
    """Each literal of a formula is a spot; masked, it stands in its place again."""
    parts = _LITERAL.split(formula.text or "")
    for at in range(1, len(parts), 2):

        def put(new: str, at: int = at) -> None:
            parts[at] = '"' + xml_text(new).replace('"', '""') + '"'
            formula.text = "".join(parts)

        spots.add(parts[at][1:-1].replace('""', '"'), put)


def has_literal(formula: Element) -> bool:
    return '"' in (formula.text or "")


def is_external(formula: Element) -> bool:
    """Whether a formula looks into another file."""
    return bool(_EXTERNAL.search(formula.text or ""))


def renamed(text: str, sheets: Mapping[str, str], names: Mapping[str, str]) -> str:
    """A formula with sheets, ranges and tables under their new names; literals are left alone."""
    if not sheets and not names:
        return text
    parts = _LITERAL.split(text)
    parts[::2] = [_renamed(part, sheets, names) for part in parts[::2]]
    return "".join(parts)


def _renamed(text: str, sheets: Mapping[str, str], names: Mapping[str, str]) -> str:
    for old, new in sheets.items():
        quoted = re.escape(old.replace("'", "''"))
        text = re.sub(rf"'{quoted}'!|(?<![\w.']){re.escape(old)}!", lambda _, new=new: f"'{new}'!", text)  # type: ignore[misc]
    for old, new in names.items():
        text = re.sub(rf"(?<![\w.]){re.escape(old)}(?![\w.(!])", lambda _, new=new: new, text)  # type: ignore[misc]
    return text
