"""How far the dates of a document may move beside dates and years that stay in its text.

A date that moves stays before, after or within each time that stays, so that no reader sees a contract of 2017 reviewed
in 2019 that was signed in 2019. Where no move allows that, the dates move as if nothing stayed.
"""

from __future__ import annotations

import calendar
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from maskwise.text import Mention
from maskwise.text.english import MONTHS

_NAMES = "|".join(f"{name}|{name[:3]}" for name in MONTHS)
_YEAR = r"(?:19|20)\d\d"
_TIME = re.compile(
    rf"(?<![\w./])(?:(?P<iso>{_YEAR}-\d\d-\d\d)"
    rf"|(?P<day>\d{{1,2}})(?P<mark>[./])(?P<month>\d{{1,2}})(?P=mark)(?P<full>{_YEAR})"
    rf"|(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)? )?(?P<name>{_NAMES})\.? (?:(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,? )?"
    rf"(?P<of>{_YEAR})|(?P<year>{_YEAR}))(?![\w/]|-\d{{1,3}}(?!\d))"
)


_LATEST = date.max.toordinal()


class Period(NamedTuple):
    """The first and the last day that a date may mean, as numbers of days."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """The days and the whole years by which dates may move; `years` are 0 where a year may not."""

    least: int = -36525
    most: int = 36525
    years: int = 99

    def allow(self, years: int, days: int) -> bool:
        return years <= self.years and self.least <= days <= self.most


ANYWHERE = Bounds()


def list_periods(texts: Iterable[str]) -> tuple[set[Period], set[int]]:
    """The days and months that texts name, and the bare years."""
    periods: set[Period] = set()
    years: set[int] = set()
    for text in texts:
        for found in _TIME.finditer(text):
            if found["year"]:
                years.add(int(found["year"]))
            elif period := _read_period(found):
                periods.add(period)
    return periods, years


def _read_period(found: re.Match[str]) -> Period | None:
    try:
        if found["iso"]:
            day = date.fromisoformat(found["iso"]).toordinal()
            return Period(day, day)
        if found["full"]:
            return _read_numbers(*(int(found[key]) for key in ("full", "month", "day")))
        year, month = int(found["of"]), _read_month(found["name"])
        if number := found["d"] or found["d2"]:
            day = date(year, month, int(number)).toordinal()
            return Period(day, day)
    except ValueError:
        return None
    last = calendar.monthrange(year, month)[1]
    return Period(date(year, month, 1).toordinal(), date(year, month, last).toordinal())


def _read_numbers(year: int, month: int, day: int) -> Period:
    month, day = (day, month) if month > 12 else (month, day)
    number = date(year, month, day).toordinal()
    return Period(number, number)


def _read_month(name: str) -> int:
    return [month[:3] for month in MONTHS].index(name[:3].capitalize()) + 1


def list_kept_texts(masked: Sequence[Mention]) -> Iterator[str]:
    """What a document says between the mentions that are masked."""
    start = 0
    for mention in sorted(masked, key=lambda one: one.start):
        yield mention.document.text[start : mention.start]
        start = max(start, mention.end)
    if masked:
        yield masked[0].document.text[start:]


def find_bounds(moving: Iterable[str], kept: Iterable[str]) -> Bounds:
    """The moves after which each date of `moving` lies to each time of `kept` as before.

    >>> find_bounds(["1 July 2018"], ["in 2019"]).most >= 0, find_bounds(["2019"], ["in 2019"]).years
    (True, 0)
    >>> find_bounds(["3 May 2019"], ["in 2019"])
    Bounds(least=-122, most=242, years=99)
    """
    periods, years = list_periods(moving)
    still, still_years = list_periods(kept)
    still |= {_open_year(year) for year in still_years}
    bounds = ANYWHERE
    # Days, months and years apart: those of one length never overlap.
    for shortest, longest in ((1, 1), (28, 31), (365, 366)):
        stays = sorted(one for one in still if shortest <= one.last - one.first + 1 <= longest)
        ends = [one.last for one in stays]
        for one in periods:
            low = max(0, bisect_left(ends, one.first) - 1)
            high = bisect_right(stays, (one.last, _LATEST))
            for other in stays[low : high + 1]:
                bounds = _keep_relation(bounds, one, other)
    known = sorted({date.fromordinal(one.first).year for one in still})
    for year in years:
        if at := bisect_right(known, year):  # bare years only move back, by whole years
            most = max(0, year - known[at - 1] - 1)
            bounds = Bounds(bounds.least, bounds.most, min(bounds.years, most))
    return bounds


def _open_year(year: int) -> Period:
    return Period(date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal())


def _keep_relation(bounds: Bounds, one: Period, stays: Period) -> Bounds:
    if one.last < stays.first:
        return Bounds(bounds.least, min(bounds.most, stays.first - one.last - 1), bounds.years)
    if one.first > stays.last:
        return Bounds(max(bounds.least, stays.last - one.first + 1), bounds.most, bounds.years)
    if stays.first <= one.first and one.last <= stays.last:
        least, most = stays.first - one.first, stays.last - one.last
    else:
        least = most = 0
    return Bounds(max(bounds.least, least), min(bounds.most, most), bounds.years)
