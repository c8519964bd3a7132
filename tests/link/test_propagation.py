"""Occurrences that detectors left out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.link import RuleLinker
from maskwise.text import Document, EntityType
from maskwise.text.canvas import find_inside_words, has_unspaced_script, is_whole_word

FOUND = [
    ("[PERSON Mr Ivan Petrov] came. Petrov left with Ivan.", ["Mr Ivan Petrov", "Petrov", "Ivan"]),
    (
        "[PERSON Ivan Petrov] came. Dr Petrov's hat, Dr. PETROV.",
        ["Ivan Petrov", "Dr Petrov", "Dr. PETROV"],
    ),
    (
        "[PERSON Ivan Sergeyevich Petrov] is Ivan Petrov.",
        ["Ivan Sergeyevich Petrov", "Ivan Petrov"],
    ),
    ("[PERSON PETROV] came; Petrov left.", ["PETROV", "Petrov"]),
    ("[PERSON Tove Ødegård] came; Odegard left.", ["Tove Ødegård", "Odegard"]),
    ("[PERSON Tove Berge] came; Tove\n   Berge left.", ["Tove Berge", "Tove\n   Berge"]),
    ("[PERSON Jan van der Berg] came; van der Berg left.", ["Jan van der Berg", "van der Berg"]),
    (
        "[ORG Regional Health Authority] paid; REGIONAL HEALTH AUTHORITY.",
        ["Regional Health Authority"] * 2,
    ),
    ("[LOC Kirkenes] is far. From Kirkenes-based men to Kirkenes.", ["Kirkenes"] * 3),
    ("[CODE AB-12345] then AB-12345.", ["AB-12345"] * 2),
    ("[PERSON A.B.] then A.B. again", ["A.B.", "A.B."]),
    ("[PERSON Mr X] then Mr X again, and X alone", ["Mr X", "Mr X"]),
    ("[ORG Borealis Shipping Ltd] sued; Borealis won.", ["Borealis Shipping Ltd", "Borealis"]),
    ("[PERSON Mr John Smith] was born. Smith paid John.", ["Mr John Smith", "Smith", "John"]),
    ("[PERSON Mr Brown] had brown hair. Brown left.", ["Mr Brown", "Brown"]),
    ("[PERSON Will Grace] will. When Will left, Grace came.", ["Will Grace", "Will", "Grace"]),
    ("[PERSON Theresa May] came in May. Then May left. May agreed.", ["Theresa May", "May", "May"]),
    ("[PERSON Mr Dag King] met the King, King Olav, and King.", ["Mr Dag King", "King"]),
    (
        "[PERSON Ivan Petrov] is at petrov@example.org. Petrov left.",
        ["Ivan Petrov", *["Petrov"] * 2],
    ),
    ("[PERSON 黄义达]到了。他是黄义达先生。", ["黄义达", "黄义达"]),
    ("[PERSON 김철수]가 왔다. 김철수는 갔다.", ["김철수", "김철수"]),
    ("[PERSON アナ・ソウザ]とダイアナ。アナ・ソウザさん。", ["アナ・ソウザ", "アナ・ソウザ"]),
    ("我叫[PERSON Tove Berge]。他说Tove Berge今年来。", ["Tove Berge", "Tove Berge"]),
    ("[PERSON महेश वर्मा] आए. फिर महेश वर्मा गए.", ["महेश वर्मा", "महेश वर्मा"]),
    ("[PERSON Tove \ud800 Berge] came; Tove \ud800 Berge left.", ["Tove \ud800 Berge"] * 2),
    ("[ORG Bank of Vardø] and Bank of [LOC Vardø]", ["Bank of Vardø", "Bank of Vardø"]),
]
NOT_FOUND = [
    "[PERSON Theresa May] came in May. May she rest. MAY 1998.",
    "[PERSON Will Grace] will, with grace. Will it? Bill paid.",
    "[PERSON Mr Court] left. The Court held, as Court of first instance.",
    "[PERSON Mary Young] left. Young people stayed.",
    "[PERSON Grace] is a lone word. Then Grace.",
    "[PERSON 达] 是达人",
    "[PERSON A.] said that A man and Vitamin A are one.",
    "[PERSON X] marks X.",
    "[PERSON Ivan Petrov] knew the Petrovich boys and ivanova.",
    "[PERSON Petra Baron] met a baron. Baron von Polen came.",  # a word of this text
    "[CODE 1234] and 1234 houses",
    "[CODE 12345/06] is not 12345/06/7 or 9.12345/06.",
    "[DATETIME 5 May 1998] and 5 May 1998",
    "[DEM teacher] and teacher",
    "[QUANTITY 5 euros] and 5 euros",
    "[ORG Court] and Court",
    "[MISC diabetes] and diabetes",
]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_found(groups, text, expected):
    [found] = groups(text)
    assert [t.casefold() for t in found] == [t.casefold() for t in expected]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(groups, text):
    assert sum(map(len, groups(text))) == 1


def test_can_be_switched_off(groups):
    assert groups("[LOC Oslo] and Oslo", propagate=False) == [["Oslo"]]


def test_certain_mentions_are_never_replaced():
    document = Document("Bank of Oslo, Bank of Oslo")
    mentions = [
        document.mention(0, 12, EntityType.ORG),
        document.mention(22, 26, EntityType.LOC, certain=True),
    ]
    assert [[m.span for m in e.mentions] for e in RuleLinker().link(document, mentions)] == [
        [(0, 12)],
        [(22, 26)],
    ]


def test_surname_of_two_people_becomes_its_own_entity(groups):
    assert groups("[PERSON Ivan Petrov] and [PERSON Oleg Petrov]. Petrov slept.")[2] == ["Petrov"]


def test_copies_keep_value_and_subtype():
    document = Document("AB-12345 and AB-12345")
    [entity] = RuleLinker().link(
        document, [document.mention(0, 8, EntityType.CODE, subtype="passport", value="AB12345")]
    )
    assert [(m.subtype, m.value, m.source) for m in entity.mentions[1:]] == [
        ("passport", "AB12345", "link")
    ]


def test_many_mentions_take_linear_time():
    names = " ".join(
        f"Nora Vik{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10 % 10]} met Nora."
        for n in range(20_000)
    )
    document = Document(names)
    at, mentions = 0, []
    while (at := names.find("Nora Vik", at)) >= 0:
        mentions.append(document.mention(at, at + 10, EntityType.PERSON))
        at += 1
    found = RuleLinker().link(document, mentions)
    assert sum(len(e.mentions) for e in found) == 40_000
    assert len(found) == 101  # a hundred Noras, and a Nora who may be any of them


def test_a_person_without_a_name_is_sought_nowhere():
    document = Document("It was ’s, and ’s again.")
    [entity] = RuleLinker().link(document, [document.mention(7, 9, EntityType.PERSON)])
    assert [m.span for m in entity.mentions] == [(7, 9)]


def test_an_organisation_of_marks_alone_is_sought_nowhere():
    document = Document("It was \u200b there.")
    [entity] = RuleLinker().link(document, [document.mention(7, 8, EntityType.ORG)])
    assert [m.span for m in entity.mentions] == [(7, 8)]


@given(st.text(alphabet="ab1_é .'ñ他黄アนก\U00020000\u0301", max_size=12))
def test_spans_surely_inside_words_are_those_that_are_no_whole_words(text: str) -> None:
    spans = [(start, end) for end in range(1, len(text) + 1) for start in range(end)]
    starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    for (start, end), inside in zip(
        spans, find_inside_words(text, starts, ends).tolist(), strict=True
    ):
        assert not (inside and is_whole_word(text, start, end))
        assert inside or has_unspaced_script(text) or is_whole_word(text, start, end)


def test_names_are_found_wherever_a_long_text_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Ms Brisca Tolm came. Then TOLM left, and the tolms with Tolm. " * 3
    document = Document(text)
    known = [document.mention(0, 14, EntityType.PERSON)]
    [at_once] = RuleLinker().link(document, known)
    for stretch in (1, 7, 20, 64):
        monkeypatch.setattr("maskwise.link.propagate.STRETCH", stretch)
        [in_parts] = RuleLinker().link(document, known)
        assert in_parts == at_once
    assert [m.text for m in at_once.mentions[:3]] == ["Ms Brisca Tolm", "TOLM", "Tolm"]


def test_initials_of_a_full_name_are_found(groups):
    text = "[PERSON Imelda Estévez] came at 5 I.E. The file is signed I.E. and not R.I.E.N."
    assert groups(text) == [["Imelda Estévez", "I.E."]]


def test_letters_that_mean_something_to_everybody_are_no_initials(groups):
    assert groups("[PERSON Ulla Sandberg] left the U.S. today.") == [["Ulla Sandberg"]]


def test_a_given_name_that_is_a_place_is_found_where_it_reads_as_a_person(groups):
    text = "[PERSON German Soto] came. Colleagues like German, but no German law. Ask Georgia."
    assert groups(text) == [["German Soto", "German"]]
