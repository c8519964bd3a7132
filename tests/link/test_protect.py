"""The names of protected people, in every writing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.decide.rules import MaskingRules
from maskwise.link import RuleLinker
from maskwise.text import Document, EntityType, Evidence, IdentifierType, Person

# person, text, what must be found of them
FOUND = [
    ("Ana Souza", "Ana Souza left.", ["Ana Souza"]),
    ("Ana Souza", "Souza, Ana: present.", ["Souza, Ana"]),
    ("Souza, Ana", "Ana Souza left.", ["Ana Souza"]),
    ("Ana Souza", "It was Souza who saw Ana.", ["Souza", "Ana"]),
    ("Ana Souza", "Then A.S. left and A. S. came.", ["A.S.", "A. S."]),
    ("Ana Souza", "A. Souza, Ana S. and Souza A. signed.", ["A. Souza", "Ana S.", "Souza A."]),
    ("Ana Souza", "the Ms Souza's house; Dr. Souza", ["Ms Souza", "Dr. Souza"]),
    ("Ana Souza", "ANA SOUZA, ana souza, Ana SOUZA", ["ANA SOUZA", "ana souza", "Ana SOUZA"]),
    (
        "Ana Souza",
        "Ana\nSouza and Ana  Souza and Ana\u00a0Souza",
        ["Ana\nSouza", "Ana  Souza", "Ana\u00a0Souza"],
    ),
    ("Ana Souza", "Ana Beatriz Souza and Ana B. Souza", ["Ana Beatriz Souza", "Ana B. Souza"]),
    ("Ana Souza", "Ana Souzza; Ana Sousa; Ana Soza", ["Ana Souzza", "Ana Sousa", "Ana Soza"]),
    ("Ana Souza", "the Souzas moved", ["Souzas"]),
    ("Ana Souza", "a pro-Souza rally", ["Souza"]),
    (
        "Jürgen Müller",
        "Mueller, Muller, MÜLLER, Ju\u0308rgen Mu\u0308ller",
        ["Mueller", "Muller", "MÜLLER", "Ju\u0308rgen Mu\u0308ller"],
    ),
    ("Jurgen Mueller", "Jürgen Müller and Muller", ["Jürgen Müller", "Muller"]),
    ("Bjørn Åsgård", "Bjorn Asgard; Bjoern Aasgaard", ["Bjorn Asgard", "Bjoern Aasgaard"]),
    (
        "Anne-Marie Dupont",
        "Anne Marie Dupont, A.-M. Dupont, Anne-Marie",
        ["Anne Marie Dupont", "A.-M. Dupont", "Anne-Marie"],
    ),
    (
        "Urszula Nowak-Zielińska",
        "Ms Nowak Zielinska; Ms Nowak; Zielińska",
        ["Ms Nowak Zielinska", "Ms Nowak", "Zielińska"],
    ),
    (
        "Seán O'Brien",
        "O’Brien and Sean OBrien and S. O'Brien",
        ["O’Brien", "Sean OBrien", "S. O'Brien"],
    ),
    (
        "Ana Maria de Souza",
        "Ana de Souza, Mrs de Souza, A.M. de Souza",
        ["Ana de Souza", "Mrs de Souza", "A.M. de Souza"],
    ),
    (
        "Khalid al-Masri",
        "Khalid Al Masri, al-Masri, Mr Masri",
        ["Khalid Al Masri", "al-Masri", "Mr Masri"],
    ),
    (
        "Wang Xiaoming",
        "Xiaoming Wang and Mr Wang and WANG Xiaoming",
        ["Xiaoming Wang", "Mr Wang", "WANG Xiaoming"],
    ),
    ("Nagy Éva", "Eva Nagy; Nagy E.", ["Eva Nagy", "Nagy E."]),
    (
        "Yuri Sokolov",
        "Yu. Sokolov, Y. Sokolov, Yuri Pavlovich Sokolov",
        ["Yu. Sokolov", "Y. Sokolov", "Yuri Pavlovich Sokolov"],
    ),
    ("İbrahim Yıldız", "IBRAHIM YILDIZ, Ibrahim Yildiz", ["IBRAHIM YILDIZ", "Ibrahim Yildiz"]),
    ("Theresa May", "Theresa May, T. May and Ms May", ["Theresa May", "T. May", "Ms May"]),
    ("Theresa May", "May left. Then May said that, said May.", ["May", "May", "May"]),
    ("John Smith", "Smith paid. Then Smith and John left.", ["Smith", "Smith", "John"]),
    ("Mr Karl Vik", "Karl Vik", ["Karl Vik"]),
    ("王小明", "他是王小明。", ["王小明"]),
    ("王 小明", "他是王小明，小明。", ["王小明", "小明"]),
    ("佐藤 花子", "佐藤花子さんと佐藤さん", ["佐藤花子", "佐藤"]),
    ("김철수", "김철수는 갔다", ["김철수"]),
    ("สมชาย ใจดี", "นายสมชาย ใจดี และสมชายใจดี", ["สมชาย ใจดี", "สมชายใจดี"]),
    ("महेश वर्मा", "श्री महेश वर्मा आए", ["महेश वर्मा"]),
    ("Ana Souza", "我叫Ana Souza。Souza来了，（Ana）。", ["Ana Souza", "Souza", "Ana"]),
    ("Ju\u0308rgen Mu\u0308ller", "Jürgen Müller; Mu\u0308ller", ["Jürgen Müller", "Mu\u0308ller"]),
    ("Ana Souza", "Ana \ud800 Souza, \ud83d\ude00Souza\udfff", ["Ana", "Souza", "Souza"]),
    ("王小明", "他是 王小明 。", ["王小明"]),
]
NOT_FOUND = [
    ("Ana Souza", "Banana and Anatolia; a s; A sofa; S is a letter; Souzalandia"),
    ("Ana Souza", "Borealis A.S. was sold."),
    ("Ana Souza", "U.S.A.S. and A.S.K."),
    ("Theresa May", "In May she may. MAY 5."),
    (
        "Theresa May",
        "On 5 May, the 5th of May, May 2016, May 5, 2016, in May, last May, April and May, May to June.",
    ),
    ("Theresa May", "May she rest. May the best win."),
    ("ア", "アナ"),
    ("アナ", "ダイアナ"),
    ("Will Grace", "it will grace us. Will you?"),
    ("Anna Li", "Anna's list"[7:]),
    ("Ola Vik", "viking, a vik, Ol."),
    ("Ida Holm", "Holmen and Idar"),
]


def names(found):
    return [m.text for e in found if e.protected for m in e.mentions]


@pytest.mark.parametrize(("person", "text", "expected"), FOUND)
def test_found(link, person, text, expected):
    found = link(text, person)
    assert names(found) == expected
    assert len(found) == bool(expected)
    for entity in found:
        assert entity.identifier is IdentifierType.DIRECT
        assert {(m.source, m.certain, m.score) for m in entity.mentions} == {("protect", True, 1.0)}


@pytest.mark.parametrize(("person", "text"), NOT_FOUND)
def test_not_found(link, person, text):
    assert names(link(text, person)) == []


def test_aliases_in_any_script(link):
    person = Person("Ana Souza", aliases=("Ана Соуза", "Nina85", "Annie Oak"))
    text = "Ана Соуза, Соуза, nina85, Oak and ANNIE OAK"
    assert names(link(text, person)) == ["Ана Соуза", "Соуза", "nina85", "Oak", "ANNIE OAK"]


@pytest.mark.parametrize(
    "token",
    [
        "ana.souza@example.org",
        "asouza@example.org",
        "souza1985@example.org",
        "@anasouza",
        "#FreeAnaSouza",
        "https://example.org/people/ana-souza?tab=1",
        "www.anasouza.example",
        "example.org/souza/",
        "ana_souza_85",
    ],
)
def test_inside_addresses_and_handles(link, token):
    [entity] = link(f"See ({token}), please.", "Ana Souza")
    assert [m.text for m in entity.mentions] == [token]
    assert entity.type is EntityType.CODE
    assert entity.protected
    assert entity.identifier is IdentifierType.DIRECT


def test_a_detected_address_stays_whole(link):
    [entity] = link("Write to [CODE mailto:ana.souza@example.org] now.", "Ana Souza")
    assert [(m.text, m.source) for m in entity.mentions] == [
        ("mailto:ana.souza@example.org", "protect")
    ]


def test_a_detected_handle_stays_whole_whatever_its_type():
    document = Document("ask @ana_souza now", protected=(Person("Ana Souza"),))
    handle = document.mention(4, 14, EntityType.PERSON, subtype="handle")
    [entity] = RuleLinker().link(document, [handle])
    assert [(m.span, m.subtype) for m in entity.mentions] == [((4, 14), "handle")]
    assert entity.protected


def test_union_with_a_detected_person(link):
    [entity] = link("[PERSON Senator Ana] Souza spoke, then [PERSON Ana Souza Filho].", "Ana Souza")
    assert [m.text for m in entity.mentions] == ["Senator Ana Souza", "Ana Souza Filho"]


def test_other_types_keep_what_is_not_the_name(link):
    found = link("[ORG Souza & Sons Ltd] paid.", "Ana Souza")
    assert [(e.type, e.protected, e.first.text) for e in found] == [
        (EntityType.PERSON, True, "Souza"),
        (EntityType.ORG, False, "& Sons Ltd"),
    ]


@pytest.mark.parametrize("other", ["Oleg Souza", "O. Souza", "Mrs Berta Souza"])
def test_a_relative_is_another_person(link, other):
    found = link(
        f"[PERSON Ana Souza] and [PERSON {other}] met Souza and [PERSON Ms Souza].", "Ana Souza"
    )
    assert [[m.text for m in e.mentions] for e in found] == [
        ["Ana Souza", "Souza", "Ms Souza"],
        [other],
    ]
    assert [(e.protected, e.identifier) for e in found] == [
        (True, IdentifierType.DIRECT),
        (False, IdentifierType.QUASI),
    ]
    # It gives the surname away, so no threshold and no indicator leaves it.
    assert (
        MaskingRules()
        .judge(found[1], [Evidence((found[1].id,), 0.0, 0.5, False, "safe", "x")])
        .masked
    )


@pytest.mark.parametrize("own", ["Senator Souza", "Ana Lima Souza", "Dear Ana", "A. Souza"])
def test_a_role_or_a_middle_name_makes_no_relative(link, own):
    [entity] = link(f"Ana Souza, then [PERSON {own}].", "Ana Souza")
    assert entity.protected


def test_two_protected_people(link):
    found = link(
        "Ana Souza met Jürgen Müller. Souza and Muller left.", "Ana Souza", "Jürgen Müller"
    )
    assert [[m.text for m in e.mentions] for e in found] == [
        ["Ana Souza", "Souza"],
        ["Jürgen Müller", "Muller"],
    ]


def test_a_token_without_end_is_cut_around_the_name(link):
    [entity] = link("x" * 5000 + "/ana.souza@" + "y" * 5000, "Ana Souza")
    assert "ana.souza" in entity.first.text
    assert len(entity.first) < 1000


GIVEN = st.sampled_from(
    ["Ana", "Bjørn", "Şükrü", "Éva", "Xiaoming", "Anne-Marie", "Yuri", "Will", "Seán"]
)
FAMILY = st.sampled_from(
    ["Souza", "Åsgård", "Yılmaz", "Nagy", "Li", "de la Cruz", "May", "O'Brien", "Nowak-Zielińska"]
)
GLUE = st.sampled_from([" ", ", ", ". ", "\n", '"', "(", "'s "])
NOISE = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=12)


@settings(max_examples=200, deadline=None)
@given(
    GIVEN,
    FAMILY,
    st.lists(NOISE, max_size=6),
    st.lists(st.sampled_from([" ", ", ", ". ", "\n", '"', "(", "'s "]), max_size=6),
)
def test_every_occurrence_of_the_full_name_is_covered(given_name, family, noise, glue):
    name = f"{given_name} {family}"
    text = "".join(f"{n} {name}{g}" for n, g in zip(noise, glue, strict=False)) + name
    document = Document(text, protected=(Person(name),))
    cover = {
        at
        for e in RuleLinker().link(document, [])
        for m in e.mentions
        for at in range(m.start, m.end)
    }
    for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        assert set(range(*match.span())) <= cover
