"""An inverted index from values to people: how many people of a population have what a text says.

It is a `SearchIndex` whose pages are profiles, so that every indicator that asks for hits can ask a register.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.population import Duplicates, Population, Profile
from maskwise.text.folding import fold_word

_DATE = re.compile(r"(\d\d)(\d)(\d)(?:-(\d\d)(?:-\d\d)?)?")
_ARTICLE = re.compile(r"^(?:the|an?) ")
_FLAGS = 256  # values whose people are kept as a mask; values that are asked often have many people

People = NDArray[np.int32]  # places in the population, ascending


class PopulationIndex:
    """Values of a register and the people who have them, in any attribute, exact and generalised.

    Values are compared without case and accents. A date is found by itself, by its month, year, decade ("192X") and
    century ("19XX"). A place with commas finds the people who have every part.

    >>> profiles = [Profile.of("p1", {"born": "1921-05-03"}), Profile.of("p2", {"born": 1921})]
    >>> index = PopulationIndex.of(Population(profiles))
    >>> index.hits(["1921"]), index.hits(["1921-05-03"]), index.hits(["192X", "cellist"])
    (2, 1, 0)
    """

    exact = True  # whoever is found has every value asked for

    def __init__(
        self, path: str | Path, duplicates: Duplicates = "error", separator: str = ""
    ) -> None:
        self._build(Population.load(path, duplicates, separator, texts=False))

    @classmethod
    def of(cls, population: Iterable[Profile]) -> PopulationIndex:
        """The index of people in memory."""
        index = cls.__new__(cls)
        index._build(population)
        return index

    def __len__(self) -> int:
        return len(self._ids)

    def search(self, terms: Sequence[str], k: int) -> list[str]:
        """Ids of the first `k` people who have all the values."""
        return [self._ids[at] for at in self.find_people(terms)[:k]]

    def hits(self, terms: Sequence[str]) -> int:
        """How many people have all the values."""
        return len(self.find_people(terms))

    def find_people(self, terms: Sequence[str]) -> People:
        """The people who have all the values: nobody where one is unknown, everybody where nothing is asked."""
        keys = [key for term in terms for key in self._choose_keys(term)]
        if not keys:
            return np.arange(len(self), dtype=np.int32)
        rarest, *others = sorted(keys, key=lambda key: (len(self._find_holders(key)), key))
        found = self._find_holders(rarest)
        for key in others:
            has_value = self._flags(key)
            found = found[has_value[found]]
        return found

    def _build(self, population: Iterable[Profile]) -> None:
        self._ids: list[str] = []
        self._values: dict[str, int] = {}
        all_numbers = array("i")
        all_people = array("i")
        number_keys = lru_cache(maxsize=1 << 16)(
            self._number_keys
        )  # most profiles repeat the same few values
        for place, profile in enumerate(population):
            self._ids.append(profile.id)
            known: set[int] = set()
            for _, values in profile.attributes:
                for value in values:
                    known.update(number_keys(value))
            all_numbers.extend(known)
            all_people.extend([place] * len(known))
        numbers = _view_numbers(all_numbers)
        order = np.argsort(numbers, kind="stable")  # people stay in order
        self._people: People = _view_numbers(all_people)[order]
        counts = np.bincount(numbers, minlength=len(self._values))
        self._starts = np.concatenate(([0], np.cumsum(counts)))
        self._flags = lru_cache(maxsize=_FLAGS)(self._flag_holders)

    def _number_keys(self, value: str) -> tuple[int, ...]:
        return tuple(
            [self._values.setdefault(key, len(self._values)) for key in _expand_value(value)]
        )

    def _find_holders(self, key: str) -> People:
        number = self._values.get(key)
        if number is None:
            return self._people[:0]
        return self._people[self._starts[number] : self._starts[number + 1]]

    def _flag_holders(self, key: str) -> NDArray[np.bool_]:
        flags = np.zeros(len(self), dtype=np.bool_)
        flags[self._find_holders(key)] = True
        return flags

    def _choose_keys(self, term: str) -> Iterator[str]:
        """The keys to look up for a value: itself as the register writes it, else its parts."""
        plain = _fold(term)
        for form in (plain, _ARTICLE.sub("", plain), plain.removesuffix("s")):
            if form in self._values:
                yield form
                return
        parts = [part for part in re.split(r"[,/]\s*", plain) if part]
        yield from parts if len(parts) > 1 else [plain]


def _view_numbers(numbers: array[int]) -> NDArray[np.int32]:
    """The numbers as NumPy sees them, without a copy."""
    return np.frombuffer(numbers, dtype=np.int32) if numbers else np.zeros(0, np.int32)


def _expand_value(value: str) -> Iterator[str]:
    """A value and, of a date, everything it is part of."""
    key = _fold(value)
    yield key
    date = _DATE.fullmatch(key)
    if date:
        century, decade, year, month = date.groups()
        yield f"{century}{decade}{year}"
        yield f"{century}{decade}x"
        yield f"{century}xx"
        if month:
            yield f"{century}{decade}{year}-{month}"


def _fold(text: str) -> str:
    folded = text.lower() if text.isascii() else fold_word(text)
    return " ".join(folded.split())
