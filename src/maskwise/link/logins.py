"""Accounts made from a name: "ihansen", "hanseni", "ingridh" for Ingrid Hansen.

A long account counts wherever it stands in small letters. A short one may be a word, so it counts only beside a sign
that accounts have beside them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter

from ahocorasick_rs import AhoCorasick

from maskwise.link.name_span import NameSpan
from maskwise.text import Document, EntityType, Mention, Person, Provenance
from maskwise.text.canvas import Canvas
from maskwise.text.common_words import COMMON
from maskwise.text.folding import fold_words
from maskwise.text.person import list_spellings
from maskwise.text.subtypes import HANDLE

_ACCOUNT = re.compile(
    r"\b(?:user(?: ?name)?|log-?in|account|handle|nick(?:name)?|user ?id)(?: is|:)? (?P<login>[a-z]{5,40}\d{0,4})\b",
    re.IGNORECASE,
)
_LEAST = 5  # letters of an account
_TELLING = 7  # letters that make no word of the language
_BEFORE, _AFTER = frozenset("=:/\\@~\"'<[("), frozenset("@:/\\\"'>])")


def make_logins(person: Person) -> set[str]:
    """Makes the accounts that an administrator would make.

    >>> sorted(make_logins(Person("Ingrid Solberg Hansen")))
    ['hanseni', 'hanseningrid', 'ihansen', 'ingridh', 'ishansen']
    """
    if len(person.names) < 2:
        return set()
    *given, family = ("".join(fold_words(name)) for name in person.names)
    if not all((*given, family)):
        return set()
    letters = "".join(name[0] for name in given)
    made = {given[0] + family[0]}
    for spelling in (family, *list_spellings(person.names[-1])):
        name = spelling.replace(" ", "")
        made.update((given[0][0] + name, letters + name, name + given[0][0], name + given[0]))
    return {login for login in made if len(login) >= _LEAST and login not in COMMON}


def add_logins(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions and the accounts, named as such, of those whose full names are among them."""
    spoken = _ACCOUNT.search(document.text)
    full = {m.text for m in mentions if m.type is EntityType.PERSON and " " in m.text}
    if not spoken or not full:
        return list(mentions)
    logins = {login for name in sorted(full) for login in make_logins(Person(name))}
    taken = sorted(m.span for m in mentions)
    added: list[Mention] = []
    for found in _ACCOUNT.finditer(document.text):
        start, end = found.span("login")
        at = bisect_right(taken, end - 1, key=itemgetter(0)) - 1
        if found["login"] in logins and not (at >= 0 and taken[at][1] > start):
            added.append(
                document.mention(
                    start, end, EntityType.CODE, subtype=HANDLE, source=Provenance.LINK
                )
            )
    return sorted([*mentions, *added], key=lambda m: m.start) if added else list(mentions)


def find_logins(text: str, canvas: Canvas, people: Sequence[Person]) -> Iterator[NameSpan]:
    """Yields the accounts of these people that stand as words."""
    owner: dict[str, int] = {}
    for number, person in enumerate(people):
        for login in sorted(make_logins(person)):
            owner.setdefault(login, number)
    if not owner:
        return
    logins = list(owner)
    automaton = AhoCorasick([f" {login} " for login in logins])
    for number, start, end in automaton.find_matches_as_indexes(
        f" {canvas.text} ", overlapping=True
    ):
        low, high = canvas.find_span(start, end - 2)
        word = text[low:high]
        placed = text[max(0, low - 1) : low] in _BEFORE or text[high : high + 1] in _AFTER
        if placed or (len(logins[number]) >= _TELLING and word.islower()):
            yield NameSpan(low, high, owner[logins[number]], EntityType.CODE, HANDLE)
