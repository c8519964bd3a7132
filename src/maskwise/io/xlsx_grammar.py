"""The parts of a spreadsheet that are kept, and their names: ranges, tables, styles, authors, shapes and fonts."""

from __future__ import annotations

import re

from maskwise.io.drawing_grammar import (
    DRAWING_TEXTS,
    DROPPED,
    GUID,
    TYPEFACES,
    WHOLE,
    build_drawing_fixes,
    keep_format,
    keep_known_font,
)
from maskwise.io.formula_names import RANGES
from maskwise.io.ooxml import (
    Fix,
    Grammar,
    OoxmlNames,
    drop_value,
    expect_pattern,
    expect_word,
    keep_safe,
    keep_value,
)
from maskwise.io.ooxml_values import is_known_font, is_safe, is_usual_style

_CELL = r"\$?[A-Z]{1,3}\$?\d{1,7}"
_RANGE = rf"(?:{_CELL}(?::{_CELL})?|\$?[A-Z]{{1,3}}:\$?[A-Z]{{1,3}}|\$?\d{{1,7}}:\$?\d{{1,7}})"
keep_cell = expect_pattern(_CELL)
keep_ranges = expect_pattern(rf"{_RANGE}(?: {_RANGE})*+")
_TABLE_STYLE = r"TableStyle(?:Light|Medium|Dark)\d{1,2}|PivotStyle(?:Light|Medium|Dark)\d{1,2}|SlicerStyle\w{4,6}\d"
_EXTENSIONS = expect_word(
    "{78C0D931-6437-407d-A8EE-F0AAD7539E65}",  # conditional formats
    "{B025F937-C7B1-47D3-B67F-A62EFF666E3E}",  # the new form of a data bar
    "{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}",  # validations by cells of other sheets
    "{05C60535-1F16-4fd2-B633-F4F36F0B64E0}",  # small charts in cells
)
_HEADING_FONT = re.compile(r'&"([^",]*)((?:,[^"]*)?)"')
_FACES = frozenset(("", ",Regular", ",Bold", ",Italic", ",Bold Italic", ",Standard", ",-"))
HEADINGS = "oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter".split()
_CLIENT = (
    "MoveWithCells SizeWithCells AutoFill Row Column Visible Locked LockText DefaultSize PrintObject Disabled "
    "TextHAlign TextVAlign AutoLine AutoScale AutoPict CF Checked Val Min Max Inc Page Horiz Dx NoThreeD NoThreeD2 "
    "FirstButton JustLastX DropLines DropStyle SelType Sel MultiLine VScroll UIObj ColHidden RowHidden ValidIds "
    "Colored SecretEdit"
)
READ = tuple(
    (
        "@descr @title @alt @tooltip hyperlink@display textpath@string @prompt @promptTitle @error @errorTitle "
        "tableColumn@totalsRowLabel table@comment cfRule@text definedName@comment definedName@description "
        "definedName@help definedName@statusBar"
    ).split()
)
_WHOLE = "ext@uri mergeCell@ref comment@ref hyperlink@ref dataValidation@sqref conditionalFormatting@sqref".split()
_CELLS = ("c@r", "f@r1", "f@r2", "@activeCell", "@topLeftCell")
_FORMULAS = (
    "f definedName formula formula1 formula2 calculatedColumnFormula totalsRowFormula".split()
)
_TABLE_STYLES = "tableStyleInfo@name tableStyle@name @defaultTableStyle @defaultPivotStyle".split()
FONTED = ("name@val", "rFont@val", *TYPEFACES)


def clean_heading(text: str) -> str:
    """A header or footer without fonts that few have."""

    def clean_font(found: re.Match[str]) -> str:
        font, face = found[1], found[2]
        is_known = is_known_font(font) or font == "-"
        return found[0] if is_known and face in _FACES else ""

    return _HEADING_FONT.sub(clean_font, text)


def build_sheet_grammar(names: OoxmlNames) -> Grammar:
    rename_guid = names.build_renamer("guid", GUID)
    attributes = build_drawing_fixes(names) | _build_name_fixes(names) | _build_value_fixes()
    return Grammar(
        texts=_build_texts(names) | {"id": rename_guid},
        attributes=attributes | {"cfRule@id": rename_guid},
        gone=DROPPED - {"extLst", "protection"} | {"rPh", "phoneticPr", "filterColumn"},
        whole=WHOLE.union(_WHOLE),
    )


def _build_name_fixes(names: OoxmlNames) -> dict[str, Fix]:
    """Attributes that hold names which people gave."""

    def rename_table(value: str) -> str:
        return names.rename("table", value.casefold(), "Table{}")

    def rename_cell_style(value: str) -> str:
        return value if is_usual_style(value) else names.rename("cell style", value, "Style {}")

    def rename_range(value: str) -> str:
        return value if value in RANGES else names.rename("range", value.casefold(), "name{}")

    rename_table_style = names.build_renamer("table style", "Table style {}", _TABLE_STYLE)
    return {
        "definedName@name": rename_range,
        "table@name": rename_table,
        "table@displayName": rename_table,
        "cellStyle@name": rename_cell_style,
        **dict.fromkeys(_TABLE_STYLES, rename_table_style),
    }


def _build_value_fixes() -> dict[str, Fix]:
    """Attributes that are read, or that hold places, formats and fonts."""
    read = ("sheet@name", "hyperlink@location", "sp@textlink", "tableColumn@name", "rFont@val")
    return {
        **dict.fromkeys((*READ, *read, "font/name@val"), keep_value),
        **dict.fromkeys(_CELLS, keep_cell),
        **dict.fromkeys(("@ref", "@sqref"), keep_ranges),
        **dict.fromkeys(("@macro", "@password", "@workbookPassword"), drop_value),
        "row@spans": expect_pattern(r"\d{1,5}:\d{1,5}(?: \d{1,5}:\d{1,5})*"),
        "numFmt@formatCode": keep_format,
        "cfvo@val": _keep_threshold,
        "ext@uri": _EXTENSIONS,
        "font@face": keep_known_font,
    }


def _keep_threshold(value: str) -> str:
    """Where a conditional format begins: a number or a range."""
    return value if is_safe(value) or keep_ranges(value) else "0"


def _build_texts(names: OoxmlNames) -> dict[str, Fix]:
    return {
        **DRAWING_TEXTS,
        **dict.fromkeys(_FORMULAS, keep_value),
        **dict.fromkeys(HEADINGS, clean_heading),
        **dict.fromkeys(("col", "row", "colOff", "rowOff"), expect_pattern(r"-?\d{1,9}")),
        **dict.fromkeys(_CLIENT.split(), keep_safe),
        "Anchor": expect_pattern(r"\s*\d{1,5}(?:,\s*\d{1,5}){7}\s*"),
        "sqref": keep_ranges,
        "author": names.build_renamer("author", "Author {}"),
    }
