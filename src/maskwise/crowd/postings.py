"""Postings of terms in flat arrays, and BM25 (Robertson and Zaragoza 2009) over them.

A query costs as much as the postings of its own terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Postings:
    """Counts of terms in documents, sorted by term. The postings of term `t` are `[starts[t], starts[t + 1])`.

    A count of 0 says that the document does not hold the term, but that something else about it mentions the term.
    """

    vocabulary: Mapping[str, int]
    starts: NDArray[np.int64]
    documents: NDArray[np.int64]
    counts: NDArray[np.float64]
    size: int

    @classmethod
    def build(
        cls, documents: Iterable[Iterable[str]], mentions: Sequence[Iterable[str]] = ()
    ) -> Postings:
        """Postings of documents and, with a count of 0, of what is mentioned beside each of them."""
        vocabulary: dict[str, int] = {}
        rows = [_number_terms(document, vocabulary) for document in documents]
        others = [_number_terms(terms, vocabulary) for terms in mentions]
        size = len(rows)
        held, counts = np.unique(_join_keys(rows, size), return_counts=True)
        only_mentioned = np.setdiff1d(_join_keys(others, size), held)
        pairs = np.concatenate([held, only_mentioned])
        return cls._sort(
            vocabulary, pairs, np.concatenate([counts, np.zeros(len(only_mentioned))]), size
        )

    def extend(self, documents: Iterable[Iterable[str]]) -> Postings:
        """These postings and those of further documents, which come after the others."""
        vocabulary = dict(self.vocabulary)
        rows = [_number_terms(document, vocabulary) for document in documents]
        size = self.size + len(rows)
        terms = np.repeat(np.arange(len(self.vocabulary)), self.frequencies)
        new, counts = np.unique(_join_keys(rows, size, self.size), return_counts=True)
        pairs = np.concatenate([terms * size + self.documents, new])
        return self._sort(vocabulary, pairs, np.concatenate([self.counts, counts]), size)

    @classmethod
    def _sort(
        cls,
        vocabulary: Mapping[str, int],
        pairs: NDArray[np.int64],
        counts: NDArray[np.float64],
        size: int,
    ) -> Postings:
        """Postings of pairs of term and document (see `_join_keys`) in any order, each once."""
        order = np.argsort(pairs, kind="stable")
        pairs = pairs[order]
        starts = np.searchsorted(pairs, np.arange(len(vocabulary) + 1) * size)
        ordered = counts[order].astype(np.float64)
        return cls(vocabulary, starts, pairs % max(size, 1), ordered, size)

    def drop_mentions(self) -> Postings:
        """The postings of what documents hold themselves."""
        held = self.counts > 0
        before = np.concatenate([[0], np.cumsum(held)])
        return Postings(
            self.vocabulary,
            before[self.starts],
            self.documents[held],
            self.counts[held],
            self.size,
        )

    @property
    def frequencies(self) -> NDArray[np.int64]:
        """In how many documents each term occurs."""
        return np.diff(self.starts)

    def measure_lengths(self) -> NDArray[np.float64]:
        return np.asarray(np.bincount(self.documents, self.counts, self.size), dtype=np.float64)

    def add_up(self, weights: NDArray[np.float64], query: Iterable[str]) -> NDArray[np.float64]:
        """Per document, the sum of its postings' `weights` over the query's terms, damped by 1 + log(count)."""
        known = Counter(self.vocabulary[term] for term in query if term in self.vocabulary)
        if not known:
            return np.zeros(self.size)
        ids = np.fromiter(known.keys(), np.int64, len(known))
        times = 1 + np.log(np.fromiter(known.values(), np.float64, len(known)))
        lengths = self.starts[ids + 1] - self.starts[ids]
        # All postings of the query at once: each range starts where its term says and counts on from there.
        offsets = self.starts[ids] - np.cumsum(lengths) + lengths
        at = np.repeat(offsets, lengths) + np.arange(lengths.sum())
        added = weights[at] * np.repeat(times, lengths)
        total = np.bincount(self.documents[at], added, self.size)
        return np.asarray(total, dtype=np.float64)


def compute_bm25_weights(index: Postings, k1: float, b: float) -> NDArray[np.float64]:
    """The weight of each posting in a text's score. A mention counts as one use in a text of ordinary length."""
    seen = index.frequencies
    idf = np.log1p((index.size - seen + 0.5) / (seen + 0.5))
    lengths = index.measure_lengths()
    norm = 1 - b + b * lengths / max(lengths.mean(), 1)
    tf = index.counts * (k1 + 1) / (index.counts + k1 * norm[index.documents])
    tf[index.counts == 0] = 1.0
    return np.asarray(tf * np.repeat(idf, seen), dtype=np.float64)


def _number_terms(terms: Iterable[str], vocabulary: dict[str, int]) -> NDArray[np.int64]:
    """The numbers of terms; new terms enter the vocabulary."""
    numbers = [vocabulary.setdefault(term, len(vocabulary)) for term in terms]
    return np.array(numbers, dtype=np.int64)


def _join_keys(rows: Sequence[NDArray[np.int64]], size: int, first: int = 0) -> NDArray[np.int64]:
    """One number per term and document, ordered by term first. Documents count from `first` on."""
    keys = [row * size + at for at, row in enumerate(rows, first)]
    return np.concatenate([*keys, np.zeros(0, np.int64)])


def list_grams(words: Sequence[str], runs: int) -> list[str]:
    """Words, and runs of 2 to `runs` words.

    >>> list_grams(["a", "b", "c"], 2)
    ['a', 'b', 'c', 'a b', 'b c']
    """
    return [
        " ".join(words[at : at + n]) for n in range(1, runs + 1) for at in range(len(words) - n + 1)
    ]
