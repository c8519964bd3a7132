"""PDF and rich text: boxes cover what is masked, nothing of the old file is carried over, limits and errors hold."""

from __future__ import annotations

import io as streams
import re
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pypdf
import pypdfium2
import pytest
from hiding import BODY, SECRETS
from hiding.pdf import SHOWN
from hypothesis import given, settings
from hypothesis import strategies as st
from office import Plants, pdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen import canvas
from samples import NAME

from maskwise.errors import InputError
from maskwise.files import sanitize_file
from maskwise.io import ocr, pages
from maskwise.io.limits import Limits
from maskwise.io.pdf import Pdf, PdfPage, _find_doubt
from maskwise.io.rtf import Rtf
from maskwise.mask import apply_replacements

TABLE = """level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext
4\t1\t1\t1\t1\t0\t10\t10\t200\t20\t-1\t
5\t1\t1\t1\t1\t1\t10\t10\t80\t20\t96\tZbigniew
5\t1\t1\t1\t1\t2\t100\t10\t90\t20\t91\tKowalczyk
5\t1\t1\t1\t2\t1\t10\t40\t50\t20\t90\t"left
"""


def page(draw, count: int = 1, **options) -> bytes:
    buffer = streams.BytesIO()
    drawing = canvas.Canvas(buffer, invariant=1, **options)
    for _ in range(count):
        draw(drawing)
        drawing.showPage()
    drawing.save()
    return buffer.getvalue()


def pixels(raw: bytes, at: int = 0, scale: float = 150 / 72) -> np.ndarray:
    document = pypdfium2.PdfDocument(raw)
    return np.asarray(
        document[at % len(document)].render(scale=scale, draw_annots=False).to_pil().convert("L")
    )


def near(picture: np.ndarray) -> np.ndarray:
    """The darkest pixel within two pixels of each: drawing a picture on a page again may shift it by one."""
    padded = np.pad(picture, 2, constant_values=255)
    height, width = picture.shape
    rows = np.minimum.reduce([padded[at : at + height] for at in range(5)])
    return np.minimum.reduce([rows[:, at : at + width] for at in range(5)])


def test_boxes_cover_the_name_and_nothing_else():
    raw = page(lambda c: c.drawString(72, 700, f"The letter of {NAME} came on Monday."))
    loaded = Pdf().read(raw, "x.pdf")
    text = loaded.texts[0]
    start = text.index(NAME)
    _, alignment = apply_replacements(text, [(start, start + len(NAME), " ")])
    before, after = pixels(raw), pixels(Pdf().write(loaded, ("",), (alignment,)))
    assert before.shape == after.shape
    rest = pixels(page(lambda c: c.drawString(72, 700, "The letter of ")))
    row = slice(int(135 * 150 / 72), int(145 * 150 / 72))
    edge = int(np.flatnonzero(rest.min(0) < 128)[-1]) + 8
    name = page(lambda c: c.drawString(72, 700, f"The letter of {NAME}"))
    end = int(np.flatnonzero(pixels(name).min(0) < 128)[-1])
    assert (after[row, edge + 4 : end] < 40).all(), "the box is black from end to end"
    for cut in (np.s_[:, : edge - 8], np.s_[:, end + 14 :]):
        assert (near(after[cut])[before[cut] < 60] < 128).all(), "what is not masked is still there"
        assert (near(before[cut])[after[cut] < 60] < 128).all(), "and nothing else"


@pytest.mark.parametrize("angle", [0, 90, 180, 270])
def test_boxes_stand_right_on_turned_pages_and_moved_origins(angle):
    writer = pypdf.PdfWriter(
        clone_from=pypdf.PdfReader(streams.BytesIO(page(lambda c: c.drawString(200, 500, NAME))))
    )
    writer.pages[0].rotate(angle)
    writer.pages[0].mediabox = writer.pages[0].cropbox = pypdf.generic.RectangleObject(
        (50, 40, 560, 800)
    )
    buffer = streams.BytesIO()
    writer.write(buffer)
    raw = buffer.getvalue()
    loaded = Pdf().read(raw, "x.pdf")
    _, alignment = apply_replacements(loaded.texts[0], [(0, len(NAME), " ")])
    before, after = pixels(raw), pixels(Pdf().write(loaded, ("",), (alignment,)))
    assert before.shape == after.shape
    assert (before < 128).sum() > 100
    assert (after[before < 128] < 60).all(), "every dark pixel of the name lies under the box"
    assert (after < 60).mean() < 0.05


