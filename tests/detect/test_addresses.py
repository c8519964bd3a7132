"""An address that a pattern reads in part and a model sees whole is one mention."""

import pytest

from maskwise.detect.addresses import name_streets, widen_addresses
from maskwise.text import Document, EntityType, Provenance
from maskwise.text.subtypes import ADDRESS, DIGITS

TEXT = "Sent to 12 Elm Rd, London - 423480, India today"
DOCUMENT = Document(TEXT)


def make(text, kind, source, subtype=""):
    start = TEXT.index(text)
    return DOCUMENT.mention(start, start + len(text), kind, source=source, subtype=subtype)


def test_the_street_takes_the_postcode_and_the_country():
    found = widen_addresses(
        [
            make("12 Elm Rd, London - 423480, India", EntityType.LOC, Provenance.NEURAL),
            make("12 Elm Rd", EntityType.LOC, Provenance.PATTERNS, ADDRESS),
            make("423480", EntityType.CODE, Provenance.PATTERNS, DIGITS),
            make("today", EntityType.DATETIME, Provenance.NEURAL),
        ]
    )
    texts = {(m.text, m.subtype) for m in found}
    assert ("12 Elm Rd, London - 423480, India", ADDRESS) in texts
    assert not any(subtype == DIGITS for _, subtype in texts)
    assert ("today", "") in texts


def test_without_a_street_nothing_changes():
    given = [make("London", EntityType.LOC, Provenance.NEURAL)]
    assert widen_addresses(given) == given


def name(text, part, kind=EntityType.LOC, subtype=""):
    document = Document(text)
    start = text.index(part)
    guess = document.mention(
        start, start + len(part), kind, source=Provenance.NEURAL, subtype=subtype
    )
    [found] = name_streets(document, [guess])
    return found.text, found.subtype == ADDRESS


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("lives at 27 Nguyen Hue now", "27 Nguyen Hue", "27 Nguyen Hue"),
        ("TO: PIKK 42-7", "PIKK 42-7", "PIKK 42-7"),
        ("at Strada Florilor nr. 12, bl. C4, ap. 9", "Strada Florilor nr. 12", None),
        ("in Apartment 7C, 150 Harbour Walk", "150 Harbour Walk", None),
        ("of Juniper House, 70 Basin Road", "70 Basin Road", None),
        ("visit to The Old Forge, Ballyduff", "The Old Forge", "The Old Forge"),
        ("sent to 14 Priory Station Road", "14 Priory Station Road", "14 Priory Station Road"),
        ("lives at sixty-three Kelpsgate", "sixty-three Kelpsgate", "sixty-three Kelpsgate"),
        ("at eighty one Kelpsgate, Hull", "Kelpsgate", "eighty one Kelpsgate"),
        ("sent to five Orchard Close today", "Orchard Close", "five Orchard Close"),
        ("sent to flat six, Kelpsgate today", "Kelpsgate", "flat six, Kelpsgate"),
        ("sent to six Cobbold Row", "six Cobbold Row", "six Cobbold Row"),
        ("corner of Cobbold Rd", "Cobbold Rd", "Cobbold Rd"),
        ("at Apartment 3B, The Ropeworks\n", "Apartment 3B", "Apartment 3B, The Ropeworks"),
    ],
)
def test_a_place_with_the_number_of_a_house_is_an_address(text, part, whole):
    found, is_address = name(text, part)
    assert is_address
    assert found == (whole or text.partition(" ")[2])


@pytest.mark.parametrize("text", ["two Kelpsgate shops", "twenty-two Kelpsgate shops"])
def test_what_counts_is_no_number_of_a_house(text):
    assert name(text, "Kelpsgate") == ("Kelpsgate", False)


def test_a_street_and_its_number_are_one_address():
    document = Document("Ship to Vesturkot 23, 200 Holt")
    guesses = [
        document.mention(8, 17, EntityType.LOC, source=Provenance.NEURAL),
        document.mention(18, 25, EntityType.LOC, source=Provenance.NEURAL),
    ]
    [found] = name_streets(document, guesses)
    assert (found.text, found.subtype) == ("Vesturkot 23, 200", ADDRESS)


def test_a_number_that_is_read_before_a_street_goes_into_it():
    document = Document("It is ninety-two Cobbold Road.")
    guesses = [
        document.mention(6, 16, EntityType.QUANTITY, subtype="number", source=Provenance.PATTERNS),
        document.mention(17, 29, EntityType.LOC, source=Provenance.NEURAL),
    ]
    [found] = name_streets(document, guesses)
    assert (found.text, found.subtype) == ("ninety-two Cobbold Road", ADDRESS)


@pytest.mark.parametrize("place", ["Ward 6", "Highway 66", "Zone 3", "Da Nang", "Room 12"])
def test_a_place_that_is_counted_is_none(place):
    assert name(f"She is in {place} today", place) == (place, False)


def test_a_named_house_takes_its_road_and_leaves_the_town():
    document = Document("due at Rose Cottage, Back Lane, Settle, Monday")
    parts = "Rose Cottage", "Back Lane, Settle", "Monday"
    starts = [document.text.index(part) for part in parts]
    guesses = [
        document.mention(start, start + len(part), EntityType.LOC, source=Provenance.NEURAL)
        for start, part in zip(starts, parts, strict=True)
    ]
    found = [one.text for one in name_streets(document, guesses)]
    assert found == ["Rose Cottage, Back Lane", "Settle", "Monday"]


def test_a_named_house_belongs_to_the_street_after_it():
    document = Document("outside Beech House, 4 Canal Side")
    guesses = [
        document.mention(8, 19, EntityType.LOC, source=Provenance.NEURAL),
        document.mention(21, 33, EntityType.LOC, source=Provenance.NEURAL),
    ]
    assert [one.text for one in name_streets(document, guesses)] == ["Beech House, 4 Canal Side"]


def test_a_place_that_a_list_knows_stays_one():
    assert name("He left 29 Palms", "29 Palms", subtype="city") == ("29 Palms", False)
