# ruff: noqa: E501 - XML reads better in whole elements
"""Places of spreadsheets that can hide text."""

from __future__ import annotations

import struct
from collections.abc import Callable
from urllib.parse import quote

from . import Place
from .docx import (
    MS,
    OFFICE,
    PACKAGE,
    SPACES,
    THEME,
    Parts,
    R,
    chart,
    content_types,
    core,
    glue,
    png,
    relations,
    split,
    zipped,
)

S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
BOOK = f"{OFFICE}.spreadsheetml"
X14 = f"{MS}/spreadsheetml/2009/9/main"
XM = f"{MS}/excel/2006/main"
ROOT = f'xmlns="{S}" xmlns:r="{R}" xmlns:mc="{SPACES["mc"]}" xmlns:x14="{X14}" xmlns:xm="{XM}"'
XDR = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
STYLES = (
    "<fonts count='1'><font><sz val='11'/><name val='{font}'/></font></fonts><fills count='2'><fill><patternFill patternType='none'/></fill>"
    "<fill><patternFill patternType='gray125'/></fill></fills><borders count='1'><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
    "<cellStyleXfs count='1'><xf numFmtId='0' fontId='0' fillId='0' borderId='0'/></cellStyleXfs><cellXfs count='2'><xf numFmtId='0' fontId='0' "
    "fillId='0' borderId='0' xfId='0'/><xf numFmtId='{format}' fontId='0' fillId='0' borderId='0' xfId='0' applyNumberFormat='1'/></cellXfs>"
    "<cellStyles count='1'><cellStyle name='{style}' xfId='0' builtinId='0'/></cellStyles>{dxfs}"
)


def text(at: str, value: str) -> str:
    return f'<c r="{at}" t="inlineStr"><is><t xml:space="preserve">{value}</t></is></c>'


def number(at: str, value: str, style: int = 0) -> str:
    return f'<c r="{at}" s="{style}"><v>{value}</v></c>'


def formula(at: str, code: str, value: str = "1", kind: str = "str") -> str:
    return f'<c r="{at}" t="{kind}"><f>{code}</f><v>{value}</v></c>'


def row(at: int, *cells: str, more: str = "") -> str:
    return f'<row r="{at}"{more}>{"".join(cells)}</row>'


