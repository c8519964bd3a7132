"""A document as word pieces that are masked word by word: a run of masked words, however long, reads as one mask.

Punctuation is left out: between two masks it is a clue, and elsewhere it says little about a person.
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
    owners = np.searchsorted(starts, pieces.starts, side="right") - 1
    is_word = pieces.shapes != Shape.OTHER
    return WordPieces(pieces.ids[is_word], pieces.shapes[is_word], owners[is_word].astype(np.int32))


def redact(document: WordPieces, mask: NDArray[np.bool_], mask_id: int) -> WordPieces:
    """The document with the words of `mask` masked."""
    masked = mask[document.words]
    follows_mask = np.concatenate([[False], masked[:-1]])
    left = ~masked | ~follows_mask
    is_mask = masked[left]
    return WordPieces(
        np.where(is_mask, mask_id, document.ids[left]).astype(np.int32),
        np.where(is_mask, 0, document.shapes[left]).astype(np.uint8),
        np.where(is_mask, -1, document.words[left]).astype(np.int32),
    )
