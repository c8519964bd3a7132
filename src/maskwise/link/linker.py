"""`RuleLinker`: mentions to entities by rules, and the mentions that detectors left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from maskwise.link.cluster import Group, cluster, writings
from maskwise.link.definitions import definitions
from maskwise.link.identifiers import identifier_of
from maskwise.link.propagate import propagate
from maskwise.link.protect import SOURCE, protect
from maskwise.text import Document, Entity, EntityType, Mention


class RuleLinker:
    """Protects, reads definitions, propagates names, then groups; each step sees what the one before it added.

    >>> from maskwise.text import Document, EntityType
    >>> document = Document("Ms Ana Souza left. Souza came back.")
    >>> [entity] = RuleLinker().link(document, [document.mention(0, 12, EntityType.PERSON)])
    >>> [m.span for m in entity.mentions]
    [(0, 12), (19, 24)]
    """

    def __init__(self, propagate: bool = True) -> None:
        self._propagate = propagate

    def link(self, document: Document, mentions: Sequence[Mention]) -> list[Entity]:
        """Entities by first mention; no two mentions of the document share a character."""
        mentions, people = protect(document, mentions)
        mentions, short = _define(document, mentions)
        if self._propagate and mentions:
            mentions, people, short = _spread(document, mentions, people, short)
        return _entities(mentions, cluster(mentions, people, short))


Numbers = dict[int, int]


def _spread(
    document: Document, mentions: list[Mention], people: Numbers, short: Numbers
) -> tuple[list[Mention], Numbers, Numbers]:
    """All mentions with the propagated ones, and the same people and short forms by their new numbers."""
    found = writings(mentions, people, short)
    settled = set(people)  # every writing of these is found already
    spread = propagate(document, mentions, [w for w in found if settled.isdisjoint(w.members)])
    if len(spread) == len(mentions) or not (people or short):
        return spread, people, short
    number = {m.start: at for at, m in enumerate(spread)}
    moved = {at: number.get(mentions[at].start, -1) for at in {*people, *short, *short.values()}}
    return (
        spread,
        {moved[at]: person for at, person in people.items()},
        {moved[brief]: moved[long] for brief, long in short.items() if moved[brief] >= 0 <= moved[long]},
    )


def _define(document: Document, mentions: Sequence[Mention]) -> tuple[list[Mention], dict[int, int]]:
    """Mentions with the defined short forms among them, and which is short for which."""
    starts = [m.start for m in mentions]
    added: list[Mention] = []
    pairs: list[tuple[int, int]] = []  # starts of the short and the long form
    for start, end, long in definitions(document.text, mentions):
        at = bisect_right(starts, end - 1) - 1
        known = mentions[at] if at >= 0 else None
        if known is not None and known.end > start:
            if known.start >= start and known.type not in (EntityType.CODE, EntityType.DATETIME, EntityType.QUANTITY):
                pairs.append((known.start, mentions[long].start))
        elif not added or added[-1].end <= start:
            origin = mentions[long]
            added.append(document.mention(start, end, origin.type, source="link", score=origin.score))
            pairs.append((start, origin.start))
    merged = sorted([*mentions, *added], key=lambda m: m.start) if added else list(mentions)
    if not pairs:
        return merged, {}
    at_start = {m.start: at for at, m in enumerate(merged)}
    return merged, {at_start[brief]: at_start[long] for brief, long in pairs if brief != long}


def _entities(mentions: Sequence[Mention], groups: Sequence[Group]) -> list[Entity]:
    entities = []
    for number, group in enumerate(groups, 1):
        found = tuple(mentions[at] for at in group.members)
        protected = any(m.source == SOURCE for m in found)
        entities.append(Entity(f"e{number}", group.type, found, identifier_of(found, protected), protected))
    return entities
