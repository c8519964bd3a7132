"""Surrogates: one invented person an entity, of the same shape, never a name of the corpus; scopes of numbers."""

import re
from datetime import date
from random import Random

import pytest
from faker import Faker
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn

from maskwise.errors import PolicyError
from maskwise.mask.generalise.atlas import find_places
from maskwise.mask.surrogate import ages, people, places, shapes, things
from maskwise.mask.surrogate.bounds import find_bounds
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, EntityType
from maskwise.text.folding import fold_words

LETTER = "Mr Hugo Castell came on 3 May 1971. Castell, Hugo signed. H. Castell left. Castell wrote to a@b.org."


def made(scope="document", **keys):
    operator = {"kind": "surrogate", "seed": 1, **keys}
    return Sanitizer(
        Policy.parse(
            {"name": "t", "detectors": [{"kind": "patterns"}], "operator": operator, "scope": scope}
        )
    )


def test_all_mentions_name_one_invented_person():
    known = people.read_slots(["Mr Hugo Castell", "Castell"])
    fake = ("Peter", "Hall")
    shown = ["Mr Hugo Castell", "Castell, Hugo", "H. Castell", "CASTELL's", "H.C.", "Hugo"]
    wanted = ["Mr Peter Hall", "Hall, Peter", "P. Hall", "HALL's", "P.H.", "Peter"]
    assert [people.rewrite_mention(text, known, fake) for text in shown] == wanted


def test_a_document_reads_on_and_tells_that_it_is_invented():
    result = made().sanitize(LETTER)
    assert not {"hugo", "castell"} & set(fold_words(result.text))
    assert re.match(r"Mr \w+ \w+ came on \d{1,2} \w+ \d{4}\.", result.text)
    surname = result.text.split()[2]
    assert result.text.count(surname) + result.text.count(surname.upper()) >= 3
    assert "@example.org" in result.text
    assert all(
        entity["surrogate"]
        for entity in result.to_json()["entities"]
        if entity["decision"] != "keep"
    )
    assert made().sanitize(LETTER).text == result.text
    assert made(seed=2).sanitize(LETTER).text != result.text


def test_a_secret_is_needed(monkeypatch):
    monkeypatch.delenv("MASKWISE_SURROGATE_KEY", raising=False)
    with pytest.raises(PolicyError, match="MASKWISE_SURROGATE_KEY"):
        made(seed=None)
    monkeypatch.setenv("MASKWISE_SURROGATE_KEY", "a")
    first = made(seed=None).sanitize(LETTER).text
    monkeypatch.setenv("MASKWISE_SURROGATE_KEY", "b")
    assert made(seed=None).sanitize(LETTER).text != first


def test_no_surrogate_is_a_name_of_the_corpus():
    plain = made("corpus").sanitize("Mr Hugo Castell left.").text
    given_name, surname = plain.split()[1:3]
    run = made("corpus")
    run.avoid([f"Later we meet {surname} and {given_name}."])
    other = run.sanitize("Mr Hugo Castell left.").text
    assert not {given_name, surname} & set(other.split())


def test_people_keep_their_surrogate_and_number_across_documents():
    texts = ["Mr Hugo Castell left.", "Mrs Ines Varga saw Mr Hugo Castell.", "Mr Castell came."]
    first, second, third = (result.text for result in made("corpus").run(texts))
    name = first.removeprefix("Mr ").removesuffix(" left.")
    assert name in second
    assert name.split()[1] not in third  # a bare surname may be somebody else
    numbered = Policy.parse({"name": "t", "detectors": [{"kind": "patterns"}], "scope": "corpus"})
    whole = [result.text for result in Sanitizer(numbered).run(texts)]
    assert whole == ["[PERSON 1] left.", "[PERSON 2] saw [PERSON 1].", "[PERSON 3] came."]
    one = Sanitizer(numbered)
    assert [one.sanitize(text).text for text in texts] == whole


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("3 May 1971", r"\d{1,2} [A-Z][a-z]+ \d{4}"),
        ("May 3, 1971", r"[A-Z][a-z]+ \d{1,2}, \d{4}"),
        ("3rd of May", r"\d{1,2}(st|nd|rd|th) of [A-Z][a-z]+"),
        ("1971-05-03", r"\d{4}-\d\d-\d\d"),
        ("03/05/1971", r"\d\d/\d\d/\d{4}"),
        ("14:30", r"\d\d:\d\d"),
        ("1971", r"\d{4}"),
        ("the 1970s", r"the \d{3}0s"),
        ("Monday", r"[A-Z][a-z]+day"),
    ],
)
def test_a_date_stays_a_date_of_its_format(text, pattern):
    for seed in range(20):
        moved = shapes.move_dates(text, shapes.draw_shift(Random(seed), [text]))
        assert moved != text
        assert re.fullmatch(pattern, moved)


