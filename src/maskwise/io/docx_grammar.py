"""What is kept of a Word document, and under which names: styles, bookmarks, controls, shapes, diagrams and fonts."""

from __future__ import annotations

import re

from maskwise.io.ooxml import (
    PREFIXES,
    Fix,
    Grammar,
    OoxmlNames,
    always,
    among_words,
    expect,
    forget,
    keep,
    keep_safe,
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
_GALLERIES = among_words(
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
_ADDRESSES = among_words(*PREFIXES, "http://schemas.microsoft.com/office/word")
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
    return names.new("bookmark", value, (usual[1] if usual else "mark") + "{}")


def name_style(names: OoxmlNames, value: str) -> str:
    return value if is_usual_style(value) else names.new("style", value, "Style {}")


def fixes_of_drawings(names: OoxmlNames) -> dict[str, Fix]:
    """Attributes of DrawingML, VML and charts, which all office formats share."""
    guide = names.renaming("guide", "guide{}", _GUIDE)
    shape = names.renaming("shape", "_x0000_s9{:04d}", r"_x0000_[ist]\d{1,5}")
    point = names.renaming("point", "{}", r"\d{1,5}")
    node = names.renaming("node", "node{}")

    def model(value: str) -> str:
        pattern = _GUID if value.startswith("{") else "9{:05d}"
        return names.new("model", value, pattern)

    def formula(value: str) -> str:
        return " ".join(part if part in _GUIDED else guide(part) for part in value.split())

    def number(value: str) -> str | None:
        if NUMBERED.fullmatch(value):
            return value
        return names.new("id", value, "1{:05d}") if re.fullmatch(r"-?\d+", value) else None

    fixes: dict[str, Fix] = {
        "@id": number,
        "docPr@name": lambda value: names.new("object", value, "Object {}"),
        "cNvPr@name": lambda value: names.new("object", value, "Object {}"),
        **dict.fromkeys(("@descr", "@title", "@alt", "@tooltip", "textpath@string"), keep),
        "graphicData@uri": _ADDRESSES,
        "gd@name": guide,
        "gd@fmla": formula,
        **dict.fromkeys((*_POINTS, *_BOX), guide),
        "ahXY@gdRefX": guide,
        "ahXY@gdRefY": guide,
        **dict.fromkeys(
            ("theme@name", "clrScheme@name", "fontScheme@name", "fmtScheme@name"), always("Office")
        ),
        **dict.fromkeys(
            ("latin@typeface", "ea@typeface", "cs@typeface", "sym@typeface", "buFont@typeface"),
            keep,
        ),
        "font@typeface": keep_known_font,
        "font@script": expect("[A-Z][a-z]{3}"),
        "buChar@char": expect(r"[^\w\s]|o|§|[\uf000-\uf0ff]"),
        "fld@id": lambda value: names.new("field", value, _GUID),
        "fld@type": expect(
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
        "shape@path": expect(_DRAWN),
        "shapetype@path": expect(_DRAWN),
        "path@v": expect(_DRAWN),
        "f@eqn": expect(_EQUATION),
        "path@textboxrect": expect(r"[-@#\d,;]{1,80}"),
        "path@connectlocs": expect(r"[-@#\d,;]{1,200}"),
        "path@connectangles": expect(r"[-@#\d,;]{1,80}"),
        "idmap@data": expect(r"\d{1,4}(?:,\d{1,4})*"),
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
            lambda value: names.new("layout", value, "urn:layout{}"),
        ),
        "@phldrT": forget,
        "pt@idx": point,
        "begChr@val": expect(".?"),
        "endChr@val": expect(".?"),
        "sepChr@val": expect(".?"),
        "chr@val": expect(".{0,2}"),
    }
    return fixes


def fixes_of_word(names: OoxmlNames) -> dict[str, Fix]:
    def style_id(value: str) -> str:
        return value if is_usual_style(value) else names.new("style id", value, "Style{}")

    bookmark: Fix = lambda value: name_bookmark(names, value)  # noqa: E731
    style: Fix = lambda value: name_style(names, value)  # noqa: E731
    mark_id = names.renaming("paragraph", "{:08X}")
    return {
        **fixes_of_drawings(names),
        **{f"{each}@val": style_id for each in _STYLED},
        "style@styleId": style_id,
        "style/name@val": style,
        "lsdException@name": lambda value: value if is_usual_style(value) else None,
        "bookmarkStart@name": bookmark,
        "hyperlink@anchor": bookmark,
        "ffData/name@val": bookmark,
        "@author": lambda value: names.new("author", value, "Author {}"),
        "sdtPr/id@val": lambda value: names.new("control", value, "1{:05d}"),
        "@paraId": mark_id,
        "@paraIdParent": mark_id,
        "@textId": mark_id,
        "div@id": names.renaming("division", "1{:05d}"),
        "divId@val": names.renaming("division", "1{:05d}"),
        "listItem@value": lambda value: names.new("choice", value),
        **dict.fromkeys(
            "listItem@displayText alias@val tblCaption@val tblDescription@val helpText@val statusText@val".split(),
            keep,
        ),
        **dict.fromkeys(
            ("textInput/default@val", "listEntry@val", "lvlText@val", "fldSimple@instr"), keep
        ),
        "textInput/format@val": keep_picture,
        "numFmt@format": keep_picture,
        "dateFormat@val": keep_picture,
        "docPartGallery@val": _GALLERIES,
        "compatSetting@uri": _ADDRESSES,
        "decimalSymbol@val": expect("[.,]"),
        "listSeparator@val": expect("[.,;:|]"),
        **{f"rFonts@{key}": keep for key in "ascii hAnsi eastAsia cs".split()},
        "font@name": keep,
        "altName@val": keep,
        "mathFont@val": keep,
        "sym@font": keep,
        "checkedState@font": keep,
        "uncheckedState@font": keep,
        "sym@char": expect("[0-9A-Fa-f]{4}"),
        **{
            f"{each}@{key}": keep_language
            for each in ("lang", "themeFontLang")
            for key in ("val", "eastAsia", "bidi")
        },
        "lid@val": keep_language,
        "latentStyles@count": expect(r"\d{1,4}"),
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
    "t": keep,
    "v": keep,
    "name": keep,
    "posOffset": expect(r"-?\d{1,9}"),
    "align": among_words("left", "right", "center", "inside", "outside", "top", "bottom"),
    "pctWidth": expect(r"-?\d{1,9}"),
    "pctHeight": expect(r"-?\d{1,9}"),
    "formatCode": keep_format,
    "separator": expect(r"[\s,;.:|/-]{1,3}"),
}
DROPPED = frozenset(
    "extLst protection printSettings externalData pivotSource userInterface".split()
)
WHOLE = frozenset(
    "gd@name lsdException@name compatSetting@name compatSetting@uri font@typeface graphicData@uri "
    "Choice@Requires".split()
)


def _neutral_range(value: str) -> str:
    """A range of the workbook behind a chart, which is not in the output: any range will do."""
    return (
        value
        if re.fullmatch(r"Sheet\d{1,2}!\$[A-Z]{1,2}\$\d{1,4}(?::\$[A-Z]{1,2}\$\d{1,4})?", value)
        else "Sheet1!$A$1"
    )


def word_grammar(names: OoxmlNames) -> Grammar:
    return Grammar(
        texts={**TEXTS_OF_DRAWINGS, "instrText": keep, "f": _neutral_range},
        attributes=fixes_of_word(names),
        gone=DROPPED | {"abstractNum/name"},
        opened=frozenset("ins moveTo smartTag customXml conflictIns".split()),
        whole=WHOLE,
    )
