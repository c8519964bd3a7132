"""Where a name is at home and who bears it: lists of names by country, from Faker.

A name that stands in the lists of several countries is taken for one of the operator's own locale where it can be.
Lists in other scripts are left out, because a text in Latin letters does not use them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from maskwise.text.folding import fold_words
from maskwise.text.gender import guess_gender

LOCALES = tuple(
    "en_GB en_US de_DE fr_FR es_ES it_IT pl_PL no_NO sv_SE da_DK nl_NL fi_FI pt_PT tr_TR ro_RO hu_HU cs_CZ hr_HR "
    "en_NG en_IN en_KE yo_NG ig_NG ha_NG id_ID vi_VN".split()
)
# A family bears one invented surname, so none that men and women write differently is drawn.
_GENDERED = re.compile(r"(?:sk|ck|zk)[iay]$|ova$|[áýa]$", re.IGNORECASE)
_INFLECTED = ("pl_PL", "cs_CZ")
_DRAWS = 20


@dataclass(frozen=True)
class NameLists:
    """The names of a country, folded."""

    male: frozenset[str]
    female: frozenset[str]
    family: frozenset[str]


@cache
def load_names(locale: str) -> NameLists:
    """The names of a locale; none where Faker does not know it."""
    try:
        provider = import_module(f"faker.providers.person.{locale}").Provider
    except ImportError:
        return NameLists(frozenset(), frozenset(), frozenset())
    male = _fold_names(getattr(provider, "first_names_male", ()))
    female = _fold_names(getattr(provider, "first_names_female", ()))
    family = _fold_names(getattr(provider, "last_names", ()))
    return NameLists(male, female, family)


def _fold_names(names: Iterable[str]) -> frozenset[str]:
    return frozenset("-".join(fold_words(name)) for name in names)


def find_gender(given: str) -> str:
    """ "m" or "f" for a given name that only men or only women bear in the lists, else nothing."""
    is_male = any(given in load_names(locale).male for locale in LOCALES)
    is_female = any(given in load_names(locale).female for locale in LOCALES)
    if is_male == is_female:
        return "" if is_male else guess_gender(given)
    return "m" if is_male else "f"


def is_given_name(word: str) -> bool:
    """Whether a word is the given name of somebody and no surname."""
    if any(word in load_names(locale).family for locale in LOCALES):
        return False
    return bool(find_gender(word))


def find_origin(given: Iterable[str], surname: str, default: str) -> str:
    """The locale whose lists have most of a name; `default` where none has any."""
    own = [name for name in given if len(name) > 1]

    def count_known(locale: str) -> int:
        lists = load_names(locale)
        known = sum(name in lists.male or name in lists.female for name in own)
        return known + (surname in lists.family)

    best = max((default, *LOCALES), key=count_known)
    return best if count_known(best) else default


def draw_surname(faker: Any, locale: str) -> str:
    """A surname that men and women of a family share."""
    name = str(faker.last_name())
    for _ in range(_DRAWS):
        if locale not in _INFLECTED or not _GENDERED.search(name):
            break
        name = str(faker.last_name())
    return name
