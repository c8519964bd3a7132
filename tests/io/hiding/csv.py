# ruff: noqa: E501 - a place reads better in one line
"""Places of tables in text. `tsv` has the same with tabs."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote

from . import Place

Rows = list[list[str]]


def digits(text: str) -> str:
    """The digits of a text, as a number would keep them; a name has none and stands as it is."""
    found = "".join(filter(str.isdigit, text))
    return found if len(found) == len("".join(filter(str.isalnum, text))) else text


def written(rows: Rows, mark: str, quoted: bool = False, end: str = "\r\n") -> bytes:
    def cell(text: str) -> str:
        needs = quoted or any(sign in text for sign in (mark, '"', "\r", "\n"))
        return '"' + text.replace('"', '""') + '"' if needs else text

    return "".join(mark.join(map(cell, row)) + end for row in rows).encode()


def _rows(planted: str, body: str, header: str = "note2") -> Rows:
    return [
        ["number", "note", header, "last"],
        ["1", body, planted, "x"],
        ["2", "Nothing.", "y", "z"],
    ]


def _cell(form: Callable[[str], str], header: str = "note2") -> Callable[[str, str, str], bytes]:
    return lambda planted, body, mark: written(_rows(form(planted), body, header), mark)


def _halved(planted: str, between: str) -> str:
    half = len(planted) // 2
    return planted[:half] + between + planted[half:]


def _formula(planted: str) -> str:
    return '="' + _halved(planted, '"&"') + '"'


def _chars(planted: str) -> str:
    return "=" + "&".join(f"CHAR({ord(sign)})" for sign in planted)


def _jsoned(planted: str) -> str:
    return json.dumps({"who": planted, "n": 1})


def _escaped(planted: str) -> str:
    return '{"who": "' + "".join(f"\\u{ord(sign):04x}" for sign in planted) + '"}'


def _entities(planted: str) -> str:
    return "".join(f"&#{ord(sign)};" for sign in planted)


def _base64(planted: str) -> str:
    return base64.b64encode(planted.encode()).decode()


_CELLS: dict[str, Callable[[str, str, str], bytes]] = {
    "cell": _cell(str),
    "cell with space around": _cell(lambda planted: f"  {planted} "),
    "cell of two lines": _cell(lambda planted: f"seen\n{planted}"),
    "cell with quotes": _cell(lambda planted: f'said "{planted}"'),
    "upper case": _cell(str.upper),
    "formula": _cell(_formula),
    "formula of one text": _cell(lambda planted: f'="{planted}"'),
    "formula of characters": _cell(_chars),
    "formula of a link": _cell(lambda planted: f'=HYPERLINK("https://example.org/{quote(planted)}","x")'),
    "formula with a minus": _cell(lambda planted: f'-2+3+cmd|"{planted}"!A0'),
    "number": _cell(digits),
    "number under a telling header": _cell(digits, "home_phone"),
    "number as a fraction": _cell(lambda planted: digits(planted) + (".0" if digits(planted) != planted else "")),
    "number behind an apostrophe": _cell(lambda planted: "'" + digits(planted)),
    "digits in groups": _cell(lambda planted: " ".join(digits(planted)[at : at + 4] for at in range(0, 12, 4))
                              if digits(planted) != planted else planted),
    "JSON": _cell(_jsoned),
    "key of JSON": _cell(lambda planted: json.dumps({planted: 1})),
    "escapes in JSON": _cell(_escaped),
    "number in JSON": _cell(lambda planted: '{"phone": ' + digits(planted) + "}" if digits(planted) != planted else _jsoned(planted)),
    "HTML": _cell(lambda planted: f"<p>{_halved(html.escape(planted), '<b></b>')}</p>"),
    "attribute of HTML": _cell(lambda planted: f'<img alt="{html.escape(planted)}" src="x.png">'),
    "comment of HTML": _cell(lambda planted: f"<p>x<!-- {planted} --></p>"),
    "entities": _cell(_entities),
    "base64": _cell(_base64),
    "base64 twice": _cell(lambda planted: _base64(_base64(planted))),
    "base64 of UTF-16": _cell(lambda planted: base64.b64encode(planted.encode("utf-16-le")).decode()),
    "base64 in a sentence": _cell(lambda planted: f"token {_base64(planted)} came"),
    "hexadecimal": _cell(lambda planted: planted.encode().hex()),
    "address": _cell(lambda planted: f"https://example.org/?q={quote(planted)}"),
    "data address": _cell(lambda planted: f"data:text/plain;base64,{_base64(planted)}"),
    "quoted-printable": _cell(lambda planted: "".join(f"={ord(sign):02X}" if at % 2 else sign for at, sign in enumerate(planted))),
    "terminal escapes": _cell(lambda planted: _halved(planted, "\x1b[1m")),
    "header": lambda p, b, m: written(_rows("x", b, p), m),
    "header in base64": lambda p, b, m: written(_rows("x", b, _base64(p)), m),
    "comment line": lambda p, b, m: f"# made by {p}\r\n".encode() + written(_rows("x", b), m),
    "comment line at the end": lambda p, b, m: written(_rows("x", b), m) + f"# made by {p}".encode(),
    "line without columns": lambda p, b, m: written([*_rows("x", b), [p]], m),
    "line with more columns": lambda p, b, m: written([*_rows("x", b), ["3", "a", "b", "c", "d", p]], m),
    "byte order mark": lambda p, b, m: b"\xef\xbb\xbf" + written([[p, "note"], ["x", b]], m),
    "UTF-16": lambda p, b, m: written(_rows(p, b), m).decode().encode("utf-16"),
    "all cells quoted": lambda p, b, m: written(_rows(p, b), m, quoted=True),
    "text after quotes": lambda p, b, m: written(_rows("x", b), m) + f'"3"{m}"a" {p}{m}"b"\r\n'.encode(),
    "open quotes": lambda p, b, m: written(_rows("x", b), m) + f'3{m}"{p}'.encode(),
    "two cells": lambda p, b, m: written([["number", "phone 1", "phone 2"], ["1", *_halved(p, "|").split("|")], ["2", b, "x"]]
                                         if p != "Zbigniew Kowalczyk" else [*_rows("x", b)[:2], ["3", *p.split()]], m),
    "line ends of old programs": lambda p, b, m: written(_rows(p, b), m, end="\r"),
    "line before the header": lambda p, b, m: f"sep={m}\r\n".encode() + written(_rows(p, b), m),
    "empty lines": lambda p, b, m: written(_rows(p, b), m).replace(b"\r\n", b"\r\n\r\n"),
}  # fmt: skip


def places(suffix: str, mark: str) -> list[Place]:
    return [
        Place(f"{suffix}: {name}", suffix, _marked(build, mark)) for name, build in _CELLS.items()
    ]


def _marked(build: Callable[[str, str, str], bytes], mark: str) -> Callable[[str, str], bytes]:
    return lambda planted, body: build(planted, body, mark)


PLACES = places("csv", ",")
