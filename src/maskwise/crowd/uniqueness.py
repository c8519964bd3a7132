"""How many people of a population are alone with what one attribute, or two together, say of them.

The equivalence classes of k-anonymity (Sweeney 2002) for every attribute and pair: a class of one is a person found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.population import Population

FEW = 5  # a crowd smaller than this is commonly held to be too small to publish
_YEAR = " (year)"
_DATE = re.compile(r"(\d{4})(-\d\d(?:-\d\d)?)?")

Classes = NDArray[np.int64]  # for each person the number of their class, -1 where nothing is known


@dataclass(frozen=True, slots=True)
class AnonymitySets:
    """Of the people who have these attributes: how many classes, the share alone in theirs, and among fewer than 5.

    `median` is the size of the class of the person in the middle.
    """

    attributes: tuple[str, ...]
    people: int
    classes: int
    alone: float
    few: float
    median: int

    @property
    def figures(self) -> dict[str, Any]:
        shares = {"alone": round(self.alone, 4), "few": round(self.few, 4), "median": self.median}
        return {"attributes": list(self.attributes), "people": self.people, "distinct": self.classes} | shares


def measure_uniqueness(people: Population) -> tuple[list[AnonymitySets], list[AnonymitySets]]:
    """The crowds of each attribute, by name, and of each pair, those that leave most people alone first.

    All values of an attribute count together. A date counts also as its year, under the name `born (year)`.
    """
    known = _number_classes(people)
    alone = [measure_sets((key,), classes) for key, classes in sorted(known.items())]
    together = []
    for left, right in combinations(sorted(known), 2):
        if left.removesuffix(_YEAR) == right.removesuffix(_YEAR):
            continue
        a, b = known[left], known[right]
        joined = np.where((a >= 0) & (b >= 0), a * (b.max() + 1) + b, -1)
        if (joined >= 0).any():
            together.append(measure_sets((left, right), joined))
    return alone, sorted(together, key=lambda c: (-c.alone * c.people, c.attributes))


def measure_sets(attributes: tuple[str, ...], classes: Classes) -> AnonymitySets:
    _, place, counts = np.unique(classes[classes >= 0], return_inverse=True, return_counts=True)
    sizes = np.sort(counts[place])
    few = float((sizes < FEW).mean())
    return AnonymitySets(
        attributes, len(sizes), len(counts), float((sizes == 1).mean()), few, int(sizes[(len(sizes) - 1) // 2])
    )


def _number_classes(people: Population) -> dict[str, Classes]:
    numbers: dict[str, dict[tuple[str, ...], int]] = {}
    known: dict[str, Classes] = {}
    dated: set[str] = set()
    for place, profile in enumerate(people):
        for key, values in profile.attributes:
            dates = [match for value in values if (match := _DATE.fullmatch(value))]
            dated.update({key + _YEAR} if any(match[2] for match in dates) else ())
            views = [(key, values)]
            if len(dates) == len(values):
                views.append((key + _YEAR, tuple(match[1] for match in dates)))
            for view, said in views:
                if view not in known:
                    known[view] = np.full(len(people), -1, dtype=np.int64)
                classes = numbers.setdefault(view, {})
                known[view][place] = classes.setdefault(tuple(sorted(said)), len(classes))
    # Numbers of four digits are years only where the attribute also has whole dates.
    return {key: classes for key, classes in known.items() if not key.endswith(_YEAR) or key in dated}
