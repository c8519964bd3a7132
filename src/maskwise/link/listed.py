"""Texts that a user lists: every place where one stands, whether or not a detector saw something there.

A text is found as whole words. Case, accents, punctuation and line breaks do not matter: "Blue Heron" is found in
"BLUE-HÉRON". The name of a person is also found in its variants ("J. Smith", "Mr Smith"), and `re:` begins a regular
expression. `ListedTexts` finds the places; `mark_listed` makes sure that each belongs to an entity that is marked.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple
from unicodedata import combining

from ahocorasick_rs import AhoCorasick

from maskwise.link.protected_names import find_names
from maskwise.text import Document, Entity, EntityType, Mention, Person, Provenance
from maskwise.text.canvas import is_whole_word, make_spoken_canvas
from maskwise.text.english import HONORIFICS, PARTICLES
from maskwise.text.folding import fold_words
from maskwise.text.gender import guess_gender
from maskwise.text.types import Span

PATTERN = "re:"  # begins a text that is a regular expression
_LONGEST = 200  # characters in the automaton, which takes the square of its longest text


class ListedPlace(NamedTuple):
    """`[start, end)` holds the text with the number `rule`, or an account or address that is made of its name."""

    start: int
    end: int
    rule: int
    is_derived: bool = False


def check_texts(texts: Iterable[str]) -> None:
    """Raise `ValueError` where a text would match nothing in silence."""
    for number, text in enumerate(texts, 1):
        if not text.startswith(PATTERN):
            if not any(map(str.isalnum, text)):
                raise ValueError(f"text {number} has neither a letter nor a digit")
            continue
        try:
            pattern = re.compile(text.removeprefix(PATTERN))
        except re.error as error:
            raise ValueError(f"text {number} is no regular expression: {error.msg}") from None
        if pattern.fullmatch(""):
            raise ValueError(f"text {number} is a regular expression that matches nothing at all")


def is_person_name(text: str) -> bool:
    """Whether a text is surely the name of a person: a title or a known given name, then a capitalised name.

    >>> is_person_name("Ingrid van Dal"), is_person_name("Dr Umbra Oyelaran"), is_person_name("Blue Heron")
    (True, True, False)
    """
    words = text.split()
    if not 2 <= len(words) <= 5:
        return False
    names = [word for word in words if word.lower() not in PARTICLES]
    if not names or not all(
        word[0].isupper() and not any(map(str.isdigit, word)) for word in names
    ):
        return False
    is_titled = words[0].rstrip(".").lower() in HONORIFICS
    return is_titled or bool(guess_gender(words[0]))


class ListedTexts:
    """Texts to find. It remembers which were found, so that those that never were can be reported.

    >>> listed = ListedTexts(["Blue Heron", "parrot"])
    >>> listed.find("The blue-heron choir, in the Blue Heron.")
    [(4, 14), (29, 39)]
    >>> listed.unseen
    ('parrot',)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(dict.fromkeys(texts))
        self._keys: dict[str, int] = {}
        self._patterns: list[tuple[int, re.Pattern[str]]] = []
        self._people: list[tuple[int, Person]] = []
        for rule, text in enumerate(self._texts):
            if text.startswith(PATTERN):
                self._patterns.append((rule, re.compile(text.removeprefix(PATTERN))))
                continue
            self._keys.setdefault(" ".join(fold_words(text)), rule)
            if is_person_name(text):
                self._people.append((rule, Person(text)))
        self._keys.pop("", None)
        self._seen: set[int] = set()

    def __bool__(self) -> bool:
        return bool(self._texts)

    @property
    def unseen(self) -> tuple[str, ...]:
        """The texts that were noted nowhere so far."""
        same = {" ".join(fold_words(self._texts[rule])) for rule in self._seen}
        return tuple(
            text
            for rule, text in enumerate(self._texts)
            if rule not in self._seen and " ".join(fold_words(text)) not in same
        )

    def note_seen(self, rules: Iterable[int]) -> None:
        """Remember the rules that had an effect."""
        self._seen.update(rules)

    def find(self, text: str) -> list[Span]:
        """The places of the texts, sorted and apart; of two that overlap the earlier, then the longer."""
        places = list(self.find_all(text))
        self.note_seen(place.rule for place in places)
        return [(place.start, place.end) for place in settle_places(places)]

    def find_all(self, text: str) -> Iterator[ListedPlace]:
        """Every place of every text, in no order."""
        if self._keys:
            canvas = make_spoken_canvas(text)
            for start, end in self._find_folded(canvas.text):
                place = canvas.find_span(start, end)
                if is_whole_word(text, *place):
                    yield ListedPlace(*place, self._keys[canvas.text[start:end]])
        if self._people:
            people = tuple(person for _, person in self._people)
            for name in find_names(Document(text, protected=people)):
                is_derived = name.type is not EntityType.PERSON
                yield ListedPlace(name.start, name.end, self._people[name.person][0], is_derived)
        for rule, pattern in self._patterns:
            for match in pattern.finditer(text):
                if any(map(str.isalnum, match[0])):
                    yield ListedPlace(*trim_span(text, *match.span()), rule)

    @cached_property
    def _short(self) -> AhoCorasick | None:
        short = [key for key in self._keys if len(key) <= _LONGEST]
        return AhoCorasick(short) if short else None

    def _find_folded(self, folded: str) -> Iterator[Span]:
        if self._short:
            for _, start, end in self._short.find_matches_as_indexes(folded, overlapping=True):
                yield start, end
        for key in self._keys:
            if len(key) > _LONGEST:
                at = folded.find(key)
                while at >= 0:
                    yield at, at + len(key)
                    at = folded.find(key, at + 1)


def settle_places(places: Iterable[ListedPlace]) -> list[ListedPlace]:
    """The places sorted and apart: of two that overlap the earlier, then the longer."""
    kept: list[ListedPlace] = []
    for place in sorted(places, key=lambda place: (place.start, -place.end)):
        if not kept or place.start >= kept[-1].end:
            kept.append(place)
    return kept


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
    return [piece for place in found for piece in cut_covered(text, place, taken)]


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
        touched = find_touching(found, mention.span)
        is_inside = any(s <= mention.start and mention.end <= e for s, e in touched)
        if is_inside and mention.span not in touched and not entity.is_direct:
            continue
        # A protected name is masked in any case, and its source says more.
        is_marked = bool(touched) and mention.source != Provenance.PROTECT
        yield replace(mention, source=Provenance.LISTED) if is_marked else mention


def find_touching(spans: Sequence[Span], place: Span) -> Sequence[Span]:
    """The spans, sorted and apart, that share a character with a place."""
    low = bisect_right(spans, place[0], key=itemgetter(1))
    high = bisect_left(spans, place[1], key=itemgetter(0))
    return spans[low:high]


def cut_covered(text: str, place: Span, taken: Sequence[Span]) -> Iterator[Span]:
    """The stretches of a place that no mention covers and that hold a letter or digit."""
    cursor, last = place
    for start, end in [*find_touching(taken, place), (last, last)]:
        if any(map(str.isalnum, text[cursor:start])):
            yield trim_span(text, cursor, start)
        cursor = max(cursor, end)


def trim_span(text: str, start: int, end: int) -> Span:
    """The span without signs at its edges that are neither letters nor digits. An accent goes with its letter."""
    while not (text[end - 1].isalnum() or combining(text[end - 1])):
        end -= 1
    while not text[start].isalnum():
        start += 1
    return start, end
