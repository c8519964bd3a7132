# ruff: noqa: E501 - XML reads better in whole elements
"""Invented office files and PDFs, each with another person planted in every place where its format can hide a name."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

FIRST = "Aldo Berit Cosmo Dunja Elvar Fenna Goran Hilde Ivo Jorun Kaspar Lieke Marek Nadja Oskar Pilar".split()
SYLLABLES = "bran dov fel gar hol jan kor lis mor nev ost pel rad sig tov vur".split()


@dataclass
class Plants:
    """Who stands where: a new person for each place, or always the same."""

    only: str = ""
    where: dict[str, str] = field(default_factory=dict)

    def __call__(self, place: str) -> str:
        if self.only:
            return self.only
        at = len(self.where)
        if place not in self.where:
            last = (
                SYLLABLES[at % 16] + SYLLABLES[(at // 16 + 5) % 16] + SYLLABLES[(7 * at + 3) % 16]
            )
            self.where[place] = f"{FIRST[at % 16]} {last.capitalize()}"
        return self.where[place]


@dataclass(frozen=True)
class Sample:
    raw: bytes = field(repr=False)
    plants: Mapping[str, str]


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def png(text: str) -> bytes:
    """A grey pixel with a comment."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    chunks = (
        (b"IHDR", header),
        (b"tEXt", b"Author\0" + text.encode()),
        (b"IDAT", zlib.compress(b"\0\x80")),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in chunks)


R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_MS = "http://schemas.microsoft.com/office"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_NS = (
    f'xmlns:w="{WORD}" xmlns:r="{R}" xmlns:a="{_A}" xmlns:c="{_C}" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
)


def rels(*items: tuple[str, str, str]) -> str:
    """Relationships `(id, type, target)`; a type without a scheme is an office one, a target with one is external."""
    lines = []
    for name, kind, target in items:
        full = kind if ":" in kind else f"{R}/{kind}"
        mode = ' TargetMode="External"' if ":" in target else ""
        lines.append(f'<Relationship Id="{name}" Type="{full}" Target="{target}"{mode}/>')
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'


def types(overrides: Mapping[str, str]) -> str:
    lines = [
        f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in overrides.items()
    ]
    defaults = {
        "rels": "application/vnd.openxmlformats-package.relationships+xml",
        "xml": "application/xml",
    }
    defaults |= {
        "png": "image/png",
        "bin": "application/octet-stream",
        "jpeg": "image/jpeg",
        "emf": "image/x-emf",
    }
    defaults |= {"vml": "application/vnd.openxmlformats-officedocument.vmlDrawing"}
    lines += [f'<Default Extension="{e}" ContentType="{k}"/>' for e, k in defaults.items()]
    return f'<Types xmlns="{_PACKAGE}/content-types">{"".join(lines)}</Types>'


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def core(p: Plants) -> str:
    dc = "http://purl.org/dc/elements/1.1/"
    return (
        f'<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" xmlns:dc="{dc}"><dc:creator>{p("creator")}'
        f"</dc:creator><dc:title>{p('title property')}</dc:title><cp:lastModifiedBy>{p('last editor')}"
        f"</cp:lastModifiedBy><cp:keywords>{p('keywords')}</cp:keywords></cp:coreProperties>"
    )


def properties(p: Plants) -> dict[str, str | bytes]:
    """Properties, thumbnail and custom XML: the same in all office packages."""
    extended = "http://schemas.openxmlformats.org/officeDocument/2006"
    return {
        "docProps/core.xml": core(p),
        "docProps/app.xml": f'<Properties xmlns="{extended}/extended-properties"><Company>{p("company")}</Company>'
        f"<Manager>{p('manager')}</Manager></Properties>",
        "docProps/custom.xml": f'<Properties xmlns="{extended}/custom-properties"><property name="{p("custom name")}">'
        f"<v>{p('custom value')}</v></property></Properties>",
        "docProps/thumbnail.png": png(p("thumbnail")),
        "customXml/item1.xml": f"<data>{p('custom XML')}</data>",
        "[trash]/0000.dat": p("trash").encode("utf-16-le"),
    }


