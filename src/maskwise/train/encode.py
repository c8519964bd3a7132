"""Encodes texts as flat arrays of word pieces, on all cores. It needs no PyTorch, so worker processes start fast."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maskwise.lm.pieces import Pieces, PieceTokenizer

START = 8  # bit of `marks` that says a word begins; the lower three bits are the shape
_BATCH = 64
_tokenizer: PieceTokenizer | None = None


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTexts:
    """Documents one after the other: piece `ids`, `marks` (shape and word start), and `bounds` of each document."""

    ids: NDArray[np.uint16] | NDArray[np.int32]
    marks: NDArray[np.uint8]
    bounds: NDArray[np.int64]


def encode_texts(
    texts: Iterable[str], tokenizer: str | Path, *, workers: int | None = None
) -> EncodedTexts:
    """Encodes all texts, in their order. `workers` defaults to the number of cores; 1 stays in this process."""
    workers = workers or os.cpu_count() or 1
    batches = _split_batches(texts)
    if workers == 1:
        _load_tokenizer(str(tokenizer))
        encoded = map(_encode_batch, batches)
        return join_texts(list(chain.from_iterable(encoded)))
    # Spawned, not forked: the parent may hold a GPU and threads.
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers, _load_tokenizer, (str(tokenizer),)) as pool:
        parts = pool.imap(_encode_batch, batches)
        return join_texts(list(chain.from_iterable(parts)))


def mark_pieces(pieces: Pieces) -> NDArray[np.uint8]:
    """Returns the shape of each piece, and the bit `START` where a word begins."""
    begins = np.diff(pieces.words, prepend=-1) != 0
    return np.asarray(pieces.shapes | (begins * START).astype(np.uint8), dtype=np.uint8)


def join_texts(parts: list[tuple[NDArray[np.uint16], NDArray[np.uint8]]]) -> EncodedTexts:
    """Joins documents that were encoded apart."""
    bounds = np.concatenate([[0], np.cumsum([len(ids) for ids, _ in parts])]).astype(np.int64)
    if not parts:
        return EncodedTexts(np.zeros(0, np.uint16), np.zeros(0, np.uint8), bounds)
    ids = np.concatenate([ids for ids, _ in parts])
    marks = np.concatenate([marks for _, marks in parts])
    return EncodedTexts(ids, marks, bounds)


def _load_tokenizer(tokenizer: str) -> None:
    global _tokenizer
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    _tokenizer = PieceTokenizer.load(tokenizer)


def _split_batches(texts: Iterable[str]) -> Iterator[list[str]]:
    stream = iter(texts)
    while batch := list(islice(stream, _BATCH)):
        yield batch


def _encode_batch(texts: list[str]) -> list[tuple[NDArray[np.uint16], NDArray[np.uint8]]]:
    assert _tokenizer is not None
    kind = np.uint16 if _tokenizer.vocab_size <= 2**16 else np.int32
    encoded = [_tokenizer.encode(text) for text in texts]
    return [(pieces.ids.astype(kind), mark_pieces(pieces)) for pieces in encoded]
