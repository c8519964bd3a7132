"""What is kept of a Word document, and under which names: styles, bookmarks, controls, shapes, diagrams and fonts."""

from __future__ import annotations

import re

from maskwise.io.ooxml import (
    PREFIXES,
    Fix,
    Grammar,
    OoxmlNames,
    drop_value,
    expect_pattern,
    expect_word,
    keep_safe,
    keep_value,
    write_always,
)
from maskwise.io.ooxml_values import (
    clean_css,
    format_literal,
    is_date_picture,
    is_known_font,
    is_language,
    is_number_picture,
    is_safe,
    is_usual_style,
)

_STYLED = "pStyle rStyle tblStyle basedOn next link numStyleLink styleLink clickAndTypeStyle defaultTableStyle".split()
_MARK = re.compile(r"(_Toc|_Ref|_Hlk|_GoBack).*", re.DOTALL)
_GUIDE = r"[-+]?\d{1,9}|adj\d{0,2}|[lrtbwh]|[hv]c|[hv]f|[sl]s|[whs]d\d{1,2}|ss\d{1,2}|[357]?cd[248]"
_GUIDED = frozenset("*/ +- +/ ?: abs at2 cat2 cos max min mod pin sat2 sin sqrt tan val".split())
_POINTS = (
    "pt@x",
    "pt@y",
    "pos@x",
    "pos@y",
    *(f"arcTo@{key}" for key in "wR hR stAng swAng".split()),
)
_BOX = tuple(f"rect@{side}" for side in "ltrb")
_EQUATION = (
    r"(?:val|sum|prod|product|mid|abs|min|max|if|mod|atan2|sin|cos|cosatan2|sinatan2|sqrt|sumangle|ellipse|tan)"
    r"(?: (?:[-@#]?\d{1,6}|width|height|xcenter|ycenter|xlimo|ylimo|linedrawn|pixellinewidth|pixelwidth|pixelheight"
    r"|emuwidth|emuheight|emuwidth2|emuheight2)){0,3}"
)
_DRAWN = r"(?:nf|ns|a[elrt]|w[ar]|q[bxy]|h[a-i]|[mlcxetrv]|[-@#]{0,2}\d{1,6}|[, ])*+"
_GALLERIES = expect_word(
    *(
        "Table of Contents",
        "Cover Pages",
        "Watermarks",
        "Bibliographies",
        "Headers",
        "Footers",
        "Equations",
        "Tables",
    ),
    *(
        "Text Boxes",
        "Page Numbers (Bottom of Page)",
        "Page Numbers (Top of Page)",
        "Page Numbers (Margins)",
    ),
    *("Page Numbers", "Quick Parts", "AutoText", "Citation"),
)
_ADDRESSES = expect_word(*PREFIXES, "http://schemas.microsoft.com/office/word")
_GUID = "{{00000000-0000-0000-0000-{:012d}}}"
NUMBERED = re.compile(r"-?\d{1,5}")


def keep_language(value: str) -> str | None:
    return value if is_language(value) else None


def keep_picture(value: str) -> str | None:
    return value if is_date_picture(value) or is_number_picture(value) or is_safe(value) else None


def keep_format(value: str) -> str:
    """A number format without words of its own, or with words that the reader reads."""
    return value if format_literal(value) is not None else "General"


def keep_known_font(value: str) -> str | None:
    return value if is_known_font(value) else None


def name_bookmark(names: OoxmlNames, value: str) -> str:
    """A bookmark under a new name; the beginning by which programs know their own stays."""
    usual = _MARK.fullmatch(value)
    return names.rename("bookmark", value, (usual[1] if usual else "mark") + "{}")


def name_style(names: OoxmlNames, value: str) -> str:
    return value if is_usual_style(value) else names.rename("style", value, "Style {}")


