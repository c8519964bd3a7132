"""E-mail. Headers, bodies and attachments of a message are one text, so that a sender is one person in all of them.

Addresses, the names beside them, message identifiers and the date are masked whatever a detector thinks of them.
Headers that nobody reads (routing, signatures, everything beginning with X-) are left out; files get neutral names.
Attachments are read by the reader of their own format; those without one are replaced by a note, unless kept.
"""

from __future__ import annotations

import base64
import email
import mimetypes
import quopri
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email.errors import HeaderParseError
from email.header import Header, decode_header, make_header
from email.message import Message
from email.policy import compat32
from pathlib import PurePath
from typing import Any

from maskwise.errors import InputError
from maskwise.io.formats import Given, Loaded, Options, reader, suffixes, writer, written_as
from maskwise.io.limits import Limits
from maskwise.io.plain import readable
from maskwise.io.segments import Segments, changes, join, rewrite
from maskwise.mask import Alignment
from maskwise.text import EntityType

PEOPLE = frozenset("from to cc bcc reply-to sender".split())
IDENTIFIERS = frozenset("message-id in-reply-to references".split())
WORDS = frozenset("subject date comments keywords organization thread-topic".split())
STRUCTURE = frozenset("mime-version content-type content-transfer-encoding content-disposition content-id".split())
PARAMETERS = frozenset("charset boundary format delsp type report-type start micalg protocol".split())
KINDS = {"text/plain": "txt", "text/html": "html", "text/csv": "csv", "application/json": "json"}
HEADER = 30_000  # bytes
NOTICE = "[attachment removed]"

_POLICY = compat32.clone(max_line_length=0)
_FOLD = re.compile(r"\r?\n[ \t]*")
_ADDRESS = re.compile(r"""[^\s<>,;:"()\[\]]+@[^\s<>,;"()]+""")
_NAME = re.compile(r'"([^"]+)"|\(([^()]+)\)|([^\s<>,;:"()@][^<>,;:"()@]{0,200}?)(?=\s{0,9}<)')
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}")
_IDENTIFIER = re.compile(r"[^\s<>]+")

Done = Sequence[tuple[str, Alignment]]


@dataclass(frozen=True)
class Spot:
    """Texts of one place in the message, what is declared in each, and how the masked ones are put back."""

    texts: tuple[str, ...] = field(repr=False)
    given: tuple[tuple[Given, ...], ...]
    put: Callable[[Done], None]
    kept: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Layout:
    raw: bytes = field(repr=False)
    segments: Segments
    name: str


class Eml:
    """A message, with all that is in it."""

    def __init__(
        self, attachments: str = "remove", formats: Options | None = None, limits: Limits | None = None
    ) -> None:
        self._keep = attachments == "keep"
        self._formats = formats or {}
        self._limits = limits or Limits()

    def read(self, raw: bytes, name: str) -> Loaded:
        _, walk = self._walk(raw, name)
        spots = walk.spots
        text, segments = join(text for spot in spots for text in spot.texts)
        inner = [given for spot in spots for given in spot.given]
        given = tuple(
            (start + at, end + at, kind)
            for at, found in zip(segments.starts, inner, strict=True)
            for start, end, kind in found
        )
        kept = tuple(text for spot in spots for text in spot.kept)
        return Loaded((text,), Layout(raw, segments, name), (given,), kept, walk.notes())

    def write(self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]) -> bytes:
        layout: Layout = loaded.layout
        message, walk = self._walk(layout.raw, layout.name)
        edits = changes(layout.segments, alignments[0])
        done = iter([rewrite(text, each) for text, each in zip(layout.segments.texts, edits, strict=True)])
        for spot in walk.spots:
            spot.put([next(done) for _ in spot.texts])
        for finish in walk.finishers:
            finish()
        first = layout.raw.split(b"\n", 1)[0]
        return message.as_bytes(policy=_POLICY.clone(linesep="\r\n" if first.endswith(b"\r") else "\n"))

    def _walk(self, raw: bytes, name: str) -> tuple[Message, _Walk]:
        """The message, parsed afresh, and the places in it that are read. The same message gives the same places."""
        message = email.message_from_bytes(raw, policy=_POLICY)
        if not message.keys():
            raise InputError(f"{name}: not an e-mail message: it begins with no header")
        walk = _Walk(name, self._keep, self._formats, self._limits)
        walk.message(message, 1)
        return message, walk


