"""Names and codes that are masked in one place and can be read in another.

The line masks an entity everywhere, but a person can unmask one occurrence, or mark one and not the next. Such a place
is refused at approval unless somebody unmasked it and gave a reason, which the certificate then holds. Places of other
types are shown to the person and refused by nobody.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import Any

from maskwise.errors import InputError
from maskwise.io.leaks.words import is_common
from maskwise.link.embedded import EmbeddedName, find_inside, list_embedded
from maskwise.server.review.marks import Mark, MarkState
from maskwise.text import Action, Decision, Entity, EntityType, Override
from maskwise.text.canvas import has_unspaced_script
from maskwise.text.folding import UNSEEN, fold_words

Span = tuple[int, int]
_UNSEEN = re.compile(f"[{UNSEEN}]+")
_TOKEN = re.compile(rf"[^\W_](?:[^\W_]|[\u0300-\u036f{UNSEEN}])*")
_HYPHENATED = re.compile(r"([^\W\d_]+)-\r?\n[ \t]*([^\W\d_]+)")  # a word cut at the end of a line
_LETTERS, _DIGITS = 3, 4  # shorter words and numbers stand everywhere
_LONG = 7  # digits that stand in no other number by chance
_FAR = 64  # marks that can lie over each other


@dataclass(frozen=True, slots=True)
class Shown:
    """A place `[start, end)` where a reader sees what is masked elsewhere as `entity`.

    `override` is the decision by which a person unmasked this place; `strict` says whether it is a name or a direct
    identifier.
    """

    start: int
    end: int
    entity: str
    strict: bool
    override: Override | None = field(default=None, repr=False)

    @property
    def is_refused(self) -> bool:
        return self.strict and not (self.override and self.override.reason)

    def describe(self) -> list[Any]:
        """The entry on the page: the place, the masked entity, and what is still asked for."""
        if not self.strict:
            return [self.start, self.end, self.entity, "noted"]
        state = "decided" if self.override else "open"
        return [self.start, self.end, self.entity, "reason" if self._is_without_reason else state]

    @property
    def _is_without_reason(self) -> bool:
        return self.override is not None and not self.override.reason

    def certify(self) -> dict[str, Any]:
        """The line of a certificate, without text of the document."""
        override = self.override or Override(self.entity, Action.KEEP)
        place = {"place": [self.start, self.end], "masked_elsewhere_as": self.entity}
        return {**place, "author": override.author, "reason": override.reason}


@dataclass(frozen=True)
class WordIndex:
    """Where the words of a text stand, in folded form."""

    text: str = field(repr=False)

    @cached_property
    def _words(self) -> tuple[tuple[str, int, int], ...]:
        return tuple(
            (word, hit.start(), hit.end())
            for hit in _TOKEN.finditer(self.text)
            for word in fold_words(_UNSEEN.sub("", hit[0]))
        )

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, ...]]:
        found: dict[str, list[int]] = {}
        for at, (word, _, _) in enumerate(self._words):
            found.setdefault(word, []).append(at)
        return {word: tuple(places) for word, places in found.items()}

    @cached_property
    def _hyphenated(self) -> Mapping[str, list[Span]]:
        found: dict[str, list[Span]] = {}
        for hit in _HYPHENATED.finditer(self.text):
            for word in fold_words(hit[1] + hit[2]):
                found.setdefault(word, []).append(hit.span())
        return found

    def find(self, words: tuple[str, ...]) -> Iterator[Span]:
        """Where some words stand side by side, or one of them in two lines."""
        if len(words) == 1:
            yield from self._hyphenated.get(words[0], ())
        for at in self._places.get(words[0], ()):
            run = self._words[at : at + len(words)]
            if tuple(word for word, _, _ in run) == words:
                yield run[0][1], run[-1][2]

    @cached_property
    def _squeezed(self) -> tuple[str, tuple[int, ...]]:
        """All words without what stands between them, and where each begins and the last ends."""
        words = [word for word, _, _ in self._words]
        return "".join(words), tuple(accumulate(map(len, words), initial=0))

    def find_code(self, code: str) -> Iterator[Span]:
        """Where a code stands, however its parts are grouped; a long number in longer ones and without zeros, too."""
        squeezed, begins = self._squeezed
        is_long = sum(map(str.isdecimal, code)) >= _LONG
        sought = code.lstrip("0") if is_long else code
        at = squeezed.find(sought)
        while at >= 0:
            first, last = bisect_right(begins, at) - 1, bisect_left(begins, at + len(sought)) - 1
            is_whole = begins[first] == at and begins[last + 1] == at + len(sought)
            if is_long or is_whole:
                yield self._words[first][1], self._words[last][2]
            at = squeezed.find(sought, at + 1)

    def find_embedded(self, entities: Mapping[str, Entity]) -> Mapping[str, Sequence[Span]]:
        """Where names stand inside of other words or in letters that look like theirs, by entity.

        It takes the whole text, and entities change less often than decisions, so the last answer is kept.
        """
        key = tuple(
            (name, entity.type, frozenset(mention.text for mention in entity.mentions))
            for name, entity in entities.items()
        )
        if key != self._embedded.get("key"):
            self._embedded.update(key=key, found=_find_embedded(self.text, entities))
        found: Mapping[str, Sequence[Span]] = self._embedded["found"]
        return found

    @cached_property
    def _embedded(self) -> dict[str, Any]:
        return {}

    def find_text(self, text: str) -> Iterator[Span]:
        """Where a text without spaces stands, whatever is beside it."""
        at = self.text.find(text)
        while at >= 0:
            yield at, at + len(text)
            at = self.text.find(text, at + 1)


def find_shown(
    index: WordIndex,
    marks: Iterable[Mark],
    entities: Mapping[str, Entity],
    decisions: Mapping[str, Decision],
) -> tuple[Shown, ...]:
    """All places at which something masked can be read, in order of position."""
    ordered = sorted(marks, key=lambda one: (one.start, one.end))
    cover = _ShownCover(ordered, decisions)
    found: dict[Span, Shown] = {}
    embedded = index.find_embedded(entities)
    for name, entity in entities.items():
        decision = decisions[name]
        is_strict = _is_strict(entity)
        if not decision.masked or not (is_strict or decision.override):
            continue
        inside = ((*span, True) for span in embedded.get(name, ()))
        for start, end, is_certain in chain(_find_places(index, entity), inside):
            if (start, end) in found or cover.is_masked(start, end):
                continue
            override = cover.find_keeper(start, end)
            if not is_certain and override is None:
                continue
            found[start, end] = Shown(start, end, name, is_strict, override)
    return tuple(sorted(_drop_inner(found.values()), key=lambda one: one.start))


def _find_embedded(text: str, entities: Mapping[str, Entity]) -> dict[str, list[Span]]:
    """Where the names of entities stand inside of other words or in letters that look like theirs, by entity."""
    bearers: dict[EmbeddedName, list[str]] = {}
    for key, entity in entities.items():
        for written in {mention.text for mention in entity.mentions}:
            for name in list_embedded(written, entity.type):
                bearers.setdefault(name, []).append(key)
    found: dict[str, list[Span]] = {}
    names = list(bearers)
    for start, end, number in find_inside(text, names):
        for key in bearers[names[number]]:
            found.setdefault(key, []).append((start, end))
    return found


def refuse_shown(places: Iterable[Shown]) -> None:
    """Refuse an approval that would publish what is masked elsewhere."""
    refused = [one for one in places if one.is_refused]
    if refused:
        raise InputError(
            f"{len(refused)} places show a name or code that is masked elsewhere: mask them, or give a reason (e) and "
            "unmask each (x)"
        )


def find_told(
    texts: Iterable[str], entities: Mapping[str, Entity], decisions: Mapping[str, Decision]
) -> set[str]:
    """The masked names and direct identifiers that texts of people tell, by entity, in any case of their letters."""
    indices = [WordIndex(text) for text in set(texts) if text]
    strict = {
        name: entity
        for name, entity in entities.items()
        if decisions[name].masked and _is_strict(entity)
    }
    found = {name for index in indices for name in index.find_embedded(strict)}
    return found | {
        name for name, entity in strict.items() if any(_is_told(index, entity) for index in indices)
    }


def _is_told(index: WordIndex, entity: Entity) -> bool:
    if next(_find_places(index, entity), None) is not None:
        return True
    codes = {_read_code(mention.text) for mention in entity.mentions} - {""}
    whole = _squeeze(index.text)
    return any(code in whole for code in codes)


def _read_code(text: str) -> str:
    """A code without what stands between its parts; nothing where there is too little to know it again."""
    code = _squeeze(text)
    return code if len(code) >= _DIGITS and any(map(str.isdecimal, code)) else ""


@lru_cache(maxsize=1 << 14)
def _squeeze(text: str) -> str:
    """The letters and digits of a text: a code stays the same, whatever stands between its parts."""
    return "".join(word for hit in _TOKEN.finditer(text) for word in fold_words(hit[0]))


def refuse_told(
    state: MarkState,
    entities: Mapping[str, Entity],
    decisions: Mapping[str, Decision],
    before: MarkState | None = None,
) -> None:
    """Refuse replacements and reasons that tell what is masked: the file has the former, its certificate the latter.

    With the state `before` an edit, only what is new is looked at, so that nothing hinders masking.
    """
    old = before or MarkState()
    written = [
        text
        for name, text in state.texts.items()
        if decisions[name].masked and old.texts.get(name) != text
    ]
    reasons = [
        override.reason
        for name, override in state.overrides.items()
        if old.overrides.get(name) != override
    ]
    for what, texts in (("replacement", written), ("reason", reasons)):
        if told := find_told(texts, entities, decisions):
            raise InputError(
                f"a {what} tells a name or code that is masked ({', '.join(sorted(told))}); "
                "write it without"
            )


def _is_strict(entity: Entity) -> bool:
    return entity.type is EntityType.PERSON or entity.is_direct


def _find_places(index: WordIndex, entity: Entity) -> Iterator[tuple[int, int, bool]]:
    """The places of an entity, and whether each is certain: a small letter may begin an everyday word."""
    is_person = entity.type is EntityType.PERSON
    for text in {mention.text for mention in entity.mentions}:
        if has_unspaced_script(text):
            yield from ((start, end, True) for start, end in index.find_text(text))
            continue
        if not is_person and (code := _read_code(text)):
            yield from ((start, end, True) for start, end in index.find_code(code))
        for words, is_capital in _list_needles(text, is_person):
            for start, end in index.find(words):
                yield start, end, not is_capital or index.text[start].isupper()


@lru_cache(maxsize=1 << 14)
def _list_needles(text: str, is_person: bool) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """The words of a text, and of a person each word that tells who it is; and whether a capital must begin them."""
    tokens = [(word, hit[0]) for hit in _TOKEN.finditer(text) for word in fold_words(hit[0])]
    telling = [word for word, written in tokens if _is_telling(word, written, is_person)]
    whole = tuple(word for word, _ in tokens)
    if not is_person:
        return ((whole, False),) if telling else ()
    is_name = len(tokens) > 1 and all(written[0].isupper() for _, written in tokens)
    found: list[tuple[tuple[str, ...], bool]] = []
    for word in telling:
        found += [((word,), True), ((word + "s",), True)]  # a family
    if len(tokens) > 1 and (telling or is_name):
        found.append((whole, not telling))
    if len(telling) > 1:  # as it stands in an address, too
        first, *_, last = telling
        found += [
            (tuple(telling), False),
            (("".join(telling),), False),
            ((first[0] + last,), False),
        ]
    return tuple(dict.fromkeys(found))


def _is_telling(word: str, written: str, is_person: bool) -> bool:
    if word.isdigit():
        return len(word) >= _DIGITS and not is_person
    is_name = written[0].isupper() or not is_person
    return is_name and len(word) >= _LETTERS and not is_common(word)


class _ShownCover:
    """The masks and the decisions of people over each place."""

    def __init__(self, marks: list[Mark], decisions: Mapping[str, Decision]) -> None:
        self._masked = [one for one in marks if decisions[one.entity].masked]
        self._kept = [one for one in marks if not decisions[one.entity].masked]
        self._decisions = decisions

    def is_masked(self, start: int, end: int) -> bool:
        return any(
            one.start < end and start < one.end for one in _find_near(self._masked, start, end)
        )

    def find_keeper(self, start: int, end: int) -> Override | None:
        """The decision by which a person unmasked the whole of a place."""
        for one in _find_near(self._kept, start, end):
            if one.start <= start and end <= one.end:
                override = self._decisions[one.entity].override
                if override is not None:
                    return override
        return None


def _find_near(marks: list[Mark], start: int, end: int) -> Iterator[Mark]:
    """The marks of a sorted list that can touch a span: those that begin before its end, the nearest first."""
    last = bisect_left(marks, end, key=lambda one: one.start)
    for at in range(last - 1, max(-1, last - _FAR), -1):
        yield marks[at]


def _drop_inner(found: Iterable[Shown]) -> list[Shown]:
    """Places without those inside another: a surname inside the name that is shown there."""
    ordered = sorted(found, key=lambda one: (one.start, -one.end))
    kept: list[Shown] = []
    for one in ordered:
        if not kept or one.end > kept[-1].end:
            kept.append(one)
    return kept
