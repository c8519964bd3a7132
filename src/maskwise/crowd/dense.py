"""Ranks the people whom a document may mean, by the dense model: its embedding under each masking, beside all profiles.

The embedding of a document is a mean over its pieces. What a window says under its own mask is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.neighbours import Array, JoinedNeighbours, Neighbours, log_softmax
from maskwise.crowd.population import Profile, linearise
from maskwise.crowd.ranker import LogProbabilities, Masks
from maskwise.crowd.redact import WordPieces, read_words, redact
from maskwise.crowd.versions import choose_alike, list_versions, move_versions

if TYPE_CHECKING:
    from maskwise.crowd.biencoder import BiEncoder

_RIVALS = 512  # profiles that compete with the true one in the estimate of `screen`
_KEPT = 16  # maskings scored last that `screen` may start from
_WINDOWS = 256  # windows whose pieces are kept for `screen`

Window = tuple[int, int, WordPieces]  # the first word, the one after the last, and the pieces
Key = tuple[int, bytes]  # a window, and which of its words are masked


@dataclass(frozen=True, slots=True, eq=False)
class DocumentEmbedding:
    """The parts of which a document's embedding is the mean: one per piece, and the sum of the special pieces.

    `count` is the number of all of them.
    """

    pieces: Array
    special: Array
    count: int

    @property
    def embedding(self) -> Array:
        return np.asarray((self.pieces.sum(axis=0) + self.special) / np.float32(self.count))


class DenseRanker:
    """The model with the embeddings of a population."""

    def __init__(self, model: BiEncoder, neighbours: Neighbours) -> None:
        self.model = model
        self.neighbours = neighbours

    @property
    def name(self) -> str:
        return self.model.config.name

    def __len__(self) -> int:
        return len(self.neighbours)

    def join(self, profile: Profile, without: Sequence[int] = ()) -> DenseRanker:
        """The profile joins in several versions; see `maskwise.crowd.versions`."""
        lines = [linearise(one) for one in list_versions(profile)]
        told = self.model.embed_lines(lines)
        [likeness] = self.neighbours.compute_logits(told[:1])
        likeness[list(without)] = -np.inf
        others = self.neighbours.take(choose_alike(likeness))
        versions = move_versions(told, others)
        joined = JoinedNeighbours(self.neighbours, versions, self.model.nothing, without)
        return DenseRanker(self.model, joined)

    def read(self, words: Sequence[str], reading: DocumentReading | None = None) -> DenseScorer:
        """`reading` is what the same model has read of the words already."""
        return DenseScorer(reading or DocumentReading(self.model, words), self.neighbours)


class DocumentReading:
    """One document as the model reads it under masks, for any person.

    A long document is read in windows of whole words. A masking changes few windows, so what each window says under
    its own mask is computed once.
    """

    def __init__(
        self, model: BiEncoder, words: Sequence[str], pause: Callable[[], None] | None = None
    ) -> None:
        """With `pause`, windows are read one by one on one thread, and it is called before each."""
        self.model = model
        self._pause = pause
        self._words = len(words)
        document = read_words(model.tokenizer, words)
        self._windows = cut_windows(document, model.config.window, len(words))
        self._sums: dict[Key, tuple[Array, int]] = {}
        self._read: dict[Key, tuple[WordPieces, DocumentEmbedding]] = {}

    def embed(self, masks: Masks) -> Array:
        """One embedding per masking."""
        keys = [self._list_keys(mask) for mask in masks]
        self._read_new({key for listed in keys for key in listed})
        found = np.zeros((len(keys), self.model.config.size), dtype=np.float32)
        for row, listed in zip(found, keys, strict=True):
            parts = [self._sums[key] for key in listed]
            total = np.sum([part for part, _ in parts], axis=0)
            row[:] = total / np.float32(sum(count for _, count in parts))
        return found

    def average_without_each(
        self, mask: NDArray[np.bool_], whole: Array
    ) -> tuple[Array, NDArray[np.int64]]:
        """Per word: the mean of all pieces but its own, and the number of its own."""
        sums = np.zeros((self._words, self.model.config.size), dtype=np.float32)
        sizes = np.zeros(self._words, dtype=np.int64)
        count = 0
        for (first, _, _), key in zip(self._windows, self._list_keys(mask), strict=True):
            if key not in self._read:
                self._sums.pop(key, None)
                self._read_new([key])
            row, read = self._read[key]
            visible = row.words >= 0
            words = row.words[visible] + first
            np.add.at(sums, words, read.pieces[visible])
            sizes += np.bincount(words, minlength=self._words)
            count += read.count
        left = (count - sizes).astype(np.float32)
        means = (whole * np.float32(count) - sums) / left[:, None]
        return np.asarray(means, dtype=np.float32), sizes

    def _list_keys(self, mask: NDArray[np.bool_]) -> list[Key]:
        """The key that tells one reading of a window from another: its number, and the masks of its words."""
        parts = enumerate(self._windows)
        return [(at, mask[first:last].tobytes()) for at, (first, last, _) in parts]

    def _read_new(self, keys: Iterable[Key]) -> None:
        """Reads the windows under masks that were not asked about before."""
        new = sorted(key for key in keys if key not in self._sums)
        rows = [self._redact(key) for key in new]
        for key, row, found in zip(new, rows, self._embed(rows), strict=True):
            self._sums[key] = found.embedding * np.float32(found.count), found.count
            self._read[key] = row, found
        while len(self._read) > _WINDOWS:
            del self._read[next(iter(self._read))]

    def _embed(self, rows: Sequence[WordPieces]) -> Iterable[DocumentEmbedding]:
        if self._pause is None:
            yield from self.model.embed_documents(rows)
            return
        for row in rows:
            self._pause()
            yield from self.model.embed_documents([row])

    def _redact(self, key: Key) -> WordPieces:
        at, masked = key
        _, _, window = self._windows[at]
        mask = np.frombuffer(masked, dtype=bool)
        return redact(window, mask, self.model.tokenizer.mask_id)


class DenseScorer:
    """One document among profiles; see `maskwise.crowd.ranker.DocumentScorer`."""

    def __init__(self, reading: DocumentReading, neighbours: Neighbours) -> None:
        self.reading = reading
        self._neighbours = neighbours
        self._last: dict[bytes, Array] = {}

    def score(self, masks: Masks) -> LogProbabilities:
        found = log_softmax(self._neighbours.compute_logits(self.reading.embed(masks)))
        for mask, chances in zip(masks, found, strict=True):
            self._last[mask.tobytes()] = chances
        self._last = dict(list(self._last.items())[-_KEPT:])
        return found

    def screen(self, mask: NDArray[np.bool_], target: int) -> NDArray[np.float32]:
        """The embedding is a mean over pieces, so its rest without the pieces of a word is known, except for
        how they coloured each other. This saves one run of the model per word. The nearest profiles stand for all."""
        chances = self._last.get(mask.tobytes())
        if chances is None:
            [chances] = self.score(mask[None])
        [whole] = self.reading.embed(mask[None])
        left, sizes = self.reading.average_without_each(mask, whole)
        rivals = np.argpartition(chances, max(len(chances) - _RIVALS, 0))[-_RIVALS:]
        rivals = rivals[(rivals != target) & np.isfinite(chances[rivals])]
        leads = self._neighbours.take(rivals) - self._neighbours.take(np.array([target]))
        origin = self._neighbours.origin
        before = _compute_surprise(((whole - origin) @ leads.T)[None])
        fall = _compute_surprise((left - origin) @ leads.T) - before
        return np.where(mask | (sizes == 0), 0, fall).astype(np.float32)

    def narrow(self, profiles: NDArray[np.intp]) -> DenseScorer:
        return DenseScorer(self.reading, self._neighbours.choose(profiles))


def cut_windows(document: WordPieces, most: int, words: int) -> list[Window]:
    """Parts of about equal size with at most `most` pieces, cut between words, which each part numbers anew."""
    count = max(-(-len(document) // most), 1)
    while True:
        ideal = [len(document) * at // count for at in range(1, count)]
        cuts = [0, *(int(document.words[at]) for at in ideal), words]
        edges = np.searchsorted(document.words, cuts)
        if len(edges) < 3 or np.diff(edges).max() <= most or count >= words:
            break
        count += 1
    found = []
    for (first, last), (start, end) in zip(pairwise(cuts), pairwise(edges), strict=True):
        own = document.words[start:end] - np.int32(first)
        found.append(
            (first, last, WordPieces(document.ids[start:end], document.shapes[start:end], own))
        )
    return found


def _compute_surprise(gaps: Array) -> NDArray[np.float64]:
    """-log p of the true profile, from the lead of each rival over it."""
    wide = gaps.astype(np.float64)
    top = np.maximum(wide.max(axis=1, initial=0), 0)
    return np.asarray(top + np.log(np.exp(-top) + np.exp(wide - top[:, None]).sum(axis=1)))
