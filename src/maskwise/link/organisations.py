"""Joins the written names that are one organisation: with and without the legal form, and the short name of a company.

"Borealis Shipping Ltd" and "Borealis Shipping" share their core. A name that begins the core of exactly one company
("Borealis") joins it if it has two words or its one word is distinctive.
"""

from __future__ import annotations

from collections.abc import Sequence

from maskwise.link.union import DisjointSets
from maskwise.text.common_words import COMMON, LEGAL_FORMS
from maskwise.text.folding import fold_words

Core = tuple[str, ...]


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
