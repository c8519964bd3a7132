"""Every string of a file, by the leak reader of its ending and from its bytes as they are."""

from __future__ import annotations

from collections.abc import Iterator

from maskwise import plugins
from maskwise.io.leaks.piece import LeakReader, Piece


def pieces(raw: bytes, suffix: str) -> Iterator[Piece]:
    """Every string of a file: what the leak reader of its ending finds, and its bytes as they are."""
    name = suffix.lstrip(".").lower()
    if name in plugins.available("leak_readers"):
        reader: LeakReader = plugins.build("leak_readers", name)
        yield from reader.pieces(raw)
    yield Piece("bytes", raw.decode("utf-8", "replace"), markup=True)
    if b"\0" in raw:
        yield Piece("bytes", raw.decode("utf-16-le", "replace"), markup=True)
        yield Piece("bytes", raw[1:].decode("utf-16-le", "replace"), markup=True)
