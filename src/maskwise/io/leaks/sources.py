"""Every string of a file, by the leak reader of its ending and from its bytes as they are."""

from __future__ import annotations

from collections.abc import Iterator

from maskwise import plugins
from maskwise.io.leaks.decoding import Decoder, drop_members
from maskwise.io.leaks.piece import LeakReader, Piece


def read_pieces(raw: bytes, suffix: str) -> Iterator[Piece]:
    """Every string of a file: what the leak reader of its ending finds, and its bytes as they are."""
    name = suffix.lstrip(".").lower()
    known = name in plugins.list_available("leak_readers")
    if known:
        reader: LeakReader = plugins.build_part("leak_readers", name)
        yield from reader.list_pieces(raw)
    # The leak reader of a package has opened its parts.
    yield from read_byte_pieces("bytes", drop_members(raw) if known else raw)


def read_byte_pieces(place: str, raw: bytes) -> Iterator[Piece]:
    """The strings in bytes of an unknown kind, and in what is packed in them."""
    for view in Decoder().open_bytes(raw):
        yield Piece(place, view.text, markup=True, binary=view.binary)
