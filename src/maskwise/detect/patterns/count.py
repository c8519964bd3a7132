"""Counts of people and things: "22,000 tablets", "79 packages", "722 other defendants", "nine cows", "fifteen witnesses".

Annotators mark figures and the larger numbers in words; "two men" tells nobody apart and is left alone.
"""

from __future__ import annotations

from maskwise.detect.patterns._calendar import MONTH_NUMBER
from maskwise.detect.patterns._fragments import DASH, GAP, either, not_after
from maskwise.detect.patterns._nouns import PEOPLE, THINGS
from maskwise.detect.patterns._numbers import DIGITS, LEADING_DIGIT, MORE_DIGITS, WORDS, plain, worth
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_TO = rf"(?:{GAP}(?:to|or|and){GAP}|{GAP}?{DASH}{GAP}?)"
_KIND = rf"(?:(?:(?:other|more|further|different|additional|separate|remaining|adult|young|armed|new|small|large){GAP}){{1,2}}+)?"
_SINGLE = r"(?:page|seat|bed|room|bedroom|storey|member|man|point)"
_NO_YEAR = not_after(*(f"{month.title()} " for month in MONTH_NUMBER))  # "On 4 June 1991 more people came"
_LEAST = 5  # smaller counts in words are not marked


def _large(text: str) -> bool:
    amount = worth(text)
    return amount is None or amount >= (2 if text[0].isdigit() else _LEAST)


def _value(text: str) -> str:
    amount = worth(text)
    return "" if amount is None else f"{plain(amount)} {text.split()[-1].lower()}"


FAMILY = Family(
    name="count",
    rules=(
        Rule(
            name="count",
            type=EntityType.QUANTITY,
            regex=rf"{LEADING_DIGIT}{_NO_YEAR}{MORE_DIGITS}(?:{_TO}{DIGITS})?(?:{GAP}{_KIND}{either((*PEOPLE, *THINGS, 'times'))}|-{_SINGLE})(?!\w)",
            check=_large,
            value=_value,
        ),
        Rule(
            name="count",
            type=EntityType.QUANTITY,
            regex=rf"(?<![\w-]){WORDS}(?:{_TO}{WORDS})?{GAP}{_KIND}{either((*PEOPLE, *THINGS))}(?!\w)",
            triggers=("five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "teen", "ty", "hundred", "dozen", "thousand", "million"),
            check=_large,
            value=_value,
        ),
    ),
    positive=(
        ("22,000 tablets were found", ("22,000 tablets",)),
        ("79 packages", ("79 packages",)),
        ("nine cows", ("nine cows",)),
        ("together with 722 other defendants", ("722 other defendants",)),
        ("fifteen witnesses", ("fifteen witnesses",)),
        ("a dozen letters", ("dozen letters",)),
        ("fifty to sixty persons", ("fifty to sixty persons",)),
        ("one hundred and fifty sheep", ("one hundred and fifty sheep",)),
        ("a 40-page report", ("40-page",)),
        ("15 times", ("15 times",)),
        ("5 children", ("5 children",)),
        ("Twenty-one pages", ("Twenty-one pages",)),
        ("1 200 workers", ("1 200 workers",)),
        ("12 armed men", ("12 armed men",)),
        ("forty or fifty people", ("forty or fifty people",)),
    ),
    negative=(
        "two men",
        "the witnesses",
        "Article 6 states",
        "three times",
        "1 person",
        "ten-page",
        "seven years",
        "section 12 provides",
        "one child",
        "On 4 June 1991 more people came.",
        "the five permanent seats",
    ),
)
