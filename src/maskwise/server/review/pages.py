"""The pages of a PDF as pictures, to be seen beside the text that was read from them."""

from __future__ import annotations

import io
import threading
from pathlib import PurePath

from maskwise.errors import InputError

SCALE = 1.5  # pixels per point
_LOCK = threading.Lock()  # PDFium draws for one thread at a time


def count_pages(name: str, raw: bytes) -> int:
    """The pages of a PDF; 0 for a file of another kind."""
    if PurePath(name).suffix.lower() != ".pdf":
        return 0
    import pypdfium2

    with _LOCK:
        opened = pypdfium2.PdfDocument(raw)
        try:
            return len(opened)
        finally:
            opened.close()


def draw_page(name: str, raw: bytes, page: int) -> bytes:
    """One page as PNG."""
    if not 0 <= page < count_pages(name, raw):
        raise InputError("the document has no such page")
    import pypdfium2

    with _LOCK:
        opened = pypdfium2.PdfDocument(raw)
        try:
            picture = opened[page].render(scale=SCALE).to_pil()
        finally:
            opened.close()
    target = io.BytesIO()
    picture.save(target, "PNG")
    return target.getvalue()
