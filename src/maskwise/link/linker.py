"""`RuleLinker` groups mentions to entities by rules and adds the mentions that detectors left out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from maskwise.link.cluster import Group, SurfaceForm, Ties, cluster_mentions, list_surface_forms
from maskwise.link.definitions import find_definitions, split_definitions
from maskwise.link.embedded import find_embedded
from maskwise.link.identifiers import classify_identifier
from maskwise.link.initials import widen_initials
from maskwise.link.logins import add_logins
from maskwise.link.propagate import UNSOUGHT, propagate_names
from maskwise.link.protect import cut_names_out, protect_people
from maskwise.text import Document, Entity, EntityType, Mention, Provenance
from maskwise.text.subtypes import RELATIVE

_NO_SHORT_FORM = (EntityType.CODE, EntityType.DATETIME, EntityType.QUANTITY)
_LEAST = 3  # signs of what a name leaves of a mention


@dataclass(frozen=True)
class RuleLinker:
    """Finds protected people, reads definitions, seeks names again, then groups mentions to entities.

    Each step sees what the steps before it added.

    >>> from maskwise.text import Document, EntityType
    >>> document = Document("Ms Ana Souza left. Souza came back.")
    >>> [entity] = RuleLinker().link(document, [document.mention(0, 12, EntityType.PERSON)])
    >>> [m.span for m in entity.mentions]
    [(0, 12), (19, 24)]
    """

    propagate: bool = True

    def link(self, document: Document, mentions: Sequence[Mention]) -> list[Entity]:
        """Returns the entities by first mention. No two mentions of the document share a character."""
        mentions = widen_initials(document, mentions)
        protection = protect_people(document, mentions)
        mentions, short = _add_definitions(document, protection.mentions)
        ties = Ties(protection.people, short, protection.others)
        if self.propagate and (mentions or document.protected):
            known = _list_sought_forms(mentions, ties)
            mentions = propagate_names(document, mentions, known, {*short, *short.values()})
            mentions = add_logins(document, mentions)
            mentions, ties = _add_embedded(document, mentions, ties)
        groups = cluster_mentions(mentions, ties)
        return _build_entities(mentions, groups, bool(document.protected))


def _list_sought_forms(mentions: Sequence[Mention], ties: Ties) -> list[SurfaceForm]:
    """Returns the names to seek again. Every name of a protected person is found already."""
    sought: list[SurfaceForm] = []
    for form in list_surface_forms(mentions, ties, but=UNSOUGHT):
        starts = [mentions[at].start for at in form.members]
        if ties.people.keys().isdisjoint(starts):
            sought.append(form)
    return sought


def _add_definitions(
    document: Document, mentions: Sequence[Mention]
) -> tuple[list[Mention], dict[int, int]]:
    """Returns the mentions together with the short forms that the text defines.

    Also returns where the long form of each short form starts, by the start of the short form.
    """
    mentions = list(split_definitions(mentions))
    starts = [m.start for m in mentions]
    added: list[Mention] = []
    short: dict[int, int] = {}
    for start, end, long in find_definitions(document.text, mentions):
        if mentions[long].source == Provenance.LINK:
            continue  # linking its own output changes nothing
        at = bisect_right(starts, end - 1) - 1
        known = mentions[at] if at >= 0 else None
        if known is not None and known.end > start:
            if known.start >= start and known.type not in _NO_SHORT_FORM:
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


def _add_embedded(
    document: Document, mentions: Sequence[Mention], ties: Ties
) -> tuple[list[Mention], Ties]:
    """Returns the mentions with the names inside of other words, and ties of those that are written otherwise."""
    found = find_embedded(document, mentions)
    if not found:
        return list(mentions), ties
    people, short = dict(ties.people), dict(ties.short)
    written = {mention.text.lower() for mention in mentions}
    for mention, owner in found:
        if owner.is_protected:
            people[mention.start] = owner.number
        elif mention.text.lower() not in written:
            short[mention.start] = mentions[owner.number].start
    added = [mention for mention, _ in found]
    kept = chain.from_iterable(_cut_out(document, mention, added) for mention in mentions)
    return sorted([*kept, *added], key=lambda m: m.start), Ties(people, short, ties.others)


def _cut_out(document: Document, mention: Mention, added: Sequence[Mention]) -> Iterator[Mention]:
    """Yields what names inside of a mention leave of it."""
    for part in cut_names_out(document, mention, added):
        if part is mention or len(part) >= _LEAST:
            yield part


def _build_entities(
    mentions: Sequence[Mention], groups: Sequence[Group], has_protected: bool
) -> list[Entity]:
    entities = []
    for number, group in enumerate(groups, 1):
        found = tuple(mentions[at] for at in group.members)
        is_protected = has_protected and any(map(_is_of_protected_person, found))
        identifier = classify_identifier(found, is_protected)
        entities.append(Entity(f"e{number}", group.type, found, identifier, is_protected))
    return entities


def _is_of_protected_person(mention: Mention) -> bool:
    return mention.source == Provenance.PROTECT and mention.subtype != RELATIVE
