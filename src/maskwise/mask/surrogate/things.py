"""Invented names of organisations: their kind and form stay."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from maskwise.mask.surrogate.origins import draw_surname
from maskwise.text.word_lists import read_words

_WORD = re.compile(r"[^\W\d_]+")
_SMALL = frozenset(
    "of the for and in at on de la du des der die das und et y e di del van von".split()
)
# Words that say what an organisation or a place is, not which.
GENERIC = frozenset(read_words("bodies_and_places"))
_NUMBERED = frozenset(("no", "no.", "nr", "nr."))


def invent_organisation(faker: Any, text: str, locale: str) -> str:
    """The name with its own words replaced by one surname: "Hartley Regional Court" for "Lublin Regional Court".

    A name without a word for its kind gets two surnames, if it has two words. What follows "of" may be a second name.
    """
    words = re.findall(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?|&|\d+", text)
    pieces: list[str] = []
    count = 0
    has_kind = any(_is_generic(word) for word in words)
    most = 1 if has_kind else min(2, len(words))
    for at, word in enumerate(words):
        if _is_generic(word):
            pieces.append(word)
        elif word.isdigit():
            pieces.append(str(faker.random_int(1, 9)))
        elif _is_small(word):
            # A small word stays where it joins words that stay, or begins the one name.
            follows = words[at + 1 : at + 2]
            if pieces and follows and (_is_generic(follows[0]) or count < most):
                pieces.append(word)
        elif count < most:
            pieces.append(draw_surname(faker.random, "", locale).replace(" ", ""))
            count += 1
    while pieces and (_is_small(pieces[-1]) or pieces[-1].lower() in _NUMBERED):
        pieces.pop()
    if count == 0:  # "Institute of Marine Research" must not stay in its surrogate
        kind = pieces[0] if len(pieces) > 1 and _is_small(pieces[1]) else pieces[-1]
        pieces = [draw_surname(faker.random, "", locale).replace(" ", ""), kind]
    return " ".join(pieces)


def _is_generic(word: str) -> bool:
    return word.lower().rstrip(".") in GENERIC


def _is_small(word: str) -> bool:
    return word.lower() in _SMALL or word == "&"


def make_acronym(name: str) -> str:
    """The first letters of the words that are written large."""
    words = [word for word in _WORD.findall(name) if word[0].isupper()]
    letters = "".join(word[0] for word in words)
    return letters if len(letters) > 1 else f"{letters}X"


def draw_acronym(random: Random, text: str) -> str:
    return "".join(random.choice("BDFGHKLMNPRTV") for _ in text)
