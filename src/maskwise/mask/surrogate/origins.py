"""Where a name is at home: guessed from lists of names, from endings of surnames, from letters and from particles.

A name that many origins have tells little of any. Where nothing tells an origin, or two tell as much, the name is one
of the operator's own locale. The guess is about a name, not about its bearer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from random import Random
from types import MappingProxyType

from maskwise.mask.surrogate.endings import GIVEN_PATTERNS, LETTERS, MARKS, PATTERNS
from maskwise.mask.surrogate.names import DRAWN, ORIGINS, NameLists, load_names, load_origin
from maskwise.text.folding import fold_words
from maskwise.text.gender import guess_gender
from maskwise.text.nicknames import list_formal, list_kindred
from maskwise.text.surnames import is_feminine, is_inflected, is_patronymic, unify_surname

_GIVEN, _FAMILY, _ENDING, _LETTER = 1.0, 1.2, 0.6, 0.6
_ONE = re.compile(r"[^\W\d_]{3,}")
_PLAIN = re.compile(r"[^\W\d_]{3,}(?:-[^\W\d_]{2,})?")
_LISTED_ENDING = 0.45  # weight of the ending of a name that some list has
_BESIDE_LISTED = 0.2  # how much an ending counts beside another name of the person that a list has
_LEAST = 0.12  # the least evidence for an origin
_BESIDE = 6.0  # how much more an origin counts that others in the text have
_HOME = 1.15  # how much more a hint for the operator's own locale counts
# Countries whose lists have the names of many who came from elsewhere.
_SLAVIC = frozenset("russian ukrainian bulgarian".split())
# Origins whose people would not bear a name of `NEUTRAL`.
_FAR = frozenset(
    "chinese japanese korean vietnamese indian pakistani indonesian nigerian ghanaian kenyan zulu ethiopian "
    "persian arabic".split()
)
_MIXED = frozenset("german dutch swedish estonian icelandic french norwegian".split())
_FEWEST = 12
_ENOUGH = 5  # names for anybody among which one is drawn
# Given names that men and women bear alike in the lists.
NEUTRAL = tuple(
    "Alex Alexis Angel Ariel Ashley Aubrey Blair Bobbie Casey Emery Finley Frankie Jaime Jamie Jean Jordan Kelly Kerry "
    "Kim Leslie Lou Mel Nicky Pat Reese Robbie Robin Rory Sacha Shannon Shay Sidney Stevie Taylor Terry Toni "
    "Tracy Wren".split()
)
_FOR_ANYBODY = frozenset(name.lower() for name in NEUTRAL)
_MANY = 4  # times as many origins have a name for one gender
_SURE = 3  # origins that may share a name that tells something by itself


def find_gender(given: str, origin: str = "") -> str:
    """ "m" or "f" for a given name that only men or only women bear, at its origin if that is known; else nothing.

    >>> find_gender("simone", "italian"), find_gender("simone", "english"), find_gender("kuba")
    ('m', 'f', 'm')
    """
    if origin in ORIGINS:
        at_home = load_origin(origin)
        if (given in at_home.male) != (given in at_home.female):
            return "m" if given in at_home.male else "f"
    if given in _FOR_ANYBODY:
        return ""
    male, female = _count_bearers(given)
    if male > _MANY * female:
        return "m"
    if female > _MANY * male:
        return "f"
    if male or female:
        return ""
    kindred = {guess_gender(name) or _find_only(name) for name in list_formal(given)}
    return guess_gender(given) or (kindred.pop() if len(kindred) == 1 else "")


def _find_only(given: str) -> str:
    male, female = _count_bearers(given)
    if male and not female:
        return "m"
    return "f" if female and not male else ""


@cache
def _count_bearers(given: str) -> tuple[int, int]:
    lists = [load_origin(origin) for origin in ORIGINS]
    return sum(given in one.male for one in lists), sum(given in one.female for one in lists)


def is_given_name(word: str) -> bool:
    """Whether a word is the given name of somebody rather than a surname."""
    given, family = _count_uses(word)
    return given > 2 * family or (given > 0 and family == 0)


@cache
def _count_uses(word: str) -> tuple[int, int]:
    """In how many origins a word is a given name, and in how many a surname."""
    forms = (word, *list_kindred(word))
    given = sum(any(map(load_origin(origin).has_given, forms)) for origin in ORIGINS)
    return given, sum(word in load_origin(origin).family for origin in ORIGINS)


def can_be_given(word: str) -> bool:
    """Whether a word that stands without title and surname may be a given name: "Duarte came"."""
    given, family = _count_uses(word)
    return given > 0 and (2 * given >= family or bool(guess_gender(word)))


def is_family_in_east(word: str) -> bool:
    """Whether a word is a surname where surnames stand first and few bear all of them."""
    return any(
        word in load_origin(origin).family or PATTERNS[origin].search(word)
        for origin in ("vietnamese", "chinese", "korean")
    )


def is_surname(word: str) -> bool:
    """Whether a word is a surname of somebody rather than a given name."""
    family = sum(word in load_origin(origin).family for origin in ORIGINS)
    return family > 0 and not is_given_name(word)


def is_middle_surname(word: str) -> bool:
    """Whether a word between a given name and a surname is a surname too: "Lasa" of "Ana Lasa Moe"."""
    is_given = is_given_name(word) or is_patronymic(word) or bool(guess_gender(word))
    return len(word) > 1 and (is_surname(word) or not is_given)


def find_origin(
    given: Iterable[str],
    surname: str,
    default: str,
    written: str = "",
    near: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """The origin that most of a name speaks for; `default` where none stands out.

    `written` shows letters and particles; `near` are the shares of the others in the text, whose origin a given name
    alone tends to have.

    >>> find_origin(["piotr"], "zielinski", "english"), find_origin([], "okafor", "english")
    ('polish', 'nigerian')
    """
    scores = dict.fromkeys(ORIGINS, 0.0)
    for name in given:
        if len(name) > 1:
            _add_scores(scores, _weigh_given(name), _GIVEN)
    known = {origin for origin, score in scores.items() if score}
    for part in {surname, *surname.split("-")}:
        if len(part) > 1:
            shares = _weigh_surname(part)
            is_listed = max(shares.values(), default=0) > _ENDING
            kept = {o: s if o in known else s * _BESIDE_LISTED for o, s in shares.items()}
            _add_scores(scores, kept if known and not is_listed else shares, _FAMILY)
    for origin in _list_hints(written):
        scores[origin] += _LETTER
    if near and not surname and not any(scores.values()):
        return max(near, key=lambda origin: (near[origin], origin))
    if scores.get(default):
        scores[default] *= _HOME
    for origin, share in near.items() if not surname else ():
        if origin in scores:
            scores[origin] *= 1 + _BESIDE * share
    best = max(scores, key=lambda origin: (scores[origin], origin == default))
    return best if scores[best] >= _LEAST else default


def _add_scores(scores: dict[str, float], more: Mapping[str, float], weight: float) -> None:
    for origin, share in more.items():
        scores[origin] += weight * share


@cache
def _weigh_given(name: str) -> Mapping[str, float]:
    """How much a given name speaks for each origin; that of a short form is that of its formal names."""
    is_whole = any(load_origin(o).has_given(name) for o in ORIGINS)
    parts = {name, *list_formal(name)} | (set() if is_whole else set(name.split("-")))
    found = [o for o in ORIGINS if any(load_origin(o).has_given(part) for part in parts)]
    forms = (name, *list_formal(name))
    ended = [o for o, pattern in GIVEN_PATTERNS.items() if any(map(pattern.search, forms))]
    return _share(found, ended, _MIXED)


@cache
def _weigh_surname(name: str) -> Mapping[str, float]:
    """How much a surname speaks for each origin: by the lists, and by how it ends."""
    forms = {name, unify_surname(name)}
    found = [o for o in ORIGINS if forms & load_origin(o).family.keys()]
    ended = [o for o, pattern in PATTERNS.items() if pattern.search(name)]
    return _share(found, ended, _MIXED | {"english"})


def _share(
    listed: Collection[str], ended: Collection[str], mixed: frozenset[str]
) -> Mapping[str, float]:
    """One shared among the lists that have a name, and less among the endings that it has.

    Of a name that lists of one people have, an ending says nothing else: "Toby" is no Greek.
    """
    shares = {origin: (0.5 if origin in mixed else 1) / len(listed) for origin in listed}
    if not mixed.issuperset(listed):
        ended = [origin for origin in ended if origin in listed]
    weight = _LISTED_ENDING if listed else _ENDING
    for origin in ended:
        shares[origin] = shares.get(origin, 0.0) + weight / len(ended)
    return shares


def _list_hints(written: str) -> Iterable[str]:
    """The origins that letters and particles speak for, where they speak for few."""
    for letter in sorted(set(written.lower())):
        origins = LETTERS.get(letter, "").split()
        if 0 < len(origins) <= _SURE:
            yield from origins
    for pattern, origin in MARKS:
        if pattern.search(written):
            yield origin


def find_home(locale: str) -> str:
    """The origin of a locale; the locale itself where no origin has it."""
    return next((name for name, locales in ORIGINS.items() if locale in locales), locale)


@cache
def list_drawn(origin: str, locale: str) -> NameLists:
    """The names that stand for those of an origin. At home they are those of the operator's locale."""
    if origin in ("", locale, find_home(locale)):
        return load_names(locale)
    lists = load_origin(origin)
    spare = load_origin(DRAWN.get(origin, origin))
    male, female = lists.male or spare.male, lists.female or spare.female
    both = {key: name for key, name in male.items() if key in female} | dict(lists.either)
    family = lists.family or spare.family
    return NameLists(_keep_clear(male, female), _keep_clear(female, male), both, family)


