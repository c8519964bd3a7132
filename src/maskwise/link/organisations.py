"""Joins the written names that are one organisation: with and without the legal form, and the short name of a company.

"Borealis Shipping Ltd" and "Borealis Shipping" share their core. A name that begins the core of exactly one company
("Borealis") joins it if it has two words or its one word is distinctive. Three capitals or more join the one name
whose first letters they are, defined or not: "Baltic Shipping Register", "BSR".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from maskwise.link.union import DisjointSets
from maskwise.text.common_words import COMMON, LEGAL_FORMS
from maskwise.text.folding import fold_words

Core = tuple[str, ...]
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def join_organisations(sets: DisjointSets, nodes: Sequence[tuple[int, str]]) -> None:
    """Joins the nodes of one organisation. Each node comes with a name it is written by."""
    first: dict[Core, int] = {}
    companies: dict[Core, set[Core]] = {}
    for node, surface in nodes:
        found, company = strip_legal_form(surface)
        if not found:
            continue
        if sets.find(first.setdefault(found, node)) != sets.find(node):
            sets.join(first[found], node)
        if company:
            for size in range(1, min(len(found), 5)):
                companies.setdefault(found[:size], set()).add(found)
    for short, node in first.items():
        longer = companies.get(short, ())
        if len(longer) == 1 and (len(short) > 1 or is_distinctive(short[0])):
            sets.join(first[next(iter(longer))], node)

    _join_acronyms(sets, nodes)


def _join_acronyms(sets: DisjointSets, nodes: Sequence[tuple[int, str]]) -> None:
    homes: dict[str, set[int]] = {}
    for node, surface in nodes:
        if letters := make_acronym(surface):
            homes.setdefault(letters, set()).add(node)
    for node, surface in nodes:
        found = {sets.find(home) for home in homes.get(surface, ())}
        if len(found) == 1:
            sets.join(found.pop(), node)


def is_acronym(surface: str) -> bool:
    """Whether a name is three to six capitals."""
    return 3 <= len(surface) <= 6 and surface.isalpha() and surface.isupper()


def make_acronym(surface: str) -> str:
    """The first letters of a name of three words or more that are written large; nothing where they are too few.

    >>> make_acronym("Baltic Register of Shipping"), make_acronym("St Mary's Hospital"), make_acronym("Polar Bank")
    ('BRS', 'SMH', '')
    """
    words = _WORD.findall(surface)
    if any(len(word) > 1 and word.isupper() for word in words):
        return ""
    letters = "".join(word[0] for word in words if word[0].isupper())
    return letters if is_acronym(letters) else ""


def strip_legal_form(surface: str) -> tuple[Core, bool]:
    """Returns the words without the article and the legal form, and whether there was such a form.

    >>> strip_legal_form("The Borealis Shipping Co. Ltd")
    (('borealis', 'shipping'), True)
    """
    found = fold_words(surface.replace(".", "").replace("/", ""))
    if len(found) > 1 and found[0] == "the":
        del found[0]
    size = len(found)
    while len(found) > 1 and found[-1] in LEGAL_FORMS:
        found.pop()
    return tuple(found), len(found) < size


def is_distinctive(word: str) -> bool:
    """Whether a word alone tells which organisation is meant."""
    return len(word) > 3 and word.lower() not in COMMON
