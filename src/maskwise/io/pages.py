"""Pages as pictures: boxes burned into them, and a PDF with one picture per page, always of the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels

QUALITY = 85  # of a JPEG
PADDING = 0.12  # of its height, by which a box is larger than what it covers
SMALLEST = 6  # pixels: smaller labels cannot be read


@dataclass(frozen=True)
class PagePicture:
    """A page as a JPEG, its size in pixels and in points (1/72 inch)."""

    jpeg: bytes = field(repr=False)
    pixels: tuple[int, int]
    points: tuple[float, float]
    grey: bool = False


def make_picture(image: Any, points: tuple[float, float]) -> PagePicture:
    """A Pillow image as a page."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=QUALITY, optimize=True)
    return PagePicture(buffer.getvalue(), image.size, points, image.mode == "L")


def write_pdf(sheets: Iterable[PagePicture]) -> bytes:
    """Catalogue, page tree, and for each page itself, its picture and the one line that draws it (PDF 1.4)."""
    bodies = [b"<</Type/Catalog/Pages 2 0 R>>", b""]
    kids: list[str] = []
    for page in sheets:
        first = len(bodies) + 1
        kids.append(f"{first} 0 R")
        bodies += _write_page(page, first)
    bodies[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets: list[int] = []
    for number, body in enumerate(bodies, 1):
        offsets.append(out.tell())
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, body))
    start = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1))
    out.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    out.write(
        b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(bodies) + 1, start)
    )
    return out.getvalue()


def _write_page(page: PagePicture, first: int) -> tuple[bytes, bytes, bytes]:
    (width, height), (across, down) = page.pixels, page.points
    draw = f"{across:.2f} 0 0 {down:.2f} 0 0 cm /P Do".encode()
    colour = b"DeviceGray" if page.grey else b"DeviceRGB"
    return (
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {across:.2f} {down:.2f}]/Contents {first + 2} 0 R"
        f"/Resources<</XObject<</P {first + 1} 0 R>>>>>>".encode(),
        b"<</Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/%b/BitsPerComponent 8"
        b"/Filter/DCTDecode/Length %d>>\nstream\n%b\nendstream"
        % (width, height, colour, len(page.jpeg), page.jpeg),
        b"<</Length %d>>\nstream\n%b\nendstream" % (len(draw), draw),
    )


def join_boxes(boxes: Iterable[Box]) -> list[Box]:
    """Boxes of characters or words joined to one box per line. Boxes without a size, as of a space, stay."""
    found: list[Box] = []
    flat: list[Box] = []
    for box in boxes:
        if box[2] <= box[0] or box[3] <= box[1]:
            flat.append(box)
        elif found and _measure_overlap(box, found[-1]) > 0.5:
            left, top, right, bottom = found[-1]
            found[-1] = min(left, box[0]), min(top, box[1]), max(right, box[2]), max(bottom, box[3])
        else:
            found.append(box)
    return found + flat


def _measure_overlap(one: Box, other: Box) -> float:
    """How much of the lower of two boxes stands beside the other."""
    low = min(one[3] - one[1], other[3] - other[1])
    return (min(one[3], other[3]) - max(one[1], other[1])) / low if low else 0.0


def burn_boxes(image: Any, boxes: list[Box], label: str) -> None:
    """Paint boxes black, each a little larger than what it covers; the label stands in the widest, if it fits."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(image)
    for left, top, right, bottom in boxes:
        pad = max(1.0, PADDING * (bottom - top))
        draw.rectangle((left - pad, top - pad, right + pad, bottom + pad), fill="black")
    if not boxes or not label.strip():
        return
    left, top, right, bottom = max(boxes, key=lambda box: box[2] - box[0])
    size = 0.75 * (bottom - top)
    width = draw.textlength(label, font=_load_font(int(size)))
    font = _load_font(int(size * min(1.0, (right - left) / width)))
    if draw.textlength(label, font=font) <= right - left + 2:
        draw.text(
            ((left + right) / 2, (top + bottom) / 2), label, fill="white", font=font, anchor="mm"
        )


@lru_cache(maxsize=256)
def _load_font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(max(SMALLEST, size))
