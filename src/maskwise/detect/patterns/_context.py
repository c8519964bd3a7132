"""Pieces that identifier patterns share: a code after a context word, and lists of codes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from maskwise.detect.patterns.rule import Expand
from maskwise.text import possessive

# What may stand between "passport" and its number: "passport no. ", "passport (number: ", "passport issued as ".
_SEPARATOR = r"[\s:#.,=()\[\]\"'“”«»–-]"
_FILLER = (
    r"(?i:numbers?|nos?|nr|num|nbr|num[eé]ro|número|nummer|numer|id|code|card|ref|reference|is|was|of|the|as|with|and"
    r"|holder|bearing|issued|registered|under|n[°º]|№)"
)
GAP = rf"(?:{_SEPARATOR}{{1,3}}{_FILLER}(?![^\W\d_])){{0,4}}{_SEPARATOR}{{0,4}}"

# The same with a word or sign that announces a number; without it "patient 12" is no code.
NUMBER = (
    r"[\s,.(]{0,2}(?:(?i:numbers?|nos?|nrs?|num|nbr|id|code|ref|reference|num[eé]ro|número|nummer|numer)(?![^\W\d_])"
    rf"|[#:№]|[Nn][°º]){_SEPARATOR}{{0,4}}(?:(?i:is|was|no|number)\b{_SEPARATOR}{{1,3}})?"
)

# Capitals, digits and inner signs, at least one digit: "AB-12/2004", "12 345 678", "INV_2020.17".
CODE = (
    r"(?<![\w/])(?=[A-Z./_-]{0,10}[0-9])[A-Z0-9]{1,20}"
    r"(?:[-/._:][A-Z0-9]{1,16}|[ ][0-9]{2,12}(?![\w/.:-]*[^\W\d_])){0,6}[a-z]?(?![\w°%])"
)


def match_after(words: Iterable[str], code: str, gap: str = GAP) -> str:
    """A pattern for `code` (the mention) after one of `words`, whatever their case."""
    return rf"\b(?i:{'|'.join(words)})(?![^\W\d_]){gap}(?P<m>{code})"


def expand_each(item: str) -> Expand:
    """Returns a function that makes every `item` inside the group "m" of a match a mention of its own."""
    compiled = possessive.compile(item)

    def find_spans(match: re.Match[str]) -> Iterable[tuple[int, int]]:
        return [found.span() for found in compiled.finditer(match.string, *match.span("m"))]

    return find_spans
