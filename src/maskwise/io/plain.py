"""Plain text. Encoding, byte order mark and line ends are kept as they are."""

from __future__ import annotations

from maskwise.io.encoding import decode, encode
from maskwise.io.formats import Loaded
from maskwise.mask import Alignment


class PlainText:
    """The whole file is one text."""

    def read(self, raw: bytes, name: str) -> Loaded:
        text, encoding = decode(raw, name)
        return Loaded((text,), encoding)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        return encode(masked[0], loaded.layout)


def readable(raw: bytes) -> str:
    """Bytes as text, whatever they are."""
    if raw.count(0) * 4 > len(raw):
        wide = "utf-32" if raw.count(0) * 2 > len(raw) + 8 else "utf-16"
        return raw.decode(wide, "replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
