"""`Model`: a checked model folder, and what it says about documents, computed once and shared by all who ask."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import folder
from maskwise.lm.encoder import Array, OnnxEncoder
from maskwise.lm.masked import MaskedLM
from maskwise.lm.pieces import Pieces
from maskwise.text import Document


@dataclass(frozen=True, slots=True, eq=False)
class Annotation:
    """Probabilities of each piece of one document: of the 17 tags, of being masked, of being a direct identifier."""

    pieces: Pieces
    tags: Array
    mask: Array
    direct: Array

    def words(self, start: int, end: int, values: Array) -> Array:
        """Mean value of each word between two characters."""
        first, last = self.pieces.covering(start, end)
        return word_means(self.pieces.words[first:last], values[first:last])


class Model:
    """A model ready to run; weights are read when they are first needed."""

    def __init__(self, path: str | Path, threads: int | None = None) -> None:
        self.path = Path(path)
        self.config = folder.read(path)
        self._threads = threads

    @cached_property
    def encoder(self) -> OnnxEncoder:
        return OnnxEncoder(self.path, self._threads, checked=self.config)

    @cached_property
    def masked(self) -> MaskedLM:
        return MaskedLM(self.encoder)

    @property
    def guesses(self) -> bool:
        """Whether it has a masked-LM head."""
        return folder.MLM in self.config.files

    def annotate(self, documents: Sequence[Document]) -> list[Annotation]:
        """What the model says of each document. Asked again while the document lives, it answers from memory."""
        with _LOCK:
            known = [_KNOWN.get(document, {}).get(self.path) for document in documents]
        new = [document for document, annotation in zip(documents, known, strict=True) if annotation is None]
        fresh = iter(self._annotate(new))
        result = [annotation or next(fresh) for annotation in known]
        with _LOCK:
            for document, annotation in zip(documents, result, strict=True):
                _KNOWN.setdefault(document, {})[self.path] = annotation
        return result

    def pieces(self, document: Document) -> Pieces:
        """Pieces of the document: those of `annotate` where it has answered."""
        with _LOCK:
            known = _KNOWN.get(document, {}).get(self.path)
        return known.pieces if known else self.encoder.tokenizer.encode(document.text)

    def states(self, document: Document) -> tuple[Pieces, Array]:
        """Pieces of the document with the encoder's state of each.

        They come from the pass of `annotate` where `expect_states` announced the question, and are then forgotten: the
        states of a document take more memory than all the rest.
        """
        with _LOCK:
            kept = _STATES.get(document, {}).pop(self.path, None)
        if kept is None:
            encoded = self.encoder.encode([document.text], ("states",))[0]
            kept = encoded.pieces, encoded.values["states"].astype(np.float16)
        return kept[0], kept[1].astype(np.float32)

    def _annotate(self, documents: Sequence[Document]) -> list[Annotation]:
        if not documents:
            return []
        expected = ("states",) if self.path in _EXPECTED else ()
        encoded = self.encoder.encode([d.text for d in documents], ("tags", "mask", "direct", *expected))
        for document, e in zip(documents, encoded, strict=True):
            if "states" in e.values:
                with _LOCK:
                    kept = e.pieces, e.values["states"].astype(np.float16)
                    _STATES.setdefault(document, {})[self.path] = kept
        mask, direct = self.config.mask, self.config.direct
        return [
            Annotation(e.pieces, e.values["tags"], mask(e.values["mask"]), direct(e.values["direct"])) for e in encoded
        ]


_KNOWN: WeakKeyDictionary[Document, dict[Path, Annotation]] = WeakKeyDictionary()
_STATES: WeakKeyDictionary[Document, dict[Path, tuple[Pieces, NDArray[np.float16]]]] = WeakKeyDictionary()
_EXPECTED: set[Path] = set()
_LOCK = Lock()


def expect_states(name_or_path: str | Path = "small") -> None:
    """Says that somebody will ask the model for `states` after `annotate`: one pass then serves both."""
    _EXPECTED.add(folder.find(name_or_path))


def load(name_or_path: str | Path = "small", threads: int | None = None) -> Model:
    """The model of that name (bundled, or imported by the user) or in that folder; loaded once a process."""
    return _load(_find(str(name_or_path), str(folder.home()), os.getcwd()), threads)


@lru_cache(maxsize=32)
def _find(name_or_path: str, _home: str, _here: str) -> Path:
    """Looked up once, not for each document; what a name means depends on the two folders."""
    return folder.find(name_or_path)


@lru_cache(maxsize=8)
def _load(path: Path, threads: int | None) -> Model:
    return Model(path, threads)


def word_means(words: NDArray[np.int32], values: Array) -> Array:
    """Mean of `values` over runs of one word number; works on rows too."""
    if not len(words):
        return values[:0]
    first = np.flatnonzero(np.diff(words, prepend=words[0] - 1))
    counts = np.diff(first, append=len(words)).astype(np.float32)
    sums = np.add.reduceat(values, first, axis=0)
    return np.asarray(sums / counts.reshape(-1, *[1] * (values.ndim - 1)), dtype=np.float32)
