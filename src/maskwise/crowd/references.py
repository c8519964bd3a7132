"""Finds the people that each sentence is about: by name, by role, by "I", or by a pronoun that refers to them.

Where it is not plain whom a word means, it means everybody it may mean: a fact that is given to one person too many
costs a mask, a fact that is given to nobody is never hidden.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

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
from maskwise.crowd.pronouns import (
    Pronoun,
    Reference,
    Resolver,
    learn_genders,
    read_pronouns,
    resolve_pronouns,
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
_FIELD = re.compile(r"[^\W\d_][\w /'’-]{0,30}:")
_YOU = re.compile(r"\b[Yy]ours?\b|\b[Yy]ou\b")


_Item = TypeVar("_Item", "Reference", "Pronoun")


@dataclass(frozen=True, slots=True)
class Scene:
    """The sentences of a document, its people, and by sentence the places that mean some of them."""

    text: str = field(repr=False)  # without line breaks that wrap, see `join_lines`
    sentences: tuple[Span, ...]
    people: tuple[Someone, ...]
    references: tuple[tuple[Reference, ...], ...]
    genders: tuple[str, ...]
    has_turns: bool
    author: tuple[int, ...]

    def find_sentence(self, at: int) -> int:
        """The number of the sentence at an offset."""
        return max(bisect_right(self.sentences, (at, sys.maxsize)) - 1, 0)


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
    named += [Reference(*match.span(), greeted) for match in _YOU.finditer(text) if greeted]
    experts = frozenset(at for at, one in enumerate(people) if is_expert(text, one))
    named += _read_roles(text, people, author, experts)
    pronouns = read_pronouns(text)
    first = _name_unnamed(text, people, named, pronouns)
    by_sentence = _sort_into(spans, sorted(named))
    of_sentence = _sort_into(spans, pronouns)
    spoken = frozenset(greeted) | frozenset(author if len(author) == 1 else ())
    genders = learn_genders(people, spoken, by_sentence, of_sentence)
    heirs = [at for at in range(1, len(spans)) if _is_continued(text, spans[at - 1], spans[at])]
    third = ["-" if at in spoken else gender for at, gender in enumerate(genders)]
    found = resolve_pronouns(
        by_sentence, of_sentence, Resolver(third, first, experts), frozenset(heirs)
    )
    return Scene(text, spans, tuple(people), tuple(found), tuple(genders), bool(turns), author)


def _read_turns(
    text: str, turns: Sequence[Turn], own: Iterable[Span], people: list[Someone]
) -> list[Reference]:
    """The speaker of each message, whom "I" means in it. Adds the speakers whom no entity names to `people`."""
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
    """The people whom "I" means: those who sign, else the protected people, else somebody who is not named."""
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
    """The people whom "the applicant" and the like mean. Adds a person to `people` for a role that nobody has."""
    mentions = find_roles(text)
    linked = link_roles(text, people, mentions, experts)
    whom: dict[str, tuple[int, ...]] = {role: (at,) for role, at in linked.items()}
    protected = tuple(at for at, one in enumerate(people) if one.protected)
    open_roles = dict.fromkeys(mention.role for mention in mentions if mention.role not in whom)
    free = [at for at in range(len(people)) if at not in linked.values() and at not in experts]
    if free == list(author) and AUTHOR in (
        people[at].label for at in author if not people[at].names
    ):
        free = []  # an author who writes about a patient and gives no name is not the patient
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


def _name_unnamed(
    text: str, people: list[Someone], named: Sequence[Reference], pronouns: Sequence[Pronoun]
) -> tuple[int, ...]:
    """The people whom a pronoun means before anybody is named: protected people, or a person added to `people`."""
    silent = tuple(at for at, one in enumerate(people) if one.protected)
    if silent:
        return silent
    opening = next((one for one in pronouns if one.gender), None)
    before = min((reference.start for reference in named), default=len(text))
    if opening is None or opening.start > before:
        return ()
    people.append(Someone(gender=opening.gender))
    return (len(people) - 1,)


def _is_continued(text: str, before: Span, line: Span) -> bool:
    """Whether a line is a field of a form, or stands below a line with nothing but a few words, as a signature does."""
    if text.count("\n", before[1], line[0]) != 1:
        return False
    short = before[1] - before[0] < 40 and text[before[1] - 1] not in ".!?:,"
    return short or _FIELD.match(text, *line) is not None


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
