"""Leak reader of CSV and TSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from maskwise.io.leaks.piece import Piece, read_text

DELIMITERS = ",;\t|"


class DelimitedLeaks:
    """Cells as the standard library reads them under each delimiter; the lines where it cannot."""

    def pieces(self, raw: bytes) -> Iterator[Piece]:
        text = read_text(raw)
        for delimiter in DELIMITERS:
            try:
                for number, row in enumerate(csv.reader(StringIO(text, newline=""), delimiter=delimiter), 1):
                    yield from (Piece(f"row {number}", cell) for cell in row)
            except csv.Error:
                yield from (Piece(f"line {at}", line) for at, line in enumerate(text.splitlines(), 1))
