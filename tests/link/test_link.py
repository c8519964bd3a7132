"""Which mentions are one entity."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.link import RuleLinker
from maskwise.link.identifiers import is_personal
from maskwise.mask.operators import Pseudonym
from maskwise.mask.render import render_plan
from maskwise.text import (
    Action,
    Decision,
    Document,
    EntityType,
    IdentifierType,
    Linker,
    Mention,
    Person,
    Plan,
)

ONE_PERSON = [
    "[PERSON Angelina Jolie Voight] met [PERSON Ms Jolie], [PERSON A. Jolie] and [PERSON JOLIE].",
    "[PERSON Angelina Jolie Voight] is [PERSON Mrs A. Jolie-Pitt] now.",
    "[PERSON Mr Knut Ødegård] left; [PERSON Odegard] stayed.",  # accents dropped
    "[PERSON Şükrü Yılmaz] was heard. [PERSON Mr YILMAZ] agreed.",
    "[PERSON Yuri Gennadyevich Sokolov], later [PERSON Yu. Sokolov] or [PERSON Sokolov Yuri].",
    "[PERSON María García Lorente] came. [PERSON Ms García Lorente] spoke, then [PERSON Ms García].",
    "[PERSON Khalid al-Masri] wrote. [PERSON Mr Masri] and [PERSON al-Masri] signed.",
    "[PERSON Wang Xiaoming] spoke. [PERSON Mr Wang] left.",
    "[PERSON Nagy Éva] spoke. [PERSON Ms Nagy] left. [PERSON Éva Nagy] returned.",
    "[PERSON Jan van der Berg] and [PERSON Mr van der Berg] and [PERSON Berg].",
    "[PERSON BERGE Tove] signed as [PERSON Tove Berge] and [PERSON Berge, Tove].",
    "[PERSON Tove Berge]'s dog knew [PERSON Berge's] cat.",
    "[PERSON Russell James Moe] came. [PERSON Russ Moe] left.",
    "[PERSON Liz Moe] came. [PERSON Elizabeth Moe] left.",
    "[PERSON Rosa Kettler] came. The file is signed [PERSON R.K.], twice [PERSON R. K.].",
    "[PERSON Rosa M. Kettler] came. The file is signed [PERSON R.M.K.], or [PERSON R.K.].",
    "[PERSON Rosa Kettler] came. The file is signed [ORG R.K.].",
    "[PERSON Gunhild Sande] came. Colleagues like [ORG Gunhild].",
    "[PERSON June Halloran] came. Colleagues like [DATETIME June], and trust her.",
    "[PERSON Virginia Turci] came. Colleagues like [LOC Virginia].",
    "[PERSON Line Ruud] came. Colleagues like [ORG Line].",
    "[PERSON Rosa Company] came. [ORG Mrs Company] paid.",
]
APART = [
    "[PERSON Ben Carter] and [PERSON Al Carter].",
    "[PERSON Ivan Petrov] and [PERSON Oleg Petrov].",
    "[PERSON Mr A. Petrov] and [PERSON Mrs A. Petrov].",
    "[PERSON I. Petrov] and [PERSON O. Petrov].",
    "[PERSON A.B. Petrov] and [PERSON A.C. Petrov].",
    "[LOC Turkey] and [DEM Turkish].",
    "[DATETIME 1998] and [QUANTITY 1998].",
    "[DEM teacher] and [DEM teachers].",
    "[ORG Oslo Police] and [LOC Oslo].",
    "[ORG Polar Bank] and [ORG Polar Trade].",
    "[PERSON Urs Sandler] left the [LOC U.S.] in May.",
    "[PERSON Florence Ojo] lives in [LOC Florence].",
    "[PERSON June Halloran] came in [DATETIME June].",
    "[PERSON Anna Sand] sued Borealis [ORG A.S.].",
    "[PERSON Anna Berg] saw [PERSON Ms A.B.].",
    "[PERSON Liz Moe] saw [PERSON Elizabeth Dahl].",
]


@pytest.mark.parametrize("text", ONE_PERSON)
def test_one_person(groups, text):
    assert len(groups(text)) == 1


@pytest.mark.parametrize("text", APART)
def test_apart(groups, text):
    assert len(groups(text, propagate=False)) == 2


def test_initials_of_two_people_are_neither(groups):
    text = "[PERSON Anna Berg] and [PERSON Aud Bakke] met. Signed [PERSON A.B.]."
    assert groups(text) == [["Anna Berg"], ["Aud Bakke"], ["A.B."]]


def test_a_nickname_of_two_people_is_neither(groups):
    text = "[PERSON Christine Moe] and [PERSON Christopher Moe] saw [PERSON Chris Moe]."
    assert len(groups(text)) == 3


def test_an_initial_tells_husband_from_wife(groups):
    text = "[PERSON Mr Gil] and [PERSON Mrs Gil] met: [PERSON Paloma Gil], [PERSON Dag Gil]. [PERSON P. Gil] left."
    assert ["Paloma Gil", "P. Gil"] in groups(text)


def test_surname_of_two_brothers_is_neither(groups):
    text = "[PERSON Ivan Petrov] and [PERSON Oleg Petrov] met. [PERSON Mr Petrov] left. [PERSON Petrov] slept."
    assert groups(text) == [["Ivan Petrov"], ["Oleg Petrov"], ["Mr Petrov", "Petrov"]]


def test_title_tells_husband_from_wife(groups):
    text = (
        "[PERSON Mr Ivan Petrov] and [PERSON Mrs Olga Petrov] met. "
        "[PERSON Mr Petrov] left. [PERSON Mrs Petrov] stayed."
    )
    assert groups(text) == [["Mr Ivan Petrov", "Mr Petrov"], ["Mrs Olga Petrov", "Mrs Petrov"]]


def test_untitled_full_name_takes_no_side(groups):
    found = groups("[PERSON Kim Petrov] came. [PERSON Mr Petrov] left. [PERSON Mrs Petrov] stayed.")
    assert ["Mr Petrov"] in found
    assert ["Mrs Petrov"] in found


@pytest.mark.parametrize(
    "text",
    [
        'the [ORG Regional Health Authority] ("the RHA") said; RHA paid.',
        "the [ORG Regional Health Authority] (RHA) said; the RHA paid.",
        "the RHA ([ORG Regional Health Authority]) said; RHA paid.",
        "the [ORG Regional Health Authority] (hereinafter “the RHA”) said; [MISC RHA] paid.",
        "the [ORG Regional Health Authority]\n(the “RHA”) said; RHA paid.",
    ],
)
def test_defined_acronym(link, text):
    [entity] = link(text)
    assert sorted(m.text for m in entity.mentions) == ["RHA", "RHA", "Regional Health Authority"]
    assert entity.type is EntityType.ORG


@pytest.mark.parametrize(
    "text",
    [
        '[ORG Regional Health Authority ("the RHA")] said; [ORG the RHA] paid.',
        "[ORG Regional Health Authority (RHA)] said; [MISC RHA] paid.",
        "[ORG Regional Health Authority (hereinafter “the RHA”)] said; RHA paid.",
    ],
)
def test_acronym_defined_inside_a_mention(link, text):
    [entity] = link(text)
    assert [m.text.removeprefix("the ") for m in entity.mentions] == [
        "Regional Health Authority",
        "RHA",
        "RHA",
    ]
    assert entity.type is EntityType.ORG


def test_a_defined_name_is_as_sure_as_its_surest_mention():
    document = Document('the Polar Trade Union ("the PTU") said; PTU paid.')
    union, brief = document.text.index("Polar"), document.text.rindex("PTU")
    mentions = [
        document.mention(union, document.text.index(" said"), EntityType.ORG, score=0.8),
        document.mention(brief, brief + 3, EntityType.ORG, score=0.3),
    ]
    [entity] = RuleLinker().link(document, mentions)
    assert [m.text for m in entity.mentions] == ["Polar Trade Union", "PTU", "PTU"]
    assert entity.score == 0.8


def test_the_rest_of_a_split_mention_is_kept(groups):
    assert groups('[ORG Polar Bank ("Polba") of Vardø] paid.') == [
        ["Polar Bank", "Polba"],
        ["of Vardø"],
    ]


def test_alias_of_a_person_inside_a_mention(groups):
    text = '[PERSON Ms Beate Souza ("Bibi")] came. Bibi left. [PERSON Ms Ida Lie ("the applicant")] and the applicant.'
    assert groups(text) == [["Ms Beate Souza", "Bibi", "Bibi"], ['Ms Ida Lie ("the applicant")']]


def test_all_mentions_of_an_entity_are_written_by_its_type(link):
    [entity] = link("[LOC Kirkenes], [ORG Kirkenes] and [ORG Kirkenes]")
    assert [m.type for m in entity.mentions] == [EntityType.LOC, EntityType.ORG, EntityType.ORG]
    plan = Plan((Decision(entity.id, Action.SUPPRESS, ()),), objective=0.0, optimal=False)
    rendered = render_plan(
        entity.first.document, [entity], plan, dict.fromkeys(EntityType, Pseudonym())
    )
    assert rendered.text == "[ORG 1], [ORG 1] and [ORG 1]"


def test_defined_short_name(groups):
    assert groups('[ORG Norsk Polar Invest AS] ("Polinvest") paid. Polinvest left.') == [
        ["Norsk Polar Invest AS", "Polinvest", "Polinvest"]
    ]


@pytest.mark.parametrize(
    "role",
    [
        "the applicant company",
        "the Bank",
        "the Company",
        "the second applicant",
        "the Ministry",
        "the Act",
    ],
)
def test_role_words_are_not_names(groups, role):
    text = f'[ORG Polar Trade Bank] ("{role}") paid. {role[4:].title()} left.'
    assert groups(text) == [["Polar Trade Bank"]]


def test_bracket_without_agreement_defines_nothing(groups):
    assert groups("the [ORG Regional Health Authority] (see XYZ) and XYZ") == [
        ["Regional Health Authority"]
    ]


def test_company_short_forms(groups):
    text = "[ORG Borealis Shipping Ltd] sued. [ORG Borealis Shipping] won. [ORG Borealis] paid."
    assert groups(text) == [["Borealis Shipping Ltd", "Borealis Shipping", "Borealis"]]


def test_short_form_of_two_companies_is_neither(groups):
    text = "[ORG Borealis Shipping Ltd] sued [ORG Borealis Mining Ltd]. [ORG Borealis] paid."
    assert groups(text) == [["Borealis Shipping Ltd"], ["Borealis Mining Ltd"], ["Borealis"]]


def test_values_join_dates():
    document = Document("on 5 May 1998 and 05.05.1998 and 6 May 1998")
    mentions = [
        document.mention(3, 13, EntityType.DATETIME, value="1998-05-05"),
        document.mention(18, 28, EntityType.DATETIME, value="1998-05-05"),
        document.mention(33, 43, EntityType.DATETIME, value="1998-05-06"),
    ]
    assert [len(e.mentions) for e in RuleLinker().link(document, mentions)] == [2, 1]


def test_majority_type_of_one_string_wins_then_the_earliest(link):
    [entity] = link("[LOC Kirkenes], [ORG Kirkenes] and [ORG Kirkenes]")
    assert entity.type is EntityType.ORG
    [entity] = link("[LOC Kirkenes] and [ORG Kirkenes's]")
    assert entity.type is EntityType.LOC


def test_identifiers_by_nature():
    document = Document("mail ana@example.org about 12345/06 in Oslo")
    mentions = [
        document.mention(5, 20, EntityType.CODE, subtype="email"),
        document.mention(27, 35, EntityType.CODE, subtype="application_number"),
        document.mention(39, 43, EntityType.LOC, subtype="city"),
    ]
    kinds = [e.identifier for e in RuleLinker().link(document, mentions)]
    assert kinds == [IdentifierType.DIRECT, IdentifierType.DIRECT, IdentifierType.QUASI]


@pytest.mark.parametrize(
    ("subtype", "direct"),
    [
        ("phone_international", True),
        ("pl_pesel", True),
        ("url", True),
        ("citation", False),
        ("", False),
    ],
)
def test_table_of_identifiers(subtype, direct):
    assert is_personal(subtype) is direct


def test_ids_follow_the_text(link):
    found = link("[LOC Bergen], [PERSON Tove Berge], [LOC Oslo]")
    assert [(e.id, e.first.text) for e in found] == [
        ("e1", "Bergen"),
        ("e2", "Tove Berge"),
        ("e3", "Oslo"),
    ]


def test_nothing_in_nothing_out():
    assert isinstance(RuleLinker(), Linker)
    assert RuleLinker().link(Document(""), []) == []
    assert RuleLinker().link(Document("no one here"), []) == []


WORDS = "Ana Souza Petrov Ivan Oleg Mr Mrs May A. de Borealis Ltd AS said (RHA) Regional Health Authority RHA".split()
WORDS += "ana.souza@example.org 12345/06 1998 Souza's Müller MÜLLER mueller , . Ana-Maria X the Bank of Oslo".split()
WORDS += ["e\u0301", "😀", "\ud800", "黄义达", "他是黄义达。", "Smith", "John", "May", "in"]
WORDS += ['("the RHA")', "\n"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)
NAMES = ["黄义达", "John Smith", "Ana Souza", "Jürgen Müller", "Ivan de Petrov", "Theresa May"]
PEOPLE = st.lists(st.sampled_from(NAMES), max_size=2, unique=True)


@st.composite
def linked(draw: st.DrawFn) -> tuple[Document, list[Mention]]:
    document = Document(draw(TEXTS), protected=tuple(Person(name) for name in draw(PEOPLE)))
    words = [m.span() for m in re.finditer(r"\S+", document.text)]
    mentions, at = [], 0
    while at < len(words):
        size = draw(st.integers(0, 3))
        if size:
            end = words[min(at + size, len(words)) - 1][1]
            kind = draw(st.sampled_from(list(EntityType)))
            mentions.append(
                document.mention(words[at][0], end, kind, source="x", certain=draw(st.booleans()))
            )
        at += size or 1
    return document, mentions


def layout(found):
    return [(e.id, e.type, e.identifier, e.protected, [m.span for m in e.mentions]) for e in found]


@settings(max_examples=150, deadline=None)
@given(linked())
def test_invariants(case):
    document, mentions = case
    found = RuleLinker().link(document, mentions)
    flat = sorted((m for e in found for m in e.mentions), key=lambda m: m.start)
    assert all(left.end <= right.start for left, right in pairwise(flat))
    cover = {at for m in flat for at in range(m.start, m.end)}
    text = document.text
    possessive = {
        m.start() for m in re.finditer(r"(?<=')s\b", text)
    }  # stays outside a protected name
    article = {
        at for m in re.finditer(r"(?<=\(\")the(?= RHA)", text) for at in range(*m.span())
    }  # of a definition
    lost = (
        {at for m in mentions for at in range(m.start, m.end) if text[at].isalnum()}
        - cover
        - possessive
        - article
    )
    assert not lost
    assert [e.id for e in found] == [f"e{n}" for n in range(1, len(found) + 1)]
    assert [e.first.start for e in found] == sorted(e.first.start for e in found)
    assert layout(RuleLinker().link(document, mentions)) == layout(found)


@settings(max_examples=150, deadline=None)
@given(linked())
def test_linking_its_own_output_changes_nothing(case):
    document, mentions = case
    once = RuleLinker().link(document, mentions)
    again = RuleLinker().link(
        document, sorted((m for e in once for m in e.mentions), key=lambda m: m.start)
    )
    assert layout(again) == layout(once)


def test_a_park_is_a_person_where_somebody_is_called_mr_park():
    for text, joined in (
        ("Min-jun Park came. Ask Mr Park.", True),
        ("Min-jun Park is green.", False),
    ):
        document = Document(text)
        found = [document.mention(0, 12, EntityType.LOC, source="neural")]
        if joined:
            found.append(document.mention(23, 30, EntityType.PERSON))
        first, *others = RuleLinker().link(document, found)
        assert (first.type is EntityType.PERSON, bool(others)) == (joined, False)


@pytest.mark.parametrize("order", ["[DEM {0}] and [DEM {0}s].", "[DEM {0}s] and [DEM {0}]."])
@pytest.mark.parametrize("name", ["Romanian", "Kurd", "Pakistani", "Sikh"])
def test_a_people_in_the_plural_is_the_same_people(groups, name, order):
    assert len(groups(order.format(name))) == 1
