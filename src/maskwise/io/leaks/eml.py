"""Leak reader of e-mail messages."""

from __future__ import annotations

import email
import re
from collections.abc import Iterator
from dataclasses import replace
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import default as modern
from pathlib import PurePath
from typing import Any

from maskwise.io.leaks.piece import Piece, read_text
from maskwise.io.leaks.sources import read_pieces

_KNOWN = frozenset(
    "from to cc bcc reply-to sender message-id in-reply-to references subject date comments keywords organization "
    "thread-topic mime-version content-type content-transfer-encoding content-disposition content-id".split()
)
_KINDS = {"text/plain": "txt", "text/html": "html", "text/csv": "csv", "application/json": "json"}
_LINE_END = re.compile(r"\r?\n[ \t]*")
_LONGEST = 30_000  # characters of a header: the standard library takes quadratic time to decode one


class EmlLeaks:
    """Parts as the standard library's newer parser sees them: headers, preambles, and payloads by their own format."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        for part in email.message_from_bytes(raw, policy=modern).walk():
            for name, value in part.raw_items():  # the parsed ones may not be headers any more
                place = f"header {name}" if name.lower() in _KNOWN else "another header"
                yield Piece(place, f"{name} {value}\n{_decode_header(value)}")
            yield Piece("preamble", f"{part.preamble or ''}\n{part.epilogue or ''}")
            if not part.is_multipart():
                kind = part.get_content_type()
                suffix = PurePath(part.get_filename() or "").suffix or _KINDS.get(kind, "txt")
                for piece in read_pieces(_read_payload(part), suffix):
                    yield replace(piece, place=f"{kind}, {piece.place}")


def _decode_header(value: Any) -> str:
    """A header as its reader sees it, on one line."""
    line = _LINE_END.sub(" ", str(value))
    flat = read_text(line.encode("utf-8", "surrogateescape"))
    try:
        return str(make_header(decode_header(flat))) if len(flat) <= _LONGEST else flat
    except (HeaderParseError, LookupError, ValueError):
        return flat


def _read_payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
