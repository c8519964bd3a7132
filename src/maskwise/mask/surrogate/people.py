"""Names of people: one invented person per entity, written in the way of each mention."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from random import Random

from maskwise.mask.surrogate.genders import Told
from maskwise.mask.surrogate.origins import (
    draw_given,
    draw_surname,
    find_gender,
    find_origin,
    is_given_name,
)
from maskwise.text.english import HONORIFICS, PARTICLES
from maskwise.text.folding import fold_words
from maskwise.text.person import parse_name
from maskwise.text.surnames import is_feminine, tell_gender

_WORD = re.compile(r"(?<!['’])[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*\.?")
_PARTICLES = re.compile(rf"\b(?:(?:{'|'.join(sorted(PARTICLES))}) )+(?=[^\W\d_])")
_SUFFIXES = frozenset("jr sr ii iii iv esq phd qc kc".split())
# Given names that men and women bear alike in the lists.
NEUTRAL = tuple(
    "Alex Alexis Angel Ariel Ashley Aubrey Blair Bobbie Casey Emery Finley Frankie Jaime Jamie Jean Jordan Kelly Kerry "
    "Kim Leslie Lou Mel Nicky Pat Reese Robbie Robin Rory Sacha Shannon Shay Sidney Stevie Taylor Terry Toni "
    "Tracy Wren".split()
)


@dataclass(frozen=True)
class NameSlots:
    """A name taken apart: given names or their initials in order, and a surname, folded."""

    given: tuple[str, ...] = field(repr=False)
    surname: str = field(repr=False)
    gender: str = ""
    origin: str = ""
    is_feminine: bool = False  # whether the surname is written as only women write it


def read_slots(
    mentions: Sequence[str],
    told: Told | None = None,
    home: str = "",
    near: Collection[str] = (),
) -> NameSlots:
    """The fullest of the ways in which a person is named; `told` is what the text tells.

    `home` is the origin where nothing tells one, `near` are those of others in the text.

    Titles tell the gender before words for relatives, these before surnames, and these before given names.

    >>> found = read_slots(["Smith", "Mr John P. Smith"])
    >>> found.given, found.surname, found.gender
    (('john', 'p'), 'smith', 'm')
    """
    told = told or Told()
    names = [_order_words(text) for text in mentions]
    fullest = max(names, key=_measure_name, default=[])
    title = _read_titles(mentions)
    if not fullest:
        return NameSlots((), "", title or told.kin)
    *given, surname = fullest
    is_titled = any(parse_name(text).titled for text in mentions)
    if not given and (told.is_given or (not is_titled and is_given_name(surname))):
        given, surname = [surname], ""
    origin = find_origin(given, surname, home, " ".join(mentions), near)
    told_by_name = tell_gender(tuple(given), surname)
    sure = title or told.kin or told_by_name
    guessed = find_gender(given[0], origin) if given else ""
    gender = sure or _weigh(guessed, told.gender)
    return NameSlots(tuple(given), surname, gender, origin, is_feminine(surname))


def _read_titles(mentions: Sequence[str]) -> str:
    found = {parse_name(text).gender for text in mentions} - {""}
    return found.pop() if len(found) == 1 else ""


def _weigh(name: str, told: str) -> str:
    """The gender on which the given name and the text do not disagree."""
    if not (name and told):
        return name or told
    return name if name == told else ""


def _measure_name(words: list[str]) -> tuple[int, int]:
    """How full a name is: the number of its words, then of their letters."""
    return len(words), sum(map(len, words))


def _order_words(text: str) -> list[str]:
    """Folded words of a name without titles, particles and suffixes, the surname last."""
    found = _find_names(text)
    comma = text.find(",")
    before = [token[0] for token in found if token.start() < comma]
    words = [token[0] for token in found if token.start() > comma]
    if not before and _has_surname_first(words):
        words = [*words[1:], words[0]]
    return [_fold_token(word) for word in (*words, *before)]


def _find_names(text: str) -> list[re.Match[str]]:
    """The words of a mention without titles before the name, particles in it and suffixes after it.

    >>> [found[0] for found in _find_names("Lord John van Lord Jr")], [found[0] for found in _find_names("Lord, J.")]
    (['John', 'Lord'], ['Lord', 'J.'])
    """
    tokens = list(_WORD.finditer(text))
    names: list[re.Match[str]] = []
    for token in tokens:
        word = token[0].rstrip(".").lower()
        is_last = token is tokens[-1]
        ends_part = text[token.end() : token.end() + 1] == ","
        is_title = word in HONORIFICS and not (names or is_last or ends_part)
        is_particle = word in PARTICLES and token[0].islower() and not is_last
        is_suffix = word in _SUFFIXES and bool(names)
        if not (is_title or is_particle or is_suffix or word == "and"):
            names.append(token)
    return names


def _has_surname_first(tokens: list[str]) -> bool:
    """Whether a name begins with its surname, which then stands in capitals: "SMITH John"."""
    if len(tokens) < 2 or len(tokens[0]) <= 2:
        return False
    return tokens[0].isupper() and not tokens[-1].isupper()


def _fold_token(token: str) -> str:
    return "-".join(fold_words(token))


def invent_person(
    random: Random, known: NameSlots, double: bool, locale: str = "en_GB"
) -> tuple[str, ...]:
    """Given names, then a surname, as many as the person has; `double` joins two for each.

    Where nothing tells a man from a woman, the given names are such as both bear.
    """

    def draw_one() -> str:
        if known.gender:
            return draw_given(random, known.origin, locale, known.gender)
        return random.choice(NEUTRAL)

    names = [_draw_name(draw_one, double) for _ in known.given]
    names.append(_draw_name(lambda: draw_surname(random, known.origin, locale), double))
    return tuple(name.replace(" ", "-") for name in names)


def _draw_name(draw: Callable[[], str], double: bool) -> str:
    return f"{draw()}-{draw()}" if double else draw()


def rewrite_mention(text: str, known: NameSlots, fake: tuple[str, ...]) -> str:
    """A mention with every name in it replaced: titles, order, initials, capitals and punctuation stay.

    >>> rewrite_mention("Mr J. SMITH's", NameSlots(("john",), "smith"), ("Peter", "Hall"))
    "Mr P. HALL's"
    >>> rewrite_mention("S.S.", NameSlots(("svein",), "sande"), ("Peter", "Hall"))
    'P.H.'
    """
    bare = _PARTICLES.sub("", text)
    writer = _Writer(known, fake)
    names = {found.start() for found in _find_names(bare)}
    return _WORD.sub(
        lambda found: writer.rewrite(found[0]) if found.start() in names else found[0], bare
    )


class _Writer:
    """Writes the words of one mention. An initial stands for the first such name that is not written yet."""

    def __init__(self, known: NameSlots, fake: tuple[str, ...]) -> None:
        self._old = (*known.given, known.surname)
        self._new = fake
        self._free = list(range(len(self._old)))

    def rewrite(self, token: str) -> str:
        word = _fold_token(token)
        is_initial = len(word) == 1
        if len(word) > 1 and word == join_initials(self._old):
            return join_initials(self._new)
        stop = "." if token.endswith(".") and not is_initial else ""
        return _match_case(token, self._new[self._choose_slot(word)], is_initial) + stop

    def _choose_slot(self, word: str) -> int:
        """Which of the names a word stands for."""
        last = len(self._old) - 1
        fitting = [at for at, name in enumerate(self._old) if word == name]
        if not fitting and word in self._old[last].split("-"):
            fitting = [last]
        if not fitting:
            fitting = [at for at, name in enumerate(self._old) if _can_shorten(word, name)]
        if fitting:
            slot = next((at for at in fitting if at in self._free), fitting[0])
        else:
            is_given = len(word) == 1 or (last > 0 and is_given_name(word))
            slot = 0 if is_given else last
        if slot in self._free:
            self._free.remove(slot)
        return slot


def _can_shorten(word: str, name: str) -> bool:
    """Whether one of two is the initial of the other."""
    if len(word) == 1:
        return name.startswith(word)
    return len(name) == 1 and word.startswith(name)


def join_initials(names: Sequence[str]) -> str:
    return "".join(name[:1] for name in names)


def fold_initials(names: Sequence[str]) -> str:
    return join_initials([_fold_token(name) for name in names])


def _match_case(token: str, name: str, is_initial: bool) -> str:
    if is_initial:
        return name[0] + ("." if token.endswith(".") else "")
    if token.isupper():
        return name.upper()
    return name.lower() if token.islower() else name
