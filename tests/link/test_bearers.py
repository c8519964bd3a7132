"""Two people of one name are two: titles, given names, words for relatives, and the order of words tell them apart."""

from __future__ import annotations

import pytest

from maskwise.decide.rules import MaskingRules
from maskwise.text.gender import guess_gender, is_relative

WOMEN = ["Ingrid Solberg Hansen", "Mrs Kim Hansen", "Maria Hansen", "Hansen, Olga"]
MEN = ["Knut Hansen", "Mr Kim Hansen", "Hansen, Piotr"]
KIN = {
    "m": [
        "my husband",
        "his late brother",
        "her ex-husband",
        "the applicant's father",
        "their eldest son",
    ],
    "f": ["my wife", "his younger sister", "her mother-in-law", "the applicant’s daughter"],
}
RELATIONS = [(gender, kin) for gender, all_kin in KIN.items() for kin in all_kin]


def protected(found):
    return [m.text for e in found if e.protected for m in e.mentions]


def unprotected(found):
    return [[m.text for m in e.mentions] for e in found if not e.protected]


@pytest.mark.parametrize("name", WOMEN + MEN)
@pytest.mark.parametrize("title", ["Mr", "Mrs", "Ms", "Miss", "Herr", "Frau"])
def test_a_title_of_the_other_gender_names_someone_else(link, name, title):
    own = "m" if name in MEN else "f"
    theirs = (title in ("Mr", "Herr")) == (own == "m")
    found = link(f"{name} wrote. [PERSON {title} Hansen] paid. Hansen left.", name)
    assert (f"{title} Hansen" in protected(found)) == theirs
    assert "Hansen" in protected(found)
    for entity in found:
        assert MaskingRules().judge(entity, []).masked


@pytest.mark.parametrize(("gender", "kin"), RELATIONS)
@pytest.mark.parametrize(
    "shape",
    ["{who}, {kin}, paid.", "{who} ({kin}) paid.", "Then {kin}, {who}, paid.", "{kin} {who} paid."],
)
def test_a_relative_is_someone_else_where_no_name_tells(link, gender, kin, shape):
    who = "Mr Hansen" if gender == "m" else "Mrs Hansen"
    text = f"Kim Hansen wrote. {shape.format(who=who, kin=kin)} Later {who} left."
    found = link(text, "Kim Hansen")
    assert protected(found) == ["Kim Hansen"]
    assert unprotected(found) == [[who, who]]


def test_a_profession_makes_no_relative(link):
    found = link("Kim Hansen wrote. Mr Hansen, my lawyer, paid.", "Kim Hansen")
    assert protected(found) == ["Kim Hansen", "Mr Hansen"]


def test_the_rarer_title_is_the_other_person(link):
    found = link("Kim Hansen came. Ms Hansen sat. Ms Hansen spoke. Mr Hansen left.", "Kim Hansen")
    assert protected(found) == ["Kim Hansen", "Ms Hansen", "Ms Hansen"]
    assert unprotected(found) == [["Mr Hansen"]]


def test_of_equal_titles_neither_is_the_person(link):
    found = link("Kim Hansen came. Ms Hansen sat. Mr Hansen left.", "Kim Hansen")
    assert protected(found) == ["Kim Hansen"]
    assert sorted(unprotected(found)) == [["Mr Hansen"], ["Ms Hansen"]]


@pytest.mark.parametrize("full", ["Ingrid Hansen", "Ingrid Solberg Hansen"])
def test_without_protection_too(groups, full):
    text = f"[PERSON {full}] wrote. [PERSON Mr Hansen], my husband, paid. [PERSON Mr Hansen] left."
    assert groups(text) == [[full], ["Mr Hansen", "Mr Hansen"]]


def test_a_relative_joins_the_full_name_of_his_own(groups):
    text = "[PERSON Ingrid Hansen] and [PERSON Knut Hansen] wrote. [PERSON Mr Hansen], my husband, paid."
    assert groups(text) == [["Ingrid Hansen"], ["Knut Hansen", "Mr Hansen"]]


TURNED_APART = ["Li Wei", "Chen Lin", "Kim Lee", "Sang Min"]
TURNED_ONE = ["Nagy Éva", "Wang Xiaoming", "Sokolov Ivan", "Berge Tove"]


@pytest.mark.parametrize("name", TURNED_APART)
def test_two_words_in_both_orders_are_two_people(groups, name):
    first, last = name.split()
    turned = f"{last} {first}"
    assert groups(f"[PERSON {name}] met [PERSON {turned}]. [PERSON {name}] left.") == [
        [name, name],
        [turned],
    ]


@pytest.mark.parametrize("name", TURNED_APART)
def test_a_comma_tells_the_surname(groups, name):
    first, last = name.split()
    for turned in (f"{last}, {first}", f"{first}, {last}"):
        assert len(groups(f"[PERSON {name}] is [PERSON {turned}].", propagate=False)) == 1


@pytest.mark.parametrize("name", TURNED_ONE)
def test_a_title_or_a_given_name_tells_the_surname(groups, name):
    first, last = name.split()
    assert (
        len(groups(f"[PERSON {name}] met [PERSON {last} {first}]; [PERSON Dr {first}] agreed."))
        == 1
    )


@pytest.mark.parametrize("name", TURNED_APART + TURNED_ONE)
def test_a_protected_name_is_theirs_in_either_order(link, name):
    first, last = name.split()
    [entity] = link(f"{name} met {last} {first} and {last}, {first}.", name)
    assert len(entity.mentions) == 3


def test_two_protected_people_of_the_same_words(link):
    found = link("Li Wei met Wei Li. Then Wei Li left and Li Wei stayed.", "Li Wei", "Wei Li")
    assert [[m.text for m in e.mentions] for e in found] == [
        ["Li Wei", "Li Wei"],
        ["Wei Li", "Wei Li"],
    ]


@pytest.mark.parametrize(
    "text", ["Mr Hansen, my lawyer", "Mr Hansen paid my wife", "Mr Hansen. My husband left"]
)
def test_no_relative(text):
    assert not is_relative(text, 0, 9)


def test_a_given_name_of_both_tells_nothing():
    assert [
        guess_gender(name) for name in ("Kim", "Andrea", "Jan", "Robin", "Sasha", "Kari", "Simone")
    ] == [""] * 7
