"""A document as word pieces that are masked word by word: a run of masked words, however long, reads as one mask.

Punctuation is left out: what stands between two masks is a clue, and what stands elsewhere says little of a person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maskwise.lm.pieces import PieceTokenizer, Shape


@dataclass(frozen=True, slots=True, eq=False)
class WordPieces:
    """Pieces with the number of the word each belongs to; -1 is a mask."""

    ids: NDArray[np.int32]
    shapes: NDArray[np.uint8]
    words: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)


def read_words(tokenizer: PieceTokenizer, words: Sequence[str]) -> WordPieces:
    """The pieces of `words`, without punctuation; a word of punctuation alone has none."""
    pieces = tokenizer.encode(" ".join(words))
    starts = np.cumsum([0, *(len(word) + 1 for word in words)])
    of = np.searchsorted(starts, pieces.starts, side="right") - 1
    kept = pieces.shapes != Shape.OTHER
    return WordPieces(pieces.ids[kept], pieces.shapes[kept], of[kept].astype(np.int32))


def redact(document: WordPieces, mask: NDArray[np.bool_], mask_id: int) -> WordPieces:
    """The document with the words of `mask` hidden."""
    hidden = mask[document.words]
    first = hidden & ~np.concatenate([[False], hidden[:-1]])
    kept = ~hidden | first
    gap = hidden[kept]
    return WordPieces(
        np.where(gap, mask_id, document.ids[kept]).astype(np.int32),
        np.where(gap, 0, document.shapes[kept]).astype(np.uint8),
        np.where(gap, -1, document.words[kept]).astype(np.int32),
    )
