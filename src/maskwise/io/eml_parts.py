"""The content of a part of a message: how it is decoded, which format reads it, and how a new one is written."""

from __future__ import annotations

import base64
import quopri
import re
from dataclasses import dataclass, field
from email.message import Message
from pathlib import PurePath

from maskwise.io.eml_headers import find_content_charset, find_content_kind
from maskwise.io.formats import list_suffixes

KINDS = {
    "text/plain": "txt",
    "text/html": "html",
    "text/csv": "csv",
    "text/markdown": "md",
    "text/rtf": "rtf",
    "text/enriched": "html",
    "application/xhtml+xml": "html",
    "application/json": "json",
    "application/rtf": "rtf",
}
FOLDED = frozenset("text/calendar text/vcard text/x-vcard text/directory".split())
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")


@dataclass(frozen=True)
class MessageLeaf:
    """The content of a part: its type, the format that reads it, and its bytes, as UTF-8 where it names an encoding.

    `named` is the encoding that it names, `charset` the same if it is one that may stay, and `is_strict` says whether
    its source holds nothing else.
    """

    kind: str
    suffix: str
    wide: bytes = field(repr=False)
    named: str | None
    charset: str | None
    is_strict: bool

    @property
    def unfolded(self) -> bytes:
        """The bytes with the lines joined that calendars and cards fold."""
        return re.sub(rb"\r?\n[ \t]", b"", self.wide) if self.kind in FOLDED else self.wide

    @property
    def is_plain(self) -> bool:
        """Whether the part can stay as it is if nothing in it is masked."""
        return self.is_strict and self.named == self.charset


def read_leaf(part: Message, filename: str) -> MessageLeaf:
    kind = find_content_kind(part)
    suffix = PurePath(filename).suffix.lower().lstrip(".")
    if suffix not in list_suffixes():
        suffix = KINDS.get(kind, "txt" if kind.startswith("text/") else "")
    is_text = suffix in ("txt", "html", "htm", "md", "csv")
    named = part.get_content_charset() if is_text else None
    charset = find_content_charset(part) if named else None
    wide = _recode_bytes(_read_payload(part), named, "utf-8")
    return MessageLeaf(kind, suffix, wide, named, charset, _is_strict(part))


def _read_payload(part: Message) -> bytes:
    """The bytes of a part. What stands after the end of a base64 body belongs to nothing and is not among them."""
    if _read_transfer_encoding(part) != "base64":
        data = part.get_payload(decode=True)
        return data if isinstance(data, bytes) else b""
    letters = _find_base64_body(part).rstrip(b"=")
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def _find_base64_body(part: Message) -> bytes:
    """The letters of a base64 body: lines of one length, up to the first line that is shorter, padded or no base64."""
    found: list[bytes] = []
    for line in map(bytes.strip, _read_source(part).strip().splitlines()):
        if not _BASE64.fullmatch(line):
            break
        found.append(line)
        if line.endswith(b"=") or len(line) < len(found[0]):
            break
    return b"".join(found)


def _read_transfer_encoding(part: Message) -> str:
    return str(part.get("Content-Transfer-Encoding", "7bit")).strip().lower()


def _read_source(part: Message) -> bytes:
    payload = part.get_payload()
    return payload.encode("ascii", "surrogateescape") if isinstance(payload, str) else b""


def _is_strict(part: Message) -> bool:
    """Whether the source of a part says nothing but what it decodes to, in a transfer encoding that stays."""
    transfer = _read_transfer_encoding(part)
    if transfer == "base64":
        return b"".join(_read_source(part).split()) == _find_base64_body(part)
    return transfer in ("7bit", "8bit", "binary", "quoted-printable")


def _recode_bytes(data: bytes, source: str | None, target: str, errors: str = "strict") -> bytes:
    """Bytes in another encoding; as they are where they do not fit the encoding that they name."""
    try:
        return data.decode(source or "utf-8").encode(target, errors) if source else data
    except (LookupError, UnicodeError):
        return data


def fill_part(part: Message, data: bytes, leaf: MessageLeaf) -> None:
    """Write a new payload in the encoding and transfer encoding of the old one, or in one that can hold it."""
    charset = leaf.charset
    if charset is None and leaf.named and part.get_content_maintype() == "text":
        part.set_param("charset", "utf-8")
    if charset and not data.isascii():
        narrow = _recode_bytes(data, "utf-8", charset)
        if narrow == data and charset.lower().replace("_", "-") not in ("utf-8", "utf8"):
            part.set_param("charset", "utf-8")
        data = narrow
    transfer = _read_transfer_encoding(part)
    if transfer == "7bit" and not data.isascii():
        transfer = "quoted-printable" if part.get_content_maintype() == "text" else "base64"
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = transfer
    if transfer == "base64":
        data = base64.encodebytes(data)
    elif transfer == "quoted-printable":
        data = quopri.encodestring(data)
    part.set_payload(data.decode("ascii", "surrogateescape"))
