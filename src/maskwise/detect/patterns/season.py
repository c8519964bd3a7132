"""Seasons and quarters with their year, and named days: "summer 2004", "the third quarter of 1998", "Christmas Eve"."""

from __future__ import annotations

import re

from maskwise.detect.patterns._calendar import SEASON, SEASONS, SHORT_YEAR, YEAR
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType
from maskwise.text.fragments import DASH, GAP, demand_before, join_any_case, join_words

_YEARS = rf"(?:{YEAR}(?:(?:{DASH}|/)(?:{YEAR}|[0-9]{{2}}(?![0-9])))?|{SHORT_YEAR})"
_OF_YEAR = rf"(?:,?{GAP}(?:of{GAP}|in{GAP})?(?:the{GAP}year{GAP})?{_YEARS})"
_IN = demand_before("in", "In", "in the", "In the")
_QUARTERS = {
    "first": 33,
    "1st": 33,
    "second": 34,
    "2nd": 34,
    "third": 35,
    "3rd": 35,
    "fourth": 36,
    "4th": 36,
    "last": 36,
}

# Days with a date of their own; movable feasts keep their name as value.
_FIXED = {
    "christmas eve": "12-24",
    "christmas day": "12-25",
    "boxing day": "12-26",
    "new year's eve": "12-31",
    "new year's day": "01-01",
    "valentine's day": "02-14",
    "halloween": "10-31",
    "all saints' day": "11-01",
    "bastille day": "07-14",
    "saint patrick's day": "03-17",
    "st patrick's day": "03-17",
    "may day": "05-01",
    "epiphany": "01-06",
}
_MOVABLE = (
    "christmas", "new year", "easter", "easter sunday", "easter monday", "good friday", "maundy thursday",
    "palm sunday", "ash wednesday", "ascension day", "pentecost", "whit sunday", "whit monday", "thanksgiving",
    "thanksgiving day", "independence day", "labour day", "labor day", "memorial day", "remembrance day",
    "armistice day", "mother's day", "father's day", "women's day", "victory day", "midsummer", "ramadan",
    "eid al-fitr", "eid al-adha", "eid", "kurban bayram", "passover", "hanukkah", "yom kippur", "rosh hashanah",
    "purim", "diwali",
    "nowruz", "newroz", "lunar new year", "chinese new year", "orthodox christmas",
)  # fmt: skip
_SMALL = ("of", "al")


def _capitalise_words(name: str) -> str:
    return " ".join(
        word if word in _SMALL else word[:1].upper() + word[1:] for word in name.split(" ")
    )


_NAMES = [
    form
    for name in (*_FIXED, *_MOVABLE)
    for form in (_capitalise_words(name), _capitalise_words(name).replace("'", "’"))
]
_YEAR = re.compile(r"(?:[12][0-9]{3}|['’‘][0-9]{2}(?![0-9]))")


def _read_year(text: str) -> str:
    found = _YEAR.search(text)
    return (found.group() if len(found.group()) == 4 else f"19{found.group()[1:]}") if found else ""


def _read_season(text: str) -> str:
    year = _read_year(text) or "-"
    return ",".join(
        f"{year}-{SEASONS[name]}" for name in re.findall("|".join(SEASONS), text.lower())
    )


def _read_quarter(text: str) -> str:
    word = text.lower().split()[0]
    number = 32 + int(word[1]) if word[0] == "q" else _QUARTERS[word]
    return f"{_read_year(text) or '-'}-{number}"


def _read_holiday(text: str) -> str:
    year = _read_year(text)
    name = _YEAR.sub("", text).lower().replace("’", "'").removesuffix("of ").strip(" ,")
    if name in _FIXED:
        return f"{year or '-'}-{_FIXED[name]}"
    return f"{name} {year}".strip()


FAMILY = Family(
    name="season",
    rules=(
        Rule(
            name="season",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w){SEASON}(?:(?:{GAP}(?:and|or){GAP}|{DASH}|/){SEASON})?{_OF_YEAR}",
            triggers=tuple(SEASONS),
            opens=True,
            value=_read_season,
        ),
        Rule(
            name="season",
            type=EntityType.DATETIME,
            regex=rf"{_IN}{SEASON}(?!\w)(?!{GAP}(?:of|and|or|back|[a-z]{{2,20}}ing)\b)",
            triggers=tuple(SEASONS),
            opens=True,
            score=0.5,
            value=_read_season,
        ),
        Rule(
            name="quarter",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w)(?:{join_any_case(_QUARTERS)}{GAP}quarter{_OF_YEAR}|Q[1-4]{GAP}?{_YEARS})",
            triggers=(*(f"{nth} quarter" for nth in _QUARTERS), "q1", "q2", "q3", "q4"),
            opens=True,
            value=_read_quarter,
        ),
        Rule(
            name="holiday",
            type=EntityType.DATETIME,
            regex=rf"(?<!\w){join_words(_NAMES)}(?!\w)(?!{GAP}(?:trees?|cards?|Island)\b){_OF_YEAR}?",
            triggers=tuple(sorted({name.lower() for name in _NAMES})),
            opens=True,
            value=_read_holiday,
        ),
    ),
    positive=(
        ("They met in summer 2004.", ("summer 2004",)),
        ("in the spring of 1998", ("spring of 1998",)),
        ("the summer and autumn of 2002", ("summer and autumn of 2002",)),
        ("the winter of 1999/2000", ("winter of 1999/2000",)),
        ("fall of '68", ("fall of '68",)),
        ("It happened in the winter.", ("winter",)),
        ("the third quarter of 1998", ("third quarter of 1998",)),
        ("in Q2 2019", ("Q2 2019",)),
        ("at Christmas 1999", ("Christmas 1999",)),
        ("on New Year's Eve they left", ("New Year's Eve",)),
        ("New Year’s Day of 2001", ("New Year’s Day of 2001",)),
        ("on Good Friday", ("Good Friday",)),
        ("before Easter Monday, 2003", ("Easter Monday, 2003",)),
        ("during Ramadan", ("Ramadan",)),
        ("Autumn 2011 was wet", ("Autumn 2011",)),
    ),
    negative=(
        "They fall in line.",
        "a spring in the garden",
        "three quarters of the house",
        "the first quarter of an hour",
        "a new year of study",
        "hot water springs 2000 metres up",
        "In spring cleaning there is joy.",
        "a good friday deal",
        "They sell Christmas trees.",
    ),
)