def test_nothing_of_the_old_file_is_carried_over():
    sample = pdf(Plants())
    loaded = Pdf().read(sample.raw, "x.pdf")
    assert {"note", "form value", "body", "turned page", "invisible text"} <= {
        place for place, who in sample.plants.items() if who in loaded.texts[0]
    }
    _, alignment = apply_replacements(loaded.texts[0], [])
    reader = pypdf.PdfReader(streams.BytesIO(Pdf().write(loaded, loaded.texts, (alignment,))))
    assert [p.extract_text() for p in reader.pages] == ["", ""]
    assert not reader.metadata
    assert not reader.outline
    assert not reader.get_fields()
    assert not reader.attachments
    assert not [p for p in reader.pages if "/Annots" in p]
    assert set(reader.trailer["/Root"]) == {"/Type", "/Pages"}


def test_the_whole_line(sanitizer, with_formats):
    raw = page(lambda c: c.drawString(72, 700, f"The letter of {NAME} came."))
    done = sanitize_file(sanitizer, raw, "x.pdf")
    assert done.suffix == ".pdf"
    assert done.data.startswith(b"%PDF-")
    text = sanitize_file(with_formats(pdf={"output": "text"}), raw, "x.pdf")
    assert (text.suffix, text.data) == (".txt", b"The letter of [PERSON 1] came.")


def test_a_page_of_pictures_has_no_text_layer():
    image = Image.new("L", (600, 100), 255)
    raw = pages.write_pdf([pages.make_picture(image, (300.0, 50.0))])
    with pytest.raises(InputError, match=r"x.pdf: page 1: no text layer"):
        Pdf().read(raw, "x.pdf")
    assert Pdf().read(page(lambda c: None), "empty.pdf").texts == ("",)


