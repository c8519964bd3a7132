"""Short names of organisations and people: each is masked wherever it stands, and joins the long one."""

import pytest

from maskwise.link.definitions import is_abbreviation
from maskwise.link.linker import RuleLinker
from maskwise.link.organisations import make_acronym
from maskwise.text import Document, EntityType


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("[ORG St Mary's Hospital (SMH)] wrote. Then SMH paid.", "SMH"),
        ("[ORG St Mary's Hospital] (SMH) wrote. Then SMH paid.", "SMH"),
        ("[ORG Queen’s College London] (now QCL) wrote. Then QCL paid.", "QCL"),
        ("[ORG Oslo Universitetssykehus] (OUH) wrote. Then OUH paid.", "OUH"),
        ("[ORG Women's Help Organisation] (WHO) wrote. Then WHO paid.", "WHO"),
        ("[ORG Baltic Register of Shipping] (BRS, founded 1920) wrote. Then BRS paid.", "BRS"),
        ("[ORG Baltic Register of Shipping] wrote. Then BRS paid.", "BRS"),
    ],
)
def test_an_acronym_of_an_organisation_is_part_of_it(link, text, short):
    entities = link(text)
    assert len(entities) == 1
    whole = entities[0].first.document.text
    found = {m.span for m in entities[0].mentions if m.text == short}
    at = whole.rindex(short)
    assert (at, at + len(short)) in found


def test_capitals_that_are_no_name_of_an_organisation_stay(groups):
    assert groups("[ORG Polar Fish] (USA) paid; the USA did not.") == [["Polar Fish"]]
    assert groups("[ORG Polar Bank] and PB") == [["Polar Bank"]]


def test_letters_of_an_acronym_stand_in_order():
    assert is_abbreviation("UNN", "Universitetssykehuset Nord-Norge")
    assert not is_abbreviation("SMH", "Hospital of Mary")
    assert make_acronym("NATO Support Agency") == ""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("[PERSON Jakub Moe] came. [PERSON Kuba] left.", ["Jakub Moe", "Kuba"]),
        ("[PERSON Magdalena Moe] and [PERSON Magda]", ["Magdalena Moe", "Magda"]),
        ("[PERSON Bill Moe] signs. [PERSON W. Moe] paid.", ["Bill Moe", "W. Moe"]),
        ("[PERSON Oliver] slept. Ollie woke.", ["Oliver", "Ollie"]),
        ("[PERSON Francisco Ruiz] said that [PERSON Paco] left.", ["Francisco Ruiz", "Paco"]),
    ],
)
def test_a_short_form_of_a_given_name_joins_its_person(groups, text, names):
    assert groups(text) == [names]


def test_a_short_form_of_two_people_joins_neither(groups):
    found = groups("[PERSON Alexander Moe] met [PERSON Alexandra Lie]. [PERSON Sasha] paid.")
    assert ["Sasha"] in found


def test_the_title_of_a_spouse_does_not_join_a_double_surname(groups):
    found = groups("[PERSON Jonathan Pryce-Hughes] came. [PERSON Mrs Pryce-Hughes] spoke.")
    assert found == [["Jonathan Pryce-Hughes"], ["Mrs Pryce-Hughes"]]


def test_initials_before_a_surname_are_part_of_the_name(groups):
    assert groups("Yours, R. [PERSON Solbakken]") == [["R. Solbakken"]]


def test_an_account_that_the_text_names_is_masked():
    document = Document("Mei Zhang has the user name mzhang here.")
    [_, login] = RuleLinker().link(document, [document.mention(0, 9, EntityType.PERSON)])
    assert login.first.text == "mzhang"
    assert login.type is EntityType.CODE