@settings(max_examples=60, deadline=None)
@given(
    st.from_regex(r"[0-9]{8,16}|[A-Z]{2}[0-9]{2}[A-Z0-9]{11,20}", fullmatch=True),
    st.integers(0, 1000),
)
def test_codes_keep_their_shape_and_fail_checksums(code, seed):
    fake = shapes.invent_code(code, frozenset(), "en_GB", Random(seed))
    assert len(fake) == len(code)
    assert re.sub(r"\d", "9", re.sub("[A-Z]", "A", fake)) == re.sub(
        r"\d", "9", re.sub("[A-Z]", "A", code)
    )
    assert not luhn.is_valid(fake)
    assert not iban.is_valid(fake)


def test_a_check_that_every_code_passes_is_no_checksum():
    made = shapes.invent_code("C-1001", frozenset(), "en_GB", Random(1), [str.isascii])
    assert re.fullmatch(r"[A-Z]-00\d\d", made)


def test_contacts_lie_where_nobody_lives():
    assert shapes.invent_code(
        "+44 20 7123 4567", frozenset({"phone"}), "en_GB", Random(1)
    ).startswith("+44 7700 900")
    assert re.fullmatch(
        r"202-555-01\d\d",
        shapes.invent_code("212-736-5000", frozenset({"phone"}), "en_US", Random(1)),
    )
    assert shapes.invent_code("10.1.2.3", frozenset({"ipv4"}), "en_GB", Random(1)).startswith(
        "192.0.2."
    )


def test_dates_move_back_together():
    texts = ["3 May 1971", "1971-06-02", "1972", "9 January 1973"]
    for seed in range(20):
        shift = shapes.draw_shift(Random(seed), texts)
        moved = [shapes.move_dates(text, shift) for text in texts]
        years = [int(re.search(r"\d{4}", text)[0]) for text in moved]
        assert years == sorted(years)
        assert years[-1] < 1973


@pytest.mark.parametrize(("name", "gender"), [("Piotr Kowal", "m"), ("Ingrid Dal", "f")])
def test_a_given_name_tells_the_gender(name, gender):
    assert people.read_slots([name]).gender == gender


def test_people_of_a_document_are_invented_together():
    text = "Mr Hugo Castell and Mrs Ewa Castell came. H.C. wrote; mail hugo.castell@firm.com."
    result = made().sanitize(text).text
    found = re.match(r"Mr (\S+) (\S+) and Mrs (\S+) (\S+) came", result)
    assert found
    assert found[2] == found[4]
    assert found[1] != found[3]
    address = re.search(r"(\S+)@example.org", result)[1]
    assert fold_words(address.replace(".", " ")) == fold_words(f"{found[1]} {found[2]}")


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dates(date(1930, 1, 1), date(2024, 1, 1)), min_size=1, max_size=8),
    st.integers(0, 99),
)
def test_dates_keep_their_distances(days, seed):
    texts = [day.isoformat() for day in days]
    shift = shapes.draw_shift(Random(seed), texts)
    moved = [date.fromisoformat(shapes.move_dates(text, shift)) for text in texts]
    assert {old - new for old, new in zip(days, moved, strict=True)} == {-shift.total}
    assert all(new < old for old, new in zip(days, moved, strict=True))


def test_an_organisation_keeps_its_kind():
    faker = Faker("en_GB")
    faker.seed_instance(1)
    name = things.invent_organisation(faker, "Lublin Regional Court", "en_GB")
    assert name.endswith("Regional Court")
    assert "Lublin" not in name


