"""What is not masked stays as it was: runs, styles, formulas, dates, pictures; and the files open in other programs."""

from __future__ import annotations

import io as streams
import re
import zipfile
from collections.abc import Callable
from datetime import date

import docx as python_docx
import odf.opendocument
import odf.teletype
import openpyxl
import pytest
from docx.shared import Pt, RGBColor
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from office import WORD, Plants, docx, odt, png, rels, run, types, xlsx, zipped
from samples import NAME

from maskwise.files import sanitize_file
from maskwise.io import images, leaks
from maskwise.io.cells import Dates
from maskwise.io.docx import Docx
from maskwise.io.formulas import FormulaScope, translate_formula
from maskwise.io.odt import Odt
from maskwise.io.xlsx import Xlsx
from maskwise.mask import apply_replacements
from maskwise.text import EntityType

LABEL = "[PERSON 1]"


def masked(form: Docx | Xlsx | Odt, raw: bytes, *secrets: str) -> bytes:
    loaded = form.read(raw, "file")
    (text,) = loaded.texts
    spans = [
        (m.start(), m.end(), LABEL) for m in re.finditer("|".join(map(re.escape, secrets)), text)
    ]
    new, alignment = apply_replacements(text, spans)
    return form.write(loaded, (new,), (alignment,))


def part(raw: bytes, name: str) -> bytes:
    with zipfile.ZipFile(streams.BytesIO(raw)) as archive:
        return archive.read(name)


def letter() -> bytes:
    document = python_docx.Document()
    document.add_heading("Report", 1)
    paragraph = document.add_paragraph("Seen by ")
    for text, style in (
        ("Zbig", "bold"),
        ("niew Kow", "italic"),
        ("alczyk, a ", "underline"),
        ("neighbour.", "bold"),
    ):
        setattr(paragraph.add_run(text).font, style, True)
    paragraph.runs[-1].font.color.rgb = RGBColor(200, 0, 0)
    paragraph.runs[-1].font.size = Pt(14)
    table = document.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "witness", NAME
    document.sections[0].header.paragraphs[0].text = f"File of {NAME}"
    document.add_comment(paragraph.runs[-1], text=f"Ask {NAME}", author=NAME, initials="ZK")
    buffer = streams.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def canonical(element) -> bytes:
    """The element without the namespaces that are only declared around it."""
    return etree.tostring(element, method="c14n", exclusive=True)


def test_a_name_over_several_runs_is_written_into_the_first(sanitizer):
    done = sanitize_file(sanitizer, letter(), "letter.docx")
    before, after = (python_docx.Document(streams.BytesIO(raw)) for raw in (letter(), done.data))
    assert [run.text for run in after.paragraphs[1].runs] == [
        "Seen by ",
        LABEL,
        "",
        ", a ",
        "neighbour.",
        "",
    ]
    for old, new in zip(before.paragraphs[1].runs, after.paragraphs[1].runs, strict=True):
        assert canonical(old._r.get_or_add_rPr()) == canonical(new._r.get_or_add_rPr())
    assert [p.style.name for p in after.paragraphs] == [p.style.name for p in before.paragraphs]
    assert after.tables[0].cell(0, 1).text == LABEL
    assert after.sections[0].header.paragraphs[0].text == f"File of {LABEL}"
    (comment,) = after.comments
    assert (comment.text, comment.author, comment.initials) == (f"Ask {LABEL}", "Author 1", None)


@pytest.mark.parametrize(("make", "form"), [(docx, Docx()), (xlsx, Xlsx()), (odt, Odt())])
def test_without_masks_the_text_is_the_same(make, form):
    raw = make(Plants()).raw
    once = masked(form, raw, "nobody at all")
    assert form.read(once, "again").texts[0].split() == form.read(raw, "file").texts[0].split()
    assert masked(form, once, "nobody at all") == once


def test_changes_are_accepted_and_authors_numbered():
    sample = docx(Plants())
    text = Docx().read(sample.raw, "x.docx").texts[0]
    assert f"Inserted {sample.plants['insertion']}" in text
    assert f"Moved {sample.plants['moved here']}" in text
    assert sample.plants["deletion"] not in text
    tree = etree.fromstring(part(masked(Docx(), sample.raw, "nobody"), "word/document.xml"))
    assert not list(
        tree.iter("{*}ins", "{*}del", "{*}moveFrom", "{*}rPrChange", "{*}object", "{*}altChunk")
    )


@pytest.mark.parametrize(
    ("make", "form", "name"), [(docx, Docx(), "word/document.xml"), (odt, Odt(), "content.xml")]
)
def test_dates_behind_fields_and_cells_go(make, form, name):
    raw = make(Plants()).raw
    assert b"1985-03-12" in part(raw, name)
    assert b"1985-03-12" not in part(masked(form, raw, "nobody"), name)


