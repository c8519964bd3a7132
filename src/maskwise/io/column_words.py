"""Reads the name of a column: words of headers by the kind of column that they announce."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from maskwise.text.folding import STROKED, strip_accents
from maskwise.text.word_lists import read_table, read_words

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBERED = re.compile(r"([A-Za-z]{1,8}[ _.-]?)\d{1,3}")
_JOINED = re.compile(r"[\s_./-]+")

# Words that say what a column holds, whatever stands before them: "customer name", "branch city".
WORDS: Mapping[str, str] = dict(read_table("column_kinds"))
# Roles of people: such a column holds names, unless its values say otherwise.
PEOPLE = frozenset(read_words("column_people"))
AGE = frozenset(("age", "alter", "edad", "wiek"))
# A number under one of these is a quantity though the rest of the header names somebody.
_HEADS = frozenset(WORDS["number"].split()) - {"level", "result", "rank", "term", "share"}
_NAME_PARTS = frozenset("first last given family middle maiden".split())
_JOINING = frozenset("of the de du des d la le der die das n in di da".split())
_KINDS = {word: kind for kind, words in WORDS.items() for word in words.split()}


@cache
def split_words(header: str) -> tuple[str, ...]:
    """The words of a header in small letters; "e-mail" and "post code" are one word.

    >>> split_words("homePhone_no"), split_words("E-Mail")
    (('home', 'phone', 'no'), ('email',))
    """
    plain = strip_accents(header).replace("ß", "ss").translate(STROKED)
    joined = _JOINED.sub("", plain).lower()
    if joined in _KINDS:
        return (joined,)
    return tuple(word.lower() for word in _WORD.findall(plain))


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


def list_title_cells(cells: Sequence[str]) -> frozenset[str]:
    """The cells of a first line that are nothing but words of titles; none where too few are for a line of titles.

    Numbered cells are titles where three or more share their letters: "item1", "item2".

    >>> sorted(list_title_cells(["Nachname", "Ort", "Kowalska"])), list_title_cells(["Case", "Anna"])
    (['Nachname', 'Ort'], frozenset())
    """
    found = frozenset(cell for cell in cells if _is_title(cell)) | _list_numbered(cells)
    return found if 2 * len(found) >= max(4, len(cells)) else frozenset()


def _list_numbered(cells: Sequence[str]) -> frozenset[str]:
    numbered = {cell: match[1] for cell in cells if (match := _NUMBERED.fullmatch(cell))}
    often = Counter(numbered.values())
    return frozenset(cell for cell, letters in numbered.items() if often[letters] > 2)


def _is_title(cell: str) -> bool:
    words = split_words(cell)
    telling = [word for word in words if word not in _JOINING]
    is_plain = not any(map(str.isdigit, cell)) and len(cell) <= 40
    return is_plain and bool(telling) and all(word in _KINDS or word in PEOPLE for word in telling)


def is_name_part(header: str) -> bool:
    """Whether a header alone names a part of a name, as under the key of a person.

    >>> is_name_part("last"), is_name_part("last order")
    (True, False)
    """
    words = split_words(header)
    return len(words) == 1 and words[0] in _NAME_PARTS


def is_of_people(header: str) -> bool:
    """Whether a header names a role of people.

    >>> is_of_people("billing customer"), is_of_people("amount")
    (True, False)
    """
    return not PEOPLE.isdisjoint(split_words(header))
