"""No visible text and no other replacement says what a step of generalisation hides.

"Western African-born" hides Nigeria, and "a university in Nigeria" beside it gives it back. So the replacement that
says too much goes to a coarser step. Where the text itself says it, the step that hides it goes to its kind alone,
which nothing can narrow down. Facts are countries, regions, towns and their districts, the countries of currencies,
fields of work, birth years beside ages, and months, weekdays and seasons beside dates.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice

from maskwise.mask.days import list_days, read_days
from maskwise.mask.facts import find_birth_years, list_facts
from maskwise.mask.generalise.facts import fold_name
from maskwise.mask.masked import MaskedEntity
from maskwise.mask.operators import Replacement
from maskwise.text import Action, Document, Entity, EntityType, Mention

Place = tuple[int, int, str, int]  # start, end, the entity and which of its mentions
_HIDING = (EntityType.LOC, EntityType.DEM)
_NEAR = 300  # characters between an age and a birth year of perhaps the same person
_BESIDE = 100  # characters between a date and a weekday or season that is likely its own
_AGE = re.compile(
    r"(?i)\baged \d|\b\d{1,3}[- ]years?[- ]old\b|\bage of \d|\b\d{1,3} years of age\b"
)


@dataclass
class Settlement:
    """The replacements of a document, made coarser until none gives away what another hides."""

    document: Document
    masked: MutableMapping[str, MaskedEntity]
    written: MutableMapping[str, Replacement] = field(repr=False)

    def settle(self) -> None:
        """Coarsen step by step. Every step loses information, so there is an end."""
        if not any(one.decision.action is Action.GENERALISE for one in self.masked.values()):
            return
        for name in self.masked:
            self._settle_alone(name)
        while found := next(self._find_conflicts(), None):
            self._coarsen(found)
            self._settle_alone(found)

    def _settle_alone(self, name: str) -> None:
        """Coarsen a replacement until the visible text does not tell what it hides."""
        while self._can_coarsen(name) and (self._is_told(name) or self._has_told_day(name)):
            self._coarsen(name)

    def _is_told(self, name: str) -> bool:
        one = self.masked[name]
        if one.entity.type not in _HIDING:
            return False
        hidden = _list_own(one) - _list_said(self.written[name].texts)
        return bool(hidden & self._visible)

    def _has_told_day(self, name: str) -> bool:
        """Whether the text near a date says a month, a weekday or a season that its replacement hides."""
        one = self.masked[name]
        if one.entity.type is not EntityType.DATETIME:
            return False
        for mention, text in zip(one.entity.mentions, self.written[name].texts, strict=True):
            hidden = read_days(mention.text) - list_days(text)
            if hidden and hidden & list_days(self._read_near(name, mention)):
                return True
        return False

    def _coarsen(self, name: str) -> None:
        coarser = self.masked[name].coarsen()
        if coarser is None:  # only the kind is left: written as a suppressed entity is
            last = replace(self.masked[name].decision, action=Action.SUPPRESS, level=0)
            coarser = replace(self.masked[name], decision=last)
        self.masked[name] = coarser
        self.written[name] = replace(coarser.write(), is_coarser=True)

    def _can_coarsen(self, name: str) -> bool:
        return self.masked[name].decision.action is Action.GENERALISE

    def _find_conflicts(self) -> Iterator[str]:
        """Entities of which the replacement must say less."""
        says = {name: _list_said(one.texts) for name, one in self.written.items()}
        hides = {
            name: _list_own(one) - says[name]
            for name, one in self.masked.items()
            if one.entity.type in _HIDING
        }
        hidden = frozenset().union(*hides.values())
        yield from (n for n, said in says.items() if said & hidden and self._can_coarsen(n))
        yield from self._find_dated_ages()

    def _find_dated_ages(self) -> Iterator[str]:
        """Birth years near ages, of which one is masked: the year says less, or where it is visible the age."""
        for name, one in self.masked.items():
            if one.entity.type is not EntityType.DEM or not _is_age(one.entity):
                continue
            for other in self._list_births_near(one.entity):
                if other and self._can_coarsen(other):
                    yield other
                elif not other and self._can_coarsen(name):
                    yield name
        for name, one in self.masked.items():
            is_birth = one.entity.type is EntityType.DATETIME and _is_birth(one.entity)
            if is_birth and self._can_coarsen(name) and self._has_visible_age(one.entity):
                yield name

    def _read_near(self, name: str, mention: Mention) -> str:
        """The text that can be read near a mention, without masked parts, and with dates as the plan writes them."""
        start = max(0, mention.start - _BESIDE)
        end = mention.end + _BESIDE
        parts = []
        cursor = start
        for a, b, other, number in self._list_places(start, end):
            parts.append(self.document.text[cursor : max(cursor, a)])
            cursor = max(cursor, b)
            is_date = self.masked[other].entity.type is EntityType.DATETIME
            if is_date and other != name and self._can_coarsen(other):
                parts.append(self.written[other].texts[number])
        parts.append(self.document.text[cursor:end])
        return "\n".join(parts)

    def _list_places(self, start: int, end: int) -> Iterator[Place]:
        """The masked places that reach into a part of the text, in order."""
        first = bisect_left(self._places, start - self._longest, key=lambda place: place[0])
        for place in islice(self._places, first, None):
            if place[0] >= end:
                return
            if place[1] > start:
                yield place

    @cached_property
    def _places(self) -> list[Place]:
        return sorted(
            (mention.start, mention.end, name, number)
            for name, one in self.masked.items()
            for number, mention in enumerate(one.entity.mentions)
        )

    @cached_property
    def _longest(self) -> int:
        return max(end - start for start, end, *_ in self._places)

    def _list_births_near(self, age: Entity) -> Iterator[str]:
        """The masked birth dates near an age that still say a year, and an empty name for each visible one."""
        for name, one in self.masked.items():
            if one.entity.type is EntityType.DATETIME and _is_birth(one.entity):
                texts = self.written[name].texts
                if _is_near(age, one.entity) and any(find_years(text) for text in texts):
                    yield name
        spans = self._spans
        for start, end in find_birth_years(self.document.text):
            is_masked = any(a < end and start < b for a, b in spans)
            is_near = any(abs(mention.start - start) < _NEAR for mention in age.mentions)
            if is_near and not is_masked:
                yield ""

    def _has_visible_age(self, birth: Entity) -> bool:
        for found in _AGE.finditer(self.document.text):
            is_masked = any(a < found.end() and found.start() < b for a, b in self._spans)
            is_near = any(abs(mention.start - found.start()) < _NEAR for mention in birth.mentions)
            if is_near and not is_masked:
                return True
        return False

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return sorted(m.span for one in self.masked.values() for m in one.entity.mentions)

    @cached_property
    def _visible(self) -> frozenset[str]:
        """The facts that the unmasked text tells. A plan that is solved again leaves most of it as it was."""
        parts = []
        cursor = 0
        for start, end in self._spans:
            parts.append(self.document.text[cursor:start])
            cursor = max(cursor, end)
        parts.append(self.document.text[cursor:])
        return frozenset().union(*map(_list_stated, parts))


_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d|s)")


def find_years(text: str) -> list[str]:
    return _YEAR.findall(text)


def _is_near(one: Entity, other: Entity) -> bool:
    return any(abs(a.start - b.start) < _NEAR for a in one.mentions for b in other.mentions)


def _is_age(entity: Entity) -> bool:
    is_marked = any(subtype.startswith("age") for subtype in entity.subtypes)
    return is_marked or bool(_AGE.search(entity.longest.text))


def _is_birth(entity: Entity) -> bool:
    text = entity.first.document.text
    for mention in entity.mentions:
        before = text[max(0, mention.start - 24) : mention.start]
        if re.search(r"(?i)\b(?:born|birth|b\.)[^.;\n]*$", before):
            return True
    return False


def _list_own(one: MaskedEntity) -> frozenset[str]:
    """The facts that an entity tells. A suppressed town hides itself; a generalised one hides its country too."""
    texts = tuple(mention.text for mention in one.entity.mentions)
    found = _list_said(texts)
    # A district says its city, but it is the district that is hidden. Fields are hidden of occupations alone.
    names = " ".join(map(fold_name, texts))
    is_told = one.decision.action is Action.GENERALISE and one.entity.type is EntityType.DEM
    found = frozenset(
        fact
        for fact in found
        if _is_own(fact, names) and (is_told or not fact.startswith("field:"))
    )
    if one.decision.action is Action.GENERALISE:
        return found
    has_town = any(fact.startswith("place:") for fact in found)
    return frozenset(fact for fact in found if not has_town or fact.startswith("place:"))


def _is_own(fact: str, names: str) -> bool:
    kind, _, value = fact.partition(":")
    return kind != "place" or value in names


_list_stated = lru_cache(maxsize=4096)(list_facts)


@lru_cache(maxsize=4096)
def _list_said(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(list_facts, texts))


def settle_replacements(
    document: Document, masked: Mapping[str, MaskedEntity], written: Mapping[str, Replacement]
) -> dict[str, Replacement]:
    """The replacements, coarser where one would give away what another hides."""
    settlement = Settlement(document, dict(masked), dict(written))
    settlement.settle()
    return dict(settlement.written)
