"""Ladders of what is no calendar date: times of day, weekdays, and times relative to another time.

The day is cut at 5, 12, 18 and 22 o'clock. A clock time that could be of either half of the day says no part of it.
"""

from __future__ import annotations

import re

from maskwise.mask.generalise.grammar import add_article, find_word_before
from maskwise.mask.generalise.ladder import LevelList, measure_lost_bits
from maskwise.mask.generalise.slots import is_subject, read_before
from maskwise.text import Entity, Level, Mention
from maskwise.text.english import WEEKDAYS
from maskwise.text.numbers import read_number

_CLOCK = re.compile(
    r"(?P<h>[0-9]{1,2})(?:(?P<sep>[.:h])?(?P<m>[0-5][0-9])(?::[0-5][0-9])?)? ?"
    r"(?P<half>[ap]\.? ?m\b\.?|noon|midnight)?(?P<hours>hours|hrs|h)?(?: ?(?:gmt|utc|cet|cest|est|edt|pst|pdt|bst))?"
)
_GOES_ON = re.compile(r"\s?(?:to|until|till|and|[-–—])\s?\d")
_OCCASION = re.compile(r"(?i)\b(?:birthday|anniversary)$")
_HOUR = re.compile(r"[0-9]{1,2}")
_HALF = re.compile(r" ?[ap]\.? ?m\b\.?$")
_SPOKEN = re.compile(r"[\w ]+ o['’]clock|(?:half|quarter|\w+ minutes) (?:past|to) \w+")
_FROM_TO = re.compile(r"(?P<a>.+?)(?: ?[-–—] ?| to | and | until )(?P<b>.+)")
_NOON = "the middle of the day"
_PARTS = (
    (5, "the night"),
    (12, "the morning"),
    (18, "the afternoon"),
    (22, "the evening"),
    (25, "the night"),
)
_LENGTHS = {
    "the night": 420,
    "the morning": 420,
    "the afternoon": 360,
    "the evening": 240,
    _NOON: 120,
}
_MINUTES = 1440.0
_SHORT = re.compile(r"\d{1,3}[a-z]?", re.IGNORECASE)
_CLOCKED = frozenset(
    "at by until till from to between and or before after since around about on".split()
)

_WEEKDAY = re.compile(
    r"(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day(?P<many>s)?(?: (?P<part>morning|afternoon|evening|night)s?)?"
)
_LATER = re.compile(
    r"(?:(?:about|approximately|around|some|nearly|almost|over) )?(?:(?P<number>.+?) )?"
    r"(?P<unit>second|minute|hour|day|night|week|fortnight|month|year|decade)s? "
    r"(?:and a half )?(?P<way>later|earlier|ago|before|afterwards|after that|previously|beforehand|thereafter)"
)
_WAYS = {
    "ago": "ago",
    "earlier": "earlier",
    "before": "before",
    "previously": "earlier",
    "beforehand": "earlier",
}
_WHICH = re.compile(
    r"(?P<which>following|next|very next|ensuing|subsequent|previous|preceding|last|same|very same|that|this)"
    r" (?:(?:school|academic|calendar|financial|working) )?(?P<what>[a-z]+)(?: (?:morning|afternoon|evening|night))?"
)
_NEXT = {"following", "next", "very next", "ensuing", "subsequent"}
_SAME = {"same", "very same", "that", "this"}
_ON_THE = re.compile(r"(?i)\b(?:on|by|until|of|before|after|from|since) the\s$")
_LEADING = frozenset(
    "on by until till before after since from of for to in during at and or but that the this a an".split()
)
_PERIODS = {"day", "week", "weekend", "month", "year", "decade", "century"}
_DAYS = {*map(str.lower, WEEKDAYS), "morning", "afternoon", "evening", "night"}


def find_time_levels(entity: Entity) -> LevelList:
    """The levels of a time of day, a weekday or a relative time."""
    if _is_bare_number(entity.longest):
        return ()
    text = re.sub(r"\s+", " ", entity.longest.text.lower()).strip(" ,;")
    for build in (
        _build_clock_levels,
        _build_weekday_levels,
        _build_later_levels,
    ):
        levels = build(text)
        if levels:
            return levels
    return _build_relative_levels(text.removeprefix("the "), entity.longest)


def _build_clock_levels(text: str) -> LevelList:
    if two := _FROM_TO.fullmatch(text):
        return _build_clock_range_levels(two["a"], two["b"])
    part = find_part_of_day(text)
    if part is None:
        return ()
    last = Level("a certain time", 1.0, {"the": "time"})
    if not part:
        return (last,)
    loss = measure_lost_bits(_LENGTHS[part], _MINUTES)
    return (Level(f"a time in {part}", loss), last)


def _build_clock_range_levels(a: str, b: str) -> LevelList:
    """From one time to another."""
    a = _add_half(a, b)
    first = "" if _HOUR.fullmatch(a) else find_part_of_day(a)
    last = find_part_of_day(b)
    if first is None or last is None:
        return ()
    kind = Level("certain times", 1.0, {"from": "one time to another", "between": "two times"})
    if not first or not last:
        return (kind,)
    loss = measure_lost_bits(max(_LENGTHS[first], _LENGTHS[last]), _MINUTES)
    if first == last:
        after = {"from": f"one time to another in {first}", "between": f"two times in {first}"}
        return (Level(f"times in {first}", loss, after), kind)
    both = f"a time in {first} to a time in {last}"
    return (Level(both, loss, {"between": both.replace(" to ", " and ")}), kind)


