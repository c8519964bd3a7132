"""Everything that bytes and texts can be read as: encodings, escapes, base64, hexadecimal, packed streams, in layers.

Each layer is opened within limits of depth and size. What is over a limit raises `LeakError`, because a file that
cannot be looked through is not written.
"""

from __future__ import annotations

import bz2
import io
import lzma
import re
import string
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from maskwise.errors import LeakError
from maskwise.io.leaks.escapes import EscapedText, unescape_layer, unescape_mixed
from maskwise.io.leaks.folding import BARRIER
from maskwise.io.leaks.runs import find_packed

DEPTH = 6  # layers
ROUNDS = 3  # in which escapes that stand side by side are undone
UNPACKED = 1 << 28  # bytes out of packed streams
EXPANDED = 1 << 28  # characters of all views beyond the text itself
HEADER = 30  # bytes before the name of a zip member
# Bytes unpacked of a stream inside of other bytes. Pictures hold short texts and long pixels, so this is little.
STREAM = 1 << 20

_STRING = re.compile(
    rb"(?:[\t\n\r\x1b -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|\xf0[\x90-\xbf][\x80-\xbf]{2}){6,}"
)
_WIDE = {
    "utf-16-le": re.compile(rb"(?:[\t\n\r\x1b -~\x80-\xff]\0|[\0-\xff][\x01-\x06\x1e\x20]){4,}"),
    "utf-16-be": re.compile(rb"(?:\0[\t\n\r\x1b -~\x80-\xff]|[\x01-\x06\x1e\x20][\0-\xff]){4,}"),
    "utf-32-le": re.compile(rb"(?:[\t\n\r\x1b -\xff][\0-\x06\x1e\x20]\0\0){4,}"),
    "utf-32-be": re.compile(rb"(?:\0\0[\0-\x06\x1e\x20][\t\n\r\x1b -\xff]){4,}"),
}
_EBCDIC = (string.ascii_letters + string.digits).encode("cp037")
_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08")


@dataclass(frozen=True, slots=True)
class View:
    """A text in a file, whether it was `escaped`, and whether it was picked out of other bytes (`binary`)."""

    text: str = field(repr=False)
    escaped: bool = False
    binary: bool = False


@dataclass
class Decoder:
    """Opens the layers of one file, and counts what it has opened."""

    unpacked: int = 0
    expanded: int = 0
    _seen: set[tuple[bool, int, int]] = field(default_factory=set, repr=False)

    def read_text(self, text: str, depth: int = DEPTH) -> Iterator[View]:
        """The texts that escapes and packed parts of a text stand for, without the text itself."""
        if not self._is_new(text):
            return
        yield from self._read_layer(EscapedText(text), depth)
        for _ in range(ROUNDS):
            mixed = unescape_mixed(text)
            if not self._is_new(mixed):
                return
            self._count(mixed)
            yield View(mixed, escaped=True)
            text = mixed

    def _read_layer(self, layer: EscapedText, depth: int) -> Iterator[View]:
        """Each kind of escape undone, and whatever this uncovers."""
        if depth == 0:
            return
        for inner in unescape_layer(layer):
            if self._is_new(inner.text, inner.fresh):
                self._count(inner.text)
                yield View(inner.text, escaped=True)
                yield from self._read_layer(inner, depth - 1)
        for data in find_packed(layer):
            for found in self.read_bytes(data, depth - 1):
                yield View(found.text, True, found.binary)

    def read_bytes(self, raw: bytes, depth: int = DEPTH) -> Iterator[View]:
        """The texts of bytes, of everything packed in them, and of the escapes in all these."""
        for view in self.open_bytes(raw, depth):
            yield view
            yield from self.read_text(view.text, depth)

    def open_bytes(self, raw: bytes, depth: int = DEPTH) -> Iterator[View]:
        """The texts of bytes, and of everything packed in them."""
        if not raw or not self._is_new(raw):
            return
        for view in decode_bytes(drop_members(raw)):
            self._count(view.text)
            yield view
        if depth:
            for inner in self.unpack(raw):
                yield from self.open_bytes(inner, depth - 1)

    def unpack(self, raw: bytes) -> Iterator[bytes]:
        """The members of a zip and the contents of compressed streams."""
        if b"PK\x03\x04" in raw:
            yield from self._unpack_members(raw)
            raw = drop_members(raw)  # what is stored plainly has been read among the bytes
        if raw.startswith((b"BZh", b"\xfd7zXZ\0")):
            yield from self._unpack_stream(raw)
        whole = memoryview(raw)
        for found in _ZLIB.finditer(raw):
            most = STREAM if found.start() else UNPACKED - self.unpacked + 1
            try:
                data = zlib.decompressobj(47).decompress(whole[found.start() :], most)
            except zlib.error:
                continue
            if data:
                self._count_unpacked(len(data))
                yield data

    def _unpack_members(self, raw: bytes) -> Iterator[bytes]:
        """Members by their own headers, so that no directory is needed to find them."""
        whole = memoryview(raw)
        for found in re.finditer(rb"PK\x03\x04", raw):
            start = _find_data_start(raw, found.start())
            method = raw[found.start() + 8 : found.start() + 10]
            if method == b"\x08\0":
                most = UNPACKED - self.unpacked + 1
                try:
                    data = zlib.decompressobj(-15).decompress(whole[start:], most)
                except zlib.error:
                    continue
                self._count_unpacked(len(data))
                yield data
            elif method == b"\x0c\0":
                yield from self._unpack_stream(raw[start:])

    def _unpack_stream(self, raw: bytes) -> Iterator[bytes]:
        packed = bz2.BZ2Decompressor() if raw.startswith(b"BZh") else lzma.LZMADecompressor()
        try:
            data = packed.decompress(raw, UNPACKED - self.unpacked + 1)
        except (OSError, lzma.LZMAError, EOFError):
            return
        self._count_unpacked(len(data))
        yield data

    def _is_new(self, text: str | bytes, fresh: object = None) -> bool:
        """Whether this was not read before; a text and its bytes have one hash."""
        key = isinstance(text, str), hash(text), hash(fresh)
        new = key not in self._seen
        self._seen.add(key)
        return new

    def _count(self, text: str) -> None:
        self.expanded += len(text)
        if self.expanded > EXPANDED:
            raise LeakError("too many layers of escapes to look through")

    def _count_unpacked(self, size: int) -> None:
        self.unpacked += size
        if self.unpacked > UNPACKED:
            raise LeakError("too much packed inside of it to look through")


