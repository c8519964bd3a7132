"""Makes entities of phrases: candidates for masks, which take no part in any other linking.

A phrase loses every overlap. What the mentions of other entities leave of it stays, as one or several pieces, if it
still tells something. The others are never changed, whatever phrases there are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from maskwise.text import Entity, Mention
from maskwise.text.folding import fold_words
from maskwise.text.plain_words import CLOSED, PLAIN_ADVERBS, PLAIN_WORDS, split_clitic
from maskwise.text.subtypes import TELLING
from maskwise.text.tokens import WORD
from maskwise.text.types import Span

_INSIDE = re.compile(r"\w\w")
_EDGES = CLOSED | PLAIN_ADVERBS  # a piece neither begins nor ends with one of these


def add_candidates(entities: Sequence[Entity], phrases: Iterable[Mention]) -> list[Entity]:
    """Returns the entities as they are, then one candidate for all phrases of the same words, by first mention.

    No phrase overlaps another. The candidates are numbered p1, p2, ..., so that the others keep their numbers.
    """
    taken = sorted(mention.span for entity in entities for mention in entity.mentions)
    groups: dict[str, list[Mention]] = {}
    for phrase in sorted(phrases, key=lambda m: m.start):
        for piece in _cut_phrase(phrase, taken):
            key = " ".join(fold_words(piece.text)) or piece.text
            groups.setdefault(key, []).append(piece)
    candidates = [
        Entity(f"p{number}", found[0].type, tuple(found))
        for number, found in enumerate(groups.values(), 1)
    ]
    return [*entities, *candidates]


def _cut_phrase(phrase: Mention, taken: Sequence[Span]) -> Iterator[Mention]:
    """Yields what is left of a phrase beside the spans that are taken; all of it, as a rule."""
    at = bisect_right(taken, phrase.start, key=lambda span: span[1])
    if at == len(taken) or taken[at][0] >= phrase.end:
        yield phrase
        return
    cursor = phrase.start
    while at < len(taken) and taken[at][0] < phrase.end:
        yield from _trim_piece(phrase, cursor, taken[at][0])
        cursor = max(cursor, taken[at][1])
        at += 1
    yield from _trim_piece(phrase, cursor, phrase.end)


def _trim_piece(phrase: Mention, start: int, end: int) -> Iterator[Mention]:
    """Yields the stretch of a phrase without small words at its edges, if it still tells something."""
    text = phrase.document.text
    words = [match.span() for match in WORD.finditer(text, start, end)] if start < end else []
    # An edge inside a word is no edge.
    if words and _is_inside_word(text, words[0][0]):
        words = words[1:]
    if words and _is_inside_word(text, words[-1][1]):
        words = words[:-1]
    while words and _is_small(text, words[0]):
        words = words[1:]
    while words and _is_small(text, words[-1]):
        words = words[:-1]
    silent = _EDGES if phrase.subtype == TELLING else PLAIN_WORDS
    if any(split_clitic(text[low:high])[0] not in silent for low, high in words):
        low, (last, high) = words[0][0], words[-1]
        high -= len(split_clitic(text[last:high])[1])
        yield replace(phrase, start=low, end=high, text=text[low:high])


def _is_small(text: str, span: Span) -> bool:
    return split_clitic(text[span[0] : span[1]])[0] in _EDGES


def _is_inside_word(text: str, at: int) -> bool:
    return at > 0 and _INSIDE.match(text, at - 1) is not None
