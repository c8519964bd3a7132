"""Who each sentence is about: by name, by role, in the author's own words, or by a pronoun that goes back to them.

Where it is not plain whom a word means, it means everybody it may mean: a fact that is given to one person too many
costs a mask, a fact that is given to nobody is never hidden.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, TypeVar

from maskwise.crowd.people import (
    RoleMention,
    Someone,
    find_addressee,
    find_author,
    find_roles,
    gather_named,
    is_expert,
    link_roles,
)
from maskwise.crowd.voice import (
    Turn,
    find_own_words,
    find_turns,
    is_first_person,
    join_lines,
    split_sentences,
)
from maskwise.text import Document, Entity
from maskwise.text.folding import fold_words
from maskwise.text.types import Span

AUTHOR = "the author"
_FEW = 12  # people to whom a pronoun may go back
_PRONOUN = re.compile(
    r"\b(?:(?P<m>[Hh]e|[Hh]is|[Hh]im(?P<him>(?!self))(?:self)?)"
    r"|(?P<f>[Ss]he|[Hh]ers|[Hh]er(?P<her>(?=[.,;]| (?:to|that|and|with|in|on|at|for|by|from|about|as|when|if)\b))?"
    r"(?:self)?)"
    r"|[Tt]he(?:y|ir|m))\b"
)
_FIELD = re.compile(r"[^\W\d_][\w /'’-]{0,30}:")
_YOU = re.compile(r"\b[Yy]ours?\b|\b[Yy]ou\b")


_Item = TypeVar("_Item", "Reference", "_Pronoun")


class Reference(NamedTuple):
    """A place where the text means people, by their numbers. `gender` is that of a pronoun."""

    start: int
    end: int
    whom: tuple[int, ...]
    gender: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """The sentences of a document, its people, and by sentence the places that mean some of them."""

    text: str  # without line breaks that wrap, see `join_lines`
    sentences: tuple[Span, ...]
    people: tuple[Someone, ...]
    references: tuple[tuple[Reference, ...], ...]
    genders: tuple[str, ...]
    has_turns: bool
    author: tuple[int, ...]

    def find_sentence(self, at: int) -> int:
        """The number of the sentence at an offset."""
        return max(bisect_right(self.sentences, (at, sys.maxsize)) - 1, 0)


class _Pronoun(NamedTuple):
    start: int
    end: int
    gender: str
    is_object: bool  # "told him": somebody else than who does it


def read_scene(document: Document, entities: Sequence[Entity]) -> Scene:
    """Finds the people of a document and every place that means them."""
    turns = find_turns(document.text)
    text = document.text if turns else join_lines(document.text)
    spans = tuple(split_sentences(text, turns))
    people = gather_named(document, entities)
    named = [
        Reference(mention.start, mention.end, (at,))
        for at, one in enumerate(people)
        for mention in one.mentions
    ]
    own = find_own_words(text)
    author: tuple[int, ...] = ()
    if turns:
        named += _read_turns(text, turns, own, people)
    elif is_first_person(text, own):
        author = _name_author(text, people)
        named += [Reference(start, end, author) for start, end in own]
    greeted = find_addressee(text, people)
    if greeted is not None:
        named += [Reference(*match.span(), (greeted,)) for match in _YOU.finditer(text)]
    experts = frozenset(at for at, one in enumerate(people) if is_expert(text, one))
    named += _read_roles(text, people, author, experts)
    pronouns = _read_pronouns(text)
    first = _name_unnamed(text, people, named, pronouns)
    by_sentence = _sort_into(spans, sorted(named))
    of_sentence = _sort_into(spans, pronouns)
    genders = _learn_genders(people, by_sentence, of_sentence)
    heirs = [at for at in range(1, len(spans)) if _goes_on(text, spans[at - 1], spans[at])]
    # Who writes and who is written to are "I" and "you", never "she".
    spoken = {greeted, *(author if len(author) == 1 else ())}
    third = ["-" if at in spoken else gender for at, gender in enumerate(genders)]
    found = _resolve(by_sentence, of_sentence, _Resolver(third, first, experts), frozenset(heirs))
    return Scene(text, spans, tuple(people), tuple(found), tuple(genders), bool(turns), author)


def _read_turns(
    text: str, turns: Sequence[Turn], own: Iterable[Span], people: list[Someone]
) -> list[Reference]:
    """Who speaks in each message, and whom "I" means in it. Adds the speakers whom no entity names to `people`."""
    numbers = {
        at: number for number, one in enumerate(people) for m in one.mentions for at in (m.start,)
    }
    by_name: dict[str, int] = {}
    found: list[Reference] = []
    speakers = []
    for turn in turns:
        start, end = turn.speaker
        name = text[start:end]
        number = numbers.get(start, by_name.get(name))
        if number is None:
            number = len(people)
            people.append(Someone(names=frozenset(fold_words(name))))
        by_name[name] = number
        speakers.append(number)
        found.append(Reference(start, end, (number,)))
    starts = [turn.start for turn in turns]
    for start, end in own:
        at = bisect_right(starts, start) - 1
        if at >= 0:
            found.append(Reference(start, end, (speakers[at],)))
    return found


def _name_author(text: str, people: list[Someone]) -> tuple[int, ...]:
    """Whom "I" means: who signs; else the protected people; else somebody whom the text does not name."""
    signer = find_author(text, people)
    if signer is not None:
        people[signer] = replace(people[signer], label=AUTHOR)
        return (signer,)
    protected = tuple(at for at, one in enumerate(people) if one.protected)
    if protected:
        return protected
    people.append(Someone(label=AUTHOR))
    return (len(people) - 1,)


def _read_roles(
    text: str, people: list[Someone], author: tuple[int, ...], experts: frozenset[int]
) -> list[Reference]:
    """Whom "the applicant" and the like mean. Adds somebody to `people` for a role that nobody named can have."""
    mentions = find_roles(text)
    linked = link_roles(text, people, mentions, experts)
    whom: dict[str, tuple[int, ...]] = {role: (at,) for role, at in linked.items()}
    protected = tuple(at for at, one in enumerate(people) if one.protected)
    open_roles = dict.fromkeys(mention.role for mention in mentions if mention.role not in whom)
    free = [at for at in range(len(people)) if at not in linked.values() and at not in experts]
    if free == list(author) and AUTHOR in (
        people[at].label for at in author if not people[at].names
    ):
        free = []  # who writes about a patient and never says who they are is not the patient
    for role in open_roles:
        whom[role] = protected or whom.get(role.removesuffix("s")) or tuple(free)
        if not whom[role]:
            whom[role] = (len(people),)
            people.append(Someone(label=f"the {role}"))
    return [
        Reference(*mention.span, whom[mention.role], mention.gender)
        for mention in _drop_nested(mentions)
    ]


def _drop_nested(mentions: Sequence[RoleMention]) -> list[RoleMention]:
    found: list[RoleMention] = []
    for mention in mentions:
        if not found or mention.span[0] >= found[-1].span[1]:
            found.append(mention)
    return found


def _read_pronouns(text: str) -> list[_Pronoun]:
    found = []
    for match in _PRONOUN.finditer(text):
        gender = "m" if match["m"] else "f" if match["f"] else ""
        is_object = match["him"] is not None or match["her"] is not None
        found.append(_Pronoun(match.start(), match.end(), gender, is_object))
    return found


def _name_unnamed(
    text: str, people: list[Someone], named: Sequence[Reference], pronouns: Sequence[_Pronoun]
) -> tuple[int, ...]:
    """Whom a pronoun means before anybody is named: protected people, or somebody who is then added to `people`."""
    silent = tuple(at for at, one in enumerate(people) if one.protected)
    if silent:
        return silent
    opening = next((one for one in pronouns if one.gender), None)
    before = min((reference.start for reference in named), default=len(text))
    if opening is None or opening.start > before:
        return ()
    people.append(Someone(gender=opening.gender))
    return (len(people) - 1,)


class _Resolver:
    """Reads sentences in order and says whom their pronouns mean: somebody of the sentence, else of earlier ones."""

    def __init__(
        self, genders: Sequence[str], first: tuple[int, ...], experts: frozenset[int]
    ) -> None:
        self._genders = genders
        self._experts = experts
        self._others = first  # who was meant last and is no expert
        self._last = first  # whom the last sentence that means anybody means
        self._recent: dict[str, tuple[int, ...]] = {}  # by gender, who was meant last
        self._near: dict[int, None] = {}  # whom the sentence has meant so far, the last at the end

    def read(self, events: Iterable[Reference | _Pronoun]) -> list[Reference]:
        """The references of a sentence, with those of its pronouns."""
        self._near = {}
        found: list[Reference] = []
        for event in events:
            if isinstance(event, _Pronoun):
                whom = self._resolve(event)
                event = Reference(event.start, event.end, whom, event.gender)
            if event.whom:
                found.append(event)
                self._approach(event.whom)
        if found:
            self._last = self._list_near()
            self._recent.update((self._genders[at], (at,)) for at in self._last)
            self._others = tuple(at for at in self._last if at not in self._experts) or self._others
        return found

    def _resolve(self, pronoun: _Pronoun) -> tuple[int, ...]:
        near = self._list_near()
        if not pronoun.gender:
            return near or self._carry_over("")
        fitting = [at for at in near if self._genders[at] in (pronoun.gender, "")]
        sure = [at for at in fitting if self._genders[at]]
        if sure and not pronoun.is_object:
            return (sure[-1],)
        found = tuple(dict.fromkeys([*fitting[-1:], *self._carry_over(pronoun.gender)]))
        return found or self._recent.get(pronoun.gender, ())

    def _carry_over(self, gender: str) -> tuple[int, ...]:
        """Whom a pronoun of a gender may mean from earlier sentences. A text goes on about no lawyer for long."""
        fitting = [at for at in self._last if not gender or self._genders[at] in (gender, "")]
        if fitting and self._experts.issuperset(fitting):
            fitting += [
                at for at in self._others if not gender or self._genders[at] in (gender, "")
            ]
        return tuple(dict.fromkeys(fitting))

    def _approach(self, whom: Iterable[int]) -> None:
        for at in whom:
            self._near.pop(at, None)
            self._near[at] = None

    def _list_near(self) -> tuple[int, ...]:
        return tuple(islice(reversed(self._near), _FEW))[::-1]


def _resolve(
    by_sentence: Sequence[Sequence[Reference]],
    of_sentence: Sequence[Sequence[_Pronoun]],
    resolver: _Resolver,
    heirs: frozenset[int],
) -> list[tuple[Reference, ...]]:
    """By sentence, whom its names and pronouns mean. One of `heirs` that means nobody means whom the last means."""
    found: list[tuple[Reference, ...]] = []
    for number, (names, words) in enumerate(zip(by_sentence, of_sentence, strict=True)):
        events: list[Reference | _Pronoun] = [*names, *words]
        events.sort(key=lambda event: event.start)
        here = resolver.read(events)
        if not here and number in heirs:
            here = [Reference(*one[:2], one.whom) for one in found[-1][-_FEW:]]
        found.append(tuple(here))
    return found


def _goes_on(text: str, before: Span, line: Span) -> bool:
    """Whether a line is a field of a form, or stands below a line with nothing but a few words, as a signature does."""
    if text.count("\n", before[1], line[0]) != 1:
        return False
    short = before[1] - before[0] < 40 and text[before[1] - 1] not in ".!?:,"
    return short or _FIELD.match(text, *line) is not None


def _list_people(references: Iterable[Reference]) -> tuple[int, ...]:
    """The people of some references, in order of appearance."""
    return tuple(dict.fromkeys(at for reference in references for at in reference.whom))


def _sort_into(spans: Sequence[Span], items: Sequence[_Item]) -> list[list[_Item]]:
    """The items of each sentence; all are in order of position."""
    found: list[list[_Item]] = [[] for _ in spans]
    at = 0
    for item in items:
        while at + 1 < len(spans) and spans[at + 1][0] <= item.start:
            at += 1
        if spans:
            found[at].append(item)
    return found


def _learn_genders(
    people: Sequence[Someone],
    by_sentence: Sequence[Sequence[Reference]],
    of_sentence: Sequence[Sequence[_Pronoun]],
) -> list[str]:
    """Genders that names tell, else those of the pronouns in sentences with one person, and in the next one."""
    votes = [{"m": 0, "f": 0} for _ in people]
    alone: tuple[int, ...] = ()
    for names, words in zip(by_sentence, of_sentence, strict=True):
        for name in names:
            if len(name.whom) == 1 and name.gender:
                votes[name.whom[0]][name.gender] += 1
        means = _list_people(names)
        alone = means or alone
        for pronoun in words:
            if len(alone) == 1 and pronoun.gender and not pronoun.is_object:
                votes[alone[0]][pronoun.gender] += 1
        if not means:
            alone = ()
    return [one.gender or _elect(vote) for one, vote in zip(people, votes, strict=True)]


def _elect(votes: dict[str, int]) -> str:
    if votes["m"] == votes["f"]:
        return ""
    return "m" if votes["m"] > votes["f"] else "f"
