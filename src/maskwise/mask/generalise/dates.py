"""The ladder of dates: 23 November 2006, November 2006, 2006, the 2000s, a date.

Each level is a calendar period that holds the whole date. Losses count days of a century (of a millennium before 1900).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.periods import Period, Unit, find_month_bounds, read_period
from maskwise.mask.generalise.slots import Slot
from maskwise.text import Entity, Level
from maskwise.text.english import MONTHS

_CENTURY = 36525.0
_MILLENNIUM = 365250.0
_YEAR = 366.0
_MODERN = 1900
_NOUN = {Unit.MINUTE: "date", Unit.DAY: "date", Unit.SEASON: "period"}
_PART_OF = re.compile(
    r"(?i)(?:the )?(?P<point>end|beginning|middle|start)\b|.*\b(?:half|quarter)\b"
)
_PART_OF_DAY = re.compile(r"\b(?:night|morning|evening|afternoon|weekend) of $")
_LED = re.compile(r"(?i)(between|from|since|until|before|after|during|in|on|by)\s+")
# Words after which a period may stand for the day in it.
_TIMED = tuple(
    "in since until till by of during dated before after from to for between and or around about circa early late mid "
    "the his her their its this that our my spring summer autumn winter january february march april may june july "
    "august september october november december monday tuesday wednesday thursday friday saturday sunday to".split()
)
# Words that a date follows without a preposition.
_BARE = ("born", "died", "founded", "married", "b", "d")
_ORDINAL = re.compile(r"(?i)[0-9]+(?:st|nd|rd|th)\b|[a-z-]+ (?:day )?of ")

Container = tuple[str, date, date]  # how it is written, its first and its last day


def find_date_levels(entity: Entity) -> LevelList:
    """The levels of a date that can be read without guessing."""
    text = entity.longest.text
    period = read_period(text)
    if period:
        return _build_levels(period, entity)
    led = _LED.match(text)
    period = read_period(text[led.end() :]) if led else None
    if led is None or period is None:
        return ()
    # The preposition is part of the mention, so it is part of every wording.
    word = led[1].lower()
    found = []
    for level in _build_levels(period, entity):
        wording = level.after.get(word, level.text)
        found.append(Level(f"{word} {wording}", level.loss))
    return tuple(found)


def _build_levels(period: Period, entity: Entity) -> LevelList:
    possible = _count_possible_days(period) / period.days
    found = []
    for text, first, last in _list_containers(period):
        days = (last - first).days + 1
        loss = measure_lost_bits(days / period.days, possible)
        wordings = _choose_wordings(text, period, entity)
        found.append(Level(text, loss, wordings, _choose_forms(text, period)))
    return (*found, _build_last_level(period, entity))


def _count_possible_days(period: Period) -> float:
    if not period.dated:
        return _YEAR
    return _CENTURY if period.first.year >= _MODERN else _MILLENNIUM


def _list_containers(period: Period) -> Iterator[Container]:
    """Calendar periods that hold the whole of it, the shortest first."""
    for text, first, last in _list_calendar_periods(period):
        is_larger = (first, last) != (period.first, period.last)
        holds_it = first <= period.first and period.last <= last
        if holds_it and (is_larger or not period.whole):
            yield text, first, last


def _list_calendar_periods(period: Period) -> Iterator[Container]:
    a, b = period.first, period.last
    if period.unit is Unit.MINUTE:
        yield f"{a.day} {MONTHS[a.month - 1]} {a.year}", a, b
    if (a.year, a.month) == (b.year, b.month):
        yield _name_month(a, period.dated), *find_month_bounds(a.year, a.month)
    elif period.unit is Unit.DAY and period.dated and period.whole:
        both = (_name_month(a, a.year != b.year), _name_month(b, True))
        yield (
            " to ".join(both),
            find_month_bounds(a.year, a.month)[0],
            find_month_bounds(b.year, b.month)[1],
        )
    if not period.dated:
        return
    if a.year == b.year:
        yield f"{a.year}", date(a.year, 1, 1), date(a.year, 12, 31)
    elif period.unit in (Unit.DAY, Unit.MONTH):
        yield f"{a.year} to {b.year}", date(a.year, 1, 1), date(b.year, 12, 31)
    first, last = a.year // 10 * 10, b.year // 10 * 10
    if last - first <= 20:
        text = f"the {first}s" if first == last else f"the {first}s to the {last}s"
        yield text, date(first, 1, 1), date(last + 9, 12, 31)
    if period.unit is Unit.SEASON and b.year - a.year == 99:
        yield f"the {_write_ordinal(b.year // 100)} century", a, b
    century = (first - 1) // 100
    # The decade must lie in the century too, so that one level holds the other.
    if b.year < _MODERN and century == (last + 8) // 100:
        text = f"the {_write_ordinal(century + 1)} century"
        yield text, date(100 * century + 1, 1, 1), date(100 * century + 100, 12, 31)


def _choose_forms(text: str, period: Period) -> dict[str, str]:
    """The text of a period where the text speaks of a day or year itself: "a day in 2010 was wet"."""
    noun = {Unit.DAY: "day", Unit.YEAR: "year", Unit.MONTH: "month"}.get(period.unit, "")
    if not noun or period.many or " to " in text:
        return {}
    return {Slot.PHRASE: f"a {noun} in {text}"}


def _choose_wordings(text: str, period: Period, entity: Entity) -> dict[str, str]:
    """A text that reads better after some words than the period alone."""
    span = " to " in text
    inside = f"between {text.replace(' to ', ' and ')}" if span else f"in {text}"
    if period.unit is Unit.DAY and _PART_OF_DAY.search(_read_before(entity)):
        return {"of": f"a day {inside}"}
    if period.many:
        noun = {Unit.DAY: "day", Unit.MONTH: "month"}.get(period.unit, "year")
        return {
            "on": f"{noun}s {inside}",
            "the": f"{noun}s {inside}",
            "from": text if span else f"one {noun} to another {inside}",
            "between": text.replace(" to ", " and ") if span else f"two {noun}s {inside}",
        }
    if period.unit is Unit.MINUTE and text[0].isdigit() and " " in text:
        return {"at": f"a time on {text}"}
    after = dict.fromkeys(_TIMED, text)
    after |= {"on": f"a day {inside}", "at": f"a time {inside}"}
    after |= dict.fromkeys(_BARE, inside)
    if period.unit is Unit.DAY and text.isdigit():  # "from 2010 to 2010" would say nothing
        after |= dict.fromkeys(("from", "until", "till", "to"), f"a day {inside}")
    if period.unit is Unit.YEAR:
        after["year"] = f"within {text}"
    if part := _PART_OF.match(entity.longest.text):
        noun = "point in" if part["point"] else "part of"
        after |= {"the": f"{noun} {text}"}
    elif period.unit is Unit.SEASON and text.isdigit():
        after["the"] = f"year {text}"
    elif period.unit is Unit.DAY and any(_ORDINAL.match(m.text) for m in entity.mentions):
        after["the"] = f"day {inside}"
    return after


def _read_before(entity: Entity) -> str:
    mention = entity.longest
    return mention.document.text[max(0, mention.start - 20) : mention.start]


def _build_last_level(period: Period, entity: Entity) -> Level:
    """The kind alone."""
    noun = _NOUN.get(period.unit, str(period.unit))
    part = _PART_OF.match(entity.longest.text)
    if part and part["point"]:
        noun = "time"
    if period.many:
        after = {"from": f"one {noun} to another", "between": f"two {noun}s", "the": f"{noun}s"}
        return Level(f"certain {noun}s", 1.0, after)
    after = dict.fromkeys(("the", "this", "that", "his", "her", "their", "its"), noun)
    if period.unit is Unit.YEAR:
        after["year"] = "in question"
    if period.unit is Unit.SEASON or noun == "decade":
        after["the"] = f"{noun} in question"
    if noun == "date":
        if any(_ORDINAL.match(m.text) for m in entity.mentions):
            after["the"] = "day in question"
        after |= {"in": "a certain month", "at": "a certain time"}
        after |= dict.fromkeys(_BARE, "on a certain date")
        return Level("a date", 1.0, after, {Slot.PHRASE: "a certain date"})
    after |= dict.fromkeys(_BARE, f"in a certain {noun}")
    return Level(f"a certain {noun}", 1.0, {**after, "on": "a certain date"})


def _name_month(day: date, dated: bool) -> str:
    name = MONTHS[day.month - 1]
    return f"{name} {day.year}" if dated else name


def _write_ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
