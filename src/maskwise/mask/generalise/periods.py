"""Reads a date as the days it may mean. Nothing is guessed: a date that can be read in two ways becomes the period that
holds both, and what cannot be read gives nothing.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from maskwise.text.english import MONTH_NUMBER
from maskwise.text.numbers import ORDINALS


class Unit(StrEnum):
    """The period that a date names: one of these, or several (`Period.many`)."""

    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"
    CENTURY = "century"


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` to `last`, which hold all that the text names.

    Without `dated` the text says no year, and the year of these days stands for any.
    """

    first: date
    last: date
    unit: Unit
    many: bool = False
    dated: bool = True

    @property
    def days(self) -> float:
        """How many days fit what is named. A range names its two ends, so it is as exact as one of them."""
        if self.unit is Unit.SEASON:
            return ((self.last - self.first).days + 1) / 4
        return _LENGTH[self.unit]

    @property
    def whole(self) -> bool:
        """Whether the text names all the days from first to last, and not some of them."""
        if self.unit in (Unit.MINUTE, Unit.SEASON):
            return False
        return self.unit is not Unit.DAY or self.many or self.first == self.last


_LENGTH = {
    Unit.MINUTE: 1 / 1440,
    Unit.DAY: 1.0,
    Unit.MONTH: 30.4,
    Unit.YEAR: 365.25,
    Unit.DECADE: 3652.5,
    Unit.CENTURY: 36525.0,
}
ANY_YEAR = 2000  # a leap year
_WORDS = sorted((*MONTH_NUMBER,), key=len, reverse=True)
_M = rf"(?:{'|'.join(_WORDS)})\.?"
_D = r"(?:[12][0-9]|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_NTH = rf"(?:{'|'.join(sorted(ORDINALS, key=len, reverse=True))})"
_Y = r"(?:1[0-9]{3}|20[0-9]{2})"
_OF = r",? (?:of )?"
_TO = r"(?: ?- ?| to (?:the )?| until (?:the )?| till (?:the )?| through (?:the )?)"
_AND = rf"(?:{_TO}|, | ?/ ?|,? and (?:the )?|,? or (?:the )?| & )"
_DAYS = rf"{_D}(?:{_AND}{_D})*"
_WEEKDAY = (
    r"(?:(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?[.,]{0,2} (?:the )?)?"
)
_PART = (
    r"(?:(?:the )?(?:end|beginning|middle|start|first half|second half) of (?:the )?"
    r"|(?:early|late|mid)[ -](?:the )?)"
)
_TIME = (
    r"[t ][0-9]{2}:?[0-9]{2}(?::?[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:z|[+-][0-9]{2}:?(?:[0-9]{2})?)?"
)
_SEASON = r"(?:spring|summer|autumn|fall|winter)"
_QUARTER = r"(?:(?:first|second|third|fourth|last|1st|2nd|3rd|4th) quarter|q[1-4])"
# The first month of each quarter.
_QUARTERS = {"first": 1, "second": 4, "third": 7, "fourth": 10, "last": 10}
_QUARTERS |= {"1": 1, "2": 4, "3": 7, "4": 10}
_CENTURY = rf"(?P<n>[0-9]{{1,2}}(?:st|nd|rd|th)|{_NTH})[ -]century"


def read_period(text: str) -> Period | None:
    """The period a date names, or None.

    >>> period = read_period("3 to 9 May 2010")
    >>> str(period.first), str(period.last), period.many
    ('2010-05-03', '2010-05-09', True)
    """
    small = re.sub(r"\s+", " ", text.lower().strip(" ,.;"))
    small = re.sub(r"[\u2010-\u2015]", "-", small).replace("’", "'").removeprefix("the ")
    for pattern, build in _FORMS:
        if found := pattern.fullmatch(small):
            try:
                return build(found)
            except (ValueError, KeyError):  # no such day in the calendar
                return None
    return None


def _parse_month(name: str) -> int:
    return MONTH_NUMBER[name.rstrip(".")]


