"""Spans and normalised values of dates, times, durations, ages and amounts, over every supported way to write them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.detect.merge import merge_mentions
from maskwise.detect.patterns import PatternDetector
from maskwise.text import Document, EntityType, Mention
from maskwise.text.currencies import find_currency
from maskwise.text.numbers import format_number, read_number

MONTHS = (
    "January February March April May June July August September October November December".split(
        " "
    )
)
ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split(" ")
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split(" ")
DETECTORS = {
    name: PatternDetector(only=[name])
    for name in (
        "date numeric_date year season vague_date time duration relative_date age money percent measure count"
    ).split(" ")
}


def found(family: str, text: str) -> list[Mention]:
    return merge_mentions(DETECTORS[family].detect([Document(text)])[0].mentions)


def nth(day: int) -> str:
    ending = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return f"{day}{ending}"


def in_words(number: int) -> str:
    """An English writer of numbers, independent of the reader under test."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return TENS[number // 10] + (f"-{ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        rest = number % 100
        return f"{ONES[number // 100]} hundred" + (f" and {in_words(rest)}" if rest else "")
    rest = number % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{in_words(number // 1000)} thousand" + (f"{joint}{in_words(rest)}" if rest else "")


def named(day: date) -> list[str]:
    d, month, year = day.day, MONTHS[day.month - 1], day.year
    weekday = day.strftime("%A")
    return [
        f"{d} {month} {year}",
        f"{d:02} {month} {year}",
        f"{d} {month}, {year}",
        f"{d} {month.upper()} {year}",
        f"{nth(d)} {month} {year}",
        f"{nth(d)} of {month} {year}",
        f"{nth(d)} of {month}, {year}",
        f"{month} {d}, {year}",
        f"{month} {d} {year}",
        f"{month} {nth(d)}, {year}",
        f"{d}\u00a0{month}\u00a0{year}",
        f"{d}-{month[:3]}-{year}",
        f"{d:02}/{month[:3]}/{year}",
        f"{weekday}, {month} {d}, {year}",
        f"{weekday} {d} {month} {year}",
        f"{weekday}, {nth(d)} of {month} {year}",
        f"{weekday[:3]}, {d} {month[:3]} {year}",
    ] + (
        []
        if month == "May"
        else [
            f"{d} {month[:3]}. {year}",
            f"{month[:3]}. {d}, {year}",
            f"{d} {month.lower()} {year}",
        ]
    )


def figures(day: date) -> list[str]:
    d, m, y = day.day, day.month, day.year
    forms = [
        f"{d:02}.{m:02}.{y}",
        f"{d}.{m}.{y}",
        f"{d:02}/{m:02}/{y}",
        f"{d:02}-{m:02}-{y}",
        day.isoformat(),
    ]
    forms += [f"{y}/{m:02}/{d:02}", f"{y}.{m:02}.{d:02}"]
    return forms + ([f"{m:02}-{d:02}-{y}", f"{m}/{d}/{y}"] if d > 12 else [])


days = st.dates(date(1800, 1, 1), date(2099, 12, 31))
before = st.sampled_from(["", "on ", "It was on ", "(", "dated: ", "Since "])
behind = st.sampled_from(["", ".", ", he left", ")", " and then", "; see below", "\n"])


@given(days, before, behind)
def test_every_form_with_a_named_month(day: date, left: str, right: str) -> None:
    for form in named(day):
        assert [(m.text, m.value) for m in found("date", left + form + right)] == [
            (form, day.isoformat())
        ]


@given(days, before, behind)
def test_every_form_in_figures(day: date, left: str, right: str) -> None:
    for form in figures(day):
        assert [(m.text, m.value) for m in found("numeric_date", left + form + right)] == [
            (form, day.isoformat())
        ]


@given(days)
def test_all_families_together_agree(day: date) -> None:
    detector = PatternDetector(only=list(DETECTORS))
    for form in named(day) + figures(day):
        mentions = merge_mentions(
            detector.detect([Document(f"He came on {form} by train.")])[0].mentions
        )
        assert [(m.text, m.value, m.type) for m in mentions] == [
            (form, day.isoformat(), EntityType.DATETIME)
        ]


@given(days)
def test_parts_of_a_date(day: date) -> None:
    month = MONTHS[day.month - 1]
    (mention,) = found("date", f"in {month} {day.year}")
    assert mention.value == f"{day.year}-{day.month:02}"
    (mention,) = found("date", f"on {day.day} {month} he left")
    assert mention.value == f"--{day.month:02}-{day.day:02}"
    (mention,) = found("year", f"born in {day.year}")
    assert (mention.text, mention.value) == (str(day.year), str(day.year))


@given(st.lists(days, min_size=2, max_size=6))
def test_a_list_has_one_mention_for_each_date(listed: list[date]) -> None:
    forms = [f"{d.day} {MONTHS[d.month - 1]} {d.year}" for d in listed]
    text = ", ".join(forms[:-1]) + " and " + forms[-1]
    assert [m.text for m in found("date", f"on {text}.")] == forms


@pytest.mark.parametrize(
    ("family", "text", "value"),
    [
        ("date", "10 and 12 March 1999", "1999-03-10,1999-03-12"),
        ("date", "3-5 May 1999", "1999-05-03/1999-05-05"),
        ("date", "28 May – 3 June 2003", "2003-05-28/2003-06-03"),
        ("date", "January-March 1999", "1999-01/1999-03"),
        ("date", "twenty-first of June 1999", "1999-06-21"),
        ("year", "1994–98", "1994/1998"),
        ("year", "1999/2000", "1999/2000"),
        ("year", "1990s", "199X"),
        ("year", "19th century", "18XX"),
        ("year", "nineteenth century", "18XX"),
        ("season", "summer 2004", "2004-22"),
        ("season", "third quarter of 1998", "1998-35"),
        ("season", "New Year's Eve 1999", "1999-12-31"),
        ("vague_date", "end of October 2003", "end 2003-10"),
        ("time", "9:48 PM", "21:48"),
        ("time", "12.05 a.m.", "00:05"),
        ("time", "21.30 hours", "21:30"),
        ("time", "noon", "12:00"),
        ("duration", "two years, eight months and ten days", "P2Y8M10D"),
        ("duration", "thirty-six hours", "PT36H"),
        ("duration", "two and a half years", "P2.5Y"),
        ("age", "47-year-old", "P47Y"),
        ("age", "aged forty-seven", "P47Y"),
        ("age", "nine months old", "P9M"),
        ("percent", "fifteen per cent", "15%"),
        ("count", "22,000 tablets", "22000 tablets"),
    ],
)
def test_values(family: str, text: str, value: str) -> None:
    assert [(m.text, m.value) for m in found(family, text)] == [(text, value)]


@pytest.mark.parametrize("text", ["yesterday", "the next day", "two days later", "last summer"])
def test_relative_dates_have_a_low_score(text: str) -> None:
    assert [m.score for m in found("relative_date", text)] == [0.4]


@given(st.integers(1, 999_999))
def test_number_words_are_read_back(number: int) -> None:
    assert read_number(in_words(number)) == number


@given(st.integers(1, 999_999))
def test_amounts_in_every_form_have_one_value(number: int) -> None:
    forms = [
        f"EUR {number:,}",
        f"€{number:,}",
        f"{number:,} euros",
        f"{number:,} euros (EUR)",
        f"{number:,} EUR",
    ]
    forms += [
        f"{f'{number:,}'.replace(',', ' ')} euros",
        f"EUR {f'{number:,}'.replace(',', '.')}",
        f"{in_words(number)} euros",
    ]
    for form in forms:
        assert [(m.text, m.value) for m in found("money", f"He paid {form} in May.")] == [
            (form, f"EUR {number}")
        ]


@given(st.integers(1, 9_999_999), st.integers(0, 99))
def test_both_decimal_signs(whole: int, cents: int) -> None:
    english, continental = f"{whole:,}.{cents:02}", f"{whole:,}".replace(",", ".") + f",{cents:02}"
    expected = format_number(whole + cents / 100)
    assert [m.value for m in found("money", f"GBP {english} was due")] == [f"GBP {expected}"]
    assert [m.value for m in found("money", f"GBP {continental} was due")] == [f"GBP {expected}"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("6,932 Ukrainian hryvnias", "UAH"),
        ("5 Swiss francs", "CHF"),
        ("5 francs", "franc"),
        ("IR£8,800", "IEP"),
        ("US$ 40", "USD"),
        ("200 pounds sterling", "GBP"),
        ("3,000 Swedish kronor", "SEK"),
        ("20 Danish kroner", "DKK"),
        ("9 new Turkish liras", "TRY"),
        ("four hundred zlotys", "PLN"),
    ],
)
def test_currencies(text: str, code: str) -> None:
    assert find_currency(text) == code
    assert [m.text for m in found("money", f"It cost {text}.")] == [text]


@given(st.integers(1, 110))
def test_ages(years: int) -> None:
    for form in (
        f"aged {years}",
        f"{years} years old",
        f"{years}-year-old",
        f"age of {in_words(years)}",
    ):
        (mention,) = found("age", f"a person, {form}, came")
        assert (mention.text, mention.value, mention.type) == (form, f"P{years}Y", EntityType.DEM)
