"""Flags entities whose mentions tell a confidential attribute of somebody, and adds those that nothing else found."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from maskwise.text import Document, Entity, EntityType, Evidence, Mention, Provenance
from maskwise.text.confidential import Confidential, Disclosure
from maskwise.text.evidence import CONFIDENTIAL

# Dates, places and people beside an attribute are not the attribute.
_FLAGGED = (EntityType.DEM, EntityType.MISC, EntityType.ORG)


def flag_entities(
    entities: Sequence[Entity], disclosures: Sequence[Disclosure]
) -> tuple[list[Entity], list[Disclosure]]:
    """Returns the entities with their flags, and the disclosures that no flagged entity holds."""
    if not disclosures:
        return list(entities), []
    flagged: list[Entity] = []
    held: set[Disclosure] = set()
    for entity in entities:
        own = list(_find_own(entity, disclosures)) if entity.type in _FLAGGED else []
        held.update(own)
        flagged.append(replace(entity, disclosure=own[0]) if own else entity)
    return flagged, [one for one in disclosures if one not in held]


def add_disclosed(
    document: Document, entities: Sequence[Entity], left: Iterable[Disclosure]
) -> list[Entity]:
    """Returns the entities with one more for each disclosure that stands alone: c1, c2, ..."""
    taken = sorted(mention.span for entity in entities for mention in entity.mentions)
    added: list[Entity] = []
    for one in left:
        pieces = tuple(_cut_free(document, one, taken))
        if pieces:
            added.append(Entity(f"c{len(added) + 1}", EntityType.DEM, pieces, disclosure=one))
    return [*entities, *added]


def demand_masks(
    entities: Iterable[Entity], masked: Collection[Confidential]
) -> Iterator[Evidence]:
    """Yields the evidence that a policy masks what tells these categories."""
    for entity in entities:
        if entity.disclosure is not None and entity.disclosure.category in masked:
            reason = f"tells {entity.disclosure.category} of a person, which the policy masks"
            yield Evidence((entity.id,), 1.0, 0.5, True, reason, CONFIDENTIAL)


def _find_own(entity: Entity, disclosures: Sequence[Disclosure]) -> Iterator[Disclosure]:
    for one in disclosures:
        if any(m.start < one.end and one.start < m.end for m in entity.mentions):
            yield one


def _cut_free(
    document: Document, one: Disclosure, taken: Sequence[tuple[int, int]]
) -> Iterator[Mention]:
    """Yields the stretches of a disclosure that no mention covers."""
    cursor = one.start
    for start, end in (*taken, (one.end, one.end)):
        if end <= cursor or start > one.end:
            continue
        piece = document.text[cursor : min(start, one.end)]
        if piece.strip():
            low = cursor + len(piece) - len(piece.lstrip())
            yield document.mention(
                low,
                low + len(piece.strip()),
                EntityType.DEM,
                subtype=f"confidential_{one.category.lower()}",
                source=Provenance.LINK,
            )
        cursor = max(cursor, end)
