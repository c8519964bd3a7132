"""Times of day: 9:48 AM, 21.30 hours, 9 a.m., 14h30, noon, half past three."""

from __future__ import annotations

import re

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import DASH, GAP, demand_before, join_any_case
from maskwise.text.numbers import VALUES

_HALF_DAY = r"(?:[AaPp]\.?[Mm]\b\.?|[Nn]oon\b|[Mm]idnight\b)"
_HOURS = r"(?:[01]?[0-9]|2[0-4])"
_CLOCK = rf"{_HOURS}(?:[.:][0-5][0-9])?(?![0-9])"
_START = r"[0-9](?<![\w.,:/][0-9])(?:(?<=[01])[0-9]|(?<=2)[0-4])?+(?=[.:h0-9 \n\u00a0apAP–-])"
_HOUR = join_any_case(word for word, value in VALUES.items() if value <= 12 and word != "dozen")
_TO = rf"(?:{GAP}?{DASH}{GAP}?|{GAP}(?:to|and|or){GAP})"
_ABOUT = ("at", "At", "at about", "at around", "at approximately")
# After the hour: "9.30 a.m.", "9-10 pm", "12 noon"; "21:30"; "21.30 hours"; "at about 11.20".
_TWELVE = rf"(?:[.:][0-5][0-9])?(?:{_TO}{_CLOCK})?{GAP}?{_HALF_DAY}"
_COLON = rf"(?::[0-5][0-9](?::[0-5][0-9])?(?![0-9:])|h[0-5][0-9](?!\w))(?:{GAP}(?:hours|hrs)\b)?"
_HOURS_SAID = rf"[.]?[0-5][0-9]{GAP}(?:hours|hrs)\b"
_AT = (
    rf"\.[0-5][0-9](?![\w%]|[.,:][0-9])"
    rf"(?:{demand_before(*_ABOUT, width=4)}|{demand_before(*_ABOUT, width=5)})"
)
_ZONE = r"(?:[ ](?:GMT|UTC|CET|CEST|EST|EDT|PST|PDT|BST)\b)?"
_MINUTES = re.compile(r"([0-9]{1,2})(?:[.:h]?([0-5][0-9](?::[0-5][0-9])?))?")


def _read_time(text: str) -> str:
    """24-hour "HH:MM" or "HH:MM:SS"; ranges "a/b"; empty where the half of the day cannot be told."""
    small = text.lower()
    if not small[0].isdigit():
        return "00:00" if small == "midnight" else "12:00" if small in ("noon", "midday") else ""
    found = _MINUTES.findall(small)
    after_noon = re.search(r"p\.?m\b", small) is not None
    before_noon = re.search(r"a\.?m|midnight", small) is not None

    def format_clock(hour: str, minute: str) -> str:
        value = int(hour)
        if after_noon and value < 12:
            value += 12
        if before_noon and value == 12:
            value = 0
        return f"{value:02}:{minute or '00'}"

    return "/".join(format_clock(*pair) for pair in found[:2])


FAMILY = Family(
    name="time",
    rules=(
        Rule(
            name="time",
            type=EntityType.DATETIME,
            regex=rf"{_START}(?:{_TWELVE}|{_COLON}|{_HOURS_SAID}|{_AT}){_ZONE}",
            shapes=(
                *(
                    hour + rest
                    for hour in ("1", "10")
                    for rest in (".1", ":1", "a", "B", " a", " A", "-", " -")
                ),
                *("100 a", "1000 a"),
            ),
            opens=True,
            value=_read_time,
        ),
        Rule(
            name="time",
            type=EntityType.DATETIME,
            regex=(
                rf"\b(?:(?:[Hh]alf|[Qq]uarter|{_HOUR}(?:{GAP}minutes)?|[0-9]{{1,2}}(?:{GAP}minutes)?){GAP}(?:past|to){GAP}"
                rf"(?:{_HOUR}|[0-9]{{1,2}}(?![\w.,]\w))(?!{GAP}(?:years|months|days|hours|weeks|minutes|per))"
                rf"|(?:{_HOUR}|[0-9]{{1,2}}){GAP}?o['’]clock)(?!\w)"
            ),
            triggers=(" past ", "quarter to", "minutes to", "clock"),
            reach=32,
        ),
        Rule(
            name="time",
            type=EntityType.DATETIME,
            regex=r"(?<!\w)(?:[Nn]oon|[Mm]idday|[Mm]idnight)(?!\w)",
            triggers=("noon", "midday", "midnight"),
            opens=True,
            value=_read_time,
        ),
    ),
    positive=(
        ("at 9:48 AM", ("9:48 AM",)),
        ("around 9 a.m. they came", ("9 a.m.",)),
        ("at 21.30 hours", ("21.30 hours",)),
        ("at 2130 hours on that day", ("2130 hours",)),
        ("By noon it was over.", ("noon",)),
        ("at half past three", ("half past three",)),
        ("a quarter to nine", ("quarter to nine",)),
        ("nine o'clock", ("nine o'clock",)),
        ("from 9.30-10.15 a.m.", ("9.30-10.15 a.m.",)),
        ("between 5 p.m. and 7.30 p.m.", ("5 p.m.", "7.30 p.m.")),
        ("at 14h30", ("14h30",)),
        ("14:05:59 UTC", ("14:05:59 UTC",)),
        ("at about 11.20 the bell rang", ("11.20",)),
        ("until midnight", ("midnight",)),
        ("8pm", ("8pm",)),
        ("12 noon", ("12 noon",)),
        ("ten minutes past four", ("ten minutes past four",)),
    ),
    negative=(
        "at 5.3 per cent",
        "a ratio of 3:1",
        "chapter 9.48",
        "I am 9",
        "the afternoon",
        "in the past three years",
        "at 45.30",
        "IP 10:20:30:40",
        "24 hours",
        "two to three weeks",
    ),
)
