"""Places of JSON and JSON Lines."""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from . import Place


def escape_all(planted: str) -> str:
    return "".join(f"\\u{ord(c):04x}" for c in planted)


def number(planted: str) -> Any:
    """The digits of a number or code as a number; a name as it is."""
    digits = "".join(filter(str.isdigit, planted))
    return int(digits) if len(digits) > 6 else planted


def b64(planted: str) -> str:
    return base64.b64encode(planted.encode()).decode()


VALUES: dict[str, Callable[[str], Any]] = {
    "value": lambda p: {"a": p},
    "value in a list": lambda p: ["x", [p]],
    "deep value": lambda p: {"a": [{"b": {"c": [1, {"d": p}]}}]},
    "top": lambda p: p,
    "key": lambda p: {p: 1},
    "key beside its value": lambda p: {p: p},
    "key in capitals": lambda p: {p.upper(): 1},
    "deep key": lambda p: [{"a": [{p: True}]}],
    "key of the second row": lambda p: [{"a": 1}, {p: 1}],
    "key of every row": lambda p: [{p: 1}, {p: 2}, {"x": {p: 3}}],
    "keys that become one": lambda p: {p: 1, p + " ": 2, "x " + p: 3},
    "key in base64": lambda p: {b64(p): 1},
    "key of an address": lambda p: {f"https://example.org/{quote(p)}": 1},
    "number": lambda p: {"phone": number(p)},
    "number without a telling key": lambda p: {"a": number(p)},
    "number in a list": lambda p: [number(p), 1],
    "number as a key": lambda p: {str(number(p)): 1},
    "JSON in a string": lambda p: {"a": json.dumps({"b": p})},
    "JSON in JSON in a string": lambda p: {"a": json.dumps(json.dumps({"b": p}))},
    "JSON with escapes in a string": lambda p: {"a": '{"b": "' + escape_all(p) + '"}'},
    "HTML in a string": lambda p: {"a": f"<p title='{p}'><b>{p}</b></p>"},
    "HTML references in a string": lambda p: {"a": "".join(f"&#{ord(c)};" for c in p)},
    "HTML named references in a string": lambda p: {"a": html.escape(p).replace(" ", "&nbsp;")},
    "base64 in a string": lambda p: {"a": b64(p)},
    "base64 in a sentence": lambda p: {"a": f"token {b64(p)} was sent"},
    "base64 of JSON": lambda p: {"a": b64(json.dumps({"b": p}))},
    "data address in a string": lambda p: {"a": f"data:text/plain;base64,{b64(p)}"},
    "plain data address": lambda p: {"a": f"data:text/plain,{quote(p)}"},
    "hexadecimal in a string": lambda p: {"a": p.encode().hex()},
    "address in a string": lambda p: {"a": f"https://example.org/?q={quote(p)}"},
    "quoted-printable in a string": lambda p: {"a": "".join(f"={ord(c):02X}" for c in p)},
    "string over two lines": lambda p: {"a": p.replace(" ", "\n")},
    "string with a tab": lambda p: {"a": p.replace(" ", "\t")},
    "empty strings": lambda p: ["", {"": p}],
}
SOURCES: dict[str, str] = {
    "escapes": '{"body": BODY, "a": "ESCAPED"}',
    "escaped key": '{"body": BODY, "ESCAPED": 1}',
    "duplicate key": '{"body": BODY, "a": PLANTED, "a": "x"}',
    "duplicate planted key": '{"body": BODY, PLANTED: 1, PLANTED: 2}',
    "not a number": '{"body": BODY, "n": NaN, "m": -Infinity, "a": PLANTED}',
    "large number": '{"body": BODY, "n": 123456789012345678901234567890, "a": PLANTED}',
    "space before": '\n\t {"body": BODY,\r\n "a"\t:\n PLANTED }\n',
    "escaped solidus": '{"body": BODY, "a": "\\/\\"ESCAPED\\/"}',
}


def _value(make: Callable[[str], Any]) -> Callable[[str, str], bytes]:
    return lambda planted, body: json.dumps({"body": body, "rest": make(planted)}).encode()


def _rows(make: Callable[[str], Any]) -> Callable[[str, str], bytes]:
    return lambda planted, body: json.dumps(
        [{"body": body}, make(planted)], ensure_ascii=False, indent=1
    ).encode()


def _lines(make: Callable[[str], Any]) -> Callable[[str, str], bytes]:
    return lambda planted, body: (
        f"{json.dumps({'body': body})}\n\n{json.dumps(make(planted))}\n".encode()
    )


def _source(template: str, encoding: str = "utf-8") -> Callable[[str, str], bytes]:
    def make(planted: str, body: str) -> bytes:
        text = template.replace("BODY", json.dumps(body)).replace("PLANTED", json.dumps(planted))
        return text.replace("ESCAPED", escape_all(planted)).encode(encoding)

    return make


PLACES = [
    *(Place(f"json {name}", "json", _value(make)) for name, make in VALUES.items()),
    *(Place(f"json row, {name}", "json", _rows(make)) for name, make in VALUES.items()),
    *(Place(f"jsonl {name}", "jsonl", _lines(make)) for name, make in VALUES.items()),
    *(Place(f"json {name}", "json", _source(template)) for name, template in SOURCES.items()),
    *(
        Place(f"json in {encoding}", "json", _source(SOURCES["escapes"], encoding))
        for encoding in ("utf-16", "utf-16-le", "utf-32", "utf-32-be", "utf-8-sig")
    ),
]
