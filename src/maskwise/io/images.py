"""Raster pictures without their metadata: what a camera or an editor wrote beside the pixels (author, place, comments,
thumbnails) is left out. The pixels are kept and not read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_CHUNKS = frozenset(b"IHDR PLTE IDAT IEND tRNS cHRM gAMA sBIT sRGB bKGD pHYs acTL fcTL fdAT".split())
_JPEG_DROPPED = frozenset(
    [*range(0xE1, 0xEE), 0xEF, 0xFE]
)  # all application data but JFIF and Adobe's colours; comments
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


def cleaned(data: bytes) -> bytes | None:
    """The picture without metadata, or nothing if it is of no known raster format or damaged."""
    for magic, clean in _CLEANERS.items():
        if data.startswith(magic):
            try:
                return b"".join(clean(data))
            except (IndexError, ValueError):
                return None
    return None


def ending(data: bytes) -> str:
    return "png" if data.startswith(_PNG) else "gif" if data.startswith(b"GIF8") else "jpeg"


def _png(data: bytes) -> Iterator[bytes]:
    yield _PNG
    at = len(_PNG)
    while True:
        size = int.from_bytes(data[at : at + 4])
        kind, end = data[at + 4 : at + 8], at + 12 + size
        if end > len(data):
            raise ValueError
        if kind in _PNG_CHUNKS:
            yield data[at:end]
        if kind == b"IEND":
            return
        at = end


def _jpeg(data: bytes) -> Iterator[bytes]:
    yield data[:2]
    at = 2
    while data[at + 1] != 0xD9:
        if data[at] != 0xFF:
            raise ValueError
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4])
        if data[at + 1] == 0xDA:  # pixels follow, up to the next marker
            marker = _JPEG_MARKER.search(data, end)
            if marker is None:
                raise ValueError
            end = marker.start()
        if data[at + 1] not in _JPEG_DROPPED:
            yield data[at:end]
        at = end
    yield b"\xff\xd9"


def _gif(data: bytes) -> Iterator[bytes]:
    """Header, colour tables and frames; of the extensions only those that time frames or make them repeat."""

    def table(flags: int) -> int:
        return 3 << ((flags & 7) + 1) if flags & 0x80 else 0

    def blocks(at: int) -> int:
        while data[at]:
            at += data[at] + 1
        return at + 1

    at = 13 + table(data[10])
    yield data[:at]
    while data[at] != 0x3B:
        if data[at] == 0x2C:
            end = blocks(at + 11 + table(data[at + 9]))
            yield data[at:end]
        elif data[at] == 0x21:
            end = blocks(at + 2)
            if data[at + 1] == 0xF9 or (data[at + 1] == 0xFF and data[at + 3 : at + 14] == b"NETSCAPE2.0"):
                yield data[at:end]
        else:
            raise ValueError
        at = end
    yield b"\x3b"


_CLEANERS: dict[bytes, Callable[[bytes], Iterator[bytes]]] = {
    _PNG: _png,
    b"\xff\xd8": _jpeg,
    b"GIF87a": _gif,
    b"GIF89a": _gif,
}
