"""Profiles without names: what a crowd may hold of real people.

A crowd measures how telling facts are, and names are masked in every document anyway. So a crowd keeps no name of a
person, of a relative, or of anybody that a value mentions.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise

from maskwise.crowd.population import Attributes, Profile
from maskwise.text.english import STOP_WORDS
from maskwise.text.folding import fold_word
from maskwise.text.tokens import WORD

# Attributes whose values are names of people.
NAMES = frozenset(("name", "alias", "spouse", "parent", "sibling", "child"))
_SHORT = (
    3  # letters; a shorter word of a name ("de", "Li") occurs in too many values to give one away
)
# A value that ends so is named after somebody and names no person: "Marie Curie University".
_INSTITUTION = re.compile(
    r"\b(?:Universit\w+|College|School|Academy|Institute|Hospital|Foundation|Prize|Awards?|Medal|Trophy|Cup|Company|"
    r"Orchestra|Museum|Library|Theatre|Theater|Church|Stadium|Airport|County|Council|Party|Club|Society|Fellowship|"
    r"Scholarship|Lectures?|Press|Records|Bank|Center|Centre)\b"
)


def remove_names(profile: Profile, replacement_id: str | None = None) -> Profile:
    """The profile without names of people, without its text, and with another id if one is given.

    >>> lee = Profile.of("p1", {"name": "Ann Lee", "work": ["Ann Lee's Diary", "Tides"], "born": 1921})
    >>> remove_names(lee, "0").attributes
    (('born', ('1921',)), ('work', ('Tides',)))
    """
    own = collect_name_words(profile)
    kept: list[tuple[str, tuple[str, ...]]] = []
    for key, values in profile.attributes:
        if key in NAMES:
            continue
        nameless = tuple(value for value in values if not has_name(value, own))
        if nameless:
            kept.append((key, nameless))
    attributes: Attributes = tuple(kept)
    return Profile(profile.id if replacement_id is None else replacement_id, attributes)


def collect_name_words(profile: Profile) -> frozenset[str]:
    """The folded words of the person's own names and those of their relatives."""
    names = [value for key, values in profile.attributes if key in NAMES for value in values]
    words = (word for name in names for word in _split_words(name))
    return frozenset(word for word in words if len(word) >= _SHORT and word not in STOP_WORDS)


def has_name(value: str, own: frozenset[str]) -> bool:
    """Whether a value holds one of the person's own names, or looks like the name of anybody."""
    if not own.isdisjoint(_split_words(value)):
        return True
    if _INSTITUTION.search(value):
        return False
    given = _load_given_names()
    pairs = pairwise(WORD.findall(value))
    return any(first in given and last[:1].isupper() for first, last in pairs)


def _split_words(text: str) -> list[str]:
    """Folded words without the ending of a possessive; those with a hyphen in parts."""
    parts = (part for word in WORD.findall(text) for part in fold_word(word).split("-"))
    return [part.removesuffix("'s").removesuffix("'") for part in parts]


@cache
def _load_given_names() -> frozenset[str]:
    path = files("maskwise.bundle").joinpath("gazetteers", "given_names.txt")
    return frozenset(path.read_text("utf-8").split())
