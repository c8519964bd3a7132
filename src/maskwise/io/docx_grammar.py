"""The parts of a Word document that are kept, and their names: styles, bookmarks, controls, divisions and fonts."""

from __future__ import annotations

import re

from maskwise.io.drawing_grammar import (
    DRAWING_TEXTS,
    DROPPED,
    TYPEFACES,
    WHOLE,
    build_drawing_fixes,
    keep_address,
    keep_language,
)
from maskwise.io.ooxml import Fix, Grammar, OoxmlNames, expect_pattern, expect_word, keep_value
from maskwise.io.ooxml_values import is_date_picture, is_number_picture, is_safe, is_usual_style

_STYLED = "pStyle rStyle tblStyle basedOn next link numStyleLink styleLink clickAndTypeStyle defaultTableStyle".split()
_MARK = re.compile(r"(_Toc|_Ref|_Hlk|_GoBack).*", re.DOTALL)
_RANGE = re.compile(r"Sheet\d{1,2}!\$[A-Z]{1,2}\$\d{1,4}(?::\$[A-Z]{1,2}\$\d{1,4})?")
# Collections of ready-made parts, by the names that Word gives them.
_GALLERIES = (
    "Table of Contents,Cover Pages,Watermarks,Bibliographies,Headers,Footers,Equations,Tables,Text Boxes,"
    "Page Numbers (Bottom of Page),Page Numbers (Top of Page),Page Numbers (Margins),Page Numbers,Quick Parts,"
    "AutoText,Citation"
).split(",")
_READ = (
    "listItem@displayText alias@val tblCaption@val tblDescription@val helpText@val statusText@val "
    "textInput/default@val listEntry@val lvlText@val fldSimple@instr"
).split()
_FONTS = (
    "rFonts@ascii rFonts@hAnsi rFonts@eastAsia rFonts@cs font@name altName@val mathFont@val sym@font "
    "checkedState@font uncheckedState@font"
).split()
_LANGUAGES = (
    "lang@val lang@eastAsia lang@bidi themeFontLang@val themeFontLang@eastAsia themeFontLang@bidi lid@val"
).split()
FONTED = (*_FONTS, *TYPEFACES)


def keep_picture(value: str) -> str | None:
    """A picture of a date or a number, such as `d MMMM yyyy` or `#,##0.00`."""
    is_picture = is_date_picture(value) or is_number_picture(value)
    return value if is_picture or is_safe(value) else None


def name_bookmark(names: OoxmlNames, value: str) -> str:
    """A bookmark under a new name; the beginning by which programs know their own stays."""
    usual = _MARK.fullmatch(value)
    stem = usual[1] if usual else "mark"
    return names.rename("bookmark", value, stem + "{}")


def name_style(names: OoxmlNames, value: str) -> str:
    return value if is_usual_style(value) else names.rename("style", value, "Style {}")


def build_word_grammar(names: OoxmlNames) -> Grammar:
    return Grammar(
        texts={**DRAWING_TEXTS, "instrText": keep_value, "f": _neutralise_range},
        attributes=build_drawing_fixes(names) | _build_name_fixes(names) | _build_value_fixes(),
        gone=DROPPED | {"abstractNum/name"},
        opened=frozenset("ins moveTo smartTag customXml conflictIns".split()),
        whole=WHOLE,
    )


def _build_name_fixes(names: OoxmlNames) -> dict[str, Fix]:
    """Attributes that hold names which people gave, or numbers that programs gave."""

    def rename_style_id(value: str) -> str:
        return value if is_usual_style(value) else names.rename("style id", value, "Style{}")

    def rename_style(value: str) -> str:
        return name_style(names, value)

    def rename_bookmark(value: str) -> str:
        return name_bookmark(names, value)

    rename_paragraph = names.build_renamer("paragraph", "{:08X}")
    rename_division = names.build_renamer("division", "1{:05d}")
    return {
        **{f"{element}@val": rename_style_id for element in _STYLED},
        "style@styleId": rename_style_id,
        "style/name@val": rename_style,
        "lsdException@name": lambda value: value if is_usual_style(value) else None,
        "bookmarkStart@name": rename_bookmark,
        "hyperlink@anchor": rename_bookmark,
        "ffData/name@val": rename_bookmark,
        "@author": names.build_renamer("author", "Author {}"),
        "sdtPr/id@val": names.build_renamer("control", "1{:05d}"),
        "listItem@value": names.build_renamer("choice", "{}"),
        **dict.fromkeys(("@paraId", "@paraIdParent", "@textId"), rename_paragraph),
        **dict.fromkeys(("div@id", "divId@val"), rename_division),
    }


def _build_value_fixes() -> dict[str, Fix]:
    """Attributes that are read, or that hold words, pictures and languages of the format."""
    pictures = ("textInput/format@val", "numFmt@format", "dateFormat@val")
    return {
        **dict.fromkeys((*_READ, *_FONTS), keep_value),
        **dict.fromkeys(pictures, keep_picture),
        **dict.fromkeys(_LANGUAGES, keep_language),
        "docPartGallery@val": expect_word(*_GALLERIES),
        "compatSetting@uri": keep_address,
        "decimalSymbol@val": expect_pattern("[.,]"),
        "listSeparator@val": expect_pattern("[.,;:|]"),
        "sym@char": expect_pattern("[0-9A-Fa-f]{4}"),
        "latentStyles@count": expect_pattern(r"\d{1,4}"),
    }


def _neutralise_range(value: str) -> str:
    """A range of the workbook behind a chart, which is not in the output: any range will do."""
    return value if _RANGE.fullmatch(value) else "Sheet1!$A$1"