class _Walk:
    """Collects the places of a message, and cleans it on the way."""

    def __init__(self, name: str, keep: bool, formats: Options, limits: Limits) -> None:
        self._name, self._keep, self._formats, self._limits = name, keep, formats, limits
        self._files = 0
        self._removed: Counter[str] = Counter()
        self.spots: list[Spot] = []
        self.finishers: list[Callable[[], None]] = []

    def notes(self) -> tuple[str, ...]:
        return tuple(f"{count} {what}{'s' * (count > 1)} left out" for what, count in self._removed.items())

    def message(self, message: Message, depth: int) -> None:
        """A message or a part of one, then what is inside it."""
        self._limits.allow(self._name, "depth", depth)
        filename = message.get_filename() or ""
        self._headers(message)
        payload = message.get_payload()
        message.preamble = message.epilogue = None
        if isinstance(payload, list):
            for part in payload:
                if isinstance(part, Message):
                    self.message(part, depth + 1)
        else:
            self._leaf(message, filename)

    def _headers(self, message: Message) -> None:
        lines: list[tuple[str, str]] = []
        for name, value in message.raw_items():
            low = name.lower()
            text = _decoded(value)
            if low in STRUCTURE:
                lines.append((name, text))
            elif low in PEOPLE | IDENTIFIERS | WORDS:
                at = len(lines)
                lines.append((name, text))
                parts = _cut(text, sorted(_declared(low, text)))
                given = [((0, len(part), kind),) if kind else () for part, kind in parts]

                def put(done: Done, at: int = at, name: str = name) -> None:
                    lines[at] = (name, _encoded(name, "".join(part for part, _ in done)))

                self.spots.append(Spot(tuple(part for part, _ in parts), tuple(given), put))
            else:
                self._removed["header"] += 1
        _neutral(message, lines)
        self.finishers.append(lambda: _replace_headers(message, lines))

    def _leaf(self, part: Message, filename: str) -> None:
        data = _payload(part)
        kind = part.get_content_type()
        suffix = PurePath(filename).suffix.lower().lstrip(".")
        suffix = suffix if suffix in suffixes() else KINDS.get(kind, "txt" if kind.startswith("text/") else "")
        body = not filename and kind in ("text/plain", "text/html")
        try:
            charset = part.get_content_charset() if suffix in ("txt", "html", "htm", "md", "csv") else None
            wide = _recoded(data, charset, "utf-8")
            loaded = reader(suffix, self._formats).read(wide, f"{self._name}, part {len(self.spots)}")
        except InputError:
            if body:
                raise
            self._unknown(part, PurePath(filename).suffix)
            return
        if filename:
            self._rename(part, written_as(suffix, self._formats))

        def put(done: Done) -> None:
            fresh = writer(suffix, self._formats).write(loaded, tuple(t for t, _ in done), tuple(a for _, a in done))
            if fresh != wide:
                self.finishers.append(lambda: _fill(part, fresh, charset))  # after its headers are replaced

        given = tuple(loaded.given_in(at) for at in range(len(loaded.texts)))
        self.spots.append(Spot(loaded.texts, given, put, loaded.kept))

    def _unknown(self, part: Message, suffix: str) -> None:
        """An attachment that nobody can read: a note in its place, or as it is under a neutral name."""
        if self._keep:
            self._rename(part, suffix if _SUFFIX.fullmatch(suffix) else "bin")
            return
        self._removed["attachment"] += 1

        def put() -> None:
            for name in ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition", "Content-ID"):
                del part[name]
            part["Content-Type"] = "text/plain; charset=us-ascii"
            part.set_payload(NOTICE)

        self.finishers.append(put)

    def _rename(self, part: Message, suffix: str) -> None:
        self._files += 1
        name = f"attachment-{self._files}.{suffix.lstrip('.')}"

        def put() -> None:
            how = part.get_content_disposition() or "attachment"
            del part["Content-Disposition"]
            part["Content-Disposition"] = f'{how}; filename="{name}"'
            kind = mimetypes.guess_type(name)[0]
            if kind and kind != part.get_content_type() and part.get_content_maintype() != "text":
                part.replace_header("Content-Type", kind)

        self.finishers.append(put)


