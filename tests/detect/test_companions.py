"""Surnames after given names, and people in a list with people, are found by their neighbour."""

import pytest

from maskwise.detect.companions import add_companions
from maskwise.text import Document, EntityType, Provenance
from maskwise.text.domain import KEY, Domain

PERSON, LOC = EntityType.PERSON, EntityType.LOC


def list_people(text, *parts, domain=Domain.GENERAL):
    document = Document(text, metadata={KEY: domain})
    mentions = []
    for part, kind, subtype in parts:
        start = text.index(part)
        mentions.append(
            document.mention(
                start, start + len(part), kind, source=Provenance.NEURAL, subtype=subtype
            )
        )
    return [m.text for m in add_companions(document, mentions) if m.type is PERSON]


def test_words_that_people_are_called_by_are_people_beside_one_another():
    assert list_people("Late shift: Mercy and Honor stayed") == ["Mercy", "Honor"]
    assert list_people("open in April and May") == []
    assert list_people("by River and Wood") == []


@pytest.mark.parametrize(
    ("text", "seen", "whole"),
    [
        ("Paid to Gerlinde Obermoser, today", "Gerlinde", "Gerlinde Obermoser"),
        ("benef zoltan fekete\n", "zoltan", "zoltan fekete"),
        ("cardholder PETROC KOROŠEC, was", "PETROC", "PETROC KOROŠEC"),
        ("PETROC STATUS", "PETROC", "PETROC"),
        ("signed, Gerlinde Obermoser-Tolm\n", "Gerlinde Obermoser", "Gerlinde Obermoser-Tolm"),
        ("Obermoser-led talks", "Obermoser", "Obermoser"),
        ("Sorcha Ní Bhraonáin", "Sorcha Ní", "Sorcha Ní Bhraonáin"),
        ("I saw Gerlinde Monday", "Gerlinde", "Gerlinde"),
        ("I saw gerlinde yesterday.", "gerlinde", "gerlinde"),
        ("at Gerlinde Hospital", "Gerlinde", "Gerlinde"),
        ("Customer Obermoser", "Customer", "Customer"),
    ],
)
def test_a_surname_belongs_to_the_given_name_before_it(text, seen, whole):
    assert list_people(text, (seen, PERSON, "")) == [whole]


def test_a_surname_that_a_model_takes_for_a_place_belongs_to_the_name():
    parts = ("Gerlinde", PERSON, ""), ("Obermoser", LOC, "")
    assert list_people("to Gerlinde Obermoser", *parts) == ["Gerlinde Obermoser"]
    known = ("Gerlinde", PERSON, ""), ("Obermoser", LOC, "city")
    assert list_people("to Gerlinde Obermoser", *known) == ["Gerlinde"]


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("thanks to Faith and Will for it", ["Faith", "Will"]),
        ("Faith, Zuqo & Tserendorj came", ["Faith", "Zuqo", "Tserendorj"]),
        ("Faith and Staff were there", ["Faith"]),
        ("Faith and Customer Services", ["Faith"]),
        ("Faith will come", ["Faith"]),
        ("Faith came. Summer and I loved it", ["Faith", "Summer"]),
        ("Faith came. Then and I mean it", ["Faith"]),
    ],
)
def test_who_stands_in_a_list_with_people_is_one(text, people):
    assert list_people(text, ("Faith", PERSON, "")) == people


def test_a_guess_in_a_list_of_people_is_one_and_a_known_place_is_none():
    text = "Faith and Zuqo left"
    assert list_people(text, ("Faith", PERSON, ""), ("Zuqo", LOC, "")) == ["Faith", "Zuqo"]
    assert list_people(text, ("Faith", PERSON, ""), ("Zuqo", LOC, "city")) == ["Faith"]


@pytest.mark.parametrize("domain", [Domain.COURT, Domain.BIOGRAPHY])
def test_judgments_and_lives_are_left_to_the_model(domain):
    seen = ("Faith", PERSON, "")
    assert list_people("Faith and Zuqo left", seen, domain=domain) == ["Faith"]