def test_bookmarks_and_their_links_are_renamed_alike():
    sample = docx(Plants())
    tree = etree.fromstring(
        part(masked(Docx(), sample.raw, sample.plants["body"]), "word/document.xml")
    )
    names = [e.get(f"{{{e.nsmap['w']}}}name") for e in tree.iter("{*}bookmarkStart")]
    anchors = [e.get(f"{{{e.nsmap['w']}}}anchor") for e in tree.iter("{*}hyperlink")]
    assert names == ["mark1"]
    assert "mark1" in anchors


def test_a_masked_word_of_the_format_breaks_nothing():
    """`Microsoft` and `center` are also words of the format itself."""
    document = python_docx.Document()
    document.add_paragraph("She left Microsoft for a Center in Georgia.").alignment = 1
    buffer = streams.BytesIO()
    document.save(buffer)
    data = masked(Docx(), buffer.getvalue(), "Microsoft", "Center", "Georgia")
    leaks.check_file(data, "docx", "x", ["Microsoft", "Center", "Georgia"], [])
    assert b'w:jc w:val="center"' in part(data, "word/document.xml")
    assert b"http://schemas.microsoft.com/office/word" in part(data, "word/settings.xml")
    assert python_docx.Document(streams.BytesIO(data)).paragraphs[0].style.name == "Normal"


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = NAME
    for row in (
        ("Name", "Born", "Phone"),
        (NAME, date(1985, 3, 12), 4798765432),
        ("Nobody", date(1990, 1, 1), 12),
    ):
        sheet.append(row)
    sheet["D2"] = f'=A2&" or {NAME}"'
    sheet["D3"] = "=SUM(C2:C3)"
    other = book.create_sheet("Other")
    other["A1"] = f"='{NAME}'!C3"
    other["A2"] = NAME
    other["A3"] = "unmasked"
    other.sheet_state = "hidden"
    sheet["A2"].font = openpyxl.styles.Font(bold=True)
    buffer = streams.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_cells_formulas_and_names_of_sheets(sanitizer):
    done = sanitize_file(sanitizer, workbook(), "book.xlsx")
    book = openpyxl.load_workbook(streams.BytesIO(done.data))
    assert book.sheetnames == ["PERSON 1", "Other"]
    first, other = book.worksheets
    assert [c.value for c in first[1]][:3] == ["Name", "Born", "Phone"]
    assert first["A2"].value == LABEL
    assert first["A2"].font.bold
    assert first["C3"].value == 12
    assert first["D2"].value == f'=A2&" or {LABEL}"'
    assert first["D3"].value == "=SUM(C2:C3)"
    assert [other[a].value for a in ("A1", "A2", "A3")] == ["='PERSON 1'!C3", LABEL, "unmasked"]
    assert other.sheet_state == "hidden"


def test_declared_columns_of_a_sheet_are_masked_whole(with_formats):
    sanitizer = with_formats(tables={"columns": {"phone": "CODE", "Born": "DATETIME"}})
    done = sanitize_file(sanitizer, workbook(), "book.xlsx")
    sheet = openpyxl.load_workbook(streams.BytesIO(done.data)).worksheets[0]
    assert [sheet[a].value for a in ("B1", "B2", "C1", "C2", "C3")] == [
        "Born",
        "[DATETIME 1]",
        "Phone",
        "[CODE 1]",
        "[CODE 2]",
    ]


def test_codes_of_headers_stay():
    book = openpyxl.Workbook()
    book.active.oddHeader.center.text = f"{NAME} & Co"
    book.active.oddHeader.center.size = 12
    book.active.oddFooter.right.text = f"Page &P, {NAME}"
    buffer = streams.BytesIO()
    book.save(buffer)
    text = Xlsx().read(buffer.getvalue(), "file").texts[0]
    assert "&C" not in text
    opened = openpyxl.load_workbook(streams.BytesIO(masked(Xlsx(), buffer.getvalue(), NAME))).active
    assert opened.oddHeader.center.text.startswith(LABEL)
    assert opened.oddHeader.center.size == 12
    assert opened.oddFooter.right.text == f"Page &P, {LABEL}"


def test_a_shared_string_is_masked_where_it_is_masked():
    """Two cells share a string; only the one in the declared column changes, and no string is left without a cell."""
    sample = xlsx(Plants())
    form = Xlsx(columns={"name": EntityType.PERSON})
    loaded = form.read(sample.raw, "x.xlsx")
    text = loaded.texts[0]
    start, end, kind = loaded.given[0][0]
    assert (text[start:end], kind) == (sample.plants["shared string"], EntityType.PERSON)
    new, alignment = apply_replacements(text, [(start, end, LABEL)])
    data = form.write(loaded, (new,), (alignment,))
    sheet = openpyxl.load_workbook(streams.BytesIO(data)).worksheets[0]
    assert [sheet["A2"].value, sheet["A4"].value] == [LABEL, sample.plants["shared string"]]
    strings = etree.fromstring(part(data, "xl/sharedStrings.xml"))
    assert sample.plants["unused string"] not in "".join(strings.itertext())


