"""Invented people: the forms of a name and what is derived from it, and the cast of one document."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from random import Random

from documents import words
from documents.values import (
    CODES,
    LISTED,
    LOCALES,
    MADE,
    Value,
    fold_name,
    make_address,
    make_faker,
    read_list,
)

PEOPLE = "pqrstu"


class Identity:
    """One invented person: names, and what is derived from them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.locale = random.choice(LOCALES)
        fake = make_faker(self.locale)
        fake.seed_instance(random.getrandbits(32))
        self.woman = random.random() < 0.5
        self.first = (fake.first_name_female if self.woman else fake.first_name_male)().split()[0]
        if random.random() < 0.12:
            self.first = random.choice(read_list("given_names.txt"))
        self.last = fake.last_name()
        self.middle = random.choice(string.ascii_uppercase) + "."

    def show(self, form: str) -> str:
        """Returns one form of the name or of what belongs to it."""
        title = self.random.choice(("Mrs", "Ms", "Ms.")) if self.woman else "Mr"
        first, last = fold_name(self.first) or "ab", fold_name(self.last) or "cd"
        forms: dict[str, Callable[[], str]] = {
            "": lambda: f"{self.first} {self.last}",
            "first": lambda: self.first,
            "last": lambda: self.last,
            "mid": lambda: f"{self.first} {self.middle} {self.last}",
            "mr": lambda: f"{title} {self.last}",
            "mrfull": lambda: f"{title} {self.first} {self.last}",
            "dr": lambda: f"{self.random.choice(('Dr', 'Dr.'))} {self.last}",
            "drfull": lambda: f"{self.random.choice(('Dr', 'Dr.'))} {self.first} {self.last}",
            "comma": lambda: f"{self.last}, {self.first}",
            "init": lambda: f"{self.first[0]}. {self.last}",
            "initials": lambda: self.first[0].upper() + self.last[0].upper(),
            "lower": lambda: f"{self.first} {self.last}".lower(),
            "firstlower": lambda: self.first.lower(),
            "upper": lambda: f"{self.first} {self.last}".upper(),
            "lastupper": lambda: self.last.upper(),
            "nick": lambda: (
                self.first[: self.random.choice((3, 4))] if len(self.first) > 4 else self.first
            ),
            "user": lambda: self.random.choice(
                (
                    f"{first[0]}{last}",
                    f"{first}.{last}",
                    f"{first}{last[0]}",
                    f"{last}{self.random.randint(1, 99)}",
                )
            ),
            "handle": lambda: (
                "@"
                + self.random.choice(
                    (
                        f"{first}_{last}",
                        f"{first}{self.random.randint(1, 999)}",
                        f"the{first}",
                        f"{last}{first[0]}",
                        f"{first}.{last}{self.random.randint(70, 99)}",
                        f"x{first}x",
                    )
                )
            ),
            "mail": lambda: self._make_mail(first, last),
            "he": lambda: "she" if self.woman else "he",
            "capitalhe": lambda: "She" if self.woman else "He",
            "his": lambda: "her" if self.woman else "his",
            "him": lambda: "her" if self.woman else "him",
            "sex": lambda: "female" if self.woman else "male",
            "gentleman": lambda: self.random.choice(
                ("woman", "lady") if self.woman else ("man", "gentleman")
            ),
        }
        return forms[form]()

    def _make_mail(self, first: str, last: str) -> str:
        number = self.random.randint(1, 99)
        ways = (f"{first}.{last}", f"{first[0]}{last}", f"{first}{number}", f"{last}_{first}")
        return f"{self.random.choice(ways)}@{self.random.choice(words.MAIL_HOSTS)}"


PLAIN_FORMS = frozenset("he capitalhe his him sex gentleman".split())
CODE_FORMS = frozenset("user handle mail".split())


class Cast:
    """The people, places, organisations and codes of one document. A slot keeps its value."""

    def __init__(self, random: Random, clinical: bool = False) -> None:
        self.random = random
        self.clinical = clinical
        self._people: dict[str, Identity] = {}
        self._known: dict[str, tuple[Value, ...]] = {}

    def draw(self, slot: str, fresh: bool = False) -> Value:
        """Returns the value of a slot that is one piece."""
        return self.draw_parts(slot, fresh)[0]

    def draw_parts(self, slot: str, fresh: bool = False) -> tuple[Value, ...]:
        """Returns the pieces of a slot's value: an address may have several."""
        if fresh and slot[0] in PEOPLE and (len(slot) == 1 or slot[1] == "."):
            return (self._show_person(Identity(self.random), slot),)
        if fresh or slot not in self._known:
            value = self._make(slot)
            self._known[slot] = value
        return self._known[slot]

    def _make(self, slot: str) -> tuple[Value, ...]:
        owner, _, form = slot.partition(".")
        if owner in PEOPLE and len(owner) == 1:
            person = self._people.setdefault(owner, Identity(self.random))
            return (self._show_person(person, slot),)
        name = owner.rstrip("0123456789")
        return tuple(_make_value(name, form, self))

    def _show_person(self, person: Identity, slot: str) -> Value:
        owner, _, form = slot.partition(".")
        text = person.show(form)
        if form in PLAIN_FORMS:
            return Value(text)
        if form in CODE_FORMS:
            return Value(text, "CODE", 1.0, True)
        return Value(text, "PERSON", 1.0, owner == "p")


def _make_value(name: str, form: str, cast: Cast) -> Iterator[Value]:
    random = cast.random
    if name in words.PLAIN:
        yield Value(random.choice(words.PLAIN[name]))
    elif name in LISTED:
        yield Value(random.choice(read_list(LISTED[name])))
    elif name in words.TYPED:
        kind, mask, choices = words.TYPED[name]
        yield Value(random.choice(choices), kind, mask)
    elif name in CODES:
        yield Value(CODES[name](random), "CODE", 1.0, True)
    elif name in MADE:
        kind, mask, make = MADE[name]
        yield Value(make(random), kind, mask)
    elif name == "age":
        yield Value(str(random.randint(16, 88)), "DEM", 0.1 if cast.clinical else 0.8)
    elif name == "address":
        yield from make_address(random, form)
    else:
        raise KeyError(f"no slot {name!r}")
