"""Names of people: one invented person an entity, written in the way of each mention."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from maskwise.text.canvas import words
from maskwise.text.person import HONORIFICS, PARTICLES, parse_name

_WORD = re.compile(r"(?<!['’])[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*\.?")
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
    fullest = max(names, key=lambda parts: (len(parts), sum(map(len, parts))), default=[])
    gender = next((found for text in mentions if (found := parse_name(text).gender)), "")
    return NameSlots(tuple(fullest[:-1]), fullest[-1] if fullest else "", gender)


def _order_words(text: str) -> list[str]:
    """Folded words of a name without titles, particles and suffixes, the surname last."""
    before, comma, after = text.partition(",")
    tokens = _WORD.findall(f"{after} {before}" if comma and _WORD.search(after) else text)
    if not comma and len(tokens) > 1 and len(tokens[0]) > 2 and tokens[0].isupper() and not tokens[-1].isupper():
        tokens = [*tokens[1:], tokens[0]]
    return [_fold_token(token) for token in tokens if not _is_title_or_particle(token)]


def _is_title_or_particle(token: str) -> bool:
    low = token.rstrip(".").lower()
    return low in HONORIFICS or low in _SUFFIXES or (low in PARTICLES and token[0].islower())


def _fold_token(token: str) -> str:
    return "-".join(words(token))


def invent_person(faker: Any, known: NameSlots, double: bool) -> tuple[str, ...]:
    """Given names, then a surname, as many as the person has; `double` joins two for each."""
    male, female = (faker.first_name_male, faker.first_name_female)
    first = {"m": male, "f": female}.get(known.gender, faker.first_name)
    given = [f"{first()}-{first()}" if double else first() for _ in known.given]
    surname = f"{faker.last_name()}-{faker.last_name()}" if double else faker.last_name()
    return tuple(name.replace(" ", "-") for name in (*given, surname))


def rewrite_mention(text: str, known: NameSlots, fake: tuple[str, ...]) -> str:
    """A mention with every name in it replaced: titles, order, initials, capitals and punctuation stay.

    >>> rewrite_mention("Mr J. SMITH's", NameSlots(("john",), "smith"), ("Peter", "Hall"))
    "Mr P. HALL's"
    """
    dropped = re.sub(rf"\b(?:(?:{'|'.join(sorted(PARTICLES))}) )+(?=[^\W\d_])", "", text)
    return _WORD.sub(lambda found: _rewrite_word(found[0], known, fake), dropped)


def _rewrite_word(token: str, known: NameSlots, fake: tuple[str, ...]) -> str:
    if _is_title_or_particle(token):
        return token
    word = _fold_token(token)
    stop = "." if token.endswith(".") and len(word) > 1 else ""
    if word == known.surname or word in known.surname.split("-"):
        return _match_case(token, fake[-1], len(word) == 1) + stop
    for name, other in zip(known.given, fake[:-1], strict=True):
        if word == name or name[:1] == word or (len(name) == 1 and word[:1] == name):
            return _match_case(token, other, len(word) == 1) + stop
    if len(word) == 1 and known.surname.startswith(word):
        return _match_case(token, fake[-1], True)
    if len(word) > 1 and word == "".join(name[0] for name in (*known.given, known.surname) if name):
        return "".join(name[0] for name in fake)
    return _match_case(token, fake[0] if len(word) == 1 else fake[-1], len(word) == 1) + stop


def _match_case(token: str, name: str, initial: bool) -> str:
    if initial:
        return name[0] + ("." if token.endswith(".") else "")
    return name.upper() if token.isupper() else name.lower() if token.islower() else name
