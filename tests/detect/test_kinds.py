"""Places, organisations and people are told apart by lists, by the words of a name and by what stands before it."""

import pytest

from maskwise.detect.kinds import correct_types
from maskwise.text import Document, EntityType

P, L, B, M, D = (
    EntityType.PERSON,
    EntityType.LOC,
    EntityType.ORG,
    EntityType.MISC,
    EntityType.DEM,
)


def find_kind(text, name, kind, domain="general", subtype="", source="neural"):
    document = Document(text, metadata={"domain": domain})
    start = text.index(name)
    mention = document.mention(start, start + len(name), kind, subtype=subtype, source=source)
    [named] = correct_types(document, [mention])
    return named.type


@pytest.mark.parametrize(
    ("text", "name", "guess", "kind"),
    [
        ("we flew with Icelandair", "Icelandair", L, B),
        ("the crew of Tolmsby Motors", "Tolmsby Motors", P, B),
        ("a term at TU Munich", "TU Munich", L, B),
        ("enrolled at Oregon State", "Oregon State", L, B),
        ("down by Clarence Dock", "Clarence Dock", P, L),
        ("a night in Bristol", "Bristol", P, L),
        ("rain in Montreal again", "Montreal", B, L),
        ("Montreal beat us", "Montreal", B, B),
        ("said Lincoln", "Lincoln", P, P),
        ("with Emily Street", "Emily Street", P, P),
        ("Ana Souza Park", "Ana Souza", P, P),
        ("news of Fionnuala OConnor", "Fionnuala OConnor", M, P),
        ("Thai or burgers", "Thai", P, D),
        ("sunrise over #Derry", "#Derry", M, L),
        ("our lion keeper", "lion keeper", M, D),
        ("At 46 I left", "46", EntityType.DATETIME, D),
        ("on 46 pages", "46", EntityType.DATETIME, EntityType.DATETIME),
        ("Plumber: Brasko, tomorrow", "Brasko", B, P),
        ("Social worker (duty): Ilvy Tolm\n", "Ilvy Tolm", B, P),
        ("Insurer: Brasko, tomorrow", "Brasko", B, B),
        ("Plumber: Brasko came", "Brasko", B, B),
        ("Plumber: Boiler Services", "Boiler Services", B, B),
        ("TFR P TOLMSBY RENT", "P TOLMSBY", B, P),
        ("with Odalis K. and son", "Odalis K.", B, P),
        ("her kids Alva & Nuala sail", "Alva & Nuala", B, P),
        ("on the rota, 2nd Nuala", "2nd Nuala", L, P),
        ("paid by f tolmsby today", "f tolmsby", B, P),
        ("in Ward C. today", "Ward C.", L, L),
        ("the T Account", "T Account", B, B),
    ],
)
def test_kind(text, name, guess, kind):
    subtype = "hashtag" if name.startswith("#") else ""
    assert find_kind(text, name, guess, subtype=subtype) == kind


def test_two_initials_are_a_country():
    document = Document("the U. S. economy", metadata={"domain": "general"})
    mention = document.mention(7, 9, P, subtype="single", source="patterns")
    [named] = correct_types(document, [mention])
    assert (named.text, named.type) == ("U. S.", L)


def test_a_surname_goes_on_after_a_nickname():
    document = Document('It was Harold "Junior" Tolm.', metadata={"domain": "general"})
    parts = [document.mention(7, 21, P), document.mention(23, 27, M)]
    assert [m.type for m in correct_types(document, parts)] == [P, P]


def test_half_of_a_double_name_is_known():
    text = "Ana Tolm rang. The bell says Tolm-Brasko."
    document = Document(text, metadata={"domain": "general"})
    parts = [document.mention(0, 8, P), document.mention(29, 40, L)]
    assert [m.type for m in correct_types(document, parts)] == [P, P]


def test_a_field_for_a_trade_names_a_person_in_judgments_too():
    assert find_kind("Solicitor: Ilvy Tolm, ref", "Ilvy Tolm", B, "court") == P


def test_judgments_are_left_alone():
    assert find_kind("we flew with Icelandair", "Icelandair", L, "court") == L


@pytest.mark.parametrize("domain", ["general", "court", "clinical"])
@pytest.mark.parametrize(
    ("age", "subtype"), [("93", "age_over_89"), ("ninety five", "age_over_89"), ("89", "")]
)
def test_an_attribute_that_is_a_number_from_ninety_on_is_a_very_old_age(age, subtype, domain):
    document = Document(f"The couple ({age}) fell.", metadata={"domain": domain})
    [known] = correct_types(document, [document.mention(12, 12 + len(age), D, source="neural")])
    assert known.subtype == subtype
