"""A model may call a rare name anything. Rules that read a person keep it one, so that no policy prints it."""

import pytest

from maskwise.detect.merge import merge_mentions
from maskwise.detect.patterns import PatternDetector
from maskwise.detect.people import (
    clear_people,
    has_rare_words_alone,
    is_full_name,
    is_listed_name,
    is_titled_name,
)
from maskwise.text import Document, EntityType
from maskwise.text.domain import KEY, Domain

NAMES = ("Brisca Tolm", "Tolm, Brisca", "Oro Vantu")
FIELDS = (
    "Employee: {}",
    "[14:03] u1: Client: {}; ext. 7",
    '{{"assigned_to": "{}"}}',
    "| Student | {} |",
)


def guess(document, surface, kind=EntityType.MISC):
    start = document.text.index(surface)
    return document.mention(start, start + len(surface), kind, source="neural", score=0.9)


def merge_with_patterns(document, *guesses):
    [found] = PatternDetector().detect([document])
    return merge_mentions([*found.mentions, *guesses], ("neural", "patterns"))


def list_people(mentions):
    return [one.text for one in mentions if one.type is EntityType.PERSON]


@pytest.mark.parametrize("kind", [EntityType.MISC, EntityType.ORG, EntityType.QUANTITY])
@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", NAMES)
def test_a_label_says_that_a_name_follows_whatever_a_model_says(name, field, kind):
    document = Document(field.format(name))
    assert name in list_people(merge_with_patterns(document, guess(document, name, kind)))


@pytest.mark.parametrize(
    "text", ["user=ihansen pass=x", "USER=IHANSEN\n", "login as user=i.hansen"]
)
def test_a_labelled_account_is_a_person_whatever_a_model_says(text):
    document = Document(text)
    value = text.partition("=")[2].split()[0]
    assert list_people(merge_with_patterns(document, guess(document, value))) == [value]


@pytest.mark.parametrize(
    ("surface", "is_person"),
    [
        ("Folasade Oyelaran", True),
        ("Zbygniew Drzewko-Lis", True),
        ("Widow Pension Fund", False),
        ("Widow’s Allowance", False),
        ("Employee", False),
        ("Brisca tolm", False),
        ("Nova 5", False),
    ],
)
def test_rare_words_written_as_a_name_are_one(surface, is_person):
    found = guess(Document(surface), surface)
    assert has_rare_words_alone(found) is is_person
    assert not is_full_name(found)


@pytest.mark.parametrize("kind", [EntityType.ORG, EntityType.LOC, EntityType.MISC])
@pytest.mark.parametrize(
    ("surface", "is_person"),
    [
        ("Gethin Prosser", True),
        ("Golnaz", True),
        ("MORWENNA TREGEAR", True),
        ("Golnaz Hospital", False),
        ("Golnaz Paris", False),
        ("Golnaz Services Ltd", False),
        ("Kestrel Textiles", False),
    ],
)
def test_a_guess_that_begins_with_a_given_name_is_a_person(surface, is_person, kind):
    document = Document(surface, metadata={KEY: Domain.GENERAL})
    assert is_listed_name(guess(document, surface, kind)) is is_person
    judgment = Document(surface, metadata={KEY: Domain.COURT})
    assert not is_listed_name(guess(judgment, surface, kind))


def test_a_name_in_a_longer_guess_is_taken_out_of_it():
    document = Document("adı soyadı Golnaz Tolm, plaka")
    start = document.text.index("Golnaz")
    read = document.mention(start, start + 11, EntityType.PERSON, subtype="given_name")
    cleared = clear_people([guess(document, document.text), read])
    assert [one.text for one in cleared] == ["adı soyadı", "plaka", "Golnaz Tolm"]
    assert clear_people([guess(document, document.text)]) == [guess(document, document.text)]


def test_a_guess_that_a_pattern_reads_with_its_title_is_a_person():
    document = Document("Lady Arabella Foss", metadata={KEY: Domain.GENERAL})
    seen = guess(document, document.text, EntityType.ORG)
    assert is_titled_name(seen, {seen.span})
    assert not is_titled_name(seen, {(0, 4)})
    judgment = Document("Lady Arabella Foss", metadata={KEY: Domain.COURT})
    assert not is_titled_name(guess(judgment, judgment.text, EntityType.ORG), {seen.span})
    assert list_people(merge_with_patterns(document, seen)) == ["Lady Arabella Foss"]
