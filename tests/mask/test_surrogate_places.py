"""Surrogates of places: towns stay in their country or follow it, streets keep their form, capitals stay."""

import re

import pytest
from faker import Faker

from maskwise.mask.generalise.atlas import find_places
from maskwise.mask.surrogate.people import read_slots, rewrite_mention
from maskwise.mask.surrogate.places import Geography, count_countries, find_country, invent_place
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer


def make_faker(seed):
    faker = Faker("en_GB")
    faker.seed_instance(seed)
    return faker


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("14 Albion Terrace, Leeds LS6 2QT", r"\d+ [A-Z][\w'’-]+ Terrace"),
        ("3 Mill Lane", r"\d+ [A-Z][\w'’-]+ Lane"),
        ("Via Roma 12, Naples", r"Via [A-Z][\w'’-]+ \d+"),
        ("Rue de Lyon 4", r"Rue de [A-Z][\w'’-]+ \d+"),
        ("12 rue Victor Hugo", r"\d+ rue [A-Z][\w'’-]+"),
        ("Steinstraße 14, 20095 Hamburg", r"[A-Z][\w'’-]+straße \d+"),
        ("Storgatan 7", r"[A-Z][\w'’-]+gatan \d+"),
    ],
)
def test_a_street_keeps_its_kind_and_form(text, pattern, seed):
    found = invent_place(make_faker(seed), text, True)
    assert re.fullmatch(pattern, found)
    assert not {"albion", "mill", "roma", "lyon", "hugo", "stein"} & set(found.lower().split())


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("text", "near", "country"),
    [
        ("Naples", [], "IT"),
        ("Guadalajara", [], "MX"),
        ("Guadalajara", ["Sevilla", "Zaragoza"], "ES"),
        ("Guadalajara, Spain", [], "ES"),
        ("Kettering", ["Leeds"], "GB"),
    ],
)
def test_a_name_of_several_towns_is_that_of_the_countries_of_its_text(text, near, country, seed):
    town = invent_place(make_faker(seed), text, False, Geography(count_countries(near)))
    assert country in {place.country.code for place in find_places(town)}


def test_towns_follow_their_country():
    where = Geography(moved={"GB": "FI"})
    town = invent_place(make_faker(1), "Leeds", False, where)
    assert {place.country.code for place in find_places(town)} == {"FI"}


def test_towns_and_country_of_a_text_move_together():
    policy = Policy.parse(
        {
            "name": "t",
            "detectors": [{"kind": "gazetteer"}],
            "must_mask": ["Germany", "Hamburg"],
            "operator": {"kind": "surrogate", "seed": 3},
        }
    )
    text = Sanitizer(policy).sanitize("HAMBURG REPORTS\n\nShe went from Germany to Hamburg.").text
    found = re.search(r"from (.+) to (.+)\.", text)
    country = find_country(found[1])
    assert country not in ("", "DE")
    assert country in {place.country.code for place in find_places(found[2])}
    assert text.startswith(f"{found[2].upper()} REPORTS")


@pytest.mark.parametrize("title", ["PC", "Inspector", "Bishop", "Mr"])
def test_a_rank_is_no_name(title):
    known = read_slots([f"{title} Hugo Castell"])
    assert known.given == ("hugo",)
    written = rewrite_mention(f"{title} Hugo Castell", known, ("Peter", "Hall"))
    assert written == f"{title} Peter Hall"
