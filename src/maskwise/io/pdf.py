"""PDF: text is read by position. The output is a new PDF whose pages are pictures with boxes burned over what is
masked, or plain text.

The new file keeps nothing of the old one but the look of its pages, so it has no metadata, outlines, annotations,
attachments, form values, scripts or hidden layers. A page with glyphs that nobody can read is an error, unless text
recognition reads it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_double
from dataclasses import dataclass, field
from math import cos, sin
from typing import Annotated, Any, Literal

from pydantic import Field

from maskwise.errors import InputError, PluginError
from maskwise.io import ocr, pages
from maskwise.io.formats import Loaded
from maskwise.io.glyphs import Glyph, join_glyphs
from maskwise.io.limits import Limits
from maskwise.io.pages import Box
from maskwise.io.pdf_doubts import find_doubts
from maskwise.io.segments import BREAK, Change, Segments, find_changes, join_segments
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy

PIXELS = 40_000_000  # of one page: a larger one is drawn coarser
_KEYS = (b"Contents", b"V", b"T", b"Subj", b"RC")  # of an annotation or form field
_ODD = {2: "-", 0xFFFE: "-", 13: ""}  # what PDFium writes for hyphens at line ends and line breaks
UNREAD = "\ufffd"  # a glyph of which nobody knows the character
_DEPTH = 15  # of forms in forms, as PDFium reads them
_FLAT = 0.1  # of its box: a glyph that is lower shows nothing


@dataclass(frozen=True)
class PdfPage:
    """A page's text with, for each character, its index on the page; or the words that were recognised on it."""

    text: str = field(repr=False)
    index: tuple[int, ...] = field(default=(), repr=False)
    words: tuple[ocr.Word, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class PdfLayout:
    """The file, its pages, and the segments: a text for each page, then the texts of annotations and form fields."""

    raw: bytes = field(repr=False)
    name: str
    pages: tuple[PdfPage, ...]
    segments: Segments


@dataclass(frozen=True)
class Pdf:
    """`output`: a PDF of pictures with boxes burned over what is masked, `dpi` fine, or plain text. `recognise`: read
    pages without text by Tesseract, where it is installed; otherwise they are an error."""

    output: Literal["pages", "text"] = "pages"
    dpi: Annotated[int, Field(ge=36, le=600)] = 150
    recognise: bool = False
    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)

    @property
    def suffix(self) -> str:
        return ".pdf" if self.output == "pages" else ".txt"

    def read(self, raw: bytes, name: str) -> Loaded:
        self.limits.allow(name, "file", len(raw))
        marginal: list[str] = []
        with _open_pdf(raw, name) as document:
            count = len(document)
            self.limits.allow(name, "pages", count)
            doubts = find_doubts(raw, count)
            found = [self._read_page(document, at, name, doubts.get(at, "")) for at in range(count)]
            pictures = sum(_count_pictures(document, at, name) for at in range(count))
            for at in range(count):
                marginal += _read_annotations(document, at)
        glue = ["\n\n"] * len(found) + [BREAK] * len(marginal)
        texts = [*(page.text for page in found), *marginal]
        text, segments = join_segments(texts, glue)
        notes = _write_notes(len(marginal), pictures, self.output)
        layout = PdfLayout(raw, name, tuple(found), segments)
        return Loaded((text,), layout, notes=notes)

    def _read_page(self, document: Any, at: int, name: str, doubt: str) -> PdfPage:
        where = f"{name}: page {at + 1}"
        with _explain_failures(where):
            page = document[at]
            _drop_replacements(page)
            found = _read_text(page)
            if not found.text.strip() and not doubt and _is_blank(page):
                return found
            doubt = doubt or _find_doubt(found)
            if not doubt:
                return found
            if not self.recognise:
                raise InputError(f"{where}: {doubt}; --ocr or `formats.pdf.recognise` reads it")
            picture = _render_page(page, self.dpi)
            seen = ocr.read_picture(picture, self.dpi, where)
            return PdfPage(seen.text, words=seen.words)

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        layout: PdfLayout = loaded.layout
        if self.output == "text":
            return masked[0].encode("utf-8", "replace")
        edits = find_changes(layout.segments, alignments[0])
        with _open_pdf(layout.raw, layout.name) as document:
            return pages.write_pdf(self._draw_pages(document, layout, edits))

    def _draw_pages(
        self, document: Any, layout: PdfLayout, edits: list[list[Change]]
    ) -> Iterator[pages.PagePicture]:
        for at, page in enumerate(layout.pages):
            where = f"{layout.name}: page {at + 1}"
            with _explain_failures(where):
                view = document[at]
                _drop_replacements(view)
                image = _render_page(view, self.dpi)
                places = _PagePlaces(view, page, image.size) if edits[at] else None
                for start, end, label in edits[at]:
                    boxes = places.find_boxes(start, end) if places else []
                    if not _can_cover(boxes, page.text[start:end]):
                        raise InputError(
                            f"{where}: masked text has no place on it; set `formats.pdf.output` to text"
                        )
                    pages.burn_boxes(image, boxes, label)
                yield pages.make_picture(image, view.get_size())


