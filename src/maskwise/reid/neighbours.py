"""Products of document embeddings with those of all profiles: exact in chunks, or with the nearest ones alone, by an
approximate index, where a register is too large for that."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import PluginError

Array = NDArray[np.float32]
_CHUNK = 65_536  # profiles a product: a chunk of half precision is widened, so this bounds memory


class Neighbours(Protocol):
    def __len__(self) -> int: ...

    def logits(self, embeddings: Array) -> Array:
        """One row an embedding, one column a profile."""
        ...

    def take(self, which: NDArray[np.intp]) -> Array:
        """Embeddings of some profiles."""
        ...


class Exact:
    """All products. Embeddings may be of half precision, and may lie in a file."""

    def __init__(self, profiles: NDArray[Any]) -> None:
        self._profiles = profiles

    def __len__(self) -> int:
        return len(self._profiles)

    def logits(self, embeddings: Array) -> Array:
        found = np.empty((len(embeddings), len(self)), dtype=np.float32)
        for start in range(0, len(self), _CHUNK):
            part = self._profiles[start : start + _CHUNK]
            np.matmul(embeddings, part.astype(np.float32, copy=False).T, out=found[:, start : start + len(part)])
        return found

    def take(self, which: NDArray[np.intp]) -> Array:
        return np.asarray(self._profiles[which], dtype=np.float32)


class Approximate(Exact):
    """Products with the nearest profiles that an HNSW index finds; all others count as far as the last of them."""

    def __init__(self, profiles: NDArray[Any], nearest: int = 1024, threads: int = 0) -> None:
        try:
            from usearch.index import Index
        except ImportError:
            raise PluginError('an approximate index needs usearch: pip install "maskwise[ann]"') from None
        super().__init__(profiles)
        self._nearest = min(nearest, len(profiles))
        self._index = Index(ndim=profiles.shape[1], metric="ip", dtype="f16")
        self._index.add(np.arange(len(profiles)), np.asarray(profiles, dtype=np.float32), threads=threads)

    def logits(self, embeddings: Array) -> Array:
        found = np.empty((len(embeddings), len(self)), dtype=np.float32)
        for row, embedding in zip(found, embeddings, strict=True):
            keys = np.asarray(self._index.search(embedding, self._nearest).keys, dtype=np.intp)
            values = self.take(keys) @ embedding
            row[:] = values.min()
            row[keys] = values
        return found


def log_softmax(logits: Array) -> Array:
    """In place, row by row."""
    for row in logits:
        row -= row.max()
        row -= np.log(np.exp(row).sum(dtype=np.float64))
    return logits
