"""Simple ways to hide a person, to measure searches against (Morris et al. 2022, section 6): words of the profile,
rare words, both, named entities, the masks of a policy.

Each gives every word a score, and higher scores are masked first; so any strength can be cut, by a threshold that
holds for all documents or by a share of each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.lexical import join_values
from maskwise.crowd.population import Profile
from maskwise.crowd.words import Mask, Words
from maskwise.text.folding import fold_word
from maskwise.text.types import Span

Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Rarity:
    """Inverse document frequency, log(n / df), of folded words; a word never seen is as rare as one seen once."""

    seen: Mapping[str, int] = field(repr=False)
    documents: int

    @classmethod
    def fit(cls, texts: Iterable[str]) -> Rarity:
        seen: Counter[str] = Counter()
        count = 0
        for count, text in enumerate(texts, 1):  # noqa: B007 - the last number is the number of texts
            seen.update(set(map(fold_word, Words(text).texts)))
        return cls(seen, count)

    def __call__(self, words: Words) -> Scores:
        found = [
            log(max(self.documents, 1) / max(self.seen.get(fold_word(word), 1), 1))
            for word in words.texts
        ]
        return np.array(found, dtype=np.float64)


def score_profile_words(words: Words, profile: Profile) -> Scores:
    """1 for the words of the profile, 0 for all others."""
    known = set(map(fold_word, Words(join_values(profile)).texts))
    return np.array([fold_word(word) in known for word in words.texts], dtype=np.float64)


def score_profile_then_rarity(words: Words, profile: Profile, rarity: Rarity) -> Scores:
    """The words of the profile before all others, which follow from the rarest to the commonest."""
    return np.where(score_profile_words(words, profile) > 0, np.inf, rarity(words))


def score_spans(words: Words, spans: Iterable[Span]) -> Scores:
    """1 for words that a span touches, 0 for all others: named entities, or what a policy masks."""
    scores = np.zeros(len(words))
    scores[words.find_touched(spans)] = 1.0
    return scores


def mask_from(scores: Scores, threshold: float) -> Mask:
    """Words whose score reaches a threshold."""
    return np.asarray(scores >= threshold)


def mask_share(scores: Scores, share: float) -> Mask:
    """A share of the words, those with the highest scores; of equals, the first in the text."""
    mask = np.zeros(len(scores), dtype=bool)
    mask[np.argsort(-scores, kind="stable")[: round(share * len(scores))]] = True
    return mask
