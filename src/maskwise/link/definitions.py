"""Short forms that a text defines: the Regional Health Authority ("the RHA"), and RHA (Regional Health Authority).

The method is that of Schwartz and Hearst (2003): a bracket right after a name holds its short form if the letters
agree. In quotation marks any name is a short form, except words for a role ("the applicant company") or a body ("the
Bank"). After an organisation capitals are its short form also where the letters are those of its name in another
language. A mention that includes the bracket is first split into the name and its short form.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from maskwise.text import EntityType, Mention
from maskwise.text.common_words import GENERIC
from maskwise.text.folding import fold_words

NAMED = frozenset((EntityType.PERSON, EntityType.ORG, EntityType.LOC, EntityType.MISC))
_SMALL = ("of", "the", "and", "for", "in", "on", "de", "la", "du")
_QUOTE = "\"“”„«»'‘’"
_INTRODUCED = (
    r"(?:(?:hereinafter|hereafter|henceforth|(?:also |now )?known as|(?:also )?called|referred to as"
    r"|abbreviated(?: as)?|abbr\.|now|or|in short)[ ,:]{1,3}){0,2}"
)
# (the "RHA"), ("the RHA"), (hereinafter: the RHA), (RHA)
_BRACKET = re.compile(
    rf"\(\s{{0,2}}{_INTRODUCED}(?:the\s)?(?P<open>[{_QUOTE}]{{1,2}})?(?:the\s)?"
    rf"(?P<short>[^\W\d_][^()\n{_QUOTE},;]{{0,48}}?)[{_QUOTE}]{{0,2}}"
    r"(?:[,;][^()\n]{0,40}| for short)?\s{0,2}\)",
)
_CAPITALS = re.compile(r"[^\W\d_a-z]{3,6}")
# Capitals in brackets after an organisation that are no name of it.
_NO_NAMES = frozenset(
    "usa plc llc ltd inc ngo ceo cfo cto eur usd gbp pln nok sek dkk chf pty".split()
)
_POSSESSIVE = re.compile(r"['’]s?\b", re.IGNORECASE)
_ACRONYM_BEFORE = re.compile(r"\b(?P<short>[^\W\d_a-z][\w.&-]{1,9})\s\($")


class Definition(NamedTuple):
    """`[start, end)` is a short form of the mention numbered `long`."""

    start: int
    end: int
    long: int


def split_definitions(mentions: Iterable[Mention]) -> Iterator[Mention]:
    """Splits each mention that holds both a name and its definition. A bracket that defines nothing stays."""
    for mention in mentions:
        if "(" not in mention.text or mention.type not in NAMED:
            yield mention
            continue
        at = 0
        for match in _BRACKET.finditer(mention.text, 1):
            if _can_abbreviate(mention.text[at : match.start()], match, mention.type):
                yield from _cut_piece(mention, at, match.start())
                yield from _cut_piece(mention, *match.span("short"))
                at = match.end()
        yield from _cut_piece(mention, at, len(mention)) if at else (mention,)


def _cut_piece(mention: Mention, start: int, end: int) -> Iterator[Mention]:
    text = mention.text[start:end]
    if any(map(str.isalnum, text)):
        start += mention.start + len(text) - len(text.lstrip())
        text = text.strip()
        yield replace(mention, start=start, end=start + len(text), text=text, value="")


def find_definitions(text: str, mentions: Sequence[Mention]) -> Iterator[Definition]:
    """Yields the definitions of names among sorted mentions, in order."""
    ends = [m.end for m in mentions]
    for match in _BRACKET.finditer(text):
        before = bisect_right(ends, match.start()) - 1
        if before >= 0 and _is_definition(text, mentions[before], match):
            start, end = match.span("short")
            yield Definition(start, end, before)
            continue
        inside = before + 1  # RHA (Regional Health Authority)
        if inside < len(mentions) and match.start() < mentions[inside].start <= match.end("short"):
            acronym = _ACRONYM_BEFORE.search(text, max(0, match.start() - 12), match.start() + 1)
            long = mentions[inside]
            if acronym and long.type in NAMED and is_abbreviation(acronym["short"], long.text):
                yield Definition(*acronym.span("short"), inside)


def _is_definition(text: str, long: Mention, match: re.Match[str]) -> bool:
    """Whether a bracket stands right after a name and holds a short form of it."""
    if long.type not in NAMED or not 0 <= match.start() - long.end <= 3:
        return False
    if text[long.end : match.start()].strip(" \n'’s"):
        return False
    return _can_abbreviate(long.text, match, long.type)


def _can_abbreviate(long: str, match: re.Match[str], kind: EntityType) -> bool:
    short = match["short"]
    if is_abbreviation(short, long) or (bool(match["open"]) and _is_name(short)):
        return True
    is_foreign = kind is EntityType.ORG and _CAPITALS.fullmatch(short) is not None
    return is_foreign and short.isupper() and short.lower() not in _NO_NAMES


def is_abbreviation(short: str, long: str) -> bool:
    """Whether the letters of an acronym are the first letters of the words of a name. Small words may count or not.

    Three letters or more may also come from within the words, if the first one begins the name.

    >>> is_abbreviation("RHA", "Regional Health Authority"), is_abbreviation("BBC", "Bank of Baltic Commerce")
    (True, True)
    >>> is_abbreviation("SMH", "St Mary's Hospital"), is_abbreviation("PKO", "Polska Kasa Opieki of Gdynia")
    (True, True)
    """
    letters = "".join(fold_words(short))
    if not 2 <= len(letters) <= 10 or sum(c.isupper() for c in short) < 2:
        return False
    words = fold_words(_POSSESSIVE.sub("", long))
    if words[:1] == ["the"] and letters[0] != "t":
        del words[0]
    every = "".join(word[0] for word in words)
    large = "".join(word[0] for word in words if word not in _SMALL)
    if len(letters) > 2:
        is_first = every.startswith(letters) or large.startswith(letters)
        return is_first or _are_within(letters, words)
    return letters in (every, large)


def _are_within(letters: str, words: Sequence[str]) -> bool:
    """Whether the letters stand in this order in the words, the first of them first, and most begin a word."""
    text = " ".join(words)
    if not text.startswith(letters[0]):
        return False
    at = count = 0
    for letter in letters:
        start = 0 if at == 0 else text.find(f" {letter}", at - 1) + 1
        found = start if start or at == 0 else text.find(letter, at)
        if found < 0:
            return False
        count += found == 0 or text[found - 1] == " "
        at = found + 1
    return 2 * count > len(letters)


def _is_name(short: str) -> bool:
    """Whether it is a capitalised name of more than role words."""
    found = re.findall(r"[^\W_]+", short)
    if not found or not any(c.isupper() for c in short) or len(found) > 5:
        return False
    return any(
        word[0].isupper() and word.lower() not in GENERIC and len(word) > 1 for word in found
    )