def book(
    body: str,
    rows: str = "",
    *,
    after: str = "",
    before: str = "",
    main: str = "",
    sheets: str = "",
    names: str = "",
    sheet: str = "Roofs",
    numbers: str = "",
    font: str = "Calibri",
    style: str = "Normal",
    number_format: str = "0",
    dxfs: str = "",
    styles: str = "",
    theme: str = "",
    rels: tuple[tuple[str, str, str], ...] = (),
    sheet_rels: tuple[tuple[str, str, str], ...] = (),
    root_rels: tuple[tuple[str, str, str], ...] = (),
    parts: Parts | None = None,
    kinds: dict[str, str] | None = None,
    strings: str = "",
    comment: bytes = b"",
    extra: bytes = b"",
) -> bytes:
    """A workbook whose first cell shows `body`."""
    overrides = {
        "xl/workbook.xml": f"{BOOK}.sheet.main+xml",
        "xl/worksheets/sheet1.xml": f"{BOOK}.worksheet+xml",
        "xl/styles.xml": f"{BOOK}.styles+xml",
        "xl/sharedStrings.xml": f"{BOOK}.sharedStrings+xml",
        "xl/theme/theme1.xml": f"{OFFICE}.theme+xml",
    }
    every: Parts = {
        "[Content_Types].xml": content_types({**overrides, **(kinds or {})}),
        "_rels/.rels": relations(("rId1", "officeDocument", "xl/workbook.xml"), *root_rels),
        "xl/workbook.xml": f'<workbook {ROOT}><sheets><sheet name="{sheet}" sheetId="1" r:id="rId1"/>{sheets}</sheets>'
        f"{f'<definedNames>{names}</definedNames>' if names else ''}{main}</workbook>",
        "xl/_rels/workbook.xml.rels": relations(
            *(("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "styles", "styles.xml")),
            *(
                ("rId3", "sharedStrings", "sharedStrings.xml"),
                ("rId4", "theme", "theme/theme1.xml"),
                *rels,
            ),
        ),
        "xl/worksheets/sheet1.xml": f"<worksheet {ROOT}>{before}<sheetData>{row(1, text('A1', body))}{rows}</sheetData>{after}</worksheet>",
        "xl/styles.xml": f"<styleSheet {ROOT}>{numbers and f'<numFmts>{numbers}</numFmts>'}"
        f"{STYLES.format(font=font, format=number_format, style=style, dxfs=dxfs)}{styles}</styleSheet>",
        "xl/sharedStrings.xml": f"<sst {ROOT}>{strings}</sst>",
        "xl/theme/theme1.xml": theme or THEME.format("Office", "Office", "Office", "Cambria", ""),
        **(parts or {}),
    }
    if sheet_rels:
        every["xl/worksheets/_rels/sheet1.xml.rels"] = relations(*sheet_rels)
    return zipped(every, comment, extra)


def with_part(
    body: str,
    kind: str,
    path: str,
    data: str | bytes,
    of_type: str = "application/xml",
    after: str = "",
    main: str = "",
) -> bytes:
    """A workbook with one more part, behind a relationship of the sheet, or of the book if `main`."""
    rel = (("rId9", kind, f"../{path}" if not main else path),)
    return book(
        body,
        after=after,
        main=main if main != "-" else "",
        sheet_rels=() if main else rel,
        rels=rel if main else (),
        parts={f"xl/{path}": data},
        kinds={f"xl/{path}": of_type},
    )


def comments(t: str, author: str = "A", ref: str = "B2", more: str = "") -> str:
    return f'<comments {ROOT}><authors><author>{author}</author></authors><commentList><comment ref="{ref}" authorId="0"{more}><text><r><t>{t}</t></r></text></comment></commentList></comments>'


def with_comments(body: str, xml: str) -> bytes:
    return with_part(body, "comments", "comments1.xml", xml, f"{BOOK}.comments+xml")


def drawing(inner: str) -> str:
    spaces = " ".join(
        f'xmlns:{p}="{u}"' for p, u in SPACES.items() if p in ("a", "r", "c", "mc", "a14")
    )
    anchor = "<xdr:from><xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>4</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>9</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to>"
    return f'<xdr:wsDr xmlns:xdr="{XDR}" {spaces}><xdr:twoCellAnchor>{anchor}{inner}<xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>'


def shape(t: str = "x", name: str = "Box", more: str = "", link: str = "", macro: str = "") -> str:
    return (
        f'<xdr:sp macro="{macro}" textlink="{link}"><xdr:nvSpPr><xdr:cNvPr id="2" name="{name}"{more}/><xdr:cNvSpPr txBox="1"/></xdr:nvSpPr><xdr:spPr><a:prstGeom prst="rect">'
        f"<a:avLst/></a:prstGeom></xdr:spPr><xdr:txBody><a:bodyPr/><a:p><a:r><a:t>{t}</a:t></a:r></a:p></xdr:txBody></xdr:sp>"
    )


def with_drawing(
    body: str,
    inner: str,
    rels: tuple[tuple[str, str, str], ...] = (),
    parts: Parts | None = None,
    kinds: dict[str, str] | None = None,
) -> bytes:
    every: Parts = {"xl/drawings/drawing1.xml": drawing(inner), **(parts or {})}
    if rels:
        every["xl/drawings/_rels/drawing1.xml.rels"] = relations(*rels)
    return book(
        body,
        after='<drawing r:id="rId9"/>',
        sheet_rels=(("rId9", "drawing", "../drawings/drawing1.xml"),),
        parts=every,
        kinds={"xl/drawings/drawing1.xml": f"{OFFICE}.drawing+xml", **(kinds or {})},
    )


def with_chart(body: str, xml: str) -> bytes:
    inner = f'<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="3" name="Chart"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="{SPACES["c"]}"><c:chart r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame>'
    kinds = {"xl/charts/chart1.xml": f"{OFFICE}.drawingml.chart+xml"}
    return with_drawing(
        body,
        inner,
        (("rId1", "chart", "../charts/chart1.xml"),),
        {"xl/charts/chart1.xml": xml},
        kinds,
    )


def with_table(
    body: str,
    rows: str = "",
    name: str = "Table1",
    columns: tuple[str, ...] = ("Kind", "Sum"),
    more: str = "",
    inner: str = "",
) -> bytes:
    told = "".join(
        f'<tableColumn id="{at}" name="{c}"{more if at == 2 else ""}>{inner if at == 2 else ""}</tableColumn>'
        for at, c in enumerate(columns, 1)
    )
    xml = f'<table {ROOT} id="1" name="{name}" displayName="{name}" ref="A3:B5"><autoFilter ref="A3:B5"/><tableColumns count="2">{told}</tableColumns><tableStyleInfo name="TableStyleMedium2" showRowStripes="1"/></table>'
    cells = (
        row(3, text("A3", columns[0]), text("B3", columns[1]))
        + row(4, text("A4", "tile"), number("B4", "4"))
        + row(5, text("A5", "slate"), number("B5", "5"))
        + rows
    )
    return book(
        body,
        cells,
        after='<tableParts count="1"><tablePart r:id="rId9"/></tableParts>',
        sheet_rels=(("rId9", "table", "../tables/table1.xml"),),
        parts={"xl/tables/table1.xml": xml},
        kinds={"xl/tables/table1.xml": f"{BOOK}.table+xml"},
    )


def with_vml(body: str, inner: str, more: str = "") -> bytes:
    xml = (
        '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel">'
        f'<v:shape id="_x0000_s1025" type="#_x0000_t202" style="position:absolute;width:96pt"{more}>{inner}</v:shape></xml>'
    )
    kind = f"{OFFICE}.vmlDrawing"
    return with_part(
        body, "vmlDrawing", "drawings/vmlDrawing1.vml", xml, kind, '<legacyDrawing r:id="rId9"/>'
    )


def with_picture(
    body: str, data: bytes, name: str = "Picture 1", file: str = "image1", more: str = ""
) -> bytes:
    inner = f'<xdr:pic><xdr:nvPicPr><xdr:cNvPr id="2" name="{name}"{more}/><xdr:cNvPicPr/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="rId1"/><a:stretch><a:fillRect/></a:stretch></xdr:blipFill><xdr:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></xdr:spPr></xdr:pic>'
    return with_drawing(
        body, inner, (("rId1", "image", f"../media/{file}.png"),), {f"xl/media/{file}.png": data}
    )


def shared(t: str) -> str:
    return f'<si><t xml:space="preserve">{t}</t></si>'


def validation(more: str = "", inner: str = "", kind: str = "list") -> str:
    return f'<dataValidations count="1"><dataValidation type="{kind}" allowBlank="1" showInputMessage="1" sqref="B2"{more}>{inner}</dataValidation></dataValidations>'


def rule(kind: str, more: str = "", inner: str = "") -> str:
    return f'<conditionalFormatting sqref="A1:A9"><cfRule type="{kind}" priority="1"{more}>{inner}</cfRule></conditionalFormatting>'


def extension(uri: str, inner: str) -> str:
    return f'<extLst><ext uri="{uri}">{inner}</ext></extLst>'


def properties(body: str, kind: str, path: str, data: str | bytes) -> bytes:
    full = kind if ":" in kind else f"{R}/{kind}"
    return book(
        body, root_rels=(("rId9", full, path),), parts={path: data}, kinds={path: "application/xml"}
    )


def digits(t: str) -> str:
    """The digits of a planted phone number; of any other text, a literal."""
    found = "".join(filter(str.isdigit, t))
    return found if found == "447700900413" else f"LEN({LITERAL.format(t)})"


def numbered(at: str, t: str, form: str = "{}") -> str:
    """A planted phone number as a number; any other text as it is."""
    return text(at, t) if digits(t).startswith("LEN") else number(at, form.format(digits(t)))


LITERAL = "&quot;{}&quot;"
# fmt: off
Build = Callable[[str, str], bytes]

CELLS: dict[str, Build] = {
    "inline string": lambda t, b: book(b, row(2, text("B2", t))),
    "inline runs": lambda t, b: book(b, row(2, '<c r="B2" t="inlineStr"><is>' + "".join(f'<r><rPr><b/></rPr><t xml:space="preserve">{x}</t></r>' for x in split(t)) + "</is></c>")),
    "shared string": lambda t, b: book(b, row(2, '<c r="B2" t="s"><v>0</v></c>'), strings=shared(t)),
    "shared runs": lambda t, b: book(b, row(2, '<c r="B2" t="s"><v>0</v></c>'), strings="<si>" + "".join(f'<r><t xml:space="preserve">{x}</t></r>' for x in split(t)) + "</si>"),
    "shared string that nothing uses": lambda t, b: book(b, strings=shared(t)),
    "shared string reading": lambda t, b: book(b, row(2, '<c r="B2" t="s"><v>0</v></c>'), strings=f'<si><t>x</t><rPh sb="0" eb="1"><t>{t}</t></rPh></si>'),
    "inline string reading": lambda t, b: book(b, row(2, f'<c r="B2" t="inlineStr"><is><t>x</t><rPh sb="0" eb="1"><t>{t}</t></rPh></is></c>')),
    "font of a run": lambda t, b: book(b, row(2, '<c r="B2" t="s"><v>0</v></c>'), strings=f'<si><r><rPr><rFont val="{t}"/></rPr><t>x</t></r></si>'),
    "cell of a formula": lambda t, b: book(b, row(2, formula("B2", "A1", t))),
    "literal of a formula": lambda t, b: book(b, row(2, formula("B2", f"LEN({LITERAL.format(t)})", "9", "n"))),
    "literals of a formula": lambda t, b: book(b, row(2, formula("B2", "&amp;".join(LITERAL.format(x) for x in split(t, 6)), t))),
    "number of a formula": lambda t, b: book(b, row(2, formula("B2", f"{digits(t)}+0", "5", "n"))),
    "unknown name in a formula": lambda t, b: book(b, row(2, formula("B2", glue(t), "#NAME?", "e"))),
    "unknown function in a formula": lambda t, b: book(b, row(2, formula("B2", f"{glue(t)}(1)", "#NAME?", "e"))),
    "unknown sheet in a formula": lambda t, b: book(b, row(2, formula("B2", f"'{t}'!A1", "#REF!", "e"))),
    "other file in a formula": lambda t, b: book(b, row(2, formula("B2", f"'[{t}.xlsx]Roofs'!A1", "1", "n"))),
    "file path in a formula": lambda t, b: book(b, row(2, formula("B2", f"'C:\\{t}\\[1]Roofs'!A1", "1", "n"))),
    "variable in a formula": lambda t, b: book(b, row(2, formula("B2", f"_xlfn.LET(_xlpm.{glue(t)},5,_xlpm.{glue(t)}+1)", "6", "n"))),
    "hyperlink formula": lambda t, b: book(b, row(2, formula("B2", f"HYPERLINK({LITERAL.format('https://example.org/' + quote(t))},{LITERAL.format('x')})", "x"))),
    "array formula": lambda t, b: book(b, row(2, f'<c r="B2" t="str"><f t="array" ref="B2">{LITERAL.format(t)}</f><v>x</v></c>')),
    "shared formula": lambda t, b: book(b, row(2, f'<c r="B2" t="str"><f t="shared" ref="B2:B3" si="0">{LITERAL.format(t)}</f><v>x</v></c>') + row(3, '<c r="B3" t="str"><f t="shared" si="0"/><v>x</v></c>')),
    "data table cell": lambda t, b: book(b, row(2, f'<c r="B2"><f t="dataTable" ref="B2" r1="{glue(t)}"/><v>1</v></c>')),
    "error cell": lambda t, b: book(b, row(2, f'<c r="B2" t="e"><v>{t}</v></c>')),
    "truth cell": lambda t, b: book(b, row(2, f'<c r="B2" t="b"><v>{t}</v></c>')),
    "date cell": lambda t, b: book(b, row(2, f'<c r="B2" t="d"><v>{t}</v></c>')),
    "number cell": lambda t, b: book(b, row(2, numbered("B2", t))),
    "number cell under a title": lambda t, b: book(b, row(2, text("B2", "Phone")) + row(3, numbered("B3", t))),
    "number with an exponent": lambda t, b: book(b, row(2, number("B2", "4.47700900413E11") if not digits(t).startswith("LEN") else text("B2", t))),
    "number with decimals": lambda t, b: book(b, row(2, numbered("B2", t, "{}.0"))),
    "cell type": lambda t, b: book(b, row(2, f'<c r="B2" t="{glue(t)}"><v>1</v></c>')),
    "cell reference": lambda t, b: book(b, row(2, f'<c r="{glue(t)}"><v>1</v></c>')),
    "text beside cells": lambda t, b: book(b, row(2, text("B2", "x") + t)),
    "text in a cell": lambda t, b: book(b, row(2, f'<c r="B2">{t}<v>1</v></c>')),
    "hidden row": lambda t, b: book(b, row(2, text("B2", t), more=' hidden="1"')),
    "hidden column": lambda t, b: book(b, row(2, text("B2", t)), before='<cols><col min="2" max="2" width="9" hidden="1"/></cols>'),
    "hidden sheet": lambda t, b: book(b, sheets='<sheet name="H" sheetId="2" state="veryHidden" r:id="rId9"/>', rels=(("rId9", "worksheet", "worksheets/sheet2.xml"),), parts={"xl/worksheets/sheet2.xml": f"<worksheet {ROOT}><sheetData>{row(1, text('A1', t))}</sheetData></worksheet>"}, kinds={"xl/worksheets/sheet2.xml": f"{BOOK}.worksheet+xml"}),
    "sheet that the book does not list": lambda t, b: book(b, rels=(("rId9", "worksheet", "worksheets/sheet2.xml"),), parts={"xl/worksheets/sheet2.xml": f"<worksheet {ROOT}><sheetData>{row(1, text('A1', t))}</sheetData></worksheet>"}, kinds={"xl/worksheets/sheet2.xml": f"{BOOK}.worksheet+xml"}),
    "XML comment": lambda t, b: book(b, row(2, text("B2", "x")) + f"<!-- {t} -->"),
    "processing instruction": lambda t, b: book(b, f"<?note {t}?>"),
    "foreign attribute": lambda t, b: book(b, f'<row r="2" xmlns:k="urn:k" k:who="{t}"/>'),
    "foreign element": lambda t, b: book(b, f'<k:note xmlns:k="urn:k">{t}</k:note>'),
    "foreign namespace": lambda t, b: book(b, f'<row r="2" xmlns:{glue(t)}="urn:{glue(t)}"/>'),
    "unknown attribute": lambda t, b: book(b, f'<row r="2" note="{t}"/>'),
}

NAMES: dict[str, Build] = {
    "sheet name": lambda t, b: book(b, sheet=t),
    "sheet name in a formula": lambda t, b: book(b, row(2, formula("B2", f"'{t}'!A1", "x")), sheet=t),
    "defined name": lambda t, b: book(b, names=f'<definedName name="{glue(t)}">Roofs!$A$1</definedName>'),
    "defined name in a formula": lambda t, b: book(b, row(2, formula("B2", f"{glue(t)}&amp;{LITERAL.format('x')}", "x")), names=f'<definedName name="{glue(t)}">Roofs!$A$1</definedName>'),
    "text of a defined name": lambda t, b: book(b, names=f'<definedName name="roof">{LITERAL.format(t)}</definedName>'),
    "words of a defined name": lambda t, b: book(b, names=f'<definedName name="roof">{glue(t)}</definedName>'),
    "comment of a defined name": lambda t, b: book(b, names=f'<definedName name="roof" comment="{t}" description="{t}" help="{t}" statusBar="{t}" customMenu="{t}">Roofs!$A$1</definedName>'),
    "hidden defined name": lambda t, b: book(b, names=f'<definedName name="_{glue(t)}" hidden="1">1</definedName>'),
    "table name": lambda t, b: with_table(b, name=glue(t)),
    "table column": lambda t, b: with_table(b, columns=("Kind", t)),
    "table column in a formula": lambda t, b: with_table(b, row(7, formula("A7", f"SUM(Table1[{t}])", "9", "n")), columns=("Kind", t)),
    "table in a formula": lambda t, b: with_table(b, row(7, formula("A7", f"SUM({glue(t)}[Sum])", "9", "n")), name=glue(t)),
    "label of totals": lambda t, b: with_table(b, more=f' totalsRowLabel="{t}"'),
    "formula of a table column": lambda t, b: with_table(b, inner=f"<calculatedColumnFormula>{LITERAL.format(t)}</calculatedColumnFormula>"),
    "unique name of a table column": lambda t, b: with_table(b, more=f' uniqueName="{glue(t)}" dataCellStyle="{glue(t)}"'),
    "table style": lambda t, b: book(b, styles=f'<tableStyles count="1" defaultTableStyle="{t}"><tableStyle name="{t}" count="0"/></tableStyles>'),
    "cell style": lambda t, b: book(b, style=t),
    "number format": lambda t, b: book(b, row(2, number("B2", "5", 1)), numbers=f'<numFmt numFmtId="170" formatCode="0{LITERAL.format(t)}"/>', number_format="170"),
    "escaped number format": lambda t, b: book(b, row(2, number("B2", "5", 1)), numbers='<numFmt numFmtId="170" formatCode="0' + "".join(f"\\{c}" for c in t) + '"/>', number_format="170"),
    "bare number format": lambda t, b: book(b, numbers=f'<numFmt numFmtId="170" formatCode="{t}"/>'),
    "currency of a number format": lambda t, b: book(b, numbers=f'<numFmt numFmtId="170" formatCode="[${t}-409]0"/>'),
    "format of a rule": lambda t, b: book(b, dxfs=f"<dxfs count='1'><dxf><numFmt numFmtId='171' formatCode='0{LITERAL.format(t)}'/></dxf></dxfs>"),
    "font": lambda t, b: book(b, font=t),
    "style extension": lambda t, b: book(b, styles=extension("{EB79DEF2-80B8-43e5-95BD-54CBDDF9020C}", f'<x14:slicerStyles defaultSlicerStyle="{t}"/>')),
    "page element among styles": lambda t, b: book(b, styles=f'<font xmlns="">{t}</font><div xmlns="">{t}</div>'),
    "code name of a sheet": lambda t, b: book(b, before=f'<sheetPr codeName="{glue(t)}"/>'),
    "code name of the book": lambda t, b: book(b, main=f'<workbookPr codeName="{glue(t)}"/>'),
    "colour of a tab": lambda t, b: book(b, before=f'<sheetPr><tabColor rgb="{glue(t)}"/></sheetPr>'),
    "theme name": lambda t, b: book(b, theme=THEME.format(t, "Office", "Office", "Cambria", "")),
    "theme font": lambda t, b: book(b, theme=THEME.format("Office", "Office", "Office", t, "")),
}

SHEET: dict[str, Build] = {
    "validation list": lambda t, b: book(b, after=validation("", f"<formula1>{LITERAL.format(t + ',x')}</formula1>")),
    "validation prompt": lambda t, b: book(b, after=validation(f' prompt="{t}"')),
    "validation prompt title": lambda t, b: book(b, after=validation(f' promptTitle="{t}"')),
    "validation error": lambda t, b: book(b, after=validation(f' error="{t}"')),
    "validation error title": lambda t, b: book(b, after=validation(f' errorTitle="{t}"')),
    "validation formula": lambda t, b: book(b, after=validation("", f"<formula1>{glue(t)}</formula1>", "custom")),
    "new validation": lambda t, b: book(b, after=extension("{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}", f'<x14:dataValidations count="1"><x14:dataValidation type="list" prompt="{t}"><x14:formula1><xm:f>{LITERAL.format(t)}</xm:f></x14:formula1><xm:sqref>A1</xm:sqref></x14:dataValidation></x14:dataValidations>')),
    "text of a rule": lambda t, b: book(b, after=rule("containsText", f' operator="containsText" text="{t}"')),
    "formula of a rule": lambda t, b: book(b, after=rule("expression", "", f"<formula>A1={LITERAL.format(t)}</formula>")),
    "value of a colour scale": lambda t, b: book(b, after=rule("colorScale", "", f'<colorScale><cfvo type="num" val="{glue(t)}"/><cfvo type="max"/><color rgb="FFFF0000"/><color rgb="FF00FF00"/></colorScale>')),
    "new rule": lambda t, b: book(b, after=extension("{78C0D931-6437-407d-A8EE-F0AAD7539E65}", f'<x14:conditionalFormattings><x14:conditionalFormatting><x14:cfRule type="expression" id="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}"><xm:f>A1={LITERAL.format(t)}</xm:f></x14:cfRule><xm:sqref>A1</xm:sqref></x14:conditionalFormatting></x14:conditionalFormattings>')),
    "sparkline": lambda t, b: book(b, after=extension("{05C60535-1F16-4fd2-B633-F4F36F0B64E0}", f"<x14:sparklineGroups><x14:sparklineGroup><x14:sparklines><x14:sparkline><xm:f>'{t}'!A1:A3</xm:f><xm:sqref>B1</xm:sqref></x14:sparkline></x14:sparklines></x14:sparklineGroup></x14:sparklineGroups>")),
    "unknown extension": lambda t, b: book(b, after=extension(glue(t), f'<k:x xmlns:k="urn:k" v="{t}"/>')),
    "filter value": lambda t, b: book(b, after=f'<autoFilter ref="A1:B9"><filterColumn colId="0"><filters><filter val="{t}"/></filters></filterColumn></autoFilter>'),
    "custom filter": lambda t, b: book(b, after=f'<autoFilter ref="A1:B9"><filterColumn colId="0"><customFilters><customFilter operator="equal" val="{t}"/></customFilters></filterColumn></autoFilter>'),
    "custom sort list": lambda t, b: book(b, after=f'<autoFilter ref="A1:B9"><sortState ref="A2:B9"><sortCondition ref="A2:A9" customList="{t},x"/></sortState></autoFilter>'),
    "header": lambda t, b: book(b, after=f"<headerFooter><oddHeader>&amp;L{t}</oddHeader></headerFooter>"),
    "footer": lambda t, b: book(b, after=f"<headerFooter><oddFooter>&amp;C{t} &amp;P</oddFooter></headerFooter>"),
    "font of a header": lambda t, b: book(b, after=f"<headerFooter><oddHeader>&amp;L&amp;{LITERAL.format(t)}x</oddHeader></headerFooter>"),
    "link tooltip": lambda t, b: book(b, after=f'<hyperlinks><hyperlink ref="A1" location="Roofs!A1" tooltip="{t}"/></hyperlinks>'),
    "link display": lambda t, b: book(b, after=f'<hyperlinks><hyperlink ref="A1" location="Roofs!A1" display="{t}"/></hyperlinks>'),
    "link location": lambda t, b: book(b, after=f'<hyperlinks><hyperlink ref="A1" location="{glue(t)}"/></hyperlinks>'),
    "link address": lambda t, b: book(b, after='<hyperlinks><hyperlink ref="A1" r:id="rId9"/></hyperlinks>', sheet_rels=(("rId9", "hyperlink", f"https://example.org/{quote(t)}"),)),
    "link mail address": lambda t, b: book(b, after='<hyperlinks><hyperlink ref="A1" r:id="rId9"/></hyperlinks>', sheet_rels=(("rId9", "hyperlink", f"mailto:{glue(t)}@example.org"),)),
    "link file": lambda t, b: book(b, after='<hyperlinks><hyperlink ref="A1" r:id="rId9"/></hyperlinks>', sheet_rels=(("rId9", "hyperlink", f"file:///C:/{quote(t)}.xlsx"),)),
    "scenario": lambda t, b: book(b, after=f'<scenarios current="0"><scenario name="{t}" user="{t}" comment="{t}" count="1"><inputCells r="A1" val="{t}"/></scenario></scenarios>'),
    "protected range": lambda t, b: book(b, after=f'<protectedRanges><protectedRange name="{glue(t)}" sqref="A1" securityDescriptor="{t}"/></protectedRanges>'),
    "sheet protection": lambda t, b: book(b, after=f'<sheetProtection sheet="1" algorithmName="{glue(t)}" hashValue="{glue(t)}" saltValue="{glue(t)}"/>'),
    "custom view": lambda t, b: book(b, after=f'<customSheetViews><customSheetView guid="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}"><headerFooter><oddHeader>{t}</oddHeader></headerFooter></customSheetView></customSheetViews>'),
    "smart tag": lambda t, b: book(b, after=f'<smartTags><cellSmartTags r="A1"><cellSmartTag type="0"><cellSmartTagPr key="k" val="{t}"/></cellSmartTag></cellSmartTags></smartTags>'),
    "watched cell": lambda t, b: book(b, after=f'<cellWatches><cellWatch r="{glue(t)}"/></cellWatches>'),
    "web publishing": lambda t, b: book(b, after=f'<webPublishItems count="1"><webPublishItem id="1" divId="{glue(t)}" sourceType="sheet" destinationFile="C:\\{t}.htm" title="{t}"/></webPublishItems>'),
    "ignored errors": lambda t, b: book(b, after=f'<ignoredErrors><ignoredError sqref="{glue(t)}" evalError="1"/></ignoredErrors>'),
    "merged cells": lambda t, b: book(b, after=f'<mergeCells count="1"><mergeCell ref="{glue(t)}"/></mergeCells>'),
    "consolidation": lambda t, b: book(b, after=f'<dataConsolidate><dataRefs count="1"><dataRef name="{t}" sheet="{t}" ref="A1"/></dataRefs></dataConsolidate>'),
    "custom property of a sheet": lambda t, b: with_part(b, "customProperty", "customProperty1.bin", t.encode("utf-16-le"), after=f'<customProperties><customPr name="{t}" r:id="rId9"/></customProperties>'),
    "form control": lambda t, b: with_part(b, "ctrlProp", "ctrlProps/ctrlProp1.xml", f'<formControlPr xmlns="{X14}" objectType="Drop"><itemLst><item val="{t}"/></itemLst></formControlPr>', after=f'<controls><control shapeId="1" r:id="rId9" name="{t}"><controlPr macro="{glue(t)}" altText="{t}"/></control></controls>'),
    "OLE object": lambda t, b: with_part(b, "oleObject", "embeddings/a.bin", t.encode("utf-16-le"), after=f'<oleObjects><oleObject progId="{t}" shapeId="1" r:id="rId9"/></oleObjects>'),
    "printer settings": lambda t, b: with_part(b, "printerSettings", "printerSettings/p.bin", t.encode("utf-16-le"), after='<pageSetup r:id="rId9"/>'),
    "query table": lambda t, b: with_part(b, "queryTable", "queryTables/q.xml", f'<queryTable {ROOT} name="{t}" connectionId="1"/>'),
    "slicer": lambda t, b: with_part(b, f"{MS}/2007/relationships/slicer", "slicers/s.xml", f'<slicers xmlns="{X14}"><slicer name="{t}" caption="{t}"/></slicers>'),
    "timeline": lambda t, b: with_part(b, f"{MS}/2011/relationships/timeline", "timelines/t.xml", f'<x name="{t}"/>'),
    "single cell table": lambda t, b: with_part(b, "tableSingleCells", "tables/single.xml", f'<singleXmlCells {ROOT}><singleXmlCell id="1" r="A1"><xmlCellPr uniqueName="{t}"/></singleXmlCell></singleXmlCells>'),
    "background picture": lambda t, b: with_part(b, "image", "media/a.png", png((b"tEXt", b"A\0" + t.encode())), "image/png", '<picture r:id="rId9"/>'),
    "pane": lambda t, b: book(b, before=f'<sheetViews><sheetView workbookViewId="0"><pane topLeftCell="{glue(t)}" activePane="{glue(t)}"/><selection sqref="{glue(t)}" activeCell="{glue(t)}"/></sheetView></sheetViews>'),
    "dimension": lambda t, b: book(b, before=f'<dimension ref="{glue(t)}"/>'),
    "page setup": lambda t, b: book(b, after=f'<pageSetup orientation="portrait" paperHeight="{glue(t)}"/>'),
}

DRAWINGS: dict[str, Build] = {
    "comment": lambda t, b: with_comments(b, comments(t)),
    "comment author": lambda t, b: with_comments(b, comments("Fine", t)),
    "comment cell": lambda t, b: with_comments(b, comments("Fine", ref=glue(t))),
    "comment id": lambda t, b: with_comments(b, comments("Fine", more=f' guid="{{{glue(t)}}}"')),
    "comment reading": lambda t, b: with_comments(b, comments(f"x</t></r><rPh sb='0' eb='1'><t>{t}</t></rPh><r><t>y")),
    "threaded comment": lambda t, b: with_part(b, f"{MS}/2017/10/relationships/threadedComment", "threadedComments/t.xml", f'<ThreadedComments xmlns="{MS}/spreadsheetml/2018/threadedcomments"><threadedComment ref="A1" personId="{{1}}" id="{{2}}"><text>{t}</text></threadedComment></ThreadedComments>'),
    "person": lambda t, b: with_part(b, f"{MS}/2017/10/relationships/person", "persons/p.xml", f'<personList xmlns="{MS}/spreadsheetml/2018/threadedcomments"><person displayName="{t}" id="{{1}}" userId="{t}"/></personList>', main="-"),
    "text box": lambda t, b: with_drawing(b, shape(t)),
    "shape name": lambda t, b: with_drawing(b, shape(name=t)),
    "shape description": lambda t, b: with_drawing(b, shape(more=f' descr="{t}"')),
    "shape title": lambda t, b: with_drawing(b, shape(more=f' title="{t}"')),
    "shape formula": lambda t, b: with_drawing(b, shape(link=f"'{t}'!$A$1")),
    "shape macro": lambda t, b: with_drawing(b, shape(macro=f"[0]!{glue(t)}")),
    "shape field": lambda t, b: with_drawing(b, shape().replace("<a:r><a:t>x</a:t></a:r>", f'<a:fld id="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}" type="{glue(t)}"><a:t>{t}</a:t></a:fld>')),
    "shape anchor": lambda t, b: book(b, after='<drawing r:id="rId9"/>', sheet_rels=(("rId9", "drawing", "../drawings/drawing1.xml"),), parts={"xl/drawings/drawing1.xml": drawing(shape()).replace("<xdr:col>1</xdr:col>", f"<xdr:col>{t}</xdr:col>")}, kinds={"xl/drawings/drawing1.xml": f"{OFFICE}.drawing+xml"}),
    "picture metadata": lambda t, b: with_picture(b, png((b"tEXt", b"A\0" + t.encode()))),
    "picture name": lambda t, b: with_picture(b, png(), t),
    "picture description": lambda t, b: with_picture(b, png(), more=f' descr="{t}"'),
    "picture part name": lambda t, b: with_picture(b, png(), file=glue(t)),
    "chart title": lambda t, b: with_chart(b, chart(t)),
    "chart cache": lambda t, b: with_chart(b, chart(cache=t)),
    "chart number": lambda t, b: with_chart(b, chart().replace("<c:v>41</c:v>", f"<c:v>{t if digits(t).startswith('LEN') else digits(t)}</c:v>")),
    "chart formula": lambda t, b: with_chart(b, chart(fmt=f"'{t}'!$A$1")),
    "chart name formula": lambda t, b: with_chart(b, chart(fmt=f"[0]!{glue(t)}")),
    "chart number format": lambda t, b: with_chart(b, chart(date=f"0{LITERAL.format(t)}")),
    "chart pivot source": lambda t, b: with_chart(b, chart(pivot=f"<c:pivotSource><c:name>[{glue(t)}.xlsx]Sheet1!P</c:name><c:fmtId val='0'/></c:pivotSource>")),
    "chart header": lambda t, b: with_chart(b, chart(printed=f"<c:printSettings><c:headerFooter><c:oddHeader>{t}</c:oddHeader></c:headerFooter></c:printSettings>")),
    "chart extension": lambda t, b: with_chart(b, chart(extra=f'<c:extLst><c:ext uri="{{02D57815-91ED-43cb-92C2-25804820EDAC}}"><c15:f>{t}</c15:f></c:ext></c:extLst>')),
    "VML description": lambda t, b: with_vml(b, "", f' alt="{t}"'),
    "VML text box": lambda t, b: with_vml(b, f'<v:textbox><div style="text-align:left"><font face="Calibri">{t}</font></div></v:textbox>'),
    "VML mixed text": lambda t, b: with_vml(b, f"<v:textbox><div>a<br/>{t}</div></v:textbox>"),
    "VML macro": lambda t, b: with_vml(b, f'<x:ClientData ObjectType="Drop"><x:FmlaMacro>[0]!{glue(t)}</x:FmlaMacro><x:FmlaLink>{glue(t)}</x:FmlaLink><x:FmlaRange>{t}</x:FmlaRange></x:ClientData>'),
    "VML anchor": lambda t, b: with_vml(b, f'<x:ClientData ObjectType="Note"><x:Anchor>{t}</x:Anchor><x:Row>{t}</x:Row></x:ClientData>'),
    "VML kind": lambda t, b: with_vml(b, f'<x:ClientData ObjectType="{glue(t)}"/>'),
    "VML list": lambda t, b: with_vml(b, f'<x:ClientData ObjectType="List"><x:ListItem>{t}</x:ListItem><x:Accel2>{t}</x:Accel2></x:ClientData>'),
    "VML style": lambda t, b: with_vml(b, f'<v:textbox style="mso-x:{glue(t)}"/>'),
}

BOOKS: dict[str, Build] = {
    "pivot cache": lambda t, b: book(b, main='<pivotCaches><pivotCache cacheId="1" r:id="rId9"/></pivotCaches>', rels=(("rId9", "pivotCacheDefinition", "pivotCache/p.xml"),), parts={"xl/pivotCache/p.xml": f'<pivotCacheDefinition {ROOT} refreshedBy="{t}"><cacheFields count="1"><cacheField name="{t}"><sharedItems><s v="{t}"/></sharedItems></cacheField></cacheFields></pivotCacheDefinition>'}),
    "pivot table": lambda t, b: with_part(b, "pivotTable", "pivotTables/p.xml", f'<pivotTableDefinition {ROOT} name="{t}" cacheId="1" dataCaption="{t}"/>'),
    "external link": lambda t, b: book(b, main='<externalReferences><externalReference r:id="rId9"/></externalReferences>', rels=(("rId9", "externalLink", "externalLinks/e.xml"),), parts={"xl/externalLinks/e.xml": f'<externalLink {ROOT}><externalBook r:id="rId1"><sheetNames><sheetName val="{t}"/></sheetNames></externalBook></externalLink>', "xl/externalLinks/_rels/e.xml.rels": relations(("rId1", "externalLinkPath", f"file:///C:/{quote(t)}.xlsx"))}),
    "connection": lambda t, b: with_part(b, "connections", "connections.xml", f'<connections {ROOT}><connection id="1" name="{t}" description="{t}"><dbPr connection="{t}" command="{t}"/></connection></connections>', main="-"),
    "custom XML map": lambda t, b: with_part(b, "xmlMaps", "xmlMaps.xml", f'<MapInfo {ROOT} SelectionNamespaces=""><Map ID="1" Name="{t}" RootElement="{glue(t)}"/></MapInfo>', main="-"),
    "macros": lambda t, b: with_part(b, f"{MS}/2006/relationships/vbaProject", "vbaProject.bin", t.encode("utf-16-le"), main="-"),
    "calculation chain": lambda t, b: with_part(b, "calcChain", "calcChain.xml", f'<calcChain {ROOT}><c r="{glue(t)}" i="1"/></calcChain>', main="-"),
    "metadata": lambda t, b: with_part(b, "sheetMetadata", "metadata.xml", f'<metadata {ROOT}><metadataStrings count="1"><s v="{t}"/></metadataStrings></metadata>', main="-"),
    "rich values": lambda t, b: with_part(b, f"{MS}/2017/06/relationships/rdRichValue", "richData/r.xml", f"<rvData><rv><v>{t}</v></rv></rvData>", main="-"),
    "revisions": lambda t, b: with_part(b, "revisionHeaders", "revisions/h.xml", f'<headers {ROOT}><header userName="{t}"/></headers>', main="-"),
    "users": lambda t, b: with_part(b, "usernames", "revisions/u.xml", f'<users {ROOT}><userInfo name="{t}"/></users>', main="-"),
    "macro sheet": lambda t, b: with_part(b, f"{MS}/2006/relationships/xlMacrosheet", "macrosheets/s.xml", f"<x>{t}</x>", main="-"),
    "dialog sheet": lambda t, b: with_part(b, "dialogsheet", "dialogsheets/s.xml", f"<dialogsheet {ROOT}><headerFooter><oddHeader>{t}</oddHeader></headerFooter></dialogsheet>", main="-"),
    "chart sheet": lambda t, b: book(b, sheets='<sheet name="C" sheetId="2" r:id="rId9"/>', rels=(("rId9", "chartsheet", "chartsheets/s.xml"),), parts={"xl/chartsheets/s.xml": f"<chartsheet {ROOT}><headerFooter><oddHeader>{t}</oddHeader></headerFooter></chartsheet>"}, kinds={"xl/chartsheets/s.xml": f"{BOOK}.chartsheet+xml"}),
    "custom XML": lambda t, b: book(b, rels=(("rId9", "customXml", "../customXml/item1.xml"),), parts={"customXml/item1.xml": f"<x>{t}</x>"}),
    "volatile values": lambda t, b: with_part(b, "volatileDependencies", "volatile.xml", f'<volTypes {ROOT}><volType type="realTimeData"><main first="{t}"/></volType></volTypes>', main="-"),
    "file sharing": lambda t, b: book(b, main=f'<fileSharing userName="{t}" reservationPassword="{glue(t)}"/>'),
    "file version": lambda t, b: book(b, main=f'<fileVersion appName="{t}" codeName="{{{glue(t)}}}"/>'),
    "custom book view": lambda t, b: book(b, main=f'<customWorkbookViews><customWorkbookView name="{t}" guid="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}" windowWidth="1" windowHeight="1" activeSheetId="1"/></customWorkbookViews>'),
    "function group": lambda t, b: book(b, main=f'<functionGroups><functionGroup name="{t}"/></functionGroups>'),
    "book path": lambda t, b: book(b, main=f'<mc:AlternateContent><mc:Choice Requires="x15"><x15ac:absPath xmlns:x15ac="{MS}/spreadsheetml/2010/11/ac" url="C:\\{t}\\"/></mc:Choice></mc:AlternateContent>'.replace('Requires="x15"', f'xmlns:x15="{MS}/spreadsheetml/2010/11/main" Requires="x15"')),
    "revision pointer": lambda t, b: book(b, main=f'<xr:revisionPtr xmlns:xr="{MS}/spreadsheetml/2014/revision" documentId="{t}" revIDLastSave="0"/>'),
    "web publishing options": lambda t, b: book(b, main=f'<webPublishing css="1" targetScreenSize="{glue(t)}"/><webPublishObjects><webPublishObject id="1" divId="{glue(t)}" destinationFile="{t}" title="{t}"/></webPublishObjects>'),
    "smart tag type": lambda t, b: book(b, main=f'<smartTagTypes><smartTagType namespaceUri="urn:{glue(t)}" name="{t}" url="{t}"/></smartTagTypes>'),
    "book protection": lambda t, b: book(b, main=f'<workbookProtection workbookPassword="{glue(t)}" workbookHashValue="{glue(t)}" lockStructure="1"/>'),
    "book extension": lambda t, b: book(b, main=extension("{140A7094-0E35-4892-8432-C4D2E57EDEB5}", f'<x14:definedNames><x14:definedName name="{t}"/></x14:definedNames>')),
    "creator": lambda t, b: properties(b, f"{PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml", core(t, "dc:creator")),
    "company": lambda t, b: properties(b, "extended-properties", "docProps/app.xml", f"<Properties><Company>{t}</Company></Properties>"),
    "titles of parts": lambda t, b: properties(b, "extended-properties", "docProps/app.xml", f"<Properties><TitlesOfParts><lpstr>{t}</lpstr></TitlesOfParts></Properties>"),
    "custom property": lambda t, b: properties(b, "custom-properties", "docProps/custom.xml", f'<Properties><property name="{t}"><v>{t}</v></property></Properties>'),
    "thumbnail": lambda t, b: properties(b, f"{PACKAGE}/relationships/metadata/thumbnail", "docProps/thumbnail.png", png((b"tEXt", b"A\0" + t.encode()))),
    "part that nothing refers to": lambda t, b: book(b, parts={"xl/notes.xml": f"<x>{t}</x>"}),
    "id of a relationship": lambda t, b: book(b, after=f'<hyperlinks><hyperlink ref="A1" r:id="{glue(t)}"/></hyperlinks>', sheet_rels=((glue(t), "hyperlink", "https://example.org/"),)),
    "content type": lambda t, b: book(b, kinds={"xl/theme/theme1.xml": f"application/{glue(t)}+xml"}),
    "type of a relationship": lambda t, b: book(b, rels=(("rId9", f"urn:{glue(t)}/theme", "theme/theme1.xml"),)),
    "file name in the zip": lambda t, b: book(b, parts={f"{t}.txt": "x"}),
    "comment of the zip": lambda t, b: book(b, comment=t.encode()),
    "extra field of the zip": lambda t, b: book(b, extra=struct.pack("<HH", 0xCAFE, len(t.encode())) + t.encode()),
    "bytes before the zip": lambda t, b: t.encode() + book(b),
}

# fmt: on
PLACES = [
    Place(f"xlsx: {name}", "xlsx", build)
    for group in (CELLS, NAMES, SHEET, DRAWINGS, BOOKS)
    for name, build in group.items()
]
