"""The strings of the leak check: the people to protect in every spelling, and every masked string with its parts.

A needle is `firm` when nothing excuses it: the full name and the distinctive surname of a protected person. Any other
needle is left out where the masked text itself shows it, because then the plan left it there on purpose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import product

from maskwise.io.leaks.folding import fold_text, weigh_text
from maskwise.io.leaks.words import is_common, is_of_format
from maskwise.text import Person
from maskwise.text.english import HONORIFICS, PARTICLES

SHORT = 3  # letters; fewer are everywhere
DIGITS = 4  # a number of fewer digits is everywhere
SURNAME = 5  # letters of a surname that tells a person from a word
DISTINCT = 6  # letters that no word of the format has by chance
DISTINCT_DIGITS = 8  # digits that no number of the format has by chance
LONG = 8  # letters that are sought inside of words too
PREFIX = 200  # of a longer string its beginning is sought

_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
_REMARK = re.compile(r"\([^()]*\)")
_SUFFIXES = frozenset("jr sr ii iii iv esq phd qc kc".split())
_LONG_FORMS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae"})
_SHORT_FORMS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"))
_DIGIT_RUN = re.compile(r"\d+")
# It begins at the start of a run, so that it takes linear time.
_ADDRESS = re.compile(r"(?<![^\s@<>\"])([^\s@<>\"]++)@[\w.-]+")
_LAST_SEGMENT = re.compile(r"(?:://|www\.)[^\s?#]*/([^\s/?#]+)")


@dataclass(frozen=True, slots=True)
class Needle:
    """A string in folded form, and how it must stand in a text to count.

    `capital`: as whole words with a capital, or in one piece if it has several words. `handle`: in one piece, and if it
    is short, beside a sign of paths and addresses. `spaced`: its letters may stand apart.
    """

    text: str
    firm: bool = False
    capital: bool = False
    handle: bool = False
    spaced: bool = True

    @property
    def is_number(self) -> bool:
        return self.text.isdigit()

    @property
    def is_distinct(self) -> bool:
        """Whether it is long enough not to be a word or number of a format."""
        if self.is_number:
            return len(self.text) >= DISTINCT_DIGITS
        return weigh_text(self.text) >= DISTINCT and not is_of_format(self.text)


def build_needles(
    people: Iterable[Person], masked: Iterable[str], names: Iterable[str]
) -> list[Needle]:
    """All needles, each once, the firm ones first; `names` are the masked strings that name a person."""
    found: dict[str, Needle] = {}
    for person in people:
        for name in (person.name, *person.aliases):
            _collect_needles(found, build_name_needles(name))
    for text in masked:
        _collect_needles(found, build_masked_needles(text))
    for text in names:
        _collect_needles(found, build_part_needles(text))
    return sorted(found.values(), key=lambda needle: (not needle.firm, needle.text))


def _collect_needles(found: dict[str, Needle], needles: Iterable[Needle]) -> None:
    """Add needles. Of two with one text the one that is found more easily stays, firm if either is."""
    for needle in needles:
        known = found.setdefault(needle.text, needle)
        if known == needle:  # as nearly always, and to copy a needle takes long
            continue
        found[needle.text] = replace(
            needle,
            firm=needle.firm or known.firm,
            capital=needle.capital and known.capital,
            handle=needle.handle and known.handle,
            spaced=needle.spaced or known.spaced,
        )


def build_name_needles(name: str) -> Iterator[Needle]:
    """The name of a protected person in every order and abbreviation, its surname, and distinctive given names.

    >>> sorted(n.text for n in build_name_needles("Ina Hansen") if n.firm)[:4]
    ['aninesnah', 'hansen', 'hanseni', 'hansenina']
    """
    words = _split_name(name)
    # What holds a digit is a code or a product, and no word of it is a surname.
    if any(map(str.isdigit, _REMARK.sub("", name))):
        words = []
    solid = [word for word in words if word.casefold() not in PARTICLES] or words
    if not solid:
        for needle in build_masked_needles(name):
            yield replace(needle, firm=weigh_text(needle.text) >= DISTINCT)
        return
    *given, family = solid
    are_common = all(is_common(fold_text(word)) for word in solid)
    for text in _list_full_names(words, given, family):
        weight = weigh_text(text)
        if weight >= SURNAME:
            yield Needle(text, firm=True, capital=weight < LONG or are_common)
        if weight >= LONG:
            yield Needle(text[::-1], firm=True)
    for surname in _split_surname(words, family):
        yield from _build_surname_needles(surname, [fold_text(word)[:1] for word in given])
    for word in given:
        for text in _spell_word(word):
            if weigh_text(text) >= DISTINCT and not is_common(text):
                yield Needle(text)


def _split_name(name: str) -> list[str]:
    """The words of a name, given names first, without title, suffix and remarks in brackets."""
    name = _REMARK.sub(" ", name)
    family, comma, given = name.partition(",")
    words = _WORD.findall(f"{given} {family}" if comma else name)
    while len(words) > 1 and words[0].casefold() in HONORIFICS:
        words = words[1:]
    while len(words) > 1 and words[-1].casefold() in _SUFFIXES:
        words.pop()
    return words


def _split_surname(words: list[str], family: str) -> Iterator[str]:
    """The surname, with its particles if it has any, and the halves of a double one."""
    yield family
    start = len(words) - 1
    while start > 1 and words[start - 1].casefold() in PARTICLES:
        start -= 1
    if start < len(words) - 1:
        yield "".join(words[start:])
    if "-" in family:
        yield from (half for half in family.split("-") if len(half) >= SURNAME)


def _list_full_names(words: list[str], given: list[str], family: str) -> Iterator[str]:
    """Given names and family name in both orders and in one word: all given names, each of them, or the first with the
    initials of the others."""
    if not given:
        return
    initials = [fold_text(word)[:1] for word in given]
    yield fold_text("".join(words))
    for last in _spell_word(family):
        for names in product(*map(_spell_word, given)):
            first_and_initials = names[0] + "".join(initials[1:])
            for some in {"".join(names), first_and_initials, *names}:
                if len(some) > 1:
                    yield some + last
                    yield last + some


def _build_surname_needles(surname: str, initials: list[str]) -> Iterator[Needle]:
    for text in _spell_word(surname):
        weight = weigh_text(text)
        telling = weight >= SURNAME and not is_common(text)
        if weight >= SHORT:
            yield Needle(text, firm=telling, capital=not telling, spaced=telling)
        if telling:
            ending = "es" if text.endswith(("s", "x", "z", "ch", "sh")) else "s"
            yield Needle(text + ending, firm=True, spaced=False)
        if weight >= LONG:
            yield Needle(text[::-1], firm=True)
        for letters in {"".join(initials), *initials[:1]}:
            if letters and weight >= SHORT:
                yield Needle(letters + text, firm=True, handle=True, spaced=False)
                yield Needle(text + letters, firm=True, handle=True, spaced=False)


def _spell_word(word: str) -> tuple[str, ...]:
    """A word as people write it without the letters of its language.

    >>> _spell_word("Müller")
    ('muller', 'mueller')
    """
    plain = fold_text(word)
    forms = [plain, fold_text(word.casefold().translate(_LONG_FORMS))]
    forms += [plain.replace(pair, letter) for pair, letter in _SHORT_FORMS if pair in plain]
    return tuple(dict.fromkeys(forms))[:3]


def build_masked_needles(text: str) -> Iterator[Needle]:
    """The ways in which a masked string is sought: as it stands, reversed, last word first; and the parts of a code."""
    words = [word for word in map(fold_text, re.findall(r"[^\W_]+", text)) if word]
    for order in (words, words[::-1], words[-1:] + words[:-1]):
        needle = "".join(order)[:PREFIX]
        if weigh_text(needle) >= (DIGITS if needle.isdigit() else SHORT):
            yield Needle(needle, spaced=len(words) > 1 or weigh_text(needle) >= DISTINCT)
    yield from _build_code_needles(text)


def _build_code_needles(text: str) -> Iterator[Needle]:
    """A phone number without its country, the digits of a code, the name in an address, the last word of a link."""
    digits = "".join(_DIGIT_RUN.findall(text))
    letters = any(map(str.isalpha, text))
    if not letters and len(digits) >= DISTINCT_DIGITS:
        yield from map(Needle, _list_national_numbers(text.strip(), digits))
    elif letters:
        compact = re.sub(r"[\W_]+", "", text)
        runs = _DIGIT_RUN.findall(compact)
        yield from (Needle(run) for run in runs if len(run) >= DISTINCT_DIGITS)
    for found in (_ADDRESS.search(text), _LAST_SEGMENT.search(text)):
        if found:
            has_ending = "/" in found[0] and "." in found[1]
            stem = found[1].rpartition(".")[0] if has_ending else found[1]
            yield from _build_telling_needle(stem)


def _list_national_numbers(text: str, digits: str) -> Iterator[str]:
    """A number without country code, with and without the leading zero."""
    start = 2 if digits.startswith("00") else 0
    if text.startswith("+") or start:
        for width in (1, 2, 3):
            rest = digits[start + width :].lstrip("0")
            if len(rest) >= DISTINCT_DIGITS:
                yield rest
                yield "0" + rest
    elif digits.startswith("0"):
        yield digits[1:]


def build_part_needles(name: str) -> Iterator[Needle]:
    """The telling words of a masked name."""
    words = _split_name(name)
    for word in words if len(words) > 1 else ():
        yield from _build_telling_needle(word)


def _build_telling_needle(word: str) -> Iterator[Needle]:
    """A word that is long enough and not an everyday word."""
    text = fold_text(word)
    if weigh_text(text) >= DISTINCT and not is_common(text):
        yield Needle(text)