def _keep_clear(names: Mapping[str, str], others: Mapping[str, str]) -> Mapping[str, str]:
    return {key: name for key, name in names.items() if key not in others and len(key) > 2}


def draw_given(random: Random, origin: str, locale: str, gender: str) -> str:
    return random.choice(_list_given(origin, locale, gender))


@cache
def _list_given(origin: str, locale: str, gender: str) -> tuple[str, ...]:
    """Given names of one word; where the gender is open, such as both bear, at their origin if it has enough."""
    lists = list_drawn(origin, locale)
    if not gender:
        names = tuple(filter(_ONE.fullmatch, lists.either.values()))
        return names if len(names) >= _ENOUGH and origin in _FAR else NEUTRAL
    own = lists.male if gender == "m" else lists.female
    plain = {key: name for key, name in own.items() if _ONE.fullmatch(name)}
    # A name that the other gender bears elsewhere would confuse a reader.
    clear = [name for key, name in plain.items() if not _count_bearers(key)[gender == "m"]]
    return tuple(clear if len(clear) >= _FEWEST else plain.values()) or tuple(own.values())


def draw_surname(random: Random, origin: str, locale: str) -> str:
    """A surname as men write it, or as whole families do."""
    return random.choice(_list_surnames(origin, locale))


@cache
def _list_surnames(origin: str, locale: str) -> tuple[str, ...]:
    """Surnames of one word that do not look like those of women, or like those of men that women write otherwise."""
    names = list_drawn(origin, locale).family
    found = tuple(name for key, name in names.items() if _is_plain(key, name, origin))
    # "Mr Nigel" would read as a given name.
    clear = tuple(name for name in found if not is_given_name("-".join(fold_words(name))))
    return (clear if len(clear) >= _FEWEST else found) or tuple(names.values())


def _is_plain(key: str, name: str, origin: str) -> bool:
    if is_feminine(key) or not _PLAIN.fullmatch(name):
        return False
    if origin in _SLAVIC and key.endswith("ina"):
        return False
    # Women add an ending to nearly all Czech surnames; those that only change theirs can be written for both.
    return origin != "czech" or is_inflected(name)
