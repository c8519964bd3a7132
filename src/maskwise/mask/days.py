"""Reads what a text tells of a day without its date: the month, the weekday, the season, a feast of the calendar."""

from __future__ import annotations

import re

from maskwise.mask.generalise.periods import Period, Unit, read_period
from maskwise.text.english import MONTHS, WEEKDAYS

_SEASONS = ("winter", "spring", "summer", "autumn")
_FEASTS = {
    "new year's day": (1, 1),
    "valentine's day": (2, 14),
    "st patrick's day": (3, 17),
    "may day": (5, 1),
    "bastille day": (7, 14),
    "halloween": (10, 31),
    "all saints' day": (11, 1),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "boxing day": (12, 26),
    "st stephen's day": (12, 26),
    "new year's eve": (12, 31),
}
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b")
_WEEKDAY = re.compile(rf"\b({'|'.join(WEEKDAYS)})s?\b")
_SEASON = re.compile(rf"(?i)\b(?:{'|'.join(_SEASONS)}|fall of)\b")
_FEAST = re.compile(rf"(?i)\b(?:{'|'.join(sorted(_FEASTS, key=len, reverse=True))})\b")


def list_days(text: str) -> frozenset[str]:
    """The facts that a text tells of days, as "month:5" and "weekday:0". A month says its season, a feast its month.

    >>> sorted(list_days("one Monday in spring"))
    ['season:spring', 'weekday:0']
    """
    found: set[str] = set()
    for name in _MONTH.findall(text):
        found |= _name_month(MONTHS.index(name) + 1)
    found |= {f"weekday:{WEEKDAYS.index(name)}" for name in _WEEKDAY.findall(text)}
    for name in _SEASON.findall(text):
        season = "autumn" if name.lower().startswith("fall") else name.lower()
        found.add(f"season:{season}")
    for name in _FEAST.findall(text.replace("’", "'")):
        month, day = _FEASTS[name.lower()]
        found |= {f"feast:{month}-{day}"} | _name_month(month)
    return frozenset(found)


def read_days(text: str) -> frozenset[str]:
    """The facts about the day or month that a date names; none where it names neither."""
    period = read_period(text)
    if period is None or period.many or period.unit not in (Unit.MINUTE, Unit.DAY, Unit.MONTH):
        return frozenset()
    first, last = period.first, period.last
    if (first.year, first.month) != (last.year, last.month):
        return frozenset()
    found = _name_month(first.month)
    if first == last:
        found |= _name_day(period)
    return frozenset(found)


def _name_month(month: int) -> set[str]:
    """Seasons are those of the north."""
    return {f"month:{month}", f"season:{_SEASONS[month % 12 // 3]}"}


def _name_day(period: Period) -> set[str]:
    found = {f"feast:{period.first.month}-{period.first.day}"}
    if period.dated:
        found.add(f"weekday:{period.first.weekday()}")
    return found
