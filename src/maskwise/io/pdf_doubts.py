"""Pages of a PDF whose text layer cannot be trusted: what they show is not, or not only, what can be read.

Found are tiling patterns and soft masks that draw text, Type 3 glyphs that draw text, and tables of characters
(ToUnicode) that contradict the font's own encoding or turn many codes into spaces.
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from maskwise.errors import PluginError

_DRAWS_TEXT = re.compile(rb"(?<![A-Za-z])(?:Tj|TJ|BT)(?![A-Za-z])")
_BLOCK = re.compile(rb"beginbf(char|range)(.*?)endbf\1", re.DOTALL)
_PAIR = re.compile(rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]*)>")
_RANGE = re.compile(
    rb"<([0-9A-Fa-f\s]+)>\s*<([0-9A-Fa-f\s]+)>\s*(?:<([0-9A-Fa-f\s]+)>|\[([^\]]*)\])"
)
_DIGITS = dict(
    zip("zero one two three four five six seven eight nine".split(), "0123456789", strict=True)
)
_CODECS = {
    "/WinAnsiEncoding": "cp1252",
    "/MacRomanEncoding": "mac_roman",
    "/StandardEncoding": "ascii",
}
_SPACES = 4  # codes that may be spaces: two kinds of space, and what stands for tabs
_SYMBOLIC = 4
_DEPTH = 12


def find_doubts(raw: bytes, pages: int) -> dict[int, str]:
    """Of so many pages those that are doubtful, by number from 0, with what is wrong with each."""
    try:
        import pypdf
    except ImportError:
        raise PluginError(".pdf files need pypdf: pip install 'maskwise[pdf]'") from None
    with _silence_pypdf():
        try:
            reader = pypdf.PdfReader(io.BytesIO(raw))
            known: dict[int, str] = {}
            doubts = {}
            for at, page in enumerate(reader.pages):
                doubts[at] = _find_doubt(page.get("/Resources"), known, 0)
            return {at: doubt for at, doubt in doubts.items() if doubt}
        except Exception:  # pypdf raises what the bytes make it raise
            doubtful = pages if _has_tables(raw) else 0
            return dict.fromkeys(range(doubtful), "its fonts cannot be checked")


def _has_tables(raw: bytes) -> bool:
    return b"/ToUnicode" in raw or b"/Pattern" in raw or b"/SMask" in raw or b"/ObjStm" in raw


@contextmanager
def _silence_pypdf() -> Iterator[None]:
    """Keep pypdf from logging: its warnings quote the file."""
    logger = logging.getLogger("pypdf")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(level)


def _find_doubt(found: Any, known: dict[int, str], depth: int) -> str:
    """The fault of resources, or nothing. Each object is looked at once."""
    resources = _resolve_object(found)
    if not isinstance(resources, Mapping) or depth > _DEPTH:
        return ""
    key = getattr(found, "idnum", None) or id(resources)
    if key in known:
        return known[key]
    known[key] = ""  # resources may hold themselves
    doubts = filter(None, _list_doubts(resources, known, depth))
    known[key] = next(doubts, "")
    return known[key]


def _list_doubts(resources: Mapping[str, Any], known: dict[int, str], depth: int) -> Iterator[str]:
    for font in _list_values(resources, "/Font"):
        yield _find_font_doubt(font)
    for pattern in _list_values(resources, "/Pattern"):
        if pattern.get("/PatternType") == 1 and _can_draw_text(pattern, 0):
            yield "a pattern draws text"
    for state in _list_values(resources, "/ExtGState"):
        mask = _resolve_object(state.get("/SMask"))
        if isinstance(mask, Mapping) and _can_draw_text(_resolve_object(mask.get("/G")), 0):
            yield "a mask draws text"
    for form in _list_values(resources, "/XObject"):
        if form.get("/Subtype") == "/Form":
            yield _find_doubt(form.get("/Resources"), known, depth + 1)


def _can_draw_text(stream: Any, depth: int) -> bool:
    """Whether a stream, or a form that it can draw, shows text."""
    if not isinstance(stream, Mapping) or not hasattr(stream, "get_data") or depth > _DEPTH:
        return False
    if _DRAWS_TEXT.search(stream.get_data()):
        return True
    resources = _resolve_object(stream.get("/Resources"))
    if not isinstance(resources, Mapping):
        return False
    objects = _list_values(resources, "/XObject")
    forms = (item for item in objects if item.get("/Subtype") == "/Form")
    return any(_can_draw_text(form, depth + 1) for form in forms)


def _find_font_doubt(font: Mapping[str, Any]) -> str:
    if font.get("/Subtype") == "/Type3":
        procedures = _resolve_object(font.get("/CharProcs"))
        drawn = procedures.values() if isinstance(procedures, Mapping) else ()
        if any(_can_draw_text(_resolve_object(glyph), 0) for glyph in drawn):
            return "glyphs of a font draw text"
    table = _resolve_object(font.get("/ToUnicode"))
    if not hasattr(table, "get_data"):
        return ""
    said = read_table(table.get_data())
    if sum(1 for text in said.values() if not text.strip()) > _SPACES:
        return "a font says that its letters are spaces"
    own = _read_own_letters(font)
    if any(
        code in said and _fold_letter(said[code]) != _fold_letter(letter)
        for code, letter in own.items()
    ):
        return "a font says other letters than it shows"
    return ""


def read_table(data: bytes) -> dict[int, str]:
    """The text that a table of characters gives to each code.

    >>> read_table(b"1 beginbfchar <41> <0062> endbfchar 1 beginbfrange <42> <43> <0078> endbfrange")
    {65: 'b', 66: 'x', 67: 'y'}
    """
    found: dict[int, str] = {}
    for kind, block in _BLOCK.findall(data):
        if kind == b"char":
            found |= {_read_number(code): _read_text(text) for code, text in _PAIR.findall(block)}
            continue
        for first, last, text, texts in _RANGE.findall(block):
            low = _read_number(first)
            count = min(_read_number(last) - low, 0xFFFF) + 1
            found |= enumerate(_read_range(text, texts, count), low)
    return found


def _read_range(text: bytes, texts: bytes, count: int) -> Iterator[str]:
    """The texts of the codes of a range: the `texts` listed for it, or signs in a row from that of `text` on."""
    if texts:
        listed = re.findall(rb"<([0-9A-Fa-f\s]*)>", texts)
        yield from map(_read_text, listed[:count])
        return
    start = _read_text(text)
    for step in range(count):
        yield start[:-1] + _advance_sign(start[-1:], step)


def _read_number(code: bytes) -> int:
    return int(b"".join(code.split()), 16)


def _read_text(code: bytes) -> str:
    digits = b"".join(code.split())
    even = digits + b"0" * (len(digits) % 2)
    return bytes.fromhex(even.decode()).decode("utf-16-be", "replace")


def _advance_sign(sign: str, steps: int) -> str:
    code = ord(sign) + steps if sign else 0
    return chr(code) if code < 0x110000 else "\ufffd"


def _read_own_letters(font: Mapping[str, Any]) -> dict[int, str]:
    """Letters and digits that the encoding of a simple font names, by code."""
    encoding = _resolve_object(font.get("/Encoding"))
    descriptor = _resolve_object(font.get("/FontDescriptor"))
    flags = descriptor.get("/Flags", 0) if isinstance(descriptor, Mapping) else 0
    if font.get("/Subtype") == "/Type0" or (isinstance(flags, int) and flags & _SYMBOLIC):
        return {}
    own: dict[int, str] = {}
    base: Any = encoding
    differences: Any = ()
    if isinstance(encoding, Mapping):
        base = encoding.get("/BaseEncoding")
        differences = _resolve_object(encoding.get("/Differences")) or ()
    codec = _CODECS.get(str(base))
    if codec:
        own = {code: bytes([code]).decode(codec, "replace") for code in range(33, 127)}
    code = 0
    for item in differences:
        if isinstance(item, int):
            code = item
            continue
        name = str(item).lstrip("/")
        own[code] = name if len(name) == 1 else _DIGITS.get(name, "")
        code += 1
    return {code: letter for code, letter in own.items() if letter.isascii() and letter.isalnum()}


def _fold_letter(text: str) -> str:
    return unicodedata.normalize("NFKD", text).casefold()[:1]


def _list_values(resources: Mapping[str, Any], kind: str) -> Iterator[Any]:
    group = _resolve_object(resources.get(kind))
    if isinstance(group, Mapping):
        yield from (
            item for item in map(_resolve_object, group.values()) if isinstance(item, Mapping)
        )


def _resolve_object(value: Any) -> Any:
    return value.get_object() if hasattr(value, "get_object") else value