def _parse_number(day: str) -> int:
    return ORDINALS[day] if day in ORDINALS else int(re.sub(r"\D", "", day))


def _build_date(year: str, month: str, day: str) -> date:
    return date(int(year), _parse_month(month), _parse_number(day))


def find_month_bounds(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _read_days(found: re.Match[str]) -> Period | None:
    """Days of one month, with or without year."""
    groups = found.groupdict()
    year = int(groups.get("y") or ANY_YEAR)
    days = [_parse_number(day) for day in re.findall(rf"{_NTH}|{_D}", found["d"])]
    dates = [date(year, _parse_month(found["m"]), day) for day in days]
    if dates != sorted(dates):
        return None
    return Period(dates[0], dates[-1], Unit.DAY, len(dates) > 1, bool(groups.get("y")))


def _read_two_days(found: re.Match[str]) -> Period | None:
    """From a day of one month to a day of another; the year of the first may be said once for both."""
    last = _build_date(found["y"], found["m"], found["d"])
    first = _build_date(found["fy"] or found["y"], found["fm"], found["fd"])
    return Period(first, last, Unit.DAY, True) if first < last else None


def _read_months(found: re.Match[str]) -> Period | None:
    """A month, or from a month to a later one."""
    groups = found.groupdict()
    year = int(groups.get("y") or ANY_YEAR)
    first, last = find_month_bounds(year, _parse_month(found["m"]))
    if groups.get("fm"):
        first, _ = find_month_bounds(int(groups.get("fy") or year), _parse_month(found["fm"]))
        if first >= last:
            return None
    return Period(first, last, Unit.MONTH, bool(groups.get("fm")), bool(groups.get("y")))


def _read_numeric(found: re.Match[str]) -> Period | None:
    """Figures. Where day and month could be either way round, only the year is sure."""
    year, a, b = int(found["y"]), int(found["a"]), int(found["b"])
    if a <= 12 and b <= 12 and a != b:
        return Period(date(year, 1, 1), date(year, 12, 31), Unit.DAY)
    day = date(year, min(a, b), max(a, b)) if max(a, b) > 12 else date(year, a, b)
    return Period(day, day, Unit.DAY)


def _read_iso(found: re.Match[str]) -> Period | None:
    day = date(int(found["y"]), int(found["m"]), int(found["d"]))
    return Period(day, day, Unit.MINUTE if found["t"] else Unit.DAY)


def _read_years(found: re.Match[str]) -> Period | None:
    """A year, or from a year to a later one, which may be short: "1998-99"."""
    first = last = int(found["y"])
    said = found.groupdict().get("z")
    if said:
        last = int(found["y"][: 4 - len(said)] + said)
        if last <= first:
            return None
    return Period(date(first, 1, 1), date(last, 12, 31), Unit.YEAR, bool(said))


def _read_decade(found: re.Match[str]) -> Period | None:
    """A decade; "the 1800s" is taken for the whole century."""
    year = int(found["y"])
    is_century = year % 100 == 0 and year < 2000
    last = year + (99 if is_century else 9)
    return Period(date(year, 1, 1), date(last, 12, 31), Unit.DECADE)


def _read_century(found: re.Match[str]) -> Period | None:
    number = _parse_number(found["n"])
    if number > 21:
        return None
    return Period(date(100 * number - 99, 1, 1), date(100 * number, 12, 31), Unit.CENTURY)


def _read_list(found: re.Match[str]) -> Period | None:
    """Years, or days of several months of one year: "10 May, 7 July and 26 September 1994"."""
    years = [int(year) for year in re.findall(_Y, found[0])]
    days = re.findall(rf"({_D}){_OF}({_M})", found[0])
    if days:
        year = str(years[0])
        dates = sorted(_build_date(year, month, day) for day, month in days)
        return Period(dates[0], dates[-1], Unit.DAY, True)
    first, last = min(years), max(years)
    return Period(date(first, 1, 1), date(last, 12, 31), Unit.YEAR, True)


def _read_season(found: re.Match[str]) -> Period | None:
    """A season. A winter, or one of two years, may lie on either side of New Year."""
    year, name = int(found["y"]), found["s"]
    if name.startswith("winter") or found["z"]:
        return Period(date(year - 1, 12, 1), date(year + 1, 3, 31), Unit.SEASON)
    return Period(date(year, 1, 1), date(year, 12, 31), Unit.SEASON)


def _read_quarter(found: re.Match[str]) -> Period | None:
    year = int(found["y"])
    word = found["s"].split()[0]
    month = _QUARTERS[word if word.isalpha() else re.sub(r"\D", "", word)]
    return Period(date(year, month, 1), find_month_bounds(year, month + 2)[1], Unit.SEASON)


def _read_part(found: re.Match[str]) -> Period | None:
    inner = read_period(found["x"])
    if inner is None or inner.many or inner.unit in (Unit.DAY, Unit.MINUTE):
        return None
    return Period(inner.first, inner.last, Unit.SEASON, dated=inner.dated)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Period | None]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (
            rf"{_WEEKDAY}(?P<d>{_DAYS}|{_NTH}(?: day)?){_OF}(?P<m>{_M})(?:,?{_OF}?(?P<y>{_Y}))?",
            _read_days,
        ),
        (rf"{_WEEKDAY}(?P<d>{_D})[-/. ]?(?P<m>{_M})[-/. ]?(?P<y>{_Y})", _read_days),
        (rf"{_WEEKDAY}(?P<m>{_M}) (?:the )?(?P<d>{_DAYS})(?:,?{_OF}(?P<y>{_Y}))?", _read_days),
        (
            rf"(?P<fd>{_D}){_OF}(?P<fm>{_M})(?:{_OF}(?P<fy>{_Y}))?{_AND}(?P<d>{_D}){_OF}(?P<m>{_M}){_OF}(?P<y>{_Y})",
            _read_two_days,
        ),
        (rf"(?P<m>{_M})(?:{_OF}(?P<y>{_Y}))?", _read_months),
        (rf"(?P<fm>{_M})(?:{_OF}(?P<fy>{_Y}))?{_AND}(?P<m>{_M}){_OF}(?P<y>{_Y})", _read_months),
        (r"(?P<a>[0-9]{1,2})([./-]) ?(?P<b>[0-9]{1,2})\2 ?(?P<y>[12][0-9]{3})", _read_numeric),
        (
            rf"(?P<y>[12][0-9]{{3}})([./-])(?P<m>[0-9]{{1,2}})\2(?P<d>[0-9]{{1,2}})(?P<t>{_TIME})?",
            _read_iso,
        ),
        (rf"(?P<y>[12][0-9]{{3}})(?P<m>[0-9]{{2}})(?P<d>[0-9]{{2}})(?P<t>{_TIME})?", _read_iso),
        (rf"(?P<y>{_Y})", _read_years),
        (rf"(?P<y>{_Y})(?:{_TO}| ?/ ?| and | or )(?P<z>{_Y}|[0-9]{{2}})", _read_years),
        (rf"{_Y}(?:, {_Y})+,? and {_Y}", _read_list),
        (rf"(?:(?:on )?{_D}{_OF}{_M}(?:, |,? and ))+(?:on )?{_D}{_OF}{_M}{_OF}{_Y}", _read_list),
        (r"(?P<y>[12][0-9]{2}0)'?s", _read_decade),
        (_CENTURY, _read_century),
        (
            rf"(?P<s>{_SEASON})(?:,?{_OF}| in )(?P<y>{_Y})(?P<z>[/-](?:{_Y}|[0-9]{{2}}))?",
            _read_season,
        ),
        (rf"(?P<s>{_QUARTER}){_OF}(?P<y>{_Y})", _read_quarter),
        (rf"{_PART}(?P<x>.+)", _read_part),
    )
)
