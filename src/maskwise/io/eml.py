"""E-mail. Headers, bodies and attachments of a message are one text, so that a sender is one person in all of them.

Addresses, the names beside them, message identifiers and the date are masked whatever a detector thinks of them.
Headers that nobody reads (routing, signatures, anything unknown) are left out; files and boundaries get neutral names.
Attachments are read by the reader of their own format; those without one are replaced by a note, unless kept.
"""

from __future__ import annotations

import base64
import email
import mimetypes
import quopri
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.policy import compat32
from pathlib import PurePath
from typing import Annotated, Literal

from maskwise.errors import InputError
from maskwise.io.atoms import Atom, cut_text, edit_atoms
from maskwise.io.eml_headers import (
    IDENTIFIERS,
    PEOPLE,
    STRUCTURE,
    WORDS,
    cut_declared,
    decode_value,
    encode_value,
    find_content_charset,
    find_content_kind,
    find_declared,
    neutralise_value,
)
from maskwise.io.formats import (
    Given,
    Loaded,
    Options,
    build_reader,
    build_writer,
    find_output_suffix,
    list_suffixes,
)
from maskwise.io.limits import Limits
from maskwise.io.segments import BREAK, Segments, find_changes, join_segments, rewrite_text
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy

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
NOTICE = "[attachment removed]"

_POLICY = compat32.clone(max_line_length=0)
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")

Done = Sequence[tuple[str, Alignment]]


@dataclass(frozen=True)
class MessageSpot:
    """Texts of one place in the message, what is declared in each, and how the masked ones are put back."""

    texts: tuple[str, ...] = field(repr=False)
    given: tuple[tuple[Given, ...], ...]
    put: Callable[[Done], None]
    kept: tuple[str, ...] = field(default=(), repr=False)
    glue: tuple[str, ...] = ()  # before each text; a break where there is none


@dataclass(frozen=True)
class EmlLayout:
    raw: bytes = field(repr=False)
    segments: Segments
    name: str


@dataclass(frozen=True)
class Eml:
    """`attachments`: remove those of unknown format, or keep them as they are."""

    attachments: Literal["remove", "keep"] = "remove"
    formats: Annotated[Options, FromPolicy()] = field(default_factory=dict)
    limits: Annotated[Limits, FromPolicy()] = field(default_factory=Limits)
    suffix = ""

    def read(self, raw: bytes, name: str) -> Loaded:
        _, walk = self._walk(raw, name)
        spots = walk.spots
        glue = [mark for spot in spots for mark in (spot.glue or [BREAK] * len(spot.texts))]
        text, segments = join_segments((text for spot in spots for text in spot.texts), glue)
        inner = [given for spot in spots for given in spot.given]
        given = tuple(
            (start + at, end + at, kind)
            for at, found in zip(segments.starts, inner, strict=True)
            for start, end, kind in found
        )
        kept = tuple(text for spot in spots for text in spot.kept)
        return Loaded((text,), EmlLayout(raw, segments, name), (given,), kept, walk.list_notes())

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        layout: EmlLayout = loaded.layout
        message, walk = self._walk(layout.raw, layout.name)
        edits = find_changes(layout.segments, alignments[0])
        done = iter(
            [
                rewrite_text(text, each)
                for text, each in zip(layout.segments.texts, edits, strict=True)
            ]
        )
        for spot in walk.spots:
            spot.put([next(done) for _ in spot.texts])
        for finish in walk.finishers:
            finish()
        _set_boundaries(message, layout.raw + masked[0].encode("utf-8", "replace"))
        first = layout.raw.split(b"\n", 1)[0]
        return message.as_bytes(
            policy=_POLICY.clone(linesep="\r\n" if first.endswith(b"\r") else "\n")
        )

    def _walk(self, raw: bytes, name: str) -> tuple[Message, _MessageWalk]:
        """The message, parsed afresh, and the places in it that are read. The same message gives the same places."""
        message = email.message_from_bytes(raw, policy=_POLICY)
        if not message.keys():
            raise InputError(f"{name}: not an e-mail message: it begins with no header")
        walk = _MessageWalk(name, self.attachments == "keep", self.formats, self.limits)
        walk.read_message(message, 1)
        return message, walk


