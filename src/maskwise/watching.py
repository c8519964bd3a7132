"""Measures each document of a line in a crowd, and hides its people there where the policy asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from maskwise.crowd.crowd import Crowd
from maskwise.crowd.measured import CrowdRisk, Watchers, go_on
from maskwise.crowd.population import Population
from maskwise.crowd.search import assign_words
from maskwise.crowd.subjects import Subject, find_subjects, read_known
from maskwise.crowd.words import Words
from maskwise.hiding import HiddenPlan, hide_people
from maskwise.settings import CrowdSettings
from maskwise.text import Action, Document, Entity, Evidence, Levels, Plan
from maskwise.text.evidence import CROWD

LONGEST = 20_000  # words up to which the least masks are searched for: about 120 kB
_CUT = "***"  # stands between words of which nothing is left to read


# Gives the best plan for what the policy knows and some further evidence, with the levels of operators.
SolveWithLevels = Callable[[Sequence[Evidence], Levels], Plan]


@dataclass(frozen=True, slots=True)
class Watched:
    """A plan, the evidence that the crowd added to it, and the risk that was measured."""

    plan: Plan
    evidence: tuple[Evidence, ...]
    risk: CrowdRisk


@dataclass(frozen=True)
class CrowdWatch:
    """The crowd of a policy. It is opened when the first document comes. `pause` is called between two readings."""

    settings: CrowdSettings = field(default_factory=CrowdSettings)
    given: Crowd | None = field(
        default=None, repr=False
    )  # in place of the one that the settings name
    pause: Callable[[], None] = field(default=go_on, repr=False)

    def watch(
        self, document: Document, entities: Sequence[Entity], levels: Levels, solve: SolveWithLevels
    ) -> Watched:
        """The plan of a document and its risk. Without people or facts the plan is the policy's own."""
        cast = find_subjects(document, entities, self._known)
        k = self.settings.k
        watchers = self.place_watchers(document, cast.subjects)
        is_long = bool(watchers.subjects) and len(watchers.words) > LONGEST
        careful = _mask_found(entities) if k is not None and (cast.is_partial or is_long) else []
        notes = [cast.note] if cast.note else []
        if is_long and k is not None:
            notes.append(f"the document has more than {LONGEST:,} words: no search for the least")
        note = "; ".join([*notes, "all that was found is masked"] if careful else notes)

        def plan(found: Sequence[Evidence], levels: Levels) -> Plan:
            return solve([*careful, *found], levels)

        evidence: tuple[Evidence, ...] = ()
        if not watchers.subjects:
            chosen = plan((), levels)
            risk = CrowdRisk(self._crowd.name, len(self._crowd), (), note, k)
        elif k is None or is_long:
            chosen = plan((), levels)
            risk = self.measure(watchers, document, entities, chosen, levels, note)
        else:
            hidden = self._hide(k, watchers, document, entities, levels, plan, note)
            chosen, evidence, risk = hidden.plan, hidden.evidence, hidden.risk
        risk = replace(risk, is_partial=cast.is_partial)
        return Watched(chosen, (*careful, *evidence), risk)

    def _hide(
        self,
        k: int,
        watchers: Watchers,
        document: Document,
        entities: Sequence[Entity],
        levels: Levels,
        plan: SolveWithLevels,
        note: str,
    ) -> HiddenPlan:
        hidden = hide_people(lambda found: plan(found, levels), entities, watchers, k, note)
        risk = self.measure(watchers, document, entities, hidden.plan, levels, note)
        if risk.exposed and _is_generalised(hidden.plan):
            # A less specific text still tells something: without levels everything is suppressed.
            return hide_people(lambda found: plan(found, {}), entities, watchers, k, note)
        return replace(hidden, risk=risk)

    def find_watchers(self, document: Document, entities: Sequence[Entity]) -> Watchers:
        """The attackers who look for the people of a document; without facts they look for no one."""
        return self.place_watchers(
            document, find_subjects(document, entities, self._known).subjects
        )

    def place_watchers(self, document: Document, subjects: Sequence[Subject]) -> Watchers:
        """The attackers who look for those subjects of whom anything is known. Of others a rank would say nothing."""
        names = [name for person in document.protected for name in (person.name, *person.aliases)]
        own = self._crowd.find_rows(names) or self._crowd.find_id(document.id)
        told = []
        for one in subjects:
            profile = one.full_profile if self.settings.further else one.profile
            told.append((one, self._crowd.add_rows(profile, own)))
        known = [(one, profile) for one, profile in told if profile.attributes]
        return Watchers.watch(
            self._crowd,
            [subject for subject, _ in known],
            [profile for _, profile in known],
            Words(document.text),
            self.settings.attackers,
            own,
            self.pause,
        )

    def measure(
        self,
        watchers: Watchers,
        document: Document,
        entities: Sequence[Entity],
        plan: Plan,
        levels: Levels,
        note: str,
    ) -> CrowdRisk:
        """The risk of what a reader sees: suppressed entities are gone, generalised ones read as their level."""
        if _is_generalised(plan):
            written = Words(write_generalised(document, entities, plan, levels))
            return watchers.measure_text(written, self.settings.k, note)
        spans = ([mention.span for mention in entity.mentions] for entity in entities)
        mask = np.zeros(len(watchers.words), dtype=bool)
        for unit, decision in zip(assign_words(watchers.words, spans), plan.decisions, strict=True):
            if decision.masked:
                mask[list(unit)] = True
        return watchers.measure(mask, self.settings.k, note)

    @cached_property
    def _crowd(self) -> Crowd:
        chosen = self.settings.population
        if self.given is not None:
            return self.given
        if chosen is None:
            return Crowd.open()
        if Path(chosen).is_dir():
            return Crowd.open(chosen)
        people = Population.load(chosen, texts=False)
        return Crowd.open().extend(people) if self.settings.extend else Crowd.of(people)

    @cached_property
    def _known(self) -> Mapping[str, Mapping[str, object]] | None:
        return read_known(Path(self.settings.known)) if self.settings.known else None


def _mask_found(entities: Sequence[Entity]) -> list[Evidence]:
    """Evidence against all that was found: for people who are not measured, no one knows what gives them away."""
    reason = "not all of this document could be measured, so all that was found is masked"
    return [
        Evidence((entity.id,), 1.0, 0.5, True, reason, CROWD)
        for entity in entities
        if not entity.is_candidate
    ]


def write_generalised(
    document: Document, entities: Sequence[Entity], plan: Plan, levels: Levels
) -> str:
    """The text with suppressed mentions cut out and generalised ones as their level writes them."""
    edits: list[tuple[int, int, str]] = []
    for entity, decision in zip(entities, plan.decisions, strict=True):
        if not decision.masked:
            continue
        is_level = decision.action is Action.GENERALISE
        text = levels[entity.id][decision.level - 1].text if is_level else _CUT
        edits += [(*mention.span, text) for mention in entity.mentions]
    parts: list[str] = []
    cursor = 0
    for start, end, text in sorted(edits):
        parts += [document.text[cursor:start], text]
        cursor = end
    return "".join((*parts, document.text[cursor:]))


def _is_generalised(plan: Plan) -> bool:
    return any(decision.action is Action.GENERALISE for decision in plan.decisions)
