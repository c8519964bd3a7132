"""Joins the written names that are one person.

Names are taken apart and looked up by key, the fullest first, so that no two names without a common word are compared:

1. A name joins a fuller one that holds all its words and does not contradict its initials, in either order.
2. An initial and a word join the fuller name with that word and a first letter to match.
3. A word alone joins the fuller name that has it for a surname, else the one that has it at all.
4. A hyphenated surname joins the name that shares one half of it and the given name or initial.
5. Initials without a title join the full name whose initials they are.
6. A short form of a given name and a surname join the name with the given name in full: "Liz Moe", "Elizabeth Moe".
   A short form alone joins it too, if it is no surname in the text: "Kuba", "Jakub Moe".

A name joins only if exactly one fuller name answers and titles agree. With an Ivan and an Oleg Petrov in the text, "Mr
Petrov" is a third entity, because a wrong guess would put one brother's deeds under the other's label. "Mr Petrov" is
no Olga, and "Mr Petrov, my husband" joins only a man's name. Two words in either order are one name only if something
tells the surname: "Li Wei" and "Wei Li" are two people. Names of protected people are fixed before. Other names may
join them, except those that `apart` marks as another person's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from maskwise.link.union import DisjointSets
from maskwise.text.gender import guess_gender
from maskwise.text.nicknames import list_formal, list_kindred
from maskwise.text.person import Name, list_letters

Key = tuple[str, ...]
_KEPT = 12  # names remembered per key; two are ambiguous already, but titles may tell them apart


class PersonForm(NamedTuple):
    """One way a person is written: its node and the name taken apart.

    `fixed`: it names a protected person. `apart`: it shares a name with a protected person and names someone else.
    `related`: the text calls its bearer someone's relative.
    """

    node: int
    name: Name
    fixed: bool
    apart: bool = False
    related: bool = False


def join_people(sets: DisjointSets, forms: Sequence[PersonForm]) -> None:
    """Joins the nodes of one person."""
    people = _People(sets)
    for form in forms:
        if form.name.ordered:
            people.ordered.add(frozenset(form.name.words))
        if len(form.name.words) == 1:
            people.surnames.update(form.name.words if form.name.titled else ())
            if form.name.gender:
                people.titles[form.name.words[0]].add(form.name.gender)
    for form in sorted(forms, key=_rank_fullness):
        home = None if form.fixed else people.find_home(form)
        root = sets.find(form.node) if home is None else sets.join(home, form.node)
        people.settle_name(root, form, home)


def _rank_fullness(form: PersonForm) -> tuple[bool, int, bool, int]:
    """The order in which names settle: protected people, then the fullest names, then those with a title."""
    name = form.name
    return (not form.fixed, -2 * len(name.words) - len(name.initials), not name.gender, form.node)


class _People:
    """Names seen so far, by the keys that shorter names will ask for."""

    def __init__(self, sets: DisjointSets) -> None:
        self.titles: dict[str, set[str]] = defaultdict(set)
        self.surnames: set[str] = set()  # words that stand after a title somewhere
        self.ordered: set[frozenset[str]] = set()  # words of names that tell their surname
        self._sets = sets
        self._index: dict[Key, list[int]] = {}
        self._gender: dict[int, str] = {}
        self._given: dict[int, str] = {}  # the gender that a given name tells
        self._fixed: dict[int, str] = {}
        self._words: dict[int, set[str]] = {}
        self._middle: dict[int, str] = {}

    def find_home(self, form: PersonForm) -> int | None:
        """Returns the one set this name belongs to, if any."""
        for question in _list_questions(form.name):
            keys = (question.key, *question.others)
            found = {self._sets.find(node) for key in keys for node in self._index.get(key, ())}
            fitting = [root for root in found if self._can_join(root, form, question.whole)]
            if question.turned:
                fitting = [root for root in fitting if self._can_turn(root, form.name)]
            if fitting:
                return fitting[0] if len(fitting) == 1 else self._find_alone(form)
        return self._find_alone(form)

    def settle_name(self, root: int, form: PersonForm, home: int | None) -> None:
        """Adds a name to the set `root`, and to it all that is known of the set `home` that it joined."""
        name = form.name
        known = self._words.pop(home, set()) if home is not None else set()
        self._words[root] = known | set(name.words) | self._words.get(root, set())
        facts = (
            (self._gender, name.gender),
            (self._given, guess_gender(name.words[0]) if len(name.words) > 1 else ""),
            (self._fixed, "fixed" if form.fixed else ""),
            (self._middle, "".join(name.initials[1:2]) if name.words else ""),
        )
        for table, value in facts:
            at_home = table.get(home, "") if home is not None else ""
            value = value or at_home or table.get(root, "")
            if value:
                table[root] = value
        for key in _list_keys(name):
            nodes = self._index.setdefault(key, [])
            if len(nodes) < _KEPT and root not in nodes:
                nodes.append(root)

    def _find_alone(self, form: PersonForm) -> int | None:
        """Returns the set of the same single word: "Petrov" and "Mr Petrov" are one if no fuller name takes them."""
        name = form.name
        if len(name.words) != 1 or name.initials:
            return None
        found = {self._sets.find(node) for node in self._index.get(("alone", name.words[0]), ())}
        fitting = [root for root in found if self._is_compatible(root, form)]
        return fitting[0] if len(fitting) == 1 else None

    def _can_turn(self, root: int, name: Name) -> bool:
        """Whether something tells the surname of two words: a comma, capitals, a title elsewhere, a given name."""
        if len(name.words) != 2 or len(self._words[root]) > 2:
            return True
        if frozenset(name.words) in self.ordered or not self.surnames.isdisjoint(name.words):
            return True
        first, last = map(guess_gender, name.words)
        return bool(first) != bool(last)

    def _can_join(self, root: int, form: PersonForm, whole: bool) -> bool:
        """Whether a name may be a shorter form of the names in a set."""
        name = form.name
        if not self._is_compatible(root, form):
            return False
        if whole and not self._words[root].issuperset(name.words):
            return False
        middle = self._middle.get(root)
        if middle and name.words and len(name.initials) > 1 and middle != name.initials[1]:
            return False
        # "Mr Petrov" and "Mrs Petrov" both occur: only a name whose title is known can take "Petrov".
        return (
            len(name.words) + len(name.initials) > 1
            or bool(self._gender.get(root))
            or len(self.titles.get(name.words[0], ())) < 2
        )

    def _is_compatible(self, root: int, form: PersonForm) -> bool:
        """Whether titles, and a given name before a lone surname, leave it open that both are one person."""
        gender = form.name.gender
        if form.apart and root in self._fixed:
            return False
        known = self._gender.get(root, "")
        words = form.name.words
        if not known and (len(words) == 1 or (len(words) == 2 and _is_double(form.name))):
            known = self._given.get(root, "")
        if form.related and known != gender:
            return False
        return not gender or not known or known == gender


def _is_double(name: Name) -> bool:
    """Whether two words are one surname: "Pryce-Hughes", "Lo Presti"."""
    return name.hyphenated or name.words[0] in ("lo", "san", "della", "dello", "st")


class _Question(NamedTuple):
    """A key under which a fuller name may be found.

    `whole`: the fuller name must hold every word. `turned`: its words stand in the other order. `others` are asked for
    together with the key.
    """

    key: Key
    whole: bool = True
    turned: bool = False
    others: tuple[Key, ...] = ()


def _list_questions(name: Name) -> Iterator[_Question]:
    """Yields the keys to ask for, the most telling first."""
    words, initials = name.words[:5], name.initials
    if len(words) > 1:
        yield _Question(("two", words[0], words[-1]))
        yield _Question(("two", words[-1], words[0]), turned=True)
        if len(words) == 2 and not initials:
            kindred = [("two", other, words[1]) for other in list_kindred(words[0])]
            if kindred:
                yield _Question(kindred[0], whole=False, others=tuple(kindred[1:]))
        if name.hyphenated:
            halves = words[-2:]
            for half in halves:
                if len(words) > 2:
                    yield _Question(("two", words[0], half), whole=False)
                elif initials:
                    yield _Question(("initial", initials[0], half), whole=False)
    elif words and initials:
        yield _Question(("initial", initials[0], words[0]))
    elif len(initials) > 1 and not name.titled:
        yield _Question(("letters", "".join(initials)))
    elif words:
        yield _Question(("surname", words[0]))
        yield _Question(("word", words[0]))
        short: list[Key] = [
            (k, other) for other in list_kindred(words[0]) for k in ("given", "alone")
        ]
        if short and not name.titled:
            yield _Question(short[0], whole=False, others=tuple(short[1:]))


def _list_keys(name: Name) -> Iterator[Key]:
    """Yields the keys under which shorter forms of this name will ask for it."""
    words, initials = name.words[:5], name.initials
    if len(words) == 1 and not initials:
        yield ("alone", words[0])
        return
    for left, right in combinations(words, 2):
        yield ("two", left, right)
        yield ("initial", left[0], right)
        if left == words[0]:  # "W. Moe" for "Bill Moe"
            yield from (("initial", o[0], right) for o in list_formal(left) if o[0] != left[0])
        yield ("initial", right[0], left)
        if left[:2] in ("yu", "ya", "ye", "zh", "kh", "ch", "sh", "ts"):
            yield ("initial", left[:2], right)
    for letters in list_letters(name):
        yield ("letters", letters)
    for word in words:
        yield ("word", word)
        for letter in initials[:1]:
            yield ("initial", letter, word)
    if words:
        yield ("surname", words[-1])
    if len(words) > 1:
        yield ("given", words[0])
    if name.hyphenated and len(words) > 1:
        yield ("surname", words[-2])
