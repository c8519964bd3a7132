"""Products of document embeddings with those of all profiles.

They are exact, in chunks. Where a register is too large for that, an approximate index finds the nearest profiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import PluginError
from maskwise.lm.encoder import count_cores, run_in_threads

Array = NDArray[np.float32]
_FEW = 4  # documents for which threads would cost more than they save
_CHUNK = 16_384  # profiles of half precision that a thread widens at once


class Neighbours(Protocol):
    @property
    def origin(self) -> Array | float:
        """The part that is subtracted from an embedding before the multiplication."""
        ...

    def __len__(self) -> int: ...

    def compute_logits(self, embeddings: Array) -> Array:
        """One row per embedding, one column per profile."""
        ...

    def take(self, which: NDArray[np.intp]) -> Array:
        """Embeddings of some profiles."""
        ...

    def choose(self, which: NDArray[np.intp]) -> Neighbours:
        """Some of the profiles, in this order."""
        ...


class ExactNeighbours:
    """All products.

    Embeddings of half precision stay as they are, may lie in a file, and are widened in chunks. Others are kept with
    one row per dimension: this multiplies a few documents twice as fast.
    """

    origin: Array | float = 0.0

    def __init__(self, profiles: NDArray[Any]) -> None:
        self._half = profiles.dtype == np.float16
        self._profiles = (
            profiles if self._half else np.ascontiguousarray(profiles.T, dtype=np.float32)
        )

    def __len__(self) -> int:
        return int(self._profiles.shape[0 if self._half else 1])

    @property
    def nbytes(self) -> int:
        return self._profiles.nbytes

    def compute_logits(self, embeddings: Array) -> Array:
        if len(embeddings) <= _FEW and not self._half:
            return np.asarray(embeddings @ self._profiles)
        found = np.empty((len(embeddings), len(self)), dtype=np.float32)
        step = _CHUNK if self._half else -(-len(self) // count_cores()) or 1

        def multiply(start: int) -> None:
            part = slice(start, start + step)
            np.matmul(embeddings, self._widen(part), out=found[:, part])

        list(run_in_threads(multiply, range(0, len(self), step), count_cores()))
        return found

    def _widen(self, part: slice) -> Array:
        """Some profiles with one row per dimension."""
        if self._half:
            return np.asarray(self._profiles[part].astype(np.float32).T)
        return np.asarray(self._profiles[:, part])

    def take(self, which: NDArray[np.intp]) -> Array:
        rows = self._profiles[which] if self._half else self._profiles[:, which].T
        return np.asarray(rows, dtype=np.float32)

    def choose(self, which: NDArray[np.intp]) -> ExactNeighbours:
        return ExactNeighbours(self.take(which))


class JoinedNeighbours:
    """The profiles of a population and one more, in the last column. Those of `without` are never guessed.

    The one that joins may have several versions, one per row of `versions`: the likeliest of them counts. What a
    profile scores with `nothing`, a document of which all is masked, is taken off: a profile that a document tells is
    shorter than others, and a model likes short profiles whatever the document says.
    """

    def __init__(
        self, base: Neighbours, versions: Array, nothing: Array, without: Sequence[int] = ()
    ) -> None:
        self._base = base
        self._versions = versions
        self.origin: Array | float = nothing
        self._without = list(without)

    def __len__(self) -> int:
        return len(self._base) + 1

    def compute_logits(self, embeddings: Array) -> Array:
        told = np.asarray(embeddings - self.origin, dtype=np.float32)
        known = self._base.compute_logits(told)
        known[:, self._without] = -np.inf
        own = (told @ self._versions.T).max(axis=1, keepdims=True)
        return np.concatenate([known, own], axis=1)

    def take(self, which: NDArray[np.intp]) -> Array:
        last = len(self._base)
        found = self._base.take(np.minimum(which, last - 1))
        found[which == last] = self._versions[0]
        return found

    def choose(self, which: NDArray[np.intp]) -> JoinedNeighbours:
        """Some of the profiles, and the one that joined, which `which` names last."""
        chosen = ExactNeighbours(self._base.take(which[:-1]))
        return JoinedNeighbours(chosen, self._versions, np.asarray(self.origin))


class ApproximateNeighbours(ExactNeighbours):
    """Products with the nearest profiles that an HNSW index finds. All others count as far as the last of these."""

    def __init__(self, profiles: NDArray[Any], nearest: int = 1024, threads: int = 0) -> None:
        try:
            from usearch.index import Index
        except ImportError:
            raise PluginError(
                'an approximate index needs usearch: pip install "maskwise[ann]"'
            ) from None
        super().__init__(profiles)
        self._nearest = min(nearest, len(profiles))
        self._index = Index(ndim=profiles.shape[1], metric="ip", dtype="f16")
        self._index.add(
            np.arange(len(profiles)), np.asarray(profiles, dtype=np.float32), threads=threads
        )

    def compute_logits(self, embeddings: Array) -> Array:
        found = np.empty((len(embeddings), len(self)), dtype=np.float32)
        for row, embedding in zip(found, embeddings, strict=True):
            nearest = self._index.search(embedding, self._nearest)
            keys = np.asarray(nearest.keys, dtype=np.intp)
            values = self.take(keys) @ embedding
            row[:] = values.min()
            row[keys] = values
        return found


def log_softmax(logits: Array) -> Array:
    """Normalises log-probabilities in place, row by row."""
    for row in logits:
        row -= row.max()
        row -= np.log(np.exp(row).sum(dtype=np.float64))
    return logits
