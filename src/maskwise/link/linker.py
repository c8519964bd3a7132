"""`RuleLinker`: mentions to entities by rules, and the mentions that detectors left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from maskwise.link.cluster import Group, Ties, cluster, writings
from maskwise.link.definitions import definitions, split
from maskwise.link.identifiers import identifier_of
from maskwise.link.propagate import UNSOUGHT, propagate
from maskwise.link.protect import protect
from maskwise.text import Document, Entity, EntityType, Mention, Provenance
from maskwise.text.subtypes import RELATIVE


@dataclass(frozen=True)
class RuleLinker:
    """Protects, reads definitions, propagates names, then groups; each step sees what the one before it added.

    >>> from maskwise.text import Document, EntityType
    >>> document = Document("Ms Ana Souza left. Souza came back.")
    >>> [entity] = RuleLinker().link(document, [document.mention(0, 12, EntityType.PERSON)])
    >>> [m.span for m in entity.mentions]
    [(0, 12), (19, 24)]
    """

    propagate: bool = True

    def link(self, document: Document, mentions: Sequence[Mention]) -> list[Entity]:
        """Entities by first mention; no two mentions of the document share a character."""
        mentions, people, others = protect(document, mentions)
        mentions, short = _define(document, mentions)
        ties = Ties(people, short, others)
        if self.propagate and mentions:
            # Every writing of a protected person is found already.
            known = writings(mentions, ties, but=UNSOUGHT)
            if people:
                known = [w for w in known if all(mentions[at].start not in people for at in w.members)]
            mentions = propagate(document, mentions, known, {*short, *short.values()})
        return _entities(mentions, cluster(mentions, ties), bool(document.protected))


def _define(document: Document, mentions: Sequence[Mention]) -> tuple[list[Mention], dict[int, int]]:
    """Mentions with the defined short forms among them, and for the start of each the start of its long form."""
    mentions = list(split(mentions))
    starts = [m.start for m in mentions]
    added: list[Mention] = []
    short: dict[int, int] = {}
    for start, end, long in definitions(document.text, mentions):
        at = bisect_right(starts, end - 1) - 1
        known = mentions[at] if at >= 0 else None
        if known is not None and known.end > start:
            if known.start >= start and known.type not in (EntityType.CODE, EntityType.DATETIME, EntityType.QUANTITY):
                short[known.start] = mentions[long].start
        elif not added or added[-1].end <= start:
            origin = mentions[long]
            added.append(document.mention(start, end, origin.type, source=Provenance.LINK, score=origin.score))
            short[start] = origin.start
    merged = sorted([*mentions, *added], key=lambda m: m.start) if added else list(mentions)
    return merged, short


def _entities(mentions: Sequence[Mention], groups: Sequence[Group], anyone: bool) -> list[Entity]:
    entities = []
    for number, group in enumerate(groups, 1):
        found = tuple(mentions[at] for at in group.members)
        protected = anyone and any(m.source == Provenance.PROTECT and m.subtype != RELATIVE for m in found)
        entities.append(Entity(f"e{number}", group.type, found, identifier_of(found, protected), protected))
    return entities
