"""Runs of base64 and of hexadecimal digits in text, and the bytes that they stand for.

Every long word is a run of base64. What it decodes to is read only if it holds something that can be text.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Iterator

from maskwise.io.leaks.escapes import EscapedText

SMALL = 4096  # bytes of a run that may be noise

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}(?:[ \t]{0,8}[\r\n]{1,2}[ \t>]{0,8}[A-Za-z0-9+/_-]{2,})*")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2}[\s:,-]{0,2}(?:0[xX])?){6,}")
_SPACE = re.compile(r"[\s>]+")
_NO_HEX = re.compile(r"0[xX]|[^0-9A-Fa-f]")
_MAGIC = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"%PDF", b"wOF", b"\0\x01\0\0")
# What tells text, or a packed stream, from what a word happens to decode to.
_TELLING = re.compile(
    rb"[\t\n\r\x1b -~]{5}|(?:[\xc2-\xdf][\x80-\xbf]){3}|(?:[\xe0-\xef][\x80-\xbf]{2}){2}|(?:[ -~]\0){4}|(?:\0[ -~]){4}"
    rb"|[!-~]\0\0\0[!-~]\0|\0\0\0[!-~]\0\0|PK\x03\x04|^\x1f\x8b\x08|^\x78[\x01\x5e\x9c\xda]|^BZh|^\xfd7zXZ"
)


def find_packed(layer: EscapedText) -> Iterator[bytes]:
    """The bytes that runs of base64 and of hexadecimal digits stand for, unless they are noise."""
    for run in _find_runs(layer, _BASE64):
        if (run[1:].islower() and run.isalpha()) or run.isdigit():
            continue
        packed = _SPACE.sub("", run).replace("-", "+").replace("_", "/")
        for start in range(4):
            data = _decode_base64(packed[start:])
            if len(data) > SMALL or _TELLING.search(data):
                yield data
            if data.startswith(_MAGIC):
                break
    for run in _find_runs(layer, _HEX):
        digits = _NO_HEX.sub("", run)
        for start in (0, 1):
            data = bytes.fromhex(digits[start : len(digits) - (len(digits) - start) % 2])
            if _TELLING.search(data):
                yield data


def _find_runs(layer: EscapedText, pattern: re.Pattern[str]) -> Iterable[str]:
    """Runs of a kind, each once."""
    return dict.fromkeys(found[0] for found in layer.find(pattern))


def _decode_base64(packed: str) -> bytes:
    packed = packed[: len(packed) - (len(packed) % 4 == 1)]
    try:
        return binascii.a2b_base64(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return b""
