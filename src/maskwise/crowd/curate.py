"""Texts as an attacker reads them (TRIA, section 3.3.3): words folded to lemmas, stop words and generic masks removed.

Lemmas come from light suffix rules, not from a dictionary. It is enough that two forms of a word have the same lemma,
and both sides of the attack use the same rules.
"""

from __future__ import annotations

import re
from functools import lru_cache

from maskwise.text.english import STOP_WORDS
from maskwise.text.folding import fold_word
from maskwise.text.tokens import WORD

# Labels that recognisers print in the place of a name. A mask says that there was something, not what it was.
LABELS = (
    "PERSON PER LOCATION LOC GPE FAC ORGANIZATION ORGANISATION ORG MISC DATE_TIME DATE TIME DATETIME NORP NRP CARDINAL "
    "ORDINAL PRODUCT EVENT WORK_OF_ART LAW LANGUAGE PERCENT MONEY QUANTITY CODE DEM EMAIL_ADDRESS PHONE_NUMBER URL "
    "IP_ADDRESS ID AGE NAME SENSITIVE REDACTED MASKED MASK WORLD YEAR"
).split()
_LABEL = "|".join(sorted((label.replace("_", "[_ ]") for label in LABELS), key=len, reverse=True))
GENERIC = re.compile(
    rf"""
    [\[<{{(][A-Z][A-Z_ /-]*(?:[ _#-]?\d+)?[\]>}})]     # [PERSON], <PERSON_2>, [ORG 1], (DATE)
    | \b(?:{_LABEL})(?:[_-]?\d+)?\b                    # PERSON, PERSON_1
    | \*{{2,}} | _{{3,}} | \b[Xx]{{3,}}\b | [█■▇▓]+      # ***, ____, XXX, ink
    """,
    re.VERBOSE,
)


def drop_masks(text: str) -> str:
    """The text without generic masks.

    >>> drop_masks("[PERSON 1] met PERSON in *** on Monday.").split()
    ['met', 'in', 'on', 'Monday.']
    """
    return GENERIC.sub(" ", text)


def extract_terms(text: str) -> list[str]:
    """Lemmas of the words that carry content, in order.

    >>> extract_terms("She was filming the movies of O'Neill's uncle in 1984.")
    ['film', 'movy', "o'neill", 'uncl', '1984']
    """
    found = []
    for match in WORD.finditer(text):
        for part in match[0].split("-"):
            term = _read_term(part)
            if term:
                found.append(term)
    return found


@lru_cache(maxsize=1 << 17)
def _read_term(word: str) -> str:
    """The lemma of one word, or nothing for a stop word."""
    low = fold_word(word)
    low = low.removesuffix("'s").removesuffix("'")
    return "" if low in STOP_WORDS else lemmatise(low)


def lemmatise(word: str) -> str:
    """The word without the endings of plural, past and participle, by rule.

    >>> [lemmatise(w) for w in "cities stopped acting acted acts bus glass ring".split()]
    ['city', 'stop', 'act', 'act', 'act', 'bus', 'glass', 'ring']
    """
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith(("ies", "ie")):
        return word.removesuffix("s")[:-2] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2 and any(vowel in stem for vowel in "aeiouy"):
            double = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if double else stem
    return word.removesuffix("e")
