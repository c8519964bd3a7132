"""Word tokens and sentences by regular expression: Unicode-aware, aware of abbreviations, linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A word is letters or digits, with the marks that hold one together: "O'Neill", "27961/02", "3.5", "v2-b", "a.m.".
WORD = re.compile(r"\w+(?:[.,:/'’@&-]\w+)*", re.UNICODE)
# A word of a name or a phrase, whose signs are fewer: "O'Neill", "v2-b", "a.m".
JOINED_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
POSSESSIVE = re.compile(r"['’]s?\Z")

# A full stop after one of these does not end a sentence.
ABBREVIATIONS = frozenset(
    """
    mr mrs ms mx dr prof sr jr st mt rev fr hon gen col maj capt cpt lt sgt cpl pte adm cmdr insp supt det sen rep gov
    pres messrs mme mlle mgr esq cf v vs viz al etc eg ie e.g i.e ca approx est inc ltd co corp bros dept div
    univ ave blvd rd sq hwy jan feb mar apr jun jul aug sep
    sept oct nov dec mon tue tues wed thu thur thurs fri sat sun a.m p.m ph.d m.d b.a m.a u.s u.k u.n d.c ref ext tel
    """.split()
)

# Neither does one after these words when a number follows: "No. 12", but "He said no. Then ...".
NUMBERED = frozenset("no nos nr art arts sec sect para paras p pp vol vols fig figs ch".split())

_BREAK = re.compile(
    r"""
    (?P<stop>[.!?…]+['"”’»)\]]*)(?=\s)     # closing punctuation before white space
    | [。！？]+                              # full-width stops need no space
    | \n[ \t]*\n\s*                          # a blank line
    """,
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*\Z")
_NEXT = re.compile(r"\s+(?:[\"“‘'(\[«]*)(.)", re.DOTALL)


def find_words(text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Spans of the word tokens of `text[start:end]`."""
    for match in WORD.finditer(text, start, len(text) if end is None else end):
        yield match.span()


def find_sentences(text: str) -> list[tuple[int, int]]:
    """Spans of the sentences of `text`, without white space around them. They hold every other character."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _BREAK.finditer(text):
        if match["stop"] and not _is_sentence_end(text, match):
            continue
        _append_trimmed(spans, text, start, match.end())
        start = match.end()
    _append_trimmed(spans, text, start, len(text))
    return spans


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    if left < right:
        spans.append((start + left, start + right))


def _is_sentence_end(text: str, match: re.Match[str]) -> bool:
    following = _NEXT.match(text, match.end())
    if following is None:
        return True
    stop, sign = match["stop"], following[1]
    is_one_stop = stop.startswith(".") and not stop.startswith("..")
    if is_one_stop and _is_abbreviation(text, match.start(), sign):
        return False
    return not sign.islower()


def _is_abbreviation(text: str, end: int, sign: str) -> bool:
    """Whether the word before a full stop at `end` is shortened by it; `sign` begins the next word."""
    before = _LAST_WORD.search(text, max(0, end - 24), end)
    word = before.group() if before else ""
    if word.casefold() in NUMBERED and sign.isdigit():
        return True
    # "J. Smith", "A.B. was": a single capital letter or dotted initials stand for a name.
    is_initials = all(len(part) == 1 and part.isupper() for part in word.split("."))
    return is_initials or word.casefold() in ABBREVIATIONS
