"""Texts as word pieces: ids, code-point offsets, words and letter shapes, for texts of any length.

The base vocabularies are lower-case, so the model gets the shape of each piece (digits, UPPER, Title...) with its id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from maskwise.errors import BundleError

CHUNK = 100_000  # characters per call of the tokenizer: its memory does not grow with the text
_LONGEST = 10 * CHUNK  # a longer run without a space is cut
_CUT = re.compile(r"(?<=\S)[ \n]")
_SURROGATES = re.compile("[\ud800-\udfff]")


class Shape(IntEnum):
    """How the characters of a piece look in the original text."""

    NONE = 0  # padding and special pieces
    DIGITS = 1
    MIXED = 2  # digits and letters
    LOWER = 3
    UPPER = 4
    TITLE = 5  # first letter upper, rest lower
    LETTERS = 6  # letters without case, or in mixed case
    OTHER = 7  # punctuation and symbols


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The pieces of one text, without special ones: five arrays of one length.

    `starts` and `ends` are code points of the original text. `words` numbers the words (runs between white space and
    punctuation), so that pieces of one word share a number. `shapes` holds `Shape` values.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    words: NDArray[np.int32]
    shapes: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, at: slice) -> Pieces:
        return Pieces(self.ids[at], self.starts[at], self.ends[at], self.words[at], self.shapes[at])

    def find_covering(self, start: int, end: int) -> tuple[int, int]:
        """Returns the range of pieces that share a character with `[start, end)`; empty if none does."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left"))
        return first, max(first, last)


class PieceTokenizer:
    """A `tokenizer.json` that reads whole texts and treats everything in them, "[MASK]" too, as plain text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        tokenizer.no_truncation()
        tokenizer.no_padding()
        tokenizer.encode_special_tokens = True
        self._tokenizer = tokenizer
        self.vocab_size: int = tokenizer.get_vocab_size(with_added_tokens=True)
        self.cls_id = self._find_special("[CLS]", "<s>")
        self.sep_id = self._find_special("[SEP]", "</s>")
        self.pad_id = self._find_special("[PAD]", "<pad>")
        self.mask_id = self._find_special("[MASK]", "<mask>")

    @classmethod
    def load(cls, folder: str | Path) -> PieceTokenizer:
        path = Path(folder) / "tokenizer.json"
        try:
            return cls(Tokenizer.from_file(str(path)))
        except BundleError:
            raise
        except Exception as error:
            raise BundleError(
                f"{path}: not a readable tokenizer file; put the model's tokenizer.json there"
            ) from error

    def encode(self, text: str) -> Pieces:
        """Returns all pieces of `text`. A lone surrogate reads as U+FFFD."""
        if not text.isascii():
            text = _SURROGATES.sub("\ufffd", text)
        parts = [self._encode_chunk(text[start:end], start) for start, end in _cut_chunks(text)]
        return _concatenate_pieces(parts)

    def _encode_chunk(self, text: str, offset: int) -> Pieces:
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        spans = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2)
        return Pieces(
            ids=np.array(encoding.ids, dtype=np.int32),
            starts=spans[:, 0] + np.int32(offset),
            ends=spans[:, 1] + np.int32(offset),
            words=np.array(encoding.word_ids, dtype=np.int32),
            shapes=classify_shapes(text, spans[:, 0], spans[:, 1]),
        )

    def _find_special(self, *names: str) -> int:
        for name in names:
            id: int | None = self._tokenizer.token_to_id(name)
            if id is not None:
                return id
        raise BundleError(
            f"tokenizer: no special piece {' or '.join(names)}; use the tokenizer of a masked language model"
        )


def classify_shapes(
    text: str, starts: NDArray[np.int32], ends: NDArray[np.int32]
) -> NDArray[np.uint8]:
    """Returns the `Shape` of each span of `text`, by prefix sums over classes of characters."""
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    table = np.zeros(int(codes.max(initial=0)) + 1, dtype=np.uint8)
    for character in set(text):
        table[ord(character)] = _classify_character(character)
    kinds = table[codes]

    def count(kind: int) -> NDArray[np.int32]:
        sums = np.concatenate([[0], np.cumsum(kinds == kind, dtype=np.int32)])
        return np.asarray(sums[ends] - sums[starts], dtype=np.int32)

    digits, lower, upper, other = (count(kind) for kind in (_DIGIT, _LOWER, _UPPER, _CASELESS))
    letters = lower + upper + other
    first = np.concatenate([kinds, [0]])[starts]
    return np.select(
        [
            (digits > 0) & (letters == 0),
            digits > 0,
            letters == 0,
            letters == lower,
            letters == upper,
            (upper == 1) & (other == 0) & (first == _UPPER),
        ],
        [Shape.DIGITS, Shape.MIXED, Shape.OTHER, Shape.LOWER, Shape.UPPER, Shape.TITLE],
        Shape.LETTERS,
    ).astype(np.uint8)


_DIGIT, _LOWER, _UPPER, _CASELESS = 1, 2, 3, 4


@lru_cache(maxsize=4096)
def _classify_character(character: str) -> int:
    if character.isdigit():
        return _DIGIT
    if character.islower():
        return _LOWER
    if character.isupper() or character.istitle():
        return _UPPER
    return _CASELESS if character.isalpha() else 0


def _cut_chunks(text: str) -> Iterator[tuple[int, int]]:
    """Yields parts of about `CHUNK` characters. Each ends before a space, so that no word is cut."""
    start = 0
    while len(text) - start > CHUNK:
        cut = _CUT.search(text, start + CHUNK, start + _LONGEST)
        end = cut.start() if cut else min(start + _LONGEST, len(text))
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)


def _concatenate_pieces(parts: Sequence[Pieces]) -> Pieces:
    if len(parts) == 1:
        return parts[0]
    words, before = [], 0
    for part in parts:
        words.append(part.words + np.int32(before))
        before = int(words[-1][-1]) + 1 if len(part) else before
    none = np.zeros(0, dtype=np.int32)
    return Pieces(
        ids=np.concatenate([none, *(part.ids for part in parts)]),
        starts=np.concatenate([none, *(part.starts for part in parts)]),
        ends=np.concatenate([none, *(part.ends for part in parts)]),
        words=np.concatenate([none, *words]),
        shapes=np.concatenate([none.astype(np.uint8), *(part.shapes for part in parts)]),
    )
