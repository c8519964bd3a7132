# ruff: noqa: E501 - XML reads better in whole elements
"""Places of Word documents that can hide text."""

from __future__ import annotations

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from urllib.parse import quote

from . import Place

R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MS = "http://schemas.microsoft.com/office"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "application/vnd.openxmlformats-officedocument"
WORD = f"{OFFICE}.wordprocessingml"
SPACES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "r": R,
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
    "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "w10": "urn:schemas-microsoft-com:office:word",
    "w14": f"{MS}/word/2010/wordml",
    "w15": f"{MS}/word/2012/wordml",
    "wps": f"{MS}/word/2010/wordprocessingShape",
    "wpg": f"{MS}/word/2010/wordprocessingGroup",
    "wp14": f"{MS}/word/2010/wordprocessingDrawing",
    "a14": f"{MS}/drawing/2010/main",
    "dsp": f"{MS}/drawing/2008/diagram",
    "c15": f"{MS}/drawing/2012/chart",
}
NS = (
    " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in SPACES.items())
    + ' mc:Ignorable="w14 w15 wp14"'
)


def glue(planted: str) -> str:
    """The planted text as a name of the format: letters, digits and underscores."""
    return "N_" + re.sub(r"\W+", "_", planted)


def zipped(parts: Mapping[str, str | bytes], comment: bytes = b"", extra: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name)
            info.extra = extra
            archive.writestr(info, data)
        archive.comment = comment
    return buffer.getvalue()


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    """A grey pixel, with chunks after the header."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    header = (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    whole = (header, *chunks, (b"IDAT", zlib.compress(b"\0\x80")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*each) for each in whole)


def relations(*items: tuple[str, str, str]) -> str:
    """Relationships `(id, type, target)`: a type without a scheme is an office one, a target with one is external."""
    lines = []
    for name, kind, target in items:
        full = kind if ":" in kind else f"{R}/{kind}"
        mode = ' TargetMode="External"' if re.match(r"[a-z]+:", target) else ""
        lines.append(f'<Relationship Id="{name}" Type="{full}" Target="{target}"{mode}/>')
    return f'<Relationships xmlns="{PACKAGE}/relationships">{"".join(lines)}</Relationships>'


def content_types(overrides: Mapping[str, str]) -> str:
    defaults = {
        "rels": "application/vnd.openxmlformats-package.relationships+xml",
        "xml": "application/xml",
        "png": "image/png",
        "emf": "image/x-emf",
        "bin": "application/octet-stream",
        "htm": "text/html",
        "vml": f"{OFFICE}.vmlDrawing",
        "odttf": f"{OFFICE}.obfuscatedFont",
        "xlsx": f"{OFFICE}.spreadsheetml.sheet",
        "docx": f"{WORD}.document",
        "jpeg": "image/jpeg",
    }
    lines = [f'<Default Extension="{e}" ContentType="{k}"/>' for e, k in defaults.items()]
    lines += [
        f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in overrides.items()
    ]
    return f'<Types xmlns="{PACKAGE}/content-types">{"".join(lines)}</Types>'


def r(text: str, properties: str = "") -> str:
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{text}</w:t></w:r>'


def p(inner: str, properties: str = "") -> str:
    return f"<w:p>{f'<w:pPr>{properties}</w:pPr>' if properties else ''}{inner}</w:p>"


def root(name: str, inner: str, more: str = "") -> str:
    return f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:{name} {NS}{more}>{inner}</w:{name}>'


THEME = (
    f'<a:theme xmlns:a="{SPACES["a"]}" name="{{}}"><a:themeElements><a:clrScheme name="{{}}">'
    + "".join(
        f'<a:{c}><a:srgbClr val="4F81BD"/></a:{c}>'
        for c in "dk1 lt1 dk2 lt2 accent1 accent2 accent3 accent4 accent5 accent6 hlink folHlink".split()
    )
    + '</a:clrScheme><a:fontScheme name="{}"><a:majorFont><a:latin typeface="{}"/><a:ea typeface=""/><a:cs typeface=""/>'
    '</a:majorFont><a:minorFont><a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface=""/></a:minorFont>'
    '</a:fontScheme><a:fmtScheme name="Office"><a:fillStyleLst>'
    + '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>' * 3
    + "</a:fillStyleLst><a:lnStyleLst>"
    + '<a:ln w="6350"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill></a:ln>' * 3
    + "</a:lnStyleLst><a:effectStyleLst>"
    + "<a:effectStyle><a:effectLst/></a:effectStyle>" * 3
    + "</a:effectStyleLst><a:bgFillStyleLst>"
    + '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>' * 3
    + "</a:bgFillStyleLst></a:fmtScheme></a:themeElements>{}</a:theme>"
)

Parts = dict[str, str | bytes]


def document(
    body: str,
    here: str = "",
    *,
    sect: str = "",
    styles: str = "",
    settings: str = "",
    numbering: str = "",
    fonts: str = "",
    theme: str = "",
    web: str = "",
    rels: tuple[tuple[str, str, str], ...] = (),
    root_rels: tuple[tuple[str, str, str], ...] = (),
    parts: Parts | None = None,
    kinds: Mapping[str, str] | None = None,
    more: str = "",
    tail: str = "",
    comment: bytes = b"",
    extra: bytes = b"",
    main: str = "word/document.xml",
) -> bytes:
    """A document that shows `body`, with `here` after it."""
    overrides = {
        main: f"{WORD}.document.main+xml",
        "word/styles.xml": f"{WORD}.styles+xml",
        "word/settings.xml": f"{WORD}.settings+xml",
        "word/numbering.xml": f"{WORD}.numbering+xml",
        "word/fontTable.xml": f"{WORD}.fontTable+xml",
        "word/theme/theme1.xml": f"{OFFICE}.theme+xml",
        "word/webSettings.xml": f"{WORD}.webSettings+xml",
    }
    folder, _, file = main.rpartition("/")
    every: Parts = {
        "[Content_Types].xml": content_types({**overrides, **(kinds or {})}),
        "_rels/.rels": relations(("rId1", "officeDocument", main), *root_rels),
        main: root(
            "document", f"<w:body>{p(r(body))}{here}<w:sectPr>{sect}</w:sectPr></w:body>", more
        )
        + tail,
        f"{folder}/_rels/{file}.rels": relations(
            *(("rId1", "styles", "styles.xml"), ("rId2", "settings", "settings.xml")),
            *(("rId3", "numbering", "numbering.xml"), ("rId4", "fontTable", "fontTable.xml")),
            *(
                ("rId5", "theme", "theme/theme1.xml"),
                ("rId6", "webSettings", "webSettings.xml"),
                *rels,
            ),
        ),
        "word/styles.xml": root(
            "styles",
            '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults><w:style '
            'w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>'
            + styles,
        ),
        "word/settings.xml": root("settings", '<w:zoom w:percent="100"/>' + settings),
        "word/numbering.xml": root("numbering", numbering),
        "word/fontTable.xml": root(
            "fonts",
            '<w:font w:name="Calibri"><w:charset w:val="00"/><w:family w:val="swiss"/></w:font>'
            + fonts,
        ),
        "word/theme/theme1.xml": theme or THEME.format("Office", "Office", "Office", "Cambria", ""),
        "word/webSettings.xml": root("webSettings", web),
        **(parts or {}),
    }
    return zipped(every, comment, extra)


def chart(title: str = "Roofs", cache: str = "Tiles", **more: str) -> str:
    """A bar chart; `more` fills other spots by name."""
    m = (
        dict.fromkeys("ser fmt extra date lang alt user printed pivot axis label trend".split(), "")
        | more
    )
    return (
        f"<c:chartSpace {NS}>{m['pivot']}<c:chart><c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx>"
        f'</c:title><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/><c:grouping val="clustered"/><c:ser><c:idx val="0"/><c:order val="0"/>'
        f"<c:tx><c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache><c:ptCount val='1'/><c:pt idx='0'><c:v>{m['ser'] or 'Sum'}</c:v></c:pt></c:strCache>"
        f"</c:strRef></c:tx>{m['label']}{m['trend']}<c:cat><c:strRef><c:f>{(m['fmt'] and m['fmt']) or 'Sheet1!$A$2'}</c:f><c:strCache><c:ptCount val='1'/><c:pt idx='0'><c:v>{cache}"
        "</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>Sheet1!$B$2</c:f><c:numCache><c:formatCode>"
        f"{m['date'] or 'General'}</c:formatCode><c:ptCount val='1'/><c:pt idx='0'><c:v>41</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>"
        f'<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:scaling><c:orientation val="minMax"/></c:scaling>'
        f'<c:delete val="0"/><c:axPos val="b"/>{m["axis"]}<c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/>'
        f'</c:scaling><c:delete val="0"/><c:axPos val="l"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart>{m["printed"]}{m["user"]}{m["extra"]}</c:chartSpace>'
    )


def frame(inner: str, name: str = "Object 1", more: str = "", children: str = "") -> str:
    return p(
        f'<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="914400" cy="914400"/><wp:docPr id="1" name="{name}"{more}>'
        f"{children}</wp:docPr><a:graphic>{inner}</a:graphic></wp:inline></w:drawing></w:r>"
    )


def picture(embed: str, name: str = "Picture 1", more: str = "", **spots: str) -> str:
    inner = (
        f'<a:graphicData uri="{SPACES["pic"]}"><pic:pic><pic:nvPicPr><pic:cNvPr id="2" name="{spots.get("file", "a.png")}"/><pic:cNvPicPr/>'
        f'</pic:nvPicPr><pic:blipFill><a:blip r:embed="{embed}">{spots.get("blip", "")}</a:blip><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr>'
        '<a:xfrm><a:off x="0" y="0"/><a:ext cx="914400" cy="914400"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData>'
    )
    return frame(inner, name, more, spots.get("children", ""))


def with_picture(body: str, here: str, data: bytes = b"", **more: object) -> bytes:
    rels = (("rId20", "image", "media/image1.png"), *more.pop("rels", ()))  # type: ignore[misc]
    return document(body, here, rels=rels, parts={"word/media/image1.png": data or png()}, **more)  # type: ignore[arg-type]


def with_chart(body: str, xml: str, rels: str = "", parts: Parts | None = None) -> bytes:
    here = frame(f'<a:graphicData uri="{SPACES["c"]}"><c:chart r:id="rId20"/></a:graphicData>')
    every: Parts = {"word/charts/chart1.xml": xml, **(parts or {})}
    if rels:
        every["word/charts/_rels/chart1.xml.rels"] = rels
    kinds = {"word/charts/chart1.xml": f"{OFFICE}.drawingml.chart+xml"}
    return document(
        body, here, rels=(("rId20", "chart", "charts/chart1.xml"),), parts=every, kinds=kinds
    )


def with_story(
    body: str, kind: str, tag: str, inner: str, reference: str = "", sect: str = "", **more: object
) -> bytes:
    """A document with another story: header, footer, notes, comments."""
    return document(
        body,
        p(f"<w:r>{reference}</w:r>") if reference else "",
        sect=sect,
        rels=(("rId20", kind, f"{kind}1.xml"),),
        parts={f"word/{kind}1.xml": root(tag, inner)},
        kinds={f"word/{kind}1.xml": f"{WORD}.{kind}+xml"},
        **more,  # type: ignore[arg-type]
    )


def with_comment(body: str, more: str, text: str = "Fine.", **extra: object) -> bytes:
    inner = f'<w:comment w:id="1" {more}>{p(r(text))}</w:comment>'
    return with_story(
        body, "comments", "comments", inner, '<w:commentReference w:id="1"/>', **extra
    )


def part(
    body: str,
    kind: str,
    path: str,
    data: str | bytes,
    of_type: str = "application/xml",
    here: str = "",
) -> bytes:
    """A document with one more part, behind a relationship of this kind."""
    return document(
        body,
        here,
        rels=(("rId20", kind, path),),
        parts={f"word/{path}" if not path.startswith("/") else path[1:]: data},
        kinds={f"word/{path}" if not path.startswith("/") else path[1:]: of_type},
    )


def shape(inner: str = "", more: str = "", before: str = "") -> str:
    return p(
        f'<w:r><w:pict>{before}<v:shape id="_x0000_s1026" style="width:100pt;height:50pt"{more}>{inner}</v:shape></w:pict></w:r>'
    )


def field(code: str, result: str = "one") -> str:
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    told = f'<w:r><w:instrText xml:space="preserve"> {code} </w:instrText></w:r>'
    return p(mark.format("begin") + told + mark.format("separate") + r(result) + mark.format("end"))


def with_field(code: str) -> Callable[[str, str], bytes]:
    """A place in a field code: `{t}` is the planted text, `{g}` the same as a name."""
    return lambda t, b: document(b, field(code.format(t=t, g=glue(t))))


def control(properties: str, text: str = "one") -> str:
    return (
        f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{p(r(text))}</w:sdtContent></w:sdt>"
    )


def form(inner: str, code: str = "FORMTEXT") -> str:
    data = f'<w:r><w:fldChar w:fldCharType="begin"><w:ffData>{inner}</w:ffData></w:fldChar></w:r>'
    mark = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    told = f"<w:r><w:instrText> {code} </w:instrText></w:r>"
    return p(data + told + mark.format("separate") + r("one") + mark.format("end"))


def change(tag: str, who: str, inner: str = "", date: str = "2021-05-03T10:00:00Z") -> str:
    return f'<w:{tag} w:id="7" w:author="{who}" w:date="{date}">{inner}</w:{tag}>'


def text_box(inner: str, name: str = "Box", fallback: str = "") -> str:
    inside = (
        f'<w:drawing><wp:inline><wp:extent cx="914400" cy="914400"/><wp:docPr id="3" name="{name}"/><a:graphic><a:graphicData uri="{SPACES["wps"]}">'
        f'<wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx><w:txbxContent>{inner}</w:txbxContent>'
        "</wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    choice = f'<mc:Choice Requires="wps">{inside}</mc:Choice>'
    return p(
        f"<w:r><mc:AlternateContent>{choice}<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent></w:r>"
    )


def properties(body: str, kind: str, path: str, data: str | bytes, of_type: str) -> bytes:
    full = kind if ":" in kind else f"{R}/{kind}"
    return document(
        body, root_rels=(("rId9", full, path),), parts={path: data}, kinds={path: of_type}
    )


def core(t: str, tag: str) -> str:
    dc = "http://purl.org/dc/elements/1.1/"
    return f'<cp:coreProperties xmlns:cp="{PACKAGE}/metadata/core-properties" xmlns:dc="{dc}"><{tag}>{t}</{tag}></cp:coreProperties>'


def with_core(t: str, b: str, tag: str) -> bytes:
    kind = "application/vnd.openxmlformats-package.core-properties+xml"
    return properties(
        b,
        f"{PACKAGE}/relationships/metadata/core-properties",
        "docProps/core.xml",
        core(t, tag),
        kind,
    )


def with_app(t: str, b: str, tag: str) -> bytes:
    space = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"
    data = f'<Properties xmlns="{space}"><{tag}>{t}</{tag}></Properties>'
    return properties(
        b, "extended-properties", "docProps/app.xml", data, f"{OFFICE}.extended-properties+xml"
    )


def with_custom(b: str, name: str, value: str) -> bytes:
    space = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
    types = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
    data = (
        f'<Properties xmlns="{space}" xmlns:vt="{types}"><property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" '
        f'name="{name}"><vt:lpwstr>{value}</vt:lpwstr></property></Properties>'
    )
    return properties(
        b, "custom-properties", "docProps/custom.xml", data, f"{OFFICE}.custom-properties+xml"
    )


def with_custom_xml(b: str, data: str) -> bytes:
    return document(
        b,
        rels=(("rId20", "customXml", "../customXml/item1.xml"),),
        parts={"customXml/item1.xml": data},
    )


def smart_art(
    b: str,
    text: str = "Roof",
    prompt: str = "",
    layout: str = "Basic",
    model: str = "1",
    name: str = "node",
) -> bytes:
    ids = 'r:dm="rId21" r:lo="rId22" r:qs="rId23" r:cs="rId24"'
    here = frame(f'<a:graphicData uri="{SPACES["dgm"]}"><dgm:relIds {ids}/></a:graphicData>')
    data = (
        f'<dgm:dataModel {NS}><dgm:ptLst><dgm:pt modelId="0" type="doc"><dgm:prSet/></dgm:pt><dgm:pt modelId="{model}"><dgm:prSet phldrT="{prompt}"/><dgm:spPr/>'
        f"<dgm:t><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst/></dgm:dataModel>"
    )
    lay = (
        f'<dgm:layoutDef {NS} uniqueId="urn:x"><dgm:title val="{layout}"/><dgm:desc val=""/><dgm:catLst/><dgm:layoutNode name="{name}">'
        '<dgm:alg type="lin"/></dgm:layoutNode></dgm:layoutDef>'
    )
    kinds = {
        "data": "diagramData",
        "layout": "diagramLayout",
        "quickStyle": "diagramStyle",
        "colors": "diagramColors",
    }
    xml = {
        "data": data,
        "layout": lay,
        "quickStyle": f'<dgm:styleDef {NS} uniqueId="urn:y"/>',
        "colors": f'<dgm:colorsDef {NS} uniqueId="urn:z"/>',
    }
    rel = ("diagramData", "diagramLayout", "diagramQuickStyle", "diagramColors")
    return document(
        b,
        here,
        rels=tuple(
            (f"rId{21 + at}", rel[at], f"diagrams/{file}1.xml") for at, file in enumerate(kinds)
        ),
        parts={f"word/diagrams/{file}1.xml": xml[file] for file in kinds},
        kinds={
            f"word/diagrams/{file}1.xml": f"{OFFICE}.drawingml.{kind}+xml"
            for file, kind in kinds.items()
        },
    )


def split(text: str, sizes: int = 4) -> list[str]:
    return [text[at : at + sizes] for at in range(0, len(text), sizes)]


def style(name: str, inner: str = "", ident: str = "Roofing") -> str:
    return f'<w:style w:type="paragraph" w:customStyle="1" w:styleId="{ident}"><w:name w:val="{name}"/>{inner}</w:style>'


def bookmark(t: str) -> str:
    return f'<w:bookmarkStart w:id="9" w:name="{glue(t)}"/>{X}<w:bookmarkEnd w:id="9"/>'


def level(text: str, more: str = "", multi: str = "") -> str:
    return (
        f'<w:abstractNum w:abstractNumId="1"{multi}>{more}<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="{text}"/>'
        '</w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    )


def table(properties: str, text: str = "cell") -> str:
    return f'<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid><w:gridCol w:w="2000"/></w:tblGrid><w:tr><w:tc><w:tcPr/>{p(r(text))}</w:tc></w:tr></w:tbl>'


# fmt: off
Build = Callable[[str, str], bytes]
X = r("x")
JUMP = r("jump")

BODY: dict[str, Build] = {
    "paragraph": lambda t, b: document(b, p(r(t))),
    "name split over runs": lambda t, b: document(b, p("".join(r(piece, "<w:b/>") for piece in split(t, 3)))),
    "name split by proofing marks": lambda t, b: document(b, p('<w:proofErr w:type="spellStart"/>'.join(map(r, split(t))))),
    "name split by bookmarks": lambda t, b: document(
        b, p('<w:bookmarkStart w:id="1" w:name="a"/><w:bookmarkEnd w:id="1"/>'.join(map(r, split(t))))
    ),
    "name split by soft hyphens": lambda t, b: document(b, p("<w:r>" + "<w:softHyphen/>".join(f'<w:t xml:space="preserve">{x}</w:t>' for x in split(t)) + "</w:r>")),
    "name split by page breaks": lambda t, b: document(b, p("<w:r>" + "<w:lastRenderedPageBreak/>".join(f'<w:t xml:space="preserve">{x}</w:t>' for x in split(t)) + "</w:r>")),
    "hidden text": lambda t, b: document(b, p(r(t, "<w:vanish/>"))),
    "white text": lambda t, b: document(b, p(r(t, '<w:color w:val="FFFFFF"/><w:sz w:val="2"/>'))),
    "struck text": lambda t, b: document(b, p(r(t, "<w:dstrike/>"))),
    "table cell": lambda t, b: document(b, table("", t)),
    "hidden row": lambda t, b: document(b, table("", t).replace("<w:tc>", "<w:trPr><w:hidden/></w:trPr><w:tc>")),
    "table caption": lambda t, b: document(b, table(f'<w:tblCaption w:val="{t}"/>')),
    "table description": lambda t, b: document(b, table(f'<w:tblDescription w:val="{t}"/>')),
    "text box": lambda t, b: document(b, text_box(p(r(t)))),
    "text box fallback": lambda t, b: document(b, text_box(p(r("x")), fallback=f'<w:pict><v:shape style="width:9pt"><v:textbox><w:txbxContent>{p(r(t))}</w:txbxContent></v:textbox></v:shape></w:pict>')),
    "ruby reading": lambda t, b: document(b, p(f'<w:r><w:ruby><w:rubyPr><w:rubyAlign w:val="center"/></w:rubyPr><w:rt>{r(t)}</w:rt><w:rubyBase>{X}</w:rubyBase></w:ruby></w:r>')),
    "direction override": lambda t, b: document(b, p(f'<w:bdo w:val="rtl">{r(t)}</w:bdo>')),
    "math": lambda t, b: document(b, p(f"<m:oMath><m:r><m:t>{t}</m:t></m:r></m:oMath>")),
    "math fraction": lambda t, b: document(b, p(f"<m:oMath><m:f><m:num><m:r><m:t>{t}</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>")),
    "math normal text": lambda t, b: document(b, p(f'<m:oMathPara><m:oMath><m:r><m:rPr><m:nor/></m:rPr><w:rPr><w:rFonts w:ascii="Cambria Math"/></w:rPr><m:t>{t}</m:t></m:r></m:oMath></m:oMathPara>')),
    "text between paragraphs": lambda t, b: document(b, p(r("x")) + t + p(r("y"))),
    "text beside runs": lambda t, b: document(b, f"<w:p>{t}{X}</w:p>"),
    "paragraph mark": lambda t, b: document(b, p(r("x"), f'<w:rPr><w:lang w:val="{glue(t)}"/></w:rPr>')),
    "language": lambda t, b: document(b, p(r("x", f'<w:lang w:val="en-GB" w:eastAsia="{glue(t)}"/>'))),
    "font of a run": lambda t, b: document(b, p(r("x", f'<w:rFonts w:ascii="{t}" w:hAnsi="{t}"/>'))),
    "unknown attribute": lambda t, b: document(b, f'<w:p w14:paraId="00000001" w14:note="{t}">{X}</w:p>'),
    "unknown element": lambda t, b: document(b, p(f'{X}<w14:note w14:val="{t}"/>')),
    "foreign namespace element": lambda t, b: document(b, f"<k:note>{t}</k:note>", more=' xmlns:k="urn:k"'),
    "foreign namespace address": lambda t, b: document(b, p(r("x")), more=f' xmlns:k="urn:{glue(t)}"'),
    "foreign namespace prefix": lambda t, b: document(b, p(r("x")), more=f' xmlns:{glue(t)}="urn:k"'),
    "known namespace under another prefix": lambda t, b: document(b, f'<{glue(t)}:p xmlns:{glue(t)}="{SPACES["w"]}">{X}</{glue(t)}:p>'),
    "foreign attribute": lambda t, b: document(b, f'<w:p xmlns:k="urn:k" k:who="{t}">{X}</w:p>'),
    "XML comment": lambda t, b: document(b, f"<!-- {t} -->"),
    "processing instruction": lambda t, b: document(b, f"<?note {t}?>"),
    "processing instruction target": lambda t, b: document(b, f"<?{glue(t)} x?>"),
    "comment after the root": lambda t, b: document(b, tail=f"<!-- {t} -->"),
    "CDATA": lambda t, b: document(b, p(f"<w:r><w:t><![CDATA[{t}]]></w:t></w:r>")),
    "references to characters": lambda t, b: document(b, p(r("".join(f"&#{ord(c)};" for c in t)))),
    "alternate content": lambda t, b: document(b, p(f'<w:r><mc:AlternateContent><mc:Choice Requires="w14"><w:t>{t}</w:t></mc:Choice><mc:Fallback><w:t>x</w:t></mc:Fallback></mc:AlternateContent></w:r>')),
    "alternate content of an unknown kind": lambda t, b: document(b, p(f'<w:r><mc:AlternateContent xmlns:k="urn:k"><mc:Choice Requires="k"><k:x>{t}</k:x></mc:Choice><mc:Fallback><w:t>x</w:t></mc:Fallback></mc:AlternateContent></w:r>')),
    "processed content": lambda t, b: document(b, p(f'<k:x xmlns:k="urn:k" mc:Ignorable="k" mc:ProcessContent="k:x">{r(t)}</k:x>')),
    "frame text": lambda t, b: document(b, p(r(t), '<w:framePr w:w="2000" w:hSpace="180" w:wrap="around" w:vAnchor="text" w:hAnchor="text"/>')),
    "shading": lambda t, b: document(b, f'<w:p><w:pPr><w:shd w:val="clear" w:fill="{glue(t)}"/></w:pPr></w:p>'),
    "div of a paragraph": lambda t, b: document(b, p(r("x"), '<w:divId w:val="7"/>'), web=f'<w:divs><w:div w:id="7"><w:marLeft w:val="{glue(t)}"/></w:div></w:divs>'),
}

CHANGES: dict[str, Build] = {
    "inserted text": lambda t, b: document(b, p(change("ins", "A", r(t)))),
    "deleted text": lambda t, b: document(b, p(change("del", "A", f"<w:r><w:delText>{t}</w:delText></w:r>"))),
    "deleted field code": lambda t, b: document(b, p(change("del", "A", f"<w:r><w:delInstrText>{t}</w:delInstrText></w:r>"))),
    "deleted text outside a deletion": lambda t, b: document(b, p(f"<w:r><w:delText>{t}</w:delText></w:r>")),
    "moved away text": lambda t, b: document(b, p(change("moveFrom", "A", r(t)))),
    "moved text": lambda t, b: document(b, p(change("moveTo", "A", r(t)))),
    "name of a move": lambda t, b: document(b, p(f'<w:moveToRangeStart w:id="3" w:name="{t}" w:author="A"/>{X}<w:moveToRangeEnd w:id="3"/>')),
    "author of an insertion": lambda t, b: document(b, p(change("ins", t, r("x")))),
    "author of a paragraph change": lambda t, b: document(b, p(r("x"), change("pPrChange", t, "<w:pPr/>"))),
    "author of a run change": lambda t, b: document(b, p(r("x", change("rPrChange", t, "<w:rPr/>")))),
    "author of a paragraph mark": lambda t, b: document(b, p(r("x"), f"<w:rPr>{change('ins', t)}</w:rPr>")),
    "author of a cell": lambda t, b: document(b, table("").replace("<w:tcPr/>", f"<w:tcPr>{change('cellIns', t)}</w:tcPr>")),
    "author of a section change": lambda t, b: document(b, sect=change("sectPrChange", t, "<w:sectPr/>")),
    "author of an XML range": lambda t, b: document(b, p(change("customXmlInsRangeStart", t) + r("x"))),
    "author of numbering": lambda t, b: document(b, p(r("x"), f"<w:numPr>{change('ins', t)}</w:numPr>")),
    "numbering before a change": lambda t, b: document(b, p(r("x"), f'<w:numPr><w:numberingChange w:id="1" w:author="A" w:original="{t}"/></w:numPr>')),
    "author in a conflict": lambda t, b: document(b, p(f'<w14:conflictIns w:id="1" w:author="{t}">{X}</w14:conflictIns>')),
    "revision number": lambda t, b: document(b, f'<w:p w:rsidR="{glue(t)}">{X}</w:p>'),
    "revision numbers in settings": lambda t, b: document(b, settings=f'<w:rsids><w:rsidRoot w:val="{glue(t)}"/></w:rsids>'),
}

MARKS: dict[str, Build] = {
    "bookmark": lambda t, b: document(b, p(bookmark(t))),
    "bookmark and link": lambda t, b: document(b, p(f'{bookmark(t)}<w:hyperlink w:anchor="{glue(t)}">{JUMP}</w:hyperlink>')),
    "bookmark and field": lambda t, b: document(b, p(bookmark(t)) + field(f"PAGEREF {glue(t)} \\h", "1")),
    "anchor of a missing bookmark": lambda t, b: document(b, p(f'<w:hyperlink w:anchor="{glue(t)}">{JUMP}</w:hyperlink>')),
    "location in a linked document": lambda t, b: document(b, p(f'<w:hyperlink w:docLocation="{glue(t)}" w:anchor="a">{JUMP}</w:hyperlink>')),
    "target frame of a link": lambda t, b: document(b, p(f'<w:hyperlink w:tgtFrame="{glue(t)}" w:anchor="a">{JUMP}</w:hyperlink>')),
    "tooltip of a link": lambda t, b: document(b, p(f'<w:hyperlink w:tooltip="{t}" w:anchor="a">{JUMP}</w:hyperlink>')),
    "address of a link": lambda t, b: document(b, p(f'<w:hyperlink r:id="rId20">{JUMP}</w:hyperlink>'), rels=(("rId20", "hyperlink", f"https://example.org/{quote(t)}"),)),
    "mail address of a link": lambda t, b: document(b, p(f'<w:hyperlink r:id="rId20">{JUMP}</w:hyperlink>'), rels=(("rId20", "hyperlink", f"mailto:{glue(t)}@example.org"),)),
    "file address of a link": lambda t, b: document(b, p(f'<w:hyperlink r:id="rId20">{JUMP}</w:hyperlink>'), rels=(("rId20", "hyperlink", f"file:///C:/{quote(t)}/a.docx"),)),
    "link that nothing uses": lambda t, b: document(b, rels=(("rId20", "hyperlink", f"https://example.org/{glue(t)}"),)),
    "id of a relationship": lambda t, b: document(b, p(f'<w:hyperlink r:id="{glue(t)}">{JUMP}</w:hyperlink>'), rels=((glue(t), "hyperlink", "https://example.org/"),)),
    "style name": lambda t, b: document(b, p(r("x"), '<w:pStyle w:val="Roofing"/>'), styles=style(t)),
    "style id": lambda t, b: document(b, p(r("x"), f'<w:pStyle w:val="{glue(t)}"/>'), styles=style("Roofing", "", glue(t))),
    "style alias": lambda t, b: document(b, styles=style("Roofing", f'<w:aliases w:val="{t}"/>')),
    "style of another style": lambda t, b: document(b, styles=style("Roofing", f'<w:basedOn w:val="{glue(t)}"/><w:next w:val="{glue(t)}"/><w:link w:val="{glue(t)}"/>')),
    "style that is missing": lambda t, b: document(b, p(r("x"), f'<w:pStyle w:val="{glue(t)}"/>')),
    "table style": lambda t, b: document(b, table(f'<w:tblStyle w:val="{glue(t)}"/>')),
    "latent style": lambda t, b: document(b, styles=f'<w:latentStyles w:count="1"><w:lsdException w:name="{t}"/></w:latentStyles>'),
    "run style of a style": lambda t, b: document(b, styles=f'<w:style w:type="character" w:styleId="{glue(t)}"><w:name w:val="Strong"/></w:style>'),
    "level text": lambda t, b: document(b, p(r("x"), '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'), numbering=level(f"{t} %1.")),
    "name of a list": lambda t, b: document(b, numbering=level("%1.", f'<w:name w:val="{t}"/>')),
    "style of a list": lambda t, b: document(b, numbering=level("%1.", f'<w:styleLink w:val="{glue(t)}"/>')),
    "number format of a list": lambda t, b: document(b, numbering=level("%1.").replace('<w:numFmt w:val="decimal"/>', f'<w:numFmt w:val="custom" w:format="{t}"/>')),
    "permission": lambda t, b: document(b, p(f'<w:permStart w:id="1" w:ed="{t}"/>{X}<w:permEnd w:id="1"/>')),
    "smart tag": lambda t, b: document(b, p(f'<w:smartTag w:uri="urn:x" w:element="person"><w:smartTagPr><w:attr w:name="n" w:val="{t}"/></w:smartTagPr>{X}</w:smartTag>')),
    "smart tag kind": lambda t, b: document(b, p(f'<w:smartTag w:uri="urn:{glue(t)}" w:element="{glue(t)}">{X}</w:smartTag>')),
    "custom XML tag": lambda t, b: document(b, p(f'<w:customXml w:uri="urn:x" w:element="{glue(t)}"><w:customXmlPr><w:placeholder w:val="{t}"/></w:customXmlPr>{X}</w:customXml>')),
    "custom XML attribute": lambda t, b: document(b, p(f'<w:customXml w:uri="urn:x" w:element="e"><w:customXmlPr><w:attr w:name="{glue(t)}" w:val="{t}"/></w:customXmlPr>{X}</w:customXml>')),
}

FIELDS: dict[str, Build] = {
    **{
        f"field {code.split()[0]}{' ' + label if label else ''}": with_field(code)
        for code, label in [
            ('AUTHOR "{t}"', ""),
            ("MERGEFIELD {g}", ""),
            ('MERGEFIELD Name \\b "{t}"', "text before"),
            ('USERNAME "{t}"', ""),
            ('USERADDRESS "{t}"', ""),
            ('INCLUDEPICTURE "C:\\\\{t}\\\\a.png"', ""),
            ('INCLUDETEXT "C:\\\\{t}\\\\a.docx" {g}', ""),
            ('HYPERLINK "https://example.org/{g}"', ""),
            ('HYPERLINK "https://example.org/" \\o "{t}"', "tooltip"),
            ('HYPERLINK \\l "{g}"', "location"),
            ("DOCPROPERTY {g}", ""),
            ("DOCVARIABLE {g}", ""),
            ('XE "{t}"', ""),
            ('TC "{t}" \\f C', ""),
            ('TA \\l "{t}" \\s "{t}" \\c 1', ""),
            ('TOC \\o "1-3" \\t "{t},1"', "style"),
            ('STYLEREF "{t}"', ""),
            ('IF 1 = 1 "{t}" "x"', ""),
            ('QUOTE "{t}"', ""),
            ('COMMENTS "{t}"', ""),
            ('TITLE "{t}"', ""),
            ('FILLIN "{t}?" \\d "{t}"', ""),
            ('ASK {g} "{t}"', ""),
            ("SET {g} 5", ""),
            ("REF {g} \\h", ""),
            ("SEQ {g} \\* ARABIC", ""),
            ('DATE \\@ "d MMMM \'{t}\'"', "picture"),
            ('= 5 \\# "0 \'{t}\'"', "picture"),
            ("MACROBUTTON {g} {t}", ""),
            ('LINK Excel.Sheet.8 "C:\\\\{t}.xls" "{g}"', ""),
            ("EQ \\o({t})", ""),
            ("ADDIN {t}", ""),
            ('BIBLIOGRAPHY \\l "{t}"', ""),
            ("CITATION {g} \\l 1033", ""),
            ("{g}", "of an unknown kind"),
            ('PAGE \\* "{g}"', "switch"),
        ]
    },
    "field split over runs": lambda t, b: document(b, p('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + "".join(f'<w:r><w:instrText xml:space="preserve">{x}</w:instrText></w:r>' for x in split(f'AUTHOR "{t}"', 3)) + '<w:r><w:fldChar w:fldCharType="separate"/></w:r>' + r("x") + '<w:r><w:fldChar w:fldCharType="end"/></w:r>')),
    "field in a field": lambda t, b: document(b, p('<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>IF </w:instrText></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>' f'<w:r><w:instrText>MERGEFIELD {glue(t)}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>{r(t)}<w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:instrText> = 1 2 3</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>{X}<w:r><w:fldChar w:fldCharType="end"/></w:r>')),
    "field over paragraphs": lambda t, b: document(b, p('<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INDEX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>' + r(t)) + p(r("x") + '<w:r><w:fldChar w:fldCharType="end"/></w:r>')),
    "field without an end": lambda t, b: document(b, p('<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>AUTHOR ' + t + "</w:instrText></w:r>")),
    "code outside a field": lambda t, b: document(b, p(f"<w:r><w:instrText>{t}</w:instrText></w:r>")),
    "result of a field": lambda t, b: document(b, field("AUTHOR", t)),
    "simple field": lambda t, b: document(b, p(f'<w:fldSimple w:instr="AUTHOR {t}">{X}</w:fldSimple>')),
    "data of a field": lambda t, b: document(b, p(f'<w:r><w:fldChar w:fldCharType="begin"><w:fldData>{t}</w:fldData></w:fldChar></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>')),
    "form field name": lambda t, b: document(b, form(f'<w:name w:val="{glue(t)}"/><w:enabled/><w:textInput/>')),
    "form field help": lambda t, b: document(b, form(f'<w:name w:val="a"/><w:helpText w:type="text" w:val="{t}"/><w:textInput/>')),
    "form field status": lambda t, b: document(b, form(f'<w:name w:val="a"/><w:statusText w:type="text" w:val="{t}"/><w:textInput/>')),
    "form field default": lambda t, b: document(b, form(f'<w:name w:val="a"/><w:textInput><w:default w:val="{t}"/></w:textInput>')),
    "form field format": lambda t, b: document(b, form(f'<w:name w:val="a"/><w:textInput><w:format w:val="{t}"/></w:textInput>')),
    "form field macro": lambda t, b: document(b, form(f'<w:name w:val="a"/><w:entryMacro w:val="{glue(t)}"/><w:exitMacro w:val="{glue(t)}"/><w:textInput/>')),
    "form field list": lambda t, b: document(b, form(f'<w:name w:val="a"/><w:ddList><w:listEntry w:val="{t}"/><w:listEntry w:val="x"/></w:ddList>', "FORMDROPDOWN")),
}

CONTROLS: dict[str, Build] = {
    "control title": lambda t, b: document(b, control(f'<w:alias w:val="{t}"/>')),
    "control tag": lambda t, b: document(b, control(f'<w:tag w:val="{glue(t)}"/>')),
    "control text": lambda t, b: document(b, control("<w:text/>", t)),
    "control placeholder": lambda t, b: document(b, control(f'<w:placeholder><w:docPart w:val="{glue(t)}"/></w:placeholder>')),
    "control binding path": lambda t, b: document(b, control(f'<w:dataBinding w:xpath="/{glue(t)}" w:storeItemID="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}"/>')),
    "control binding prefixes": lambda t, b: document(b, control(f'<w:dataBinding w:prefixMappings="xmlns:a=\'urn:{glue(t)}\'" w:xpath="/a" w:storeItemID="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}"/>')),
    "new control binding": lambda t, b: document(b, control(f'<w15:dataBinding w:xpath="/{glue(t)}" w:storeItemID="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}"/>')),
    "drop-down text": lambda t, b: document(b, control(f'<w:dropDownList><w:listItem w:displayText="{t}" w:value="1"/></w:dropDownList>')),
    "drop-down value": lambda t, b: document(b, control(f'<w:dropDownList><w:listItem w:displayText="one" w:value="{t}"/></w:dropDownList>')),
    "drop-down last value": lambda t, b: document(b, control(f'<w:dropDownList w:lastValue="{t}"><w:listItem w:displayText="one" w:value="1"/></w:dropDownList>')),
    "combo text": lambda t, b: document(b, control(f'<w:comboBox w:lastValue="{t}"><w:listItem w:displayText="{t}" w:value="{t}"/></w:comboBox>')),
    "control date": lambda t, b: document(b, control(f'<w:date w:fullDate="{glue(t)}"><w:dateFormat w:val="d MMMM yyyy"/></w:date>')),
    "control date format": lambda t, b: document(b, control(f"<w:date><w:dateFormat w:val=\"d '{t}' yyyy\"/></w:date>")),
    "control gallery": lambda t, b: document(b, control(f'<w:docPartObj><w:docPartGallery w:val="{t}"/><w:docPartCategory w:val="{t}"/></w:docPartObj>')),
    "repeating section title": lambda t, b: document(b, control(f'<w15:repeatingSection><w15:sectionTitle w15:val="{t}"/></w15:repeatingSection>')),
    "web extension of a control": lambda t, b: document(b, control(f'<w15:webExtensionLinked w15:val="{t}"/>')),
    "control style": lambda t, b: document(b, control(f'<w:rPr><w:rStyle w:val="{glue(t)}"/></w:rPr>')),
}

DRAWINGS: dict[str, Build] = {
    "picture name": lambda t, b: with_picture(b, picture("rId20", t)),
    "picture description": lambda t, b: with_picture(b, picture("rId20", "P", f' descr="{t}"')),
    "picture title": lambda t, b: with_picture(b, picture("rId20", "P", f' title="{t}"')),
    "picture file name": lambda t, b: with_picture(b, picture("rId20", file=t)),
    "picture link": lambda t, b: with_picture(b, picture("rId20", children='<a:hlinkClick r:id="rId21"/>'), rels=(("rId21", "hyperlink", f"https://example.org/{quote(t)}"),)),
    "picture link tooltip": lambda t, b: with_picture(b, picture("rId20", children=f'<a:hlinkClick r:id="rId21" tooltip="{t}"/>'), rels=(("rId21", "hyperlink", "https://example.org/"),)),
    "picture link action": lambda t, b: with_picture(b, picture("rId20", children=f'<a:hlinkClick r:id="rId21" action="ppaction://{glue(t)}" tgtFrame="{glue(t)}" invalidUrl="{glue(t)}"/>'), rels=(("rId21", "hyperlink", "https://example.org/"),)),
    "picture extension": lambda t, b: with_picture(b, picture("rId20", blip=f'<a:extLst><a:ext uri="{{28A0092B-C50C-407E-A947-70E740481C1C}}"><a14:useLocalDpi val="{glue(t)}"/></a:ext></a:extLst>')),
    "picture extension address": lambda t, b: with_picture(b, picture("rId20", blip=f'<a:extLst><a:ext uri="{glue(t)}"/></a:extLst>')),
    "linked picture": lambda t, b: with_picture(b, picture("rId20").replace("r:embed", 'r:link="rId21" r:embed'), rels=(("rId21", "image", f"file:///C:/{quote(t)}.png"),)),
    "picture text chunk": lambda t, b: with_picture(b, picture("rId20"), png((b"tEXt", b"Author\0" + t.encode()))),
    "picture Exif chunk": lambda t, b: with_picture(b, picture("rId20"), png((b"eXIf", b"MM\0*" + t.encode()))),
    "bytes after a picture": lambda t, b: with_picture(b, picture("rId20"), png() + t.encode()),
    "picture part name": lambda t, b: document(b, picture("rId20"), rels=(("rId20", "image", f"media/{glue(t)}.png"),), parts={f"word/media/{glue(t)}.png": png()}),
    "vector picture": lambda t, b: document(b, picture("rId20"), rels=(("rId20", "image", "media/image1.emf"),), parts={"word/media/image1.emf": b"\1\0\0\0" + t.encode("utf-16-le")}),
    "picture that nothing uses": lambda t, b: with_picture(b, "", png((b"tEXt", b"Author\0" + t.encode()))),
    "position of a drawing": lambda t, b: document(b, p(f'<w:r><w:drawing><wp:anchor><wp:positionH relativeFrom="page"><wp:posOffset>{t}</wp:posOffset></wp:positionH></wp:anchor></w:drawing></w:r>')),
    "alignment of a drawing": lambda t, b: document(b, p(f'<w:r><w:drawing><wp:anchor><wp:positionH relativeFrom="page"><wp:align>{t}</wp:align></wp:positionH></wp:anchor></w:drawing></w:r>')),
    "shape text": lambda t, b: document(b, text_box(p(r(t)), "Box")),
    "shape name": lambda t, b: document(b, text_box(p(r("x")), t)),
    "drawing geometry name": lambda t, b: document(b, frame(f'<a:graphicData uri="{SPACES["wps"]}"><wps:wsp><wps:cNvSpPr/><wps:spPr><a:custGeom><a:gdLst><a:gd name="{glue(t)}" fmla="val 5"/></a:gdLst></a:custGeom></wps:spPr><wps:bodyPr/></wps:wsp></a:graphicData>')),
    "graphic of an unknown kind": lambda t, b: document(b, frame(f'<a:graphicData uri="urn:{glue(t)}"><k:x xmlns:k="urn:k">{t}</k:x></a:graphicData>')),
    "ink": lambda t, b: document(b, p(f'<w:r><w:drawing><wp:inline><wp:docPr id="1" name="Ink"/><a:graphic><a:graphicData uri="{MS}/word/2010/wordprocessingInk"><w14:contentPart r:id="rId20"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'), rels=(("rId20", "customXml", "ink/ink1.xml"),), parts={"word/ink/ink1.xml": f"<ink><annotation>{t}</annotation></ink>"}),
    "chart title": lambda t, b: with_chart(b, chart(t)),
    "chart cache": lambda t, b: with_chart(b, chart(cache=t)),
    "chart number": lambda t, b: with_chart(b, chart().replace("<c:v>41</c:v>", f"<c:v>{'447700900413' if '+' in t and 'K' not in t else t}</c:v>")),
    "chart series": lambda t, b: with_chart(b, chart(ser=t)),
    "chart formula": lambda t, b: with_chart(b, chart(fmt=f"'{t}'!$A$1")),
    "chart file formula": lambda t, b: with_chart(b, chart(fmt=f"'[{glue(t)}.xlsx]Sheet1'!$A$1")),
    "chart number format": lambda t, b: with_chart(b, chart(date=f"0&quot;{t}&quot;")),
    "chart axis format": lambda t, b: with_chart(b, chart(axis=f'<c:numFmt formatCode="0&quot;{t}&quot;" sourceLinked="0"/>')),
    "chart axis title": lambda t, b: with_chart(b, chart(axis=f"<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>{t}</a:t></a:r></a:p></c:rich></c:tx></c:title>")),
    "chart label": lambda t, b: with_chart(b, chart(label=f'<c:dLbls><c:dLbl><c:idx val="0"/><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>{t}</a:t></a:r></a:p></c:rich></c:tx></c:dLbl><c:separator>, </c:separator></c:dLbls>')),
    "chart label separator": lambda t, b: with_chart(b, chart(label=f"<c:dLbls><c:separator>{t}</c:separator></c:dLbls>")),
    "chart trend line": lambda t, b: with_chart(b, chart(trend=f'<c:trendline><c:name>{t}</c:name><c:trendlineType val="linear"/></c:trendline>')),
    "chart extension": lambda t, b: with_chart(b, chart(extra=f'<c:extLst><c:ext uri="{{02D57815-91ED-43cb-92C2-25804820EDAC}}"><c15:datalabelsRange><c15:f>{t}</c15:f></c15:datalabelsRange></c:ext></c:extLst>')),
    "chart pivot source": lambda t, b: with_chart(b, chart(pivot=f"<c:pivotSource><c:name>[{glue(t)}.xlsx]Sheet1!P</c:name><c:fmtId val='0'/></c:pivotSource>")),
    "chart header": lambda t, b: with_chart(b, chart(printed=f"<c:printSettings><c:headerFooter><c:oddHeader>{t}</c:oddHeader></c:headerFooter></c:printSettings>")),
    "chart workbook": lambda t, b: with_chart(b, chart(extra='<c:externalData r:id="rId1"/>'), relations(("rId1", "package", "../embeddings/book.xlsx")), {"word/embeddings/book.xlsx": zipped({"a.txt": t})}),
    "chart linked workbook": lambda t, b: with_chart(b, chart(extra='<c:externalData r:id="rId1"/>'), relations(("rId1", "oleObject", f"file:///C:/{quote(t)}.xlsx"))),
    "chart user shapes": lambda t, b: with_chart(b, chart(user='<c:userShapes r:id="rId1"/>'), relations(("rId1", "chartUserShapes", "../drawings/drawing1.xml")), {"word/drawings/drawing1.xml": f'<c:userShapes {NS} xmlns:cdr="http://schemas.openxmlformats.org/drawingml/2006/chartDrawing"><cdr:relSizeAnchor><cdr:sp><cdr:txBody><a:bodyPr/><a:p><a:r><a:t>{t}</a:t></a:r></a:p></cdr:txBody></cdr:sp></cdr:relSizeAnchor></c:userShapes>'}),
    "diagram text": lambda t, b: smart_art(b, t),
    "diagram prompt": lambda t, b: smart_art(b, prompt=t),
    "diagram layout title": lambda t, b: smart_art(b, layout=t),
    "diagram point": lambda t, b: smart_art(b, model=glue(t)),
    "diagram layout name": lambda t, b: smart_art(b, name=glue(t)),
}

VML: dict[str, Build] = {
    "VML description": lambda t, b: document(b, shape(more=f' alt="{t}"')),
    "VML title": lambda t, b: document(b, shape(more=f' title="{t}"')),
    "VML link": lambda t, b: document(b, shape(more=f' href="https://example.org/{quote(t)}"')),
    "VML target": lambda t, b: document(b, shape(more=f' target="{glue(t)}"')),
    "VML id": lambda t, b: document(b, shape().replace("_x0000_s1026", glue(t))),
    "VML class": lambda t, b: document(b, shape(more=f' class="{glue(t)}"')),
    "VML style": lambda t, b: document(b, shape().replace("width:100pt", f"width:100pt;{glue(t)}:1;mso-note:{glue(t)}")),
    "VML graphics data": lambda t, b: document(b, shape(more=f' o:gfxdata="{t}"')),
    "VML shape id": lambda t, b: document(b, shape(more=f' o:spid="{glue(t)}"')),
    "VML text path": lambda t, b: document(b, shape(f'<v:textpath style="font-family:&quot;Calibri&quot;" string="{t}"/>')),
    "VML text path font": lambda t, b: document(b, shape(f'<v:textpath style="font-family:&quot;{t}&quot;" string="DRAFT"/>')),
    "VML text box": lambda t, b: document(b, shape(f"<v:textbox><w:txbxContent>{p(r(t))}</w:txbxContent></v:textbox>")),
    "VML image title": lambda t, b: with_picture(b, shape(f'<v:imagedata r:id="rId20" o:title="{t}"/>')),
    "VML image source": lambda t, b: document(b, shape(f'<v:imagedata src="https://example.org/{glue(t)}.png" o:href="https://example.org/{glue(t)}"/>')),
    "VML shape type": lambda t, b: document(b, shape(more=f' type="#{glue(t)}"', before=f'<v:shapetype id="{glue(t)}" coordsize="21600,21600"/>')),
    "VML formula": lambda t, b: document(b, shape(f'<v:formulas><v:f eqn="{t}"/></v:formulas>')),
    "signature line signer": lambda t, b: document(b, shape(f'<o:signatureline v:ext="edit" id="{{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}}" provid="{{00000000-0000-0000-0000-000000000000}}" o:suggestedsigner="{t}" issignatureline="t"/>')),
    "signature line title": lambda t, b: document(b, shape(f'<o:signatureline v:ext="edit" o:suggestedsigner2="{t}" o:suggestedsigneremail="{glue(t)}@example.org" o:signinginstructions="{t}" issignatureline="t"/>')),
    "signature line text": lambda t, b: document(b, shape(f'<o:signatureline v:ext="edit" addlxml="{t}" sigprovurl="https://example.org/{glue(t)}"/>')),
    "VML unknown element": lambda t, b: document(b, shape(f'<o:note o:val="{t}">{t}</o:note>')),
    "VML ink": lambda t, b: document(b, shape(f'<o:ink i="{t}" annotation="t"/>')),
    "VML diagram": lambda t, b: document(b, shape(f'<o:diagram v:ext="edit" dgmstyle="1"><o:relationtable><o:rel idsrc="#{glue(t)}"/></o:relationtable></o:diagram>')),
    "VML script": lambda t, b: document(b, shape(more=f' o:master="{glue(t)}" o:button="t" o:onclick="{t}"')),
    "OLE object": lambda t, b: document(b, p(f'<w:r><w:object><v:shape id="a" style="width:9pt"/><o:OLEObject Type="Embed" ProgID="{t}" ShapeID="a" ObjectID="_1" r:id="rId20"/></w:object></w:r>'), rels=(("rId20", "oleObject", "embeddings/a.bin"),), parts={"word/embeddings/a.bin": b"\xd0\xcf\x11\xe0" + t.encode("utf-16-le")}),
    "OLE object without data": lambda t, b: document(b, p(f'<w:r><w:object><v:shape id="a" style="width:9pt"/><o:OLEObject Type="Link" ProgID="{t}" ObjectID="{glue(t)}"><o:FieldCodes>{t}</o:FieldCodes></o:OLEObject></w:object></w:r>')),
    "ActiveX control": lambda t, b: document(b, p(f'<w:r><w:object><w:control r:id="rId20" w:name="{glue(t)}" w:shapeid="a"/></w:object></w:r>'), rels=(("rId20", "control", "activeX/a.xml"),), parts={"word/activeX/a.xml": f"<x>{t}</x>"}),
}

STORIES: dict[str, Build] = {
    "header": lambda t, b: with_story(b, "header", "hdr", p(r(t)), sect='<w:headerReference w:type="default" r:id="rId20"/>'),
    "footer": lambda t, b: with_story(b, "footer", "ftr", p(r(t)), sect='<w:footerReference w:type="first" r:id="rId20"/>'),
    "header that nothing uses": lambda t, b: with_story(b, "header", "hdr", p(r(t))),
    "watermark": lambda t, b: with_story(b, "header", "hdr", shape(f'<v:textpath string="{t}"/>'), sect='<w:headerReference w:type="default" r:id="rId20"/>'),
    "footnote": lambda t, b: with_story(b, "footnotes", "footnotes", f'<w:footnote w:id="2">{p(r(t))}</w:footnote>', '<w:footnoteReference w:id="2"/>'),
    "footnote separator": lambda t, b: with_story(b, "footnotes", "footnotes", f'<w:footnote w:type="separator" w:id="-1">{p(r(t))}</w:footnote>'),
    "endnote": lambda t, b: with_story(b, "endnotes", "endnotes", f'<w:endnote w:id="2">{p(r(t))}</w:endnote>', '<w:endnoteReference w:id="2"/>'),
    "comment": lambda t, b: with_comment(b, 'w:author="A"', t),
    "comment author": lambda t, b: with_comment(b, f'w:author="{t}"'),
    "comment initials": lambda t, b: with_comment(b, f'w:author="A" w:initials="{t}"'),
    "comment date": lambda t, b: with_comment(b, f'w:author="A" w:date="{glue(t)}"'),
    "people": lambda t, b: part(b, f"{MS}/2011/relationships/people", "people.xml", f'<w15:people {NS}><w15:person w15:author="{t}"><w15:presenceInfo w15:providerId="AD" w15:userId="{t}"/></w15:person></w15:people>'),
    "extended comments": lambda t, b: part(b, f"{MS}/2011/relationships/commentsExtended", "commentsExtended.xml", f'<w15:commentsEx {NS}><w15:commentEx w15:paraId="{glue(t)}" w15:done="0"/></w15:commentsEx>', f"{WORD}.commentsExtended+xml"),
    "comment ids": lambda t, b: part(b, f"{MS}/2016/09/relationships/commentsIds", "commentsIds.xml", f'<x xmlns="urn:x" v="{t}"/>'),
    "glossary": lambda t, b: part(b, "glossaryDocument", "glossary/document.xml", root("glossaryDocument", f"<w:docParts><w:docPart><w:docPartPr><w:name w:val='{t}'/></w:docPartPr><w:docPartBody>{p(r(t))}</w:docPartBody></w:docPart></w:docParts>"), f"{WORD}.document.glossary+xml"),
    "imported page": lambda t, b: part(b, "aFChunk", "chunk.htm", f"<p>{t}</p>", "text/html", '<w:altChunk r:id="rId20"/>'),
    "sub-document": lambda t, b: document(b, '<w:subDoc r:id="rId20"/>', rels=(("rId20", "subDocument", f"file:///C:/{quote(t)}.docx"),)),
    "macros": lambda t, b: part(b, f"{MS}/2006/relationships/vbaProject", "vbaProject.bin", t.encode("utf-16-le"), "application/vnd.ms-office.vbaProject"),
    "key bindings": lambda t, b: part(b, f"{MS}/2006/relationships/keyMapCustomizations", "customizations.xml", f"<x>{t}</x>"),
    "printer settings": lambda t, b: part(b, "printerSettings", "printerSettings1.bin", t.encode("utf-16-le")),
    "bibliography": lambda t, b: with_custom_xml(b, f"<Sources><Source><Author>{t}</Author></Source></Sources>"),
    "custom XML": lambda t, b: with_custom_xml(b, f"<data>{t}</data>"),
    "recipients": lambda t, b: part(b, f"{MS}/2006/relationships/recipientData", "recipientData.xml", f"<x>{t}</x>"),
    "web extension": lambda t, b: part(b, f"{MS}/2011/relationships/webextension", "webextension1.xml", f"<x>{t}</x>"),
    "part that nothing refers to": lambda t, b: document(b, parts={"word/notes.xml": f"<x>{t}</x>"}),
    "relationships of an unknown part": lambda t, b: document(b, parts={"word/_rels/notes.xml.rels": relations(("rId1", "hyperlink", f"https://example.org/{glue(t)}"))}),
    "unknown relationship": lambda t, b: document(b, rels=(("rId20", f"urn:{glue(t)}", "theme/theme1.xml"),)),
    "type of a relationship": lambda t, b: document(b, rels=(("rId20", f"urn:{glue(t)}/image", "media/image1.png"),), parts={"word/media/image1.png": png()}),
    "name of the main part": lambda t, b: document(b, main=f"word/{glue(t)}.xml"),
    "content type": lambda t, b: document(b, kinds={"word/theme/theme1.xml": f"application/{glue(t)}+xml"}),
    "content type of a missing part": lambda t, b: document(b, kinds={f"word/{glue(t)}.xml": "application/xml"}),
    "file name in the zip": lambda t, b: document(b, parts={f"{t}.txt": "x"}),
    "folder in the zip": lambda t, b: document(b, parts={f"{t}/": ""}),
    "comment of the zip": lambda t, b: document(b, comment=t.encode()),
    "extra field of the zip": lambda t, b: document(b, extra=struct.pack("<HH", 0xCAFE, len(t.encode())) + t.encode()),
    "bytes before the zip": lambda t, b: t.encode() + document(b),
}

SETTINGS: dict[str, Build] = {
    "document variable": lambda t, b: document(b, settings=f'<w:docVars><w:docVar w:name="a" w:val="{t}"/></w:docVars>'),
    "name of a document variable": lambda t, b: document(b, settings=f'<w:docVars><w:docVar w:name="{t}" w:val="a"/></w:docVars>'),
    "attached template": lambda t, b: document(b, settings='<w:attachedTemplate r:id="rId1"/>', parts={"word/_rels/settings.xml.rels": relations(("rId1", "attachedTemplate", f"file:///C:/{quote(t)}.dotx"))}),
    "mail merge query": lambda t, b: document(b, settings=f'<w:mailMerge><w:mainDocumentType w:val="formLetters"/><w:query w:val="SELECT {t}"/><w:connectString w:val="{t}"/></w:mailMerge>'),
    "mail merge subject": lambda t, b: document(b, settings=f'<w:mailMerge><w:addressFieldName w:val="{t}"/><w:mailSubject w:val="{t}"/></w:mailMerge>'),
    "attached schema": lambda t, b: document(b, settings=f'<w:attachedSchema w:val="urn:{glue(t)}"/>'),
    "write protection": lambda t, b: document(b, settings=f'<w:writeProtection w:recommended="1" w:hash="{glue(t)}"/>'),
    "document protection": lambda t, b: document(b, settings=f'<w:documentProtection w:edit="readOnly" w:enforcement="1" w:hash="{glue(t)}" w:salt="{glue(t)}" w:cryptProvider="{glue(t)}"/>'),
    "document id": lambda t, b: document(b, settings=f'<w15:docId w15:val="{{{glue(t)}}}"/>'),
    "captions": lambda t, b: document(b, settings=f'<w:captions><w:caption w:name="{t}"/></w:captions>'),
    "writing style": lambda t, b: document(b, settings=f'<w:activeWritingStyle w:appName="{t}" w:lang="en-GB" w:vendorID="1" w:dllVersion="1"/>'),
    "transform": lambda t, b: document(b, settings=f'<w:saveThroughXslt w:solutionID="{t}"/>'),
    "compatibility setting": lambda t, b: document(b, settings=f'<w:compat><w:compatSetting w:name="{t}" w:uri="urn:{glue(t)}" w:val="{t}"/></w:compat>'),
    "decimal symbol": lambda t, b: document(b, settings=f'<w:decimalSymbol w:val="{t}"/><w:listSeparator w:val="{t}"/>'),
    "line breaking characters": lambda t, b: document(b, settings=f'<w:noLineBreaksAfter w:lang="en-GB" w:val="{t}"/>'),
    "default table style": lambda t, b: document(b, settings=f'<w:defaultTableStyle w:val="{glue(t)}"/><w:clickAndTypeStyle w:val="{glue(t)}"/>'),
    "smart tag type": lambda t, b: document(b, settings=f'<w:smartTagType w:namespaceuri="urn:{glue(t)}" w:name="{glue(t)}" w:url="https://example.org/{glue(t)}"/>'),
    "read mode ink": lambda t, b: document(b, settings=f'<w:readModeInkLockDown w:actualPg="0" w:w="1" w:h="1" w:fontSz="{glue(t)}"/>'),
    "math font": lambda t, b: document(b, settings=f'<m:mathPr><m:mathFont m:val="{t}"/></m:mathPr>'),
    "text of settings": lambda t, b: document(b, settings=f"<w:view w:val='print'>{t}</w:view>"),
    "font name": lambda t, b: document(b, fonts=f'<w:font w:name="{t}"><w:charset w:val="00"/></w:font>'),
    "other name of a font": lambda t, b: document(b, fonts=f'<w:font w:name="Calibri Light"><w:altName w:val="{t}"/></w:font>'),
    "font signature": lambda t, b: document(b, fonts=f'<w:font w:name="Calibri Light"><w:panose1 w:val="{glue(t)}"/><w:sig w:usb0="{glue(t)}"/></w:font>'),
    "embedded font": lambda t, b: document(b, fonts='<w:font w:name="Roofing"><w:embedRegular r:id="rId1" w:fontKey="{55AF091B-3C7A-41E3-B477-F2FDAA23CFDA}"/></w:font>', parts={"word/_rels/fontTable.xml.rels": relations(("rId1", "font", "fonts/font1.odttf")), "word/fonts/font1.odttf": t.encode("utf-16-be")}),
    "theme name": lambda t, b: document(b, theme=THEME.format(t, "Office", "Office", "Cambria", "")),
    "colour scheme name": lambda t, b: document(b, theme=THEME.format("Office", t, "Office", "Cambria", "")),
    "font scheme name": lambda t, b: document(b, theme=THEME.format("Office", "Office", t, "Cambria", "")),
    "theme font": lambda t, b: document(b, theme=THEME.format("Office", "Office", "Office", t, "")),
    "theme colour name": lambda t, b: document(b, theme=THEME.format("Office", "Office", "Office", "Cambria", f'<a:custClrLst><a:custClr name="{t}"><a:srgbClr val="FF0000"/></a:custClr></a:custClrLst>')),
    "theme extension": lambda t, b: document(b, theme=THEME.format("Office", "Office", "Office", "Cambria", f'<a:extLst><a:ext uri="{{05A4C25C-085E-4340-85A3-A5531E510DB2}}"><k:f xmlns:k="urn:k" name="{t}"/></a:ext></a:extLst>')),
    "frame of a web page": lambda t, b: document(b, web=f'<w:frameset><w:frame><w:name w:val="{t}"/><w:title w:val="{t}"/></w:frame></w:frameset>'),
    "division of a web page": lambda t, b: document(b, web=f'<w:divs><w:div w:id="{glue(t)}"/></w:divs>'),
    "encoding of a web page": lambda t, b: document(b, web=f'<w:encoding w:val="{glue(t)}"/>'),
    "creator": lambda t, b: with_core(t, b, "dc:creator"),
    "title": lambda t, b: with_core(t, b, "dc:title"),
    "subject": lambda t, b: with_core(t, b, "dc:subject"),
    "keywords": lambda t, b: with_core(t, b, "cp:keywords"),
    "last editor": lambda t, b: with_core(t, b, "cp:lastModifiedBy"),
    "company": lambda t, b: with_app(t, b, "Company"),
    "manager": lambda t, b: with_app(t, b, "Manager"),
    "template": lambda t, b: with_app(t, b, "Template"),
    "custom property": lambda t, b: with_custom(b, "a", t),
    "name of a custom property": lambda t, b: with_custom(b, t, "a"),
    "thumbnail": lambda t, b: properties(b, f"{PACKAGE}/relationships/metadata/thumbnail", "docProps/thumbnail.png", png((b"tEXt", b"A\0" + t.encode())), "image/png"),
    "signature": lambda t, b: properties(b, f"{PACKAGE}/relationships/digital-signature/origin", "_xmlsignatures/origin.sigs", t, "application/vnd.openxmlformats-package.digital-signature-origin"),
    "ribbon": lambda t, b: properties(b, f"{MS}/2007/relationships/ui/extensibility", "customUI/customUI14.xml", f"<customUI><button label='{t}'/></customUI>", "application/xml"),
    "sensitivity label": lambda t, b: properties(b, f"{MS}/2020/02/relationships/classificationlabels", "docMetadata/LabelInfo.xml", f"<labels><label id='{t}'/></labels>", "application/xml"),
}

# fmt: on
PLACES = [
    Place(f"docx: {name}", "docx", build)
    for group in (BODY, CHANGES, MARKS, FIELDS, CONTROLS, DRAWINGS, VML, STORIES, SETTINGS)
    for name, build in group.items()
]
