"""Tells whether a capitalised word that is both a name and an English word ("Smith", "May", "Will") is a name here.

A name left is a leak and a word masked is a small loss. So it is a name unless its neighbours speak for the word.
"""

from __future__ import annotations

import re

from maskwise.text.common_words import MONTHS, NEVER, THINGS
from maskwise.text.english import PARTICLES

_MONTH = "|".join(sorted(MONTHS))
_DATE_BEFORE = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?(?:\sof)?|in|of|last|next|this|since|until|till|early|late|mid|during|every|each"
    rf"|(?:{_MONTH})(?:,|,?\s(?:and|or|to))|(?:{_MONTH})\s?[/–-])[\s-]{{0,2}}$",
    re.IGNORECASE,
)
_DATE_AFTER = re.compile(
    rf"[\s,.]{{1,3}}\d|,?\s(?:and|or|to|until)\s(?:{_MONTH})\b|\s?[/–-]\s?(?:{_MONTH}|\d)|\sDay\b",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:\A|[.!?:\n…][)\]\"'”’»]?)[\s\"'“‘«(\[*-]*\Z")
# What follows a first word of a sentence that is no name: "Will it", "May the", "Young people", "Baron von".
_PARTICLE = "|".join(sorted(particle for particle in PARTICLES if len(particle) > 1))
_ORDINARY = re.compile(
    r"\s(?:it|you|he|she|we|they|i|there|this|that|these|those|the|an?|my|his|her|its|our|your|their"
    rf"|people|persons|men|women|children|{_PARTICLE})\b",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"\b(?:the|an?|this|that|his|her|its|my|our|your|their|every|each|no|any)\s\Z", re.IGNORECASE
)
_NAME_GOES_ON = re.compile(r"\s[^\W\d_a-z][^\W\d_A-Z]|\sof\s")

# What stands before a place, a nationality or a month, and hardly before a given name.
_OTHER_BEFORE = re.compile(
    r"\b(?:in|at|near|around|through|across|of|the|an?|this|that|is|was|are|were|north|south|east|west|last|next"
    r"|early|late|mid|until|since|during|\d{1,2}(?:st|nd|rd|th)?)[\s-]\Z",
    re.IGNORECASE,
)
_STOPS = re.compile(r"['’]s\b|\s?[,.;:!?)\n]|\Z|\s(?:and|or|is|was|has|had|will)\b")


def is_name_at(text: str, start: int, end: int) -> bool:
    """Whether a word that is common in English is a name on `[start, end)`.

    >>> is_name_at("Smith paid.", 0, 5), is_name_at("Will it rain?", 0, 4), is_name_at("in May", 3, 6)
    (True, False, False)
    """
    word = text[start:end].lower()
    if word in NEVER:
        return False
    before = text[max(0, start - 24) : start]
    if word in MONTHS and (_DATE_BEFORE.search(before) or _DATE_AFTER.match(text, end)):
        return False
    if word in THINGS and (_ARTICLE.search(before) or _NAME_GOES_ON.match(text, end)):
        return False
    return not (_OPENING.search(before) and _ORDINARY.match(text, end))


def is_read_as_person(text: str, start: int, end: int) -> bool:
    """Whether no place, nationality or month stands like this in a sentence.

    >>> is_read_as_person("We like Virginia.", 8, 16), is_read_as_person("We met in Virginia.", 10, 18)
    (True, False)
    """
    before = text[max(0, start - 12) : start]
    return not _OTHER_BEFORE.search(before) and _STOPS.match(text, end) is not None
