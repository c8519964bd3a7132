"""`Deidentifier`: hides the person of a document in the crowd of a population, and says where every attacker then ranks
them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from maskwise.crowd.population import Population
from maskwise.crowd.ranker import Ranker
from maskwise.crowd.ranks import ProfileRank, rank_by_attacker
from maskwise.crowd.search import Effort, Goal, SearchOutcome, list_entity_units, list_word_units, search
from maskwise.crowd.words import MARK, Words
from maskwise.errors import InputError
from maskwise.text.types import Span


@dataclass(frozen=True)
class Deidentified:
    """One document: what is masked, and where its person stood and stands with each attacker."""

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
        """A row of the command's output. `order` has the spans of each unit, in the order they were masked."""
        attackers = {
            name: {
                "rank": {"before": self.before[name].rank, "after": self.after[name].rank},
                "probability": {when: round(one[name].probability, 6) for when, one in self._times},
            }
            for name in self.after
        }
        return {
            "id": self.id,
            "text": self.text,
            "masks": [list(mask) for mask in self.masks],
            "reached": self.reached,
            "words": len(self.words),
            "words_masked": int(self.hidden.mask.sum()),
            "attackers": attackers,
            "order": [[list(self.words.spans[at]) for at in unit] for unit in self.hidden.units],
        }

    @property
    def _times(self) -> tuple[tuple[str, Mapping[str, ProfileRank]], ...]:
        return ("before", self.before), ("after", self.after)


@dataclass(frozen=True)
class Deidentifier:
    """Masks documents until their people are hidden from the attackers `against`; the others only judge.

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
        if unknown := [name for name in self.against if name not in self.attackers]:
            raise InputError(f"no attacker {unknown[0]!r}; there are {', '.join(self.attackers)}")
        if len(set(self.against)) < len(self.against):
            raise InputError(f"name each attacker to hide from once, of {', '.join(self.attackers)}")

    def __call__(self, id: str, text: str, entities: Iterable[Iterable[Span]] | None = None) -> Deidentified:
        """Hide the person with this id. `entities` are the spans of each entity's mentions; without them every word
        stands for itself."""
        target = self.population.index_of(id)
        words = Words(text)
        units = list_word_units(words) if entities is None else list_entity_units(words, entities)
        readings = {name: attacker.read(words.texts) for name, attacker in self.attackers.items()}
        fooled = self.against or tuple(self.attackers)
        hidden = search([readings[name] for name in fooled], target, units, len(words), self.goal, self.effort)
        told = rank_by_attacker(readings, target, np.array([np.zeros(len(words), dtype=bool), hidden.mask]))
        before, after = ({name: standing[at] for name, standing in told.items()} for at in (0, 1))
        reached = hidden.reached and all(after[name].rank > self.goal.k for name in fooled)
        return Deidentified(id, words, hidden, before, after, reached)


def summarise_rows(found: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Figures over rows of output; rows with an error have none but their number."""
    rows = [row for row in found if "error" not in row]
    words = sum(row["words"] for row in rows)
    attackers = {
        name: {
            "rank_1_before": sum(row["attackers"][name]["rank"]["before"] == 1 for row in rows),
            "rank_1_after": sum(row["attackers"][name]["rank"]["after"] == 1 for row in rows),
            "median_rank_after": float(np.median([row["attackers"][name]["rank"]["after"] for row in rows])),
        }
        for name in (rows[0]["attackers"] if rows else ())
    }
    return {
        "documents": len(found),
        "errors": len(found) - len(rows),
        "reached": sum(row["reached"] for row in rows),
        "words": words,
        "words_masked": sum(row["words_masked"] for row in rows),
        "attackers": attackers,
    }
