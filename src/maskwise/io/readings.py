"""The readings of a value beside its letters: the text behind escapes, entities, tags, base64 and formulas.

A cell is read as it stands and, where it holds such forms, also with all of them undone. If something is masked in
the undone text, the cell is written as that text, masked.
"""

from __future__ import annotations

import base64
import binascii
import html
import quopri
import re
from collections.abc import Callable, Sequence
from urllib.parse import unquote

# A text without any of these has one reading.
_FORM = re.compile(r"[%&<\\=\x1b+@]|^-|[A-Za-z0-9/_-]{8}")
ROUNDS = 3  # how often forms are undone, since one may hold another

_WORD = re.compile(r"\w+")
_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_ENTITY = re.compile(r"&(?:#\w{1,8}|\w{2,31});?")
_TAG = re.compile(r"<[/!?a-zA-Z][^<>]*>")
_ESCAPE = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|U([0-9A-Fa-f]{8}))"
)
_QUOTED = re.compile(r"=[0-9A-F]{2}")
# Eight hexadecimal digits are a number or the end of a vault's token: by chance they decode to a text too.
_BASE64 = re.compile(
    r"(?<![\w+/-])(?![0-9A-F]{8}(?![\w+/=-]))[A-Za-z0-9+/_-]{8,}={0,2}(?![\w+/=-])"
)
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:0x)?((?:[0-9A-Fa-f]{2}){6,})(?![0-9A-Fa-f])")
_GLUE = re.compile(r'"\s*[&,;]\s*"')
_CHAR = re.compile(r'"?\s{0,3}&?\s{0,3}(?:UNI)?CHAR\((\d{1,7})\)\s{0,3}&?\s{0,3}"?', re.IGNORECASE)
_UTF7 = re.compile(r"\+[A-Za-z0-9+/]{2,}-")


def list_readings(text: str) -> tuple[str, ...]:
    """The text as it stands; with all forms undone, where that differs; and what its tags and formulas hold.

    >>> list_readings("Ana")
    ('Ana',)
    >>> list_readings("<b>An</b>&#97; L%C3%B3pez")
    ('<b>An</b>&#97; L%C3%B3pez', 'Ana López', '<b></b>')
    """
    if not _FORM.search(text):
        return (text,)
    undone, tags = text, ""
    for _ in range(ROUNDS):
        before = undone
        tags += "".join(_TAG.findall(undone))
        for undo in _UNDO:
            undone = undo(undone)
        if undone == before:
            break
    found = [text]
    if undone != text:
        found.append(undone)
    if tags:
        found.append(tags)
    if text.startswith(("=", "+", "-", "@")) and '"' in text:
        found.append(_GLUE.sub("", text))
    return tuple(dict.fromkeys(found))


def choose_reading(old: Sequence[str], new: Sequence[str]) -> str | None:
    """The new text of a value whose readings are masked; nothing if it stays as it is."""
    if list(old) == list(new):
        return None
    if len(new) == 1 or list(old[1:]) == list(new[1:]) or _is_rewritten(old[0], new[0]):
        return new[0]
    for before, after in zip(old[1:], new[1:], strict=True):
        if before != after:
            return after
    return None


def _is_rewritten(old: str, new: str) -> bool:
    """Whether no word of a value is left: a telephone number may decode to letters by chance."""
    words = set(_WORD.findall(old))
    return bool(words) and words.isdisjoint(_WORD.findall(new))


def decode_if_text(data: bytes) -> str | None:
    """Bytes as the text they are; nothing if they are no text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if is_text(text) else None


def is_text(text: str) -> bool:
    return all(sign.isprintable() or sign in "\t\n\r" for sign in text)


def _undo_escapes(text: str) -> str:
    def decode_escape(found: re.Match[str]) -> str:
        code = int(next(filter(None, found.groups())), 16)
        return chr(code) if code < 0xD800 or 0xE000 <= code < 0x110000 else found[0]

    return _ESCAPE.sub(decode_escape, text) if "\\" in text else text


def _undo_percent(text: str) -> str:
    if not _PERCENT.search(text):
        return text
    undone = unquote(text)
    return text if "\ufffd" in undone else undone


def _undo_quoted(text: str) -> str:
    if not _QUOTED.search(text) or text.startswith("="):
        return text
    return _decode_or(quopri.decodestring(text.encode("utf-8", "replace")), text)


def _undo_base64(text: str) -> str:
    def decode_run(found: re.Match[str]) -> str:
        packed = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            data = base64.b64decode(packed + "=" * (-len(packed) % 4))
        except (binascii.Error, ValueError):
            return found[0]
        return _decode_or(data, found[0])

    return _BASE64.sub(decode_run, text)


def _undo_hex(text: str) -> str:
    return _HEX.sub(lambda found: _decode_or(bytes.fromhex(found[1]), found[0]), text)


def _undo_utf7(text: str) -> str:
    if not _UTF7.search(text) or not text.isascii():
        return text
    try:
        return text.encode("ascii").decode("utf-7")
    except UnicodeDecodeError:
        return text


def _undo_formula(text: str) -> str:
    if not text.startswith("="):
        return text
    text = _CHAR.sub(_decode_code, text)
    return re.sub(r'"\s*&\s*"', "", text)


def _decode_code(found: re.Match[str]) -> str:
    code = int(found[1])
    return chr(code) if code < 0xD800 else found[0]


def _decode_or(data: bytes, otherwise: str) -> str:
    """Bytes as text in UTF-8 or UTF-16, if that is what they are."""
    text = decode_if_text(data)
    if text is None and len(data) % 2 == 0:
        for encoding in ("utf-16-le", "utf-16-be"):
            wide = data.decode(encoding, "replace")
            if wide.isascii() and is_text(wide):
                return wide
    return otherwise if text is None else text


_UNDO: tuple[Callable[[str], str], ...] = (
    lambda text: _TERMINAL.sub("", text),
    _undo_formula,
    _undo_escapes,
    lambda text: _TAG.sub("", text),
    lambda text: html.unescape(text) if _ENTITY.search(text) else text,
    _undo_percent,
    _undo_quoted,
    _undo_utf7,
    _undo_base64,
    _undo_hex,
)
