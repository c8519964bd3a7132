# ruff: noqa: E501 - objects of PDF read better in one line
"""Places of PDF. `SHOWN` are those whose text a reader of the page sees: there the picture itself must be covered."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from . import Place

_LETTER = "Helvetica"
_WINDOWS = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


def string(text: str) -> str:
    """A literal string."""
    return "(" + re.sub(r"([\\()])", r"\\\1", text) + ")"


def wide(text: str) -> str:
    """A text string in UTF-16."""
    return "<" + ("\ufeff" + text).encode("utf-16-be").hex() + ">"


def stream(data: str | bytes, entries: str = "", pack: bool = False) -> bytes:
    raw = data.encode("latin-1", "replace") if isinstance(data, str) else data
    if pack:
        raw, entries = zlib.compress(raw), entries + "/Filter/FlateDecode"
    return f"<<{entries}/Length {len(raw)}>>\nstream\n".encode() + raw + b"\nendstream"


def file(body: str, content: str = "", *, resources: str = "", page: str = "", catalog: str = "", trailer: str = "",
         objects: Sequence[str | bytes] = (), comment: str = "", fonts: str = "") -> bytes:  # fmt: skip
    """A page that shows `body`. `objects` are numbered from 6 on."""
    drawn = f"BT /F1 12 Tf 72 740 Td {string(body)} Tj ET\n{content}"
    bodies: list[str | bytes] = [
        f"<</Type/Catalog/Pages 2 0 R{catalog}>>",
        "<</Type/Pages/Count 1/Kids[3 0 R]>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R{fonts}>>{resources}>>{page}>>",
        stream(drawn),
        _WINDOWS,
        *objects,
    ]
    out = io.BytesIO()
    out.write(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + comment.encode())
    offsets = []
    for number, each in enumerate(bodies, 1):
        offsets.append(out.tell())
        out.write(
            b"%d 0 obj\n%b\nendobj\n"
            % (number, each.encode("latin-1", "replace") if isinstance(each, str) else each)
        )
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1))
    out.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    out.write(
        f"trailer\n<</Size {len(bodies) + 1}/Root 1 0 R{trailer}>>\nstartxref\n{start}\n%%EOF\n".encode(
            "latin-1", "replace"
        )
    )
    return out.getvalue()


def _text(planted: str, before: str = "", size: int = 12, at: tuple[int, int] = (72, 600)) -> str:
    return f"BT {before} /F1 {size} Tf {at[0]} {at[1]} Td {string(planted)} Tj ET\n"


def _glyphs(planted: str, step: Callable[[int], tuple[float, float]], size: int = 12) -> str:
    """Each sign by itself, where `step` says."""
    drawn = (
        f"1 0 0 1 {x:.1f} {y:.1f} Tm {string(sign)} Tj"
        for sign, (x, y) in zip(planted, map(step, range(99)), strict=False)
        if sign != " "
    )
    return f"BT /F1 {size} Tf " + " ".join(drawn) + " ET\n"


def _adjusted(planted: str) -> str:
    parts = " -900 ".join(string(sign) for sign in planted)
    return f"BT /F1 12 Tf 72 600 Td [{parts}] TJ ET\n"


def _form(planted: str, body: str, **options: Any) -> bytes:
    inner = stream(
        _text(planted),
        "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>",
    )
    return file(body, "/X1 Do", resources="/XObject<</X1 6 0 R>>", objects=[inner], **options)


def _nested_form(planted: str, body: str) -> bytes:
    head = "/Type/XObject/Subtype/Form/BBox[0 0 595 842]"
    inner = stream(_text(planted), head + "/Resources<</Font<</F1 5 0 R>>>>")
    outer = [stream("/X1 Do", head + f"/Resources<</XObject<</X1 {at} 0 R>>>>") for at in (7, 8, 9)]
    return file(body, "/X1 Do", resources="/XObject<</X1 6 0 R>>", objects=[*outer, inner])


def _pattern(planted: str, body: str, inner_form: bool = False) -> bytes:
    head = (
        "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 595 842]/XStep 595/YStep 842"
    )
    form = stream(
        _text(planted),
        "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>",
    )
    tile = (
        stream("/X1 Do", head + "/Resources<</XObject<</X1 7 0 R>>>>")
        if inner_form
        else stream(_text(planted), head + "/Resources<</Font<</F1 5 0 R>>>>")
    )
    return file(
        body,
        "/Pattern cs /P1 scn 0 500 595 200 re f",
        resources="/Pattern<</P1 6 0 R>>",
        objects=[tile, form],
    )


def _pattern_in_form(planted: str, body: str) -> bytes:
    head = (
        "/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 595 842]/XStep 595/YStep 842"
    )
    tile = stream(_text(planted), head + "/Resources<</Font<</F1 5 0 R>>>>")
    form = stream(
        "/Pattern cs /P1 scn 0 500 595 200 re f",
        "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Pattern<</P1 6 0 R>>>>",
    )
    return file(body, "/X1 Do", resources="/XObject<</X1 7 0 R>>", objects=[tile, form])


def _soft_mask(planted: str, body: str) -> bytes:
    """Text as the mask of a black area."""
    group = stream(
        "1 g " + _text(planted),
        "/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Group<</S/Transparency/CS/DeviceGray>>/Resources<</Font<</F1 5 0 R>>>>",
    )
    state = "<</Type/ExtGState/SMask<</Type/Mask/S/Luminosity/G 6 0 R>>>>"
    return file(
        body,
        "/G1 gs 0 g 0 500 595 200 re f",
        resources="/ExtGState<</G1 7 0 R>>",
        objects=[group, state],
    )


def _clip(planted: str) -> str:
    """Text as the shape through which a black area is seen."""
    return "q " + _text(planted, "7 Tr") + "0 g 0 500 595 200 re f Q\n"


def _type3(planted: str, body: str) -> bytes:
    """A font whose glyphs are drawn by another font, under names that say other letters."""
    signs = sorted(set(planted))
    codes = {sign: 65 + at for at, sign in enumerate(signs)}
    procs = " ".join(f"/{chr(codes[sign])} {8 + at} 0 R" for at, sign in enumerate(signs))
    names = " ".join(f"/{chr(codes[sign])}" for sign in signs)
    font = (
        f"<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<{procs}>>/Encoding<</Type/Encoding/Differences[65 {names}]>>"
        f"/FirstChar 65/LastChar {64 + len(signs)}/Widths[{' '.join(['700'] * len(signs))}]/Resources<</Font<</F1 5 0 R>>>>>>"
    )
    glyphs = [stream(f"700 0 d0 BT /F1 1000 Tf {string(sign)} Tj ET") for sign in signs]
    text = "".join(chr(codes[sign]) for sign in planted)
    return file(
        body,
        f"BT /F2 12 Tf 72 600 Td {string(text)} Tj ET",
        fonts="/F2 6 0 R",
        objects=[font, "null", *glyphs],
    )


def _mapped(planted: str, body: str, change: Callable[[str], str | None]) -> bytes:
    """A font with a table of characters in which some letters stand for others, or for nothing."""
    lines = []
    for code in range(32, 127):
        said = change(chr(code))
        if said is not None:
            lines.append(f"<{code:02x}> <{ord(said):04x}>")
    table = "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange\n"
    for at in range(0, len(lines), 100):
        part = lines[at : at + 100]
        table += f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar\n"
    font = _WINDOWS.replace(">>", "/ToUnicode 7 0 R>>")
    return file(
        body,
        f"BT /F2 12 Tf 72 600 Td {string(planted)} Tj ET",
        fonts="/F2 6 0 R",
        objects=[font, stream(table + "endcmap end end")],
    )


_ROTATED = {sign: chr(33 + (ord(sign) - 33 + 13) % 94) for sign in map(chr, range(33, 127))}


def _embedded(planted: str, body: str, change: Callable[[str], str | None]) -> bytes:
    """The same with a font in the file, whose codes say nothing by themselves."""
    from pypdf import PdfReader, PdfWriter
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen import canvas

    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    buffer = io.BytesIO()
    page = canvas.Canvas(buffer, invariant=1, pageCompression=0)
    page.drawString(72, 740, body)
    page.setFont("Vera", 12)
    page.drawString(72, 600, planted or " ")
    page.showPage()
    page.save()
    writer = PdfWriter(clone_from=PdfReader(buffer))
    for font in writer.pages[0]["/Resources"]["/Font"].values():
        table = font.get_object().get("/ToUnicode")
        if table is not None:
            table = table.get_object()
            table.set_data(
                re.sub(
                    rb"(?<=> <)([0-9A-Fa-f]{4})(?=>)|(?<=[ \[\n]<)([0-9A-Fa-f]{4})(?=>)",
                    lambda found: _changed(found, change),
                    table.get_data(),
                )
            )
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _changed(found: re.Match[bytes], change: Callable[[str], str | None]) -> bytes:
    new = change(chr(int(found[0], 16)))
    return b"%04X" % (ord(new) if new is not None else 0)


def _holes(sign: str) -> str | None:
    return None if sign in "owlz7R2B" else sign


def _private(sign: str) -> str | None:
    return chr(0xE000 + ord(sign)) if sign in "owlz7R2B" else sign


def _annotation(
    entries: Callable[[str], str], *more: Callable[[str], str | bytes]
) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        first = f"<</Type/Annot/Rect[300 300 340 340]{entries(planted)}>>"
        return file(body, page="/Annots[6 0 R]", objects=[first, *(each(planted) for each in more)])

    return build


def _appearance(planted: str) -> bytes:
    return stream(
        _text(planted, at=(0, 10)),
        "/Type/XObject/Subtype/Form/BBox[0 0 300 40]/Resources<</Font<</F1 5 0 R>>>>",
    )


def _field(entries: Callable[[str], str]) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        field = f"<</Type/Annot/Subtype/Widget/Rect[300 300 400 320]/FT/Tx/T(a){entries(planted)}>>"
        return file(
            body, page="/Annots[6 0 R]", catalog="/AcroForm<</Fields[6 0 R]>>", objects=[field]
        )

    return build


def _catalogued(
    entries: Callable[[str], str], *objects: Callable[[str], str | bytes]
) -> Callable[[str, str], bytes]:
    return lambda planted, body: file(
        body, catalog=entries(planted), objects=[each(planted) for each in objects]
    )


def _drawn(content: Callable[[str], str], **options: Any) -> Callable[[str, str], bytes]:
    return lambda planted, body: file(body, content(planted), **options)


def _xmp(planted: str) -> bytes:
    return stream(
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">{planted}</dc:creator></x:xmpmeta>',
        "/Type/Metadata/Subtype/XML",
    )


def _attachment(planted: str, pack: bool = False) -> bytes:
    return stream(planted, "/Type/EmbeddedFile", pack)


def _image(planted: str, body: str) -> bytes:
    from .pictures import PICTURES

    jpeg = next(picture for picture in PICTURES if picture.name == "JPEG comment").build(planted)
    picture = stream(
        jpeg,
        "/Type/XObject/Subtype/Image/Width 24/Height 16/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode",
    )
    return file(
        body,
        "q 50 0 0 50 100 500 cm /I1 Do Q",
        resources="/XObject<</I1 6 0 R>>",
        objects=[picture],
    )


def _revision(planted: str, body: str) -> bytes:
    """An older version of the page, over which a newer one was saved."""
    old = file(body, _text(planted))
    new = stream(f"BT /F1 12 Tf 72 740 Td {string(body)} Tj ET")
    start, at = int(old.rpartition(b"startxref\n")[2].split()[0]), len(old)
    update = b"4 0 obj\n" + new + b"\nendobj\n"
    table = f"xref\n4 1\n{at:010d} 00000 n \ntrailer\n<</Size 6/Root 1 0 R/Prev {start}>>\nstartxref\n{at + len(update)}\n%%EOF\n"
    return old + update + table.encode()


def _encrypted(planted: str, body: str) -> bytes:
    """Encrypted under an empty password, as a document that may not be printed."""
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(file(body, _text(planted)))))
    writer.encrypt("", "owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _second_page(planted: str, body: str) -> bytes:
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(file(body))))
    writer.append(PdfReader(io.BytesIO(file("Second.", _text(planted)))))
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _layer(state: str) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        return file(
            body, f"/OC /L1 BDC {_text(planted)} EMC", resources="/Properties<</L1 6 0 R>>",
            catalog=f"/OCProperties<</OCGs[6 0 R]/D<</{state}[6 0 R]>>>>", objects=["<</Type/OCG/Name(Layer)>>"],
        )  # fmt: skip

    return build


SHOWN: dict[str, Callable[[str, str], bytes]] = {
    "text": _drawn(_text),
    "letter-spaced text": _drawn(lambda p: _text(p, "6 Tc")),
    "widely letter-spaced text": _drawn(lambda p: _text(p, "18 Tc")),
    "letters moved apart": _drawn(_adjusted),
    "spaces between letters": _drawn(lambda p: _text("  ".join(" ".join(word) for word in p.split()))),
    "each glyph by itself": _drawn(lambda p: _glyphs(p, lambda at: (72 + 7.5 * at, 600))),
    "each glyph far apart": _drawn(lambda p: _glyphs(p, lambda at: (72 + 17 * at, 600))),
    "glyphs in another order": _drawn(lambda p: "".join(_glyphs(" " * at + p[at], lambda n: (72 + 8 * n, 600)) for at in reversed(range(len(p))))),
    "vertical text": _drawn(lambda p: _glyphs(p, lambda at: (72, 700 - 14 * at))),
    "vertical text far apart": _drawn(lambda p: _glyphs(p, lambda at: (72, 710 - 26 * at))),
    "vertical text upwards": _drawn(lambda p: _glyphs(p, lambda at: (72, 200 + 14 * at))),
    "text on a slope": _drawn(lambda p: _glyphs(p, lambda at: (72 + 8 * at, 600 + 3 * at))),
    "turned text": _drawn(lambda p: f"BT /F1 12 Tf 0 1 -1 0 300 300 Tm {string(p)} Tj ET"),
    "slanted text": _drawn(lambda p: f"BT /F1 12 Tf .8 .6 -.6 .8 200 300 Tm {string(p)} Tj ET"),
    "upside down text": _drawn(lambda p: f"BT /F1 12 Tf -1 0 0 -1 400 300 Tm {string(p)} Tj ET"),
    "stretched text": _drawn(lambda p: _text(p, "200 Tz")),
    "text in hexadecimal": _drawn(lambda p: f"BT /F1 12 Tf 72 600 Td <{p.encode('latin-1').hex()}> Tj ET"),
    "text on a new line": _drawn(lambda p: f"BT /F1 12 Tf 14 TL 72 600 Td {string(p)} ' ET"),
    "outlined text": _drawn(lambda p: _text(p, "1 Tr")),
    "text as a clip": _drawn(_clip),
    "grey text": _drawn(lambda p: _text(p, ".6 g")),
    "small text": _drawn(lambda p: _text(p, size=5)),
    "large text": _drawn(lambda p: _text(p, size=40, at=(20, 400))),
    "text in a form": _form,
    "text in nested forms": _nested_form,
    "tiling pattern": _pattern,
    "form in a tiling pattern": lambda p, b: _pattern(p, b, inner_form=True),
    "tiling pattern in a form": _pattern_in_form,
    "soft mask": _soft_mask,
    "glyphs of a Type 3 font": _type3,
    "table of characters with holes": lambda p, b: _mapped(p, b, _holes),
    "table of characters in the private area": lambda p, b: _mapped(p, b, _private),
    "table of other characters": lambda p, b: _mapped(p, b, lambda sign: _ROTATED.get(sign, sign)),
    "table of a few other characters": lambda p, b: _mapped(p, b, lambda sign: {"o": "e", "7": "1", "2": "3"}.get(sign, sign)),
    "table of characters that are all spaces": lambda p, b: _mapped(p, b, lambda sign: " "),
    "embedded font with holes": lambda p, b: _embedded(p, b, _holes),
    "embedded font in the private area": lambda p, b: _embedded(p, b, _private),
    "artifact": _drawn(lambda p: f"/Artifact BMC {_text(p)} EMC"),
    "replaced by another text": _drawn(lambda p: f"/Span <</ActualText(nothing)>> BDC {_text(p)} EMC"),
    "layer that is on": _layer("ON"),
    "second page": _second_page,
    "empty password": _encrypted,
}  # fmt: skip
UNSEEN: dict[str, Callable[[str, str], bytes]] = {
    "invisible text": _drawn(lambda p: _text(p, "3 Tr")),
    "white text": _drawn(lambda p: _text(p, "1 g")),
    "text outside of the page": _drawn(lambda p: _text(p, at=(72, -100))),
    "clipped text": _drawn(lambda p: f"q 0 0 10 10 re W n {_text(p)} Q"),
    "tiny text": _drawn(lambda p: f"BT /F1 .1 Tf 72 600 Td {string(p)} Tj ET"),
    "text under a box": _drawn(lambda p: _text(p) + "0 g 60 590 400 40 re f"),
    "layer that is off": _layer("OFF"),
    "form that is not drawn": lambda p, b: _form(p, b).replace(b"/X1 Do", b"      "),
    "property of marked content": _drawn(lambda p: f"/Span <</ActualText {wide(p)}>> BDC EMC"),
    "expansion": _drawn(lambda p: f"/Span <</E {string(p)}>> BDC EMC"),
    "comment in the content": _drawn(lambda p: f"% {p}\n"),
    "operand of nothing": _drawn(lambda p: f"{string(p)} pop\n"),
    "name of a resource": lambda p, b: file(b, resources="/XObject<</" + re.sub(r"\W", "#20", p) + " 4 0 R>>"),
    "note": _annotation(lambda p: f"/Subtype/Text/Contents{string(p)}"),
    "note in UTF-16": _annotation(lambda p: f"/Subtype/Text/Contents{wide(p)}"),
    "author of a note": _annotation(lambda p: f"/Subtype/Text/Contents(x)/T{string(p)}"),
    "subject of a note": _annotation(lambda p: f"/Subtype/Text/Contents(x)/Subj{string(p)}"),
    "rich text of a note": _annotation(lambda p: f"/Subtype/FreeText/DA(/F1 12 Tf)/RC{string('<p>' + p + '</p>')}"),
    "pop-up": _annotation(lambda p: "/Subtype/Text/Contents(x)/Popup 7 0 R", lambda p: f"<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Contents{string(p)}>>"),
    "name of a note": _annotation(lambda p: f"/Subtype/Text/Contents(x)/NM{string(p)}/M{string(p)}"),
    "appearance of a note": _annotation(lambda p: "/Subtype/FreeText/Contents(x)/DA(/F1 12 Tf)/AP<</N 7 0 R>>", _appearance),
    "stamp": _annotation(lambda p: "/Subtype/Stamp/Name/" + re.sub(r"\W", "#20", p) + "/AP<</N 7 0 R>>", _appearance),
    "link": _annotation(lambda p: f"/Subtype/Link/A<</S/URI/URI{string('https://example.org/' + p)}>>"),
    "link to a file": _annotation(lambda p: f"/Subtype/Link/A<</S/Launch/F{string(p)}>>"),
    "link to a form": _annotation(lambda p: f"/Subtype/Link/A<</S/SubmitForm/F<</FS/URL/F{string('https://example.org/' + p)}>>>>"),
    "script of a note": _annotation(lambda p: f"/Subtype/Link/A<</S/JavaScript/JS{string('app.alert(1) // ' + p)}>>"),
    "attached file": _annotation(lambda p: "/Subtype/FileAttachment/FS<</Type/Filespec/F(a.txt)/EF<</F 7 0 R>>>>", _attachment),
    "redaction that was not applied": _annotation(lambda p: f"/Subtype/Redact/OverlayText{string(p)}"),
    "field value": _field(lambda p: f"/V{string(p)}"),
    "default of a field": _field(lambda p: f"/DV{string(p)}"),
    "name of a field": lambda p, b: _field(lambda q: "")(p, b).replace(b"/T(a)", b"/T" + string(p).encode()),
    "tool tip of a field": _field(lambda p: f"/TU{string(p)}/TM{string(p)}"),
    "script of a field": _field(lambda p: f"/AA<</K<</S/JavaScript/JS{string(p)}>>>>"),
    "options of a field": _field(lambda p: f"/FT/Ch/Opt[[{string(p)}(x)](y)]"),
    "signature": _field(lambda p: f"/FT/Sig/V<</Type/Sig/Filter/Adobe.PPKLite/Name{string(p)}/Reason{string(p)}/ContactInfo{string(p)}/Contents<{p.encode('latin-1').hex()}>>>"),
    "XFA form": _catalogued(lambda p: "/AcroForm<</Fields[]/XFA 6 0 R>>", lambda p: stream(f"<xdp:xdp><who>{p}</who></xdp:xdp>")),
    "author of the document": lambda p, b: file(b, trailer="/Info 6 0 R", objects=[f"<</Author{string(p)}/Title{wide(p)}/Keywords{string(p)}>>"]),
    "own property": lambda p, b: file(b, trailer="/Info 6 0 R", objects=[f"<</Owner{string(p)}>>"]),
    "XMP": _catalogued(lambda p: "/Metadata 6 0 R", _xmp),
    "XMP of a page": lambda p, b: file(b, page="/Metadata 6 0 R", objects=[_xmp(p)]),
    "outline": _catalogued(lambda p: "/Outlines 6 0 R", lambda p: "<</Type/Outlines/First 7 0 R/Last 7 0 R/Count 1>>", lambda p: f"<</Title{wide(p)}/Parent 6 0 R/Dest[3 0 R/Fit]>>"),
    "label of a page": _catalogued(lambda p: f"/PageLabels<</Nums[0<</S/D/P{string(p)}>>]>>"),
    "named destination": _catalogued(lambda p: f"/Names<</Dests<</Names[{string(p)}[3 0 R/Fit]]>>>>"),
    "old named destination": _catalogued(lambda p: "/Dests<</" + re.sub(r"\W", "#20", p) + "[3 0 R/Fit]>>"),
    "embedded file": _catalogued(lambda p: "/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(a.txt)/EF<</F 6 0 R>>>>]>>>>", _attachment),
    "packed embedded file": _catalogued(lambda p: "/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec/F(a.txt)/EF<</F 6 0 R>>>>]>>>>", lambda p: _attachment(p, pack=True)),
    "name of an embedded file": _catalogued(lambda p: f"/Names<</EmbeddedFiles<</Names[{string(p)}<</Type/Filespec/F{string(p)}/Desc{string(p)}>>]>>>>"),
    "portfolio": _catalogued(lambda p: f"/Collection<</Schema<</a<</N{string(p)}/Subtype/S>>>>>>"),
    "script of the document": _catalogued(lambda p: f"/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS{string(p)}>>]>>>>"),
    "action on opening": _catalogued(lambda p: f"/OpenAction<</S/JavaScript/JS{string(p)}>>"),
    "address of the document": _catalogued(lambda p: f"/URI<</Base{string(p)}>>"),
    "name of a layer": _catalogued(lambda p: "/OCProperties<</OCGs[6 0 R]/D<<>>>>", lambda p: f"<</Type/OCG/Name{string(p)}>>"),
    "creator of layers": _catalogued(lambda p: f"/OCProperties<</OCGs[]/D<</Name{string(p)}/Creator{string(p)}>>>>"),
    "alternative text": _catalogued(lambda p: "/StructTreeRoot 6 0 R/MarkInfo<</Marked true>>", lambda p: "<</Type/StructTreeRoot/K 7 0 R>>", lambda p: f"<</Type/StructElem/S/Figure/P 6 0 R/Pg 3 0 R/Alt{wide(p)}/ActualText{string(p)}/E{string(p)}/T{string(p)}/ID{string(p)}/Lang{string(p)}>>"),
    "role of the structure": _catalogued(lambda p: "/StructTreeRoot<</Type/StructTreeRoot/RoleMap<</" + re.sub(r"\W", "#20", p) + "/P>>>>"),
    "language": _catalogued(lambda p: f"/Lang{string(p)}"),
    "private data of a program": lambda p, b: file(b, page=f"/PieceInfo<</X<</LastModified(D:2021)/Private{string(p)}>>>>"),
    "thumbnail": lambda p, b: file(b, page="/Thumb 6 0 R", objects=[stream(p.ljust(48)[:48], "/Width 4/Height 4/ColorSpace/DeviceRGB/BitsPerComponent 8")]),
    "output intent": _catalogued(lambda p: f"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX/OutputConditionIdentifier{string(p)}/Info{string(p)}>>]"),
    "profile of colours": lambda p, b: file(b, resources="/ColorSpace<</C1[/ICCBased 6 0 R]>>", objects=[stream("desc" + p, "/N 3")]),
    "name of a font": lambda p, b: file(b, fonts="/F2 6 0 R", objects=["<</Type/Font/Subtype/Type1/BaseFont/" + re.sub(r"\W", "#20", p) + ">>"]),
    "article": _catalogued(lambda p: "/Threads[6 0 R]", lambda p: f"<</Type/Thread/I<</Title{string(p)}>>>>"),
    "web capture": _catalogued(lambda p: f"/SpiderInfo<</V 1/C[<</S<</AU<</U{string(p)}>>>>>>]>>"),
    "viewer": _catalogued(lambda p: "/ViewerPreferences<</" + re.sub(r"\W", "#20", p) + " true>>"),
    "requirement": _catalogued(lambda p: f"/Requirements[<</S/EnableJavaScripts/RH<</Script{string(p)}>>>>]"),
    "legal attestation": _catalogued(lambda p: f"/Legal<</Attestation{string(p)}>>"),
    "metadata of a picture": _image,
    "object without use": lambda p, b: file(b, objects=[string(p)]),
    "packed stream without use": lambda p, b: file(b, objects=[stream(p, pack=True)]),
    "comment of the file": lambda p, b: file(b, comment=f"% {p}\n"),
    "after the end": lambda p, b: file(b) + f"% {p}\n".encode(),
    "identifier of the file": lambda p, b: file(b, trailer=f"/ID[{string(p)}{string(p)}]"),
    "older revision": _revision,
}  # fmt: skip

PLACES = [Place(f"pdf: {name}", "pdf", build) for name, build in (SHOWN | UNSEEN).items()]
