"""Plain text and Markdown. Byte order mark and line ends are kept as they are."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from maskwise.errors import InputError
from maskwise.io.formats import Loaded
from maskwise.mask import Alignment

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class Encoding:
    name: str
    mark: bytes = b""


class PlainText:
    """UTF-8 by default, UTF-16 and UTF-32 by their byte order mark; anything else is refused, never guessed."""

    def read(self, raw: bytes, name: str) -> Loaded:
        encoding = next((Encoding(n, mark) for mark, n in _MARKS if raw.startswith(mark)), Encoding("utf-8"))
        try:
            text = raw[len(encoding.mark) :].decode(encoding.name)
        except UnicodeDecodeError as error:
            at = error.start + len(encoding.mark)
            raise InputError(f"{name}: not {encoding.name} at byte {at}; convert it to UTF-8 first") from None
        return Loaded((text,), encoding)

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        encoding: Encoding = loaded.layout
        return encoding.mark + masked[0].encode(encoding.name)
