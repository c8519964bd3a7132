"""Re-identification by shared words: exact BM25 of a masked document among the profiles of a population.

The postings of a document are gathered once. A masking takes the postings of its words away, so that one more word
costs as much as its own postings. Profiles that share no word all have the same, lowest score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.curate import extract_terms
from maskwise.crowd.neighbours import log_softmax
from maskwise.crowd.population import Profile
from maskwise.crowd.postings import Postings, compute_bm25_weights
from maskwise.crowd.ranker import LogProbabilities, Masks
from maskwise.crowd.uses import Terms, TermUses
from maskwise.crowd.words import Mask
from maskwise.text.english import MONTHS
from maskwise.text.folding import fold_word

Analyse = Callable[[str], list[str]]
Floats = NDArray[np.float64]
Weights = NDArray[np.floating[Any]]

# `calibrate` in benchmarks/attackers.py fitted them on 100 people of the training part of the biographies benchmark.
TEMPERATURES = {"bm25": 1.189, "words": 1.189, "pieces": 4.757}
_GRAM = 4
_NOBODY: NDArray[np.int32] = np.zeros(0, dtype=np.int32)
_EARLY = re.compile(r"\b0+(?=\d{3}\b)")  # the years of ISO dates before 1000
_DATE = re.compile(r"\b(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])(?:-(?P<day>[0-3]\d))?\b")
_MANY = 0.25  # share of the terms from which on reading all of them is faster than choosing
_STABLE = 1e-6  # share of a sum that must be left for a subtraction from it to be exact enough


def cut_pieces(text: str) -> list[str]:
    """Overlapping runs of four letters of the words that carry content: "Norway" and "Norwegian" share some.

    >>> cut_pieces("Oslo's fjord")
    ['<osl', 'oslo', 'slo>', '<fjo', 'fjor', 'jord', 'ord>']
    """
    found = []
    for term in extract_terms(text):
        word = f"<{fold_word(term)}>"
        count = max(len(word) - _GRAM, 0) + 1
        found += [word[at : at + _GRAM] for at in range(count)]
    return found


ANALYSERS: Mapping[str, Analyse] = {"bm25": extract_terms, "pieces": cut_pieces}


def find_analyser(name: str) -> Analyse:
    """How an attacker reads words; one whose name is not in `ANALYSERS` reads them whole."""
    return ANALYSERS.get(name, extract_terms)


@dataclass(frozen=True, eq=False)
class Lexical:
    """BM25 as a `Ranker`: the softmax of scores divided by `temperature`. Built by `fit`."""

    name: str
    vocabulary: Mapping[str, int] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)
    profiles: NDArray[np.int32] = field(repr=False)
    weights: NDArray[np.float32] = field(repr=False)
    size: int
    temperature: float
    k1: float = 1.2
    # Attributes that a profile is asked for when it joins, none for all; and terms that tell nothing.
    attributes: frozenset[str] = frozenset()
    common: frozenset[str] = field(default=frozenset(), repr=False)

    @classmethod
    def fit(
        cls,
        profiles: Iterable[Profile],
        name: str = "bm25",
        k1: float = 1.2,
        b: float = 0.75,
        temperature: float | None = None,
    ) -> Lexical:
        """Postings the values of all profiles; `name` says how words are read: whole (`bm25`) or as `cut_pieces`."""
        analyse = ANALYSERS[name]
        index = Postings.build(analyse(join_values(profile)) for profile in profiles)
        return cls.weigh(index, name, k1, b, temperature)

    @classmethod
    def weigh(
        cls,
        index: Postings,
        name: str = "bm25",
        k1: float = 1.2,
        b: float = 0.75,
        temperature: float | None = None,
    ) -> Lexical:
        """The ranker of postings that are made already."""
        return cls(
            name=name,
            vocabulary=index.vocabulary,
            starts=index.starts,
            profiles=index.documents.astype(np.int32),
            weights=compute_bm25_weights(index, k1, b).astype(np.float32),
            size=index.size,
            temperature=temperature or TEMPERATURES[name],
            k1=k1,
        )

    def __len__(self) -> int:
        return self.size

    def read(self, words: Sequence[str]) -> LexicalScorer:
        return LexicalScorer(self, words)

    def join(self, profile: Profile, without: Sequence[int] = ()) -> JoinedLexical:
        told = profile.choose(self.attributes) if self.attributes else profile
        return JoinedLexical(self, self._weigh_terms(told), tuple(without))

    def find_term(self, term: str) -> int | None:
        """The number of a term, if a profile has it."""
        return self.vocabulary.get(term)

    def _weigh_terms(self, profile: Profile) -> dict[str, float]:
        """The weight of each term of a further profile, by the statistics of the population."""
        terms = find_analyser(self.name)(join_values(profile))
        weights = {}
        for term, count in Counter(terms).items():
            if term in self.common:
                continue
            known = self.find_term(term)
            seen = 1 + (0 if known is None else int(self.starts[known + 1] - self.starts[known]))
            idf = np.log1p((self.size + 1 - seen + 0.5) / (seen + 0.5))
            # Of ordinary length: a short profile must not beat everybody who shares its only word.
            weights[term] = float(count * (self.k1 + 1) / (count + self.k1) * idf)
        return weights

    def get_postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """Profiles that hold a term, each once, and what it adds to their scores."""
        span = slice(self.starts[term], self.starts[term + 1])
        return self.profiles[span], self.weights[span]


@dataclass(frozen=True, eq=False)
class JoinedLexical:
    """A lexical ranker with one more profile, whose terms weigh `own`."""

    base: Lexical
    own: Mapping[str, float] = field(repr=False)
    without: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.base) + 1

    @property
    def name(self) -> str:
        return self.base.name

    @property
    def temperature(self) -> float:
        return self.base.temperature

    def read(self, words: Sequence[str]) -> LexicalScorer:
        return LexicalScorer(self, words, self.without)

    def join(self, profile: Profile, without: Sequence[int] = ()) -> JoinedLexical:
        """The population with that profile in the place of the one that joined it before."""
        return self.base.join(profile, without)

    def find_term(self, term: str) -> int | None:
        known = self.base.find_term(term)
        if known is None and term in self._new:
            return len(self.base.vocabulary) + self._new[term]
        return known

    def get_postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        first = len(self.base.vocabulary)
        profiles, weights = (
            self.base.get_postings(term) if term < first else (_NOBODY, np.zeros(0, np.float32))
        )
        weight = self._weights.get(term)
        if weight is None:
            return profiles, weights
        last = np.int32(len(self.base))
        return np.append(profiles, last), np.append(weights, np.float32(weight))

    @cached_property
    def _new(self) -> dict[str, int]:
        """Terms that no profile of the population has, numbered."""
        new = [term for term in self.own if self.base.find_term(term) is None]
        return {term: at for at, term in enumerate(new)}

    @cached_property
    def _weights(self) -> dict[int, float]:
        """The weights of `own` by the number of the term."""
        found: dict[int, float] = {}
        for term, weight in self.own.items():
            number = self.find_term(term)
            if number is not None:
                found[number] = weight
        return found


class LexicalScorer:
    """A document among the profiles, without some of them. `score` and `screen` are exact."""

    def __init__(
        self, ranker: Lexical | JoinedLexical, words: Sequence[str], without: Sequence[int] = ()
    ) -> None:
        analyse = find_analyser(ranker.name)
        places: dict[int, int] = {}  # numbers of terms in the vocabulary, and here
        self._terms: list[Terms] = []
        for word in words:
            numbers = (ranker.find_term(term) for term in analyse(word))
            known = [number for number in numbers if number is not None]
            counts = Counter(places.setdefault(id, len(places)) for id in known)
            self._terms.append(tuple(sorted(counts.items())))
        self.words = len(words)
        self._uses = TermUses.collect(self._terms)
        self._postings = []
        for id in places:
            profiles, weights = ranker.get_postings(id)
            self._postings.append((profiles, weights / np.float64(ranker.temperature)))
        self._size = len(ranker)
        self._clear = np.zeros(self._size)
        self._clear[list(without)] = -np.inf
        nothing = np.zeros((1, len(words)), dtype=bool)
        self._all = _damp_counts(self._uses.count_visible(nothing)[0])
        self._add_postings(self._clear, self._all)

    def score(self, masks: Masks) -> LogProbabilities:
        return _log_softmax(self.compute_logits(masks))

    def compute_logits(self, masks: Masks) -> Floats:
        """BM25 divided by the temperature, before the softmax.

        First the clear document loses what no masking has, then each row loses the rest.
        """
        counts = _damp_counts(self._uses.count_visible(masks))
        shared = counts.max(axis=0, initial=0.0)
        base = self._clear.copy()
        self._add_postings(base, shared - self._all)
        rows = np.repeat(base[None], len(counts), axis=0)
        for row, own in zip(rows, counts - shared, strict=True):
            self._add_postings(row, own)
        return rows

    def screen(self, mask: Mask, target: int) -> NDArray[np.float32]:
        """The exact fall of the log-probability: only the profiles that hold a word's terms change with it."""
        scores = self.compute_logits(mask[None])[0]
        scores -= scores.max()
        odds = np.exp(scores)
        total = float(odds.sum())
        counts = self._uses.count_visible(mask[None])[0]
        falls: dict[Terms, float] = {(): 0.0}
        result = np.zeros(self.words, dtype=np.float32)
        for word in np.flatnonzero(~mask):
            used = self._terms[word]
            if used not in falls:
                changed, by = self._sum_postings(
                    [(t, _measure_damped_loss(float(counts[t]), times)) for t, times in used]
                )
                falls[used] = _measure_fall(scores, odds, total, changed, by, target)
            result[word] = falls[used]
        return result

    def narrow(self, profiles: NDArray[np.intp]) -> NarrowLexicalScorer:
        places = np.full(self._size, -1, dtype=np.int64)
        places[profiles] = np.arange(len(profiles))
        table = np.zeros((len(self._postings), len(profiles)), dtype=np.float32)
        for row, (held, weights) in zip(table, self._postings, strict=True):
            at = places[held]
            row[at[at >= 0]] = weights[at >= 0]
        return NarrowLexicalScorer(self._uses, self._terms, table)

    def _sum_postings(
        self, terms: Sequence[tuple[int, float]]
    ) -> tuple[NDArray[np.int32], Weights]:
        """Profiles that hold one of the terms, each once, and the sum of the terms' weights, each times its number."""
        parts = [
            (self._postings[term][0], self._postings[term][1] * times) for term, times in terms
        ]
        if len(parts) == 1:
            return parts[0]
        ids, inverse = np.unique(
            np.concatenate([profiles for profiles, _ in parts]), return_inverse=True
        )
        added = np.bincount(inverse, np.concatenate([weights for _, weights in parts]), len(ids))
        return ids, np.asarray(added, dtype=np.float64)

    def _add_postings(self, row: Floats, counts: Floats) -> None:
        for term in np.flatnonzero(counts):
            profiles, weights = self._postings[term]
            row[profiles] += weights * counts[term]  # a profile occurs once among them


