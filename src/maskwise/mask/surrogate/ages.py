"""Invented ages: all ages of a document grow or shrink by the same few years, and birth dates beside them move along.

So a child stays younger than its parents, and an age still fits a birth date. Nobody comes of age or becomes a child
again, as far as one number of years allows; whoever would, moves the other way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from maskwise.text import EntityType, Mention
from maskwise.text.numbers import VALUES
from maskwise.text.subtypes import AGE

_ADULT, _OLDEST = 18, 115
_YEARS = (-3, -2, -1, 1, 2, 3)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ONES = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_WORDS = rf"(?:(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_ONES[:9])}))?|{'|'.join(reversed(_ONES))})"
_NUMBER = re.compile(rf"(?<![\d.,])\d{{1,3}}(?![\d.,]*\d)|\b{_WORDS}\b", re.IGNORECASE)
_TOLD = re.compile(
    r"\b[Aa]ged (\d{1,3})\b|(?:\A|[^\W\d_]) \((\d{1,2})\)|(?<![\d.,])(\d{1,3})[ -]years?[ -]olds?\b"
)
_MONTHS = re.compile(r"\b(?:months?|weeks?|days?)\b", re.IGNORECASE)
_YEARS_OLD = re.compile(r"[\s-]?(?:years?|yrs?|y/?o)\b(?:[\s-](?:old|of age))?", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:aged?|age:|ages|age of|turn(?:s|ed|ing)?)\s\Z", re.IGNORECASE)
_BESIDE_NAME = re.compile(
    r"[^\W\d_]['’]?\s?[,(]\s?(?:now |then |only |just )?\Z|\bat\s\Z"
)  # "drives at 83"
_ENDS = re.compile(r"\s?(?:[,);.!?\n]|\Z)(?!\d)")
_BORN = re.compile(
    r"(?:\bborn(?:\s(?:on|in))?|\bbirth(?:day|date)?:?|\bdate of birth(?:\sis|\swas)?:?|\bd\.?o\.?b\.?:?|\bb\.|\*|†)"
    r"\s{0,2}(?:on\s|in\s)?\Z",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b[Bb]orn\b[^.\n]{0,20}\Z")
# "born in Guadalajara, Mexico, on": no word in small letters that could begin something else.
_BORN_IN = re.compile(
    r"\b[Bb]orn (?:in|at|near) (?:(?:the|of|de|la|upon|on|in|[A-Z][\w'’.-]*),? ){1,8}(?:on|in) \Z"
)
_BORN_REACH = 90
_LIFESPAN = re.compile(r"((?:1[5-9]|20)\d\d)(\s?[-–—]\s?(?:1[5-9]|20)\d\d)")
_LIFE = 30  # years that tell the dates of a life from those of an office


def is_age(mention: Mention) -> bool:
    """Whether a mention tells the age of somebody in years: "aged 12", "12-year-old", "Kuba, 12,"."""
    if mention.type not in (EntityType.QUANTITY, EntityType.DEM, EntityType.DATETIME):
        return False
    if mention.type is EntityType.DATETIME and not mention.text.isdecimal():
        return False
    if not _NUMBER.search(mention.text) or _MONTHS.search(mention.text):
        return False
    if read_age(mention) > _OLDEST:
        return False
    text, (start, end) = mention.document.text, mention.span
    if mention.subtype in (AGE, "disclosed_age") or _BEFORE.search(text, max(0, start - 12), start):
        return True
    if mention.type is EntityType.DEM and mention.text.isdecimal():
        return True
    is_bare = _NUMBER.fullmatch(mention.text) is not None
    if not is_bare:
        return mention.text.lower().startswith("age") or mention.text.lower().endswith("old")
    if found := _YEARS_OLD.match(text, end):
        return "old" in found[0] or "of age" in found[0]
    is_apposed = _BESIDE_NAME.search(text, max(0, start - 12), start) is not None
    return is_apposed and _ENDS.match(text, end) is not None


def read_age(mention: Mention) -> int:
    found = _NUMBER.search(mention.text)
    return _read(found[0]) if found else 0


def is_birth_date(mention: Mention) -> bool:
    """Whether a date stands after a word for birth."""
    text, start = mention.document.text, mention.start
    if mention.type is not EntityType.DATETIME:
        return False
    if _BORN_IN.search(text, max(0, start - _BORN_REACH), start):
        return True
    return any(p.search(text, max(0, start - 28), start) is not None for p in (_BORN, _NAMED))


def read_lifespan(mention: Mention) -> tuple[str, str] | None:
    """The year of birth, and the rest with the year of death, of a life in brackets: "Ida Moe (1934–2017)"."""
    text = mention.document.text
    found = _LIFESPAN.fullmatch(mention.text)
    is_bracketed = text[: mention.start].endswith("(") and text.startswith(")", mention.end)
    if not found or not is_bracketed or int(found[2][-4:]) - int(found[1]) < _LIFE:
        return None
    return found[1], found[2]


def list_ages(text: str) -> list[int]:
    """The ages that a text surely tells.

    >>> list_ages("Ida (10), aged 12, is a 9-year-old of 1990 (3 May).")
    [10, 12, 9]
    """
    return [int(next(filter(None, found.groups()))) for found in _TOLD.finditer(text)]


def draw_years(random: Random, ages: Sequence[int], kept: Sequence[int] = ()) -> int:
    """How much older all become. 0 where there is no age.

    The fewest come of age, become a child or come to be older or younger than somebody whose age is `kept`.

    >>> draw_years(Random(1), [17, 40, 1]), draw_years(Random(1), [9], [10]), draw_years(Random(1), [])
    (-2, -2, 0)
    """
    if not ages:
        return 0
    order = random.sample(_YEARS, len(_YEARS))

    def count_wrong(years: int) -> int:
        passed = sum((age - other) * (age + years - other) < 0 for age in ages for other in kept)
        return passed + sum(not _can_move(age, years) for age in ages)

    return min(order, key=count_wrong)


def move_age(text: str, years: int) -> str:
    """An age as that of somebody so many years older, in the same form; empty where it has no number.

    >>> move_age("aged 12", 2), move_age("thirty-nine", 1), move_age("17", 2)
    ('aged 14', 'forty', '15')
    """

    def write(found: re.Match[str]) -> str:
        age = _read(found[0])
        change = next((y for y in (years, -years, 1, -1) if _can_move(age, y)), 1)
        return _write(age + change, found[0])

    moved = _NUMBER.sub(write, text, count=1)
    return "" if moved == text else moved


def _can_move(age: int, years: int) -> bool:
    return age + years >= 1 and (age < _ADULT) == (age + years < _ADULT)


def _read(text: str) -> int:
    return int(text) if text.isdecimal() else sum(VALUES[word] for word in text.lower().split("-"))


def _write(age: int, like: str) -> str:
    if like.isdecimal():
        return str(age)
    if age < 20:
        word = _ONES[age - 1]
    else:
        ones = f"-{_ONES[age % 10 - 1]}" if age % 10 else ""
        word = f"{_TENS[age // 10 - 2]}{ones}" if age < 100 else str(age)
    return word.capitalize() if like[0].isupper() else word
