"""Times told from another time: "the following Monday", "two days later", "last summer", "yesterday", "on Monday".

They rarely identify anyone by themselves: the score is low so that a policy can keep them.
"""

from __future__ import annotations

from maskwise.detect.patterns._calendar import MONTH, SEASON
from maskwise.detect.patterns.duration import NUMBER, UNIT, UNITS
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import WEEKDAYS
from maskwise.text.fragments import GAP, join_any_case, join_words

_SCORE = 0.4
_WEEKDAYS = tuple(map(str.lower, WEEKDAYS))
_DAYS = join_words(WEEKDAYS)
_TIME = (
    rf"(?:(?:(?:school|academic|calendar|financial|working){GAP})?(?:day|morning|afternoon|evening|night|week|weekend"
    rf"|month|year|decade|century)|{_DAYS}(?:{GAP}(?:morning|afternoon|evening|night))?|{SEASON}|{MONTH})(?!\w)"
)
_WHICH = (
    "following", "next", "same", "previous", "preceding", "last", "past", "that", "this", "very same", "ensuing",
    "subsequent", "very next",
)  # fmt: skip
_UNITS = tuple(form for unit in UNITS for form in (unit, unit + "s"))
_LATER = (
    "later",
    "earlier",
    "ago",
    "before",
    "afterwards",
    "after that",
    "previously",
    "beforehand",
    "thereafter",
)
_AMOUNT = rf"(?:{NUMBER}|[Aa]n?|[Ss]everal|[Ss]ome|[Ff]ew|[Mm]any)"

FAMILY = Family(
    name="relative_date",
    rules=(
        Rule(
            name="relative_date",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w)(?:[Ll]ater{GAP}(?:the{GAP})?|[Ee]arlier{GAP}(?:the{GAP})?)?{join_any_case(_WHICH)}{GAP}{_TIME}",
            triggers=tuple(
                f"{which}{gap}"
                for which in (*_WHICH, "later", "earlier")
                for gap in (" ", "\n", "\u00a0")
            ),
            opens=True,
            score=_SCORE,
            shouted=True,
        ),
        Rule(
            name="relative_date",
            type=EntityType.DATETIME,
            regex=rf"(?<![\w-]){_AMOUNT}{GAP}(?:more{GAP}|and{GAP}a{GAP}half{GAP})?{UNIT}{GAP}(?:and{GAP}a{GAP}half{GAP})?{join_words(_LATER)}(?!\w)",
            triggers=tuple(f"{unit} {word}" for unit in _UNITS for word in (*_LATER, "and a half")),
            reach=48,
            score=_SCORE,
            shouted=True,
        ),
        Rule(
            name="relative_date",
            type=EntityType.DATETIME,
            regex=(
                rf"(?<!\w){join_any_case(('yesterday', 'today', 'tomorrow', 'tonight'))}(?!\w|['’]s{GAP})"
                rf"(?:{GAP}(?:morning|afternoon|evening|night)\b)?"
            ),
            triggers=("yesterday", "today", "tomorrow", "tonight"),
            opens=True,
            score=_SCORE,
            shouted=True,
        ),
        Rule(
            name="weekday",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w){_DAYS}s?(?!\w)(?:{GAP}(?:morning|afternoon|evening|night)s?\b)?",
            triggers=_WEEKDAYS,
            opens=True,
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
