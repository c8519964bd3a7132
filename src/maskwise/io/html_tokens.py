"""Tokens of an HTML source, cut where browsers cut them (the tokenizer of the WHATWG standard, section 13.2.5).

Every character of the source belongs to exactly one token. What a browser never shows (comments, instructions, a tag
that the file ends in) is a token of its own kind, to be left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple

from maskwise.text import possessive

SPACE = r"\t\n\f\r "  # Python's \s knows more
RAW = frozenset("script style xmp iframe noembed noframes plaintext title textarea".split())

_ATTRIBUTE = possessive.compile(
    rf"""[{SPACE}/]*+([^{SPACE}/>][^{SPACE}/>=]*+)(?:[{SPACE}]*+=[{SPACE}]*+("[^"]*+"?+|'[^']*+'?+|[^{SPACE}>]*+))?+"""
)
_TAG = possessive.compile(rf"</?+([a-zA-Z][^{SPACE}/>]*+)")
_REST = possessive.compile(rf"[{SPACE}/]*+")
_TEXT = possessive.compile(r"(?:[^<]++|<(?![a-zA-Z/!?]))++")
_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))", re.DOTALL)
_BOGUS = re.compile(r"<[!?/][^>]*>?")


class Kind(Enum):
    TEXT = auto()
    CUT = auto()
    DOCTYPE = auto()
    START = auto()
    END = auto()


class Attribute(NamedTuple):
    """An attribute: the whole of it, and its value without quotes."""

    name: str
    span: tuple[int, int]
    value: tuple[int, int]
    quote: str


class Token(NamedTuple):
    kind: Kind
    start: int
    end: int
    name: str = ""
    attributes: tuple[Attribute, ...] = ()


def tokenize(source: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of a stretch of the source, without regard to elements whose content is no markup."""
    stop = len(source) if end is None else end
    at = start
    while at < stop:
        token = _read_token(source, at, stop)
        yield token
        at = token.end


def find_end(source: str, name: str, start: int) -> int:
    """Where the end tag of an element without markup begins; the end of the source if there is none."""
    found = re.compile(rf"</{name}(?=[{SPACE}/>])", re.IGNORECASE | re.ASCII).search(source, start)
    return found.start() if found else len(source)


def _read_token(source: str, at: int, stop: int) -> Token:
    text = _TEXT.match(source, at, stop)
    if text:
        return Token(Kind.TEXT, *text.span())
    tag = _TAG.match(source, at, stop)
    if tag:
        return _read_tag(source, tag, stop)
    comment = _COMMENT.match(source, at, stop) or _BOGUS.match(source, at, stop)
    if comment is None:
        return Token(Kind.TEXT, at, at + 1)
    is_doctype = source[at : at + 9].lower() == "<!doctype"
    return Token(Kind.DOCTYPE if is_doctype else Kind.CUT, *comment.span())


def _read_tag(source: str, tag: re.Match[str], stop: int) -> Token:
    kind = Kind.END if source[tag.start() + 1] == "/" else Kind.START
    attributes: list[Attribute] = []
    at = tag.end()
    while True:
        rest = _REST.match(source, at, stop)
        close = rest.end() if rest else at
        if close >= stop:
            return Token(Kind.CUT, tag.start(), stop)
        if source[close] == ">":
            return Token(kind, tag.start(), close + 1, tag[1].lower(), tuple(attributes))
        found = _ATTRIBUTE.match(source, at, stop)
        attribute = _read_attribute(source, found, stop) if found else None
        if attribute is None:
            return Token(Kind.CUT, tag.start(), stop)
        attributes.append(attribute)
        at = attribute.span[1]


def _read_attribute(source: str, found: re.Match[str], stop: int) -> Attribute | None:
    """The attribute, or nothing if the source ends inside of it."""
    name, value = found[1].lower(), found[2]
    if value is None:
        return Attribute(name, found.span(), (found.end(), found.end()), "")
    start, end = found.span(2)
    quote = value[:1] if value[:1] in ('"', "'") else ""
    if not quote:
        return Attribute(name, found.span(), (start, end), "")
    if len(value) < 2 or value[-1] != quote:
        return None
    return Attribute(name, found.span(), (start + 1, end - 1), quote)
