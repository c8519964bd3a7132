"""Tells the gender of the people of a text where neither their titles nor their given names do.

A sentence that begins with "He" or "She" after a name, and is the first thing said after it, speaks of its bearer. The
titles of a surname that stands alone speak of all who bear it, if they agree.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from maskwise.mask.surrogate.origins import find_gender
from maskwise.text import Entity, Mention
from maskwise.text.gender import read_kin
from maskwise.text.person import Name, parse_name

_PRONOUN = re.compile(r"[.!?;][\"'”’)]*\s+(?:(He|His)|She|Her)\b")
_GREETING = re.compile(r"\b(?:Dear|Dearest|Hi|Hello|Hey|Hallo|Hej|Love)[,]?\s\Z")
_KIN_BEFORE = re.compile(r"\b[a-z-]+[,:]?\s\Z")
_REACH = 300  # characters between a name and the pronoun


class Told(NamedTuple):
    """The facts about a person in the text: the gender by pronouns and others' titles, that by words for relatives, and
    whether a name that stands alone is a given one."""

    gender: str = ""
    kin: str = ""
    is_given: bool = False


def tell_people(people: Sequence[Entity]) -> dict[str, Told]:
    """The facts that the text tells, by entity."""
    genders = tell_genders(people)
    found = {}
    for entity in people:
        kin = Counter(filter(None, (_read_kin(mention) for mention in entity.mentions)))
        is_given = any(_is_given_alone(mention) for mention in entity.mentions)
        found[entity.id] = Told(genders.get(entity.id, ""), _find_winner(kin), is_given)
    return found


def _read_kin(mention: Mention) -> str:
    return read_kin(mention.document.text, *mention.span)


def _is_given_alone(mention: Mention) -> bool:
    """Whether one word stands where people are called by their given name: "our son Kuba", "Dear Kuba,"."""
    text, (start, end) = mention.document.text, mention.span
    name = parse_name(mention.text)
    if len(name.words) != 1 or name.titled:
        return False
    if _GREETING.search(text, max(0, start - 12), start):
        return True
    before = text[max(0, start - 40) : start]
    return _KIN_BEFORE.search(before) is not None and bool(read_kin(text, start, end))


def tell_genders(people: Sequence[Entity]) -> dict[str, str]:
    """ "m" or "f" by entity, for those of whom the text tells it."""
    titles = _read_titles(people)
    pronouns = _read_pronouns(people)
    found = {}
    for entity in people:
        votes = pronouns.get(entity.id)
        if not votes:
            votes = Counter(_list_titles(entity, titles))
        if gender := _find_winner(votes):
            found[entity.id] = gender
    return found


def _list_titles(entity: Entity, titles: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The genders of the titles of a surname; none for a given name that tells more: "Piotr" beside "Mrs Nowak"."""
    names = _parse_names(entity)
    if any(find_gender(name.words[0]) for name in names if len(name.words) > 1):
        return
    for surname in {name.words[-1] for name in names if name.words}:
        yield from titles.get(surname, ())


def _parse_names(entity: Entity) -> list[Name]:
    return [parse_name(mention.text) for mention in entity.mentions]


def _read_titles(people: Iterable[Entity]) -> dict[str, set[str]]:
    """The genders of the titles before each surname that no given name of theirs tells apart."""
    titles: dict[str, set[str]] = defaultdict(set)
    for entity in people:
        names = _parse_names(entity)
        if all(len(name.words) + len(name.initials) < 2 for name in names):
            for name in names:
                if name.gender and name.words:
                    titles[name.words[-1]].add(name.gender)
    return titles


def _read_pronouns(people: Iterable[Entity]) -> dict[str, Counter[str]]:
    """How often "He" and "She" follow each person, with no other person between."""
    mentions = sorted(
        ((mention, entity.id) for entity in people for mention in entity.mentions),
        key=lambda pair: pair[0].start,
    )
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for at, (mention, name) in enumerate(mentions):
        text = mention.document.text
        if text.startswith(":", mention.end):  # whoever speaks does so of others
            continue
        end = mention.end + _REACH
        if at + 1 < len(mentions):
            end = min(end, mentions[at + 1][0].start)
        paragraph = text.find("\n\n", mention.end, end)
        found = _PRONOUN.search(text, mention.end, end if paragraph < 0 else paragraph)
        if found:
            votes[name]["m" if found[1] else "f"] += 1
    return votes


def _find_winner(votes: Counter[str]) -> str:
    """The gender with more votes; nothing where both have as many."""
    return max(votes, key=votes.__getitem__) if len(set(votes.values())) == len(votes) > 0 else ""