class NarrowLexicalScorer:
    """A document among a few thousand profiles: what each term adds to each of them is one table."""

    def __init__(self, uses: TermUses, terms: Sequence[Terms], table: NDArray[np.float32]) -> None:
        self._uses = uses
        self._terms = terms
        self._table = table

    def score(self, masks: Masks) -> LogProbabilities:
        counts = _damp_counts(self._uses.count_visible(masks))
        return log_softmax(self._add_up(counts.astype(np.float32)))

    def _add_up(self, counts: NDArray[np.float32]) -> NDArray[np.float32]:
        """The sum of the weights of all terms per profile. If most terms are hidden, only the visible ones are read."""
        seen = np.flatnonzero(counts.any(axis=0))
        if len(seen) > _MANY * len(self._table):
            return np.asarray(counts @ self._table)
        return np.asarray(counts[:, seen] @ self._table[seen])

    def screen(self, mask: Mask, target: int) -> NDArray[np.float32]:
        """The exact fall of the log-probability among these profiles."""
        counts = self._uses.count_visible(mask[None])[0]
        [row] = self._add_up(_damp_counts(counts[None]).astype(np.float32))
        top = float(row.max(initial=0.0))
        odds = np.exp(row - top)
        total = float(odds.sum(dtype=np.float64))
        falls: dict[Terms, float] = {(): 0.0}
        result = np.zeros(len(mask), dtype=np.float32)
        for word in np.flatnonzero(~mask).tolist():
            used = self._terms[word]
            if used not in falls:
                lost = [_measure_damped_loss(float(counts[t]), times) for t, times in used]
                by = np.asarray(lost, dtype=np.float32) @ self._table[[t for t, _ in used]]
                left = float((odds * np.exp(-by)).sum(dtype=np.float64))
                falls[used] = float(by[target]) + log(max(left, 1e-300) / total)
            result[word] = falls[used]
        return result

    def narrow(self, profiles: NDArray[np.intp]) -> NarrowLexicalScorer:
        chosen = np.ascontiguousarray(self._table[:, profiles])
        return NarrowLexicalScorer(self._uses, self._terms, chosen)


