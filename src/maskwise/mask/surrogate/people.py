"""Names of people: one invented person per entity, written in the way of each mention."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import MappingProxyType

from maskwise.mask.surrogate.genders import Told
from maskwise.mask.surrogate.origins import (
    can_be_given,
    draw_given,
    draw_surname,
    find_gender,
    find_origin,
    is_family_in_east,
    is_given_name,
    is_middle_surname,
)
from maskwise.text.english import HONORIFICS, PARTICLES
from maskwise.text.folding import fold_words
from maskwise.text.nicknames import list_formal, list_kindred
from maskwise.text.person import parse_name
from maskwise.text.plain_words import PLAIN_WORDS
from maskwise.text.surnames import is_feminine, is_patronymic, tell_gender
from maskwise.text.word_lists import read_table

_WORD = re.compile(r"(?<!['’])[^\W\d_]+(?:[-'’](?!s\b)[^\W\d_]+)*\.?")
_SMALL = PARTICLES | {
    "lo",
    "della",
    "dos",
    "ó",
    "ní",
    "ni",
    "mac",
    "san",
    "st",
}  # written large too
# Large particles that begin a surname wherever they stand: "De Santis", not "Van Morrison", "Ben Moe" or "La Toya".
_NEVER_GIVEN = frozenset("de di du da dos lo von der den zu ter san st".split())
_PARTICLES = re.compile(rf"\b(?:(?:{'|'.join(sorted(_SMALL))}) )+(?=[^\W\d_])", re.IGNORECASE)
# Words with which a sentence begins, and that a detector may take for part of a name.
_NO_NAMES = frozenset(
    "tell ask call dear hi hello contact please thank thanks see poor little meet email phone ring remind invite told "
    "send give let bring when but if yours love cc best regards hallo hey yourself himself herself".split()
)
_RANKS = HONORIFICS | frozenset(title for title, _ in read_table("titles"))
_SUFFIXES = frozenset("jr sr ii iii iv esq phd qc kc".split())


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
    near: Mapping[str, float] = MappingProxyType({}),
) -> NameSlots:
    """The fullest of the ways in which a person is named; `told` is what the text tells.

    `home` is the origin where nothing tells one, `near` the shares of others in the text.

    Titles tell the gender before words for relatives, these before surnames, and these before given names.

    >>> found = read_slots(["Smith", "Mr John P. Smith"])
    >>> found.given, found.surname, found.gender
    (('john', 'p'), 'smith', 'm')
    """
    told = told or Told()
    surnames = _list_told_surnames(mentions)
    names = [_order_words(text, surnames) for text in mentions]
    fullest = max(names, key=_measure_name, default=[])
    title = _read_titles(mentions)
    if not fullest:
        return NameSlots((), "", title or told.kin)
    *given, surname = fullest
    if given and is_patronymic(surname):  # "Igor Petrovich" has no surname here
        given, surname = fullest, ""
    is_titled = any(parse_name(text).titled for text in mentions)
    if not given and (told.is_given or (not is_titled and can_be_given(surname))):
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


def _list_told_surnames(mentions: Sequence[str]) -> frozenset[str]:
    """The words that other mentions show to be a surname: behind a title alone, "Mr King", or an initial, "L. King"."""
    told = set()
    for text in mentions:
        words = [_fold_token(found[0]) for found in _find_names(text)]
        is_alone = len(words) == 1 and parse_name(text).titled
        if is_alone or (len(words) > 1 and len(words[0]) == 1):
            told.add(words[-1])
    return frozenset(told)


def _order_words(text: str, surnames: frozenset[str]) -> list[str]:
    """Folded words of a name without titles, particles and suffixes, the surname last."""
    found = _find_names(text)
    comma = text.find(",")
    before = [token[0] for token in found if token.start() < comma]
    words = [token[0] for token in found if token.start() > comma]
    if not before and (_has_surname_first(words) or _is_eastern(words, surnames)):
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
        is_title = word in _RANKS and not (names or is_last or ends_part)
        is_inside = token[0].islower() or token.start() > 0 or word in _NEVER_GIVEN
        is_particle = word in _SMALL and is_inside and not is_last
        is_small = token[0].islower() and word in PLAIN_WORDS
        is_opener = word in _NO_NAMES and (token[0].islower() or token is tokens[0])
        is_other = (is_small or is_opener) and len(tokens) > 1 and not text.islower()
        is_suffix = word in _SUFFIXES and bool(names)
        # "Alistair Moe J": a judge.
        is_suffix |= token[0] in ("J", "LJ") and is_last and len(names) > 1
        if not (is_title or is_particle or is_suffix or is_other or word == "and"):
            names.append(token)
    return names


def _has_surname_first(tokens: list[str]) -> bool:
    """Whether a name begins with its surname, which then stands in capitals: "SMITH John"."""
    if len(tokens) < 2 or len(tokens[0]) <= 2:
        return False
    return tokens[0].isupper() and not tokens[-1].isupper()


def _is_eastern(tokens: list[str], surnames: frozenset[str]) -> bool:
    """Whether a name begins with a surname of Vietnam, China or Korea and ends with none: "Đỗ Thị Hạnh".

    "Lee King" ends with one where he is "Mr King" too.
    """
    words = [_fold_token(token) for token in tokens]
    if len(words) < 2:
        return False
    ends_with_surname = is_family_in_east(words[-1]) or words[-1] in surnames
    is_told = not {"thi", "van"}.isdisjoint(words[1:-1]) or not ends_with_surname
    is_first = is_told and is_family_in_east(words[0])
    return is_first and not is_given_name(words[0])


def _fold_token(token: str) -> str:
    return "-".join(fold_words(token))


def invent_person(
    random: Random, known: NameSlots, double: bool, locale: str = "en_GB"
) -> tuple[str, ...]:
    """Given names, then a surname, as many as the person has; `double` joins two for each.

    Where nothing tells a man from a woman, the given names are such as both bear.
    """

    def draw_one(at: int) -> str:
        if at and is_middle_surname(known.given[at]):
            return draw_surname(random, known.origin, locale)
        return draw_given(random, known.origin, locale, known.gender)

    names = [_draw_name(partial(draw_one, at), double) for at in range(len(known.given))]
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
    bare = _PARTICLES.sub(_drop_particles, text)
    writer = _Writer(known, fake)
    names = {found.start() for found in _find_names(bare)}
    return _WORD.sub(
        lambda found: writer.rewrite(found[0]) if found.start() in names else found[0], bare
    )


def _drop_particles(found: re.Match[str]) -> str:
    """Nothing, but a large particle at the start that may be a given name."""
    is_first = found.start() == 0 and found[0][0].isupper()
    return found[0] if is_first and found[0].split()[0].lower() not in _NEVER_GIVEN else ""


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
        """The one of the names that a word stands for."""
        last = len(self._old) - 1
        fitting = [at for at, name in enumerate(self._old) if word == name]
        if not fitting and word in self._old[last].split("-"):
            fitting = [last]
        if not fitting:
            kindred = {word, *list_kindred(word)}
            fitting = [at for at, name in enumerate(self._old[:-1]) if name in kindred]
        if not fitting:
            fitting = [at for at, name in enumerate(self._old) if _can_shorten(word, name)]
        if not fitting and len(word) == 1:
            formal = [list_formal(name) for name in self._old[:-1]]
            fitting = [at for at, forms in enumerate(formal) if any(f[0] == word for f in forms)]
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
