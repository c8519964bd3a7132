"""Tells the meaning of the numbers of a column by its name: a telephone number, an account, a date of birth."""

from __future__ import annotations

import re
from functools import lru_cache

from maskwise.text import EntityType
from maskwise.text.word_lists import read_words

MANY = 9  # digits of a number that identifies, whatever its column is called
FEW = 4  # digits of a number that identifies in a column whose name says so

_IDENTIFIERS = frozenset(read_words("column_identifiers"))
_BIRTHS = frozenset("birth birthdate birthday birthdays born dob yob dod death died".split())
# Words that also say whose value it is: "customer" above "since".
_WHOSE = frozenset(
    "client customer driver employee insured member patient staff student user".split()
)
_DATED = re.compile(r"(?:1[89]|20)\d\d[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](?:1[89]|20)\d\d")
_TIMES = frozenset(
    "at created date datetime epoch expires modified ms seconds time timestamp ts updated".split()
)
_PLACES = frozenset(
    "coordinate coordinates coords geo gps lat latitude lng lon longitude northing easting".split()
)
# The years from 2001 to 2039, counted in seconds to nanoseconds.
_EPOCHS = [(10**9 * unit, 22 * 10**8 * unit) for unit in (1, 10**3, 10**6, 10**9)]
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_CODE = re.compile(r"[A-Za-z0-9-]+")
_NUMBER = re.compile(r"'?[-+(]?\d[\d\s.,'()/-]*")


def find_text_type(headers: tuple[str, ...], text: str) -> EntityType | None:
    """The type of a text that is one number, or one word with digits under a header that says so."""
    if _NUMBER.fullmatch(text.strip()):
        return find_number_type(headers, text)
    digits = sum(map(str.isdigit, text))
    is_code = digits >= FEW and _CODE.fullmatch(text.strip()) and is_identifier(headers)
    return EntityType.CODE if is_code else None


def find_number_type(headers: tuple[str, ...], number: str) -> EntityType | None:
    """The type of a number under these headers, if it identifies somebody.

    >>> find_number_type(("homePhone",), "5550100"), find_number_type(("count",), "5550100")
    (<EntityType.CODE: 'CODE'>, None)
    """
    whole_part = number.partition(".")[0] if number.count(".") == 1 else number
    digits = "".join(filter(str.isdigit, whole_part))
    words = split_header(headers)
    if len(digits) >= MANY and not words & _BIRTHS:
        return EntityType.DATETIME if is_moment(headers, digits) else EntityType.CODE
    if digits and words & _BIRTHS:
        return EntityType.DATETIME
    if is_dated(number) and words & _IDENTIFIERS <= _WHOSE:
        return None
    return EntityType.CODE if len(digits) >= FEW and words & _IDENTIFIERS else None


def is_dated(text: str) -> bool:
    """Whether a text is a date in numbers, whatever it stands under."""
    return _DATED.fullmatch(text.strip()) is not None


def is_moment(headers: tuple[str, ...], digits: str) -> bool:
    """Whether a number counts the seconds, or parts of them, since 1970: it is a date as well as any other."""
    return bool(split_header(headers) & _TIMES) and is_epoch(int(digits))


def is_place(headers: tuple[str, ...]) -> bool:
    """Whether a column holds coordinates."""
    return bool(split_header(headers) & _PLACES)


def is_birth(headers: tuple[str, ...]) -> bool:
    return bool(split_header(headers) & _BIRTHS)


def is_identifier(headers: tuple[str, ...]) -> bool:
    return bool(split_header(headers) & _IDENTIFIERS)


def is_epoch(number: int) -> bool:
    return any(first <= number < last for first, last in _EPOCHS)


@lru_cache(maxsize=1024)
def split_header(headers: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.casefold() for header in headers for word in _WORD.findall(header))