ROOT = (
    ("p1", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
    ("p2", "extended-properties", "docProps/app.xml"),
    ("p3", "custom-properties", "docProps/custom.xml"),
    ("p4", f"{_PACKAGE}/relationships/metadata/thumbnail", "docProps/thumbnail.png"),
)


def chart(p: Plants) -> str:
    return (
        f"<c:chartSpace {_NS}><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>{p('chart title')}</a:t></a:r></a:p>"
        "</c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:cat><c:strRef><c:f>Sheet1!$A$1</c:f><c:strCache>"
        f'<c:pt idx="0"><c:v>{p("chart cache")}</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef>'
        '<c:f>Sheet1!$B$1</c:f><c:numCache><c:pt idx="0"><c:v>41</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>'
        '</c:barChart></c:plotArea></c:chart><c:externalData r:id="x1"/></c:chartSpace>'
    )


def _body(p: Plants) -> str:
    first, last = p("split over runs").split()
    glued = p("body").replace(" ", "")
    who = f'w:author="{p("change author")}" w:date="2021-05-03T10:00:00Z"'
    picture = (
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="{}" descr="{}" title="{}"/><a:graphic><a:graphicData>'
        '<pic:pic><pic:nvPicPr><pic:cNvPr id="2" name="{}"/></pic:nvPicPr><pic:blipFill><a:blip r:embed="{}"/>'
        "</pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
    field = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    return f"""<w:document {_NS}><w:body>
<w:p><w:pPr><w:pStyle w:val="Heading1"/><w:tabs><w:tab w:val="left" w:pos="2006"/></w:tabs></w:pPr>{run("Report on ")}
{run(p("body"), "<w:b/>")}</w:p>
<w:p>{run("Seen: ")}{run(first[:2], "<w:b/>")}{run(first[2:] + " ", "<w:i/>")}{run(last[:3])}<w:proofErr w:type="x"/>
{run(last[3:] + " left.", "<w:u/>")}</w:p>
<w:sdt><w:sdtPr><w:date w:fullDate="1985-03-12T00:00:00Z"/></w:sdtPr><w:sdtContent><w:p>{run("12 March")}</w:p>
</w:sdtContent></w:sdt>
<w:p>{run("Kept as it stands: the court sat in March.", '<w:color w:val="FF0000"/>')}</w:p>
<w:p>{run("Hidden " + p("hidden text"), "<w:vanish/>")}</w:p>
<w:p><w:ins w:id="1" {who}>{run("Inserted " + p("insertion"))}</w:ins><w:del w:id="2" {who}><w:r><w:delText>Deleted
{p("deletion")}</w:delText></w:r></w:del><w:moveFrom w:id="3" {who}>{run(p("moved away"))}</w:moveFrom>
<w:moveTo w:id="4" {who}>{run("Moved " + p("moved here"))}</w:moveTo></w:p>
<w:p><w:pPr><w:pPrChange w:id="5" w:author="{p("format author")}"><w:pPr/></w:pPrChange></w:pPr>
<w:permStart w:id="6" w:ed="{p("permission")}"/>{run("x")}</w:p>
<w:tbl><w:tr><w:tc><w:p>{run(p("table cell"))}</w:p></w:tc></w:tr><w:tr><w:trPr><w:del w:id="7" {who}/></w:trPr>
<w:tc><w:p>{run(p("deleted row"))}</w:p></w:tc></w:tr></w:tbl>
<w:p>{picture.format(p("picture name"), p("alt text"), p("alt title"), p("picture file"), "i1")}</w:p>
<w:p>{picture.format("Vector", "v", "v", "v", "i2")}</w:p>
<w:p><w:r><w:object><o:OLEObject r:id="o1" ProgID="{p("program")}"/></w:object></w:r></w:p>
<w:p><w:r><w:pict><v:shape alt="{p("old alt")}"><v:textpath string="{p("watermark")}"/><v:textbox><w:txbxContent><w:p>
{run(p("text box"))}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>
<w:sdt><w:sdtPr><w:alias w:val="{p("control title")}"/><w:tag w:val="{p("control tag")}"/><w:dataBinding
w:xpath="{p("binding")}"/><w:dropDownList><w:listItem w:displayText="{p("choice")}" w:value="{p("choice value")}"/>
</w:dropDownList></w:sdtPr><w:sdtContent><w:p>{run(p("content control"))}</w:p></w:sdtContent></w:sdt>
<w:p>{field.format("begin")}<w:r><w:instrText>HYPERLINK "mailto:{p("field code")}"</w:instrText></w:r>
{field.format("separate")}{run("write")}{field.format("end")}</w:p>
<w:p><w:fldSimple w:instr="AUTHOR {p("simple field")}">{run("x")}</w:fldSimple></w:p>
<w:p><w:hyperlink r:id="h1" w:tooltip="{p("tooltip")}">{run("link")}</w:hyperlink></w:p>
<w:p><w:bookmarkStart w:id="9" w:name="{glued}"/>{run("y")}<w:bookmarkEnd w:id="9"/><w:hyperlink w:anchor="{glued}">
{run("jump")}</w:hyperlink></w:p>
<w:p><w:smartTag w:element="PersonName"><w:smartTagPr><w:attr w:name="who" w:val="{p("smart tag")}"/></w:smartTagPr>
{run("z")}</w:smartTag><m:oMath><m:r><m:t>{p("formula")}</m:t></m:r></m:oMath></w:p>
<!-- {p("XML comment")} --><?note {p("instruction")}?>
<w:p><w:r><w:drawing><wp:inline><a:graphic><a:graphicData><c:chart r:id="c1"/></a:graphicData></a:graphic></wp:inline>
</w:drawing></w:r></w:p><w:altChunk r:id="k1"/>
<w:sectPr><w:headerReference w:type="default" r:id="h2"/><w:footerReference w:type="default" r:id="f1"/></w:sectPr>
</w:body></w:document>"""


def docx(p: Plants) -> Sample:
    def story(root: str, place: str) -> str:
        return f"<w:{root} {_NS}><w:p>{run(p(place))}</w:p></w:{root}>"

    def note(root: str, item: str, place: str, more: str = "") -> str:
        return f'<w:{root} {_NS}><w:{item} w:id="1" {more}><w:p>{run(p(place))}</w:p></w:{item}></w:{root}>'

    word = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    parts: dict[str, str | bytes] = {
        "_rels/.rels": rels(("d1", "officeDocument", "word/document.xml"), *ROOT),
        "word/document.xml": _body(p),
        "word/_rels/document.xml.rels": rels(
            *(
                ("s1", "styles", "styles.xml"),
                ("s2", "settings", "settings.xml"),
                ("h2", "header", "header1.xml"),
            ),
            *(
                ("f1", "footer", "footer1.xml"),
                ("n1", "footnotes", "footnotes.xml"),
                ("n2", "endnotes", "endnotes.xml"),
            ),
            *(
                ("m1", "comments", "comments.xml"),
                ("g1", "glossaryDocument", "glossary/document.xml"),
            ),
            ("i1", "image", f"media/{p('picture path').replace(' ', '_')}.png"),
            ("i2", "image", "media/image2.emf"),
            ("o1", "oleObject", "embeddings/oleObject1.bin"),
            ("k1", "aFChunk", "chunk.htm"),
            ("h1", "hyperlink", f"mailto:{p('link target').replace(' ', '%20')}"),
            ("c1", "chart", "charts/chart1.xml"),
            ("x9", "customXml", "../customXml/item1.xml"),
            ("y1", f"{_MS}/2011/relationships/people", "people.xml"),
        ),
        "word/styles.xml": f'<w:styles {_NS}><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/>'
        "</w:style></w:styles>",
        "word/settings.xml": f'<w:settings {_NS}><w:attachedTemplate r:id="t1"/><w:docVars><w:docVar w:name="who" '
        f'w:val="{p("document variable")}"/></w:docVars><w:mailMerge><w:query w:val="{p("mail merge")}"/></w:mailMerge>'
        "</w:settings>",
        "word/_rels/settings.xml.rels": rels(
            ("t1", "attachedTemplate", f"file:///C:/Users/{p('template')}/a.dotx")
        ),
        "word/header1.xml": story("hdr", "header"),
        "word/footer1.xml": story("ftr", "footer"),
        "word/footnotes.xml": note("footnotes", "footnote", "footnote"),
        "word/endnotes.xml": note("endnotes", "endnote", "endnote"),
        "word/comments.xml": note(
            "comments",
            "comment",
            "comment",
            f'w:author="{p("comment author")}" w:initials="{p("initials")}"',
        ),
        "word/people.xml": f"<people><person author='{p('people')}'/></people>",
        "word/glossary/document.xml": story("glossaryDocument", "building block"),
        f"word/media/{p('picture path').replace(' ', '_')}.png": png(p("picture metadata")),
        "word/media/image2.emf": b"\1\0\0\0" + p("vector picture").encode("utf-16-le"),
        "word/embeddings/oleObject1.bin": b"\xd0\xcf\x11\xe0"
        + p("embedded object").encode("utf-16-le"),
        "word/chunk.htm": f"<p>{p('imported chunk')}</p>",
        "word/charts/chart1.xml": chart(p),
        "word/charts/_rels/chart1.xml.rels": rels(("x1", "package", "../embeddings/book.xlsx")),
        "word/embeddings/book.xlsx": p("chart workbook").encode("utf-16-le"),
        **properties(p),
    }
    kinds = {
        "word/document.xml": f"{word}.document.main+xml",
        "word/charts/chart1.xml": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
        "docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
    }
    named = {"header1": "header", "footer1": "footer"}
    kinds |= {
        f"word/{n}.xml": f"{word}.{named.get(n, n)}+xml"
        for n in "styles settings header1 footer1 footnotes endnotes comments".split()
    }
    return Sample(zipped({"[Content_Types].xml": types(kinds), **parts}), p.where)


def _sheet(p: Plants) -> str:
    def cell(at: str, inner: str, more: str = "") -> str:
        return f'<c r="{at}"{more}>{inner}</c>'

    text = '<is><r><t>{}</t></r><r><rPr><b/></rPr><t xml:space="preserve"> {}</t></r></is>'
    shared = ' t="s"'
    return f"""<worksheet xmlns="{_S}" xmlns:r="{R}"><sheetPr codeName="{p("code name")}"/><sheetData>
<row r="1">{cell("A1", "<v>0</v>", shared)}{cell("B1", "<v>1</v>", shared)}{cell("C1", "<v>2</v>", shared)}</row>
<row r="2" hidden="1">{cell("A2", "<v>3</v>", shared)}{cell("B2", "<v>31118</v>", ' s="1"')}{cell("C2", "<v>4</v>")}</row>
<row r="3">{cell("A3", text.format(*p("inline string").split()), ' t="inlineStr"')}
{cell("B3", f'<f>CONCATENATE("{p("formula literal")}",A2)</f><v>{p("cached value")}</v>', ' t="str"')}
{cell("C3", f"<f>'[1]{p('other file')}'!A1</f><v>7</v>")}
{cell("D3", f"<f>'{p('sheet name')}'!A1</f><v>ok</v>", ' t="str"')}</row>
<row r="4">{cell("A4", "<v>3</v>", shared)}{cell("B4", "<v>6</v>", shared)}</row></sheetData>
<protectedRanges><protectedRange name="{p("protected range")}" sqref="A1"/></protectedRanges>
<scenarios><scenario name="{p("scenario")}" user="{p("scenario user")}"/></scenarios>
<dataValidations><dataValidation type="list" sqref="A9" promptTitle="{p("prompt title")}" prompt="{p("prompt")}"
error="{p("error message")}"><formula1>"{p("validation list")},nobody"</formula1></dataValidation></dataValidations>
<hyperlinks><hyperlink ref="A1" r:id="h1" display="{p("link display")}" tooltip="{p("tooltip")}"/></hyperlinks>
<autoFilter ref="A1:C4"><filterColumn colId="0"><filters><filter val="{p("filter value")}"/></filters></filterColumn>
</autoFilter><conditionalFormatting sqref="A1"><cfRule type="containsText" priority="1" operator="containsText"
text="{p("rule text")}"/></conditionalFormatting>
<headerFooter><oddHeader>&amp;L{p("header")}</oddHeader><oddFooter>&amp;C{p("footer")}</oddFooter></headerFooter>
<drawing r:id="d1"/><legacyDrawing r:id="v1"/><tableParts count="1"><tablePart r:id="t1"/></tableParts></worksheet>"""


def _drawing(p: Plants) -> str:
    xdr = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"
    return (
        f'<xdr:wsDr xmlns:xdr="{xdr}" {_NS}><xdr:oneCellAnchor><xdr:from><xdr:col>2006</xdr:col></xdr:from><xdr:sp>'
        f'<xdr:nvSpPr><xdr:cNvPr id="2" name="{p("shape name")}" descr="{p("alt text")}"/></xdr:nvSpPr><xdr:txBody><a:p>'
        f"<a:r><a:t>{p('text box')}</a:t></a:r></a:p></xdr:txBody></xdr:sp></xdr:oneCellAnchor><xdr:oneCellAnchor>"
        '<xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c1"/></a:graphicData></a:graphic>'
        "</xdr:graphicFrame></xdr:oneCellAnchor></xdr:wsDr>"
    )


def xlsx(p: Plants) -> Sample:
    book = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    glued = p("shared string").replace(" ", "_")

    def si(text: str) -> str:
        return f'<si><t xml:space="preserve">{text}</t></si>'

    strings = [
        si("Name"),
        si("Born"),
        si("Code"),
        si(p("shared string")),
        si(p("unused string")),
        si("free"),
    ]
    strings += [f"<si><t>Spoken</t><rPh sb='0' eb='1'><t>{p('reading aid')}</t></rPh></si>"]
    parts: dict[str, str | bytes] = {
        "_rels/.rels": rels(("d1", "officeDocument", "xl/workbook.xml"), *ROOT),
        "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{R}"><fileSharing userName="{p("reserved by")}"/>'
        f'<sheets><sheet name="{p("sheet name")}" sheetId="1" r:id="s1"/><sheet name="Hidden" sheetId="2" '
        f'state="veryHidden" r:id="s2"/></sheets><externalReferences><externalReference r:id="e1"/></externalReferences>'
        f'<definedNames><definedName name="{glued}" comment="{p("name comment")}">\'{p("sheet name")}\'!$A$1'
        f'</definedName><definedName name="constant">"{p("named constant")}"</definedName></definedNames>'
        f'<pivotCaches><pivotCache cacheId="1" r:id="c1"/></pivotCaches></workbook>',
        "xl/_rels/workbook.xml.rels": rels(
            *(
                ("s1", "worksheet", "worksheets/sheet1.xml"),
                ("s2", "worksheet", "worksheets/sheet2.xml"),
            ),
            *(("st", "styles", "styles.xml"), ("sh", "sharedStrings", "sharedStrings.xml")),
            *(
                ("e1", "externalLink", "externalLinks/externalLink1.xml"),
                ("q1", "connections", "connections.xml"),
            ),
            ("c1", "pivotCacheDefinition", "pivotCache/pivotCacheDefinition1.xml"),
            ("y1", f"{_MS}/2017/10/relationships/person", "persons/person.xml"),
        ),
        "xl/styles.xml": f'<styleSheet xmlns="{_S}"><fonts count="1"><font><name val="Calibri"/></font></fonts><fills count="1">'
        '<fill><patternFill/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0"/></cellXfs></styleSheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{_S}">{"".join(strings)}</sst>',
        "xl/worksheets/sheet1.xml": _sheet(p),
        "xl/worksheets/_rels/sheet1.xml.rels": rels(
            *(
                ("d1", "drawing", "../drawings/drawing1.xml"),
                ("v1", "vmlDrawing", "../drawings/vml1.vml"),
            ),
            *(("t1", "table", "../tables/table1.xml"), ("m1", "comments", "../comments1.xml")),
            ("h1", "hyperlink", f"mailto:{p('link target').replace(' ', '%20')}"),
            ("z1", "printerSettings", "../printerSettings/printerSettings1.bin"),
            ("tc", f"{_MS}/2017/10/relationships/threadedComment", "../threadedComments/tc1.xml"),
        ),
        "xl/worksheets/sheet2.xml": f'<worksheet xmlns="{_S}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>'
        f"{p('hidden sheet')}</t></is></c></row></sheetData></worksheet>",
        "xl/drawings/drawing1.xml": _drawing(p),
        "xl/drawings/_rels/drawing1.xml.rels": rels(("c1", "chart", "../charts/chart1.xml")),
        "xl/charts/chart1.xml": chart(p),
        "xl/drawings/vml1.vml": f'<xml xmlns:v="urn:schemas-microsoft-com:vml"><v:shape alt="{p("comment shape")}">'
        f"<v:textbox><div>{p('comment box')}</div></v:textbox></v:shape></xml>",
        "xl/tables/table1.xml": f'<table xmlns="{_S}" id="1" name="t{glued}" displayName="t{glued}" ref="A1:C4" '
        f'comment="{p("table comment")}"><tableColumns count="3"><tableColumn id="1" name="Name"/><tableColumn id="2" '
        'name="Born"/><tableColumn id="3" name="Code"/></tableColumns></table>',
        "xl/comments1.xml": f'<comments xmlns="{_S}"><authors><author>{p("comment author")}</author></authors><commentList>'
        f'<comment ref="A1" authorId="0"><text><r><t>{p("comment")}</t></r></text></comment></commentList></comments>',
        "xl/threadedComments/tc1.xml": f"<x><text>{p('threaded comment')}</text></x>",
        "xl/persons/person.xml": f'<personList><person displayName="{p("person")}"/></personList>',
        "xl/externalLinks/externalLink1.xml": f"<x><v>{p('external cache')}</v></x>",
        "xl/connections.xml": f'<connections><connection connection="{p("connection")}"/></connections>',
        "xl/pivotCache/pivotCacheDefinition1.xml": f'<x><s v="{p("pivot cache")}"/></x>',
        "xl/printerSettings/printerSettings1.bin": p("printer").encode("utf-16-le"),
        **properties(p),
    }
    kinds = {
        "xl/workbook.xml": f"{book}.sheet.main+xml",
        "xl/worksheets/sheet1.xml": f"{book}.worksheet+xml",
        "xl/worksheets/sheet2.xml": f"{book}.worksheet+xml",
        "xl/styles.xml": f"{book}.styles+xml",
        "xl/sharedStrings.xml": f"{book}.sharedStrings+xml",
        "xl/comments1.xml": f"{book}.comments+xml",
        "xl/tables/table1.xml": f"{book}.table+xml",
        "xl/drawings/drawing1.xml": "application/vnd.openxmlformats-officedocument.drawing+xml",
        "xl/charts/chart1.xml": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    }
    return Sample(zipped({"[Content_Types].xml": types(kinds), **parts}), p.where)


_ODF = (
    " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in {
            **{
                n: n
                for n in ("office", "text", "table", "style", "meta", "form", "config", "script")
            },
            "draw": "drawing",
            "svg": "svg-compatible",
        }.items()
    )
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
)


