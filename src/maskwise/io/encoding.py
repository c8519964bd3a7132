"""Encodings: found when a file is read, used again when it is written, byte order mark included.

A byte order mark decides. Without one the file is UTF-16 or UTF-32 if its zero bytes say so, else UTF-8 if it is valid.
Anything else is guessed (charset-normalizer). The guess is taken only where it is sure: the text reads as a language,
and the file is not UTF-8 with a few broken bytes. A wrong guess would hide names from the detectors, so in doubt the
file is refused.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass

from maskwise.errors import InputError, OutputError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SEQUENCE = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_ASCII = bytes(range(128))
_COHERENCE = 0.2  # how much a guessed text must look like a language, from 0 to 1
_PLAINER = str.maketrans(
    {"–": "-", "—": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "…": "...", "\u00a0": " "}
)


@dataclass(frozen=True)
class Encoding:
    name: str = "utf-8"
    mark: bytes = b""


def decode_text(raw: bytes, name: str, declared: str | None = None) -> tuple[str, Encoding]:
    """The text of a file and how it was encoded; `declared` is what the file says of itself."""
    encoding = _find_marked(raw) or _find_unmarked(raw)
    try:
        return raw[len(encoding.mark) :].decode(encoding.name), encoding
    except UnicodeDecodeError as error:
        at = error.start + len(encoding.mark)
    guess = None if encoding.mark else _check_declared(raw, declared) or _guess_encoding(raw)
    if guess is None:
        raise InputError(f"{name}: not {encoding.name} at byte {at}; convert it to UTF-8 first")
    return raw.decode(guess), Encoding(guess)


def encode_text(text: str, encoding: Encoding, name: str = "output", escape: bool = False) -> bytes:
    """The bytes of a text. What a narrow encoding lacks becomes a character reference (`escape`) or a plainer sign."""
    if escape:
        return encoding.mark + text.encode(encoding.name, "xmlcharrefreplace")
    try:
        return encoding.mark + text.encode(encoding.name)
    except UnicodeEncodeError:
        plainer = unicodedata.normalize("NFC", text).translate(_PLAINER)
    try:
        return encoding.mark + plainer.encode(encoding.name)
    except UnicodeEncodeError:
        raise OutputError(
            f"{name}: {encoding.name} cannot hold a replacement; convert it to UTF-8 first"
        ) from None


def _find_marked(raw: bytes) -> Encoding | None:
    for mark, name in _MARKS:
        if raw.startswith(mark):
            return Encoding(name, mark)
    return None


def _find_unmarked(raw: bytes) -> Encoding:
    """UTF-16 and UTF-32 without a mark show by their zero bytes, which stand in the same places of each character."""
    if b"\0" not in raw:
        return Encoding()
    count = max(1, len(raw) // 4)
    first, second, third, fourth = (raw[at::4].count(0) / count for at in range(4))
    if first > 0.9 and second > 0.9 and fourth < 0.5:
        return Encoding("utf-32-be")
    if third > 0.9 and fourth > 0.9 and first < 0.5:
        return Encoding("utf-32-le")
    even, odd = (first + third) / 2, (second + fourth) / 2
    if odd > 0.5 > 10 * even:
        return Encoding("utf-16-le")
    if even > 0.5 > 10 * odd:
        return Encoding("utf-16-be")
    return Encoding()


def _check_declared(raw: bytes, declared: str | None) -> str | None:
    try:
        raw.decode(declared or "utf-8")
    except (LookupError, UnicodeError):
        return None
    return declared


def _guess_encoding(raw: bytes) -> str | None:
    """The encoding of bytes that are not UTF-8, or None where it is uncertain."""
    sequences = len(_SEQUENCE.findall(raw))
    rest = _SEQUENCE.sub(b"", raw).translate(None, _ASCII)
    if sequences and 2 * sequences > len(rest):
        return None  # UTF-8 with broken bytes
    from charset_normalizer import from_bytes

    best = from_bytes(raw).best()
    if best is None or best.coherence < _COHERENCE or best.encoding.startswith("utf"):
        return None
    # Western text reads the same in several code pages; the one in use wins.
    guess = "cp1252" if "cp1252" in best.could_be_from_charset else best.encoding
    return guess if raw.decode(guess).encode(guess) == raw else None