def build_drawing_fixes(names: OoxmlNames) -> dict[str, Fix]:
    """Attributes of DrawingML, VML and charts, which all office formats share."""
    guide = names.build_renamer("guide", "guide{}", _GUIDE)
    shape = names.build_renamer("shape", "_x0000_s9{:04d}", r"_x0000_[ist]\d{1,5}")
    point = names.build_renamer("point", "{}", r"\d{1,5}")
    node = names.build_renamer("node", "node{}")

    def model(value: str) -> str:
        pattern = _GUID if value.startswith("{") else "9{:05d}"
        return names.rename("model", value, pattern)

    def formula(value: str) -> str:
        return " ".join(part if part in _GUIDED else guide(part) for part in value.split())

    def number(value: str) -> str | None:
        if NUMBERED.fullmatch(value):
            return value
        return names.rename("id", value, "1{:05d}") if re.fullmatch(r"-?\d+", value) else None

    fixes: dict[str, Fix] = {
        "@id": number,
        "docPr@name": lambda value: names.rename("object", value, "Object {}"),
        "cNvPr@name": lambda value: names.rename("object", value, "Object {}"),
        **dict.fromkeys(("@descr", "@title", "@alt", "@tooltip", "textpath@string"), keep_value),
        "graphicData@uri": _ADDRESSES,
        "gd@name": guide,
        "gd@fmla": formula,
        **dict.fromkeys((*_POINTS, *_BOX), guide),
        "ahXY@gdRefX": guide,
        "ahXY@gdRefY": guide,
        **dict.fromkeys(
            ("theme@name", "clrScheme@name", "fontScheme@name", "fmtScheme@name"),
            write_always("Office"),
        ),
        **dict.fromkeys(
            ("latin@typeface", "ea@typeface", "cs@typeface", "sym@typeface", "buFont@typeface"),
            keep_value,
        ),
        "font@typeface": keep_known_font,
        "font@script": expect_pattern("[A-Z][a-z]{3}"),
        "buChar@char": expect_pattern(r"[^\w\s]|o|§|[\uf000-\uf0ff]"),
        "fld@id": lambda value: names.rename("field", value, _GUID),
        "fld@type": expect_pattern(
            r"slidenum|datetime\d{0,2}|CELLRANGE|VALUE|CATEGORYNAME|SERIESNAME|[XY]VALUE|PERCENTAGE"
        ),
        "@lang": keep_language,
        "@altLang": keep_language,
        "lang@val": keep_language,
        "numFmt@formatCode": keep_format,
        # Old drawings.
        **{
            f"{each}@id": shape
            for each in "shape shapetype group rect oval line polyline arc curve roundrect".split()
        },
        "image@id": shape,
        "background@id": shape,
        "@spid": shape,
        "shape@type": lambda value: "#" + shape(value.removeprefix("#")),
        "@style": lambda value: clean_css(value) if ":" in value else keep_safe(value),
        "shape@path": expect_pattern(_DRAWN),
        "shapetype@path": expect_pattern(_DRAWN),
        "path@v": expect_pattern(_DRAWN),
        "f@eqn": expect_pattern(_EQUATION),
        "path@textboxrect": expect_pattern(r"[-@#\d,;]{1,80}"),
        "path@connectlocs": expect_pattern(r"[-@#\d,;]{1,200}"),
        "path@connectangles": expect_pattern(r"[-@#\d,;]{1,80}"),
        "idmap@data": expect_pattern(r"\d{1,4}(?:,\d{1,4})*"),
        # Diagrams.
        **dict.fromkeys(
            [
                f"@{key}"
                for key in "modelId srcId destId parTransId sibTransId presId presAssocID cxnId relId".split()
            ],
            model,
        ),
        **dict.fromkeys(
            [
                f"@{key}"
                for key in "presName forName refForName moveWith presStyleLbl styleLbl".split()
            ],
            node,
        ),
        **dict.fromkeys(
            [
                "layoutNode@name",
                "forEach@name",
                "forEach@ref",
                "if@name",
                "else@name",
                "choose@name",
            ],
            node,
        ),
        "presOf@ref": node,
        "styleLbl@name": node,
        **dict.fromkeys(
            [f"@{key}" for key in "uniqueId loTypeId qsTypeId csTypeId".split()],
            lambda value: names.rename("layout", value, "urn:layout{}"),
        ),
        "@phldrT": drop_value,
        "pt@idx": point,
        "begChr@val": expect_pattern(".?"),
        "endChr@val": expect_pattern(".?"),
        "sepChr@val": expect_pattern(".?"),
        "chr@val": expect_pattern(".{0,2}"),
    }
    return fixes


