"""Places of a plain text: encodings of the whole file, and encodings inside of it."""

from __future__ import annotations

import base64
import codecs
import json
from collections.abc import Callable
from urllib.parse import quote

from . import Place

Spell = Callable[[str], str]


def halves(planted: str, between: str) -> str:
    at = len(planted) // 2 + 3
    return planted[:at] + between + planted[at:]


def b64(planted: str, encoding: str = "utf-8") -> str:
    return base64.b64encode(planted.encode(encoding)).decode()


SPELLINGS: dict[str, Spell] = {
    "plain": str,
    "decimal references": lambda p: "".join(f"&#{ord(c)};" for c in p),
    "hexadecimal references": lambda p: "".join(f"&#x{ord(c):X};" for c in p),
    "one reference": lambda p: f"{p[:-1]}&#{ord(p[-1])};",
    "percent signs": lambda p: quote(p, safe=""),
    "all in percent signs": lambda p: "".join(f"%{ord(c):02x}" for c in p),
    "address": lambda p: f"https://example.org/?q={quote(p)}&a=1",
    "base64": b64,
    "base64 of utf-16": lambda p: b64(p, "utf-16-le"),
    "base64 for addresses": lambda p: base64.urlsafe_b64encode(f"~~~ {p} ???".encode()).decode(),
    "base64 in lines": lambda p: base64.encodebytes(
        f"a long text in base64 about a roof and {p}".encode()
    ).decode(),
    "base64 of JSON": lambda p: b64(json.dumps({"name": p})),
    "base64 after an equals sign": lambda p: f"token={b64(p)}",
    "web token": lambda p: (
        f"{b64(json.dumps({'alg': 'none'}))}.{b64(json.dumps({'sub': p}))}.".replace("=", "")
    ),
    "hexadecimal": lambda p: p.encode().hex(),
    "hexadecimal in capitals": lambda p: p.encode().hex().upper(),
    "code points": lambda p: "".join(f"\\u{ord(c):04x}" for c in p),
    "bytes": lambda p: "".join(f"\\x{ord(c):02x}" for c in p),
    "braced code points": lambda p: "".join(f"\\u{{{ord(c):x}}}" for c in p),
    "quoted-printable": lambda p: "".join(f"={ord(c):02X}" for c in p),
    "one quoted sign": lambda p: p.replace(p[-1], f"={ord(p[-1]):02X}"),
    "data address": lambda p: f"data:text/plain;base64,{b64(p)}",
    "data address in plain": lambda p: f"data:,{quote(p)}",
    "colours": lambda p: halves(p, "\x1b[31m") + "\x1b[0m",
    "many colours": lambda p: "".join(f"\x1b[3{i % 8}m{c}" for i, c in enumerate(p)),
    "cursor moves": lambda p: halves(p, "\x1b[2K\x1b[1;1H"),
    "eight-bit colours": lambda p: halves(p, "\x9b31m"),
    "terminal title": lambda p: f"\x1b]0;{p}\x07",
    "terminal link": lambda p: f"\x1b]8;;https://example.org/{quote(p)}\x1b\\x\x1b]8;;\x1b\\",
    "device control": lambda p: f"\x1bP{p}\x1b\\",
    "zero byte": lambda p: halves(p, "\0"),
    "backspace": lambda p: halves(p, "\x08"),
    "bell": lambda p: halves(p, "\a"),
    "mark in the middle": lambda p: halves(p, "\ufeff"),
    "log file": lambda p: f'10.0.0.1 - - "GET /?u={quote(p)} HTTP/1.1" 200',
    "source code": lambda p: f'String owner = "{p}";',
    "environment": lambda p: f"OWNER='{p}'",
    "after a page break": lambda p: f"\f{p}",
    "after a unit separator": lambda p: f"a\x1f{p}\x1eb",
}
ENCODINGS = {
    name: (lambda text, name=name: text.encode(name))
    for name in (
        "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "latin-1", "cp1252"
    )
}  # fmt: skip
RAW: dict[str, Callable[[str], bytes]] = {
    "utf-16 of odd length": lambda text: text.encode("utf-16-le") + b"x",
    "utf-16 of odd length, big": lambda text: text.encode("utf-16-be") + b"\0",
    "utf-16 of odd length with a mark": lambda text: text.encode("utf-16") + b"x",
    "utf-32 cut short": lambda text: text.encode("utf-32-le") + b"x\0",
    "utf-32 of odd length": lambda text: text.encode("utf-32-be") + b"x",
    "utf-8 mark before utf-16": lambda text: codecs.BOM_UTF8 + text.encode("utf-16-le"),
    "utf-16 after utf-8": lambda text: (
        b"A note that begins as ordinary text.\n" + text.encode("utf-16-le")
    ),
    "overlong utf-8": lambda text: b"".join(
        bytes((0xC0 | ord(c) >> 6, 0x80 | ord(c) & 63)) for c in text
    ),
    "broken utf-8": lambda text: text.encode() + " zażółć gęślą".encode()[:-1],
    "a lone byte": lambda text: text.encode() + b" \xff.",
    "surrogates in utf-8": lambda text: text.encode() + b" \xed\xa0\x80.",
    "ebcdic": lambda text: text.encode("cp037"),
    "western": lambda text: f"Frau Müller grüßt die Großmutter in Köln und hört zu. {text}".encode(
        "cp1252"
    ),
    "central european": lambda text: f"Zażółć gęślą jaźń, powiedział sąsiad. {text}".encode(
        "iso-8859-2"
    ),
    "zeros between letters": lambda text: text.replace("", "\0").encode(),
}


def _spelled(spell: Spell, suffix: str = "\n") -> Callable[[str, str], bytes]:
    return lambda planted, body: f"{body}\n\n{spell(planted)}{suffix}".encode()


def _encoded(encode: Callable[[str], bytes]) -> Callable[[str, str], bytes]:
    return lambda planted, body: encode(f"{body}\n{planted}\n")


PLACES = [
    *(Place(f"txt in {name}", "txt", _spelled(spell)) for name, spell in SPELLINGS.items()),
    *(
        Place(f"txt as {name}", "txt", _encoded(encode))
        for name, encode in (ENCODINGS | RAW).items()
    ),
]
