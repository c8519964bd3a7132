"""Names of people: one invented person per entity, written in the way of each mention."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from maskwise.mask.surrogate.origins import draw_surname, find_gender, is_given_name
from maskwise.text.english import HONORIFICS, PARTICLES
from maskwise.text.folding import fold_words
from maskwise.text.person import parse_name

_WORD = re.compile(r"(?<!['’])[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*\.?")
_PARTICLES = re.compile(rf"\b(?:(?:{'|'.join(sorted(PARTICLES))}) )+(?=[^\W\d_])")
_SUFFIXES = frozenset("jr sr ii iii iv esq phd qc kc".split())


@dataclass(frozen=True)
class NameSlots:
    """A name taken apart: given names or their initials in order, and a surname, folded."""

    given: tuple[str, ...] = field(repr=False)
    surname: str = field(repr=False)
    gender: str = ""


def read_slots(mentions: Sequence[str]) -> NameSlots:
    """The fullest of the ways in which a person is named.

    >>> found = read_slots(["Smith", "Mr John P. Smith"])
    >>> found.given, found.surname, found.gender
    (('john', 'p'), 'smith', 'm')
    """
    names = [_order_words(text) for text in mentions]
    fullest = max(names, key=_measure_name, default=[])
    genders = (parse_name(text).gender for text in mentions)
    gender = next(filter(None, genders), "")
    if not fullest:
        return NameSlots((), "", gender)
    *given, surname = fullest
    is_titled = any(parse_name(text).titled for text in mentions)
    if not given and not is_titled and is_given_name(surname):  # "Piotr" alone
        given, surname = [surname], ""
    gender = gender or (find_gender(given[0]) if given else "")
    return NameSlots(tuple(given), surname, gender)


def _measure_name(words: list[str]) -> tuple[int, int]:
    """How full a name is: the number of its words, then of their letters."""
    return len(words), sum(map(len, words))


def _order_words(text: str) -> list[str]:
    """Folded words of a name without titles, particles and suffixes, the surname last."""
    before, comma, after = text.partition(",")
    if comma and _WORD.search(after):
        text = f"{after} {before}"
    tokens = _WORD.findall(text)
    if not comma and _has_surname_first(tokens):
        tokens = [*tokens[1:], tokens[0]]
    return [_fold_token(token) for token in tokens if not _is_title_or_particle(token)]


def _has_surname_first(tokens: list[str]) -> bool:
    """Whether a name begins with its surname, which then stands in capitals: "SMITH John"."""
    if len(tokens) < 2 or len(tokens[0]) <= 2:
        return False
    return tokens[0].isupper() and not tokens[-1].isupper()


def _is_title_or_particle(token: str) -> bool:
    word = token.rstrip(".").lower()
    if word in HONORIFICS or word in _SUFFIXES:
        return True
    return word in PARTICLES and token[0].islower()


def _fold_token(token: str) -> str:
    return "-".join(fold_words(token))


def invent_person(faker: Any, known: NameSlots, double: bool, locale: str = "") -> tuple[str, ...]:
    """Given names, then a surname, as many as the person has; `double` joins two for each."""
    by_gender = {"m": faker.first_name_male, "f": faker.first_name_female}
    draw_given = by_gender.get(known.gender, faker.first_name)
    names = [_draw_name(draw_given, double) for _ in known.given]
    names.append(_draw_name(lambda: draw_surname(faker, locale), double))
    return tuple(name.replace(" ", "-") for name in names)


def _draw_name(draw: Callable[[], str], double: bool) -> str:
    return f"{draw()}-{draw()}" if double else draw()


def rewrite_mention(text: str, known: NameSlots, fake: tuple[str, ...]) -> str:
    """A mention with every name in it replaced: titles, order, initials, capitals and punctuation stay.

    >>> rewrite_mention("Mr J. SMITH's", NameSlots(("john",), "smith"), ("Peter", "Hall"))
    "Mr P. HALL's"
    """
    bare = _PARTICLES.sub("", text)
    return _WORD.sub(lambda found: _rewrite_word(found[0], known, fake), bare)


def _rewrite_word(token: str, known: NameSlots, fake: tuple[str, ...]) -> str:
    if _is_title_or_particle(token):
        return token
    word = _fold_token(token)
    is_initial = len(word) == 1
    stop = "." if token.endswith(".") and not is_initial else ""
    if word == known.surname or word in known.surname.split("-"):
        return _match_case(token, fake[-1], is_initial) + stop
    for name, other in zip(known.given, fake[:-1], strict=True):
        if _can_stand_for(word, name):
            return _match_case(token, other, is_initial) + stop
    if is_initial and known.surname.startswith(word):
        return _match_case(token, fake[-1], is_initial)
    if not is_initial and word == _join_initials((*known.given, known.surname)):
        return _join_initials(fake)
    is_nickname = bool(known.given) and is_given_name(word)
    other = fake[0] if is_initial or is_nickname else fake[-1]
    return _match_case(token, other, is_initial) + stop


def _can_stand_for(word: str, name: str) -> bool:
    """Whether a word is a given name or its initial, or the initial that is known of it begins the word."""
    if word in (name, name[:1]):
        return True
    return len(name) == 1 and word[:1] == name


def _join_initials(names: Sequence[str]) -> str:
    return "".join(name[:1] for name in names)


def _match_case(token: str, name: str, is_initial: bool) -> str:
    if is_initial:
        return name[0] + ("." if token.endswith(".") else "")
    if token.isupper():
        return name.upper()
    return name.lower() if token.islower() else name