def odt(p: Plants) -> Sample:
    first, last = p("split over spans").split()
    glued = p("body").replace(" ", "")
    picture = p("picture path").replace(" ", "_")
    change = (
        f"<office:change-info><dc:creator>{p('change author')}</dc:creator></office:change-info>"
    )
    content = f"""<office:document-content {_ODF} office:version="1.3"><office:scripts><script:x>{p("script")}</script:x>
</office:scripts><office:body><office:text><text:tracked-changes><text:changed-region><text:deletion>{change}<text:p>
{p("deletion")}</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:variable-decls/><text:user-field-decls><text:user-field-decl text:name="who" office:string-value="{p("user field")}"/>
</text:user-field-decls>
<office:forms><form:form><form:text form:current-value="{p("form value")}" form:label="{p("form label")}"/></form:form>
</office:forms>
<text:h text:outline-level="1">Report on {p("body")}</text:h>
<text:p text:style-name="Standard">Seen: <text:span text:style-name="T1">{first}</text:span><text:s/>{last[:3]}<text:span>
</text:span></text:p><text:p>Met <text:span>{first}</text:span><text:s/><text:span>{last}</text:span> there.</text:p>
<text:p>Kept as it stands: the court sat in March.</text:p>
<text:p><text:creation-date text:date-value="1985-03-12">12 March</text:creation-date></text:p>
<table:table><table:table-row><table:table-cell office:value-type="date" office:date-value="1985-03-12" table:formula="x">
<text:p>12 March</text:p></table:table-cell></table:table-row></table:table>
<text:p>Note<office:annotation><dc:creator>{p("annotation author")}</dc:creator><dc:date>2021-05-03</dc:date>
<meta:creator-initials>{p("initials")}</meta:creator-initials><text:p>{p("annotation")}</text:p></office:annotation> and
<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>{p("footnote")}
</text:p></text:note-body></text:note></text:p>
<text:p><text:hidden-text text:string-value="{p("hidden text")}"/><text:a xlink:href="mailto:{p("link").replace(" ", "%20")}">
write</text:a><text:bookmark text:name="{glued}"/><text:bookmark-ref text:ref-name="{glued}">y</text:bookmark-ref></text:p>
<text:section text:name="s" text:display="none"><text:p>{p("hidden section")}</text:p></text:section>
<table:table table:name="{p("table name")}"><table:table-row><table:table-cell office:value-type="string"
office:string-value="{p("cell value")}"><text:p>{p("table cell")}</text:p></table:table-cell></table:table-row></table:table>
<text:p><draw:frame draw:name="{p("frame name")}"><draw:image xlink:href="Pictures/{picture}.png"/><svg:title>
{p("alt title")}</svg:title><svg:desc>{p("alt text")}</svg:desc></draw:frame><draw:frame><draw:object
xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame><draw:frame><draw:text-box>
<text:p>{p("text box")}</text:p></draw:text-box></draw:frame></text:p><!-- {p("XML comment")} -->
</office:text></office:body></office:document-content>"""
    styles = f"""<office:document-styles {_ODF}><office:master-styles><style:master-page style:name="Standard"><style:header>
<text:p>{p("header")}</text:p></style:header><style:footer><text:p>{p("footer")}</text:p></style:footer></style:master-page>
</office:master-styles></office:document-styles>"""
    meta = f"""<office:document-meta {_ODF}><office:meta><meta:initial-creator>{p("creator")}</meta:initial-creator><dc:title>
{p("title")}</dc:title><meta:user-defined meta:name="who">{p("user-defined")}</meta:user-defined></office:meta>
</office:document-meta>"""
    parts: dict[str, str | bytes] = {
        "mimetype": "application/vnd.oasis.opendocument.text",
        "content.xml": content,
        "styles.xml": styles,
        "meta.xml": meta,
        "settings.xml": f'<office:document-settings {_ODF}><config:config-item config:name="PrinterName">{p("printer")}'
        "</config:config-item></office:document-settings>",
        f"Pictures/{picture}.png": png(p("picture metadata")),
        "Thumbnails/thumbnail.png": png(p("thumbnail")),
        "Object 1/content.xml": f"<x>{p('embedded object')}</x>",
        "ObjectReplacements/Object 1": png(p("object rendering")),
        "Basic/Standard/Module1.xml": f"<x>{p('macro')}</x>",
        "META-INF/manifest.xml": "<m/>",
        "META-INF/documentsignatures.xml": f"<s>{p('signature')}</s>",
    }
    return Sample(zipped(parts), p.where)


