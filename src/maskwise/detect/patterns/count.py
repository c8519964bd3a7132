"""Counts of people and things: "22,000 tablets", "79 packages", "722 other defendants", "nine cows".

Annotators mark figures, and often the larger numbers in words; small counts ("two men") have a rule of their own with a
low score, so that a policy can keep them.
"""

from __future__ import annotations

from maskwise.detect.patterns._nouns import PEOPLE, THINGS
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.english import MONTH_NUMBER
from maskwise.text.fragments import DASH, GAP, join_any_case, join_words, refuse_before
from maskwise.text.numbers import (
    GROUPED_DIGITS,
    LARGE_WORDS,
    LEADING_DIGIT,
    MORE_DIGITS,
    VALUES,
    WORDS,
    format_number,
    read_number,
)
from maskwise.text.subtypes import COUNT

_TO = rf"(?:{GAP}(?:to|or|and){GAP}|{GAP}?{DASH}{GAP}?)"
_FUNCTION = (
    "of the and or but was were is are be been in to on at by for from with as under per which who whom that this "
    "these those had has have not its his her their did does do he she it they concerning containing requiring against"
)
# "other", "armed", "police": at most two words of any kind before the noun.
_KIND = rf"(?:(?!{join_words(_FUNCTION.split())}(?!\w))[a-z][a-z-]{{1,20}}{GAP}){{0,2}}"
_SINGLE = r"(?:page|seat|bed|room|bedroom|storey|member|man|point)"
# What is in them belongs to the count: "79 packages of powder".
_HOLDERS = (
    "packages packets cans bottles bags boxes tins sacks bundles pieces glasses cartons bars tablets "
    "capsules"
).split()
_HELD = rf"{join_words(_HOLDERS)}{GAP}of{GAP}[a-z]{{3,18}}"
_NOUN = rf"(?:{GAP}{_KIND}(?:{_HELD}|{join_words((*PEOPLE, *THINGS, 'others', 'times'))})|-{_SINGLE})(?!\w)"
_NO_YEAR = refuse_before(
    *(f"{month.title()} " for month in MONTH_NUMBER), width=4
)  # "On 4 June 1991 more people came"
_FIGURES = (
    rf"{LEADING_DIGIT}{MORE_DIGITS}(?=[\s\u2010-\u2014-]){_NO_YEAR}(?:{_TO}[0-9]{MORE_DIGITS})?"
)
# Small counts that say something of a person's life or case.
_IDLE = (
    "actions appeals applicants applications articles buildings cars cases experts incidents judges lawyers members "
    "murders officers paintings passengers patients properties requests soldiers visits votes"
)
_TELLING = tuple({*PEOPLE, *THINGS, "others"} - {*_IDLE.split()})
_LEAST = 5  # smaller counts in words tell little


def _is_large(text: str) -> bool:
    amount = read_number(text)
    return amount is None or amount >= (2 if text[0].isdigit() else _LEAST)


def _read_value(text: str) -> str:
    amount = read_number(text)
    return "" if amount is None else f"{format_number(amount)} {text.split()[-1].lower()}"


def _read_number(text: str) -> str:
    amount = read_number(text)
    return "" if amount is None else format_number(amount)


FAMILY = Family(
    name="count",
    rules=(
        Rule(
            name=COUNT,
            type=EntityType.QUANTITY,
            regex=_FIGURES + _NOUN,
            check=_is_large,
            value=_read_value,
        ),
        Rule(
            name=COUNT,
            type=EntityType.QUANTITY,
            regex=rf"(?<![\w-]){WORDS}(?:{_TO}{WORDS})?{_NOUN}",
            triggers=tuple(word for word, number in VALUES.items() if number >= _LEAST),
            opens=True,
            check=_is_large,
            value=_read_value,
        ),
        Rule(
            name="small_count",
            type=EntityType.QUANTITY,
            regex=rf"(?<![\w-]){join_any_case(('two', 'three', 'four'))}{GAP}{_KIND}{join_words(_TELLING)}(?!\w)",
            triggers=("two ", "three ", "four "),
            opens=True,
            score=0.4,
            value=_read_value,
        ),
        Rule(
            name="number",
            type=EntityType.QUANTITY,
            regex=rf"{GROUPED_DIGITS}(?![\w%/]|[.,:-][0-9])",
            shapes=tuple(
                figures + sign + "100" for figures in ("1", "10", "100") for sign in ",.'~"
            ),
            opens=True,
            score=0.5,
            value=_read_number,
        ),
        Rule(
            name="number",
            type=EntityType.QUANTITY,
            regex=rf"(?<![\w-]){LARGE_WORDS}",
            triggers=("dozen", "hundred", "thousand", "million", "billion", "trillion"),
            reach=40,
            score=0.5,
            value=_read_number,
        ),
    ),
    positive=(
        ("They found 79 packages of powder.", ("79 packages of powder",)),
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
        ("7 police officers", ("7 police officers",)),
        ("a total of 12,500", ("12,500",)),
        ("four hundred of them", ("four hundred",)),
        ("three children and two others", ("three children", "two others")),
        ("forty or fifty people", ("forty or fifty people",)),
    ),
    negative=(
        "two ways",
        "the witnesses",
        "Article 6 states",
        "three cases",
        "1 person",
        "a page-turner",
        "seven years",
        "two applicants",
        "section 12 provides",
        "one child",
        "On 4 June 1991 more people came.",
    ),
)
