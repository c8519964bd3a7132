"""How many people of a population are alone with their value of one attribute, or of two together.

These are the equivalence classes of k-anonymity (Sweeney 2002) per attribute and pair: a class of one is one person.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.population import Population

FEW = 5  # a class smaller than this is commonly held to be too small to publish
_YEAR = " (year)"
_DATE = re.compile(r"(\d{4})(-\d\d(?:-\d\d)?)?")

Classes = NDArray[np.int64]  # the number of the class per person, -1 where nothing is known


@dataclass(frozen=True, slots=True)
class AnonymitySets:
    """The classes of the people who have these attributes: their number, the share of people alone, or among under 5.

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
        return {
            "attributes": list(self.attributes),
            "people": self.people,
            "distinct": self.classes,
            "alone": round(self.alone, 4),
            "few": round(self.few, 4),
            "median": self.median,
        }


def measure_uniqueness(people: Population) -> tuple[list[AnonymitySets], list[AnonymitySets]]:
    """The classes of each attribute, by name, and of each pair, those that leave most people alone first.

    All values of an attribute count together. A date counts also as its year, under the name `born (year)`.
    """
    known = _number_classes(people)
    alone = [measure_sets((key,), classes) for key, classes in sorted(known.items())]
    together = []
    for left, right in combinations(sorted(known), 2):
        if left.removesuffix(_YEAR) == right.removesuffix(_YEAR):
            continue
        one = known[left]
        other = known[right]
        has_both = (one >= 0) & (other >= 0)
        joined = np.where(has_both, one * (other.max() + 1) + other, -1)
        if (joined >= 0).any():
            together.append(measure_sets((left, right), joined))
    return alone, sorted(together, key=lambda c: (-c.alone * c.people, c.attributes))


def measure_sets(attributes: tuple[str, ...], classes: Classes) -> AnonymitySets:
    _, place, counts = np.unique(classes[classes >= 0], return_inverse=True, return_counts=True)
    sizes = np.sort(counts[place])
    return AnonymitySets(
        attributes=attributes,
        people=len(sizes),
        classes=len(counts),
        alone=float((sizes == 1).mean()),
        few=float((sizes < FEW).mean()),
        median=int(sizes[(len(sizes) - 1) // 2]),
    )


def _number_classes(people: Population) -> dict[str, Classes]:
    numbers: dict[str, dict[tuple[str, ...], int]] = {}
    known: dict[str, Classes] = {}
    dated: set[str] = set()
    for place, profile in enumerate(people):
        for key, values in profile.attributes:
            matches = [_DATE.fullmatch(value) for value in values]
            dates = [match for match in matches if match]
            if any(match[2] for match in dates):
                dated.add(key + _YEAR)
            views = [(key, values)]
            if len(dates) == len(values):
                views.append((key + _YEAR, tuple(match[1] for match in dates)))
            for view, shown in views:
                if view not in known:
                    known[view] = np.full(len(people), -1, dtype=np.int64)
                classes = numbers.setdefault(view, {})
                known[view][place] = classes.setdefault(tuple(sorted(shown)), len(classes))
    # Numbers of four digits are years only where the attribute also has whole dates.
    return {
        key: classes for key, classes in known.items() if not key.endswith(_YEAR) or key in dated
    }
