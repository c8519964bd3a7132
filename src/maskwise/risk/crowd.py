"""Indicator 7, re-identification: which entities must go for the person to be hidden among K others of a population.

The greedy search (Morris et al. 2022) runs over the entities of the document; what it had to mask becomes evidence, one
by one and as the combination that gives the person away, so that a policy can demand k together with all else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import numpy as np

from maskwise.crowd.population import Population
from maskwise.crowd.ranker import Ranker
from maskwise.crowd.rankers import DENSE, fit_rankers
from maskwise.crowd.ranks import rank_by_attacker
from maskwise.crowd.search import Effort, Goal, SearchOutcome, Unit, assign_words, search
from maskwise.crowd.words import Mask, Words
from maskwise.errors import MaskingError
from maskwise.plugins import Count, Weight
from maskwise.text import Document, Entity, Evidence, Person
from maskwise.text.folding import fold_words

Otherwise = Literal["error", "accept"]


class ReidentificationIndicator:
    """Evidence for every entity: whether it may be seen by attackers who know the profiles of `population`.

    The person is the one whose profile has the document's id, else the one whose attribute `name` is a name to protect.
    `unknown` says what to do where there is no such profile, `unreached` where masking all entities does not hide the
    person: refuse the document (`error`), or `accept` it, without evidence or with all entities masked.
    """

    name = "reidentification"

    def __init__(
        self,
        population: str | Population,
        k: Count = 10,
        model: str | None = None,
        attackers: tuple[str, ...] = (),
        cache: str | None = None,
        margin: Weight = 0.0,
        name: str = "name",
        unknown: Otherwise = "error",
        unreached: Otherwise = "error",
    ) -> None:
        self._given = population
        self._model = model
        self._key = name
        self._attackers = tuple(attackers)
        self._cache = cache
        self._goal = Goal(k, margin)
        self._unknown = unknown
        self._unreached = unreached

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        target = self._find_target(document)
        if target is None:
            if self._unknown == "accept":
                return []
            raise MaskingError(
                f"document {document.id!r}: no profile has its id or the name of a person to protect"
            )
        words = Words(document.text)
        units = assign_words(words, ([m.span for m in entity.mentions] for entity in entities))
        given = [e.is_direct for e in entities]  # masked in any case
        start = np.zeros(len(words), dtype=bool)
        start[[at for unit, sure in zip(units, given, strict=True) if sure for at in unit]] = True
        readings = {name: ranker.read(words.texts) for name, ranker in self._rankers.items()}
        free = [unit for unit, sure in zip(units, given, strict=True) if unit and not sure]
        hidden = search(
            list(readings.values()), target, free, len(words), self._goal, Effort(), start
        )
        shown = [_show_unit(hidden.mask, unit, unit in hidden.units) for unit in units]
        told = rank_by_attacker(readings, target, np.array([start, hidden.mask, *shown]))
        ranks = np.array([[standing.rank for standing in found] for found in told.values()]).min(
            axis=0
        )
        if not hidden.reached and self._unreached == "error":
            raise MaskingError(
                f"document {document.id!r}: k = {self._goal.k} cannot be reached by masking its entities: the person "
                f"stays at rank {ranks[1]:,} of {self._size}"
            )
        return self._build_evidence(entities, units, given, hidden, ranks.tolist())

    def _build_evidence(
        self,
        entities: Sequence[Entity],
        units: Sequence[Unit],
        given: Sequence[bool],
        hidden: SearchOutcome,
        ranks: list[int],
    ) -> list[Evidence]:
        """`ranks` are those before and after the search, then with each unit shown."""
        before, after, *alone = ranks
        masked = set(hidden.units)
        found = []
        for entity, unit, sure, rank in zip(entities, units, given, alone, strict=True):
            if unit and not sure:
                risky = unit in masked
                reason = (
                    self._explain_needed(rank, after, hidden.reached)
                    if risky
                    else self._explain_free(after)
                )
                found.append(Evidence((entity.id,), float(risky), 0.5, risky, reason, self.name))
        together = tuple(e.id for e, unit in zip(entities, units, strict=True) if unit in masked)
        if len(together) > 1:
            reason = f"together these {len(together)} leave the person at rank {before:,} of {self._size}"
            found.append(Evidence(together, 1.0, 0.5, True, reason, self.name))
        return found

    def _explain_needed(self, rank: int, after: int, reached: bool) -> str:
        if not reached:
            return (
                f"even with all entities masked the person stays at rank {after:,} of {self._size}"
            )
        return f"with it the person is at rank {rank:,} of {self._size}, without it at {after:,}; k is {self._goal.k}"

    def _explain_free(self, after: int) -> str:
        return f"with it the person is still at rank {after:,} of {self._size}; k is {self._goal.k}"

    @property
    def _size(self) -> str:
        return f"{len(self._population):,}"

    @cached_property
    def _population(self) -> Population:
        known = self._given
        return known if isinstance(known, Population) else Population.load(known, texts=False)

    @cached_property
    def _rankers(self) -> dict[str, Ranker]:
        models = {DENSE: self._model} if self._model else None
        return fit_rankers(self._attackers, self._population, models, self._cache)

    @cached_property
    def _places_by_name(self) -> dict[tuple[str, ...], list[int]]:
        """Profiles by name, as its folded words."""
        found: dict[tuple[str, ...], list[int]] = {}
        for at, profile in enumerate(self._population):
            for name in profile.get(self._key):
                found.setdefault(_split_name(name), []).append(at)
        return found

    def _find_target(self, document: Document) -> int | None:
        if document.id in self._population:
            return self._population.index_of(document.id)
        names = [name for person in document.protected for name in (person.name, *person.aliases)]
        places = {at for name in names for at in self._places_by_name.get(_split_name(name), ())}
        if len(places) > 1:
            raise MaskingError(
                f"document {document.id!r}: {len(places)} profiles have the name of a person to protect; give the "
                "document the id of the right one"
            )
        return next(iter(places), None)


def _show_unit(mask: Mask, unit: Unit, masked: bool) -> Mask:
    shown = mask.copy()
    if masked:
        shown[list(unit)] = False
    return shown


def _split_name(name: str) -> tuple[str, ...]:
    """Without titles and accents, in the order of speech."""
    return tuple(fold_words(" ".join(Person(name).parts) or name))
