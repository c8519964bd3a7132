"""`Reading`: the models' outputs for one batch of documents, computed once and shared by detectors and indicators.

The line makes one per batch and attaches it to the documents of the batch, so it lives as long as they do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from maskwise.lm.encoder import Array
from maskwise.lm.pieces import Pieces
from maskwise.text import Document

if TYPE_CHECKING:
    from maskwise.lm.model import Model, Prediction

T = TypeVar("T")
States = tuple[Pieces, NDArray[np.float16]]


class Reading:
    """Remembers, per document and model: annotations, encoder states, and what an indicator computed from them.

    With `states`, the pass that annotates a document also keeps the encoder's states, for an indicator that needs them.
    """

    def __init__(self, states: bool = False) -> None:
        self._keeps_states = states
        self._known: WeakKeyDictionary[Document, dict[Hashable, Any]] = WeakKeyDictionary()
        self._lock = Lock()

    @classmethod
    def find(cls, document: Document) -> Reading:
        """Returns the reading of the document's batch, or a new one for a document outside of the line."""
        return document.reading if isinstance(document.reading, Reading) else cls()

    def annotate(self, model: Model, documents: Sequence[Document]) -> list[Prediction]:
        """Returns the model's prediction for each document. The model reads only documents it has not read yet."""
        key = ("annotation", model.path)
        known = {id(document): self._recall(document, key) for document in documents}
        new = [document for document in documents if known[id(document)] is None]
        found = model.read(new, self._keeps_states)
        for document, (prediction, states) in zip(new, found, strict=True):
            known[id(document)] = prediction
            self._store(document, key, prediction)
            if states is not None:
                self._store(document, ("states", model.path), states)
        return [known[id(document)] for document in documents]

    def find_pieces(self, model: Model, document: Document) -> Pieces:
        """Returns the pieces of a document, from its prediction if there is one."""
        known: Prediction | None = self._recall(document, ("annotation", model.path))
        return known.pieces if known else model.encoder.tokenizer.encode(document.text)

    def take_states(self, model: Model, document: Document) -> tuple[Pieces, Array]:
        """Returns the pieces of a document and the encoder's state of each, and forgets them: they are large."""
        with self._lock:
            found: States | None = self._known.get(document, {}).pop(("states", model.path), None)
        if found is None:
            encoded = model.encoder.encode([document.text], ("states",))[0]
            found = encoded.pieces, encoded.values["states"].astype(np.float16)
        pieces, states = found
        return pieces, states.astype(np.float32)

    def remember(self, document: Document, key: Hashable, compute: Callable[[], T]) -> T:
        """Returns what was computed for this key before, or what `compute` returns now."""
        known: T | None = self._recall(document, key)
        if known is None:
            known = compute()
            self._store(document, key, known)
        return known

    def forget(self, document: Document) -> None:
        """Forgets what is known of a document. A long document keeps its results, and these hold on to it."""
        with self._lock:
            self._known.pop(document, None)

    def _recall(self, document: Document, key: Hashable) -> Any:
        with self._lock:
            return self._known.get(document, {}).get(key)

    def _store(self, document: Document, key: Hashable, value: object) -> None:
        with self._lock:
            self._known.setdefault(document, {})[key] = value
