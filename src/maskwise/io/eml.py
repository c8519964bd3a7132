"""E-mail. Headers, bodies and attachments of a message are one text, so that a sender is one person in all of them.

Addresses, the names beside them, message identifiers and the date are masked whatever a detector thinks of them.
Headers that nobody reads (routing, signatures, anything unknown) are left out; files and boundaries get neutral names.
Attachments are read by the reader of their own format; those without one are replaced by a note, unless kept.
"""

from __future__ import annotations

import email
import mimetypes
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email.message import Message
from email.policy import compat32
from itertools import islice
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
    find_declared,
    neutralise_value,
)
from maskwise.io.eml_parts import fill_part, read_leaf
from maskwise.io.formats import (
    Given,
    Loaded,
    Options,
    build_reader,
    build_writer,
    find_output_suffix,
)
from maskwise.io.limits import Limits
from maskwise.io.segments import (
    BREAK,
    Change,
    Segments,
    find_changes,
    join_segments,
    rewrite_text,
)
from maskwise.mask import Alignment
from maskwise.plugins import FromPolicy

NOTICE = "[attachment removed]"

_POLICY = compat32.clone(max_line_length=0)
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,5}")

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
        texts: list[str] = []
        glue: list[str] = []
        inner: list[tuple[Given, ...]] = []
        kept: list[str] = []
        for spot in walk.spots:
            texts += spot.texts
            glue += spot.glue or [BREAK] * len(spot.texts)
            inner += spot.given
            kept += spot.kept
        text, segments = join_segments(texts, glue)
        given: list[Given] = []
        for at, found in zip(segments.starts, inner, strict=True):
            given += ((start + at, end + at, kind) for start, end, kind in found)
        layout = EmlLayout(raw, segments, name)
        return Loaded((text,), layout, (tuple(given),), tuple(kept), walk.list_notes())

    def write(
        self, loaded: Loaded, masked: tuple[str, ...], alignments: tuple[Alignment, ...]
    ) -> bytes:
        layout: EmlLayout = loaded.layout
        message, walk = self._walk(layout.raw, layout.name)
        edits = find_changes(layout.segments, alignments[0])
        pairs = zip(layout.segments.texts, edits, strict=True)
        done = (rewrite_text(text, each) for text, each in pairs)
        for spot in walk.spots:
            spot.put(list(islice(done, len(spot.texts))))
        for finish in walk.finishers:
            finish()
        _set_boundaries(message, layout.raw + masked[0].encode("utf-8", "replace"))
        first, _, _ = layout.raw.partition(b"\n")
        line_end = "\r\n" if first.endswith(b"\r") else "\n"
        return message.as_bytes(policy=_POLICY.clone(linesep=line_end))

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
        """Notes on the parts that the message will not hold, then the notes of the readers of its parts."""
        own = [
            f"{count} {what}{'s' * (count > 1)} left out" for what, count in self._removed.items()
        ]
        if self._kept:
            own.append(f"attachments kept that are not read: {self._kept}")
        return (*own, *dict.fromkeys(self._inner))

    def read_message(self, message: Message, depth: int) -> None:
        """A message or a part of one, then what is inside it."""
        self._limits.allow(self._name, "depth", depth)
        # The headers come first, because this refuses what the standard library reads slowly.
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
        declared = sorted(find_declared(name.lower(), text))
        for start, end, kind in cut_declared(text, declared):
            part = text[start:end]
            found = [Atom(0, len(part), part)] if kind else cut_text(part)
            atoms += _move_atoms(found, start)
            given += (((0, len(atom.text), kind),) if kind else () for atom in found)

        def put(done: Done) -> None:
            changes = [_list_changes(alignment) for _, alignment in done]
            edits = edit_atoms(atoms, changes, lambda new, _: new)
            masked, _ = rewrite_text(text, edits)
            lines[at] = (name, encode_value(name, masked))

        texts = tuple(atom.text for atom in atoms)
        glue = tuple(atom.glue for atom in atoms)
        self.spots.append(MessageSpot(texts, tuple(given), put, glue=glue))

    def _read_leaf(self, part: Message, filename: str) -> None:
        """A part without parts of its own, by the reader of its format."""
        leaf = read_leaf(part, filename)
        is_body = not filename and leaf.kind in ("text/plain", "text/html")
        where = f"{self._name}, part {len(self.spots)}"
        try:
            loaded = build_reader(leaf.suffix, self._formats).read(leaf.unfolded, where)
        except InputError:
            if is_body:
                raise
            self._replace_unknown(part, PurePath(filename).suffix)
            return
        shown = find_output_suffix(leaf.suffix, self._formats)
        self._inner += (f"in an attachment: {note}" if filename else note for note in loaded.notes)
        if filename:
            self._rename(part, shown)

        def put(done: Done) -> None:
            texts = tuple(text for text, _ in done)
            alignments = tuple(alignment for _, alignment in done)
            fresh = build_writer(leaf.suffix, self._formats).write(loaded, texts, alignments)
            # The payload is written after the headers of the part.
            if fresh != leaf.wide or not leaf.is_plain:
                self.finishers.append(lambda: fill_part(part, fresh, leaf))
            if shown.lstrip(".") != leaf.suffix:
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


def _move_atoms(atoms: Sequence[Atom], by: int) -> Iterator[Atom]:
    """Yields the atoms of a part of a header in the offsets of the header, apart from what stands before."""
    for number, atom in enumerate(atoms):
        glue = atom.glue if number else BREAK
        yield atom._replace(start=atom.start + by, end=atom.end + by, glue=glue)


def _list_changes(alignment: Alignment) -> list[Change]:
    return [(edit.start, edit.end, edit.replacement) for edit in alignment.edits]


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
    parents = [part for part in message.walk() if part.is_multipart()]
    for number, part in enumerate(parents, 1):
        if part.get_content_maintype() == "multipart":
            part.set_boundary(f"{mark}_{number}")