def _write_notes(marginal: int, pictures: int, output: str) -> tuple[str, ...]:
    if output == "text":
        said = ["layout left out: the PDF is written as plain text"]
    else:
        said = ["pages are written as pictures; text in pictures is not read"]
    if pictures:
        left = "left out" if output == "text" else "kept, whose text is not read"
        said.append(f"pictures on its pages {left}: {pictures}")
    if marginal and output != "text":
        said.append(f"texts of annotations and form fields left out: {marginal}")
    return tuple(said)


def _load_pdfium() -> Any:
    try:
        import PIL  # noqa: F401
        import pypdfium2
    except ImportError:
        raise PluginError(
            ".pdf files need pypdfium2 and pillow: pip install 'maskwise[pdf]'"
        ) from None
    return pypdfium2


@contextmanager
def _explain_failures(where: str) -> Iterator[None]:
    """Turn what PDFium raises on a damaged page into one line."""
    try:
        yield
    except (InputError, PluginError):
        raise
    except Exception as error:
        raise InputError(f"{where} cannot be read ({type(error).__name__})") from None


@contextmanager
def _open_pdf(raw: bytes, name: str) -> Iterator[Any]:
    """A PDF document of PDFium, closed at the end."""
    library = _load_pdfium()
    if b"%PDF-" not in raw[:1024]:
        raise InputError(f"{name}: not a PDF")
    try:
        document = library.PdfDocument(raw)
    except library.PdfiumError as error:
        if "password" in str(error).casefold():
            raise InputError(f"{name}: encrypted; save it without a password first") from None
        raise InputError(f"{name}: a damaged PDF") from None
    try:
        yield document
    finally:
        document.close()


def _is_blank(page: Any) -> bool:
    """Whether a page draws nothing at all."""
    return next(iter(page.get_objects(max_depth=2)), None) is None


def _drop_replacements(page: Any) -> None:
    """Forget what a file says should be read instead of its glyphs (ActualText): the page shows the glyphs."""
    from pypdfium2 import raw

    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=_DEPTH):
        for number in reversed(range(raw.FPDFPageObj_CountMarks(item))):
            raw.FPDFPageObj_RemoveMark(item, raw.FPDFPageObj_GetMark(item, number))


def _count_pictures(document: Any, at: int, name: str) -> int:
    from pypdfium2 import raw

    with _explain_failures(f"{name}: page {at + 1}"):
        found = document[at].get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=_DEPTH)
        return sum(1 for _ in found)


