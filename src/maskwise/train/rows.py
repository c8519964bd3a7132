"""Documents and profiles as padded tensors on the device, and how their words are hidden there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from maskwise.lm.pieces import PieceTokenizer, Shape
from maskwise.train.people import NAMED, SHARED, STARTS

Masking = Callable[["Rows", torch.Generator], Tensor]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """One text per row, between the special pieces.

    `words` numbers the word of each piece, with 0 for special pieces. `marks` has the bits of `PeopleArrays.marks`.
    `real` says which pieces are no padding.
    """

    ids: Tensor
    shapes: Tensor
    words: Tensor
    marks: Tensor
    real: Tensor

    @classmethod
    def build(
        cls,
        ids: NDArray[np.int32],
        marks: NDArray[np.uint8],
        bounds: NDArray[np.int64],
        tokenizer: PieceTokenizer,
        longest: int,
        device: torch.device,
    ) -> Rows:
        """Builds rows of up to `longest` pieces. Longer texts are cut, in training only."""
        lengths = np.minimum(np.diff(bounds), longest)
        width = int(lengths.max(initial=0)) + 2
        place = np.arange(width)[None, :]
        inside = (place > 0) & (place <= lengths[:, None])
        at = np.minimum(bounds[:-1, None] + place - 1, max(len(ids) - 1, 0))[inside]
        table = np.full((len(lengths), width), tokenizer.pad_id, dtype=np.int32)
        flags = np.zeros(table.shape, dtype=np.uint8)
        table[inside], flags[inside] = ids[at], marks[at]
        table[:, 0] = tokenizer.cls_id
        table[np.arange(len(lengths)), lengths + 1] = tokenizer.sep_id
        words = np.cumsum((flags & STARTS) > 0, axis=1, dtype=np.int16) * inside
        arrays = (table, flags & 7, words, flags, place < lengths[:, None] + 2)
        return cls(*(torch.as_tensor(array, device=device) for array in arrays))

    def take(self, which: Tensor) -> Rows:
        """Returns some rows, as wide as the longest of them."""
        width = int(self.real[which].sum(1).max())
        part = Rows(*(getattr(self, field.name)[which, :width] for field in fields(self)))
        return Rows(part.ids.long(), part.shapes.long(), part.words.long(), part.marks, part.real)


def hide_pieces(rows: Rows, hidden: Tensor, mask_id: int) -> Rows:
    """Replaces each run of pieces in `hidden` by one mask."""
    before = torch.cat([torch.zeros_like(hidden[:, :1]), hidden[:, :-1]], dim=1)
    kept = rows.real & ~(hidden & before)
    order = (~kept).int().argsort(dim=1, stable=True)
    width = int(kept.sum(1).max())

    def pack(values: Tensor) -> Tensor:
        return values.gather(1, order)[:, :width]

    ids = torch.where(hidden, mask_id, rows.ids)
    shapes = torch.where(hidden, 0, rows.shapes)
    return Rows(pack(ids), pack(shapes), pack(rows.words), pack(rows.marks), pack(kept))


def _spread_words(rows: Rows, values: Tensor) -> Tensor:
    """Gives the value of each word to its pieces."""
    return values.gather(1, rows.words)


def _draw_by_word(rows: Rows, random: torch.Generator) -> Tensor:
    """Draws a number from 0 to 1 for each word, the same for all its pieces."""
    size = (len(rows.ids), rows.ids.shape[1] + 1)
    return _spread_words(rows, torch.rand(size, generator=random, device=rows.ids.device))


def draw_hidden(rows: Rows, random: torch.Generator, targeted: float) -> Tensor:
    """Hides words at a rate drawn uniformly for each document.

    In a share `targeted` of the documents, telling words (in the profile, capitalised or numbers) are hidden at a
    second, higher rate, as real masks hide them.
    """
    device = rows.ids.device
    inside = rows.words > 0

    def draw_column() -> Tensor:
        return torch.rand(len(rows.ids), 1, generator=random, device=device)

    rate = draw_column()
    aimed = draw_column()
    high = draw_column()
    kind = draw_column()
    shared = (rows.marks & SHARED) > 0
    telling = (shared & (kind < 0.7)) | (find_capitals(rows) & (kind > 0.4))
    aimed_rate = torch.where(telling, 1 - 0.5 * high**2, rate * 0.6)
    rate = torch.where(aimed < targeted, aimed_rate, rate)
    return inside & (_draw_by_word(rows, random) < rate)


def find_capitals(rows: Rows) -> Tensor:
    """Marks the words that begin with a capital letter or have digits."""
    begins = (rows.marks & STARTS) > 0
    shapes = rows.shapes
    is_capital = (shapes == Shape.TITLE) | (shapes == Shape.UPPER)
    has_digits = (shapes == Shape.DIGITS) | (shapes == Shape.MIXED)
    telling = is_capital | has_digits
    count, length = rows.ids.shape
    marked = torch.zeros(count, length + 1, dtype=torch.int64, device=rows.ids.device)
    marked.scatter_add_(1, rows.words, (telling & begins).long())
    return (_spread_words(rows, marked) > 0) & (rows.words > 0)


def _make_random_masking(rate: float) -> Masking:
    return lambda rows, random: (rows.words > 0) & (_draw_by_word(rows, random) < rate)


def _make_bit_masking(bit: int) -> Masking:
    return lambda rows, random: (rows.words > 0) & ((rows.marks & bit) > 0)


CLEAR: dict[str, Masking] = {"clear": _make_random_masking(0.0)}
RATES: dict[str, Masking] = {
    **CLEAR,
    "half": _make_random_masking(0.5),
    "lexical": _make_bit_masking(SHARED),
    "capital": lambda rows, _: find_capitals(rows),
}
ALL: dict[str, Masking] = {
    **CLEAR,
    "quarter": _make_random_masking(0.25),
    "half": _make_random_masking(0.5),
    "three_quarters": _make_random_masking(0.75),
    "named": _make_bit_masking(NAMED),
    "lexical": _make_bit_masking(SHARED),
    "named_lexical": _make_bit_masking(SHARED | NAMED),
}