class _MessageWalk:
    """Collects the places of a message, and cleans it on the way."""

    def __init__(self, name: str, keep: bool, formats: Options, limits: Limits) -> None:
        self._name, self._keep, self._formats, self._limits = name, keep, formats, limits
        self._files = self._kept = 0
        self._removed: Counter[str] = Counter()
        self._inner: list[str] = []
        self.spots: list[MessageSpot] = []
        self.finishers: list[Callable[[], None]] = []

    def list_notes(self) -> tuple[str, ...]:
        """What the message will not hold, then what the readers of its parts say."""
        own = [
            f"{count} {what}{'s' * (count > 1)} left out" for what, count in self._removed.items()
        ]
        if self._kept:
            own.append(f"attachments kept that are not read: {self._kept}")
        return (*own, *dict.fromkeys(self._inner))

    def read_message(self, message: Message, depth: int) -> None:
        """A message or a part of one, then what is inside it."""
        self._limits.allow(self._name, "depth", depth)
        # First: it refuses what the standard library reads slowly.
        lines = self._read_headers(message)
        filename = message.get_filename() or ""
        self.finishers.append(lambda: _replace_headers(message, lines))
        payload = message.get_payload()
        message.preamble = message.epilogue = None
        if isinstance(payload, list):
            for part in payload:
                if isinstance(part, Message):
                    self.read_message(part, depth + 1)
        else:
            self._read_leaf(message, filename)

    def _read_headers(self, message: Message) -> list[tuple[str, str]]:
        """The headers that stay. Those that are read get their masked form when the spots are put back."""
        lines: list[tuple[str, str]] = []
        seen: set[str] = set()
        for name, value in message.raw_items():
            low = name.lower()
            if low in STRUCTURE:
                neutral = None if low in seen else neutralise_value(message, low)
                lines += [(name, neutral)] if neutral else []
                seen.add(low)
            elif low in PEOPLE | IDENTIFIERS | WORDS:
                self._read_header(lines, name, decode_value(value))
            else:
                self._removed["header"] += 1
        return lines

    def _read_header(self, lines: list[tuple[str, str]], name: str, text: str) -> None:
        at = len(lines)
        lines.append((name, text))
        atoms: list[Atom] = []
        given: list[tuple[Given, ...]] = []
        for start, end, kind in cut_declared(text, sorted(find_declared(name.lower(), text))):
            part = text[start:end]
            found = [Atom(0, len(part), part)] if kind else cut_text(part)
            atoms += (
                atom._replace(
                    start=atom.start + start,
                    end=atom.end + start,
                    glue=atom.glue if number else BREAK,
                )
                for number, atom in enumerate(found)
            )
            given += (((0, len(atom.text), kind),) if kind else () for atom in found)

        def put(done: Done) -> None:
            found = [
                [(e.start, e.end, e.replacement) for e in alignment.edits] for _, alignment in done
            ]
            edits = edit_atoms(atoms, found, lambda new, _: new)
            lines[at] = (name, encode_value(name, rewrite_text(text, edits)[0]))

        texts = tuple(atom.text for atom in atoms)
        self.spots.append(
            MessageSpot(texts, tuple(given), put, glue=tuple(atom.glue for atom in atoms))
        )

    def _read_leaf(self, part: Message, filename: str) -> None:
        data, strict = _read_payload(part), _is_strict(part)
        kind = find_content_kind(part)
        suffix = PurePath(filename).suffix.lower().lstrip(".")
        suffix = (
            suffix
            if suffix in list_suffixes()
            else KINDS.get(kind, "txt" if kind.startswith("text/") else "")
        )
        body = not filename and kind in ("text/plain", "text/html")
        try:
            named = (
                part.get_content_charset()
                if suffix in ("txt", "html", "htm", "md", "csv")
                else None
            )
            wide = _recode_bytes(data, named, "utf-8")
            unfolded = re.sub(rb"\r?\n[ \t]", b"", wide) if kind in FOLDED else wide
            loaded = build_reader(suffix, self._formats).read(
                unfolded, f"{self._name}, part {len(self.spots)}"
            )
        except InputError:
            if body:
                raise
            self._replace_unknown(part, PurePath(filename).suffix)
            return
        shown = find_output_suffix(suffix, self._formats)
        charset = find_content_charset(part) if named else None
        self._inner += (f"in an attachment: {text}" if filename else text for text in loaded.notes)
        if filename:
            self._rename(part, shown)

        def put(done: Done) -> None:
            fresh = build_writer(suffix, self._formats).write(
                loaded, tuple(t for t, _ in done), tuple(a for _, a in done)
            )
            if fresh != wide or named != charset or not strict:
                # After its headers.
                self.finishers.append(lambda: _fill_part(part, fresh, charset, bool(named)))
            if shown.lstrip(".") != suffix:
                self.finishers.append(
                    lambda: part.replace_header("Content-Type", "text/plain; charset=utf-8")
                )

        given = tuple(loaded.get_given(at) for at in range(len(loaded.texts)))
        self.spots.append(MessageSpot(loaded.texts, given, put, loaded.kept))

    def _replace_unknown(self, part: Message, suffix: str) -> None:
        """An attachment that nobody can read: a note in its place, or as it is under a neutral name."""
        if self._keep:
            self._kept += 1
            self._rename(part, suffix if _SUFFIX.fullmatch(suffix) else "bin")
            return
        self._removed["attachment"] += 1

        def put() -> None:
            for name in ("Content-Type", "Content-Transfer-Encoding", "Content-Disposition"):
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


def _replace_headers(message: Message, lines: Sequence[tuple[str, str]]) -> None:
    for name in set(message.keys()):
        del message[name]
    for name, value in lines:
        message[name] = value


def _set_boundaries(message: Message, content: bytes) -> None:
    """Neutral boundaries, which nothing in the message looks like."""
    mark = "=_part"
    while mark.encode() in content:
        mark += "_"
    for number, part in enumerate(part for part in message.walk() if part.is_multipart()):
        if part.get_content_maintype() == "multipart":
            part.set_boundary(f"{mark}_{number + 1}")


def _read_payload(part: Message) -> bytes:
    """The bytes of a part. What stands after the end of a base64 body belongs to nothing and is not among them."""
    if _read_transfer_encoding(part) != "base64":
        data = part.get_payload(decode=True)
        return data if isinstance(data, bytes) else b""
    letters = _find_base64_body(part).rstrip(b"=")
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return base64.b64decode(letters + b"=" * (-len(letters) % 4))


def _find_base64_body(part: Message) -> bytes:
    """The letters of a base64 body: lines of one length, up to the first that is shorter, is padded or is none."""
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
    """Bytes in another encoding; as they are where they are not in the one they claim."""
    try:
        return data.decode(source or "utf-8").encode(target, errors) if source else data
    except (LookupError, UnicodeError):
        return data


def _fill_part(part: Message, data: bytes, charset: str | None, named: bool = False) -> None:
    """Write a new payload in the encoding and transfer encoding of the old one, or in one that can hold it."""
    if charset is None and named and part.get_content_maintype() == "text":
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
