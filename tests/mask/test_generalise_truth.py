"""Every level is true of what it stands for: dates lie in their periods, numbers in their bands, ages in theirs."""

from __future__ import annotations

import os
import re
from calendar import monthrange
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ladders import is_rising

from maskwise import Policy, Sanitizer
from maskwise.errors import PolicyError
from maskwise.mask.generalise import find_levels
from maskwise.mask.generalise.grammar import DETERMINERS, fit_level
from maskwise.mask.generalise.ladder import LevelList
from maskwise.mask.shift import Shift
from maskwise.text import Action, Document, Entity, EntityType

MONTHS = (
    "January February March April May June July August September October November December".split()
)
DAYS = st.dates(date(1500, 1, 1), date(2099, 12, 31))
FORMATS = (
    "{d} {m} {y}", "{d}th of {m} {y}", "{m} {d}, {y}", "{d}-{s}-{y}", "{y}-{n:02}-{d:02}", "{y}{n:02}{d:02}",
    "{d:02}.{n:02}.{y}", "{n}/{d}/{y}", "{d}/{n}/{y}", "{d} {u} {y}", "{y}-{n:02}-{d:02}T10:30:00Z", "{m} {y}", "{y}",
    "early {y}", "mid-{m} {y}", "end of {m} {y}", "{d} {m}", "summer {y}", "{w}, {d} {m} {y}",
)  # fmt: skip


def entity(text: str, kind: EntityType, before: str = "", after: str = "") -> Entity:
    document = Document(before + text + after)
    return Entity("e1", kind, (document.mention(len(before), len(before) + len(text), kind),))


def period(text: str) -> tuple[date, date] | None:
    """The days a level speaks of, read from its words by other means than the ladder's; None for the kind alone."""
    if found := re.search(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4})", text):
        day = date(int(found[3]), MONTHS.index(found[2]) + 1, int(found[1]))
        return day, day
    if found := re.search(r"([A-Z][a-z]+)(?: (\d{4}))? (?:to|and) ([A-Z][a-z]+) (\d{4})", text):
        last, until = int(found[4]), MONTHS.index(found[3]) + 1
        return date(int(found[2] or last), MONTHS.index(found[1]) + 1, 1), date(
            last, until, monthrange(last, until)[1]
        )
    if found := re.search(r"\b([A-Z][a-z]+) (\d{4})", text):
        year, month = int(found[2]), MONTHS.index(found[1]) + 1
        return date(year, month, 1), date(year, month, monthrange(year, month)[1])
    if found := re.search(r"(\d{2})(?:st|nd|rd|th) century", text):
        return date(100 * int(found[1]) - 99, 1, 1), date(100 * int(found[1]), 12, 31)
    if decades := re.findall(r"(\d{3}0)s", text):
        return date(int(decades[0]), 1, 1), date(int(decades[-1]) + 9, 12, 31)
    if years := re.findall(r"\d{4}", text):
        return date(int(years[0]), 1, 1), date(int(years[-1]), 12, 31)
    return None


def texts(levels: LevelList) -> list[list[str]]:
    return [[level.text, *level.after.values()] for level in levels]


@settings(max_examples=150, deadline=None)
@given(DAYS, st.sampled_from(FORMATS))
def test_every_period_holds_the_date_and_the_period_before(day: date, form: str) -> None:
    month = MONTHS[day.month - 1]
    text = form.format(
        d=day.day,
        m=month,
        y=day.year,
        n=day.month,
        s=month[:3],
        u=month.upper(),
        w=day.strftime("%A"),
    )
    levels = find_levels(entity(text, EntityType.DATETIME))
    assert levels
    assert is_rising(levels)
    inner = day, day
    for wordings in texts(levels):
        for found in filter(None, map(period, wordings)):
            assert found[0] <= inner[0] <= inner[1] <= found[1]
        inner = period(wordings[0]) or inner
    assert period(levels[-1].text) is None


