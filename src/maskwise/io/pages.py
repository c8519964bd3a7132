"""A PDF of pictures: one image a page and nothing else, the same bytes for the same pictures."""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

QUALITY = 85


@dataclass(frozen=True)
class Sheet:
    """A page as a JPEG, its size in pixels and in points (1/72 inch)."""

    jpeg: bytes = field(repr=False)
    pixels: tuple[int, int]
    points: tuple[float, float]
    grey: bool = False


def make_sheet(image: Any, points: tuple[float, float]) -> Sheet:
    """A Pillow image as a page."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=QUALITY, optimize=True)
    return Sheet(buffer.getvalue(), image.size, points, image.mode == "L")


def write_pdf(sheets: Iterable[Sheet]) -> bytes:
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


def _write_page(page: Sheet, first: int) -> tuple[bytes, bytes, bytes]:
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
