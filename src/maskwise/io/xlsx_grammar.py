"""What is kept of a spreadsheet, and under which names: ranges, tables, styles, authors, shapes and fonts."""

from __future__ import annotations

import re

from maskwise.io.docx_grammar import (
    DROPPED,
    TEXTS_OF_DRAWINGS,
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
_GUID = "{{00000000-0000-0000-0000-{:012d}}}"
_HEADING_FONT = re.compile(r'&"([^",]*)((?:,[^"]*)?)"')
_FACES = frozenset(",Regular ,Bold ,Italic ,Bold Italic ,Standard ,-".split()) | {
    ",Bold Italic",
    "",
}
HEADINGS = "oddHeader oddFooter evenHeader evenFooter firstHeader firstFooter".split()
_CLIENT = (
    "MoveWithCells SizeWithCells AutoFill Row Column Visible Locked LockText DefaultSize PrintObject Disabled "
    "TextHAlign TextVAlign AutoLine AutoScale AutoPict CF Checked Val Min Max Inc Page Horiz Dx NoThreeD NoThreeD2 "
    "FirstButton JustLastX DropLines DropStyle SelType Sel MultiLine VScroll UIObj ColHidden RowHidden ValidIds "
    "Colored SecretEdit"
)
READ = (
    *("@descr", "@title", "@alt", "@tooltip", "hyperlink@display", "textpath@string"),
    *(
        "@prompt",
        "@promptTitle",
        "@error",
        "@errorTitle",
        "tableColumn@totalsRowLabel",
        "table@comment",
        "cfRule@text",
    ),
    *(
        "definedName@comment",
        "definedName@description",
        "definedName@help",
        "definedName@statusBar",
    ),
)
_WHOLE = "ext@uri mergeCell@ref comment@ref hyperlink@ref dataValidation@sqref conditionalFormatting@sqref".split()
FONTED = (
    *("name@val", "rFont@val"),
    *("latin@typeface", "ea@typeface", "cs@typeface", "sym@typeface", "buFont@typeface"),
)


def clean_heading(text: str) -> str:
    """A header or footer without fonts that few have."""

    def font(found: re.Match[str]) -> str:
        known = (is_known_font(found[1]) or found[1] == "-") and found[2] in _FACES
        return found[0] if known else ""

    return _HEADING_FONT.sub(font, text)


def build_sheet_grammar(names: OoxmlNames) -> Grammar:
    guid: Fix = lambda value: names.rename("guid", value, _GUID)  # noqa: E731
    table: Fix = lambda value: names.rename("table", value.casefold(), "Table{}")  # noqa: E731
    table_style = names.build_renamer("table style", "Table style {}", _TABLE_STYLE)

    def cell_style(value: str) -> str:
        return value if is_usual_style(value) else names.rename("cell style", value, "Style {}")

    def range_name(value: str) -> str:
        return value if value in RANGES else names.rename("range", value.casefold(), "name{}")

    def threshold(value: str) -> str:
        return value if is_safe(value) or keep_ranges(value) else "0"

    attributes: dict[str, Fix] = {
        **build_drawing_fixes(names),
        **dict.fromkeys(READ, keep_value),
        **dict.fromkeys(("c@r", "f@r1", "f@r2", "@activeCell", "@topLeftCell"), keep_cell),
        **dict.fromkeys(("@ref", "@sqref"), keep_ranges),
        "row@spans": expect_pattern(r"\d{1,5}:\d{1,5}(?: \d{1,5}:\d{1,5})*"),
        "sheet@name": keep_value,
        "definedName@name": range_name,
        "hyperlink@location": keep_value,
        "sp@textlink": keep_value,
        "@macro": drop_value,
        "table@name": table,
        "table@displayName": table,
        "tableColumn@name": keep_value,
        "tableStyleInfo@name": table_style,
        "tableStyle@name": table_style,
        "@defaultTableStyle": table_style,
        "@defaultPivotStyle": table_style,
        "cellStyle@name": cell_style,
        "numFmt@formatCode": keep_format,
        "font/name@val": keep_value,
        "rFont@val": keep_value,
        "cfvo@val": threshold,
        "cfRule@id": guid,
        "ext@uri": _EXTENSIONS,
        "@password": drop_value,
        "@workbookPassword": drop_value,
        "font@face": keep_known_font,
    }
    texts: dict[str, Fix] = {
        **TEXTS_OF_DRAWINGS,
        **dict.fromkeys(("f", "definedName", "formula", "formula1", "formula2"), keep_value),
        **dict.fromkeys(("calculatedColumnFormula", "totalsRowFormula"), keep_value),
        **dict.fromkeys(HEADINGS, clean_heading),
        **dict.fromkeys(("col", "row", "colOff", "rowOff"), expect_pattern(r"-?\d{1,9}")),
        **dict.fromkeys(_CLIENT.split(), keep_safe),
        "Anchor": expect_pattern(r"\s*\d{1,5}(?:,\s*\d{1,5}){7}\s*"),
        "sqref": keep_ranges,
        "id": guid,
        "author": lambda value: names.rename("author", value, "Author {}"),
    }
    return Grammar(
        texts=texts,
        attributes=attributes,
        gone=DROPPED - {"extLst", "protection"} | {"rPh", "phoneticPr", "filterColumn"},
        whole=WHOLE.union(_WHOLE),
    )
