"""What the name of a column says about its values: words of headers by the kind of column that they announce."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from maskwise.text.word_lists import read_table, read_words

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_JOINED = re.compile(r"[\s_./-]+")

# Words that say what a column holds, whatever stands before them: "customer name", "branch city".
WORDS: Mapping[str, str] = dict(read_table("column_kinds"))
# Roles of people: such a column holds names, unless its values say otherwise.
PEOPLE = frozenset(read_words("column_people"))
AGE = frozenset(("age", "alter", "edad", "wiek"))
# A number under one of these is a quantity though the rest of the header names somebody.
_HEADS = frozenset(WORDS["number"].split()) - {"level", "result", "rank", "term", "share"}
_KINDS = {word: kind for kind, words in WORDS.items() for word in words.split()}


@cache
def split_words(header: str) -> tuple[str, ...]:
    """The words of a header in small letters; "e-mail" and "post code" are one word.

    >>> split_words("homePhone_no"), split_words("E-Mail")
    (('home', 'phone', 'no'), ('email',))
    """
    joined = _JOINED.sub("", header).lower()
    if joined in _KINDS:
        return (joined,)
    return tuple(word.lower() for word in _WORD.findall(header))


def read_kinds(header: str) -> tuple[str, ...]:
    """The kinds that the words of a header announce, the one of its last telling word first.

    >>> read_kinds("date_of_birth"), read_kinds("customer")
    (('birth', 'date'), ())
    """
    words = split_words(header)
    found = [_KINDS[word] for word in reversed(words) if word in _KINDS]
    if words and words[-1] in _HEADS:
        found = ["number", *found]
    if "date" in found and found[0] != "date" and words[-1] in ("on", "at"):
        found = ["date", *found]
    return tuple(dict.fromkeys(found))


def is_of_people(header: str) -> bool:
    """Whether a header names a role of people.

    >>> is_of_people("billing customer"), is_of_people("amount")
    (True, False)
    """
    return not PEOPLE.isdisjoint(split_words(header))
