"""`RuleLinker`: mentions to entities by rules, and the mentions that detectors left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from maskwise.link.cluster import Group, Strings, cluster
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
            by_span = {mentions[at].span: person for at, person in people.items()}
            strings = Strings(mentions, people, short)
            pairs = [(mentions[brief].span, mentions[long].span) for brief, long in short.items()]
            settled = {strings.exact[mentions[at].text] for at in people}  # every writing of these is found already
            mentions = propagate(document, mentions, [s for s in _types(mentions, strings) if s[0] not in settled])
            at_span = {m.span: at for at, m in enumerate(mentions)} if by_span or pairs else {}
            people = {at_span[span]: person for span, person in by_span.items() if span in at_span}
            short = {at_span[b]: at_span[lg] for b, lg in pairs if b in at_span and lg in at_span}
        return _entities(mentions, cluster(mentions, people, short))


def _types(mentions: Sequence[Mention], strings: Strings) -> list[tuple[str, EntityType, int]]:
    return [
        (strings.exact[text], strings.type(mentions[where[0]]), where[0]) for text, where in strings.by_text.items()
    ]


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