def build_word_fixes(names: OoxmlNames) -> dict[str, Fix]:
    def style_id(value: str) -> str:
        return value if is_usual_style(value) else names.rename("style id", value, "Style{}")

    bookmark: Fix = lambda value: name_bookmark(names, value)  # noqa: E731
    style: Fix = lambda value: name_style(names, value)  # noqa: E731
    mark_id = names.build_renamer("paragraph", "{:08X}")
    return {
        **build_drawing_fixes(names),
        **{f"{each}@val": style_id for each in _STYLED},
        "style@styleId": style_id,
        "style/name@val": style,
        "lsdException@name": lambda value: value if is_usual_style(value) else None,
        "bookmarkStart@name": bookmark,
        "hyperlink@anchor": bookmark,
        "ffData/name@val": bookmark,
        "@author": lambda value: names.rename("author", value, "Author {}"),
        "sdtPr/id@val": lambda value: names.rename("control", value, "1{:05d}"),
        "@paraId": mark_id,
        "@paraIdParent": mark_id,
        "@textId": mark_id,
        "div@id": names.build_renamer("division", "1{:05d}"),
        "divId@val": names.build_renamer("division", "1{:05d}"),
        "listItem@value": lambda value: names.rename("choice", value),
        **dict.fromkeys(
            "listItem@displayText alias@val tblCaption@val tblDescription@val helpText@val statusText@val".split(),
            keep_value,
        ),
        **dict.fromkeys(
            ("textInput/default@val", "listEntry@val", "lvlText@val", "fldSimple@instr"), keep_value
        ),
        "textInput/format@val": keep_picture,
        "numFmt@format": keep_picture,
        "dateFormat@val": keep_picture,
        "docPartGallery@val": _GALLERIES,
        "compatSetting@uri": _ADDRESSES,
        "decimalSymbol@val": expect_pattern("[.,]"),
        "listSeparator@val": expect_pattern("[.,;:|]"),
        **{f"rFonts@{key}": keep_value for key in "ascii hAnsi eastAsia cs".split()},
        "font@name": keep_value,
        "altName@val": keep_value,
        "mathFont@val": keep_value,
        "sym@font": keep_value,
        "checkedState@font": keep_value,
        "uncheckedState@font": keep_value,
        "sym@char": expect_pattern("[0-9A-Fa-f]{4}"),
        **{
            f"{each}@{key}": keep_language
            for each in ("lang", "themeFontLang")
            for key in ("val", "eastAsia", "bidi")
        },
        "lid@val": keep_language,
        "latentStyles@count": expect_pattern(r"\d{1,4}"),
    }


FONTED = (
    *(f"rFonts@{key}" for key in "ascii hAnsi eastAsia cs".split()),
    *(
        "font@name",
        "altName@val",
        "mathFont@val",
        "sym@font",
        "checkedState@font",
        "uncheckedState@font",
    ),
    *("latin@typeface", "ea@typeface", "cs@typeface", "sym@typeface", "buFont@typeface"),
)

TEXTS_OF_DRAWINGS: dict[str, Fix] = {
    "t": keep_value,
    "v": keep_value,
    "name": keep_value,
    "posOffset": expect_pattern(r"-?\d{1,9}"),
    "align": expect_word("left", "right", "center", "inside", "outside", "top", "bottom"),
    "pctWidth": expect_pattern(r"-?\d{1,9}"),
    "pctHeight": expect_pattern(r"-?\d{1,9}"),
    "formatCode": keep_format,
    "separator": expect_pattern(r"[\s,;.:|/-]{1,3}"),
}
DROPPED = frozenset(
    "extLst protection printSettings externalData pivotSource userInterface".split()
)
WHOLE = frozenset(
    "gd@name lsdException@name compatSetting@name compatSetting@uri font@typeface graphicData@uri "
    "Choice@Requires".split()
)


def _neutralise_range(value: str) -> str:
    """A range of the workbook behind a chart, which is not in the output: any range will do."""
    return (
        value
        if re.fullmatch(r"Sheet\d{1,2}!\$[A-Z]{1,2}\$\d{1,4}(?::\$[A-Z]{1,2}\$\d{1,4})?", value)
        else "Sheet1!$A$1"
    )


def build_word_grammar(names: OoxmlNames) -> Grammar:
    return Grammar(
        texts={**TEXTS_OF_DRAWINGS, "instrText": keep_value, "f": _neutralise_range},
        attributes=build_word_fixes(names),
        gone=DROPPED | {"abstractNum/name"},
        opened=frozenset("ins moveTo smartTag customXml conflictIns".split()),
        whole=WHOLE,
    )
