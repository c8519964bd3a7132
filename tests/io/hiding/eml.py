"""Places of an e-mail message."""

from __future__ import annotations

import base64
import binascii
import io
import json
import quopri
import zipfile
from collections.abc import Callable
from urllib.parse import quote

from . import Place

PLAIN = "Content-Type: text/plain; charset=utf-8"


def b64(text: str, encoding: str = "utf-8") -> str:
    return base64.encodebytes(text.encode(encoding)).decode()


def word(text: str, charset: str = "utf-8") -> str:
    return f"=?{charset}?b?{base64.b64encode(text.encode()).decode()}?="


def quoted_word(text: str) -> str:
    return f"=?utf-8?q?{''.join(f'={ord(c):02X}' for c in text)}?="


HEADERS: dict[str, Callable[[str], str]] = {
    "subject": lambda p: f"Subject: {p}",
    "folded subject": lambda p: f"Subject: about\n {p.replace(' ', chr(10) + chr(9), 1)}",
    "subject in base64 words": lambda p: f"Subject: {word(p)}",
    "subject in quoted words": lambda p: f"Subject: {quoted_word(p)}",
    "subject in two words": lambda p: f"Subject: {word(p[:9])}\n {word(p[9:])}",
    "subject in an unknown encoding": lambda p: f"Subject: {word(p, 'x-unknown')}",
    "subject in words of words": lambda p: f"Subject: {word(word(p))}",
    "subject in a broken word": lambda p: (
        f"Subject: =?utf-8?b?{base64.b64encode(p.encode()).decode().rstrip('=')}?="
    ),
    "subject with base64": lambda p: f"Subject: {base64.b64encode(p.encode()).decode()}",
    "subject with percent signs": lambda p: f"Subject: {quote(p)}",
    "sender": lambda p: f"From: {p} <a@example.org>",
    "quoted sender": lambda p: f'From: "{p}" <a@example.org>',
    "encoded sender": lambda p: f"From: {word(p)} <a@example.org>",
    "remark of a sender": lambda p: f"From: a@example.org ({p})",
    "address of a sender": lambda p: f"Sender: {p.replace(' ', '.').replace('+', '')}@example.org",
    "quoted address": lambda p: f'From: "{p}"@example.org',
    "group": lambda p: f"To: {p}: a@example.org, b@example.org;",
    "recipient": lambda p: f"Cc: {p} <a@example.org>, B <b@example.org>",
    "answer to": lambda p: f"Reply-To: {p} <a@example.org>",
    "date remark": lambda p: f"Date: Mon, 3 May 2021 10:00:00 +0200 ({p})",
    "message identifier": lambda p: f"Message-ID: <{p.replace(' ', '.')}@example.org>",
    "host of a message identifier": lambda p: (
        f"Message-ID: <1@{p.replace(' ', '-').replace('+', '')}.example.org>"
    ),
    "references": lambda p: f"References: <1@example.org> <{p.replace(' ', '.')}@example.org>",
    "answered message": lambda p: f"In-Reply-To: your message of {p}",
    "comments": lambda p: f"Comments: {p}",
    "keywords": lambda p: f"Keywords: roof, {p}",
    "organisation": lambda p: f"Organization: {p}",
    "route": lambda p: (
        f"Received: from {p.replace(' ', '-')} by mx.example.org; Mon, 3 May 2021 10:00:00 +0200"
    ),
    "return path": lambda p: f"Return-Path: <{p.replace(' ', '.')}@example.org>",
    "delivered to": lambda p: f"Delivered-To: {p}",
    "signature": lambda p: f"DKIM-Signature: v=1; d=example.org; s={p.replace(' ', '')}; b=abc",
    "authentication": lambda p: (
        f"Authentication-Results: mx.example.org; spf=pass smtp.mailfrom={p}"
    ),
    "unknown header": lambda p: f"X-Owner: {p}",
    "name of a header": lambda p: f"X-{p.replace(' ', '-').replace('+', '')}: 1",
    "resent": lambda p: f"Resent-From: {p} <a@example.org>",
    "thread": lambda p: f"Thread-Topic: {p}\nThread-Index: {base64.b64encode(p.encode()).decode()}",
    "list": lambda p: (
        f"List-Id: {p} <a.example.org>\nList-Unsubscribe: <https://example.org/{quote(p)}>"
    ),
    "face": lambda p: f"Face: {base64.b64encode(p.encode()).decode()}",
    "originating address": lambda p: f"X-Originating-IP: [{p}]",
    "auto crypt": lambda p: f"Autocrypt: addr={p}; keydata={base64.b64encode(p.encode()).decode()}",
    "version remark": lambda p: f"MIME-Version: 1.0 ({p})",
    "second subject": lambda p: f"Subject: x\nSubject: {p}",
    "envelope": lambda p: f"FIRSTFrom {p} Mon May  3 10:00:00 2021",
}
PARAMETERS: dict[str, Callable[[str], str]] = {
    "unknown parameter": lambda p: f'Content-Type: text/plain; charset=utf-8; owner="{p}"',
    "file name": lambda p: f'Content-Type: text/plain; name="{p}.txt"',
    "file name in parts": lambda p: (
        f'Content-Type: text/plain; name*0="{p[:9]}"; name*1="{p[9:]}.txt"'
    ),
    "encoded file name": lambda p: (
        f"Content-Disposition: attachment; filename*=utf-8''{quote(p)}.txt"
    ),
    "file name in a word": lambda p: f'Content-Disposition: attachment; filename="{word(p)}"',
    "disposition": lambda p: f"Content-Disposition: {p.replace(' ', '-')}",
    "disposition parameter": lambda p: f'Content-Disposition: inline; x="{p}"',
    "content identifier": lambda p: f"{PLAIN}\nContent-ID: <{p.replace(' ', '.')}@example.org>",
    "content description": lambda p: f"{PLAIN}\nContent-Description: {p}",
    "content location": lambda p: f"{PLAIN}\nContent-Location: https://example.org/{quote(p)}",
    "content language": lambda p: f"{PLAIN}\nContent-Language: {p}",
    "content duration": lambda p: f"{PLAIN}\nContent-Features: {p}",
    "transfer encoding": lambda p: f"{PLAIN}\nContent-Transfer-Encoding: {p.replace(' ', '-')}",
    "name of an encoding": lambda p: f'Content-Type: text/plain; charset="{p.replace(" ", "-")}"',
    "content type": lambda p: f"Content-Type: text/{p.replace(' ', '-').replace('+', '')}",
    "remark on a content type": lambda p: f"Content-Type: text/plain ({p}); charset=utf-8",
    "content type of nobody": lambda p: f"Content-Type: {p.replace(' ', '-').replace('+', '')}/x",
    "type parameter": lambda p: (
        f'Content-Type: text/plain; type="{p}"; start="<{p}>"; protocol="{p}"; micalg={p}'
    ),
    "format parameter": lambda p: f'Content-Type: text/plain; format="{p}"; delsp="{p}"',
}


