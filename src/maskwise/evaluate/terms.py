"""Terms of a text: its words, but a noun chunk is one term (Manzanares-Salor et al. 2022, section 4.2).

The published measure takes chunks from a parser. This chunker needs no model: it knows closed-class words, a few dozen
irregular verbs and some endings. A chunk is

- a name or date: two or more words that begin with a capital letter or are numbers, side by side, initials and linking
  words ("of", "de", "van") between two of them included;
- a noun phrase: after a determiner, possessive or preposition, up to four open-class words, as far as the first that
  looks like a verb or an adverb (endings -ed, -ing, -ly after the first word, or in the list) or begins a name.

Against a parser it misses bare plurals and long modifiers, and takes an odd verb for a noun ("the court orders").
Determiners stay terms of their own: they carry next to no information.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from maskwise.evaluate.closed_class import IGNORED_WORDS
from maskwise.text.english import DETERMINERS, PREPOSITIONS
from maskwise.text.tokens import find_sentences, find_words
from maskwise.text.types import Span
from maskwise.text.word_lists import read_words

LONGEST = 4  # words of a noun phrase
POSSESSIVES = "my your his her its our their whose".split()
PRONOUNS = """
    i you he she it we they me him us them who whom which what there here when where why how if because while although
    though so then also only just very more most less least too yet ever never always often again later once
""".split()
VERBS = read_words("frequent_verbs")
STARTERS = frozenset((*DETERMINERS, *POSSESSIVES, *PREPOSITIONS))
CLOSED = frozenset((*IGNORED_WORDS, *POSSESSIVES, *PRONOUNS, *VERBS))
LINKS = frozenset("of de da do del della di du la le van von der den ter bin ibn al el y".split())
_SPACE = re.compile(r"[ \t\u00a0]+")
_NAME_GAP = re.compile(r"\.?[ \t\u00a0]+|-")


def find_terms(text: str) -> list[Span]:
    """Returns the spans of the terms, in order, without overlap."""
    found: list[Span] = []
    for start, end in find_sentences(text):
        found += _chunk_sentence(text, list(find_words(text, start, end)))
    return found


def _chunk_sentence(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    names = [text[s:e] for s, e in spans]
    at = 0
    while at < len(spans):
        name = _measure_name(text, spans, names, at)
        phrase = _measure_phrase(text, spans, names, at)
        size = max(name, phrase, 1)
        yield spans[at][0], spans[at + size - 1][1]
        at += size


def _measure_name(text: str, spans: Sequence[Span], names: Sequence[str], at: int) -> int:
    """Counts the words from `at` that make one name or date; 0 if no name begins there."""
    opens_sentence = not at and names[at].casefold() in CLOSED  # and has its capital for that
    if not _is_capital(names[at]) or opens_sentence:
        return 0
    size = 1
    for next_at in range(at + 1, len(spans)):
        gap = text[spans[next_at - 1][1] : spans[next_at][0]]
        between_numbers = names[next_at].isdecimal() and names[next_at - 1].isdecimal()
        is_date = gap == ", " and between_numbers  # "June 4, 1975"
        if not is_date and not _NAME_GAP.fullmatch(gap):
            break
        if _is_capital(names[next_at]):
            size = next_at - at + 1
        elif names[next_at] not in LINKS or next_at - at > size + 1:
            break
    return size


def _is_capital(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit()


def _measure_phrase(text: str, spans: Sequence[Span], names: Sequence[str], at: int) -> int:
    """Counts the words from `at` that make a noun phrase; 0 unless the word before opens one."""
    if not at or names[at - 1].casefold() not in STARTERS:
        return 0
    if not _is_beside(text, spans[at - 1], spans[at]):
        return 0
    size = 0
    for next_at in range(at, min(at + LONGEST, len(spans))):
        if _is_closed_class(names[next_at]):
            break
        if size and not _is_continued(text, spans, names, next_at):
            break
        size += 1
    return size


def _is_closed_class(word: str) -> bool:
    return word.islower() and word in CLOSED


def _is_continued(text: str, spans: Sequence[Span], names: Sequence[str], at: int) -> bool:
    """Whether the noun phrase goes on. A name after common words ("his wife | Anna") ends it, and so does a verb."""
    begins_name = _is_capital(names[at]) and not _is_capital(names[at - 1])
    is_like_verb = names[at].endswith(("ed", "ing", "ly"))
    return _is_beside(text, spans[at - 1], spans[at]) and not begins_name and not is_like_verb


def _is_beside(text: str, left: Span, right: Span) -> bool:
    return _SPACE.fullmatch(text, left[1], right[0]) is not None


def group_by_sentence(text: str, found: Sequence[Span]) -> list[tuple[Span, list[int]]]:
    """Returns the sentences with the numbers of their terms. A sentence without a term is left out."""
    result = []
    at = 0
    for start, end in find_sentences(text):
        first = at
        while at < len(found) and found[at][0] < end:
            at += 1
        if at > first:
            result.append(((start, end), list(range(first, at))))
    return result
