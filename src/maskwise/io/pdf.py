"""PDF: text is read by position. The output is a new PDF whose pages are pictures with boxes burned over what is
masked, or plain text.

Of the old file nothing is carried over but the look of its pages: metadata, outlines, annotations, attachments, form
values, scripts and hidden layers cannot be in the new one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from maskwise.errors import InputError, PluginError
from maskwise.io import ocr, pages
from maskwise.io.formats import Loaded
from maskwise.io.limits import Limits
from maskwise.io.segments import BREAK, Segments, changes, join
from maskwise.mask import Alignment

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels of the rendered page

PIXELS = 40_000_000  # of one page: a larger one is drawn coarser
PADDING = 0.12  # of its height, by which a box is wider than what it covers
_KEYS = (b"Contents", b"V", b"T", b"Subj", b"RC")  # of an annotation or form field
_ODD = {0: " ", 2: "-", 0xFFFE: "-", 13: ""}  # what PDFium writes for no character, hyphens at line ends, line breaks


@dataclass(frozen=True)
class Page:
    """A page's text with, for each character, its index on the page; or the words that were recognised on it."""

    text: str = field(repr=False)
    index: tuple[int, ...] = field(default=(), repr=False)
    words: tuple[ocr.Word, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Layout:
    """The file, its pages, and the segments: a text for each page, then the texts of annotations and form fields."""

    raw: bytes = field(repr=False)
    name: str
    pages: tuple[Page, ...]
    segments: Segments


@dataclass(frozen=True)
class Pdf:
    """PDF in; out a PDF of pictures (`output: pages`) or plain text (`output: text`).

    `recognise` reads pages without text by Tesseract; without it, such a page is an error.
    """

    output: Literal["pages", "text"] = "pages"
    dpi: int = 150
    recognise: bool = False
    limits: Limits = field(default_factory=Limits)

    @property
    def suffix(self) -> str:
        return ".pdf" if self.output == "pages" else ".txt"

    def read(self, raw: bytes, name: str) -> Loaded:
        self.limits.allow(name, "file", len(raw))
        with _opened(raw, name) as document:
            self.limits.allow(name, "pages", len(document))
            found = tuple(self._page(document, at, name) for at in range(len(document)))
            marginal = tuple(text for at in range(len(document)) for text in _annotations(document, at))
        glue = ["\n\n"] * len(found) + [BREAK] * len(marginal)
        text, segments = join([*(page.text for page in found), *marginal], glue)
        notes = _notes(len(marginal), self.output)
        return Loaded((text,), Layout(raw, name, found, segments), notes=notes)

    def _page(self, document: Any, at: int, name: str) -> Page:
        where = f"{name}: page {at + 1}"
        with _safely(where):
            page = document[at]
            found = _text(page)
            if found.text.strip() or not any(True for _ in page.get_objects(max_depth=2)):
                return found
            if not self.recognise:
                raise InputError(f"{where}: no text layer, as in a scan; set `formats.pdf.recognise` to read it")
            seen = ocr.read(_render(page, self.dpi), self.dpi, where)
            return Page(seen.text, words=seen.words)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        layout: Layout = loaded.layout
        if self.output == "text":
            return masked[0].encode("utf-8", "replace")
        edits = changes(layout.segments, alignments[0])
        with _opened(layout.raw, layout.name) as document:
            return pages.pdf(self._sheets(document, layout, edits))

    def _sheets(self, document: Any, layout: Layout, edits: list[list[tuple[int, int, str]]]) -> Iterator[pages.Sheet]:
        for at, page in enumerate(layout.pages):
            with _safely(f"{layout.name}: page {at + 1}"):
                view = document[at]
                image = _render(view, self.dpi)
                for start, end, label in edits[at]:
                    _burn(image, list(_boxes(view, page, image.size, start, end)), label)
                yield pages.sheet(image, view.get_size())


def _notes(marginal: int, output: str) -> tuple[str, ...]:
    if output == "text":
        return ("layout left out: the PDF is written as plain text",)
    said = ["pages are written as pictures; text in pictures is not read"]
    if marginal:
        said.append(f"texts of annotations and form fields left out: {marginal}")
    return tuple(said)


def _pdfium() -> Any:
    try:
        import PIL  # noqa: F401
        import pypdfium2
    except ImportError:
        raise PluginError(".pdf files need pypdfium2 and pillow: pip install 'maskwise[pdf]'") from None
    return pypdfium2


class _safely:  # noqa: N801 - reads as a statement
    """Turns what PDFium raises on a damaged page into one line."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, (InputError, PluginError)):
            raise InputError(f"{self.where} cannot be read ({type(error).__name__})") from None


class _opened:  # noqa: N801 - reads as a statement
    """A PDF document of PDFium, closed at the end."""

    def __init__(self, raw: bytes, name: str) -> None:
        library = _pdfium()
        if b"%PDF-" not in raw[:1024]:
            raise InputError(f"{name}: not a PDF")
        try:
            self.document = library.PdfDocument(raw)
        except library.PdfiumError as error:
            locked = "password" in str(error).casefold()
            raise InputError(
                f"{name}: encrypted; save it without a password first" if locked else f"{name}: a damaged PDF"
            ) from None

    def __enter__(self) -> Any:
        return self.document

    def __exit__(self, *_: object) -> None:
        self.document.close()


def _text(page: Any) -> Page:
    """All characters of a page in PDFium's order of reading."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    codes = [raw.FPDFText_GetUnicode(textpage, at) for at in range(textpage.count_chars())]
    pairs = [(at, _ODD[code] if code in _ODD else _character(code)) for at, code in enumerate(codes)]
    return Page("".join(c for _, c in pairs), tuple(at for at, c in pairs if c))


def _character(code: int) -> str:
    return "\ufffd" if 0xD800 <= code < 0xE000 or code > 0x10FFFF else chr(code)


def _annotations(document: Any, at: int) -> Iterator[str]:
    """What annotations and form fields of a page say; their authors and field names too."""
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


def _render(page: Any, dpi: int) -> Any:
    """The page as people see it, without annotations and form values."""
    width, height = page.get_size()
    scale = min(dpi / 72, (PIXELS / max(width * height, 1.0)) ** 0.5)
    bitmap = page.render(scale=scale, may_draw_forms=False, draw_annots=False)
    return bitmap.to_pil().convert("RGB")


def _boxes(page: Any, read: Page, size: tuple[int, int], start: int, end: int) -> Iterator[Box]:
    """Boxes over a span of a page's text: one a line."""
    if read.words:
        found = [word.box for word in read.words if word.start < end and start < word.end]
    else:
        textpage = page.get_textpage()
        found = [
            _pixels(page, size, textpage.get_charbox(at, loose=loose))
            for at in read.index[start:end]
            for loose in (True, False)
        ]
    line: Box | None = None
    for box in found:
        if line is not None and min(box[3], line[3]) - max(box[1], line[1]) > 0.5 * min(
            box[3] - box[1], line[3] - line[1]
        ):
            line = (min(line[0], box[0]), min(line[1], box[1]), max(line[2], box[2]), max(line[3], box[3]))
            continue
        if line is not None:
            yield line
        line = box
    if line is not None:
        yield line


def _pixels(page: Any, size: tuple[int, int], box: Box) -> Box:
    """A box in points of the page, wherever its origin and however it is turned, in pixels of its picture."""
    from pypdfium2 import PdfPosConv

    convert = PdfPosConv(page, (0, 0, *size, 0))
    (left, low), (right, high) = convert.to_bitmap(*box[:2]), convert.to_bitmap(*box[2:])
    return min(left, right), min(low, high), max(left, right), max(low, high)


def _burn(image: Any, boxes: list[Box], label: str) -> None:
    """Paint boxes black, each a little larger than what it covers; the label stands in the widest, if it fits."""
    from PIL import ImageDraw, ImageFont

    draw = ImageDraw.Draw(image)
    for left, top, right, bottom in boxes:
        pad = max(1.0, PADDING * (bottom - top))
        draw.rectangle((left - pad, top - pad, right + pad, bottom + pad), fill="black")
    if not boxes or not label.strip():
        return
    left, top, right, bottom = max(boxes, key=lambda box: box[2] - box[0])
    font = ImageFont.load_default(max(6.0, 0.75 * (bottom - top)))
    width = draw.textlength(label, font=font)
    if width > right - left:
        font = ImageFont.load_default(max(6.0, 0.75 * (bottom - top) * (right - left) / width))
    if draw.textlength(label, font=font) <= right - left + 2:
        draw.text(((left + right) / 2, (top + bottom) / 2), label, fill="white", font=font, anchor="mm")