def _read_text(page: Any) -> PdfPage:
    """All characters of a page in PDFium's order of reading."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    glyphs: list[Glyph] = []
    x, y = c_double(), c_double()
    for at in range(textpage.count_chars()):
        text = _read_character(textpage, at, raw.FPDFText_GetUnicode(textpage, at))
        raw.FPDFText_GetCharOrigin(textpage, at, x, y)
        if text:
            glyphs.append(Glyph(text, at, x.value, y.value))
    pairs = join_glyphs(glyphs, lambda at: _read_size(textpage, at))
    return PdfPage("".join(text for _, text in pairs), tuple(at for at, _ in pairs))


def _read_size(textpage: Any, at: int) -> tuple[float, float]:
    left, low, right, high = textpage.get_charbox(at, loose=True)
    return right - left, high - low


def _read_character(textpage: Any, at: int, code: int) -> str:
    """A character, nothing for a line break of two, or `UNREAD` for a glyph that stands for none or for a space."""
    from pypdfium2 import raw

    if code in _ODD:
        return _ODD[code]
    if raw.FPDFText_IsGenerated(textpage, at):
        return chr(code)
    is_surrogate = 0xD800 <= code < 0xE000
    sign = UNREAD if is_surrogate or code > 0x10FFFF else chr(code)
    if sign.isprintable() and not sign.isspace():
        return sign
    if _is_solid(textpage, at):
        return UNREAD
    return sign if sign.isspace() else " "


def _is_solid(textpage: Any, at: int) -> bool:
    """Whether a glyph has a height, and not only a width as a space has, however it is turned."""
    from pypdfium2 import raw

    left, low, right, high = textpage.get_charbox(at)
    width, height = right - left, high - low
    angle = raw.FPDFText_GetCharAngle(textpage, at)
    upright = abs(width * abs(sin(angle)) - height * abs(cos(angle)))
    return bool(upright > _FLAT * (width + height))


def _find_doubt(page: PdfPage) -> str:
    """Why a page cannot be read, or nothing. A glyph without a character may stand alone, as bullets do."""
    if not page.text.strip():
        return "no text layer, as in a scan"
    unread = [at for at, sign in enumerate(page.text) if sign == UNREAD]
    if any(_has_neighbour(page.text, at) for at in unread):
        return "glyphs that stand for no character"
    return ""


def _has_neighbour(text: str, at: int) -> bool:
    """Whether a glyph is part of a word, or of a row of its like."""
    around = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
    following = text[at + 1 : at + 9].lstrip()
    return bool(around.strip()) or following.startswith(UNREAD)


def _read_annotations(document: Any, at: int) -> Iterator[str]:
    """The texts of annotations and form fields of a page, with their authors and field names."""
    from pypdfium2 import raw

    page = document[at]
    for number in range(raw.FPDFPage_GetAnnotCount(page)):
        annotation = raw.FPDFPage_GetAnnot(page, number)
        for key in _KEYS:
            size = raw.FPDFAnnot_GetStringValue(annotation, key, None, 0)
            if size > 2:
                buffer = (raw.FPDF_WCHAR * (size // 2))()
                raw.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
                yield bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")
        raw.FPDFPage_CloseAnnot(annotation)


def _render_page(page: Any, dpi: int) -> Any:
    """The page as people see it, without annotations and form values."""
    width, height = page.get_size()
    scale = min(dpi / 72, (PIXELS / max(width * height, 1.0)) ** 0.5)
    bitmap = page.render(scale=scale, may_draw_forms=False, draw_annots=False)
    return bitmap.to_pil().convert("RGB")


class _PagePlaces:
    """Where the characters of a page stand in its picture, wherever its origin and however it is turned."""

    def __init__(self, page: Any, read: PdfPage, size: tuple[int, int]) -> None:
        from pypdfium2 import PdfPosConv

        self.read = read
        self.textpage = page.get_textpage()
        self.convert = PdfPosConv(page, (0, 0, *size, 0))

    def find_boxes(self, start: int, end: int) -> list[Box]:
        """Boxes over a span of the page's text, one per line."""
        if self.read.words:
            words = [word for word in self.read.words if word.start < end and start < word.end]
            return pages.join_boxes(word.box for word in words)
        # The loose box has the size that the font gives, the tight one that of the glyph, which may stick out.
        boxes: list[Box] = []
        for at in self.read.index[start:end]:
            boxes += (self._find_pixels(at, loose=True), self._find_pixels(at, loose=False))
        return pages.join_boxes(boxes)

    def _find_pixels(self, at: int, loose: bool) -> Box:
        left, low, right, high = self.textpage.get_charbox(at, loose=loose)
        a, b = self.convert.to_bitmap(left, low)
        c, d = self.convert.to_bitmap(right, high)
        return min(a, c), min(b, d), max(a, c), max(b, d)


def _can_cover(boxes: list[Box], text: str) -> bool:
    """Whether boxes are large enough to hold a text: some fonts say nothing about the size of their glyphs."""
    area = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes)
    return area >= len("".join(text.split()))
