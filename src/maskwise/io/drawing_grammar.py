"""The parts of drawings, charts and diagrams that are kept in all office formats, and their names."""

from __future__ import annotations

import re

from maskwise.io.ooxml import (
    PREFIXES,
    Fix,
    OoxmlNames,
    drop_value,
    expect_pattern,
    expect_word,
    keep_safe,
    keep_value,
    write_always,
)
from maskwise.io.ooxml_values import clean_css, is_known_font, is_language, read_format_words

# Names and figures that the geometry of a shape may use.
_GUIDE = r"[-+]?\d{1,9}|adj\d{0,2}|[lrtbwh]|[hv]c|[hv]f|[sl]s|[whs]d\d{1,2}|ss\d{1,2}|[357]?cd[248]"
_OPERATIONS = frozenset(
    "*/ +- +/ ?: abs at2 cat2 cos max min mod pin sat2 sin sqrt tan val".split()
)
_GUIDED = (
    "gd@name ahXY@gdRefX ahXY@gdRefY pt@x pt@y pos@x pos@y arcTo@wR arcTo@hR arcTo@stAng arcTo@swAng "
    "rect@l rect@t rect@r rect@b"
).split()
_EQUATION = (
    r"(?:val|sum|prod|product|mid|abs|min|max|if|mod|atan2|sin|cos|cosatan2|sinatan2|sqrt|sumangle|ellipse|tan)"
    r"(?: (?:[-@#]?\d{1,6}|width|height|xcenter|ycenter|xlimo|ylimo|linedrawn|pixellinewidth|pixelwidth|pixelheight"
    r"|emuwidth|emuheight|emuwidth2|emuheight2)){0,3}"
)
_DRAWN = r"(?:nf|ns|a[elrt]|w[ar]|q[bxy]|h[a-i]|[mlcxetrv]|[-@#]{0,2}\d{1,6}|[, ])*+"
_OLD_SHAPES = "shape shapetype group rect oval line polyline arc curve roundrect image background"
_MODELS = "modelId srcId destId parTransId sibTransId presId presAssocID cxnId relId"
_NODES = (
    "@presName @forName @refForName @moveWith @presStyleLbl @styleLbl layoutNode@name forEach@name forEach@ref "
    "if@name else@name choose@name presOf@ref styleLbl@name"
).split()
_LAYOUTS = "@uniqueId @loTypeId @qsTypeId @csTypeId".split()
_NUMBERED = re.compile(r"-?\d{1,5}")
GUID = "{{00000000-0000-0000-0000-{:012d}}}"
keep_address = expect_word(*PREFIXES, "http://schemas.microsoft.com/office/word")


def keep_language(value: str) -> str | None:
    return value if is_language(value) else None


def keep_format(value: str) -> str:
    """A number format without words of its own, or with words that the reader reads."""
    return value if read_format_words(value) is not None else "General"


def keep_known_font(value: str) -> str | None:
    return value if is_known_font(value) else None


TYPEFACES = ("latin@typeface", "ea@typeface", "cs@typeface", "sym@typeface", "buFont@typeface")
DRAWING_TEXTS: dict[str, Fix] = {
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


def build_drawing_fixes(names: OoxmlNames) -> dict[str, Fix]:
    """Attributes of DrawingML, VML, charts and diagrams."""
    return {
        **_build_shape_fixes(names),
        **_build_text_fixes(names),
        **_build_old_shape_fixes(names),
        **_build_diagram_fixes(names),
    }


def _build_shape_fixes(names: OoxmlNames) -> dict[str, Fix]:
    rename_guide = names.build_renamer("guide", "guide{}", _GUIDE)

    def rename_object(value: str) -> str:
        return names.rename("object", value, "Object {}")

    def rename_in_formula(value: str) -> str:
        words = value.split()
        return " ".join(word if word in _OPERATIONS else rename_guide(word) for word in words)

    def renumber(value: str) -> str | None:
        if _NUMBERED.fullmatch(value):
            return value
        return names.rename("id", value, "1{:05d}") if re.fullmatch(r"-?\d+", value) else None

    schemes = ("theme@name", "clrScheme@name", "fontScheme@name", "fmtScheme@name")
    return {
        "@id": renumber,
        "docPr@name": rename_object,
        "cNvPr@name": rename_object,
        "graphicData@uri": keep_address,
        "gd@fmla": rename_in_formula,
        **dict.fromkeys(_GUIDED, rename_guide),
        **dict.fromkeys(schemes, write_always("Office")),
    }


def _build_text_fixes(names: OoxmlNames) -> dict[str, Fix]:
    """Texts beside drawings, their fonts and languages, and fields in them."""
    fields = (
        r"slidenum|datetime\d{0,2}|CELLRANGE|VALUE|CATEGORYNAME|SERIESNAME|[XY]VALUE|PERCENTAGE"
    )
    read = ("@descr", "@title", "@alt", "@tooltip", "textpath@string")
    return {
        **dict.fromkeys(read, keep_value),
        **dict.fromkeys(TYPEFACES, keep_value),
        **dict.fromkeys(("@lang", "@altLang", "lang@val"), keep_language),
        "font@typeface": keep_known_font,
        "font@script": expect_pattern("[A-Z][a-z]{3}"),
        "buChar@char": expect_pattern(r"[^\w\s]|o|§|[\uf000-\uf0ff]"),
        "fld@id": lambda value: names.rename("field", value, GUID),
        "fld@type": expect_pattern(fields),
        "numFmt@formatCode": keep_format,
        "pt@idx": names.build_renamer("point", "{}", r"\d{1,5}"),
        **dict.fromkeys(("begChr@val", "endChr@val", "sepChr@val"), expect_pattern(".?")),
        "chr@val": expect_pattern(".{0,2}"),
    }


def _build_old_shape_fixes(names: OoxmlNames) -> dict[str, Fix]:
    """Attributes of VML, the drawings of old programs."""
    rename_shape = names.build_renamer("shape", "_x0000_s9{:04d}", r"_x0000_[ist]\d{1,5}")
    keep_drawn = expect_pattern(_DRAWN)
    return {
        **{f"{shape}@id": rename_shape for shape in _OLD_SHAPES.split()},
        "@spid": rename_shape,
        "shape@type": lambda value: "#" + rename_shape(value.removeprefix("#")),
        "@style": lambda value: clean_css(value) if ":" in value else keep_safe(value),
        **dict.fromkeys(("shape@path", "shapetype@path", "path@v"), keep_drawn),
        "f@eqn": expect_pattern(_EQUATION),
        "path@textboxrect": expect_pattern(r"[-@#\d,;]{1,80}"),
        "path@connectlocs": expect_pattern(r"[-@#\d,;]{1,200}"),
        "path@connectangles": expect_pattern(r"[-@#\d,;]{1,80}"),
        "idmap@data": expect_pattern(r"\d{1,4}(?:,\d{1,4})*"),
    }


def _build_diagram_fixes(names: OoxmlNames) -> dict[str, Fix]:
    rename_node = names.build_renamer("node", "node{}")
    rename_layout = names.build_renamer("layout", "urn:layout{}")

    def rename_model(value: str) -> str:
        form = GUID if value.startswith("{") else "9{:05d}"
        return names.rename("model", value, form)

    return {
        **{f"@{key}": rename_model for key in _MODELS.split()},
        **dict.fromkeys(_NODES, rename_node),
        **dict.fromkeys(_LAYOUTS, rename_layout),
        "@phldrT": drop_value,
    }
