"""Systems that were scored: a file of masks against annotators, or a shipped policy over a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from maskwise.evaluate.tab import Floats, Score
from maskwise.text.masks import Masks


@dataclass(frozen=True)
class MaskedSystem:
    """One file of masks and its counts and scores."""

    path: Path
    masks: Masks
    counts: Floats
    scores: dict[str, Score]

    @property
    def name(self) -> str:
        return self.path.name


@dataclass(frozen=True, slots=True)
class PolicyRun:
    """One policy over the corpus. `recall` is the point of the knob, None for a policy as it ships."""

    name: str
    recall: float | None
    scores: dict[str, Score]
    words_masked: float
