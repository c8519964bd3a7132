"""Places of file formats that can hide text, one module per format, and a judge of what becomes of a secret there.

The oracle shares no code with the product: it undoes every encoding it knows and looks for the letters and digits of
the secret, in any case and with anything between them that is neither letter nor digit.
"""

from __future__ import annotations

import base64
import binascii
import html
import importlib
import io
import pkgutil
import quopri
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal
from urllib.parse import unquote

from maskwise.errors import MaskwiseError
from maskwise.files import sanitize_file
from maskwise.sanitizer import Sanitizer

Outcome = Literal["cleaned", "refused", "leaked"]

BODY = "The meeting is about the new roof."
SECRETS = {
    "name": ("Zbigniew Kowalczyk", "Zbigniew Kowalczyk spoke about the new roof."),
    "phone": ("+44 7700 900413", "Call +44 7700 900413 about the new roof."),
    "code": ("GB33BUKB20201555555555", "Account GB33BUKB20201555555555 pays for the new roof."),
}
# Each secret alone in its place, then beside the same one in the body.
TRIALS = tuple((kind, beside) for beside in (False, True) for kind in SECRETS)
HARMLESS = "slates and rafters"
# A part of a secret that tells as much as the whole.
PARTS = {"Zbigniew Kowalczyk": "kowalczyk", "+44 7700 900413": "7700900413"}
DEPTH = 4
MOST = 50  # packed streams that are tried
SMALL = 20_000  # bytes of a part that is remembered

_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{12,}(?:\s+[A-Za-z0-9+/_-]{2,})*={0,2}")
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_PACKED = re.compile(rb"\x1f\x8b\x08|\x78[\x01\x5e\x9c\xda]")
_ESCAPED = re.compile(
    r"\\(?:u\{?|x|U)([0-9A-Fa-f]{2,6})\}?|\\([0-9A-Fa-f]{1,6}) ?|_x?([0-9A-Fa-f]{2,4})_"
)
_TERMINAL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_NEITHER = re.compile(r"[\W_]+")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True)
class Place:
    """A spot of a format. `build(planted, body)` makes a file that shows `body` and holds `planted` in this spot."""

    name: str
    suffix: str
    build: Callable[[str, str], bytes] = field(repr=False)


def all_places() -> list[Place]:
    """The places of every module in this folder."""
    modules = (
        importlib.import_module(f"{__name__}.{m.name}") for m in pkgutil.iter_modules(__path__)
    )
    return [place for module in modules for place in getattr(module, "PLACES", ())]


def judge(sanitizer: Sanitizer, place: Place, kind: str, beside: bool) -> Outcome:
    """Sanitise the file of a place that holds the secret of this kind, also in its body if `beside`."""
    secret, sentence = SECRETS[kind]
    raw = place.build(secret, sentence if beside else BODY)
    try:
        done = sanitize_file(sanitizer, raw, f"file.{place.suffix}")
    except MaskwiseError:
        return "refused"
    return "leaked" if holds(done.data, secret) else "cleaned"


def choose_trial(place: Place, turn: int = 0) -> tuple[str, bool]:
    """One of the trials of a place by a stable hash; another one per turn. `benchmarks/places.py` runs them all."""
    return TRIALS[(zlib.crc32(place.name.encode()) + turn) % len(TRIALS)]


def is_read(sanitizer: Sanitizer, place: Place) -> bool:
    """Whether the file of a place is accepted when it holds nothing secret: else a refusal says little."""
    try:
        sanitize_file(sanitizer, place.build(HARMLESS, BODY), f"file.{place.suffix}")
    except MaskwiseError:
        return False
    return True


def holds(raw: bytes, secret: str) -> bool:
    """Whether a file holds the secret, or the part of it that tells as much, in any form that can be decoded."""
    needle = PARTS.get(secret, fold(secret))
    return any(needle in text or needle[::-1] in text for text in views(raw))


def fold(text: str) -> str:
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return _NEITHER.sub("", plain.casefold())


def views(raw: bytes, depth: int = DEPTH) -> Iterator[str]:
    """Every text that the bytes can be read as, folded."""
    is_small = len(raw) < SMALL
    yield from _read_small(raw) if is_small else map(fold, _texts(raw))
    if depth:
        for inner in _unpack_small(raw) if is_small else _inner(raw):
            yield from views(inner, depth - 1)