def _add_half(a: str, b: str) -> str:
    """The first time with the half of the day that the text gives for the second alone, where the first is earlier."""
    half = _HALF.search(b)
    if half is None or _HALF.search(a):
        return a
    first = _HOUR.match(a)
    second = _HOUR.match(b)
    if first is None or second is None:
        return a
    is_earlier = int(first[0]) % 12 <= int(second[0]) % 12
    return a + half[0] if is_earlier else a


def find_part_of_day(text: str) -> str | None:
    """The part of the day of a clock time; empty where it could be either half of the day, None for what is no time."""
    if text in ("noon", "midday", "12 noon"):
        return _NOON
    if text in ("midnight", "12 midnight"):
        return "the night"
    found = _CLOCK.fullmatch(text)
    if found is None or (found["m"] is None and found["half"] is None):
        return "" if _SPOKEN.fullmatch(text) else None
    hour = int(found["h"])
    half = found["half"]
    if hour > 24:
        return None
    if half and hour > 12 and half[0] != "p":
        return None
    if not half and hour <= 12 and not _has_24_hours(found):
        return ""
    if half and hour <= 12:
        hour = hour % 12 + (12 if half.startswith(("p", "n")) else 0)
    return next(name for until, name in _PARTS if hour % 24 < until)


def _has_24_hours(found: re.Match[str]) -> bool:
    """Whether a clock time up to noon is written the way of 24 hours: "09:48", "0930 hours", "9h30"."""
    if found["h"].startswith("0"):
        return True
    return found["hours"] is not None or found["sep"] == "h"


def _build_weekday_levels(text: str) -> LevelList:
    found = _WEEKDAY.fullmatch(text)
    if not found:
        return ()
    is_weekend = found["day"] in ("satur", "sun")
    loss = measure_lost_bits(2 if is_weekend else 5, 7)
    if found["many"]:
        kind = "days at the weekend" if is_weekend else "weekdays"
        return (Level(kind, loss), Level("certain days", 1.0, {"the": "days"}))
    kind = "a day at the weekend" if is_weekend else "a weekday"
    return (Level(kind, loss), Level("a certain day", 1.0, {"the": "day"}))


def _build_later_levels(text: str) -> LevelList:
    """ "two days later", "some days later", "later"."""
    found = _LATER.fullmatch(text)
    if not found:
        return ()
    way = _WAYS.get(found["way"], "later")
    unit = {"night": "day", "fortnight": "week"}.get(found["unit"], found["unit"])
    number = read_number(found["number"] or "")
    is_several = number is not None and number >= 2
    some = f"some {unit}s {way}" if is_several else f"a certain time {way}"
    last = "in the past" if way == "ago" else way
    after = dict.fromkeys(("a", "an"), f"certain time {way}")
    return (Level(some, 0.5), Level(last, 1.0, after))


def _build_relative_levels(text: str, mention: Mention) -> LevelList:
    """ "the following Monday", "a later day"."""
    if text == "yesterday":
        return (Level("earlier", 1.0),)
    if text == "tomorrow":
        return (Level("later", 1.0),)
    found = _WHICH.fullmatch(text)
    if not found:
        return ()
    noun = _name_period(found["what"].removesuffix("s"))
    lead = _find_lead(noun, mention)
    which = found["which"]
    relation = "a later" if which in _NEXT else "an earlier"
    is_on_the = bool(_ON_THE.search(read_before(mention)))
    definite = {"the": f"{noun} in question"}
    last = Level(f"{lead}a certain {noun}", 1.0, definite)
    if which in _SAME:
        return (last,)
    after = {} if is_on_the else definite  # "on the later day", but not "the later day he left"
    return (Level(f"{lead}{relation} {noun}", 0.6, after), last)


def _find_lead(noun: str, mention: Mention) -> str:
    """The preposition that a time needs where the text has none: "the following Friday he left", "left last May"."""
    if find_word_before(mention) in _LEADING or is_subject(mention):
        return ""
    return {"day": "on ", "weekend": "on ", "time": "at "}.get(noun, "in ")


def _name_period(word: str) -> str:
    if word in _PERIODS:
        return word
    return "day" if word in _DAYS else "time"


def _is_bare_number(mention: Mention) -> bool:
    """Whether a guess is a short number or grade that no word says to be an hour: "interview 14", "class 4a"."""
    is_short = _SHORT.fullmatch(mention.text) is not None
    return is_short and find_word_before(mention) not in _CLOCKED


def describe_any_time(entity: Entity) -> LevelList:
    """The levels of any date or time; none for a number that nothing shows to be one."""
    if _is_bare_number(entity.longest):
        return ()
    if occasion := _OCCASION.search(entity.longest.text):
        name = add_article(occasion[0].lower())
        return (Level(name, 1.0),)
    after = {
        "on": "a certain date",
        "the": "time",
        "this": "time",
    }
    if not _GOES_ON.match(entity.longest.document.text, entity.longest.end):
        after |= {"between": "certain times", "from": "one time to another"}
    return (Level("a certain time", 1.0, after),)
