"""Texts that a user lists are found wherever they stand, and each belongs to an entity that is masked."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.errors import PolicyError
from maskwise.link.listed import ListedTexts, mark_listed
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, EntityType, IdentifierType, Provenance

RULES = {"name": "rules", "detectors": [{"kind": "patterns"}]}


@pytest.mark.parametrize(
    ("listed", "text", "found"),
    [
        ("parrot", "A Parrot; two parrots; PARROT.", ["Parrot", "PARROT"]),
        (
            "Blue Heron",
            "the blue-heron,\nBLUE\n HÉRON and Blueheron",
            ["blue-heron", "BLUE\n HÉRON"],
        ),
        ("O'Neill", "O’Neill’s house", ["O’Neill"]),
        ("27961/02", "no. 27961/02, not 127961/02", ["27961/02"]),
        ("黄义达", "他是黄义达。", ["黄义达"]),
        ("Cafe\u0301", "the cafe\u0301 and CAFÉ", ["cafe\u0301", "CAFÉ"]),
        ("word " * 60, "x " + "Word " * 60 + "y", [("Word " * 60).strip()]),
    ],
)
def test_case_accents_and_signs_do_not_matter_but_words_are_whole(listed, text, found):
    assert [text[start:end] for start, end in ListedTexts([listed]).find(text)] == found


def test_of_two_that_overlap_the_longer_is_found_and_both_count_as_seen():
    listed = ListedTexts(["grey heron", "heron", "heron lake", "swan"])
    assert listed.find("A grey heron lake.") == [(2, 12)]
    assert listed.unseen == ("swan",)


WORDS = st.lists(st.sampled_from(["ana", "Bo", "ÉVA", "7", "x-y"]), min_size=1, max_size=8)


@settings(deadline=None)
@given(WORDS, st.sampled_from([" ", "  ", ", ", "\n", "-"]), st.data())
def test_whatever_stands_in_a_text_is_found_in_it(words, gap, data):
    text = gap.join(words)
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, len(words) - 1))
    listed = ListedTexts([" ".join(words[first : last + 1]).upper()])
    places = listed.find(text)
    assert places
    assert listed.unseen == ()
    assert all(a[1] <= b[0] for a, b in pairwise(places))


def make_entity(document, text, kind, identifier=IdentifierType.QUASI):
    at = document.text.index(text)
    mention = document.mention(at, at + len(text), kind, source="neural")
    return Entity("x", kind, (mention,), identifier)


def mark(document, entities, *listed):
    found = mark_listed(document, entities, ListedTexts(listed).find(document.text))
    return [(entity.type, [(m.text, m.source) for m in entity.mentions]) for entity in found]


def test_a_mention_around_a_place_is_marked_as_a_whole():
    document = Document("At the University of Oslo.")
    entity = make_entity(document, "University of Oslo", EntityType.ORG)
    assert mark(document, [entity], "oslo") == [
        (EntityType.ORG, [("University of Oslo", Provenance.LISTED)])
    ]


def test_a_mention_inside_a_place_becomes_part_of_it_unless_it_is_direct():
    document = Document("The Bank of Oslo and Oslo.")
    entity = make_entity(document, "Oslo", EntityType.LOC)
    assert mark(document, [entity], "Bank of Oslo") == [
        (EntityType.MISC, [("Bank of Oslo", Provenance.LISTED)])
    ]
    direct = make_entity(document, "Oslo", EntityType.LOC, IdentifierType.DIRECT)
    assert mark(document, [direct], "Bank of Oslo") == [
        (EntityType.MISC, [("Bank of", Provenance.LISTED)]),
        (EntityType.LOC, [("Oslo", Provenance.LISTED)]),
    ]


def test_a_place_that_cuts_across_a_mention_is_covered():
    document = Document("The Grey Heron Lake House.")
    entity = make_entity(document, "Grey Heron", EntityType.ORG)
    assert mark(document, [entity], "heron lake") == [
        (EntityType.ORG, [("Grey Heron", Provenance.LISTED)]),
        (EntityType.MISC, [("Lake", Provenance.LISTED)]),
    ]


def test_further_places_join_the_entity_of_the_same_words():
    document = Document("Larkby, LARKBY and bees, bees.")
    entity = make_entity(document, "Larkby", EntityType.LOC)
    found = mark(document, [entity], "larkby", "bees")
    assert [(kind, [text for text, _ in mentions]) for kind, mentions in found] == [
        (EntityType.LOC, ["Larkby", "LARKBY"]),
        (EntityType.MISC, ["bees", "bees"]),
    ]


@pytest.mark.parametrize("decide", [{"kind": "optimal"}, {"kind": "thresholds"}])
def test_the_policy_masks_a_text_that_nothing_detects(decide):
    text = "She kept bees. The Bees of Larkby."
    sanitizer = Sanitizer(Policy.parse({**RULES, "decide": decide, "must_mask": ["bees", "owl"]}))
    result = sanitizer.sanitize(text)
    assert result.text == "She kept [MISC 1]. The [MISC 1] of Larkby."
    assert result.plan.decisions[0].reasons == ("its text is in the policy's must_mask",)
    assert sanitizer.unseen == ("owl",)


def test_the_key_of_the_solver_works_alike():
    policy = Policy.parse({**RULES, "decide": {"kind": "optimal", "must_mask": ["kept bees"]}})
    assert Sanitizer(policy).sanitize("She kept bees.").text == "She [MISC 1]."


def test_a_code_keeps_its_whole_mask():
    policy = Policy.parse({**RULES, "must_mask": ["example"]})
    assert Sanitizer(policy).sanitize("Mail ana@example.org now.").text == "Mail [CODE 1] now."


def test_a_text_without_a_letter_is_refused():
    with pytest.raises(PolicyError, match="must_mask: text 2 has neither a letter nor a digit"):
        Policy.parse({**RULES, "must_mask": ["bees", "--"]})
