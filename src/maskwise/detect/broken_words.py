"""Widens guesses to whole words where signs that no reader sees, or letters written as entities, cut a word.

"Quill<soft hyphen>feather" and "M&uuml;ller" are one word to a reader and several to a model, which may mask the first.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace

from maskwise.text import Document, Mention
from maskwise.text.folding import UNSEEN
from maskwise.text.types import Span

_ENTITY = r"&(?:#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,5}|[A-Za-z]{2,20});"
_RUN = re.compile(rf"(?:[\w{UNSEEN}]|{_ENTITY})++")
_CUT = re.compile(rf"{_ENTITY}|\w[{UNSEEN}]+\w")
_SIGN = re.compile(_ENTITY)
_LONGEST = 200  # characters of such a word; what is longer is no word


def complete_words(document: Document, mentions: Sequence[Mention]) -> list[Mention]:
    """Returns the mentions, sorted and apart; those that hold a part of a broken word hold the whole."""
    broken = list(find_broken_words(document.text))
    ordered = sorted(mentions, key=lambda mention: mention.start)
    if not broken or not ordered:
        return ordered
    starts = [start for start, _ in broken]
    found: list[Mention] = []
    for mention in ordered:
        start, end = _widen(mention.span, broken, starts)
        if found and start < found[-1].end:
            start = found[-1].end
            if mention.start < start or start >= end:
                continue  # the word belongs to the mention before
        if (start, end) != mention.span:
            mention = replace(
                mention, start=start, end=end, text=document.text[start:end], value=""
            )
        found.append(mention)
    return found


def find_broken_words(text: str) -> Iterator[Span]:
    """The words that a sign without width or a letter written as an entity cuts."""
    if _CUT.search(text) is None:
        return
    for match in _RUN.finditer(text):
        if match.end() - match.start() > _LONGEST or _CUT.search(match[0]) is None:
            continue
        if all(html.unescape(sign[0]).isalpha() for sign in _SIGN.finditer(match[0])):
            yield match.span()


def _widen(span: Span, broken: Sequence[Span], starts: Sequence[int]) -> Span:
    start, end = span
    at = bisect_left(starts, end)
    while at and broken[at - 1][1] > span[0]:
        at -= 1
        start, end = min(start, broken[at][0]), max(end, broken[at][1])
    return start, end