def _neutral(message: Message, lines: list[tuple[str, str]]) -> None:
    """Content types and dispositions without the parameters that carry names."""
    for at, (name, _) in enumerate(lines):
        if name.lower() == "content-type":
            found = [(k, v) for k, v in message.get_params([], unquote=True)[1:] if k.lower() in PARAMETERS]
            rest = "".join(f'; {k}="{v}"' for k, v in found if isinstance(v, str))
            lines[at] = (name, message.get_content_type() + rest)
        elif name.lower() == "content-disposition":
            lines[at] = (name, message.get_content_disposition() or "inline")


def _replace_headers(message: Message, lines: Sequence[tuple[str, str]]) -> None:
    for name in set(message.keys()):
        del message[name]
    for name, value in lines:
        message[name] = value


def _decoded(value: Any) -> str:
    """A header as its reader sees it, on one line."""
    raw = _FOLD.sub(" ", str(value)).encode("utf-8", "surrogateescape")
    if len(raw) > HEADER:  # the standard library takes quadratic time for it
        raise InputError(f"not an e-mail message: a header of {len(raw):,} bytes, more than {HEADER:,}")
    flat = readable(raw)  # bytes beyond ASCII, which a header must not hold and often does
    try:
        return str(make_header(decode_header(flat)))
    except (HeaderParseError, LookupError, ValueError):
        return flat


def _encoded(name: str, text: str) -> str:
    flat = " ".join(text.split())
    return Header(flat, None if flat.isascii() else "utf-8", header_name=name, maxlinelen=78).encode()


def _declared(header: str, text: str) -> Iterator[Given]:
    """Addresses, the names beside them and identifiers, by the header they stand in."""
    if header == "date" and text.strip():
        yield (text.index(text.strip()), len(text.rstrip()), EntityType.DATETIME)
    elif header in IDENTIFIERS:
        yield from ((*found.span(), EntityType.CODE) for found in _IDENTIFIER.finditer(text))
    elif header in PEOPLE:
        yield from ((*found.span(), EntityType.CODE) for found in _ADDRESS.finditer(text))
        for found in _NAME.finditer(text):
            group = found.lastindex or 0
            if not _ADDRESS.search(found[group]) and found[group].strip():
                yield (*found.span(group), EntityType.PERSON)


def _cut(text: str, given: Sequence[Given]) -> list[tuple[str, EntityType | None]]:
    """A header cut at what is declared in it, so that no name runs into the address beside it."""
    parts: list[tuple[str, EntityType | None]] = []
    cursor = 0
    for start, end, kind in given:
        if start >= cursor:
            parts += ((text[cursor:start], None), (text[start:end], kind))
            cursor = end
    return [*parts, (text[cursor:], None)]


def _payload(part: Message) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _recoded(data: bytes, source: str | None, target: str, errors: str = "strict") -> bytes:
    """Bytes in another encoding; as they are where they are not in the one they claim."""
    try:
        return data.decode(source or "utf-8").encode(target, errors) if source else data
    except (LookupError, UnicodeError):
        return data


def _fill(part: Message, data: bytes, charset: str | None) -> None:
    """Write a new payload in the encoding and transfer encoding of the old one, or in one that can hold it."""
    if charset and not data.isascii():
        narrow = _recoded(data, "utf-8", charset)
        if narrow == data and charset.lower().replace("_", "-") not in ("utf-8", "utf8"):
            part.set_param("charset", "utf-8")
        data = narrow
    transfer = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if transfer not in ("base64", "quoted-printable") and not data.isascii():
        transfer = "quoted-printable" if part.get_content_maintype() == "text" else "base64"
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = transfer
    if transfer == "base64":
        data = base64.encodebytes(data)
    elif transfer == "quoted-printable":
        data = quopri.encodestring(data)
    part.set_payload(data.decode("ascii", "surrogateescape"))
