"""Leak reader of PDF: text, metadata and every string of every object by pypdf, and all streams unpacked as bytes."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from typing import Any

from maskwise.errors import LeakError, PluginError
from maskwise.io.leaks.piece import Piece
from maskwise.io.leaks.sources import read_byte_pieces

_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)
_STRING = re.compile(rb"\((?:[^()\\]|\\.)*\)|<[0-9A-Fa-f\s]+>", re.DOTALL)
_ESCAPED = re.compile(rb"\\(?:([0-7]{1,3})|\r?\n|(.))", re.DOTALL)
_SHARED = 1 << 26  # unpacked bytes of one stream


class PdfLeaks:
    """Everything in a PDF that could be copied, searched or dug out."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        try:
            import pypdf
        except ImportError:
            raise PluginError(
                "the leak check of .pdf needs pypdf: pip install 'maskwise[pdf]'"
            ) from None
        try:
            reader = pypdf.PdfReader(io.BytesIO(raw))
            for number, page in enumerate(reader.pages, 1):
                yield Piece(f"text of page {number}", page.extract_text())
            yield from _find_objects(pypdf, reader)
        except Exception as error:
            # pypdf raises what the bytes make it raise, and its messages quote them.
            kind = type(error).__name__
            raise LeakError(f"the written PDF cannot be read again ({kind})") from None
        for match in _STREAM.finditer(raw):
            yield from _unpack_stream(match[1])


def _find_objects(pypdf: Any, reader: Any) -> Iterator[Piece]:
    """The strings of all objects, whether or not anything refers to them."""
    values = [reader.trailer]
    for number in range(1, int(reader.trailer["/Size"])):
        reference = pypdf.generic.IndirectObject(number, 0, reader)
        values.append(reader.get_object(reference))
    for value in values:
        for string in _find_strings(value):
            yield Piece("strings", string)
        is_stream = isinstance(value, pypdf.generic.StreamObject)
        if is_stream and "/DCTDecode" not in str(value.get("/Filter")):
            yield from _read_stream(value.get_data())


def _find_strings(value: Any) -> Iterator[str]:
    """Strings and names in an object, without following references."""
    if isinstance(value, str):
        yield str(value)
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, dict):
        for key in value:
            yield from _find_strings(dict.__getitem__(value, key))
    elif isinstance(value, list):
        for item in list.__iter__(value):
            yield from _find_strings(item)


def _unpack_stream(data: bytes) -> Iterator[Piece]:
    try:
        plain = zlib.decompressobj().decompress(data, _SHARED)
    except zlib.error:
        return
    yield from _read_stream(plain)


def _read_stream(data: bytes) -> Iterator[Piece]:
    """The strings of a stream, and those that it shows, joined as they stand on the page."""
    yield from read_byte_pieces("streams", data)
    shown = "".join(map(_read_string, _STRING.findall(data)))
    if shown:
        yield Piece("streams", shown, markup=True)


def _read_string(string: bytes) -> str:
    """A string between round brackets, or in hexadecimal between angle brackets."""
    if string.startswith(b"<"):
        digits = re.sub(rb"\s", b"", string[1:-1])
        even = digits + b"0" * (len(digits) % 2)
        data = bytes.fromhex(even.decode())
    else:
        data = _ESCAPED.sub(_unescape_byte, string[1:-1])
    return data.decode("utf-16-be" if b"\0" in data else "cp1252", "replace")


def _unescape_byte(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 8) % 256]) if found[1] else found[2] or b""
