"""Raster pictures without their metadata. What a camera or an editor wrote beside the pixels (author, place, comments,
thumbnails, colour profiles) is left out. The pixels are kept and not read.

Only segments that the pixels need are copied, each no longer than its fields. A picture with others is unknown.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from maskwise.io.jpeg import clean_jpeg

_PNG = b"\x89PNG\r\n\x1a\n"
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}  # of a pixel of PNG, by its type of colour
_LARGEST = 1 << 29  # bytes of unpacked pixels


def clean_picture(data: bytes) -> bytes | None:
    """The picture without metadata, or nothing if it is of no known raster format or damaged."""
    for magic, clean in _CLEANERS.items():
        if data.startswith(magic):
            try:
                return b"".join(clean(data))
            except (IndexError, ValueError, KeyError, zlib.error):
                return None
    return None


def find_ending(data: bytes) -> str:
    if data.startswith(_PNG):
        return "png"
    return "gif" if data.startswith(b"GIF8") else "jpeg"


def _clean_png(data: bytes) -> Iterator[bytes]:
    """Header, palette, pixels, and what says their colours and size, each of the length it must have."""
    chunks = list(_split_chunks(data))
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
    kind, header = chunks[0]
    if kind != b"IHDR" or len(header) != 13:
        raise ValueError
    rows = _unpack_rows(header, packed)
    yield _PNG + _write_chunk(b"IHDR", header)
    for kind, body in chunks[1:]:
        if kind == b"IDAT":
            break
        if not _has_right_length(kind, len(body), header):
            continue
        if kind == b"PLTE":
            used = _find_used_colours(header, rows)
            yield _write_chunk(kind, _blacken_unused(body, used))
        else:
            yield _write_chunk(kind, body)
    yield _write_chunk(b"IDAT", zlib.compress(rows))
    yield _write_chunk(b"IEND", b"")


def _has_right_length(kind: bytes, length: int, header: bytes) -> bool:
    """Whether a chunk that says colours or size has the length it must have."""
    depth, colours = header[8], header[9]
    if colours == 3 and kind == b"PLTE":
        return length % 3 == 0 and length <= 3 << depth
    if colours == 3 and kind == b"tRNS":
        return length <= 1 << depth
    if kind == b"bKGD":
        return length == {0: 2, 2: 6, 3: 1, 4: 2, 6: 6}.get(colours)
    if kind == b"tRNS":
        return length == {0: 2, 2: 6}.get(colours)
    return length == {b"gAMA": 4, b"cHRM": 32, b"sRGB": 1, b"pHYs": 9}.get(kind)


def _split_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(_PNG)
    while True:
        size = int.from_bytes(data[at : at + 4])
        kind, end = data[at + 4 : at + 8], at + 12 + size
        if end > len(data):
            raise ValueError
        yield kind, data[at + 8 : end - 4]
        if kind == b"IEND":
            return
        at = end


def _write_chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4) + kind + body + zlib.crc32(kind + body).to_bytes(4)


def _unpack_rows(header: bytes, packed: bytes) -> bytes:
    """As many bytes of pixels as the header says; packed anew, nothing stands behind them."""
    size = sum(rows * (1 + stride) for rows, stride in _list_passes(header))
    if not 0 < size <= _LARGEST:
        raise ValueError
    rows_of = zlib.decompressobj().decompress(packed, size)
    if len(rows_of) != size:
        raise ValueError
    return rows_of


def _list_passes(header: bytes) -> Iterator[tuple[int, int]]:
    """How many rows of how many bytes each pass over a picture has; one pass where it is not interlaced."""
    width, height = int.from_bytes(header[:4]), int.from_bytes(header[4:8])
    bits = header[8] * _CHANNELS[header[9]]
    for x, y, right, down in _INTERLACED if header[12] else [(0, 0, 1, 1)]:
        across, rows = -(-(width - x) // right), -(-(height - y) // down)
        if across > 0 and rows > 0:
            yield rows, (across * bits + 7) // 8


def _find_used_colours(header: bytes, rows: bytes) -> set[int]:
    """The colours of the palette that the pixels use."""
    found: set[int] = set()
    at = 0
    for count, stride in _list_passes(header):
        above = bytes(stride)
        for _ in range(count):
            above = _undo_filter(rows[at], rows[at + 1 : at + 1 + stride], above)
            found |= set(above)
            at += 1 + stride
    if header[8] == 8:
        return found
    mask, steps = (1 << header[8]) - 1, range(0, 8, header[8])
    return {byte >> step & mask for byte in found for step in steps}


def _undo_filter(kind: int, row: bytes, above: bytes) -> bytes:
    """A row of bytes as they were before PNG's filter (ISO 15948, section 9)."""
    if kind == 0:
        return row
    done = bytearray(row)
    left = corner = 0
    for at, up in enumerate(above):
        guess = (0, left, up, (left + up) // 2, _predict_paeth(left, up, corner))[kind]
        left = done[at] = (done[at] + guess) & 255
        corner = up
    return bytes(done)


def _predict_paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda near: abs(guess - near))