def decode_bytes(raw: bytes) -> Iterator[View]:
    """The texts that bytes can be: one where they are UTF-8, else the strings in them, narrow and wide."""
    try:
        text = raw.decode("utf-8")
        if "\0" not in text:
            yield View(text.replace(BARRIER, ""))
            return
    except UnicodeDecodeError:
        pass
    strings = BARRIER.join(run.decode("utf-8", "replace") for run in _STRING.findall(raw))
    if strings:
        yield View(strings, binary=True)
    if _is_printed(raw):
        yield View(raw.decode("utf-8", "ignore").replace(BARRIER, ""))
        yield View(raw.decode("cp1252", "replace").replace(BARRIER, ""))
    yield from _find_wide_strings(raw)
    if _count_ebcdic_letters(raw) * 3 > len(raw):
        yield View(raw.decode("cp037").replace(BARRIER, ""))


def _is_printed(raw: bytes) -> bool:
    """Whether bytes look like text in an encoding of one byte: hardly a control character among them."""
    sample = raw[: 1 << 16]
    control = sum(sample.count(code) for code in (*range(9), 11, 12, *range(14, 32), 127))
    return control * 50 < len(sample)


def _count_ebcdic_letters(raw: bytes) -> int:
    """How many bytes are letters in the encoding of mainframes, whose texts are not ASCII."""
    return len(raw) - len(raw.translate(None, _EBCDIC))


def _find_wide_strings(raw: bytes) -> Iterator[View]:
    if b"\0" in raw:
        for encoding, pattern in _WIDE.items():
            found = BARRIER.join(run.decode(encoding, "replace") for run in pattern.findall(raw))
            if found:
                yield View(found, binary=True)
    for encoding in ("utf-16-le", "utf-16-be"):  # in scripts whose letters have no zeros
        try:
            text = raw.decode(encoding)
        except UnicodeDecodeError:
            continue
        if sum(map(str.isalpha, text)) * 2 > len(text):
            yield View(text.replace(BARRIER, ""))


def drop_members(raw: bytes) -> bytes:
    """The bytes of a zip without its compressed data: names, comments, and whatever stands between the members."""
    if b"PK\x03\x04" not in raw:
        return raw
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return raw
    parts: list[bytes] = []
    cursor = 0
    for info in infos:
        if info.compress_type == zipfile.ZIP_STORED or info.header_offset < cursor:
            continue
        start = _find_data_start(raw, info.header_offset)
        name = raw[info.header_offset + HEADER : start]
        parts += (raw[cursor : info.header_offset], name, b"\n\xff\n")
        cursor = start + info.compress_size
    return b"".join((*parts, raw[cursor:]))


def _find_data_start(raw: bytes, header: int) -> int:
    """Where the data of a member begins, behind its header, name and extra field."""
    name, extra = raw[header + 26 : header + 28], raw[header + 28 : header + 30]
    return header + HEADER + int.from_bytes(name, "little") + int.from_bytes(extra, "little")