def test_a_town_keeps_its_country():
    town = places.draw_town(Random(1), "Lublin")
    [place] = find_places(town)
    assert place.country.code == "PL"
    assert town != "Lublin"


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dates(date(1950, 1, 1), date(2024, 1, 1)), min_size=1, max_size=4),
    st.lists(st.integers(1950, 2024), min_size=1, max_size=3),
    st.integers(0, 99),
)
def test_dates_stay_before_within_or_after_years_that_stay(days, years, seed):
    texts = [day.isoformat() for day in days]
    bounds = find_bounds(texts, [f"The act of {year} applies." for year in years])
    shift = shapes.draw_shift(Random(seed), texts, bounds)
    for day in days if shift else ():
        moved = day + shift.total
        assert moved <= day
        assert [(moved.year > year, moved.year < year) for year in years] == [
            (day.year > year, day.year < year) for year in years
        ]


@pytest.mark.parametrize(
    ("moving", "kept", "years"),
    [
        ("3 May 2019", "in 2019", 0),
        ("2021", "in 2019", 1),
        ("2019", "in 2019", 0),
        ("2019", "on 3 May 2020", 99),
        ("2019", "form 2019/12, model 12019, no. 2019-7", 99),
    ],
)
def test_a_time_that_stays_bounds_how_far_dates_move(moving, kept, years):
    bounds = find_bounds([moving], [kept])
    assert bounds.allow(years, -25)
    assert not bounds.allow(years + 1, -25 - 366 * (years + 1))


def test_a_date_of_a_year_that_stays_moves_within_it():
    for seed in range(9):
        policy = Policy.parse(
            {
                "name": "t",
                "detectors": [{"kind": "patterns"}],
                "must_keep": ["re:In 2019"],
                "operator": {"kind": "surrogate", "seed": seed},
            }
        )
        text = (
            Sanitizer(policy)
            .sanitize("Signed on 12 November 2019 by Mr Hugo Castell. In 2019 he left.")
            .text
        )
        assert re.search(r"Signed on \d+ \w+ 2019 ", text)
        assert "12 November" not in text


@pytest.mark.parametrize(
    ("text", "date_text"),
    [
        ("He was born in Guadalajara, Mexico, on 19 August 1966.", "19 August 1966"),
        ("Born in Stoke on Trent in 1928, he left.", "1928"),
        ("She was born on 3 May 1990.", "3 May 1990"),
    ],
)
def test_a_birth_date_is_one_behind_the_place_too(text, date_text):
    start = text.index(date_text)
    document = Document(text)
    assert ages.is_birth_date(document.mention(start, start + len(date_text), EntityType.DATETIME))


@pytest.mark.parametrize(
    "text", ["Born in Oslo, he left in 1990.", "She was born in Fez, moved to Paris in 1990."]
)
def test_what_follows_a_birth_is_no_birth_date(text):
    start = text.index("1990")
    assert not ages.is_birth_date(Document(text).mention(start, start + 4, EntityType.DATETIME))


def test_the_years_of_a_life_fit_the_age():
    text = "Ida Moe (1934–2017) died at the age of 83."
    document = Document(text)
    life = document.mention(9, 18, EntityType.DATETIME)
    assert ages.read_lifespan(life) == ("1934", "–2017")
    office = Document("The bank (1990–2004) closed.").mention(10, 19, EntityType.DATETIME)
    assert ages.read_lifespan(office) is None


@given(st.integers(1, 99), st.integers(1, 99), st.integers(0, 50))
def test_nobody_grows_past_one_whose_age_stays(age, other, seed):
    moved = age + ages.draw_years(Random(seed), [age], [other])
    assert (age - other) * (moved - other) >= 0


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dates(date(1990, 1, 1), date(2000, 1, 1)), min_size=1, max_size=5),
    st.lists(st.dates(date(1990, 1, 1), date(2000, 1, 1)), min_size=1, max_size=5),
    st.booleans(),
)
def test_bounds_hold_for_every_pair_of_dates(moving, kept, is_month):
    form = "%B %Y" if is_month else "%Y-%m-%d"
    bounds = find_bounds(
        [day.isoformat() for day in moving], [day.strftime(f"on {form}.") for day in kept]
    )
    for days in (bounds.least, bounds.most):
        for old in moving:
            new = date.fromordinal(max(1, min(date.max.toordinal(), old.toordinal() + days)))
            for stays in kept:
                cut = 7 if is_month else 10
                before, after, still = (one.isoformat()[:cut] for one in (old, new, stays))
                assert (before < still, before > still) == (after < still, after > still)
