"""Headers of e-mail: which are read, what is declared in them, and the neutral form of those that hold the parts
together. A header that is not named here is left out."""

from __future__ import annotations

import base64
import binascii
import codecs
import mimetypes
import quopri
import re
from collections.abc import Iterator, Sequence
from email.errors import HeaderParseError
from email.header import Header, decode_header, make_header
from email.message import Message
from typing import Any

from maskwise.errors import InputError
from maskwise.io.formats import Given
from maskwise.io.plain import decode_any
from maskwise.text import EntityType, possessive

PEOPLE = frozenset("from to cc bcc reply-to sender".split())
IDENTIFIERS = frozenset("message-id in-reply-to references".split())
WORDS = frozenset("subject date comments keywords organization thread-topic".split())
STRUCTURE = frozenset(
    "mime-version content-type content-transfer-encoding content-disposition".split()
)
TRANSFERS = frozenset("7bit 8bit binary base64 quoted-printable".split())
HEADER = 30_000  # bytes
TYPE = (
    8_000  # bytes of a header with parameters, for which the standard library takes quadratic time
)
# Parameters that say how to read a text, with the values they have.
PARAMETERS = {
    "format": ("flowed", "fixed"),
    "delsp": ("yes", "no"),
    "report-type": ("delivery-status",),
}
KINDS = frozenset(
    """multipart/mixed multipart/alternative multipart/related multipart/digest multipart/report multipart/parallel
    message/rfc822 message/delivery-status message/disposition-notification message/global text/plain text/html
    text/csv text/markdown text/calendar text/vcard text/x-vcard text/rfc822-headers text/enriched text/rtf
    application/rtf application/json application/xhtml+xml""".split()
)
# Encodings in which ASCII is ASCII.
_PLAIN = re.compile(
    r"ascii|utf-8|iso8859-\d+|cp125\d|cp8\d\d|koi8-[a-z]|gbk?|gb2312|gb18030|big5|euc_[a-z]{2}|shift_jis|mac-roman"
)
_FOLD = re.compile(r"\r?\n[ \t]*|\r(?!\n)[ \t]*")
_BOUND = r"\s<>,;:\"()\[\]"
# An address begins where nothing else could have begun before it, so that no header takes more than linear time.
ADDRESS = possessive.compile(rf"""(?<![^{_BOUND}])[^{_BOUND}@]++@[^\s<>,;"()]++""")
_NAME = re.compile(r'"([^"]+)"|\(([^()]+)\)|([^\s<>,;:"()@][^<>,;:"()@]{0,200}?)(?=\s{0,9}<)')
_SHOWN = re.compile(r'"([^"]+)"|([^\s<>,;:"()@][^<>,;:"()@]{0,200}?)(?=\s{0,9}<)')
_IDENTIFIER = re.compile(r"[^\s<>]+")
_ENCODED = re.compile(r"=\?([^?\s]*)\?([bBqQ])\?([^?\s]*)\?=")
_KIND = re.compile(r"\s*([\w.+-]+/[\w.+-]+)\s*(?:\([^()]*\)\s*)?")


def decode_value(value: Any) -> str:
    """A header as its reader sees it, on one line."""
    raw = _FOLD.sub(" ", str(value)).encode("utf-8", "surrogateescape")
    if len(raw) > HEADER:  # the standard library takes quadratic time for it
        raise InputError(
            f"not an e-mail message: a header of {len(raw):,} bytes, more than {HEADER:,}"
        )
    flat = decode_any(raw)  # bytes beyond ASCII, which a header must not hold and often does
    try:
        text = str(make_header(decode_header(flat)))
    except (HeaderParseError, LookupError, ValueError):
        text = flat
    # What the standard library does not decode: an unknown encoding, a word inside of a word.
    return " ".join(_ENCODED.sub(_decode_word, text).splitlines())


def _decode_word(word: re.Match[str]) -> str:
    packed = word[3].encode("utf-8", "replace")
    if word[2] in "bB":
        try:
            data = base64.b64decode(packed + b"=" * (-len(packed) % 4))
        except (binascii.Error, ValueError):
            return " "
    else:
        data = quopri.decodestring(packed, header=True)
    return decode_any(data)


def encode_value(name: str, text: str) -> str:
    flat = " ".join(text.split())
    if name.lower() in PEOPLE:  # an address in an encoded word is none
        flat = _SHOWN.sub(_encode_name, flat)
    return Header(
        flat, None if flat.isascii() else "utf-8", header_name=name, maxlinelen=78
    ).encode()


def _encode_name(found: re.Match[str]) -> str:
    name = found[1] or found[2]
    return found[0] if name.isascii() else Header(name, "utf-8").encode(maxlinelen=0)


def find_declared(header: str, text: str) -> Iterator[Given]:
    """Addresses, the names beside them and identifiers, by the header they stand in."""
    if header == "date" and text.strip():
        yield (text.index(text.strip()), len(text.rstrip()), EntityType.DATETIME)
    elif header in IDENTIFIERS:
        yield from ((*found.span(), EntityType.CODE) for found in _IDENTIFIER.finditer(text))
    elif header in PEOPLE:
        yield from ((*found.span(), EntityType.CODE) for found in ADDRESS.finditer(text))
        for found in _NAME.finditer(text):
            group = found.lastindex or 0
            if not ADDRESS.search(found[group]) and found[group].strip():
                yield (*found.span(group), EntityType.PERSON)


def cut_declared(text: str, given: Sequence[Given]) -> list[tuple[int, int, EntityType | None]]:
    """A header cut at what is declared in it, so that no name runs into the address beside it."""
    parts: list[tuple[int, int, EntityType | None]] = []
    cursor = 0
    for start, end, kind in given:
        if start >= cursor:
            parts += ((cursor, start, None), (start, end, kind))
            cursor = end
    return [*parts, (cursor, len(text), None)]


def neutralise_value(message: Message, name: str) -> str | None:
    """The neutral form of a header that holds parts together; nothing if it says nothing known."""
    value = str(message.get(name, ""))
    if len(value) > TYPE:
        raise InputError(
            f"not an e-mail message: {name} of {len(value):,} bytes, more than {TYPE:,}"
        )
    if name == "mime-version":
        return "1.0"
    if name == "content-transfer-encoding":
        return value.strip().lower() if value.strip().lower() in TRANSFERS else None
    if name == "content-disposition":
        return "attachment" if message.get_content_disposition() == "attachment" else "inline"
    kind = find_content_kind(message)
    found = {
        k.lower(): v.lower()
        for k, v in message.get_params([], unquote=True)[1:]
        if isinstance(v, str)
    }
    kept = "".join(f"; {k}={found[k]}" for k, known in PARAMETERS.items() if found.get(k) in known)
    charset = find_content_charset(message) if kind.startswith("text/") else None
    return kind + (f'; charset="{charset}"' if charset else "") + kept


def find_content_kind(message: Message) -> str:
    """The content type, if it is a known one; else that of bytes, or of parts if it has parts."""
    found = _KIND.match(message.get_content_type())
    kind = found[1].lower() if found else ""
    if kind in KINDS or kind in mimetypes.types_map.values():
        return kind
    if message.is_multipart():
        return "message/rfc822" if kind.startswith("message/") else "multipart/mixed"
    return "text/plain" if kind.startswith("text/") else "application/octet-stream"


def find_content_charset(message: Message) -> str | None:
    """The encoding that a part names, if Python knows it and ASCII is ASCII in it."""
    named = message.get_content_charset()
    try:
        known = codecs.lookup(named or "").name
    except (LookupError, ValueError):
        return None
    return named if _PLAIN.fullmatch(known) else None
