# ruff: noqa: E501 - a place reads better in one line
"""Pictures that hold a text beside their pixels. `images` puts them into packages."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any


@dataclass(frozen=True)
class Picture:
    """A spot of a picture format; `build(planted)` makes a picture that opens and holds the text there."""

    name: str
    ending: str
    build: Callable[[str], bytes] = field(repr=False)


@cache
def plain(kind: str) -> bytes:
    """A small picture without metadata."""
    return _saved(kind)


def _saved(kind: str, **options: Any) -> bytes:
    from PIL import Image

    image = Image.radial_gradient("L").resize((24, 16)).convert("P" if kind == "GIF" else "RGB")
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(kind: bytes, wrap: bytes = b"{}", before: bytes = b"IDAT") -> Callable[[str], bytes]:
    def build(planted: str) -> bytes:
        raw = plain("PNG")
        at = raw.index(before) - 4
        return raw[:at] + _chunk(kind, wrap.replace(b"{}", planted.encode())) + raw[at:]

    return build


def _png_packed(kind: bytes, head: bytes) -> Callable[[str], bytes]:
    def build(planted: str) -> bytes:
        raw = plain("PNG")
        at = raw.index(b"IDAT") - 4
        return raw[:at] + _chunk(kind, head + zlib.compress(planted.encode())) + raw[at:]

    return build


def _png_pixels(planted: str, after: bool) -> bytes:
    """Text in the compressed pixels: in rows below the last one, or after the end of the compressed stream."""
    raw = plain("PNG")
    at = raw.index(b"IDAT") - 4
    size = struct.unpack(">I", raw[at : at + 4])[0]
    packed = raw[at + 8 : at + 8 + size]
    text = planted.encode()
    new = packed + text if after else zlib.compress(zlib.decompress(packed) + text)
    return raw[:at] + _chunk(b"IDAT", new) + raw[at + 12 + size :]


def _png_header(planted: str) -> bytes:
    """A header that is longer than it may be."""
    raw = plain("PNG")
    return raw[:8] + _chunk(b"IHDR", raw[16:29] + planted.encode()) + raw[33:]


def _segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def _jpeg(marker: int, wrap: bytes = b"{}", first: bool = False) -> Callable[[str], bytes]:
    def build(planted: str) -> bytes:
        raw = plain("JPEG")
        at = 2 if first else 4 + struct.unpack(">H", raw[4:6])[0]
        return raw[:at] + _segment(marker, wrap.replace(b"{}", planted.encode())) + raw[at:]

    return build


def _jpeg_longer(marker: int) -> Callable[[str], bytes]:
    """A segment of the format with text after what it should hold."""

    def build(planted: str) -> bytes:
        raw = plain("JPEG")
        at = raw.index(bytes([0xFF, marker]))
        size = struct.unpack(">H", raw[at + 2 : at + 4])[0]
        return (
            raw[:at]
            + _segment(marker, raw[at + 4 : at + 2 + size] + planted.encode())
            + raw[at + 2 + size :]
        )

    return build


def _jpeg_thumbnail(planted: str) -> bytes:
    """The pixels of a thumbnail in the header."""
    text = planted.encode() + b"\0" * (-len(planted.encode()) % 3)
    head = b"JFIF\0\1\1\0\0\1\0\1" + bytes([len(text) // 3, 1]) + text
    raw = plain("JPEG")
    return raw[:2] + _segment(0xE0, head) + raw[4 + struct.unpack(">H", raw[4:6])[0] :]


def _after(kind: str) -> Callable[[str], bytes]:
    return lambda planted: plain(kind) + planted.encode()


def _before_end(planted: str) -> bytes:
    """After the last pixel of a JPEG, before its end."""
    return plain("JPEG")[:-2] + planted.encode() + b"\xff\xd9"


def _gif(extension: bytes, head: bytes = b"") -> Callable[[str], bytes]:
    def build(planted: str) -> bytes:
        raw = plain("GIF")
        at = 13 + (3 << ((raw[10] & 7) + 1))
        text = planted.encode()
        return raw[:at] + b"\x21" + extension + head + bytes([len(text)]) + text + b"\0" + raw[at:]

    return build


def _gif_block(planted: str) -> bytes:
    """A block of data after the last pixel of a frame."""
    text = planted.encode()
    return plain("GIF")[:-2] + bytes([len(text)]) + text + b"\0\x3b"


def _gif_colours(planted: str) -> bytes:
    """Colours that no pixel has."""
    raw = bytearray(plain("GIF"))
    text = planted.encode()
    end = 13 + (3 << ((raw[10] & 7) + 1))
    raw[end - len(text) : end] = text
    return bytes(raw)


def _png_colours(planted: str) -> bytes:
    """Colours of a palette that no pixel has."""
    from PIL import Image

    buffer = io.BytesIO()
    image = Image.new("P", (9, 9), 1)
    image.putpalette(bytes(range(6)) + planted.encode() + bytes(90))
    image.save(buffer, "PNG")
    return buffer.getvalue()


def _jpeg_table(planted: str) -> bytes:
    """A table that no component uses."""
    return _jpeg(0xDB, b"\x03" + planted.encode().ljust(64, b"\1"))(planted)


def _jpeg_scans(planted: str) -> bytes:
    """After the pixels of the first of several scans."""
    raw = _saved("JPEG", progressive=True)
    second = raw.index(b"\xff\xc4", raw.index(b"\xff\xda"))
    return raw[:second] + planted.encode() + raw[second:]


def _svg(planted: str) -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><title>{planted}</title></svg>'.encode()


def _bmp(planted: str) -> bytes:
    """Between the header and the pixels."""
    raw, text = plain("BMP"), planted.encode()
    at = struct.unpack("<I", raw[10:14])[0]
    head = (
        raw[:2]
        + struct.pack("<I", len(raw) + len(text))
        + raw[6:10]
        + struct.pack("<I", at + len(text))
    )
    return head + raw[14:at] + text + raw[at:]


def _tiff(planted: str) -> bytes:
    return _saved("TIFF", tiffinfo=_tags(planted))


def _tags(planted: str) -> Any:
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    tags = ImageFileDirectory_v2()
    tags[315] = planted
    return tags


def _webp(planted: str) -> bytes:
    return _saved("WEBP", xmp=planted.encode())


def _emf(planted: str) -> bytes:
    return b"\1\0\0\0" + planted.encode("utf-16-le")


PICTURES = [
    *(Picture(f"PNG {kind.decode()}", "png", _png(kind, b"Author\0{}")) for kind in (b"tEXt", b"prVW", b"vpAg", b"caBX")),
    Picture("PNG iTXt", "png", _png(b"iTXt", b"Author\0\0\0\0\0{}")),
    Picture("PNG zTXt", "png", _png_packed(b"zTXt", b"Author\0\0")),
    Picture("PNG iCCP", "png", _png_packed(b"iCCP", b"name\0\0")),
    Picture("PNG name of a profile", "png", _png(b"iCCP", b"{}\0\0x")),
    Picture("PNG eXIf", "png", _png(b"eXIf", b"MM\0*{}")),
    Picture("PNG tIME", "png", _png(b"tIME")),
    Picture("PNG sPLT", "png", _png(b"sPLT", b"{}\0\x08")),
    Picture("PNG hIST", "png", _png(b"hIST")),
    Picture("PNG pCAL", "png", _png(b"pCAL", b"{}\0")),
    Picture("PNG pHYs of another length", "png", _png(b"pHYs", b"123456789{}")),
    Picture("PNG gAMA of another length", "png", _png(b"gAMA", b"{}")),
    Picture("PNG tRNS of another length", "png", _png(b"tRNS", b"{}")),
    Picture("PNG bKGD of another length", "png", _png(b"bKGD", b"{}")),
    Picture("PNG palette of a picture without one", "png", _png(b"PLTE", b"{}")),
    Picture("PNG header", "png", _png_header),
    Picture("PNG end", "png", _png(b"fdAT", b"1234{}", b"IEND")),
    Picture("PNG rows below the last", "png", lambda planted: _png_pixels(planted, after=False)),
    Picture("PNG after the pixels", "png", lambda planted: _png_pixels(planted, after=True)),
    Picture("PNG after the end", "png", _after("PNG")),
    *(Picture(f"JPEG APP{n}", "jpeg", _jpeg(0xE0 + n, b"Owner\0{}")) for n in range(16)),
    Picture("JPEG Exif", "jpeg", _jpeg(0xE1, b"Exif\0\0MM\0*{}", first=True)),
    Picture("JPEG JFXX", "jpeg", _jpeg(0xE0, b"JFXX\0\x10{}")),
    Picture("JPEG header with text", "jpeg", _jpeg_longer(0xE0)),
    Picture("JPEG thumbnail", "jpeg", _jpeg_thumbnail),
    Picture("JPEG Adobe with text", "jpeg", _jpeg(0xEE, b"Adobe\0d\0\0\0\0\1{}")),
    Picture("JPEG comment", "jpeg", _jpeg(0xFE)),
    Picture("JPEG reserved segment", "jpeg", _jpeg(0xF5)),
    Picture("JPEG quantisation table", "jpeg", _jpeg_longer(0xDB)),
    Picture("JPEG Huffman table", "jpeg", _jpeg_longer(0xC4)),
    Picture("JPEG frame", "jpeg", _jpeg_longer(0xC0)),
    Picture("JPEG scan", "jpeg", _jpeg_longer(0xDA)),
    Picture("JPEG restart interval", "jpeg", _jpeg(0xDD, b"\0\0{}")),
    Picture("JPEG unused table", "jpeg", _jpeg_table),
    Picture("JPEG between scans", "jpeg", _jpeg_scans),
    Picture("PNG unused colours", "png", _png_colours),
    Picture("JPEG before the end", "jpeg", _before_end),
    Picture("JPEG after the end", "jpeg", _after("JPEG")),
    Picture("GIF comment", "gif", _gif(b"\xfe")),
    Picture("GIF application", "gif", _gif(b"\xff", b"\x0bXMP DataXMP")),
    Picture("GIF name of an application", "gif", lambda p: _gif(b"\xff", b"\x0b" + p.encode()[:11].ljust(11))(p)),
    Picture("GIF repetition with text", "gif", _gif(b"\xff", b"\x0bNETSCAPE2.0\x03\x01\0\0")),
    Picture("GIF plain text", "gif", _gif(b"\x01", b"\x0c" + bytes(12))),
    Picture("GIF timing with text", "gif", _gif(b"\xf9", b"\x04\0\0\0\0")),
    Picture("GIF unknown extension", "gif", _gif(b"\x42")),
    Picture("GIF block after the pixels", "gif", _gif_block),
    Picture("GIF unused colours", "gif", _gif_colours),
    Picture("GIF after the end", "gif", _after("GIF")),
    Picture("BMP gap", "bmp", _bmp),
    Picture("BMP after the end", "bmp", _after("BMP")),
    Picture("TIFF artist", "tiff", _tiff),
    Picture("WebP metadata", "webp", _webp),
    Picture("SVG title", "svg", _svg),
    Picture("metafile", "emf", _emf),
]  # fmt: skip
