"""Times told from another time: "the following Monday", "two days later", "last summer", "yesterday", "on Monday".

They rarely identify anyone by themselves: the score is low so that a policy can keep them.
"""

from __future__ import annotations

from maskwise.detect.patterns._calendar import MONTH, SEASON, WEEKDAY_NAME
from maskwise.detect.patterns._fragments import GAP, any_case, either
from maskwise.detect.patterns.duration import NUMBER, TRIGGERS, UNIT
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_SCORE = 0.4
_DAYS = any_case(day + "day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun"))
_TIME = (
    rf"(?:(?:(?:school|academic|calendar|financial|working){GAP})?(?:day|morning|afternoon|evening|night|week|weekend"
    rf"|month|year|decade|century)|{_DAYS}(?:{GAP}(?:morning|afternoon|evening|night))?|{SEASON}|{MONTH})(?!\w)"
)
_WHICH = (
    "following", "next", "same", "previous", "preceding", "last", "past", "that", "this", "very same", "ensuing",
    "subsequent", "very next",
)  # fmt: skip
_LATER = either(("later", "earlier", "ago", "before", "afterwards", "after that", "previously", "beforehand", "thereafter"))
_AMOUNT = rf"(?:{NUMBER}|[Aa]n?|[Ss]everal|[Ss]ome|[Ff]ew|[Mm]any)"

FAMILY = Family(
    name="relative_date",
    rules=(
        Rule(
            name="relative_date",
            type=EntityType.DATETIME,
            regex=rf"\b(?:[Ll]ater{GAP}|[Ee]arlier{GAP})?{any_case(_WHICH)}{GAP}{_TIME}",
            triggers=tuple(f"{which.split()[-1]}{gap}" for which in _WHICH for gap in (" ", "\n", "\u00a0")),
            reach=32,
            score=_SCORE,
        ),
        Rule(
            name="relative_date",
            type=EntityType.DATETIME,
            regex=rf"(?<![\w-]){_AMOUNT}{GAP}(?:more{GAP}|and{GAP}a{GAP}half{GAP})?{UNIT}{GAP}(?:and{GAP}a{GAP}half{GAP})?{_LATER}(?!\w)",
            triggers=("later", "earlier", "ago", "before", "after", "previously"),
            reach=48,
            score=_SCORE,
        ),
        Rule(
            name="relative_date",
            type=EntityType.DATETIME,
            regex=(
                rf"\b{any_case(('yesterday', 'today', 'tomorrow', 'tonight'))}(?!\w|['’]s{GAP})"
                rf"(?:{GAP}(?:morning|afternoon|evening|night)\b)?"
            ),
            triggers=("yesterday", "today", "tomorrow", "tonight"),
            reach=16,
            score=_SCORE,
        ),
        Rule(
            name="weekday",
            type=EntityType.DATETIME,
            regex=rf"{WEEKDAY_NAME}s?(?!\w)(?:{GAP}(?:morning|afternoon|evening|night)s?\b)?",
            score=_SCORE,
        ),
    ),
    positive=(
        ("The following Monday she left.", ("following Monday",)),
        ("the next day", ("next day",)),
        ("Two days later he fell ill.", ("Two days later",)),
        ("it was last summer", ("last summer",)),
        ("yesterday", ("yesterday",)),
        ("They met that evening.", ("that evening",)),
        ("Later that day it rained.", ("Later that day",)),
        ("ten years ago", ("ten years ago",)),
        ("a week earlier", ("a week earlier",)),
        ("on Tuesday afternoon", ("Tuesday afternoon",)),
        ("closed on Sundays", ("Sundays",)),
        ("the previous school year", ("previous school year",)),
        ("a year and a half later", ("a year and a half later",)),
        ("On the same day", ("same day",)),
        ("tomorrow morning", ("tomorrow morning",)),
    ),
    negative=(
        "the next room",
        "the same judge",
        "the last resort",
        "two days of rest",
        "later on",
        "that dayroom",
        "Mondale spoke",
        "this house",
        "today's youth",
        "the day after",
    ),
)
