"""Prepares people as arrays for the training of re-identification: pieces of documents and profiles, word by word."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.folds import Fold, assign_folds
from maskwise.crowd.population import Population, Profile, linearise
from maskwise.crowd.redact import read_words
from maskwise.crowd.words import Words
from maskwise.lm.pieces import PieceTokenizer
from maskwise.text.folding import fold_word

# Bits of `marks`: the letter shape in the lower three, then what is known of the piece's word.
STARTS, SHARED, NAMED = 8, 16, 32


@dataclass(frozen=True, slots=True, eq=False)
class PeopleArrays:
    """Documents and profiles one after the other, person by person.

    `marks` says of each piece whether its word `STARTS` there, is `SHARED` with the profile, or is `NAMED`: part of a
    mention. `bounds` says where each person begins. A person without a document has an empty one.
    """

    ids: NDArray[np.int32]
    marks: NDArray[np.uint8]
    bounds: NDArray[np.int64]
    profile_ids: NDArray[np.int32]
    profile_marks: NDArray[np.uint8]
    profile_bounds: NDArray[np.int64]
    folds: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.folds)


def prepare_people(
    population: Population,
    tokenizer: PieceTokenizer,
    *,
    train: int = 40_000,
    held_out: int = 5_000,
    mentions: Callable[[Sequence[str]], Sequence[Iterable[tuple[int, int]]]] | None = None,
    words: int = 128,
) -> PeopleArrays:
    """Returns the arrays of a population, with the first `words` words of each document.

    `mentions` finds named entities in texts. It is asked about the people held out only, because scores alone need it.
    """
    folds = assign_folds(population.ids, train, held_out)
    texts = [Words(profile.text) for profile in population]
    held = np.flatnonzero(folds == Fold.HELD_OUT)
    found = mentions([texts[at].text for at in held]) if mentions else ()
    spans = dict(zip(held.tolist(), found, strict=False))
    documents, profiles = [], []
    for at, (profile, text) in enumerate(zip(population, texts, strict=True)):
        known = _collect_known_words(profile)
        shared = np.array([fold_word(word) in known for word in text.texts[:words]], dtype=bool)
        touched = np.zeros(len(text), dtype=bool)
        touched[text.find_touched(spans.get(at, ()))] = True
        documents.append(_encode_document(tokenizer, text.texts[:words], shared, touched[:words]))
        pieces = tokenizer.encode(linearise(profile))
        profiles.append((pieces.ids, pieces.shapes))
    return PeopleArrays(*_join_arrays(documents), *_join_arrays(profiles), folds)


def _collect_known_words(profile: Profile) -> set[str]:
    """Returns the folded words of the profile's values and their parts. A date gives the name of its month too."""
    known: set[str] = set()
    for _, values in profile.attributes:
        for value in values:
            known.update(map(fold_word, Words(value).texts))
            known.update(map(fold_word, re.findall(r"\w+", value)))
            date = re.fullmatch(r"(\d{4})-(\d{2})(?:-(\d{2}))?", value)
            if date:
                known.update(str(int(part)) for part in date.groups() if part)
                known.add(fold_word(month_name[int(date[2]) % 13]))
    return known


def _encode_document(
    tokenizer: PieceTokenizer,
    words: Sequence[str],
    shared: NDArray[np.bool_],
    named: NDArray[np.bool_],
) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    pieces = read_words(tokenizer, words)
    starts = np.diff(pieces.words, prepend=-1) != 0
    marks = pieces.shapes + STARTS * starts
    marks = marks + SHARED * shared[pieces.words]
    marks = marks + NAMED * named[pieces.words]
    return pieces.ids, marks.astype(np.uint8)


def _join_arrays(
    parts: Sequence[tuple[NDArray[np.int32], NDArray[np.uint8]]],
) -> tuple[NDArray[np.int32], NDArray[np.uint8], NDArray[np.int64]]:
    bounds = np.cumsum([0, *(len(ids) for ids, _ in parts)], dtype=np.int64)
    none = np.zeros(0, dtype=np.int32)
    ids = np.concatenate([none, *(ids for ids, _ in parts)])
    marks = np.concatenate([none.astype(np.uint8), *(marks for _, marks in parts)])
    return ids, marks, bounds
