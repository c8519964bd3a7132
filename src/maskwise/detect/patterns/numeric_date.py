"""Dates in figures: 25.04.1994, 25/04/1994, 04-25-1994, and ISO 8601 with or without time and zone.

Where both orders are possible the day is read first, as most of the world writes it.
"""

from __future__ import annotations

import re

from maskwise.detect.patterns._calendar import expand_year, format_iso
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.subtypes import DATE

_START = r"[0-9](?<![\w§][0-9])(?<![0-9][.,:/-][0-9])"
_END = r"(?![\w/]|[.:,-][0-9])"
_TIME = r"(?:[T ](?:[01][0-9]|2[0-4]):[0-5][0-9](?::[0-6][0-9](?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?(?:[0-9]{2})?)?)"
_BASIC_TIME = r"T[0-9]{4}(?:[0-9]{2})?(?:Z|[+-][0-9]{4})?"
_NUMBERS = re.compile(r"[0-9]+")
_CUES = (
    "LMP EDD EDC DOS DOL since until till through dated admitted discharged seen due on by".split()
)


def _read_date(text: str) -> str:
    """The ISO form with its time, if any; empty where the calendar has no such day."""
    date, mark, time = (
        text.replace(" ", "T", 1).partition("T") if ":" in text or "T" in text else (text, "", "")
    )
    if date.isdigit():
        date = f"{date[:4]}-{date[4:6]}-{date[6:]}"
    first, second, third = _NUMBERS.findall(date)
    if len(first) == 4:
        day = format_iso(int(first), int(second), int(third))
    else:
        year = int(expand_year(third))
        day = format_iso(year, int(second), int(first)) or format_iso(year, int(first), int(second))
    return day and day + mark + time


def _is_real_date(text: str) -> bool:
    return bool(_read_date(text))


FAMILY = Family(
    name="numeric_date",
    rules=(
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=(
                rf"{_START}(?:[0-9]?(?P<s>[./-])[ ]?[0-9]{{1,2}}(?P=s)[ ]?(?:[0-9]{{4}}|[0-9]{{2}})"
                rf"|[0-9]{{3}}(?P<i>[./-])[0-9]{{1,2}}(?P=i)[0-9]{{1,2}}{_TIME}?+"
                rf"|[0-9]{{7}}{_BASIC_TIME}){_END}"
            ),
            shapes=(
                *(day + sign + "1" for day in ("1", "10", "1000") for sign in "./-"),
                *(day + sign + " 1" for day in ("1", "10") for sign in "./-"),
                "10000000B",
            ),
            opens=True,
            check=_is_real_date,
            value=_read_date,
        ),
        # A day and a month, which only the word before tells from a ratio: "LMP 2/20", "seen 3/14".
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=rf"(?<!\w)(?i:{'|'.join(_CUES)})[ ](?P<m>(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12][0-9]|3[01]))"
            r"(?![\w/%]|[.,:-][0-9]|[ ](?:of|pounds|cup|inch))",
            triggers=tuple(f"{cue.lower()} " for cue in _CUES),
            reach=24,
        ),
    ),
    positive=(
        ("Born 25.04.1994.", ("25.04.1994",)),
        ("on 25/04/1994, in the morning", ("25/04/1994",)),
        ("(04-25-1994)", ("04-25-1994",)),
        ("from 1994-04-25 to 1994-05-01", ("1994-04-25", "1994-05-01")),
        ("at 1994-04-25T09:30:00+02:00 sharp", ("1994-04-25T09:30:00+02:00",)),
        ("logged 2021-03-04 17:05:59.123Z", ("2021-03-04 17:05:59.123Z",)),
        ("stamp 20210304T170559Z", ("20210304T170559Z",)),
        ("2021/03/04 and 2021.3.4", ("2021/03/04", "2021.3.4")),
        ("the contract of 5.6.98", ("5.6.98",)),
        ("due 12/31/99", ("12/31/99",)),
        ("1. 2. 2003", ("1. 2. 2003",)),
        ("29/02/2000", ("29/02/2000",)),
        ("LMP 2/20, seen 3/14.", ("2/20", "3/14")),
    ),
    negative=(
        "version 1.2.3",
        "strength 4/5, pain 7/10, 2/3 of them",
        "by 1/2 cup, on 3/4 of it",
        "call 25.04.1994.12",
        "the ratio 45/67/1994",
        "31-02-1994",
        "IP 10.0.12.2004",
        "no. 42552/98",
        "00/00/0000",
        "chapter 4.33.44",
        "8-13-2150",
        "12.5.1994.7",
    ),
)