def pdf(p: Plants) -> Sample:
    """Two pages, one turned; form field, note, outline, metadata, attachment-like strings."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.annotations import Text
    from reportlab.pdfgen import canvas

    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, invariant=1)
    page.setAuthor(p("author"))
    page.setTitle(p("title"))
    page.drawString(72, 700, f"The report on {p('body')} was kept.")
    page.drawString(72, 680, "Kept as it stands: the court sat in March.")
    hidden = page.beginText(72, 660)
    hidden.setTextRenderMode(3)
    hidden.textOut(p("invisible text"))
    page.drawText(hidden)
    page.acroForm.textfield(name="who", value=p("form value"), x=72, y=600, width=200, height=20)
    page.bookmarkPage("one")
    page.addOutlineEntry(p("outline"), "one")
    page.showPage()
    page.setPageRotation(90)
    page.drawString(72, 300, f"Second page: {p('turned page')} again")
    page.showPage()
    page.save()
    writer = PdfWriter(clone_from=PdfReader(buffer))
    writer.add_annotation(0, Text(rect=(300, 300, 320, 320), text=p("note")))
    writer.add_attachment("notes.txt", p("attachment").encode())
    out = io.BytesIO()
    writer.write(out)
    return Sample(out.getvalue(), p.where)


def long_sheet(rows: int) -> bytes:
    """An ordinary workbook of this many rows, as openpyxl writes it: names, dates, numbers, texts and formulas."""
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Roofs")
    sheet.append(["Name", "Phone", "Born", "Note", "Sum", "Twice"])
    for at in range(2, rows + 2):
        who = f"{FIRST[at % 16]} {SYLLABLES[at % 16].capitalize()}{SYLLABLES[at // 16 % 16]}{SYLLABLES[at // 256 % 16]}"
        number = f"+44 7700 9{at % 100_000:05d}"
        sheet.append(
            [
                who,
                number,
                f"{at % 28 + 1}/03/1985",
                f"{who} asked about roof {at}.",
                at * 7,
                f"=E{at}*2",
            ]
        )
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def nested_tags(count: int, depth: int = 40) -> bytes:
    """A document of smart tags in smart tags, `count` in all."""
    tag = '<w:smartTag w:uri="urn:x" w:element="e">'
    nest = tag * depth + run("x") + "</w:smartTag>" * depth
    body = f"<w:p>{nest * (count // depth)}</w:p>"
    return _plain_docx(body)


def long_letter(paragraphs: int) -> bytes:
    """An ordinary document of this many paragraphs, with fields, bookmarks and styles."""
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    field = (
        mark.format("begin") + "<w:r><w:instrText> PAGE </w:instrText></w:r>" + mark.format("end")
    )
    one = (
        '<w:p><w:bookmarkStart w:id="{0}" w:name="mark{0}"/>{1}<w:bookmarkEnd w:id="{0}"/>'
        + field
        + '<w:fldSimple w:instr="AUTHOR">{1}</w:fldSimple></w:p>'
    )
    return _plain_docx(
        "".join(
            one.format(at, run(f"Paragraph {at} about {FIRST[at % 16]}."))
            for at in range(paragraphs)
        )
    )


def _plain_docx(body: str) -> bytes:
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return zipped(
        {
            "[Content_Types].xml": types({"word/document.xml": main}),
            "_rels/.rels": rels(("d1", "officeDocument", "word/document.xml")),
            "word/document.xml": f"<w:document {_NS}><w:body>{body}</w:body></w:document>",
        }
    )


def with_one(name: str) -> dict[str, bytes]:
    """All files, with the same person everywhere."""
    return {file: make(Plants(name)).raw for file, make in MAKERS.items()}


MAKERS = {"letter.docx": docx, "book.xlsx": xlsx, "letter.odt": odt, "letter.pdf": pdf}