def _docx(planted: str) -> bytes:
    kinds = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    parts = {
        "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{kinds}"/></Types>',
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
        ' Target="word/document.xml"/></Relationships>',
        "word/document.xml": '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f"<w:body><w:p><w:r><w:t>{planted}</w:t></w:r></w:p></w:body></w:document>",
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def _zip(planted: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", planted)
    return buffer.getvalue()


def attach(kind: str, name: str, data: bytes) -> str:
    head = (
        f'Content-Type: {kind}; name="{name}"\nContent-Disposition: attachment; filename="{name}"\n'
    )
    return f"{head}Content-Transfer-Encoding: base64\n\n{base64.encodebytes(data).decode()}"


def uuencode(text: str) -> str:
    lines = [
        binascii.b2a_uu(text.encode()[at : at + 45]).decode() for at in range(0, len(text), 45)
    ]
    return f"begin 644 a.txt\n{''.join(lines)}`\nend"


PARTS: dict[str, Callable[[str], str]] = {
    "part": lambda p: f"{PLAIN}\n\n{p}",
    "part in base64": lambda p: f"{PLAIN}\nContent-Transfer-Encoding: base64\n\n{b64(p)}",
    "part in quoted-printable": lambda p: (
        f"{PLAIN}\nContent-Transfer-Encoding: quoted-printable\n\n"
        + quopri.encodestring(p.encode(), quotetabs=True).decode()
    ),
    "part all in quoted-printable": lambda p: (
        f"{PLAIN}\nContent-Transfer-Encoding: quoted-printable\n\n"
        + "".join(f"={ord(c):02X}" for c in p)
    ),
    "after a base64 body": lambda p: (
        f"{PLAIN}\nContent-Transfer-Encoding: base64\n\n{b64('x roof')}\n{p}\n"
    ),
    "after a padded base64 body": lambda p: (
        f"{PLAIN}\nContent-Transfer-Encoding: base64\n\n{b64('x roofs')}\n{p}\n"
    ),
    "second base64 body": lambda p: (
        f"{PLAIN}\nContent-Transfer-Encoding: base64\n\n{b64('x roof..')}{b64(p)}"
    ),
    "between base64 lines": lambda p: (
        f"{PLAIN}\nContent-Transfer-Encoding: base64\n\n{b64('x roof')}({p})\n{b64('y')}"
    ),
    "base64 that is none": lambda p: f"{PLAIN}\nContent-Transfer-Encoding: base64\n\n{p}",
    "uuencoded part": lambda p: f"{PLAIN}\nContent-Transfer-Encoding: x-uuencode\n\n{uuencode(p)}",
    "uuencoded text": lambda p: f"{PLAIN}\n\n{uuencode(p)}",
    "part in utf-7": lambda p: (
        f"Content-Type: text/plain; charset=utf-7\n\n{''.join(_utf7(c) for c in p)}"
    ),
    "part in utf-16": lambda p: (
        "Content-Type: text/plain; charset=utf-16-le\nContent-Transfer-Encoding: base64\n\n"
        + b64(p + "\n", "utf-16-le")
    ),
    "part in a wrong encoding": lambda p: f"Content-Type: text/plain; charset=cp037\n\n{p}",
    "page": lambda p: f"Content-Type: text/html\n\n<p>{p}</p>",
    "page comment": lambda p: f"Content-Type: text/html\n\n<p>x<!-- {p} --></p>",
    "page attribute": lambda p: f"Content-Type: text/html\n\n<p data-owner='{p}'>x</p>",
    "page link to a part": lambda p: f"Content-Type: text/html\n\n<img src='cid:{quote(p)}'>",
    "page in base64": lambda p: (
        f"Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n{b64(f'<p>{p}</p>')}"
    ),
    "enriched text": lambda p: f"Content-Type: text/enriched\n\n{p[:9]}<bold>{p[9:]}</bold>",
    "rich text": lambda p: (
        "Content-Type: text/rtf\n\n{\\rtf1 " + "".join(f"\\'{ord(c):02x}" for c in p) + "}"
    ),
    "calendar": lambda p: (
        f"Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nORGANIZER;CN={p}:mailto:a@example.org\nEND:VCALENDAR"
    ),
    "folded calendar": lambda p: (
        f"Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nSUMMARY:{p[:9]}\n {p[9:]}\nEND:VCALENDAR"
    ),
    "card": lambda p: f"Content-Type: text/vcard\n\nBEGIN:VCARD\nFN:{p}\nEND:VCARD",
    "card in base64": lambda p: (
        f"Content-Type: text/x-vcard\n\nBEGIN:VCARD\nNOTE;ENCODING=b:{b64(p).strip()}\nEND:VCARD"
    ),
    "delivery status": lambda p: (
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; example.org\n\n"
        f"Final-Recipient: rfc822; {p}\nDiagnostic-Code: smtp; 550 {p}\n"
    ),
    "headers of a message": lambda p: (
        f"Content-Type: text/rfc822-headers\n\nReceived: from {p}\nSubject: {p}\n"
    ),
    "message": lambda p: f"Content-Type: message/rfc822\n\nFrom: a@example.org\nSubject: {p}\n\nx",
    "body of a message": lambda p: f"Content-Type: message/rfc822\n\nFrom: a@example.org\n\n{p}",
    "unknown header of a message": lambda p: (
        f"Content-Type: message/rfc822\n\nFrom: a@example.org\nX-Y: {p}\n\nx"
    ),
    "message in base64": lambda p: (
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        + b64(f"From: a@example.org\nSubject: {p}\n\nx")
    ),
    "external body": lambda p: (
        f'Content-Type: message/external-body; access-type=URL; URL="https://example.org/{quote(p)}"'
        f"\n\nContent-Type: text/plain\nContent-ID: <{p.replace(' ', '')}@example.org>\n\n{p}"
    ),
    "partial message": lambda p: (
        f'Content-Type: message/partial; id="{p}"; number=1; total=2\n\nFrom: a@example.org\n\n{p}'
    ),
    "parts in a part": lambda p: (
        f"Content-Type: multipart/mixed; boundary=inner\n\n{p}\n--inner\n\nx\n--inner--\n{p}"
    ),
    "boundary": lambda p: f'Content-Type: multipart/mixed; boundary="{p}"\n\n--{p}\n\nx\n--{p}--\n',
    "related parts": lambda p: (
        f'Content-Type: multipart/related; boundary=inner; start="<{p}>"; type="{p}"\n\n'
        f"--inner\nContent-ID: <{p}>\n\nx\n--inner--\n"
    ),
    "parts of an unknown kind": lambda p: (
        f"Content-Type: multipart/x-{p.split()[-1]}; boundary=inner\n\n--inner\n\nx\n--inner--\n"
    ),
    "parts without a boundary": lambda p: f"Content-Type: multipart/mixed\n\n{p}",
    "unclosed parts": lambda p: f"Content-Type: multipart/mixed; boundary=inner\n\n--inner\n\n{p}",
    "digest": lambda p: (
        f"Content-Type: multipart/digest; boundary=inner\n\n--inner\n\nSubject: {p}\n\nx\n--inner--\n"
    ),
    "text file": lambda p: attach("text/plain", "a.txt", p.encode()),
    "table": lambda p: attach("text/csv", "a.csv", f"who,when\n{p},today\n".encode()),
    "tabs": lambda p: attach(
        "text/tab-separated-values", "a.tsv", f"who\twhen\n{p}\ttoday\n".encode()
    ),
    "data": lambda p: attach("application/json", "a.json", json.dumps({p: p}).encode()),
    "rows of data": lambda p: attach("application/jsonl", "a.jsonl", json.dumps({"a": p}).encode()),
    "page file": lambda p: attach("text/html", "a.html", f"<p title='{p}'>x</p>".encode()),
    "notes file": lambda p: attach("text/markdown", "a.md", f"# {p}".encode()),
    "letter": lambda p: attach("application/octet-stream", "a.docx", _docx(p)),
    "rich text file": lambda p: attach("application/rtf", "a.rtf", f"{{\\rtf1 {p}}}".encode()),
    "message file": lambda p: attach(
        "message/x", "a.eml", f"From: a@example.org\nSubject: {p}\n\nx".encode()
    ),
    "archive": lambda p: attach("application/zip", "a.zip", _zip(p)),
    "picture": lambda p: attach("image/png", f"{p}.png", b"\x89PNG\r\n\x1a\n" + p.encode()),
    "file of an unknown format": lambda p: attach("application/x-y", "a.xyz", p.encode()),
    "file of a wrong format": lambda p: attach("application/json", "a.json", f"{{ {p}".encode()),
    "signature of a message": lambda p: f"Content-Type: application/pgp-signature\n\n{b64(p)}",
    "encapsulated mail data": lambda p: attach(
        "application/ms-tnef", "winmail.dat", b"\x78\x9f>\x22" + p.encode()
    ),
}


def _utf7(sign: str) -> str:
    return f"+{base64.b64encode(sign.encode('utf-16-be')).decode().rstrip('=')}-"


def _header(make: Callable[[str], str]) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        header = make(planted)
        first = "FIRST" in header
        rest = (
            f"From: a@example.org\nTo: b@example.org\n{'' if first else header + chr(10)}\n{body}\n"
        )
        return (f"{header.removeprefix('FIRST')}\n{rest}" if first else rest).encode()

    return build


def _parameter(make: Callable[[str], str]) -> Callable[[str, str], bytes]:
    return lambda planted, body: (
        f"From: a@example.org\nSubject: roof\n{make(planted)}\n\n{body}\n".encode()
    )


def _part(
    make: Callable[[str], str], before: str = "", after: str = ""
) -> Callable[[str, str], bytes]:
    def build(planted: str, body: str) -> bytes:
        head = (
            "From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=outer"
        )
        ends = before.replace("PLANTED", planted), after.replace("PLANTED", planted)
        message = f"{head}\n\n{ends[0]}\n--outer\n{PLAIN}\n\n{body}\n--outer\n{make(planted)}\n--outer--\n{ends[1]}\n"
        return message.encode()

    return build


PLACES = [
    *(Place(f"eml {name}", "eml", _header(make)) for name, make in HEADERS.items()),
    *(Place(f"eml {name}", "eml", _parameter(make)) for name, make in PARAMETERS.items()),
    *(Place(f"eml {name}", "eml", _part(make)) for name, make in PARTS.items()),
    Place("eml preamble", "eml", _part(lambda p: "\nx", before="PLANTED")),
    Place("eml epilogue", "eml", _part(lambda p: "\nx", after="PLANTED")),
]
