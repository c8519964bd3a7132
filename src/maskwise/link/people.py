"""Which written names are one person.

Names are taken apart and met by key, the fullest first, so that no two names are ever compared that share no word:

1. A name joins a fuller one that holds all its words and does not contradict its initials, in either order.
2. An initial and a word join the fuller name with that word and a first letter to match.
3. A word alone joins the fuller name that has it for a surname, else the one that has it at all.
4. A hyphenated surname joins the name that shares one half of it and the given name or initial.

Each only where exactly one fuller name answers and titles agree: with an Ivan and an Oleg Petrov in the text,
"Mr Petrov" is a third entity, for a wrong guess would put one brother's deeds under the other's label. Names of
protected people are fixed beforehand; others may join them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from maskwise.link.union import DisjointSets
from maskwise.text.person import Name

Key = tuple[str, ...]
_KEPT = 12  # names remembered under a key; more than one is ambiguous already, the rest serve titles


class Form(NamedTuple):
    """One way a person is written: its node, the name taken apart, and whether its entity is settled."""

    node: int
    name: Name
    fixed: bool


def join_people(sets: DisjointSets, forms: Sequence[Form]) -> None:
    people = _People(sets)
    for form in forms:
        if form.name.gender and len(form.name.words) == 1:
            people.titles[form.name.words[0]].add(form.name.gender)
    for form in sorted(forms, key=_fullest):
        home = None if form.fixed else people.home(form.name)
        people.settle(sets.find(form.node) if home is None else sets.join(home, form.node), form.name, home)


def _fullest(form: Form) -> tuple[bool, int, bool, int]:
    name = form.name
    return (not form.fixed, -2 * len(name.words) - len(name.initials), not name.gender, form.node)


class _People:
    """Names seen so far, by the keys shorter names will ask for."""

    def __init__(self, sets: DisjointSets) -> None:
        self.titles: dict[str, set[str]] = defaultdict(set)
        self._sets = sets
        self._index: dict[Key, list[int]] = {}
        self._gender: dict[int, str] = {}
        self._words: dict[int, set[str]] = {}
        self._middle: dict[int, str] = {}

    def home(self, name: Name) -> int | None:
        """The one set this name belongs to, if any."""
        for key, whole in _questions(name):
            found = {self._sets.find(node) for node in self._index.get(key, ())}
            fitting = [root for root in found if self._fits(root, name, whole)]
            if fitting:
                return fitting[0] if len(fitting) == 1 else self._alone(name)
        return self._alone(name)

    def settle(self, root: int, name: Name, home: int | None) -> None:
        known = self._words.pop(home, set()) if home is not None else set()
        self._words[root] = known | set(name.words) | self._words.get(root, set())
        for table, value in ((self._gender, name.gender), (self._middle, "".join(name.initials[1:2]))):
            value = value or (table.get(home, "") if home is not None else "") or table.get(root, "")
            if value:
                table[root] = value
        for key in _answers(name):
            nodes = self._index.setdefault(key, [])
            if len(nodes) < _KEPT and root not in nodes:
                nodes.append(root)

    def _alone(self, name: Name) -> int | None:
        """The set of the same lone word, for "Petrov" and "Mr Petrov" when no fuller name takes them."""
        if len(name.words) != 1 or name.initials:
            return None
        found = {self._sets.find(node) for node in self._index.get(("alone", name.words[0]), ())}
        fitting = [root for root in found if self._agrees(root, name)]
        return fitting[0] if len(fitting) == 1 else None

    def _fits(self, root: int, name: Name, whole: bool) -> bool:
        if not self._agrees(root, name) or (whole and not self._words[root].issuperset(name.words)):
            return False
        middle = self._middle.get(root)
        if middle and len(name.initials) > 1 and middle != name.initials[1]:
            return False
        # "Mr Petrov" and "Mrs Petrov" both occur: only a name whose title is known can take either.
        return len(name.words) > 1 or bool(self._gender.get(root)) or len(self.titles.get(name.words[0], ())) < 2

    def _agrees(self, root: int, name: Name) -> bool:
        return not name.gender or self._gender.get(root, name.gender) == name.gender


def _questions(name: Name) -> Iterator[tuple[Key, bool]]:
    """Keys under which a fuller name may be found, the most telling first; whether it must hold every word."""
    words, initials = name.words[:5], name.initials
    if len(words) > 1:
        yield ("two", words[0], words[-1]), True
        yield ("two", words[-1], words[0]), True
        if name.hyphenated:
            halves = words[-2:]
            for half in halves:
                if len(words) > 2:
                    yield ("two", words[0], half), False
                elif initials:
                    yield ("initial", initials[0], half), False
    elif words and initials:
        yield ("initial", initials[0], words[0]), True
    elif words:
        yield ("surname", words[0]), True
        yield ("word", words[0]), True


def _answers(name: Name) -> Iterator[Key]:
    words, initials = name.words[:5], name.initials
    if len(words) == 1 and not initials:
        yield ("alone", words[0])
        return
    for left, right in combinations(words, 2):
        yield ("two", left, right)
        yield ("initial", left[0], right)
        yield ("initial", right[0], left)
        if left[:2] in ("yu", "ya", "ye", "zh", "kh", "ch", "sh", "ts"):
            yield ("initial", left[:2], right)
    for word in words:
        yield ("word", word)
        for letter in initials[:1]:
            yield ("initial", letter, word)
    if words:
        yield ("surname", words[-1])
    if name.hyphenated and len(words) > 1:
        yield ("surname", words[-2])