@settings(max_examples=150, deadline=None)
@given(DAYS, st.integers(1, 1500), st.sampled_from((" to ", " - ", " and ")))
def test_every_period_holds_a_range(first: date, length: int, joint: str) -> None:
    last = min(first + timedelta(days=length), date(2099, 12, 31))
    text = joint.join(f"{d.day} {MONTHS[d.month - 1]} {d.year}" for d in (first, last))
    for level in find_levels(entity(text, EntityType.DATETIME)):
        for found in filter(None, map(period, (level.text, *level.after.values()))):
            assert found[0] <= first
            assert last <= found[1]


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(1900, 2099), st.sampled_from("./-"))
def test_a_date_that_reads_both_ways_names_no_month(a: int, b: int, year: int, mark: str) -> None:
    levels = find_levels(entity(f"{a}{mark}{b}{mark}{year}", EntityType.DATETIME))
    named = any(
        month in text for wordings in texts(levels) for text in wordings for month in MONTHS
    )
    assert named == (a == b)


@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 10**9),
    st.sampled_from(("EUR {}", "{} euros", "${}", "{} kg", "{} people", "{} metres", "{}")),
)
def test_bands_hold_the_number_and_never_show_it(number: int, form: str) -> None:
    levels = find_levels(entity(form.format(f"{number:,}"), EntityType.QUANTITY))
    near, *band = [
        int(n.replace(",", "")) for level in levels[:2] for n in re.findall(r"\d[\d,]*", level.text)
    ] or [0]
    if len(band) == 2:  # one level holds the other
        assert band[0] < near < band[1]
    for level in levels:
        for text in (level.text, *level.after.values()):
            figures = [int(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*", text)]
            assert number not in figures
            if len(figures) == 2:
                assert figures[0] < number < figures[1]
            elif figures:
                assert abs(figures[0] - number) <= 0.1 * number
            if "fewer than ten" in text:
                assert number < 10
    assert is_rising(levels)


@settings(max_examples=150, deadline=None)
@given(st.floats(0.01, 99.9).map(lambda x: round(x, 1)).filter(bool))
def test_percentages_lie_in_their_bands(number: float) -> None:
    for level in find_levels(entity(f"{number}%", EntityType.QUANTITY))[:-1]:
        *low, high = map(int, re.findall(r"\d+", level.text))
        assert sum(low) <= number <= high


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 110),
    st.sampled_from(("aged {}", "{} years old", "{}-year-old", "age of {}", "{} years of age")),
)
def test_ages_lie_in_their_bands(age: int, form: str) -> None:
    decades = dict(
        zip(
            "twent thirt fort fift sixt sevent eight ninet".split(), range(20, 100, 10), strict=True
        )
    )
    for text in (
        t
        for wordings in texts(find_levels(entity(form.format(age), EntityType.DEM)))
        for t in wordings
    ):
        for bound in re.findall(r"over (\d+)", text):
            assert age > int(bound)
        for bound in re.findall(r"under[ -](\d+)", text):
            assert age < int(bound)
        for low, high in re.findall(r"(\d+)-to-(\d+)", text):
            assert int(low) <= age <= int(high)
        for stem in re.findall(r"\b([a-z]+?)(?:ies\b|y-something)", text):
            assert decades[stem] <= age < decades[stem] + 10
        if "adult" in text:
            assert age >= 18
        if "minor" in text or "underage" in text:
            assert age < 18


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 400), st.sampled_from("minute hour day week month year".split()))
def test_durations_lie_in_their_bands(count: int, unit: str) -> None:
    text = f"{count} {unit}{'s' if count > 1 else ''}"
    for level in find_levels(entity(text, EntityType.DATETIME)):
        figures = [int(figure.replace(",", "")) for figure in re.findall(r"\d[\d,]*", level.text)]
        if len(figures) == 2:
            assert figures[0] < count < figures[1]
        elif figures:
            assert abs(figures[0] - count) <= 0.1 * count
        assert count not in figures


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=30).filter(str.strip), st.sampled_from(list(EntityType)))
def test_no_text_is_too_odd(text: str, kind: EntityType) -> None:
    levels = find_levels(entity(text, kind, "He saw ", " then."))
    assert is_rising(levels)


SCRAPS = st.lists(
    st.sampled_from(
        "on 3 31 May 2010 1/2 €5 1.000 half past a year and -old years, % '90s to – century no. kg".split()
    ),
    min_size=1,
    max_size=6,
).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(
    SCRAPS,
    st.sampled_from((EntityType.DATETIME, EntityType.QUANTITY, EntityType.DEM, EntityType.CODE)),
)
def test_no_scraps_are_too_odd(text: str, kind: EntityType) -> None:
    one = entity(text, kind)
    for level in find_levels(one):
        assert text.casefold() != fit_level(level, one.first).casefold()


