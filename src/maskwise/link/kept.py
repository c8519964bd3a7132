"""Texts that a user keeps: where one stands, what was detected there stays readable, whatever a model says.

A kept text never shows a protected person. A part of a person's name, of a code or of a direct identifier is not shown
either: such a mention stays only as a whole. Of other mentions the rest is masked: "[ORG 1] Norway".
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from maskwise.errors import PlanError
from maskwise.link.listed import (
    ListedPlace,
    ListedTexts,
    cut_covered,
    settle_places,
    trim_span,
)
from maskwise.text import Document, Entity, EntityType, IdentifierType, Mention, Provenance
from maskwise.text.folding import fold_words
from maskwise.text.person import parse_name
from maskwise.text.types import Span

_WHOLE = (EntityType.PERSON, EntityType.CODE)  # a part of one of these is never shown


def mark_kept(document: Document, entities: Sequence[Entity], listed: ListedTexts) -> list[Entity]:
    """The entities with the kept places among them, in order of first mention; notes the texts that keep something.

    Raises `PlanError` where a text would show a person to protect.
    """
    found = (place for place in listed.find_all(document.text) if not place.is_derived)
    places = settle_places(found)
    if not places:
        return list(entities)
    sorting = _Sorting(document, places)
    for entity in entities:
        sorting.sort_entity(entity)
    listed.note_seen(place.rule for place in places if sorting.is_shown(place))
    ordered = sorted(sorting.list_entities(), key=lambda entity: entity.first.start)
    return [replace(entity, id=f"e{number}") for number, entity in enumerate(ordered, 1)]


@dataclass
class _Sorting:
    """Divides the mentions of a document into those that stay and those that are decided like others."""

    document: Document
    places: Sequence[ListedPlace]
    kept: list[Entity] = field(default_factory=list)
    open: list[Entity] = field(default_factory=list)

    def sort_entity(self, entity: Entity) -> None:
        touched = [self._find_places(mention) for mention in entity.mentions]
        self._refuse_protected(entity, touched)
        if entity.is_listed or not any(touched):
            self.open.append(entity)
            return
        inside = [
            _is_covered(mention, found)
            for found, mention in zip(touched, entity.mentions, strict=True)
        ]
        is_named = entity.type is EntityType.PERSON and any(
            is_in and _count_names(mention) > 1
            for is_in, mention in zip(inside, entity.mentions, strict=True)
        )
        shown = [m for is_in, m in zip(inside, entity.mentions, strict=True) if is_in or is_named]
        hidden = [
            m for is_in, m in zip(inside, entity.mentions, strict=True) if not (is_in or is_named)
        ]
        if entity.type not in _WHOLE and not entity.is_direct:
            hidden = [piece for mention in hidden for piece in self._cut_mention(mention)]
        if shown:
            self.kept.append(_keep_mentions(entity, shown))
        if hidden:
            self.open.append(replace(entity, mentions=tuple(hidden)))

    def list_entities(self) -> Iterator[Entity]:
        """All entities, and one for each kept text that nothing was detected in."""
        yield from self.open
        yield from self.kept
        taken = sorted(m.span for entity in (*self.open, *self.kept) for m in entity.mentions)
        free: dict[tuple[str, ...], list[Mention]] = {}
        for place in self.places:
            for span in cut_covered(self.document.text, place[:2], taken):
                mention = self.document.mention(
                    *span, EntityType.MISC, source=Provenance.KEPT, certain=True
                )
                free.setdefault(tuple(fold_words(mention.text)), []).append(mention)
        for mentions in free.values():
            yield Entity("", EntityType.MISC, tuple(mentions), IdentifierType.NONE)

    def is_shown(self, place: ListedPlace) -> bool:
        """Whether nothing on the place is left to be masked."""
        return not any(
            mention.start < place.end and place.start < mention.end
            for entity in self.open
            for mention in entity.mentions
        )

    def _find_places(self, mention: Mention) -> Sequence[ListedPlace]:
        low = bisect_right(self.places, mention.start, key=lambda place: place.end)
        high = bisect_left(self.places, mention.end, key=lambda place: place.start)
        return self.places[low:high]

    def _refuse_protected(self, entity: Entity, touched: Sequence[Sequence[ListedPlace]]) -> None:
        for mention, found in zip(entity.mentions, touched, strict=True):
            if found and (entity.protected or mention.source == Provenance.PROTECT):
                raise PlanError(
                    f"must_keep: text {found[0].rule + 1} stands in the name of a person to protect "
                    f"(at {mention.start}); take it out of must_keep, or the person out of protect"
                )

    def _cut_mention(self, mention: Mention) -> Iterator[Mention]:
        """The rest of a mention beside the kept places in it."""
        cuts: list[Span] = [place[:2] for place in self._find_places(mention)]
        for start, end in cut_covered(self.document.text, mention.span, cuts):
            text = self.document.text[start:end]
            if text == mention.text:
                yield mention
            else:
                yield replace(mention, start=start, end=end, text=text, value="", certain=False)


def _is_covered(mention: Mention, places: Sequence[ListedPlace]) -> bool:
    """Whether a place holds all of a mention, or all of a name but its title."""
    start, end = trim_span(mention.document.text, *mention.span)
    for place in places:
        if place.start <= start and end <= place.end:
            return True
        if mention.type is EntityType.PERSON:
            name = parse_name(mention.text)
            words = fold_words(mention.document.text[place.start : place.end])
            if name.words and {*name.words, *name.initials} <= set(words):
                return True
    return False


def _count_names(mention: Mention) -> int:
    name = parse_name(mention.text)
    return len(name.words) + len(name.initials)


def _keep_mentions(entity: Entity, mentions: Sequence[Mention]) -> Entity:
    marked = tuple(replace(mention, source=Provenance.KEPT) for mention in mentions)
    return replace(entity, mentions=marked, identifier=IdentifierType.NONE)
