"""TF-IDF and a linear classifier on sliding windows of the background (extra `[attack]`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from maskwise.attack.attacker import Background, Scorer, Scores
from maskwise.attack.classifier import OVERLAP, SIZE, cut_windows, sum_windows
from maskwise.crowd.curate import extract_terms
from maskwise.crowd.postings import list_grams
from maskwise.errors import PluginError


@dataclass(frozen=True, slots=True)
class LinearAttacker:
    """A linear support-vector machine, one against the rest: from whose background does a window come?"""

    size: int = SIZE
    overlap: int = OVERLAP
    runs: int = 1
    penalty: float = 0.1
    name: str = "linear"
    trained: ClassVar[bool] = False

    def fit(self, background: Background, seed: int = 0) -> Scorer:
        try:
            from sklearn.feature_extraction.text import TfidfVectorizer
            from sklearn.svm import LinearSVC
        except ImportError:
            raise PluginError(
                'the linear attacker needs scikit-learn, which is not here: pip install "maskwise[attack]"'
            ) from None
        documents = [extract_terms(text) for text in (*background.texts, *background.masked)]
        cuts = cut_windows([len(document) for document in documents], self.size, self.overlap)
        copies = len(documents) // max(len(background), 1)
        people_of_documents = np.tile(np.arange(len(background)), copies)
        people = people_of_documents[cuts.owners]
        vectors = TfidfVectorizer(analyzer=self._list_runs, sublinear_tf=True, dtype=np.float32)
        machine = LinearSVC(C=self.penalty, class_weight="balanced", random_state=seed, tol=1e-2)
        machine.fit(vectors.fit_transform(cuts.slice_documents(documents)), people)

        def score_texts(texts: Sequence[str]) -> Scores:
            read = [extract_terms(text) for text in texts]
            parts = cut_windows([len(one) for one in read], self.size, self.overlap)
            windows = vectors.transform(parts.slice_documents(read))
            found = machine.decision_function(windows)
            both = np.column_stack([-found, found]) if found.ndim == 1 else found
            return sum_windows(both, parts.owners, len(texts))

        return score_texts

    def _list_runs(self, window: Sequence[str]) -> list[str]:
        return list_grams(window, self.runs)
