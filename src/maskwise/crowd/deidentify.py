"""`Deidentifier`: masks a document until its person is hidden in a population, and ranks the person per attacker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from maskwise.crowd.blas import use_one_blas_thread
from maskwise.crowd.population import Population
from maskwise.crowd.ranker import Ranker
from maskwise.crowd.ranks import ProfileRank, rank_by_attacker
from maskwise.crowd.search import (
    Effort,
    Goal,
    SearchOutcome,
    list_entity_units,
    list_word_units,
    search,
)
from maskwise.crowd.words import MARK, Words
from maskwise.errors import InputError
from maskwise.text.types import Span


@dataclass(frozen=True)
class Deidentified:
    """One document: what is masked, and the rank of its person with each attacker before and after."""

    id: str
    words: Words = field(repr=False)
    hidden: SearchOutcome
    before: Mapping[str, ProfileRank]
    after: Mapping[str, ProfileRank]
    reached: bool

    @property
    def text(self) -> str:
        return self.words.write(self.hidden.mask)

    @property
    def masks(self) -> list[tuple[int, int, str]]:
        """`(start, end, replacement)` in offsets of the original, sorted, not overlapping."""
        return [(start, end, MARK) for start, end in self.words.find_masked_spans(self.hidden.mask)]

    @property
    def share(self) -> float:
        """Share of the words that are masked."""
        return float(self.hidden.mask.mean()) if len(self.words) else 0.0

    def to_json(self) -> dict[str, Any]:
        """A row of the command's output. `order` has the spans of each unit, in the order in which they were masked."""
        return {
            "id": self.id,
            "text": self.text,
            "masks": [list(mask) for mask in self.masks],
            "reached": self.reached,
            "words": len(self.words),
            "words_masked": int(self.hidden.mask.sum()),
            "attackers": {name: self._describe_attacker(name) for name in self.after},
            "order": [[list(self.words.spans[at]) for at in unit] for unit in self.hidden.units],
        }

    def _describe_attacker(self, name: str) -> dict[str, Any]:
        before = self.before[name]
        after = self.after[name]
        return {
            "rank": {"before": before.rank, "after": after.rank},
            "probability": {
                "before": round(before.probability, 6),
                "after": round(after.probability, 6),
            },
        }


@dataclass(frozen=True)
class Deidentifier:
    """Masks documents until their people are hidden from the attackers `against`. The other attackers only judge.

    >>> from maskwise.crowd.lexical import Lexical
    >>> from maskwise.crowd.population import Profile
    >>> people = Population(Profile.of(f"p{n}", {"job": job}) for n, job in enumerate(["baker", "tailor", "poet"]))
    >>> hide = Deidentifier(people, {"bm25": Lexical.fit(people)}, goal=Goal(k=1))
    >>> hide("p0", "The baker sang.").text
    'The *** sang.'
    """

    population: Population
    attackers: Mapping[str, Ranker]
    against: tuple[str, ...] = ()
    goal: Goal = field(default_factory=Goal)
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        if not self.attackers:
            raise InputError("no attacker to hide from: name at least one")
        unknown = [name for name in self.against if name not in self.attackers]
        if unknown:
            raise InputError(f"no attacker {unknown[0]!r}; there are {', '.join(self.attackers)}")
        if len(set(self.against)) < len(self.against):
            raise InputError(
                f"name each attacker to hide from once, of {', '.join(self.attackers)}"
            )

    @use_one_blas_thread()
    def __call__(
        self, id: str, text: str, entities: Iterable[Iterable[Span]] | None = None
    ) -> Deidentified:
        """Hides the person with this id.

        `entities` are the spans of each entity's mentions. Without them every word is a unit of its own.
        """
        target = self.population.index_of(id)
        words = Words(text)
        units = list_word_units(words) if entities is None else list_entity_units(words, entities)
        scorers = {name: attacker.read(words.texts) for name, attacker in self.attackers.items()}
        against = self.against or tuple(self.attackers)
        fooled = [scorers[name] for name in against]
        outcome = search(fooled, target, units, len(words), self.goal, self.effort)
        clear = np.zeros(len(words), dtype=bool)
        ranks = rank_by_attacker(scorers, target, np.array([clear, outcome.mask]))
        before = {name: ranked[0] for name, ranked in ranks.items()}
        after = {name: ranked[1] for name, ranked in ranks.items()}
        reached = outcome.reached and all(after[name].rank > self.goal.k for name in against)
        return Deidentified(id, words, outcome, before, after, reached)


def summarise_rows(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Figures over rows of output. Rows with an error count, and have no other figures."""
    rows = [row for row in found if "error" not in row]
    names = rows[0]["attackers"] if rows else ()
    return {
        "documents": len(found),
        "errors": len(found) - len(rows),
        "reached": sum(row["reached"] for row in rows),
        "words": sum(row["words"] for row in rows),
        "words_masked": sum(row["words_masked"] for row in rows),
        "attackers": {name: _summarise_attacker(rows, name) for name in names},
    }


def _summarise_attacker(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, Any]:
    ranks = [row["attackers"][name]["rank"] for row in rows]
    return {
        "rank_1_before": sum(rank["before"] == 1 for rank in ranks),
        "rank_1_after": sum(rank["after"] == 1 for rank in ranks),
        "median_rank_after": float(np.median([rank["after"] for rank in ranks])),
    }
