"""Durations: "18 years", "five months and ten days", "three-month", "two and a half years", "several weeks"."""

from __future__ import annotations

import re

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import DASH, GAP, HYPHEN, join_any_case, join_words
from maskwise.text.numbers import DIGITS, WORDS, format_number, is_amount, read_number

UNITS = {
    "second": "S", "minute": "M", "hour": "H", "day": "D", "night": "D", "week": "W", "fortnight": "W2", "month": "M",
    "quarter-year": "M3", "year": "Y", "decade": "Y10",
}  # fmt: skip
UNIT = rf"{join_words(UNITS)}s?(?!\w)"
NUMBER = rf"(?:{DIGITS}|{WORDS})"
_KIND = rf"(?:(?:working|calendar|consecutive|full|whole|more|additional|further|subsequent|other|long|business){GAP})?"
_HALF = rf"(?:{GAP}and{GAP}(?:a{GAP}|one{GAP})?(?:half|quarter))"
_TO = rf"(?:{GAP}(?:to|or|and){GAP}(?:a{GAP})?|{GAP}?{DASH}{GAP}?)"
# "18 years", "six to eight weeks", "two and a half years"
_AMOUNT = rf"{NUMBER}{_HALF}?(?:{_TO}{NUMBER}{_HALF}?)?"
_SINGLE = rf"{_AMOUNT}(?:{GAP}|{HYPHEN}){_KIND}{UNIT}"
_NEXT = rf"(?:['’]?,?{GAP}(?:and{GAP})?{NUMBER}{GAP}{UNIT})"
_NO_AGE = rf"(?!{HYPHEN}old\b|{GAP}of{GAP}age\b|['’]{GAP}old\b)"
_VAGUE = ("several", "few", "many", "some", "numerous", "various", "recent")
_PLURAL = "(?:years|months|weeks|decades|days|hours|minutes)"
_PART = re.compile(rf"(.*?)\b({join_words(UNITS)})s?\b", re.DOTALL)
_LONG = re.compile(r"[0-9]{5}|[0-9]-[0-9]{3}")  # "account 175949-001\nyear of birth"
_TRIGGERS = ("seconds", "minute", "hour", "day", "night", "week", "month", "year", "decade")


def read_duration(text: str) -> str:
    """ISO 8601 duration: "P18Y", "P5M10D", "PT36H", "P2.5Y"; empty where no number is said."""
    date, time = "", ""
    for amount, unit in _PART.findall(text.lower()):
        number = read_number(
            re.sub(r"\band a (half|quarter)\b", r"\1", amount).replace("quarter", "¼")
        )
        if number is None or re.search(r"\bto\b|\bor\b|[0-9][-–][0-9]", amount):
            return ""
        code = UNITS[unit]
        part = f"{format_number(number * int(code[1:] or 1))}{code[0]}"
        date, time = (
            (date, time + part) if unit in ("second", "minute", "hour") else (date + part, time)
        )
    return f"P{date}{'T' if time else ''}{time}" if date or time else ""


FAMILY = Family(
    name="duration",
    rules=(
        Rule(
            name="duration",
            type=EntityType.DATETIME,
            regex=rf"(?<![\w-]){_SINGLE}{_NEXT}{{0,4}}+{_NO_AGE}",
            triggers=_TRIGGERS,
            value=read_duration,
            check=lambda surface: is_amount(surface) and not _LONG.search(surface),
        ),
        Rule(
            name="duration",
            type=EntityType.DATETIME,
            regex=(
                rf"(?<!\w)(?:{join_any_case(_VAGUE)}{GAP}(?:more{GAP}|hundred{GAP}|thousand{GAP})?{_PLURAL}"
                rf"|[Hh]alf{GAP}an?{GAP}(?:year|day|hour|minute)"
                rf"|(?:[Tt]hree[ -])?[Qq]uarters?{GAP}of{GAP}an{GAP}hour"
                rf"|{UNIT}{GAP}and{GAP}a{GAP}half)(?!\w){_NO_AGE}"
            ),
            triggers=(
                *(f"{word} " for word in _VAGUE),
                *(f"{unit} and a half" for unit in UNITS),
                "half a",
                "quarter of an hour",
                "quarters of an hour",
                "three quarters of",
                "three-quarters of",
            ),
            opens=True,
        ),
    ),
    positive=(
        ("He served 18 years.", ("18 years",)),
        ("five months and ten days", ("five months and ten days",)),
        ("a three-month suspension", ("three-month",)),
        ("the six-week course", ("six-week",)),
        ("two and a half years later", ("two and a half years",)),
        ("within 28 days", ("28 days",)),
        ("after a year and a half", ("year and a half",)),
        ("for thirty-six hours", ("thirty-six hours",)),
        ("several weeks passed", ("several weeks",)),
        (
            "two years, eight months and twenty-five days",
            ("two years, eight months and twenty-five days",),
        ),
        ("sentenced to seven years’ imprisonment", ("seven years",)),
        ("six to eight weeks", ("six to eight weeks",)),
        ("one hundred and twenty days", ("one hundred and twenty days",)),
        ("9½ hours", ("9½ hours",)),
        ("five working days", ("five working days",)),
        ("Two years and one month's detention", ("Two years and one month",)),
        ("half an hour", ("half an hour",)),
        ("for a few months", ("few months",)),
        ("a 20-day hunger strike", ("20-day",)),
        ("one year", ("one year",)),
    ),
    negative=(
        "a year later",
        "every day",
        "47 years old",
        "a 47-year-old man",
        "ten years of age",
        "the second applicant",
        "twelve months-old kittens",
        "the yearly fair",
        "the five daylight lamps",
        "day by day",
    ),
)