def _blacken_unused(palette: bytes, used: set[int]) -> bytes:
    """A table of colours in which those that no pixel has are black."""
    colours = [palette[at : at + 3] for at in range(0, len(palette) // 3 * 3, 3)]
    return b"".join(
        colour if number in used else b"\0\0\0" for number, colour in enumerate(colours)
    )


_INTERLACED = [
    (0, 0, 8, 8),
    (4, 0, 8, 8),
    (0, 4, 4, 8),
    (2, 0, 4, 4),
    (0, 2, 2, 4),
    (1, 0, 2, 2),
    (0, 1, 1, 2),
]


def _clean_gif(data: bytes) -> Iterator[bytes]:
    """Header, colour tables and frames; of the extensions only those that time frames or make them repeat."""
    at = 13 + _measure_table(data[10])
    shared = data[13:at]
    used = {data[11]}
    parts: list[bytes] = []
    while data[at] != 0x3B:
        if data[at] == 0x2C:
            start = at + 11 + _measure_table(data[at + 9])
            end = _find_end_of_blocks(data, start)
            pixels, colours = _trim_codes(_join_blocks(data, start), data[start - 1])
            own = _blacken_unused(data[at + 10 : start - 1], colours)
            used |= set() if own else colours
            parts += (data[at : at + 10], own, data[start - 1 : start], *_split_blocks(pixels))
        elif data[at] == 0x21:
            end = _find_end_of_blocks(data, at + 2)
            if data[at + 1] == 0xF9 and data[at + 2] == 4:
                parts.append(data[at : at + 7] + b"\0")
                used.add(data[at + 6])
            elif data[at + 1] == 0xFF and data[at + 2 : at + 16] == b"\x0bNETSCAPE2.0\x03\x01":
                parts.append(data[at : at + 18] + b"\0")
        else:
            raise ValueError
        at = end
    yield data[:13] + _blacken_unused(shared, used)
    yield from parts
    yield b"\x3b"


def _measure_table(flags: int) -> int:
    """Bytes of the colour table that the flags of a header announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def _find_end_of_blocks(data: bytes, at: int) -> int:
    while data[at]:
        at += data[at] + 1
    return at + 1


def _join_blocks(data: bytes, at: int) -> bytes:
    parts = []
    while data[at]:
        parts.append(data[at + 1 : at + 1 + data[at]])
        at += data[at] + 1
    return b"".join(parts)


def _split_blocks(data: bytes) -> Iterator[bytes]:
    for at in range(0, len(data), 255):
        part = data[at : at + 255]
        yield bytes([len(part)]) + part
    yield b"\0"


def _trim_codes(data: bytes, least: int) -> tuple[bytes, set[int]]:
    """Compressed pixels up to the code that ends them, and the colours they use.

    Only the widths of the codes are followed, not the pixels: a colour stands as its own code where it comes first.
    """
    if not 2 <= least <= 8:
        raise ValueError
    clear, last = 1 << least, (1 << least) + 1
    width, known = least + 1, last + 1
    fresh = True  # the first code after a clear adds nothing
    used: set[int] = set()
    at = 0
    while at + width <= 8 * len(data):
        three_bytes = int.from_bytes(data[at >> 3 : (at >> 3) + 3], "little")
        code = three_bytes >> (at & 7) & ((1 << width) - 1)
        at += width
        if code == last:
            return data[: (at + 7) >> 3], used
        if code == clear:
            width, known, fresh = least + 1, last + 1, True
            continue
        if code < clear:
            used.add(code)
        if not fresh and known < 4096:
            known += 1
            if known == 1 << width and width < 12:
                width += 1
        fresh = False
    raise ValueError


_CLEANERS: dict[bytes, Callable[[bytes], Iterator[bytes]]] = {
    _PNG: _clean_png,
    b"\xff\xd8": lambda data: iter([clean_jpeg(data)]),
    b"GIF87a": _clean_gif,
    b"GIF89a": _clean_gif,
}
