"""`Model`: a checked model folder, and what it says about documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maskwise.lm import folder
from maskwise.lm.encoder import Array, Encoded, Encoder, OnnxEncoder
from maskwise.lm.masked import MaskedLM
from maskwise.lm.pieces import Pieces
from maskwise.lm.reading import States
from maskwise.text import Document, Entity

OpenEncoder = Callable[[Path, folder.ModelConfig], Encoder]
_open_encoder: OpenEncoder | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """Probabilities of each piece of one document: of the 17 tags, of being masked, of being a direct identifier."""

    pieces: Pieces
    tags: Array
    mask: Array
    direct: Array


class Model:
    """A model ready to run. It reads its weights when they are first needed."""

    def __init__(self, path: str | Path, threads: int | None = None) -> None:
        self.path = Path(path)
        self.config = folder.read_config(path)
        self._threads = threads

    @cached_property
    def encoder(self) -> Encoder:
        if _open_encoder is not None:
            return _open_encoder(self.path, self.config)
        return OnnxEncoder(self.path, self._threads, checked=self.config)

    @cached_property
    def masked(self) -> MaskedLM:
        return MaskedLM(self.encoder)

    @property
    def has_mlm_head(self) -> bool:
        """Whether it has a masked-LM head."""
        return folder.MLM in self.config.files

    def read(
        self, documents: Sequence[Document], states: bool = False
    ) -> list[tuple[Prediction, States | None]]:
        """Returns what the model says of each document, with the encoder's states if they are asked for."""
        if not documents:
            return []
        outputs = ("tags", "mask", "direct", *(("states",) if states else ()))
        encoded = self.encoder.encode([document.text for document in documents], outputs)
        return [(self._calibrate(one), _pack_states(one) if states else None) for one in encoded]

    def _calibrate(self, encoded: Encoded) -> Prediction:
        values = encoded.values
        mask = self.config.mask(values["mask"])
        direct = self.config.direct(values["direct"])
        return Prediction(encoded.pieces, values["tags"], mask, direct)


def _pack_states(encoded: Encoded) -> States:
    return encoded.pieces, encoded.values["states"].astype(np.float16)


def load_model(name_or_path: str | Path = "small", threads: int | None = None) -> Model:
    """Loads the model of that name (bundled, or imported by the user) or in that folder, once per process."""
    path = _find_folder(str(name_or_path), str(folder.find_home()), os.getcwd())
    return _load_once(path, threads)


@lru_cache(maxsize=32)
def _find_folder(name_or_path: str, _home: str, _here: str) -> Path:
    """Looks a name up once, not once per document. Its meaning depends on the two folders."""
    return folder.find_model(name_or_path)


@lru_cache(maxsize=8)
def _load_once(path: Path, threads: int | None) -> Model:
    return Model(path, threads)


def use_encoder(open_encoder: OpenEncoder | None) -> None:
    """Lets the models of this process read by what `open_encoder` opens for each; without it, by ONNX Runtime.

    Models that have read by another encoder are loaded again.
    """
    global _open_encoder
    if open_encoder is not _open_encoder:
        _open_encoder = open_encoder
        _load_once.cache_clear()


def measure_information(
    document: Document, entities: Sequence[Entity], model: str = "small", threads: int | None = None
) -> dict[str, float]:
    """Returns -log p in nats of each entity, by its id.

    All mentions of the entity are masked at once, and the pieces of all are summed (Papadopoulou et al. 2022,
    section 3.3).
    """
    spans: list[tuple[int, int]] = []
    groups: dict[str, list[int]] = {}
    for entity in entities:
        for mention in entity.mentions:
            groups.setdefault(entity.id, []).append(len(spans))
            spans.append(mention.span)
    if not spans:
        return {}
    masked = load_model(model, threads).masked
    values = masked.measure_information(document.text, spans, list(groups.values()))
    return {owner: float(sum(values[places])) for owner, places in groups.items()}


def average_words(words: NDArray[np.int32], values: Array) -> Array:
    """Returns the mean of `values` over each run of one word number. Values may be rows."""
    if not len(words):
        return values[:0]
    first = np.flatnonzero(np.diff(words, prepend=words[0] - 1))
    counts = np.diff(first, append=len(words)).astype(np.float32)
    sums = np.add.reduceat(values, first, axis=0)
    return np.asarray(sums / counts.reshape(-1, *[1] * (values.ndim - 1)), dtype=np.float32)
