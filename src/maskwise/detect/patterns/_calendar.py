"""Months, days and years: how English writes them, and their ISO 8601 form (with ISO 8601-2 for decades and seasons).

Values: "1994-04-25", "1994-04", "--04-25", "--04", "1994", "199X" (decade), "18XX" (century), "2004-22" (summer).
Ranges are "a/b", days that share a month "a,b". A month, a day or a year that is not said is not guessed.
"""

from __future__ import annotations

import re

from maskwise.text.english import MONTH_NUMBER, MONTHS, SHORT_MONTHS, WEEKDAYS
from maskwise.text.fragments import DASH, GAP, HYPHEN, join_any_case, join_for_scan, join_words
from maskwise.text.numbers import ORDINALS

# Lower-case "may" is a verb, and lower-case "mar" or "dec" no month either; a short form may end in a stop.
_CAPITAL = [form for name in MONTHS for form in (name, name.upper())]
_SHORT = [
    form + stop
    for name in SHORT_MONTHS
    for form in (name.title(), name.upper())
    for stop in ("", ".")
]
_SMALL = [name.lower() for name in MONTHS if name != "May"]
MONTH_NAME = join_words((*_CAPITAL, *_SHORT, *_SMALL))
MONTH = rf"{MONTH_NAME}(?!\w)"
MONTH_STEMS = tuple(name[:3].lower() for name in MONTHS)
# To begin a rule with: no number before it, or it belongs to that ("25 April").
LEADING_MONTH = (
    join_for_scan((*_CAPITAL, *_SHORT), r"[0-9][ \u00a0.-]", "[0-9](?:st|nd|rd|th) ") + r"(?!\w)"
)

_WEEKDAYS_SHORT = "Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun"
_STOPPED_WEEKDAYS = (f"{day}{end}" for day in _WEEKDAYS_SHORT.split() for end in ".,")
WEEKDAY_STEMS = tuple(day.lower() for day in (*WEEKDAYS, *_STOPPED_WEEKDAYS))
# "Monday, ", "Mon. ", "Friday the "
ON_WEEKDAY = rf"{join_for_scan((*WEEKDAYS, *_WEEKDAYS_SHORT.split()))}\.?,?{GAP}(?:the{GAP})?+"

# No figure, decimal or time: "4.30", "10%".
_DAY_ENDS = r"(?:st|nd|rd|th)?(?![\w%]|[.:,]?[0-9])"
_DAY = rf"(?:0?[1-9]|[12][0-9]|3[01]){_DAY_ENDS}"
_LEADING_DAY = rf"[0-9](?<!\w[0-9])(?<![0-9][.,:][0-9])(?:(?<=0)[1-9]|(?<=[12])[0-9]|(?<=3)[01]|(?<=[1-9])){_DAY_ENDS}"
_AND = rf"(?:,?{GAP}(?:and|or|to|until|till|through|&){GAP}(?:the{GAP})?|{GAP}?(?:{DASH}|/){GAP}?)"
_SHARED = rf"(?:(?:,{GAP}?{_DAY}){{0,30}}+{_AND}{_DAY})?"
# Days that share what follows: "10 and 12", "3-5", "1, 2 and 3". The second form begins a rule.
DAYS = _DAY + _SHARED
LEADING_DAYS = _LEADING_DAY + _SHARED
ORDINAL_DAY = join_any_case(ORDINALS)

YEAR = r"(?:1[0-9]{3}|20[0-9]{2})(?![0-9])"
SHORT_YEAR = r"['’‘][0-9]{2}(?!\w)"

SEASONS = {"spring": 21, "summer": 22, "autumn": 23, "fall": 23, "winter": 24}
SEASON = join_any_case(SEASONS)

# Part of what is said about a date, and so of the mention.
PART = (
    rf"(?:(?:[Ee]nd|[Bb]eginning|[Mm]iddle|[Ss]tart|[Ff]irst{GAP}half|[Ss]econd{GAP}half){GAP}of{GAP}(?:the{GAP})?"
    rf"|(?:[Ee]arly|[Ll]ate|[Mm]id){HYPHEN})"
)

_WORD = re.compile(r"[0-9]+|[a-z]+")
_NTH = re.compile(rf"\b{join_words(ORDINALS)}(?!\w)")
_RANGE = re.compile(
    rf"\b(?:to|until|till|through)\b|(?:{DASH}|/) ?[0-9]|(?<=[a-z.])(?:{DASH}|/){join_words(MONTH_NUMBER)}"
)
_FINAL_YEAR = re.compile(r"(?:[0-9]{4}|(?<=['’‘])[0-9]{2}|(?<=[a-z.][-/.])[0-9]{2})$")


def expand_year(text: str) -> str:
    """Returns a year in four digits: "94" is 1994, "07" is 2007. From "30" on, two digits mean the last century."""
    return text if len(text) == 4 else f"{19 if int(text) >= 30 else 20}{text}"


def read_calendar_date(text: str) -> str:
    """ISO form of a date with a named month: "25 April 1994", "10 and 12 March", "April 25, '94", "March-June 1999"."""
    text = text.lower()
    last = _FINAL_YEAR.search(text)
    year = expand_year(last.group()) if last else "-"
    body = text[: last.start()] if last else text
    words = _WORD.findall(body)
    days = [int(word) for word in words if word.isdigit()] or [
        ORDINALS[word] for word in _NTH.findall(body)
    ]
    months = [f"{year}-{MONTH_NUMBER[word]:02}" for word in words if word in MONTH_NUMBER]
    joint = "/" if _RANGE.search(body.rstrip("-/.")) else ","
    if len(months) == 1:
        return joint.join(f"{months[0]}-{day:02}" for day in days) or months[0]
    if len(days) == len(months):
        return joint.join(f"{month}-{day:02}" for month, day in zip(months, days, strict=True))
    return joint.join(months)


def format_iso(year: int, month: int, day: int) -> str:
    """Returns the date, or an empty string where the calendar has no such day."""
    if not (1 <= month <= 12 and 1 <= day <= DAYS_IN[month - 1] and 1000 <= year <= 2099):
        return ""
    return f"{year:04}-{month:02}-{day:02}"


DAYS_IN = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
