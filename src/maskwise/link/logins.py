"""Accounts made from a name: "ihansen", "hanseni", "ingridh" for Ingrid Hansen.

A long account counts wherever it stands in small letters. A short one may be a word, so it counts only beside a sign
that accounts have beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ahocorasick_rs import AhoCorasick

from maskwise.link.name_span import NameSpan
from maskwise.text import EntityType, Person
from maskwise.text.canvas import Canvas
from maskwise.text.common_words import COMMON
from maskwise.text.folding import fold_words
from maskwise.text.person import list_spellings
from maskwise.text.subtypes import HANDLE

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