def test_numbers_are_read_as_they_are_shown():
    styles = etree.fromstring(
        '<s xmlns="x"><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm"/>'
        '<numFmt numFmtId="171" formatCode="0 &quot;d&quot;"/>'
        '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/></cellXfs></s>'
    )
    dates = Dates.of(styles, since_1904=False)
    shown = [
        dates.show_number(etree.fromstring(f'<c s="{s}"/>'), v)
        for s, v in ((1, "31118"), (2, "31118.5"), (3, "31118"))
    ]
    assert shown == ["1985-03-12", "1985-03-12 12:00", "31118"]
    assert dates.show_number(etree.fromstring("<c/>"), "4.798765432E9") == "4798765432"
    assert dates.show_number(etree.fromstring('<c s="1"/>'), "1E300") == "1E300"


SCOPE = FormulaScope(
    sheets={"Old One": "New", "Old": "N"},
    names={"range": "name1"},
    tables={"roofs": "Table1"},
    columns={"roofs": {"Kind": "Kind", "Ann Lee": "[PERSON 1]", "A#": "B"}},
)


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("'Old One'!A1+Old!B2", "'New'!A1+'N'!B2"),
        ("old:'Old One'!A1", None),
        ("'Old:Old One'!$A$1:B2", "'N:New'!$A$1:B2"),
        ('"Old!"&Old!A1', "\"Old!\"&'N'!A1"),
        ("Range*2+SUM(A:A,1:3)", "name1*2+SUM(A:A,1:3)"),
        ("_xlfn.IFS(TRUE,1.5E+3,#N/A,-7%)", "_xlfn.IFS(TRUE,1.5E+3,#N/A,-7%)"),
        ("SUM(Roofs[Ann Lee])", "SUM(Table1['[PERSON 1']])"),
        ("SUM(roofs[[#All],[Kind]:[Ann Lee]])", "SUM(Table1[[#All],[Kind]:['[PERSON 1']]])"),
        ("[@Kind]&Roofs[[#This Row],[A'#]]", "[@Kind]&Table1[[#This Row],[B]]"),
        ("Older!A1", None),
        ("ranges", None),
        ("range(1)", None),
        ("my.range", None),
        ("roofs[Nobody]", None),
        ("[1]Old!A1", None),
        ("'[1]Old'!A1", None),
        ("roofs[Kind", None),
        ("§", None),
    ],
)
def test_names_in_formulas(formula, expected):
    assert translate_formula(formula, SCOPE) == expected


def test_open_document_keeps_spans_and_opens_elsewhere(sanitizer):
    document = odf.opendocument.OpenDocumentText()
    paragraph = odf.text.P(text="Seen by ")
    paragraph.addElement(odf.text.Span(text="Zbigniew"))
    paragraph.addElement(odf.text.S())
    paragraph.addText("Kowalczyk on")
    paragraph.addElement(odf.text.Tab())
    paragraph.addText("Monday.")
    document.text.addElement(paragraph)
    buffer = streams.BytesIO()
    document.save(buffer)
    done = sanitize_file(sanitizer, buffer.getvalue(), "letter.odt")
    again = odf.opendocument.load(streams.BytesIO(done.data))
    (text,) = again.getElementsByType(odf.text.P)
    assert odf.teletype.extractText(text) == f"Seen by {LABEL} on\tMonday."
    assert len(again.getElementsByType(odf.text.Span)) == 1
    assert (
        zipfile.ZipFile(streams.BytesIO(done.data)).infolist()[0].compress_type
        == zipfile.ZIP_STORED
    )


def picture(kind: str) -> bytes:
    from PIL import Image

    buffer = streams.BytesIO()
    image = Image.effect_noise((40, 30), 60)
    exif = Image.Exif()
    exif[0x013B] = NAME
    more = {
        "JPEG": {"exif": exif, "comment": NAME, "progressive": True},
        "GIF": {"comment": NAME},
        "PNG": {"exif": exif},
    }
    image.save(buffer, kind, **more[kind])
    return buffer.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "GIF", "PNG"])
