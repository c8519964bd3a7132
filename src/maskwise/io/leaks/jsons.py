"""Leak reader of JSON and JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from maskwise.io.leaks.piece import Piece, read_text


class JsonLeaks:
    """Keys and values as the standard library reads them; the bytes line by line where it cannot."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        text = read_text(raw).lstrip("\ufeff")
        try:
            yield from _walk_values(json.loads(text), "value")
            return
        except ValueError:
            lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            try:
                yield from _walk_values(json.loads(line), f"line {number}")
            except ValueError:
                yield Piece(f"line {number}", line)


def _walk_values(root: Any, place: str) -> Iterator[Piece]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            yield from (Piece("key", key) for key in node)
            waiting += node.values()
        elif isinstance(node, list):
            waiting += node
        elif node is not None:
            yield Piece(place, str(node))
