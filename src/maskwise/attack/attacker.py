"""`Attacker` learns whom the background texts are about, then scores every such person for an anonymised text.

The setting is the text re-identification attack (TRIA, Manzanares-Salor et al.): the attacker knows identified
background documents, one person each, and wants the person behind a masked document.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Scorer = Callable[[Sequence[str]], Scores]


@dataclass(frozen=True, slots=True)
class Background:
    """The knowledge of the attacker: one text per person, and for trained attackers also what was made of these texts.

    `masked` are the same texts anonymised (BD'). `trial` are masked texts with their person: they say when to stop
    training.
    """

    texts: tuple[str, ...] = field(repr=False)
    masked: tuple[str, ...] = field(default=(), repr=False)
    trial: tuple[tuple[int, str], ...] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.texts)


class Attacker(Protocol):
    """One way to attack. The scorer gives one row per text and one column per person; the highest is the guess.

    A `trained` attacker reads `masked` and `trial` and is fitted once. The others are fitted per use.
    """

    @property
    def name(self) -> str: ...

    @property
    def trained(self) -> bool: ...

    def fit(self, background: Background, seed: int = 0) -> Scorer: ...


def standardise_scores(scores: Scores) -> Scores:
    """Returns each row with mean 0 and deviation 1, so that attackers can be added. A row of equals becomes 0."""
    spread = scores.std(axis=1, keepdims=True)
    centred = scores - scores.mean(axis=1, keepdims=True)
    return np.asarray(np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 1e-12))


def fuse_scores(parts: Sequence[Scores]) -> Scores:
    """Returns the sum of standardised scores: what attackers who work together would guess."""
    return np.asarray(np.sum([standardise_scores(part) for part in parts], axis=0))
