"""Calibration: maps probabilities to frequencies, so that .5 means .5 (temperature, Guo et al. 2017; isotonic)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.errors import BundleError
from maskwise.text import EntityType


@dataclass(frozen=True, slots=True)
class Calibration:
    """Maps a probability to a probability: a temperature and shift of the logit, then a rising line through `knots`."""

    temperature: float = 1.0
    shift: float = 0.0
    knots: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        x = [k[0] for k in self.knots]
        y = [k[1] for k in self.knots]
        rising = x == sorted(set(x)) and y == sorted(y) and all(0 <= value <= 1 for value in x + y)
        if not self.temperature > 0 or not rising:
            raise BundleError(
                "calibration: the temperature must be positive and the knots must rise within 0..1"
            )

    @classmethod
    def parse(cls, raw: Mapping[str, Any]) -> Calibration:
        knots: Sequence[Sequence[float]] = raw.get("knots", ())
        return cls(
            float(raw.get("temperature", 1.0)),
            float(raw.get("shift", 0.0)),
            tuple((float(x), float(y)) for x, y in knots),
        )

    def __call__(self, probability: NDArray[np.float32]) -> NDArray[np.float32]:
        result: NDArray[Any] = probability
        if (self.temperature, self.shift) != (1.0, 0.0):
            result = 1 / (1 + np.exp(-(compute_logit(result) / self.temperature + self.shift)))
        if self.knots:
            result = np.interp(result, [x for x, _ in self.knots], [y for _, y in self.knots])
        return np.asarray(result, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Match:
    """Shifts an entity's logit before it is compared, for one way of matching words with entities.

    The shift of its type in `types` is added. `words` times the logarithm of the number of words in a mention is
    subtracted, because the highest of many words is high by chance alone.
    """

    types: Mapping[EntityType, float] = field(default_factory=dict)
    words: float = 0.0

    @classmethod
    def parse(cls, raw: Mapping[str, Any]) -> Match:
        types = {EntityType(kind): float(shift) for kind, shift in raw.get("types", {}).items()}
        return cls(MappingProxyType(types), float(raw.get("words", 0.0)))

    def __call__(
        self,
        probability: NDArray[np.float32],
        types: Sequence[EntityType],
        words: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        by_type = np.array([self.types.get(kind, 0.0) for kind in types])
        shift = by_type - self.words * np.log(words)
        moved = 1 / (1 + np.exp(-(compute_logit(probability) + shift)))
        return np.where(shift == 0, probability, moved).astype(np.float32)


def compute_logit(probability: NDArray[Any], edge: float = 1e-9) -> NDArray[np.float64]:
    """Returns log-odds. Probabilities nearer to 0 or 1 than `edge` count as if they were `edge` away."""
    inside = np.clip(probability.astype(np.float64), edge, 1 - edge)
    return np.asarray(np.log(inside / (1 - inside)))
