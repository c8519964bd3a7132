"""JPEG without metadata (ITU-T T.81): tables, frames and scans that the pixels need, each no longer than its fields.

Bytes after the last pixel of a scan cannot be told from pixels without decoding them. A scan that decodes to the same
picture without its last bytes is cut to what it needs.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

START, END, SCAN = 0xD8, 0xD9, 0xDA
_HUFFMAN, _QUANTISATION, _RESTART = 0xC4, 0xDB, 0xDD
# Frames with Huffman codes. Nobody writes the others.
_FRAMES = frozenset([*range(0xC0, 0xC4), *range(0xC5, 0xC8)])
_DROPPED = frozenset([*range(0xE1, 0xEE), 0xEF, 0xFE])  # application data and comments
_MARKER = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")
_TAIL = 4  # bytes of a scan that its pixels need: the last of them may be padding
_WORK = 400_000_000  # pixels that are decoded to check the scans of one picture


@dataclass(frozen=True)
class Segment:
    marker: int
    body: bytes
    pixels: bytes = b""  # of a scan

    def pack(self) -> bytes:
        return (
            bytes([0xFF, self.marker]) + (len(self.body) + 2).to_bytes(2) + self.body + self.pixels
        )


def clean_jpeg(data: bytes) -> bytes:
    """The picture without metadata. Raises `ValueError` or `IndexError` for one that cannot be cleaned."""
    fitted = map(_fit_segment, _split_segments(data))
    segments = [segment for segment in fitted if segment is not None]
    return _pack_segments(_trim_scans(_drop_unused(segments)))


def _pack_segments(segments: list[Segment]) -> bytes:
    return b"\xff\xd8" + b"".join(segment.pack() for segment in segments) + b"\xff\xd9"


def _split_segments(data: bytes) -> Iterator[Segment]:
    at = 2
    while data[at + 1] != END:
        if data[at] != 0xFF:
            raise ValueError
        marker, size = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        end = at + 2 + size
        body = data[at + 4 : end]
        if len(body) != size - 2:
            raise ValueError
        pixels = b""
        if marker == SCAN:  # pixels follow, up to the next marker
            found = _MARKER.search(data, end)
            if found is None:
                raise ValueError
            pixels = data[end : found.start()]
        yield Segment(marker, body, pixels)
        at = end + len(pixels)


def _fit_segment(segment: Segment) -> Segment | None:
    """A segment without what does not belong to its fields; nothing where the pixels do not need it."""
    marker, body = segment.marker, segment.body
    if marker in _DROPPED:
        return None
    if marker == 0xE0:  # the header of JFIF without a thumbnail
        is_jfif = body.startswith(b"JFIF\0") and len(body) >= 14
        return Segment(marker, body[:12] + b"\0\0") if is_jfif else None
    if marker == 0xEE:  # Adobe's transformation of colours
        is_adobe = body.startswith(b"Adobe") and len(body) > 11
        return Segment(marker, b"Adobe\0d\0\0\0\0" + body[11:12]) if is_adobe else None
    if marker in (_QUANTISATION, _HUFFMAN):
        return segment
    if marker in _FRAMES:
        return Segment(marker, _cut_body(body, 6 + 3 * body[5]))
    if marker == SCAN:
        return Segment(marker, _cut_body(body, 4 + 2 * body[0]), segment.pixels)
    if marker == _RESTART:
        return Segment(marker, _cut_body(body, 2))
    raise ValueError


def _cut_body(body: bytes, size: int) -> bytes:
    if len(body) < size:
        raise ValueError
    return body[:size]


def _drop_unused(segments: list[Segment]) -> list[Segment]:
    """Tables that some component uses, one of each kind and number between two scans."""
    used = _find_used_tables(segments)
    kept: list[Segment] = []
    seen: set[tuple[int, int]] = set()
    for segment in segments:
        if segment.marker == SCAN:
            seen = {known for known in seen if known[0] == _QUANTISATION}
        if segment.marker not in (_QUANTISATION, _HUFFMAN):
            kept.append(segment)
            continue
        is_huffman = segment.marker == _HUFFMAN
        measure = _measure_huffman if is_huffman else _measure_quantisation
        for table in _split_tables(segment.body, measure):
            number = table[0] if is_huffman else table[0] & 15
            key = (segment.marker, number)
            if key in seen:
                raise ValueError
            seen.add(key)
            if key in used:
                kept.append(Segment(segment.marker, table))
    return kept


def _find_used_tables(segments: list[Segment]) -> set[tuple[int, int]]:
    """The tables that some component uses, by the marker of their kind and by number."""
    used: set[tuple[int, int]] = set()
    for segment in segments:
        if segment.marker in _FRAMES:
            for at in range(segment.body[5]):
                used.add((_QUANTISATION, segment.body[8 + 3 * at]))
        elif segment.marker == SCAN:
            for at in range(segment.body[0]):
                selected = segment.body[2 + 2 * at]
                used |= {(_HUFFMAN, selected >> 4), (_HUFFMAN, 0x10 | selected & 15)}
    return used


def _measure_quantisation(body: bytes, at: int) -> int:
    return 65 + 64 * (body[at] >> 4 & 1)


def _measure_huffman(body: bytes, at: int) -> int:
    return 17 + sum(body[at + 1 : at + 17])


def _split_tables(body: bytes, size_of: Callable[[bytes, int], int]) -> Iterator[bytes]:
    """The whole tables of a segment. The first byte of each says of which kind it is and which of four."""
    at = 0
    while at < len(body) and not body[at] & 0xEC and at + size_of(body, at) <= len(body):
        size = size_of(body, at)
        yield body[at : at + size]
        at += size


def _trim_scans(segments: list[Segment]) -> list[Segment]:
    """Scans without bytes that their pixels do not need."""
    try:
        from PIL import Image
    except ImportError:
        raise ValueError from None
    whole = _decode_pixels(Image, segments)
    scans = [at for at, segment in enumerate(segments) if segment.marker == SCAN]
    if len(whole) * len(scans) > _WORK * 3:
        raise ValueError
    for at in scans:
        segments = _shorten_scan(segments, at, _find_shortest(Image, segments, at, whole))
    return segments


def _find_shortest(library: Any, segments: list[Segment], at: int, whole: bytes) -> int:
    """How many bytes of a scan its pixels need. Cut in halves, since fewer bytes never show more."""
    size = len(segments[at].pixels)

    def is_same(length: int) -> bool:
        return _decode_pixels(library, _shorten_scan(segments, at, length)) == whole

    if size <= _TAIL or not is_same(size - _TAIL):
        return size
    low, high = 0, size - _TAIL
    while low < high:
        middle = (low + high) // 2
        if is_same(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _shorten_scan(segments: list[Segment], at: int, size: int) -> list[Segment]:
    pixels = segments[at].pixels[:size]
    pixels = pixels[:-1] if pixels.endswith(b"\xff") else pixels
    return [*segments[:at], replace(segments[at], pixels=pixels), *segments[at + 1 :]]


def _decode_pixels(library: Any, segments: list[Segment]) -> bytes:
    try:
        with library.open(io.BytesIO(_pack_segments(segments)), formats=["JPEG"]) as image:
            return bytes(image.tobytes())
    except Exception:  # Pillow raises what the bytes make it raise
        raise ValueError from None