def test_pictures_keep_their_pixels_and_nothing_else(kind):
    from PIL import Image

    raw = picture(kind)
    assert NAME.encode() in raw
    clean = images.clean_picture(raw + b"trailer of " + NAME.encode())
    assert clean is not None
    assert NAME.encode() not in clean
    assert (
        Image.open(streams.BytesIO(clean)).tobytes() == Image.open(streams.BytesIO(raw)).tobytes()
    )


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"])
@pytest.mark.parametrize("colours", [2, 4, 16, 256])
def test_pictures_of_all_depths_keep_their_pixels(mode, colours):
    from PIL import Image

    image = Image.effect_noise((37, 23), 60)
    image = image.quantize(colours) if mode == "P" else image.convert(mode)
    for kind in (
        ("PNG", "GIF", "JPEG")
        if mode in ("L", "P", "1")
        else ("PNG", "JPEG")
        if mode == "RGB"
        else ("PNG",)
    ):
        buffer = streams.BytesIO()
        (image.convert("L") if kind == "JPEG" and mode != "RGB" else image).save(buffer, kind)
        clean = images.clean_picture(buffer.getvalue())
        assert clean is not None
        before, after = (
            Image.open(streams.BytesIO(raw)).convert("RGBA").tobytes()
            for raw in (buffer.getvalue(), clean)
        )
        assert before == after


def test_an_animation_keeps_its_frames():
    from PIL import Image

    frames = [Image.effect_noise((20, 20), 30 + at).quantize(8 + 40 * at) for at in range(4)]
    buffer = streams.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], loop=0, duration=40)
    clean = Image.open(streams.BytesIO(images.clean_picture(buffer.getvalue()) or b""))
    raw = Image.open(buffer)
    assert clean.n_frames == raw.n_frames == 4
    for at in range(4):
        clean.seek(at)
        raw.seek(at)
        assert clean.convert("RGB").tobytes() == raw.convert("RGB").tobytes()


def test_a_picture_with_a_comment():
    assert b"Author" not in (images.clean_picture(png(NAME)) or b"Author")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["JPEG", "GIF", "PNG"]), st.integers(0, 10_000), st.binary(max_size=8))
def test_damaged_pictures_are_left_out_or_cleaned(kind, at, junk):
    raw = picture(kind)
    at %= len(raw)
    clean = images.clean_picture(raw[:at] + junk)
    assert clean is None or NAME.encode() not in clean


PIECES = st.lists(
    st.sampled_from(["Ana", "B", " ", "cd", "tab", "break", "<", ">"]), min_size=1, max_size=12
)


def docx_of(pieces: list[str]) -> bytes:
    inner = {"tab": "<w:tab/>", "break": "<w:br/>"}
    runs = [f"<w:r>{inner[p]}</w:r>" if p in inner else run(p) for p in pieces if p not in "<>"]
    body = f"<w:p>{run('x')}{''.join(runs)}</w:p><w:p>{run('End of it.')}</w:p>"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    return zipped(
        {
            "[Content_Types].xml": types({"word/document.xml": main}),
            "_rels/.rels": rels(("d1", "officeDocument", "word/document.xml")),
            "word/document.xml": f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        }
    )


def odt_of(pieces: list[str]) -> bytes:
    """Spans in spans: `<` opens one, `>` closes it, so that text hangs on elements of all kinds."""
    document = odf.opendocument.OpenDocumentText()
    paragraph = odf.text.P(text="x")
    stack = [paragraph]
    for piece in pieces:
        if piece == "<":
            stack.append(odf.text.Span())
            stack[-2].addElement(stack[-1])
        elif piece == ">":
            stack = stack[: max(1, len(stack) - 1)]
        elif piece in ("tab", "break", " "):
            stack[-1].addElement(
                {"tab": odf.text.Tab, "break": odf.text.LineBreak, " ": odf.text.S}[piece]()
            )
        else:
            stack[-1].addText(piece)
    document.text.addElement(paragraph)
    document.text.addElement(odf.text.P(text="End of it."))
    buffer = streams.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(("make", "form"), [(docx_of, Docx()), (odt_of, Odt())])
@settings(max_examples=40, deadline=None)
@given(pieces=PIECES, data=st.data())
def test_what_is_written_reads_as_the_masked_text(
    make: Callable[[list[str]], bytes], form: Docx | Odt, pieces: list[str], data: st.DataObject
):
    loaded = form.read(make(pieces), "file")
    (text,) = loaded.texts
    end = text.index("End of it") - 3
    cuts = sorted(data.draw(st.sets(st.integers(0, max(end, 1)), max_size=6)))
    spans = [
        (a, b, "Q")
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
        if text[a:b].strip() == text[a:b] != ""
    ]
    new, alignment = apply_replacements(text, spans)
    written = form.read(form.write(loaded, (new,), (alignment,)), "again").texts[0]
    assert re.sub(r"[\s;]", "", written) == re.sub(r"[\s;]", "", new)
