"""No visible text and no other replacement gives away what a replacement hides."""

from __future__ import annotations

import pytest

from entailment import Pair, mask_pair, read_pairs
from maskwise.mask.days import list_days, read_days
from maskwise.mask.facts import list_facts

PAIRS = read_pairs()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.text[:50])
def test_planted_pairs_are_not_left(pair: Pair) -> None:
    masked, _ = mask_pair(pair.text)
    assert not pair.is_left_in(masked)


def test_the_check_is_what_mends_most_of_them() -> None:
    before = [pair for pair in PAIRS if pair.is_left_in(mask_pair(pair.text)[1])]
    assert len(PAIRS) == 100
    assert len(before) > len(PAIRS) / 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Nothing beside it, so the level stays.
        ("The [DEM: Nigerian] singer left.", "The West African singer left."),
        (
            "He lived in [LOC: London] for years.",
            "He lived in a city in the United Kingdom for years.",
        ),
        ("She is [DEM/age: 47 years old].", "She is in her forties."),
        ("He left on [DATETIME: 3 May 2010].", "He left on a day in 2010."),
        # What stands beside it is of another place, person or day.
        ("The [DEM: Nigerian] singer met a Swede.", "The West African singer met a Swede."),
        (
            "He left on [DATETIME: 3 May 2010], not a Friday.",
            "He left on a day in 2010, not a Friday.",
        ),
        (
            "He left on [DATETIME: 3 May 2010] for the winter.",
            "He left on a day in 2010 for the winter.",
        ),
        (
            "A [DEM/occupation: nurse] prayed in the church.",
            "A health professional prayed in the church.",
        ),
    ],
)
def test_what_gives_nothing_away_costs_nothing(text: str, expected: str) -> None:
    assert mask_pair(text)[0] == expected


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("a flat in Kreuzberg", "place:berlin"),
        ("a flat in Kreuzberg", "country:DE"),
        ("she paid 300 zlotys", "country:PL"),
        ("two Ghanaians", "country:GH"),
        ("a boat from Vancouver", "country:CA"),
        ("an education professional", "field:education"),
        ("two hospitals", "field:health"),
    ],
)
def test_what_a_text_says(text: str, fact: str) -> None:
    assert fact in list_facts(text)


def test_years_are_no_yen() -> None:
    assert not list_facts("He served four years and eleven days.")


def test_a_date_is_a_weekday_in_a_season() -> None:
    assert read_days("3 May 2010") == {"month:5", "season:spring", "weekday:0", "feast:5-3"}
    assert read_days("March 1999") == {"month:3", "season:spring"}
    assert not read_days("2010")


def test_a_feast_says_its_month() -> None:
    assert list_days("on Boxing Day") == {"feast:12-26", "month:12", "season:winter"}
