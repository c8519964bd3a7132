"""Leak reader of plain text and Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from maskwise.io.leaks.piece import Piece, read_text


class PlainLeaks:
    """Lines of the bytes, without a guess at their encoding."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        for at, line in enumerate(read_text(raw).splitlines(), 1):
            yield Piece(f"line {at}", line)
