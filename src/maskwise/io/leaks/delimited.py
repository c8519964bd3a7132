"""Leak reader of CSV and TSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from maskwise.io.leaks.piece import Piece, read_text

DELIMITERS = ",;\t|"


class DelimitedLeaks:
    """Cells as the standard library reads them under each delimiter, row by row; the lines where it cannot."""

    def list_pieces(self, raw: bytes) -> Iterator[Piece]:
        text = read_text(raw)
        for delimiter in filter(text.__contains__, DELIMITERS):
            rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter)
            try:
                for number, row in enumerate(rows, 1):
                    yield Piece(f"row {number}", "\n".join(row))
            except csv.Error:
                for number, line in enumerate(text.splitlines(), 1):
                    yield Piece(f"line {number}", line)
