"""The person to protect, and the ways a name may be written: titles, particles, initials, order, spelling."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from maskwise.text.canvas import MARKS
from maskwise.text.english import FEMALE_TITLES, HONORIFICS, MALE_TITLES, PARTICLES
from maskwise.text.folding import fold_words, strip_accents

# Given names when they stand first: "Ben Carter", "Al Carter".
_GIVEN_PARTICLES = frozenset(("al", "ben"))
_BEFORE_NAME = HONORIFICS | {"and"}
_SUFFIXES = frozenset("jr sr ii iii iv esq phd qc kc".split())
# One letter in Cyrillic: "Yu. Petrov".
_INITIAL_PAIRS = ("yu", "ya", "ye", "zh", "kh", "ch", "sh", "ts", "dz", "th")

_LETTERS = rf"[^\W\d_](?:[^\W\d_]|[{MARKS}])*"
_WORD = re.compile(rf"{_LETTERS}(?:[-'’]{_LETTERS})*\.?")
_NAME_WORD = re.compile(rf"{_LETTERS}(?:'{_LETTERS})*\.?")
# Spellings of one sound; the canvas has already made "ü" a "u", "ø" an "o" and "å" an "a".
_LONG = tuple(zip("äöüåøæßœ", ("ae", "oe", "ue", "aa", "oe", "ae", "ss", "oe"), strict=True))
_SHORT = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("ae", "æ"), ("ss", "ß"), ("ph", "f"))


_ABSENT, _INITIAL, _FULL = 0, 1, 2  # how a variant writes one of the names


class Name(NamedTuple):
    """A name as written, taken apart: words and initials folded, particles and title left out."""

    words: tuple[str, ...]  # given names before the surname, whatever the order in the text
    initials: tuple[str, ...]
    gender: str  # "m" or "f" where the title says so
    titled: bool
    hyphenated: bool
    ordered: bool = False  # whether a comma or capitals show which word is the surname


@lru_cache(maxsize=1024)  # several steps ask for the names of one document
def parse_name(surface: str) -> Name:
    """Take a name apart.

    >>> parse_name("Mrs A. Jolie-Pitt")
    Name(words=('jolie', 'pitt'), initials=('a',), gender='f', titled=True, hyphenated=True, ordered=False)
    >>> parse_name("van der BERG, Jan").words
    ('jan', 'berg')
    """
    text = strip_possessive(strip_accents(surface))
    tokens = _NAME_WORD.findall(text)
    titles = _count_titles(tokens)
    gender = _read_gender(tokens[:titles])
    family = _count_leading_family(text, tokens, titles)
    names = tokens[titles:]
    if family:
        names = names[family:] + names[:family]
    full: list[str] = []
    initials: list[str] = []
    for at, token in enumerate(names):
        word = _lower_word(token)
        may_be_given = at == 0 and titles == 0 and _is_given(word, text)
        if _is_initial(token):
            initials.append(word)
        elif word in PARTICLES and len(names) > 1 and not may_be_given:
            continue
        elif word not in _SUFFIXES:
            full.append(word)
    ordered = family is not None
    return Name(tuple(full), tuple(initials), gender, titles > 0, "-" in text, ordered)


def list_letters(name: Name) -> tuple[str, ...]:
    """The initials of a full name, with and without its middle initials.

    >>> list_letters(parse_name("Mr John P. Smith"))
    ('js', 'jps')
    """
    if len(name.words) < 2:
        return ()
    first, *rest = (word[0] for word in name.words)
    last = "".join(rest)
    return tuple(dict.fromkeys((first + last, first + "".join(name.initials) + last)))


def _count_titles(tokens: list[str]) -> int:
    """How many words are titles before a name: "Mr and Mrs Lee" has three."""
    count = 0
    while count < len(tokens) - 1 and _lower_word(tokens[count]) in _BEFORE_NAME:
        count += 1
    return count


def _read_gender(titles: list[str]) -> str:
    """The gender that all titles agree on."""
    words = {_lower_word(title) for title in titles}
    is_male, is_female = bool(words & MALE_TITLES), bool(words & FEMALE_TITLES)
    if is_male == is_female:
        return ""
    return "m" if is_male else "f"


def _count_leading_family(text: str, tokens: list[str], titles: int) -> int | None:
    """How many words of the surname stand first; None where neither a comma nor capitals tell the surname."""
    names = tokens[titles:]
    if len(names) < 2:
        return None
    comma = text.find(",")
    if comma > 0:
        return max(0, len(_NAME_WORD.findall(text[:comma])) - titles)
    if len(names[0]) > 2 and names[0].isupper() and not names[-1].isupper():
        return next(at for at, token in enumerate(names) if not token.isupper())
    return None


def _lower_word(token: str) -> str:
    return token.rstrip(".").lower()


def _is_initial(token: str) -> bool:
    word = _lower_word(token)
    if len(word) == 1:
        return token[0].isupper()
    return word in _INITIAL_PAIRS and token.endswith(".")


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
    plain = _fold_phrase(low)
    forms = [plain, _fold_phrase(long)]
    forms += [plain.replace(pair, letter) for pair, letter in _SHORT if pair in plain]
    for form in (low, long):
        without_apostrophes = re.sub("['’]", "", form)
        if without_apostrophes != form:
            forms.append(_fold_phrase(without_apostrophes))
    return tuple(dict.fromkeys(filter(None, forms)))


def _fold_phrase(text: str) -> str:
    return " ".join(fold_words(text))


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
        kept = [part.rstrip(".") for part in self.parts if fold_words(part)]
        solid = [part for part in kept if part.casefold() not in PARTICLES]
        if len(kept) == 2 and kept[0] not in solid:  # "Ben Carter": the first word is a given name
            solid.insert(0, kept[0])
        return tuple(solid or kept)

    def list_variants(self) -> Iterator[Variant]:
        """Lists every order, abbreviation and spelling of the name and the aliases, single words too."""
        yield from dict.fromkeys(self._list_own_variants())
        for alias in self.aliases:
            if whole := _fold_phrase(alias):
                yield Variant(whole, 1 if alias.isalpha() else 2, 0)
            yield from dict.fromkeys(Person(alias)._list_own_variants())

    def _list_own_variants(self) -> Iterator[Variant]:
        units = self.names[:1] + self.names[-3:] if len(self.names) > 4 else self.names
        if not units:
            return
        yield Variant(_fold_phrase(" ".join(self.parts)), len(units), 0)
        yield from self._list_combinations(units)
        for unit in units:
            pieces = fold_words(unit) if "-" in unit else []
            yield from (Variant(piece, 1, 0) for piece in pieces if len(piece) > 3)

    def _list_combinations(self, units: tuple[str, ...]) -> Iterator[Variant]:
        """Lists the names with each unit written in full, as an initial or not at all, in every order."""
        spelt = [self._list_spellings(unit, 4 if len(units) < 3 else 2) for unit in units]
        letters = [_list_initials(unit) for unit in units]
        for pattern in product((_ABSENT, _INITIAL, _FULL), repeat=len(units)):
            present = [at for at, how in enumerate(pattern) if how != _ABSENT]
            full = pattern.count(_FULL)
            has_both_ends = len(present) > 1 and pattern[0] != _ABSENT and pattern[-1] != _ABSENT
            if not full and not has_both_ends:
                continue
            for order in _list_orders(present) if full else [present]:
                choices = [spelt[at] if pattern[at] == _FULL else letters[at] for at in order]
                for pieces in product(*choices):
                    yield Variant(" ".join(pieces), full, len(present) - full)

    def _list_spellings(self, unit: str, most: int) -> tuple[str, ...]:
        """Lists the spellings of one name, of a surname with and without its particles."""
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
