"""Escapes inside of text, each with a pattern and what it stands for.

`unescape_layer` gives a text with one kind of escape undone. It gives not the whole text but the surroundings of the
escapes, so that the cost grows with the number of escapes and not with the number of their kinds.
"""

from __future__ import annotations

import binascii
import html
import quopri
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from maskwise.io.leaks.folding import BARRIER
from maskwise.text import possessive

CONTEXT = 240  # characters kept on either side of an escape: no needle is longer

BESIDE = 2  # characters between escapes of one word

Decode = Callable[[re.Match[str]], str]


@dataclass(frozen=True)
class EscapedText:
    """A text, and which stretches of it were escaped before, in order; None for all of it.

    Only what touches such a stretch can be an escape inside of an escape. Looking only there keeps the work linear in
    the size of the text.
    """

    text: str
    fresh: tuple[tuple[int, int], ...] | None = None

    def find(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """Matches of a pattern that touch what is fresh, and those side by side with them."""
        if self.fresh is None:
            yield from pattern.finditer(self.text)
            return
        at = 0
        for row in _find_rows(pattern, self.text):
            while at < len(self.fresh) and self.fresh[at][1] < row[0].start():
                at += 1
            if at == len(self.fresh):
                return
            if self.fresh[at][0] <= row[-1].end():
                yield from row


def _find_rows(pattern: re.Pattern[str], text: str) -> Iterator[list[re.Match[str]]]:
    """Yields the matches in rows; between those of a row stands hardly anything."""
    row: list[re.Match[str]] = []
    for found in pattern.finditer(text):
        if row and found.start() - row[-1].end() > BESIDE:
            yield row
            row = []
        row.append(found)
    if row:
        yield row


@dataclass(frozen=True)
class Escape:
    """One way to write characters by others; `sign` is in every text that uses it.

    `mixed`: it stands beside other escapes in one word, and cannot be mistaken for one of them.
    """

    sign: str
    pattern: re.Pattern[str]
    decode: Decode
    mixed: bool = False


def unescape_layer(layer: EscapedText) -> Iterator[EscapedText]:
    """The text with each kind of escape undone that it holds."""
    for escape in ESCAPES:
        if escape.sign in layer.text:
            view = _undo_escape(layer, escape)
            if view:
                yield view


def unescape_mixed(text: str) -> str:
    """The whole text with all kinds of escapes undone that stand side by side."""
    for escape in ESCAPES:
        if escape.mixed and escape.sign in text:
            text = escape.pattern.sub(escape.decode, text).replace(BARRIER, "")
    return text


def _undo_escape(layer: EscapedText, escape: Escape) -> EscapedText | None:
    """The surroundings of all escapes of a kind, with these undone; None if nothing is."""
    text = layer.text
    parts: list[str] = []
    fresh: list[tuple[int, int]] = []
    cursor = length = 0
    for found in layer.find(escape.pattern):
        new = escape.decode(found).replace(BARRIER, "")
        if new == found[0]:
            continue
        start = found.start()
        if not parts:
            between = text[max(start - CONTEXT, 0) : start]
        elif start - cursor > 2 * CONTEXT:
            between = text[cursor : cursor + CONTEXT] + BARRIER + text[start - CONTEXT : start]
        else:
            between = text[cursor:start]
        length += len(between)
        fresh.append((length, length + len(new)))
        length += len(new)
        parts += (between, new)
        cursor = found.end()
    if not parts:
        return None
    parts.append(text[cursor : cursor + CONTEXT])
    return EscapedText("".join(parts), tuple(fresh))


def _decode_bytes(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _decode_character(code: str, base: int = 16) -> str:
    number = int(code, base)
    return chr(number) if number < 0x110000 else " "


def _decode_percent(found: re.Match[str]) -> str:
    return _decode_bytes(unquote_to_bytes(found[0]))


def _decode_percent_u(found: re.Match[str]) -> str:
    return _decode_character(found[1])


def _decode_entity(found: re.Match[str]) -> str:
    """Entities as browsers read them, and control characters, which these drop."""
    return html.unescape(_CONTROL.sub(_decode_control, found[0]))


def _decode_control(found: re.Match[str]) -> str:
    return _decode_character(found[1]) if found[1] else _decode_character(found[2], 10)


def _decode_script(found: re.Match[str]) -> str:
    """JSON, JavaScript, Java, Python, C: a code in hexadecimal or octal digits; anything else is white space."""
    code = found[1] or found[2] or found[3] or found[4]
    if code:
        return _decode_character(code)
    if found[5]:
        return _decode_character(found[5], 8)
    return "\n" if found[0][-1] in "nr" else " "


def _decode_style(found: re.Match[str]) -> str:
    return _decode_character(found[1])


def _decode_rich_text(found: re.Match[str]) -> str:
    if found[1]:
        return bytes.fromhex(found[1]).decode("cp1252", "replace")
    if found[2]:
        return chr(int(found[2]) % 0x10000)
    return " " if found[3] in _RTF_BREAKS else found[4] or ""


def _decode_quoted_printable(found: re.Match[str]) -> str:
    return _decode_bytes(quopri.decodestring(found[0].encode()))


def _decode_words(found: re.Match[str]) -> str:
    """The encoded words of a header, those side by side as one."""
    words = _ENCODED_WORD.findall(found[0])
    charset = words[0][0].partition("*")[0]
    try:
        data = b"".join(_decode_word(how, body) for _, how, body in words)
        return data.decode(charset, "replace")
    except (binascii.Error, ValueError):
        return found[0]
    except LookupError:
        return _decode_bytes(data)


def _decode_word(how: str, body: str) -> bytes:
    if how in "bB":
        packed = body.rstrip("=")
        return binascii.a2b_base64(packed + "=" * (-len(packed) % 4))
    return quopri.decodestring(body.encode(), header=True)


def _decode_utf7(found: re.Match[str]) -> str:
    packed = found[1]
    try:
        data = binascii.a2b_base64(packed + "=" * (-len(packed) % 4))
    except (binascii.Error, ValueError):
        return found[0]
    return data[: len(data) // 2 * 2].decode("utf-16-be", "replace")


def _decode_punycode(found: re.Match[str]) -> str:
    try:
        return found[1].encode().decode("punycode")
    except (UnicodeError, ValueError):
        return found[0]


def _decode_codes(found: re.Match[str]) -> str:
    return "".join(chr(int(code)) for code in re.findall(r"\d+", found[0]))


def _drop_match(_: re.Match[str]) -> str:
    return ""


_CONTROL = re.compile(r"&#(?:[xX]0*([01]?[0-9a-fA-F])|0*([12]?[0-9]|3[01]));")
_RTF_BREAKS = frozenset("par line tab cell row page sect".split())
_ENCODED_WORD = re.compile(r"=\?([\w*-]+)\?([bBqQ])\?([^?\s]*)\?=")

ESCAPES = (
    Escape(
        "&",
        re.compile(r"(?:&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[a-zA-Z][a-zA-Z0-9]{1,31});?)+"),
        _decode_entity,
        mixed=True,
    ),
    Escape("%", re.compile(r"(?:%[0-9a-fA-F]{2})+"), _decode_percent, mixed=True),
    Escape("%", re.compile(r"%[uU]([0-9a-fA-F]{4})"), _decode_percent_u, mixed=True),
    Escape(
        "\\",
        re.compile(
            r"\\{1,8}(?:[ux]\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|U([0-9a-fA-F]{8})"
            r"|([0-3]?[0-7]{2})|[nrtbfv0\"'/])"
        ),
        _decode_script,
        mixed=True,
    ),
    Escape("\\", re.compile(r"\\([0-9a-fA-F]{1,6})[ \t\r\n]?"), _decode_style),
    Escape(
        "\\",
        re.compile(
            r"\\(?:'([0-9a-fA-F]{2})|u(-?[0-9]{1,6})[ ?]?|([a-z]{1,20})-?[0-9]{0,6} ?|([{}\\])|\r?\n)|[{}]"
        ),
        _decode_rich_text,
    ),
    Escape(
        "=",
        re.compile(r"(?:=(?:[0-9A-Fa-f]{2}|[ \t]*\r?\n))+"),
        _decode_quoted_printable,
        mixed=True,
    ),
    Escape(
        "=?",
        re.compile(
            rf"{_ENCODED_WORD.pattern.replace('(', '(?:')}(?:\s*=\?[\w*-]+\?[bBqQ]\?[^?\s]*\?=)*"
        ),
        _decode_words,
    ),
    Escape("_x", re.compile(r"_x([0-9A-Fa-f]{4})_"), _decode_style, mixed=True),
    Escape("_", re.compile(r"_([0-9a-f]{2,4})_"), _decode_style),
    Escape("+", re.compile(r"\+([A-Za-z0-9+/]{2,})-?"), _decode_utf7),
    Escape("xn--", re.compile(r"xn--([a-z0-9-]+)", re.IGNORECASE), _decode_punycode),
    Escape(
        "\x1b",
        re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])"),
        _drop_match,
        mixed=True,
    ),
    Escape("<", re.compile(rf"(?:<[^<>{BARRIER}]{{0,4000}}>)+"), _drop_match, mixed=True),
    Escape(",", possessive.compile(r"\b\d{2,4}(?:\s{0,2},\s{0,2}\d{2,4}){4,}+"), _decode_codes),
)