def _measure_fall(
    scores: Floats, odds: Floats, total: float, changed: NDArray[np.int32], by: Weights, target: int
) -> float:
    """How much log p(target) falls when the scores of some profiles do."""
    left = total + float((odds[changed] * np.expm1(-by)).sum())
    if left < _STABLE * total:  # nearly all of the sum was taken away: add up what is left instead
        after = scores.copy()
        after[changed] -= by
        left = float(np.exp(after).sum())
    return float(by[changed == target].sum()) + log(left / total)


def join_values(profile: Profile) -> str:
    """All values of a profile, with the months of dates written out as texts do.

    The names of the attributes are left out, because nearly every profile shares them.

    >>> join_values(Profile.of("p1", {"born": "1921-05-03", "occupation": ["cellist", "teacher"]}))
    '3 May 1921 cellist teacher'
    """
    text = " ".join(value for _, found in profile.attributes for value in found)
    return _EARLY.sub("", _DATE.sub(_spell_date, text))


def _spell_date(date: re.Match[str]) -> str:
    day = (date["day"] or "").lstrip("0")
    month = MONTHS[int(date["month"]) - 1]
    return " ".join(part for part in (day, month, date["year"]) if part)


def _damp_counts(counts: NDArray[np.float32]) -> Floats:
    """1 + log(count), and 0 for none: a word that occurs twice says little more than one that occurs once."""
    damped = 1 + np.log(np.maximum(counts, 1))
    return np.asarray(np.where(counts > 0.5, damped, 0.0), dtype=np.float64)


def _measure_damped_loss(count: float, times: int) -> float:
    """The fall of a damped count when its count falls by `times`."""
    return log(count / (count - times)) if count > times else 1 + log(count)


def _log_softmax(rows: Floats) -> LogProbabilities:
    near = np.empty(rows.shape, dtype=np.float32)
    for row, found in zip(rows, near, strict=True):
        np.subtract(row, row.max(initial=-np.inf), out=found, casting="same_kind")
        found -= np.log(np.exp(found).sum(dtype=np.float64))
    return near
