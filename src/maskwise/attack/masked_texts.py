"""A text under attack while it is being masked: attackers of `maskwise attack` as scorers of maskings.

Every masking is written out and given to the attacker, as the attack itself would do. So a masking that fools the
scorer fools the attack.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from maskwise.attack.attacker import Scorer, Scores
from maskwise.crowd.curate import drop_masks
from maskwise.crowd.ranker import LogProbabilities, Masks
from maskwise.crowd.words import Mask, Words


class RememberingScorer:
    """A scorer that scores each text once, until it is told to forget."""

    def __init__(self, scorer: Scorer) -> None:
        self._scorer = scorer
        self._known: dict[str, NDArray[np.float64]] = {}

    def __call__(self, texts: Sequence[str]) -> Scores:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._scorer(new), strict=True))
        return np.array([self._known[text] for text in texts])

    def forget(self) -> None:
        self._known.clear()


class MaskedTexts:
    """The maskings of one text as an attacker reads them, each written once for all attackers."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self._known: dict[bytes, str] = {}

    def write(self, masks: Masks) -> list[str]:
        found = []
        for mask in masks:
            key = mask.tobytes()
            if key not in self._known:
                self._known[key] = drop_masks(self.words.write(mask))
            found.append(self._known[key])
        return found


class TextScorer:
    """One text, read by one attacker (a `DocumentScorer`).

    Scores are counted in deviations of the scores of the whole text, so that attackers can be added.
    """

    def __init__(self, texts: MaskedTexts, scorer: Scorer) -> None:
        self._texts = texts
        self._scorer = scorer
        clear = np.zeros((1, len(texts.words)), dtype=bool)
        self._scale = float(scorer(texts.write(clear)).std()) or 1.0

    def score(self, masks: Masks) -> LogProbabilities:
        rows = self._measure(masks)
        top = rows.max(axis=1, keepdims=True)
        total = np.exp(rows - top).sum(axis=1, keepdims=True)
        return np.asarray(rows - top - np.log(total), dtype=np.float32)

    def screen(self, mask: Mask, target: int) -> NDArray[np.float32]:
        """How much the log-odds of the person fall if the word is masked too. It is exact."""
        visible = np.flatnonzero(~mask & self._texts.words.content)
        masks = np.repeat(mask[None], len(visible) + 1, axis=0)
        masks[np.arange(len(visible)), visible] = True
        odds = _compute_odds(self._measure(masks), target)
        falls = np.zeros(len(mask), dtype=np.float32)
        falls[visible] = odds[-1] - odds[:-1]
        return falls

    def narrow(self, profiles: NDArray[np.intp]) -> TextScorer:
        """The same text among some of the people, in this order."""
        return TextScorer(self._texts, lambda texts: self._scorer(texts)[:, profiles])

    def rank(self, masks: Masks, target: int) -> list[int]:
        """The place of the person per masking, the worst among equals, as the attack counts."""
        rows = self._scorer(self._texts.write(masks))
        return [int((row >= row[target]).sum()) for row in rows]

    def _measure(self, masks: Masks) -> Scores:
        return np.asarray(self._scorer(self._texts.write(masks)) / self._scale)


def _compute_odds(rows: Scores, target: int) -> Scores:
    """The log-odds of one person against all others together, per row. They do not saturate as probabilities do."""
    others = np.delete(rows, target, axis=1)
    top = others.max(axis=1)
    total = np.exp(others - top[:, None]).sum(axis=1)
    return np.asarray(rows[:, target] - top - np.log(total))
