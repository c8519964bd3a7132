"""One rule for overlaps: strength decides, and nothing that could identify becomes visible."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.detect.merge import merge_mentions
from maskwise.text import Document, EntityType

P, C, G, D, L = (
    EntityType.PERSON,
    EntityType.CODE,
    EntityType.ORG,
    EntityType.DATETIME,
    EntityType.LOC,
)
DOC = Document(
    "Mr J. van der Berg of Berg & Partners LLP came on 12 March 1998 from IT60X0542811101000000123456."
)


def find(text, kind, **attributes):
    start = DOC.text.index(text)
    return DOC.mention(start, start + len(text), kind, **attributes)


def merged(*mentions, order=("a", "b")):
    return [(m.text, m.type) for m in merge_mentions(mentions, order)]


def test_the_stronger_detector_wins():
    a, b = find("March 1998", D, source="b"), find("12 March 1998", C, source="a")
    assert merged(a, b) == [("12 March 1998", C)]


def test_a_checksum_beats_the_order():
    iban = find("IT60X0542811101000000123456", C, source="b", certain=True)
    assert merged(find("IT60X0542811101000000123456", L, source="a"), iban) == [
        ("IT60X0542811101000000123456", C)
    ]


def test_then_length_then_confidence():
    assert merged(find("March", D), find("12 March 1998", D)) == [("12 March 1998", D)]
    assert merged(find("March", D, score=0.4), find("March", P, score=0.6)) == [("March", P)]


def test_partial_overlap_of_one_type_is_united():
    assert merged(find("12 March", D), find("March 1998", D)) == [("12 March 1998", D)]


def test_a_name_does_not_become_visible_because_its_end_was_taken():
    person, organisation = find("Mr J. van der Berg", P), find("Berg of Berg & Partners LLP", G)
    assert merged(person, organisation) == [
        ("Mr J. van der", P),
        ("Berg of Berg & Partners LLP", G),
    ]


def test_small_words_of_a_loser_are_let_go():
    strong = find("Partners LLP", G, source="a")
    assert merged(find("of Berg & Partners LLP", L, source="b"), strong) == [
        ("of Berg", L),
        ("Partners LLP", G),
    ]
    assert merged(
        find("came on 12 March", L, source="b"), find("12 March 1998", D, source="a")
    ) == [("12 March 1998", D)]


def test_neighbouring_names_are_one():
    assert merged(find("Mr J.", P), find("van der Berg", P)) == [("Mr J. van der Berg", P)]
    assert merged(find("Berg", P), find("Partners", P)) == [("Berg", P), ("Partners", P)]


@st.composite
def crowds(draw):
    text = draw(st.text(min_size=1, max_size=60))
    document = Document(text)
    spans = draw(
        st.lists(st.tuples(st.integers(0, len(text) - 1), st.integers(1, 12)), max_size=15)
    )
    return document, [
        document.mention(
            start,
            min(start + length, len(text)),
            draw(st.sampled_from([P, C, D])),
            source=draw(st.sampled_from("ab")),
            certain=draw(st.booleans()),
            score=draw(st.sampled_from([0.2, 0.9])),
        )
        for start, length in spans
    ]


@given(crowds(), st.randoms())
def test_never_two_on_one_character_whatever_the_order(case, random):
    _, mentions = case
    result = merge_mentions(mentions, ["a", "b"])
    assert all(left.end <= right.start for left, right in pairwise(result))
    random.shuffle(mentions)
    assert [m.span for m in merge_mentions(mentions, ["a", "b"])] == [m.span for m in result]


@given(crowds())
def test_every_identifying_character_stays_covered(case):
    document, mentions = case
    covered = {i for m in merge_mentions(mentions, ["a", "b"]) for i in range(m.start, m.end)}
    for mention in mentions:
        for i in range(mention.start, mention.end):
            if document.text[i].isdigit() or (
                document.text[i].isupper() and document.text[i].isascii()
            ):
                assert i in covered


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a"), ()])
def test_empty(order):
    assert merge_mentions([], order) == []


def test_parts_that_span_a_weaker_whole_give_way_to_it():
    doc = Document("She was aged 47 then.")
    whole = doc.mention(8, 15, EntityType.DEM, source="b", subtype="age")
    parts = [doc.mention(8, 12, D, source="a"), doc.mention(13, 15, D, source="a")]
    assert [(m.text, m.subtype) for m in merge_mentions([*parts, whole], ("a", "b"))] == [
        ("aged 47", "age")
    ]


def test_a_whole_takes_no_part_that_names_the_person_and_needs_both_ends():
    doc = Document("Ana Souza Street 5")
    whole = doc.mention(0, 18, L, source="b", subtype="place")
    name, street = (
        doc.mention(0, 9, P, source="a", subtype="direct"),
        doc.mention(10, 18, L, source="a"),
    )
    assert [m.text for m in merge_mentions([name, street, whole], ("a", "b"))] == [
        "Ana Souza",
        "Street 5",
    ]
    inner = doc.mention(10, 16, L, source="a")
    assert [
        m.text for m in merge_mentions([doc.mention(0, 9, P, source="a"), inner, whole], ("a", "b"))
    ] == [
        "Ana Souza",
        "Street",
        "5",
    ]


def test_a_code_without_a_space_is_not_what_stands_inside_it():
    doc = Document("see docs.northwind.org, or northwind org")
    host = doc.mention(4, 22, EntityType.CODE, source="b", subtype="url_bare")
    inside = doc.mention(9, 18, EntityType.ORG, source="a")
    assert [m.text for m in merge_mentions([inside, host], ("a", "b"))] == ["docs.northwind.org"]
    name = doc.mention(9, 18, P, source="a", subtype="direct")
    assert [m.text for m in merge_mentions([name, host], ("a", "b"))] == ["docs.northwind.org"]
    spaced = doc.mention(27, 40, EntityType.CODE, source="b")
    part = doc.mention(27, 36, EntityType.ORG, source="a")
    assert [m.text for m in merge_mentions([part, spaced], ("a", "b"))] == ["northwind"]


NOTE = Document(
    "Later Else Moe wrote. A. Gimenez read it. Signed F.C. Later Rosa Kettler left. Rosa Kettler slept."
)


def mark(text, kind, at=0, **attributes):
    start = NOTE.text.index(text, at)
    return NOTE.mention(start, start + len(text), kind, source="neural", **attributes)


def test_a_word_that_opens_a_sentence_is_no_given_name():
    both = [mark("Later", P), mark("Else Moe", P)]
    assert [m.text for m in merge_mentions(both)] == ["Else Moe"]


def test_an_initial_and_its_surname_are_one_name():
    both = [mark("A", P), mark("Gimenez", P)]
    assert [m.text for m in merge_mentions(both)] == ["A. Gimenez"]


def test_a_surname_after_an_initial_is_a_person_where_a_pattern_reads_one():
    text = "A. Gimenez"
    start = NOTE.text.index(text)
    read = NOTE.mention(start, start + len(text), P, subtype="initial_surname", source="patterns")
    found = merge_mentions([mark("Gimenez", G), read], ("neural", "patterns"))
    assert [(m.text, m.type) for m in found] == [(text, P)]


@pytest.mark.parametrize("kind", [P, G])
def test_initials_end_with_their_last_stop(kind):
    assert [m.text for m in merge_mentions([mark("F.C", kind)])] == ["F.C."]


def test_a_known_name_after_an_opening_word_is_a_person():
    both = [mark("Later Rosa Kettler", G), mark("Rosa Kettler", P, NOTE.text.index("slept") - 14)]
    assert [(m.text, m.type) for m in merge_mentions(both)] == [("Rosa Kettler", P)] * 2
