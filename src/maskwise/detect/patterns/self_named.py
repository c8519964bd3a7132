"""People who say who they are: "my name is ana souza", "its jonas from work", "Ottoline here", "O-D-A-L-Y-S".

What is said gives the name away in any case, whether or not a list knows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from maskwise.detect.cutting import CHATTER
from maskwise.detect.gazetteer.lists import is_given_name, is_place, read_words
from maskwise.detect.patterns._fields import WORD, is_rare_word
from maskwise.detect.patterns._shapes import CAP
from maskwise.detect.patterns.full_name import THINGS
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType, word_lists
from maskwise.text.common_words import COMMON, NAMED_WORDS

# Words that go on with the sentence after a name: "my name is ana and i live here".
_ON = (
    "and|but|or|so|from|btw|thx|thanks|pls|please|speaking|here|i|im|i'm|i’m|my|the|a|an|not|on|in|at|of|with|is|was"
    "|to|for|it|its|it's|calling|again|too|also|who|that|this|you|we|he|she|they|lol|ok|okay|hi|hello|what|why|how"
)
_SPELT = 80  # characters between a name and its letters
_PART = rf"(?!(?i:{_ON})(?!\w)){WORD}"

# Who else is there to say so: "Mum here", "Londoner here", "Lurker here".
_NOBODY = frozenset(
    "lurker newbie noob veteran native local same ditto wrong right nothing over up down out somewhere anywhere brit"
    " yank american aussie londoner redditor op mod admin support hello hi hey come look click tap press sign see"
    " read".split()
)


@cache
def _list_kinds() -> frozenset[str]:
    """Words for what people are, in small letters: trades, kin, peoples."""
    lists = ("occupations", "demonyms", "attributes", "religions", "ethnic_groups", "ranks")
    words = {word.lower() for name in lists for word in read_words(name)}
    return frozenset(words | set(word_lists.read_words("kin_before_names")))


def _is_caller(surface: str) -> bool:
    """Whether whoever speaks so is somebody by name: "Ottoline here", not "Nurse here", "Right here"."""
    first = surface.split()[0]
    low = first.lower()
    if low in _NOBODY or low in CHATTER or low in _list_kinds() or first in THINGS:
        return False
    if is_place(first) or low in COMMON - NAMED_WORDS:
        return False
    return low in NAMED_WORDS or is_rare_word(first)


def _is_introduced(surface: str) -> bool:
    """Whether what somebody says to be begins with a given name: "i'm ana souza", not "i'm very tired"."""
    first = surface.split(maxsplit=1)[0]
    return is_given_name(first.title())


def _find_spelt(match: re.Match[str]) -> Iterator[tuple[int, int]]:
    """A name letter by letter, and the word that these letters make shortly before."""
    yield match.span()
    word = match[0].replace("-", "")
    before = match.string[max(0, match.start() - _SPELT) : match.start()]
    at = before.upper().rfind(word)
    if at >= 0:
        start = match.start() - len(before) + at
        yield start, start + len(word)


FAMILY = Family(
    name="self_named",
    rules=(
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"\b(?i:my[ ]name(?:[ ]is|['’]?s)|name['’]s)[ ](?P<m>{_PART}(?:[ ]{_PART}){{0,3}})",
            triggers=("my name", "name's ", "name’s "),
            reach=64,
            score=0.85,
        ),
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"\b(?i:i['’]?m|i am|this is|it['’]s|call me)[ ](?P<m>{_PART}(?:[ ]{_PART}){{1,3}})",
            triggers=("i'm ", "i’m ", "im ", "i am ", "this is ", "it's ", "it’s ", "call me "),
            reach=64,
            score=0.8,
            check=_is_introduced,
        ),
        # "surname Gallacher", "my first name's zuqo"
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"(?<!\w)(?i:surname|(?:first|last|family|given|maiden|middle|christian) name)"
            rf"(?:[ ](?i:is|was)|['’]s)?,?"
            rf"[ ](?P<m>{_PART}(?<!\.))(?![\w-])",
            triggers=(
                "surname",
                "first name",
                "last name",
                "family name",
                "given name",
                "maiden name",
                "middle name",
                "christian name",
            ),
            opens=True,
            score=0.8,
            check=is_rare_word,
        ),
        # "It's Odalys. O-D-A-L-Y-S."
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=r"(?<![\w-])[A-Z](?:-[A-Z]){3,20}(?![\w-])",
            shapes=("A-A-A-A",),
            opens=True,
            expand=_find_spelt,
            score=0.8,
        ),
        # "hi its jonas", "im ana": one given name in small letters
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=r"(?<![\w'’])(?i:it['’]?s|this is|i['’]?m|call me)[ ](?P<m>[a-z]{3,12})"
            r"(?=[ ]?[,.!?\n)]|[ ](?i:here|from|again)\b|\Z)",
            triggers=("i'm ", "i’m ", "im ", "its ", "it's ", "it’s ", "this is ", "call me "),
            reach=32,
            score=0.8,
            check=lambda surface: is_given_name(surface.capitalize()),
        ),
        # "Ottoline here, his mum", "Hi, Isambard Tolm speaking"
        Rule(
            name="name_said",
            type=EntityType.PERSON,
            regex=rf"(?:\A|(?<=[.!?] )|(?<=\n)|(?<=[Hh]i )|(?<=[Hh]i, )|(?<=[Hh]ey )|(?<=[Hh]ey, )"
            rf"|(?<=[Hh]ello )|(?<=[Hh]ello, ))"
            rf"(?!(?:Hi|Hey|Hello)\b)(?P<m>{CAP}(?: {CAP})?) (?:here|speaking)"
            r"(?=[ ]?[,.;:!(–-]|[ ]?\n|[ ]?\Z|[ ](?:from|again|at)\b)",
            triggers=(" here", " speaking"),
            reach=64,
            score=0.8,
            check=_is_caller,
        ),
    ),
    positive=(
        ("O-D-A-L-Y-S", ("O-D-A-L-Y-S",)),
        ("Yes, Brzeska, that is B-R-Z-E-S-K-A", ("Brzeska", "B-R-Z-E-S-K-A")),
        ("surname Gallacher. My policy", ("Gallacher",)),
        ("hi its jonas, mums phone died", ("jonas",)),
        ("im anna from support", ("anna",)),
        ("hi my name is ana maria souza and i need help", ("ana maria souza",)),
        ("hi im ana souza btw", ("ana souza",)),
        ("Zuqo here, his mum. Hi, Brisca Tolm here from upstairs", ("Zuqo", "Brisca Tolm")),
        ("Hello Zuqo speaking, how may I help?", ("Zuqo",)),
    ),
    negative=(
        "my name is on the list",
        "i'm very tired of this",
        "the surname and the first name are missing",
        "Right here. Nurse here, Mum here! Londoner here. Click here.",
    ),
)
