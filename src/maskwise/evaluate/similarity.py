"""How near a replacement comes to what it stands for, by the vectors of an encoder: the opt-in credit of TPI.

After the idea of crediting generalisations by semantic similarity instead of counting every replacement as nothing.
The vector of a phrase is the mean of its pieces' states. Such vectors share a large common direction, so the mean over
a list of unrelated phrases is taken off before the cosine. A rough measure: with the embedded model a sister term
("Oslo", "Bergen") comes nearer than a broader one ("Oslo", "a city in Norway").
"""

from __future__ import annotations

import numpy as np

from maskwise.evaluate.tab import Floats
from maskwise.lm.encoder import Encoder

REFERENCE = (
    "a city in the north",
    "John Smith",
    "12 March 1987",
    "a large company",
    "the village school",
    "an engineer",
    "two thousand euros",
    "the European Union",
    "a broken leg",
    "her younger brother",
    "the football club",
    "a Spanish novel",
    "in the spring",
    "case 441",
    "the ministry",
    "a car accident",
)


class Similarity:
    """Similarity of two phrases from 0 (unrelated) to 1 (the same), by an encoder's states."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, Floats] = {}
        self._centre = np.mean([self._raw(phrase) for phrase in REFERENCE], axis=0)

    def __call__(self, original: str, replacement: str) -> float:
        if original.casefold() == replacement.casefold():
            return 1.0
        a, b = (self._raw(phrase) - self._centre for phrase in (original, replacement))
        norm = float(np.linalg.norm(a) * np.linalg.norm(b))
        return max(0.0, float(a @ b) / norm) if norm else 0.0

    def _raw(self, phrase: str) -> Floats:
        if phrase not in self._vectors:
            states = self._encoder.encode([phrase])[0].values["states"]
            self._vectors[phrase] = (states.mean(axis=0) if len(states) else np.zeros(states.shape[1])).astype(float)
        return self._vectors[phrase]