@settings(max_examples=150, deadline=None)
@given(
    DAYS,
    st.sampled_from(("a ", "an ", "the ", "his ", "on ", "in ", "")),
    st.sampled_from((0, 1, 2, -1)),
)
def test_no_two_articles_meet(day: date, before: str, at: int) -> None:
    one = entity(
        f"{day.day} {MONTHS[day.month - 1]} {day.year}", EntityType.DATETIME, f"He saw {before}"
    )
    text = fit_level(find_levels(one)[at], one.first)
    if before.strip() in DETERMINERS:
        assert not re.match(r"(?:an?|the) ", text)


TEXT = (
    "The applicant, Mr Gunnar Dalheim, was born on 23 November 1966. On 3 May 2010 Mr Dalheim lodged application "
    "no. 27961/02. He was fined 6,932 hryvnias. Write to gunnar@example.org."
)
EXPECTED = (
    "The applicant, [PERSON 1], was born on a day in 1966. On a day in 2010 the applicant lodged application "
    "no. withheld. He was fined 5,000–10,000 hryvnias. Write to an e-mail address."
)


@pytest.mark.parametrize("decide", ["optimal", "thresholds"])
def test_a_policy_generalises_end_to_end(decide: str) -> None:
    policy = Policy.parse(
        {
            "name": "p",
            "detectors": [{"kind": "patterns"}],
            "decide": {"kind": decide},
            "operator": {"kind": "generalise"},
        }
    )
    result = Sanitizer(policy).sanitize(TEXT)
    assert result.text == EXPECTED
    actions = {e.first.text: result.plan.by_entity[e.id].action for e in result.entities}
    assert actions["3 May 2010"] is Action.GENERALISE
    assert actions["27961/02"] is Action.SUPPRESS


def test_enough_and_limits_choose_the_level() -> None:
    def read(enough: float, limits: dict[str, float]) -> str:
        operator = {"kind": "generalise", "limits": limits}
        decide = {"kind": "optimal", "enough": enough}
        policy = Policy.parse(
            {
                "name": "p",
                "detectors": [{"kind": "patterns"}],
                "decide": decide,
                "operator": operator,
            }
        )
        return Sanitizer(policy).sanitize("He left on 3 May 2010.").text

    assert read(0.3, {}) == "He left on a day in May 2010."
    assert read(0.5, {}) == "He left on a day in 2010."
    assert read(0.3, {"DATETIME": 0.6}) == "He left on a day in the 2010s."
    assert read(0.9, {}) == "He left on a certain date."


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MASKWISE_SHIFT_KEY", "a secret")
    return os.environ["MASKWISE_SHIFT_KEY"]


def shifted(text: str, doc: str = "d1") -> str:
    policy = Policy.parse(
        {
            "name": "p",
            "detectors": [{"kind": "patterns"}],
            "operators": {"DATETIME": {"kind": "shift", "days": 30}},
        }
    )
    return Sanitizer(policy).sanitize(Document(text, id=doc)).text


def days(text: str) -> list[date]:
    found = re.findall(r"(\d{1,2}) ([A-Z][a-z]+) (\d{4})", text)
    return [date(int(y), MONTHS.index(m) + 1, int(d)) for d, m, y in found]


@pytest.mark.usefixtures("key")
def test_shifting_keeps_intervals_and_repeats() -> None:
    text = (
        "Admitted on 3 May 2010, operated 2010-05-10, ill from 28 May – 3 June 2010, seen in 2011."
    )
    moved = shifted(text)
    a, b, c, d = days(moved)
    assert (b - a).days == 7
    assert (c - a).days == 25
    assert (d - c).days == 6
    assert 0 < abs((a - date(2010, 5, 3)).days) <= 30
    assert "in [DATETIME" in moved
    assert shifted(text) == moved
    assert any(shifted(text, f"d{n}") != moved for n in range(2, 6))


@pytest.mark.usefixtures("key")
@settings(max_examples=150, deadline=None)
@given(st.text(min_size=1, max_size=8), st.integers(1, 400))
def test_a_shift_is_never_nothing_and_within_bounds(name: str, most: int) -> None:
    offset = Shift(days=most).choose_offset(Document("x", id=name)).days
    assert 0 < abs(offset) <= most


def test_shifting_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MASKWISE_SHIFT_KEY", raising=False)
    with pytest.raises(PolicyError, match="MASKWISE_SHIFT_KEY"):
        Shift()
