"""The person to protect, and the ways a name may be written: titles, particles, initials, order, spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

from maskwise.text.canvas import MARKS
from maskwise.text.english import FEMALE_TITLES, HONORIFICS, MALE_TITLES, PARTICLES
from maskwise.text.folding import fold_words, strip_accents

_GIVEN_PARTICLES = frozenset(
    ("al", "ben")
)  # "Ben Carter", "Al Carter": given names when they stand first
_SUFFIXES = frozenset("jr sr ii iii iv esq phd qc kc".split())
_INITIAL_PAIRS = (
    "yu",
    "ya",
    "ye",
    "zh",
    "kh",
    "ch",
    "sh",
    "ts",
    "dz",
    "th",
)  # "Yu. Petrov": one letter in Cyrillic

_LETTERS = rf"[^\W\d_](?:[^\W\d_]|[{MARKS}])*"
_WORD = re.compile(rf"{_LETTERS}(?:[-'’]{_LETTERS})*\.?")
_NAME_WORD = re.compile(rf"{_LETTERS}(?:'{_LETTERS})*\.?")
# Spellings of one sound; the canvas has already made "ü" a "u", "ø" an "o" and "å" an "a".
_LONG = (
    ("ä", "ae"),
    ("ö", "oe"),
    ("ü", "ue"),
    ("å", "aa"),
    ("ø", "oe"),
    ("æ", "ae"),
    ("ß", "ss"),
    ("œ", "oe"),
)
_SHORT = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("ae", "æ"), ("ss", "ß"), ("ph", "f"))


class Name(NamedTuple):
    """A name as written, taken apart: words and initials folded, particles and title left out."""

    words: tuple[str, ...]  # given names before the surname, whatever the order in the text
    initials: tuple[str, ...]
    gender: str  # "m" or "f" where the title tells
    titled: bool
    hyphenated: bool
    ordered: bool = False  # a comma or capitals tell the surname


def parse_name(surface: str) -> Name:
    """Take a name apart.

    >>> parse_name("Mrs A. Jolie-Pitt")
    Name(words=('jolie', 'pitt'), initials=('a',), gender='f', titled=True, hyphenated=True, ordered=False)
    >>> parse_name("van der BERG, Jan").words
    ('jan', 'berg')
    """
    text = strip_possessive(strip_accents(surface))
    tokens = _NAME_WORD.findall(text)
    title = 0
    genders = set()
    while title < len(tokens) - 1 and (low := tokens[title].rstrip(".").lower()) in HONORIFICS | {
        "and"
    }:
        genders.add("m" if low in MALE_TITLES else "f" if low in FEMALE_TITLES else "")
        title += 1
    genders.discard("")
    tokens = tokens[title:]
    comma = text.find(",")
    ordered = False
    if comma > 0 and len(tokens) > 1:
        family = len(_NAME_WORD.findall(text[:comma])) - title
        tokens = tokens[family:] + tokens[:family] if family > 0 else tokens
        ordered = True
    elif (
        len(tokens) > 1 and len(tokens[0]) > 2 and tokens[0].isupper() and not tokens[-1].isupper()
    ):
        family = next(at for at, token in enumerate(tokens) if not token.isupper())
        tokens = tokens[family:] + tokens[:family]
        ordered = True
    full: list[str] = []
    initials: list[str] = []
    for at, token in enumerate(tokens):
        word = token.rstrip(".").lower()
        if (len(word) == 1 and token[0].isupper()) or (word in _INITIAL_PAIRS and token[-1] == "."):
            initials.append(word)
        elif (
            word in PARTICLES
            and len(tokens) > 1
            and not (at == 0 == title and _is_given(word, text))
        ):
            continue
        elif word not in _SUFFIXES:
            full.append(word)
    gender = genders.pop() if len(genders) == 1 else ""
    return Name(tuple(full), tuple(initials), gender, title > 0, "-" in text, ordered)


def strip_possessive(text: str) -> str:
    """ "Ana's" is Ana, "the Petrovs'" the Petrovs."""
    if text.endswith(("'s", "’s", "'S", "’S")):
        return text[:-2]
    return text[:-1] if text.endswith(("s'", "s’")) else text


def _is_given(word: str, text: str) -> bool:
    return word in _GIVEN_PARTICLES and not text.lower().startswith(word + "-")


def list_spellings(word: str) -> tuple[str, ...]:
    """A word as the canvas may show it: with its accents dropped, or written out, or contracted.

    >>> list_spellings("Müller")
    ('muller', 'mueller')
    """
    low = word.lower()
    long = low
    for letter, pair in _LONG:
        long = long.replace(letter, pair)
    plain = " ".join(fold_words(low))
    forms = [plain, " ".join(fold_words(long))]
    forms += [plain.replace(pair, letter) for pair, letter in _SHORT if pair in plain]
    forms += [
        " ".join(fold_words(re.sub("['’]", "", form)))
        for form in (low, long)
        if re.search("['’]", form)
    ]
    return tuple(dict.fromkeys(form for form in forms if form))


class Variant(NamedTuple):
    """One way to write a name, as words of the spoken canvas; `full` words and `initials` it uses."""

    text: str
    full: int
    initials: int


@dataclass(frozen=True)
class Person:
    """Someone whose identity must not be found out: a full name and any known aliases.

    >>> Person("Mrs Ana Maria de Souza").surname
    'de Souza'
    """

    name: str
    aliases: tuple[str, ...] = ()

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Words of the name without honorifics: ("Ana", "Maria", "de", "Souza")."""
        family, comma, given = self.name.partition(",")
        found = _WORD.findall(f"{given} {family}" if comma else self.name)
        while len(found) > 1 and found[0].rstrip(".").casefold() in HONORIFICS:
            found = found[1:]
        return tuple(found)

    @cached_property
    def surname(self) -> str:
        """Last part with its particles: "de Souza"."""
        parts = self.parts
        if not parts:
            return self.name.strip()
        start = len(parts) - 1
        while start > 1 and parts[start - 1].casefold() in PARTICLES:
            start -= 1
        return " ".join(parts[start:])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The given and family names one by one, without particles; hyphenated names stay whole."""
        kept = [p.rstrip(".") for p in self.parts if len(fold_words(p)) > 0]
        solid = tuple(
            p
            for at, p in enumerate(kept)
            if p.casefold() not in PARTICLES or (at == 0 and len(kept) == 2)
        )
        return solid or tuple(kept)

    def variants(self) -> Iterator[Variant]:
        """Every order and abbreviation of the name and the aliases, spelt every way; singles included."""
        yield from dict.fromkeys(self._list_own_variants())
        for alias in self.aliases:
            if whole := " ".join(fold_words(alias)):
                yield Variant(whole, 1 if alias.isalpha() else 2, 0)
            yield from dict.fromkeys(Person(alias)._list_own_variants())

    def _list_own_variants(self) -> Iterator[Variant]:
        units = self.names[:1] + self.names[-3:] if len(self.names) > 4 else self.names
        if not units:
            return
        yield Variant(" ".join(fold_words(" ".join(self.parts))), len(units), 0)
        spelt = [self._list_spellings(unit, 4 if len(units) < 3 else 2) for unit in units]
        letters = [_list_initials(unit) for unit in units]
        for pattern in product((0, 1, 2), repeat=len(units)):  # absent, initial, full
            present = [at for at, how in enumerate(pattern) if how]
            full = pattern.count(2)
            if not full and not (len(present) > 1 and pattern[0] and pattern[-1]):
                continue
            for order in _list_orders(present) if full else [present]:
                choices = [spelt[at] if pattern[at] == 2 else letters[at] for at in order]
                for pieces in product(*choices):
                    yield Variant(" ".join(pieces), full, len(present) - full)
        for unit in units:
            yield from (
                Variant(piece, 1, 0) for piece in fold_words(unit) if "-" in unit and len(piece) > 3
            )

    def _list_spellings(self, unit: str, most: int) -> tuple[str, ...]:
        """Lists the spellings of one name; a surname goes with and without its particles."""
        plain = list_spellings(unit)[:most]
        particles = " ".join(word for word in fold_words(self.surname) if word in PARTICLES)
        if unit != self.names[-1] or not particles or len(self.names) < 2:
            return plain
        return (*plain, *(f"{particles} {form}" for form in plain))


def _list_initials(unit: str) -> tuple[str, ...]:
    """ "j" for "John"; "j p" for "Jean-Paul"; "yu" beside "y" for "Yuri"."""
    pieces = [found[0] for piece in unit.split("-") if (found := fold_words(piece))]
    letters = " ".join(piece[0] for piece in pieces)
    pair = pieces[0][:2]
    return (letters, pair) if pair in _INITIAL_PAIRS and len(pieces[0]) > 2 else (letters,)


def _list_orders(present: list[int]) -> list[list[int]]:
    """Lists the orders of a name: as given, family name first, given name last."""
    orders = [present]
    if len(present) > 1:
        orders.append([present[-1], *present[:-1]])
    if len(present) > 2:
        orders.append([*present[1:], present[0]])
    return orders
