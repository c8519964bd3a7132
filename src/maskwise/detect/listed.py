"""Texts that a user lists: every place where one stands, whether or not a detector saw something there.

A text is found as whole words. Case, accents, punctuation and line breaks do not matter: "Blue Heron" is found in
"BLUE-HÉRON". `ListedTexts` finds the places; `mark_listed` makes sure that each belongs to an entity that is marked.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from operator import itemgetter
from unicodedata import combining

from ahocorasick_rs import AhoCorasick

from maskwise.text import Document, Entity, EntityType, Mention, Provenance
from maskwise.text.canvas import is_whole_word, make_spoken_canvas
from maskwise.text.folding import fold_words
from maskwise.text.types import Span

_LONGEST = 200  # characters in the automaton, which takes the square of its longest text


class ListedTexts:
    """Texts to find. It remembers which were found, so that those that never were can be reported.

    >>> listed = ListedTexts(["Blue Heron", "parrot"])
    >>> listed.find("The blue-heron choir, in the Blue Heron.")
    [(4, 14), (29, 39)]
    >>> listed.unseen
    ('parrot',)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts: dict[str, list[str]] = {}
        for text in texts:
            self._texts.setdefault(" ".join(fold_words(text)), []).append(text)
        self._texts.pop("", None)
        self._seen: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._texts)

    @property
    def unseen(self) -> tuple[str, ...]:
        """The texts that stood in no text so far."""
        missed = (texts for key, texts in self._texts.items() if key not in self._seen)
        return tuple(chain.from_iterable(missed))

    def find(self, text: str) -> list[Span]:
        """The places of the texts, sorted and apart; of two that overlap the earlier, then the longer."""
        if not self._texts:
            return []
        canvas = make_spoken_canvas(text)
        found: list[Span] = []
        for start, end in self._find_folded(canvas.text):
            place = canvas.find_span(start, end)
            if is_whole_word(text, *place):
                self._seen.add(canvas.text[start:end])
                found.append(place)
        kept: list[Span] = []
        for start, end in sorted(found, key=lambda place: (place[0], -place[1])):
            if not kept or start >= kept[-1][1]:
                kept.append((start, end))
        return kept

    @cached_property
    def _short(self) -> AhoCorasick | None:
        short = [key for key in self._texts if len(key) <= _LONGEST]
        return AhoCorasick(short) if short else None

    def _find_folded(self, folded: str) -> Iterator[Span]:
        if self._short:
            for _, start, end in self._short.find_matches_as_indexes(folded, overlapping=True):
                yield start, end
        for key in self._texts:
            if len(key) > _LONGEST:
                at = folded.find(key)
                while at >= 0:
                    yield at, at + len(key)
                    at = folded.find(key, at + 1)


def mark_listed(
    document: Document, entities: Sequence[Entity], found: Sequence[Span]
) -> list[Entity]:
    """The entities with those of the places found among them, in order of first mention.

    A mention around a place is marked. A mention inside a place becomes part of it, unless it is a direct identifier.
    What no mention covers becomes an entity of its own, one per text.
    """
    if not found:
        return list(entities)
    rest: list[Entity] = []
    for entity in entities:
        mentions = tuple(_mark_mentions(entity, found))
        if mentions:
            rest.append(replace(entity, mentions=mentions))
    places = _list_uncovered(document.text, rest, found)
    ordered = sorted(_add_places(document, rest, places), key=lambda entity: entity.first.start)
    return [replace(entity, id=f"e{number}") for number, entity in enumerate(ordered, 1)]


def _list_uncovered(text: str, entities: Sequence[Entity], found: Sequence[Span]) -> list[Span]:
    taken = sorted(mention.span for entity in entities for mention in entity.mentions)
    return [piece for place in found for piece in _cut_covered(text, place, taken)]


def _add_places(
    document: Document, entities: Sequence[Entity], places: Sequence[Span]
) -> list[Entity]:
    """The entities with these places, each in the entity that has a mention of the same words, or in a new one."""
    added: dict[tuple[str, ...], list[Span]] = {}
    for start, end in places:
        added.setdefault(tuple(fold_words(document.text[start:end])), []).append((start, end))
    grown: list[Entity] = []
    for entity in entities:
        words = {tuple(fold_words(mention.text)) for mention in entity.mentions}
        own = [place for key in list(added) if key in words for place in added.pop(key)]
        new = [_make_mention(document, place, entity.type) for place in own]
        mentions = sorted([*entity.mentions, *new], key=lambda mention: mention.start)
        grown.append(replace(entity, mentions=tuple(mentions)) if new else entity)
    for own in added.values():
        mentions = [_make_mention(document, place, EntityType.MISC) for place in own]
        grown.append(Entity("", EntityType.MISC, tuple(mentions)))
    return grown


def _make_mention(document: Document, place: Span, kind: EntityType) -> Mention:
    return document.mention(*place, kind, source=Provenance.LISTED, certain=True)


def _mark_mentions(entity: Entity, found: Sequence[Span]) -> Iterator[Mention]:
    for mention in entity.mentions:
        touched = _find_touching(found, mention.span)
        is_inside = any(s <= mention.start and mention.end <= e for s, e in touched)
        if is_inside and mention.span not in touched and not entity.is_direct:
            continue
        # A protected name is masked in any case, and its source says more.
        is_marked = bool(touched) and mention.source != Provenance.PROTECT
        yield replace(mention, source=Provenance.LISTED) if is_marked else mention


def _find_touching(spans: Sequence[Span], place: Span) -> Sequence[Span]:
    """The spans, sorted and apart, that share a character with a place."""
    low = bisect_right(spans, place[0], key=itemgetter(1))
    high = bisect_left(spans, place[1], key=itemgetter(0))
    return spans[low:high]


def _cut_covered(text: str, place: Span, taken: Sequence[Span]) -> Iterator[Span]:
    """The stretches of a place that no mention covers and that hold a letter or digit."""
    cursor, last = place
    for start, end in [*_find_touching(taken, place), (last, last)]:
        if any(map(str.isalnum, text[cursor:start])):
            yield _trim(text, cursor, start)
        cursor = max(cursor, end)


def _trim(text: str, start: int, end: int) -> Span:
    """The span without signs at its edges that are neither letters nor digits. An accent goes with its letter."""
    while not (text[end - 1].isalnum() or combining(text[end - 1])):
        end -= 1
    while not text[start].isalnum():
        start += 1
    return start, end
