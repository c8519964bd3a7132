"""Guesses of a model at codes: cuts the words off their front, and refuses what is a dose, a time zone or a program."""

from __future__ import annotations

import re
from dataclasses import replace

from maskwise.detect.codes import has_family
from maskwise.detect.given_names import read_forenames
from maskwise.detect.sparing import is_dose
from maskwise.text import EntityType, Mention
from maskwise.text.english import STOP_WORDS
from maskwise.text.layout import is_label
from maskwise.text.plain_words import is_plain

_FIGURES = 4  # digits that a code has at least,
_LONG = 10  # or signs of its longest word
_CLASSIFIED = re.compile(
    r"\b(?:CPT|ICD|HCPCS|DRG|SNOMED|LOINC)(?:[ -]?[0-9]{1,2})?(?:-CM|-PCS)?(?: [Cc]odes?| CODES?)?:? {1,3}\Z"
)
_ZONE = re.compile(r"[+-][01][0-9]{3}")
_CLOCK = re.compile(r"[0-9]{2}:[0-9]{2}\s\Z")
_AMOUNT = re.compile(
    r"(?:(?:usd|eur|gbp|chf|nok|sek|dkk|pln|czk|[$€£]) ?)?"
    r"(?:[-+]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{2})?|[-+]?[0-9]{3,6}\.[0-9]{2}|[-+][0-9]{1,2}\.[0-9]{2})",
    re.IGNORECASE,
)
_CAMEL_CASE = re.compile(r"(?:[A-Z][a-z]+){1,6}")  # "AuthService"
_HUMP = re.compile(r"[A-Z][a-z]+")
_PROGRAM = re.compile(
    r"(?:[A-Z][a-z]+)+(?:Service|Listener|Handler|Controller|Manager|Exception|Error|Factory|Client|Server|Consumer"
    r"|Producer|Worker|Job|Task|Utils?|Config|Test|Impl|Repository|Filter|Provider|Parser|Builder|Api|Cache|Queue)"
)
_RANGE = re.compile(r"[0-9]{1,4}\.[0-9]{1,3} ?[-–] ?[0-9]{1,4}\.[0-9]{1,3}")
_PROTOCOL = re.compile(
    r"HTTP/[0-9.]+(?: [1-5][0-9]{2})?|(?:port|pid|tier|line|v) ?[0-9]{1,5}", re.IGNORECASE
)


def trim_code(mention: Mention) -> Mention:
    """Takes words without a figure off the front of a code that a model alone sees: "tracking 1Z99", "ending in 48"."""
    if mention.type is not EntityType.CODE:
        return mention
    words = list(re.finditer(r"\S+", mention.text))
    first = 0
    while first < len(words) - 1 and _is_prose(words[first][0]):
        first += 1
    if not first or not any(map(str.isdigit, mention.text)):
        return mention
    start = mention.start + words[first].start()
    return replace(mention, start=start, text=mention.document.text[start : mention.end], value="")


def _is_prose(word: str) -> bool:
    low = word.lower().strip(".:,#")
    return low.isalpha() and (is_plain(low) or is_label(low) or low in STOP_WORDS)


def is_program(text: str) -> bool:
    """Whether it is the name of a part of a program: "AuthService"."""
    return _PROGRAM.fullmatch(text) is not None


def is_no_code(mention: Mention) -> bool:
    """Whether what a model alone takes for a code is none."""
    return _is_figure_or_word(mention) or _has_dose(mention) or _is_classified(mention)


def _is_classified(mention: Mention) -> bool:
    """Whether a label says that it stands for a disease or an operation: "CPT Code: 40801"."""
    text, start = mention.document.text, mention.start
    return _CLASSIFIED.search(text, max(0, start - 24), start) is not None


def _is_figure_or_word(mention: Mention) -> bool:
    """Whether it has hardly a digit, or is a time zone: "GET", "200 12ms", "+0100"."""
    if _ZONE.fullmatch(mention.text) and _CLOCK.search(
        mention.document.text, max(0, mention.start - 10), mention.start
    ):
        return True
    if _PROTOCOL.fullmatch(mention.text) or _RANGE.fullmatch(mention.text):
        return True
    return all(
        (sum(map(str.isdigit, word)) < _FIGURES and len(word) < _LONG) or _is_class_name(word)
        for word in mention.text.split()
    )


def _is_class_name(word: str) -> bool:
    """Whether it is written as programs name their parts: "AuthService", not "AnaSouza"."""
    if not _CAMEL_CASE.fullmatch(word):
        return False
    forenames = read_forenames()
    return not any(hump in forenames for hump in _HUMP.findall(word))


def _has_dose(mention: Mention) -> bool:
    """Whether a model takes a dose for a code: "75 mcg" after the name of a drug."""
    if mention.type is not EntityType.CODE or has_family(mention):
        return False
    return is_dose(mention.document.text, mention.start, mention.end)


def mark_amount(mention: Mention) -> Mention:
    """Makes an amount of what a model calls a date or a code and what is written like money: "1,204.18"."""
    if mention.type not in (EntityType.DATETIME, EntityType.CODE) or not _AMOUNT.fullmatch(
        mention.text
    ):
        return mention
    return replace(mention, type=EntityType.QUANTITY, subtype="")
