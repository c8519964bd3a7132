"""`RuleLinker` groups mentions to entities by rules and adds the mentions that detectors left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from maskwise.link.cluster import Group, Ties, cluster, list_surface_forms
from maskwise.link.definitions import find_definitions, split_definitions
from maskwise.link.identifiers import classify_identifier
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
        """Returns the entities by first mention. No two mentions of the document share a character."""
        mentions, people, others = protect(document, mentions)
        mentions, short = _add_definitions(document, mentions)
        ties = Ties(people, short, others)
        if self.propagate and mentions:
            # Every name of a protected person is found already.
            known = list_surface_forms(mentions, ties, but=UNSOUGHT)
            if people:
                known = [
                    form
                    for form in known
                    if all(mentions[at].start not in people for at in form.members)
                ]
            mentions = propagate(document, mentions, known, {*short, *short.values()})
        return _build_entities(mentions, cluster(mentions, ties), bool(document.protected))


def _add_definitions(
    document: Document, mentions: Sequence[Mention]
) -> tuple[list[Mention], dict[int, int]]:
    """Returns the mentions with the defined short forms among them, and by the start of each that of its long form."""
    mentions = list(split_definitions(mentions))
    starts = [m.start for m in mentions]
    added: list[Mention] = []
    short: dict[int, int] = {}
    for start, end, long in find_definitions(document.text, mentions):
        at = bisect_right(starts, end - 1) - 1
        known = mentions[at] if at >= 0 else None
        if known is not None and known.end > start:
            if known.start >= start and known.type not in (
                EntityType.CODE,
                EntityType.DATETIME,
                EntityType.QUANTITY,
            ):
                short[known.start] = mentions[long].start
        elif not added or added[-1].end <= start:
            origin = mentions[long]
            added.append(
                document.mention(
                    start, end, origin.type, source=Provenance.LINK, score=origin.score
                )
            )
            short[start] = origin.start
    merged = sorted([*mentions, *added], key=lambda m: m.start) if added else list(mentions)
    return merged, short


def _build_entities(
    mentions: Sequence[Mention], groups: Sequence[Group], anyone: bool
) -> list[Entity]:
    entities = []
    for number, group in enumerate(groups, 1):
        found = tuple(mentions[at] for at in group.members)
        protected = anyone and any(
            m.source == Provenance.PROTECT and m.subtype != RELATIVE for m in found
        )
        entities.append(
            Entity(
                f"e{number}", group.type, found, classify_identifier(found, protected), protected
            )
        )
    return entities
