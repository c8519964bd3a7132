"""Dates with a named month: "25 April 1994", "Monday, October 3, 2018", "10 and 12 March", "April 1994".

Each date of a list is a mention of its own, unless days share their month ("10 and 12 March"), as in the TAB
guidelines. Prepositions and articles stay outside.
"""

from __future__ import annotations

from maskwise.detect.patterns._calendar import (
    DAYS,
    LEADING_DAYS,
    LEADING_MONTH,
    MONTH,
    MONTH_NAME,
    MONTH_STEMS,
    ON_WEEKDAY,
    ORDINAL_DAY,
    SHORT_YEAR,
    WEEKDAY_STEMS,
    YEAR,
    read_calendar_date,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import MONTHS
from maskwise.text.fragments import DASH, GAP, demand_before, join_words
from maskwise.text.numbers import WORDS
from maskwise.text.subtypes import DATE

_OF = rf"{GAP}(?:of{GAP})?"
_YEAR = rf"(?:,?{_OF}{YEAR}|,?{GAP}?{SHORT_YEAR})"
# "25 April 1994", "25th of April, 1994", "3 May – 5 June 1999", "25-Apr-94", "25 April1994"
_AFTER_DAYS = (
    rf"(?:{_OF}{MONTH}(?:{GAP}?{DASH}{GAP}?{DAYS}{_OF}{MONTH})?+{_YEAR}?+"
    rf"|[-/.]{MONTH}[-/.](?:{YEAR}|[0-9]{{2}}(?![0-9]))|{GAP}?{MONTH_NAME}{YEAR})"
)
# What can follow the first day, in outline: " April", " and", "th", "-12", ".May".
_BEYOND = (
    " A",
    " a",
    " -",
    " /",
    " &",
    ", ",
    "-1",
    "-A",
    "-a",
    "- ",
    "/1",
    "/A",
    "/a",
    "/ ",
    ".A",
    ".a",
    "aa",
)
# "25, 1994" or "25th" after a month, but not the number of something ("In March 20 witnesses").
_THEN_DAYS = (
    rf"{GAP}(?:the{GAP})?{DAYS}(?:{_YEAR}|(?!{GAP}?(?:[a-z]{{3,20}}s\b|people|other|per|[€$£])))"
)
_AFTER_MONTH = rf"(?:{_THEN_DAYS}|(?:{DASH}|/){MONTH}{_YEAR}|{_YEAR})"

# These months are also names or verbs: alone they need a word of time before, or another month after.
_AMBIGUOUS = ("March", "April", "May", "June", "August")
_MONTHS = ("January", "February", "July", "September", "October", "November", "December")
_CUES = (
    "in since until till by of from to during between and or early late mid next last every each this following before "
    "after through for that"
)
_CUE = rf"(?:{demand_before(*(form for cue in _CUES.split() for form in (cue, cue.title())))}|(?<=mid-))"
_AND_MONTH = rf"(?:,{GAP}|,?{GAP}(?:and|or|to|until){GAP}|{DASH}|/){MONTH}"

_SAID_YEARS = tuple(
    f" {tens}"
    for tens in (
        *("thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "nineteen", "twenty"),
        "two thousand",
    )
)
_SHORT = "jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec"

FAMILY = Family(
    name="date",
    rules=(
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=LEADING_DAYS + _AFTER_DAYS,
            shapes=tuple(day + rest for day in ("1", "10") for rest in _BEYOND),
            opens=True,
            value=read_calendar_date,
        ),
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=LEADING_MONTH + _AFTER_MONTH,
            triggers=MONTH_STEMS,
            opens=True,
            value=read_calendar_date,
        ),
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=rf"{ON_WEEKDAY}(?:{DAYS}{_AFTER_DAYS}|{MONTH}{_AFTER_MONTH}|{ORDINAL_DAY}{GAP}of{GAP}{MONTH}{_YEAR}?)",
            triggers=WEEKDAY_STEMS,
            opens=True,
            value=read_calendar_date,
        ),
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=rf"\b{ORDINAL_DAY}{GAP}(?:day{GAP})?of{GAP}{MONTH}{_YEAR}?",
            triggers=("st of", "nd of", "rd of", "th of", "day of"),
            reach=32,
            value=read_calendar_date,
        ),
        # As people say it: "fourteenth of the third seventy-two", "third of march nineteen eighty one".
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=rf"\b(?:{ORDINAL_DAY}|[0-9]{{1,2}}(?:st|nd|rd|th)){GAP}(?:of{GAP})?(?:the{GAP})?"
            rf"(?:{ORDINAL_DAY}|[0-9]{{1,2}}(?:st|nd|rd|th)|(?i:{'|'.join(MONTHS)})){GAP}(?:of{GAP})?"
            rf"(?:(?i:nineteen|twenty){GAP}(?:(?i:oh|hundred){GAP}?(?:and{GAP})?)?)?{WORDS}",
            triggers=_SAID_YEARS,
            reach=48,
        ),
        # Short months in small letters or capitals, where a day and a year leave no doubt: "sep 16, 2003".
        Rule(
            name=DATE,
            type=EntityType.DATETIME,
            regex=rf"(?<![\w-])(?i:{_SHORT})\.?{GAP}[0-9]{{1,2}}(?i:st|nd|rd|th)?,?{GAP}(?:19|20)[0-9]{{2}}(?!\w)"
            rf"|(?<![\w-])[0-9]{{1,2}}(?i:st|nd|rd|th)?[ -](?i:{_SHORT})\.?,?[ -](?:19|20)[0-9]{{2}}(?!\w)",
            triggers=tuple(_SHORT.replace("t?", "").split("|")),
            reach=16,
            value=read_calendar_date,
        ),
        Rule(
            name="month",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w){join_words(_MONTHS)}(?!\w)",
            triggers=tuple(month.lower() for month in _MONTHS),
            opens=True,
            value=read_calendar_date,
        ),
        Rule(
            name="month",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w)(?={join_words(_AMBIGUOUS)}(?!\w))(?:{_CUE}|(?=\w+{_AND_MONTH}))\w++(?!{GAP}[A-Z][a-z])",
            triggers=tuple(month.lower() for month in _AMBIGUOUS),
            opens=True,
            value=read_calendar_date,
        ),
    ),
    positive=(
        ("She was born on 25 April 1994 in Porto.", ("25 April 1994",)),
        ("born fourteenth of the third seventy-two.", ("fourteenth of the third seventy-two",)),
        ("the third of march nineteen eighty one", ("third of march nineteen eighty one",)),
        ("April 25, 1994 was a Monday.", ("April 25, 1994",)),
        ("on the 25th of April they met", ("25th of April",)),
        ("Signed Apr. 25 '94", ("Apr. 25 '94",)),
        ("He left on Monday, October 3, 2018.", ("Monday, October 3, 2018",)),
        ("on Friday the 13th of May 2011", ("Friday the 13th of May 2011",)),
        ("posted 25-Apr-1994 and 03/Dec/98", ("25-Apr-1994", "03/Dec/98")),
        ("held on 3-5 May 1999", ("3-5 May 1999",)),
        ("from 3 to 5 May he was away", ("3 to 5 May",)),
        ("on 10 and 12 March", ("10 and 12 March",)),
        ("on 1, 2 and 14 March 2001", ("1, 2 and 14 March 2001",)),
        ("hearings on 25 April, 24 May and 27 July 1994", ("25 April", "24 May", "27 July 1994")),
        ("between 3 May 1999 and 7 June 2000", ("3 May 1999", "7 June 2000")),
        ("the tour of 28 May – 3 June 2003", ("28 May – 3 June 2003",)),
        ("In February 1987 and again in May.", ("February 1987", "May")),
        ("in March, May and June 1999", ("March", "May", "June 1999")),
        ("the winter of January-March 1999", ("January-March 1999",)),
        ("Since September nothing happened.", ("September",)),
        ("on 7 december 1999", ("7 december 1999",)),
        ("the twenty-fifth of April 1994", ("twenty-fifth of April 1994",)),
        ("DATED 12 JUNE 2004", ("12 JUNE 2004",)),
        ("12\u00a0June\u00a02004", ("12\u00a0June\u00a02004",)),
        ("In March 20 witnesses came.", ("March",)),
        ("the 4th of July celebrations", ("4th of July",)),
    ),
    negative=(
        "Article 3 may be invoked.",
        "She may come, and so may he.",
        "They march to the sea.",
        "April Jones met June Carter and August Weber.",
        "a decline of 25 per cent",
        "Apt. 25, 1994 Elm Road",
        "Theresa May spoke.",
        "section 4 applies",
        "Mayor 12 of the town",
        "an august assembly",
    ),
)