@lru_cache(maxsize=2048)
def _read_small(raw: bytes) -> tuple[str, ...]:
    """The same, of one part. Most parts of a package are alike in every file."""
    return tuple({fold(text) for text in _texts(raw)})


@lru_cache(maxsize=2048)
def _unpack_small(raw: bytes) -> tuple[bytes, ...]:
    return tuple(_inner(raw))


def _texts(raw: bytes) -> Iterator[str]:
    for text in _decoded(raw):
        yield text
        for plain in {plain for plain in _unescaped(text) if plain != text}:
            yield plain
            yield from (twice for twice in _unescaped(plain) if twice not in (plain, text))
    if raw.startswith(b"PAR1"):
        yield from _parquet(raw)
    if raw.startswith(b"%PDF"):
        yield from _pdf(raw)


def _decoded(raw: bytes) -> Iterator[str]:
    yield raw.decode("utf-8", "replace")
    if not raw.isascii():
        yield raw.decode("latin-1")
        yield raw.decode("cp037")
    if b"\0" in raw:
        for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"):
            yield raw.decode(encoding, "replace")
            yield raw[1:].decode(encoding, "replace")


def _unescaped(text: str) -> Iterator[str]:
    if "&" in text:
        yield html.unescape(text)
        yield html.unescape(html.unescape(text))
    if "<" in text:
        yield html.unescape(_TAG.sub("", text))
    if _PERCENT.search(text):
        yield _PERCENT.sub(lambda m: unquote(m[0], errors="replace"), text)
        yield _PERCENT.sub(lambda m: unquote(m[0], encoding="latin-1"), text)
    if "\\" in text or "_" in text:
        yield _ESCAPED.sub(lambda m: chr(int(m[1] or m[2] or m[3], 16) % 0x110000), text)
    if "=" in text:
        yield quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")
    if "\x1b" in text:
        yield _TERMINAL.sub("", text)
    if "+" in text and "-" in text:
        yield text.encode("utf-8", "replace").decode("utf-7", "replace")


def _inner(raw: bytes) -> Iterator[bytes]:
    """Bytes inside the bytes: members of a zip, runs of base64 and hexadecimal, compressed streams."""
    if b"PK\x03\x04" in raw:
        try:
            with zipfile.ZipFile(io.BytesIO(raw)) as archive:
                yield "\n".join([*archive.namelist(), archive.comment.decode("latin-1")]).encode()
                yield from map(archive.read, archive.namelist())
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, zlib.error):
            pass
    for run in _BASE64.findall(raw):
        packed = re.sub(rb"\s+", b"", run).rstrip(b"=").replace(b"-", b"+").replace(b"_", b"/")
        try:
            yield base64.b64decode(packed + b"=" * (-len(packed) % 4))
        except (binascii.Error, ValueError):
            continue
    for run in re.findall(rb"(?:[0-9A-Fa-f]{2}){8,}", raw):
        yield bytes.fromhex(run.decode())
    starts = [match.start() for match in _PACKED.finditer(raw)][:MOST]
    for stream in [*_STREAM.findall(raw), *(raw[start:] for start in starts)]:
        try:
            yield zlib.decompressobj(47).decompress(stream, 1 << 22)
        except zlib.error:
            continue


def _parquet(raw: bytes) -> Iterator[str]:
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(raw))
    yield str(table.schema.to_string(show_field_metadata=True, show_schema_metadata=True))
    for column in table.itercolumns():
        for value in _list_values(column):
            yield value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
            if isinstance(value, bytes):
                yield from views(value, 1)


def _list_values(column: Any) -> list[Any]:
    try:
        return column.to_pylist()
    except (
        ValueError
    ):  # the time zone of its type is no zone; the schema, which is read above, names it
        return []


def _pdf(raw: bytes) -> Iterator[str]:
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(raw)
    except pypdfium2.PdfiumError:
        return
    for page in pdf:
        yield page.get_textpage().get_text_range()
        yield page.get_textpage().get_text_range()[::-1]
