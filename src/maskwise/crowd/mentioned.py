"""Collects the terms that texts about a crowd mention beside the facts of the profiles: words, numbers, months, places.

A profile holds what an infobox would. A letter speaks of surgery, income and rain, of which no profile says anything,
though thousands of the crowd have had all three. Without them every ordinary word would look like a fingerprint. Only
words that many texts use are kept, and no names of people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from maskwise.crowd.curate import extract_terms
from maskwise.text.english import MONTHS
from maskwise.text.plain_words import PLAIN_WORDS
from maskwise.text.tokens import WORD

READ = 4000  # characters of a text that are read: the same as for profiles
FEWEST, MOST = (
    10,
    6000,
)  # people of a crowd who may share a word: rarer words are no crowd, commoner ones tell nothing
_PLAIN = re.compile(
    r"[a-zß-öø-ÿ][\w'’-]*|\d{1,4}(?:st|nd|rd|th)?"
)  # begins with a small letter, or is a short number
_LISTS = (
    "countries.txt",
    "demonyms.txt",
    "languages.txt",
    "religions.txt",
    "regions.txt",
    "cities.tsv",
)


def list_mentions(text: str) -> set[str]:
    """The terms of a text that name no person: words in small letters, short numbers, months, places and peoples.

    >>> sorted(list_mentions("In April 1998 Ana Souza sold her fishing boats in Portugal."))
    ['1998', 'april', 'boat', 'fish', 'portugal', 'sold']
    """
    known = _load_public_names()
    found: set[str] = set()
    for match in WORD.finditer(text, 0, READ):
        word = match[0]
        if _PLAIN.fullmatch(word) or word in known:
            found.update(extract_terms(word))
    return found


class Mentions(NamedTuple):
    """The terms that each text mentions, and the terms of so many texts that they tell nothing."""

    by_text: Sequence[Sequence[str]] = ()
    common: Sequence[str] = ()


NO_MENTIONS = Mentions()


def choose_mentions(texts: Iterable[str]) -> Mentions:
    """Per text the terms that neither too few nor too many texts mention, and those that too many do, sorted."""
    listed = [list_mentions(text) for text in texts]
    counts = Counter(term for terms in listed for term in terms)
    shared = {term for term, count in counts.items() if FEWEST <= count <= MOST}
    common = sorted(term for term, count in counts.items() if count > MOST)
    return Mentions([sorted(terms & shared) for terms in listed], common)


@cache
def load_plain_terms() -> frozenset[str]:
    """Terms of plain words: biographies rarely say "please" or "tomorrow", and yet everybody does."""
    return frozenset(term for word in PLAIN_WORDS for term in extract_terms(word))


@cache
def _load_public_names() -> frozenset[str]:
    """Words that begin with a capital letter and name no person."""
    return frozenset((*MONTHS, *_read_lists()))


def _read_lists() -> Iterator[str]:
    """Single words of the lists of places, peoples, languages and religions, as they are written."""
    folder = files("maskwise.bundle").joinpath("gazetteers")
    for name in _LISTS:
        for line in folder.joinpath(name).read_text("utf-8").splitlines():
            entry = line.split("\t")[0].strip()
            if entry[:1].isupper() and " " not in entry:
                yield entry
