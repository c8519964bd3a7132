"""`Planner`: from the marks of a document to its plan and masked text, and what differs between two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice, product
from typing import Any

from maskwise.crowd.measured import CrowdRisk
from maskwise.files import open_table
from maskwise.result import Draft, Result
from maskwise.revising import Reviser, name_risk
from maskwise.server.review.drafts import ReviewText, find_part
from maskwise.server.review.marks import EntityFacts, Mark, MarkState, make_entity
from maskwise.server.review.shown import Shown, find_shown
from maskwise.text import Action, Decision, Entity, Evidence
from maskwise.text.evidence import COMBINED, group_by_subject

UNSURE = 0.5  # the doubt from which the page asks a person to look
WAYS = 16  # of reading a combination whose members were split
Span = tuple[int, int]


@dataclass(frozen=True)
class Outlook:
    """A state, its plan and its masked text. Ids are those of the page, offsets those of the whole text."""

    state: MarkState
    drafts: tuple[Draft, ...] = field(repr=False)
    results: tuple[Result, ...] = field(repr=False)
    entities: Mapping[str, Entity] = field(repr=False)
    decisions: Mapping[str, Decision] = field(repr=False)
    edits: Mapping[Span, str] = field(repr=False)
    shown: tuple[Shown, ...] = ()  # where what is masked elsewhere can be read

    @cached_property
    def grouped(self) -> Sequence[Mapping[tuple[str, ...], Sequence[Evidence]]]:
        """The evidence of each part by what it is about."""
        return [group_by_subject(draft.evidence) for draft in self.drafts]

    @property
    def kept(self) -> float:
        """The share of the information of all entities that a reader still sees."""
        whole = sum(one.information for one in self.decisions.values())
        lost = sum(one.lost for one in self.decisions.values())
        return 1.0 - lost / whole if whole else 1.0


@dataclass
class Planner:
    """The plans of one document. Entities whose marks stay the same are made once."""

    reviser: Reviser
    whole: ReviewText
    start: MarkState
    drafts: Sequence[Draft]
    _known: dict[str, tuple[EntityFacts, tuple[Mark, ...], Entity]] = field(
        default_factory=dict, repr=False
    )

    def plan(self, state: MarkState, found: Sequence[Sequence[Evidence]] = ()) -> Outlook:
        """The plan of a state. `found` is what a crowd said last about each part."""
        drafts = self._make_drafts(state)
        ledger = open_table(self.reviser.sanitizer, self.whole.loaded)
        results = []
        for at, draft in enumerate(drafts):
            overrides = [
                one for name, one in state.overrides.items() if name in self._list_ids(draft)
            ]
            asked = found[at] if found else ()
            plan = self.reviser.solve(draft, overrides, asked)
            texts = {name: text for name, text in state.texts.items() if name in plan.by_entity}
            results.append(self.reviser.render(draft, plan, texts, ledger))
        return self._join(state, drafts, results)

    def _list_ids(self, draft: Draft) -> set[str]:
        return {entity.id for entity in draft.entities}

    def hide(self, state: MarkState) -> list[tuple[Evidence, ...]]:
        """The masks that the crowd asks for under the decisions of a state, per part."""
        found = []
        for draft in self._make_drafts(state):
            known = self._list_ids(draft)
            overrides = [one for name, one in state.overrides.items() if name in known]
            found.append(self.reviser.hide(draft, overrides).evidence)
        return found

    def measure(self, outlook: Outlook) -> CrowdRisk | None:
        """The risk of the first part in which people were found, or of the first part."""
        first = None
        for draft, result in zip(outlook.drafts, outlook.results, strict=True):
            risk = self.reviser.measure(draft, result.plan)
            named = name_risk(result, risk).risk
            if named is not None and named.is_measured:
                return named
            first = first or named
        return first

    def _make_drafts(self, state: MarkState) -> tuple[Draft, ...]:
        by_part: list[list[Entity]] = [[] for _ in self.whole.documents]
        for name, marks in state.by_entity.items():
            at = find_part(self.whole, marks[0].start)
            by_part[at].append(self._make_entity(name, state.facts[name], marks, at))
        moved = _follow_marks(self.start, state)
        drafts = []
        for base, entities in zip(self.drafts, by_part, strict=True):
            known = {entity.id for entity in entities}
            evidence = base.evidence
            if moved is not None:
                evidence = tuple(_carry_evidence(base.evidence, moved, known))
            drafts.append(Draft(base.document, tuple(entities), evidence, base.read))
        return tuple(drafts)

    def _make_entity(
        self, name: str, facts: EntityFacts, marks: tuple[Mark, ...], part: int
    ) -> Entity:
        known = self._known.get(name)
        if known is None or known[0] != facts or known[1] != marks:
            document, shift = self.whole.documents[part], self.whole.starts[part]
            made = make_entity(name, facts, marks, document, shift)
            self._known[name] = known = (facts, marks, made)
        return known[2]

    def _join(self, state: MarkState, drafts: tuple[Draft, ...], results: list[Result]) -> Outlook:
        entities: dict[str, Entity] = {}
        decisions: dict[str, Decision] = {}
        edits: dict[Span, str] = {}
        for start, result in zip(self.whole.starts, results, strict=True):
            entities.update((entity.id, entity) for entity in result.entities)
            decisions.update(result.plan.by_entity)
            for left, right, text in result.masks:
                edits[left + start, right + start] = text
        shown = find_shown(self.whole.index, state.marks.values(), entities, decisions)
        return Outlook(state, drafts, tuple(results), entities, decisions, edits, shown)


def _follow_marks(start: MarkState, state: MarkState) -> Mapping[str, Sequence[str]] | None:
    """Where the marks of each entity of the draft are now; None where nothing moved."""
    moved: dict[str, set[str]] = {}
    has_changed = False
    for key, mark in start.marks.items():
        now = state.marks.get(key)
        own = moved.setdefault(mark.entity, set())
        if now is not None:
            own.add(now.entity)
        has_changed |= now is None or now.entity != mark.entity
    if not has_changed:
        return None
    return {name: sorted(own) for name, own in moved.items()}


def _carry_evidence(
    evidence: Sequence[Evidence], moved: Mapping[str, Sequence[str]], known: set[str]
) -> Iterator[Evidence]:
    """Evidence about the entities into which those of the draft were split or joined."""
    for item in evidence:
        places = [[one for one in moved.get(name, ()) if one in known] for name in item.entities]
        for way in islice(product(*places), WAYS):
            names = tuple(dict.fromkeys(way))
            if names == item.entities:
                yield item
            elif len(names) == len(item.entities):
                yield _rename(item, names)


def _rename(item: Evidence, names: tuple[str, ...]) -> Evidence:
    from dataclasses import replace

    return replace(item, entities=names)


def rate_doubt(entity: Entity, evidence: Sequence[Evidence]) -> float:
    """How unsure the tool was about an entity: 0 for sure, 1 for a coin that fell on its edge."""
    if entity.protected or all(mention.certain for mention in entity.mentions):
        return 0.0
    spoken = [item.strength for item in evidence if not item.silent]
    strength = max(spoken) if spoken else entity.score
    return round(max(0.0, 1.0 - 2.0 * abs(strength - 0.5)), 3)


def count_doubtful(drafts: Sequence[Draft]) -> int:
    """The mentions about which the tool was unsure."""
    found = 0
    for draft in drafts:
        grouped = group_by_subject(draft.evidence)
        for entity in draft.entities:
            if rate_doubt(entity, _list_evidence(grouped, entity.id)) >= UNSURE:
                found += len(entity.mentions)
    return found


def describe_entity(outlook: Outlook, name: str, reviser: Reviser, part: int) -> dict[str, Any]:
    """The description of an entity for the page."""
    entity, decision = outlook.entities[name], outlook.decisions[name]
    draft, result = outlook.drafts[part], outlook.results[part]
    about = _list_evidence(outlook.grouped[part], name)
    levels = reviser.find_levels(draft, entity) if not entity.is_direct else ()
    override = decision.override
    return {
        "id": name,
        "type": entity.type.value,
        "identifier": entity.identifier.value,
        "confidential": outlook.state.facts[name].status,
        "protected": entity.protected,
        "candidate": entity.is_candidate,
        "score": round(entity.score, 3),
        "doubt": rate_doubt(entity, about),
        "action": decision.action.value,
        "level": decision.level,
        "levels": [level.text for level in levels],
        "reasons": list(decision.reasons),
        "information": round(decision.information, 3),
        "replacement": result.rendering.replacements.get(name),
        "written": outlook.state.texts.get(name),
        "accepted": name in outlook.state.accepted,
        "by": override.author if override else None,
        "because": override.reason if override else None,
        "exposure": decision.added_exposure,
    }


def _list_evidence(
    grouped: Mapping[tuple[str, ...], Sequence[Evidence]], name: str
) -> Sequence[Evidence]:
    own = grouped.get((name,), ())
    combined = [item for item in own if item.indicator == COMBINED]
    return combined or own


def list_changed(old: Outlook, new: Outlook) -> list[str]:
    """The entities that the page must show anew."""
    found = []
    for name, entity in new.entities.items():
        is_same = (
            old.entities.get(name) is entity
            and old.decisions.get(name) == new.decisions[name]
            and (name in old.state.accepted) == (name in new.state.accepted)
            and old.state.texts.get(name) == new.state.texts.get(name)
        )
        if not is_same or _find_replacement(old, name) != _find_replacement(new, name):
            found.append(name)
    return found


def _find_replacement(outlook: Outlook, name: str) -> str | None:
    for result in outlook.results:
        if name in result.rendering.replacements:
            return result.rendering.replacements[name]
    return None


def is_flipped(old: Outlook, new: Outlook, name: str) -> bool:
    """Whether another thing happens to an entity than before."""
    before, after = old.decisions.get(name), new.decisions.get(name)
    was = (before.action, before.level) if before else (Action.KEEP, 0)
    now = (after.action, after.level) if after else (Action.KEEP, 0)
    return was != now
