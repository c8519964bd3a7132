"""Measured risk: where each person of a document ranks in a crowd, before and after masking, with each attacker.

Nothing here is assumed. Where nothing was measured, the result says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from maskwise.crowd.blas import use_one_blas_thread
from maskwise.crowd.crowd import Crowd
from maskwise.crowd.dense import DenseRanker, DenseScorer, DocumentReading
from maskwise.crowd.joint import JointRanker
from maskwise.crowd.population import Profile
from maskwise.crowd.ranker import DocumentScorer, LogProbabilities, Masks, Ranker
from maskwise.crowd.ranks import compute_odds, rank_profile
from maskwise.crowd.subjects import Subject
from maskwise.crowd.words import Mask, Words


@dataclass(frozen=True, slots=True)
class Standing:
    """The rank of a person with one attacker, from 1, and the calibrated probability that it finds them."""

    rank: int
    probability: float

    def __str__(self) -> str:
        chance = f"{self.probability:.2f}" if self.probability >= 0.01 else "<0.01"
        return f"{self.rank:,} ({chance})"

    def to_json(self) -> dict[str, Any]:
        return {"rank": self.rank, "probability": round(self.probability, 4)}


@dataclass(frozen=True, slots=True)
class PersonRisk:
    """One person among the crowd, before and after masking, per attacker."""

    label: str
    facts: int
    before: Mapping[str, Standing]
    after: Mapping[str, Standing]
    entities: tuple[str, ...] = ()  # ids; none where the document never names the person
    # What attackers compare with: text of the document, so neither `repr` nor JSON holds it.
    profile: Profile | None = field(default=None, repr=False)

    @property
    def rank(self) -> int:
        """The best rank that an attacker has after masking."""
        return min(standing.rank for standing in self.after.values())

    @property
    def probability(self) -> float:
        """The largest probability with which an attacker finds the person after masking."""
        return max(standing.probability for standing in self.after.values())

    def describe(self, people: int) -> str:
        """One sentence: the ranks before and after with each attacker, and the probabilities in brackets."""
        parts = []
        for name, before in self.before.items():
            after = self.after[name]
            parts.append(f"{name} {before} before, {after} after")
        said = f"rank among {people:,} people (probability of being found)"
        return f"{self.label}: {said}: {'; '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        attackers = {}
        for name, before in self.before.items():
            attackers[name] = {"before": before.to_json(), "after": self.after[name].to_json()}
        return {"person": self.label, "facts": self.facts, "attackers": attackers}


@dataclass(frozen=True, slots=True)
class CrowdRisk:
    """The risk of a document in a crowd of `people` people. `note` says what was not measured, and why.

    `k` is the number of people that had to be likelier than each person; None where nothing was asked for. `is_partial`
    says that the document may tell facts about people who were not measured.
    """

    crowd: str
    people: int
    persons: tuple[PersonRisk, ...] = ()
    note: str = ""
    k: int | None = None
    is_partial: bool = False

    @property
    def is_measured(self) -> bool:
        return bool(self.persons)

    @property
    def exposed(self) -> tuple[PersonRisk, ...]:
        """The people for whom K was missed."""
        if self.k is None:
            return ()
        return tuple(person for person in self.persons if person.rank <= self.k)

    @property
    def has_missed(self) -> bool:
        """Whether K was asked for, and missed for somebody or not measured for somebody."""
        return self.k is not None and (bool(self.exposed) or self.is_partial)

    def name_people(self, replacements: Mapping[str, str]) -> CrowdRisk:
        """The risk with each person called what the masked text calls them."""
        named = []
        for person in self.persons:
            written = [replacements[one] for one in person.entities if one in replacements]
            label = next((text for text in written if any(map(str.isalnum, text))), person.label)
            named.append(replace(person, label=label))
        return replace(self, persons=tuple(named))

    def describe(self) -> list[str]:
        """The risk in sentences, one per person, and what was not measured."""
        lines = [person.describe(self.people) for person in self.persons]
        if self.exposed:
            names = ", ".join(person.label for person in self.exposed)
            is_small = self.k is not None and self.people < self.k
            why = (
                f"there are only {self.people:,} people"
                if is_small
                else "what may be masked does not suffice"
            )
            lines.append(f"K = {self.k} was missed for {names}: {why}")
        if not self.persons:
            lines.append("risk in the crowd: not measured")
        return lines + ([self.note] if self.note else [])

    def to_json(self) -> dict[str, Any]:
        return {
            "measured": self.is_measured,
            "crowd": self.crowd,
            "people": self.people,
            "k": self.k,
            "reached": None if self.k is None or not self.persons else not self.has_missed,
            "partial": self.is_partial,
            "persons": [person.to_json() for person in self.persons],
            "note": self.note,
        }


def go_on() -> None:
    """Continue at once: no other work waits."""


@dataclass(frozen=True)
class Watchers:
    """The attackers who look for the subjects of one document: one reading per subject and attacker, in this order.

    The profile of each subject is the last column of its own rankers, so one `target` holds for all of them. `pause` is
    called between readings: it may wait for more urgent work, and ends the measuring by raising an error.
    """

    crowd: Crowd
    subjects: tuple[Subject, ...]
    words: Words
    attackers: tuple[str, ...]
    rankers: tuple[Ranker, ...] = field(repr=False)
    profiles: tuple[Profile, ...] = field(default=(), repr=False)
    pause: Callable[[], None] = field(default=go_on, repr=False)
    _begun: list[DocumentScorer] = field(default_factory=list, init=False, repr=False)

    @cached_property
    def scorers(self) -> tuple[DocumentScorer, ...]:
        return tuple(self._read(self.words.texts, self._begun))

    def _read(self, texts: Sequence[str], found: list[DocumentScorer]) -> Iterator[DocumentScorer]:
        """Adds what is missing to `found`, and yields all of it.

        The bi-encoder reads a text once for all subjects, and attackers together read nothing anew.
        """
        yield from tuple(found)
        for at in range(len(found), len(self.rankers)):
            self.pause()
            ranker = self.rankers[at]
            own = found[at // len(self.attackers) * len(self.attackers) :]
            if isinstance(ranker, JointRanker) and ranker.rankers.keys() <= set(self.attackers):
                found.append(ranker.join_scorers(dict(zip(self.attackers, own, strict=False))))
            elif isinstance(ranker, DenseRanker):
                found.append(ranker.read(texts, self._find_reading(ranker, texts, found)))
            else:
                found.append(ranker.read(texts))
            yield found[-1]

    def _find_reading(
        self, ranker: DenseRanker, texts: Sequence[str], found: Sequence[DocumentScorer]
    ) -> DocumentReading:
        for one in found:
            if isinstance(one, DenseScorer) and one.reading.model is ranker.model:
                return one.reading
        return DocumentReading(ranker.model, texts, None if self.pause is go_on else self.pause)

    def narrow(self, masks: Masks, most: int) -> tuple[list[DocumentScorer], int]:
        """Readings among the people who come into question under some maskings, and the place of the subject there.

        These are the `most` likeliest with each attacker. Somebody whom K of them outrank is outranked by K of all, so
        what a search finds out among them holds for the crowd.
        """
        chosen = [np.zeros(0, dtype=np.intp)]
        for scorer in self.scorers[: len(self.attackers)]:
            for row in scorer.score(masks)[:, : self.target]:
                near = np.argpartition(row, max(len(row) - most, 0))[-most:]
                chosen.append(near[np.isfinite(row[near])])
        people = np.append(np.unique(np.concatenate(chosen)), self.target)
        return self._narrow_scorers(people), len(people) - 1

    def _narrow_scorers(self, people: NDArray[np.intp]) -> list[DocumentScorer]:
        found: list[DocumentScorer] = []
        for at, (ranker, scorer) in enumerate(zip(self.rankers, self.scorers, strict=True)):
            own = found[at // len(self.attackers) * len(self.attackers) :]
            if isinstance(ranker, JointRanker) and ranker.rankers.keys() <= set(self.attackers):
                found.append(ranker.join_scorers(dict(zip(self.attackers, own, strict=False))))
            else:
                found.append(scorer.narrow(people))
        return found

    @classmethod
    def watch(
        cls,
        crowd: Crowd,
        subjects: Sequence[Subject],
        profiles: Sequence[Profile],
        words: Words,
        attackers: Sequence[str] = (),
        without: Sequence[int] = (),
        pause: Callable[[], None] = go_on,
    ) -> Watchers:
        """Reads the document once per subject and attacker. The people of `without` are never guessed."""
        chosen = crowd.choose(attackers)
        absent = (*crowd.without, *without)
        joined = [
            ranker.join(profile, absent) for profile in profiles for ranker in chosen.values()
        ]
        people = tuple(subjects)
        return cls(crowd, people, words, tuple(chosen), tuple(joined), tuple(profiles), pause)

    @property
    def target(self) -> int:
        return len(self.crowd)

    def name_attacker(self, scorer: int) -> str:
        return self.attackers[scorer % len(self.attackers)]

    def rank(self, scorer: int, mask: Mask) -> int:
        """The rank of its subject with one scorer under a mask."""
        self.pause()
        [place] = rank_profile(self.scorers[scorer].score(mask[None]), self.target)
        return place.rank

    @cached_property
    def _clear(self) -> tuple[Standing, ...]:
        """The standing of each subject and attacker with nothing masked, which no masking changes."""
        return tuple(self._stand_all(self.scorers, np.zeros((1, len(self.words)), dtype=bool)))

    @use_one_blas_thread()
    def measure(self, after: Mask, k: int | None = None, note: str = "") -> CrowdRisk:
        """The standing of every subject without a mask and with it."""
        now = self._stand_all(self.scorers, after[None])
        return self._describe(list(zip(self._clear, now, strict=True)), k, note)

    @use_one_blas_thread()
    def measure_text(self, words: Words, k: int | None = None, note: str = "") -> CrowdRisk:
        """The standing of every subject before masking, and in the masked text."""
        now = self._stand_all(self._read(words.texts, []), np.zeros((1, len(words)), dtype=bool))
        return self._describe(list(zip(self._clear, now, strict=True)), k, note)

    def _stand_all(self, scorers: Iterable[DocumentScorer], masks: Masks) -> Iterator[Standing]:
        """The standing of each subject and attacker under one mask."""
        for at, scorer in enumerate(scorers):
            self.pause()
            yield self._stand(at, scorer.score(masks))

    def _describe(
        self, standings: Sequence[Sequence[Standing]], k: int | None, note: str
    ) -> CrowdRisk:
        persons = []
        for at, subject in enumerate(self.subjects):
            own = standings[at * len(self.attackers) :][: len(self.attackers)]
            before = {name: pair[0] for name, pair in zip(self.attackers, own, strict=True)}
            now = {name: pair[1] for name, pair in zip(self.attackers, own, strict=True)}
            told = len(subject.facts)
            profile = self.profiles[at] if self.profiles else subject.profile
            persons.append(PersonRisk(subject.label, told, before, now, subject.entities, profile))
        return CrowdRisk(self.crowd.name, len(self.crowd), tuple(persons), note, k)

    def _stand(self, scorer: int, rows: LogProbabilities) -> Standing:
        attacker = self.name_attacker(scorer)
        [place] = rank_profile(rows, self.target)
        [odds] = compute_odds(rows, self.target)
        return Standing(place.rank, self.crowd.estimate_chance(attacker, float(odds)))