def test_words_of_a_scan_are_boxed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / ocr.PROGRAM
    (tmp_path / "table").write_text(TABLE, "utf-8")
    program.write_text(f"#!/bin/sh\ncat > /dev/null\ncat {tmp_path}/table\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    image = Image.new("L", (300, 100), 255)
    ImageDraw.Draw(image).text((12, 12), NAME, fill=0, font=ImageFont.load_default(15))
    form = Pdf(recognise=True, dpi=72)
    loaded = form.read(pages.write_pdf([pages.make_picture(image, (300.0, 100.0))]), "scan.pdf")
    assert loaded.texts == (f'{NAME}\n"left',)
    _, alignment = apply_replacements(loaded.texts[0], [(0, len(NAME), " ")])
    after = pixels(form.write(loaded, ("",), (alignment,)), scale=1)
    assert (after[11:29, 11:189] < 40).all()
    assert (after[36:] > 200).all()


def test_recognition_needs_the_program(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    assert shutil.which(ocr.PROGRAM) is None
    raw = pages.write_pdf([pages.make_picture(Image.new("L", (60, 10), 255), (30.0, 5.0))])
    with pytest.raises(InputError, match="tesseract, which is not installed"):
        Pdf(recognise=True).read(raw, "x.pdf")


def test_encrypted_damaged_and_foreign_files():
    writer = pypdf.PdfWriter()
    writer.add_blank_page(72, 72)
    writer.encrypt("secret", algorithm="RC4-128")
    buffer = streams.BytesIO()
    writer.write(buffer)
    for raw, message in (
        (buffer.getvalue(), "encrypted"),
        (b"%PDF-1.4 nothing", "damaged"),
        (b"hello", "not a PDF"),
    ):
        with pytest.raises(InputError, match=message):
            Pdf().read(raw, "x.pdf")


def test_ten_thousand_pages_are_stopped_before_they_are_read():
    kids = " ".join(["3 0 R"] * 10_000)
    raw = (
        f"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 10000/Kids[{kids}]>>endobj\n"
        "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj\ntrailer<</Root 1 0 R>>\n"
    ).encode()
    with pytest.raises(InputError, match="pages 10,000 is over the limit of 5,000"):
        Pdf().read(raw, "x.pdf")
    with pytest.raises(InputError, match="pages 2 is over the limit of 1"):
        Pdf(limits=Limits(pages=1)).read(page(lambda c: c.drawString(9, 9, "x"), 2), "x.pdf")


def test_a_huge_page_is_drawn_coarser():
    raw = page(lambda c: c.drawString(72, 700, NAME), pagesize=(14000, 14000))
    loaded = Pdf(dpi=600).read(raw, "x.pdf")
    _, alignment = apply_replacements(loaded.texts[0], [])
    view = pypdfium2.PdfDocument(Pdf(dpi=600).write(loaded, loaded.texts, (alignment,)))[0]
    assert view.get_size() == (14000, 14000)


def test_rich_text_is_written_as_plain_text(sanitizer):
    raw = rb"{\rtf1\ansi{\info{\author Zbigniew Kowalczyk}}Seen by {\b Zbig}niew Kowalczyk \'e0 la carte.\par End.}"
    done = sanitize_file(sanitizer, raw, "letter.rtf")
    assert (done.suffix, done.data.decode()) == (".txt", "Seen by [PERSON 1] à la carte.\nEnd.")
    with pytest.raises(InputError, match="not rich text"):
        Rtf().read(b"Seen", "x.rtf")


FONTS = ["Helvetica", "Courier"]
REFUSED = {
    "tiling pattern",
    "form in a tiling pattern",
    "tiling pattern in a form",
    "soft mask",
    "glyphs of a Type 3 font",
    "table of characters in the private area",
    "table of other characters",
    "table of a few other characters",
    "table of characters that are all spaces",
    "embedded font with holes",
    "embedded font in the private area",
}


def find_secret(build: Callable[[str, str], bytes], secret: str) -> tuple[np.ndarray, np.ndarray]:
    """The last page of a file with the secret on it, and where the secret is."""
    with_it, without = (pixels(build(text, BODY), -1) for text in (secret, " "))
    return with_it, np.abs(with_it.astype(int) - without) > 60


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("place", SHOWN)
def test_what_a_page_shows_is_covered_or_the_page_is_refused(sanitizer, place, kind):
    secret, _ = SECRETS[kind]
    before, where = find_secret(SHOWN[place], secret)
    assert where.sum() > 20, "the secret is to be seen"
    raw = SHOWN[place](secret, BODY)
    try:
        done = sanitize_file(sanitizer, raw, "x.pdf")
    except InputError:
        assert place in REFUSED
        return
    assert place not in REFUSED
    paper = (near(np.where(where, 0, 255)) == 0) & (
        before > 200
    )  # beside the strokes of the secret
    assert (pixels(done.data, -1)[paper] < 128).mean() > 0.7, "but for the white label"


@settings(max_examples=100, deadline=None)
@given(
    st.text("abcdefgh XYZ.,;: 0123456789ij lt", max_size=80).map("A".__add__),
    st.sampled_from(FONTS),
)
def test_ordinary_lines_are_read_as_they_are_set(text, font):
    def draw(drawing):
        drawing.setFont(font, 11)
        drawing.drawString(40, 500, text)

    read = Pdf().read(page(draw), "x.pdf").texts[0]
    assert join_letters(read) == join_letters(text)


def join_letters(text):
    """Words, with single letters joined: spaced type and words of one letter look alike."""
    spaced = " ".join(text.split())
    return re.sub(r"(?<=\b\S) (?=\S\b)", "", spaced).split()


@pytest.mark.parametrize(
    "step", [(9.0, 0.0), (22.0, 0.0), (0.0, -13.0), (0.0, -30.0), (7.0, 4.0), (-3.0, -12.0)]
)
def test_glyphs_in_equal_steps_are_words(step):
    def draw(drawing):
        for at, sign in enumerate("Seen by Ana Maria Souza"):
            drawing.drawString(60 + step[0] * at, 760 + step[1] * at, sign)

    across = pypdf.generic.RectangleObject((-200, -200, 900, 1000))
    raw = page(draw)
    writer = pypdf.PdfWriter(clone_from=pypdf.PdfReader(streams.BytesIO(raw)))
    writer.pages[0].mediabox = writer.pages[0].cropbox = across
    buffer = streams.BytesIO()
    writer.write(buffer)
    assert "Ana Maria Souza" in Pdf().read(buffer.getvalue(), "x.pdf").texts[0]


def test_a_bullet_without_a_character_does_no_harm():
    found = PdfPage("\ufffd First\n\ufffd Second\n")
    assert not _find_doubt(found)
    assert _find_doubt(PdfPage("Kow\ufffdlczyk"))
    assert _find_doubt(PdfPage("\ufffd \ufffd \ufffd"))


def test_pictures_of_pages_are_said():
    image = Image.new("L", (60, 10), 255)
    raw = page(lambda c: (c.drawString(9, 9, "Seen."), c.drawInlineImage(image, 50, 50)))
    assert any(
        note == "pictures on its pages kept, whose text is not read: 1"
        for note in Pdf().read(raw, "x.pdf").notes
    )
