"""Plain text. Encoding, byte order mark and line ends are kept as they are."""

from __future__ import annotations

from collections.abc import Iterator

from maskwise.io.encoding import decode, encode
from maskwise.io.formats import Loaded
from maskwise.io.leaks import Piece
from maskwise.mask import Alignment


class PlainText:
    """The whole file is one text."""

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode(raw, name)
        return Loaded((text,), encoding)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        return encode(masked[0], loaded.layout)


class PlainLeaks:
    """Lines of bytes, decoded by nobody's guess: UTF-8 where it fits, else Latin-1, UTF-16 where zeros show it."""

    def pieces(self, raw: bytes) -> Iterator[Piece]:
        for at, line in enumerate(readable(raw).splitlines(), 1):
            yield Piece(f"line {at}", line)


def readable(raw: bytes) -> str:
    """Bytes as text, whatever they are."""
    if raw.count(0) * 4 > len(raw):
        wide = "utf-32" if raw.count(0) * 2 > len(raw) + 8 else "utf-16"
        return raw.decode(wide, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
