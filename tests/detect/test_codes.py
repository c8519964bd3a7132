"""Codes stay codes: whatever a model says around one, it ends as a CODE that is masked."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise import Sanitizer
from maskwise.decide.rules import MaskingRules, can_generalise
from maskwise.detect.codes import is_rich
from maskwise.detect.merge import merge_mentions
from maskwise.link.linker import RuleLinker
from maskwise.policy import Policy, list_shipped
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType
from maskwise.text.subtypes import DIGITS

BEFORE, CODE, AFTER = "On 3 May 1998 Ana called ", "KX-555 0123", " from Oslo, 40 km away."
TEXT = BEFORE + CODE + AFTER
SPAN = range(len(BEFORE), len(BEFORE + CODE))
SUBTYPES = ["phone", "record", "plate", "us_ssn", "url", "secret_token", "digits", "numbered"]
POLICIES = [Policy.load(name) for name in list_shipped()]


@st.composite
def guesses(draw):
    """A code that a pattern sees, and anything that a model might say of the text around it."""
    document = Document(TEXT)
    found = [
        document.mention(
            SPAN.start, SPAN.stop, EntityType.CODE, source="patterns", subtype=draw(subtypes)
        )
    ]
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(TEXT) - 1))
        end = draw(st.integers(start + 1, len(TEXT)))
        kind = draw(st.sampled_from(list(EntityType)))
        named = draw(st.sampled_from(["", "direct"]))
        score = draw(st.floats(0, 1))
        found.append(
            document.mention(start, end, kind, source="neural", subtype=named, score=score)
        )
    return document, found


subtypes = st.sampled_from(SUBTYPES)


@given(guesses(), st.randoms())
def test_a_code_that_a_pattern_supports_is_masked_as_one_whatever_a_model_says(case, random):
    document, found = case
    random.shuffle(found)
    entities = RuleLinker().link(
        document, merge_mentions(found, ["neural", "patterns", "gazetteer"])
    )
    covered = {
        at: entity
        for entity in entities
        for m in entity.mentions
        for at in range(m.start, m.end)
        if at in SPAN
    }
    assert set(covered) >= {at for at in SPAN if TEXT[at].isalnum()}
    for entity in covered.values():
        assert entity.type is EntityType.CODE
        assert entity.identifier is IdentifierType.DIRECT
        assert not can_generalise(entity)
        safe = Evidence((entity.id,), 0.0, 0.5, False, "nobody would mask it", "sequence")
        for policy in POLICIES:
            rules = MaskingRules(
                *(policy.decide.get(name) for name in ("thresholds", "subtypes", "default"))
            )
            assert rules.judge(entity, []).masked, policy.name
            assert rules.judge(entity, [safe]).masked, policy.name


def test_a_policy_keeps_a_code_only_by_the_name_of_its_subtype():
    document = Document("see https://example.org/x today")
    entity = Entity(
        "e1",
        EntityType.CODE,
        (document.mention(4, 25, EntityType.CODE, subtype="url_bare"),),
        IdentifierType.DIRECT,
    )
    assert MaskingRules(default=2.0, thresholds={EntityType.CODE: 2.0}).judge(entity, []).masked
    assert not MaskingRules(subtypes={"url": 2.0}).judge(entity, []).masked
    assert MaskingRules(subtypes={"url": 0.9}).judge(entity, []).masked


@pytest.mark.parametrize(
    ("text", "rich"),
    [
        *(
            (text, True)
            for text in (
                "5550123",
                "555-0123",
                "KX1240",
                "00471123",
                "12 345 678",
                "SN-4471-AC",
                "65-13-09",
            )
        ),
        *(
            (text, False)
            for text in (
                "1998",
                "1997/8",
                "500,000",
                "12,500.50",
                "104.5",
                "120/80",
                "12.05.2004",
                "500mg",
            )
        ),
        *((text, False) for text in ("2004-05-12", "E11.9", "18th", "1990s", "COVID19", "MI6")),
    ],
)
def test_digits_without_a_unit(text, rich):
    assert is_rich(text) is rich


@pytest.mark.parametrize(
    "kind", [EntityType.QUANTITY, EntityType.MISC, EntityType.DATETIME, EntityType.ORG]
)
def test_a_number_that_only_a_model_saw_is_a_code_and_its_neighbours_stay(kind):
    document = Document("the pump SN-4471-AC of Harbour Steel")
    found = merge_mentions(
        [document.mention(4, 36, kind, source="neural", score=0.9)], ["neural", "patterns"]
    )
    assert [(m.text, m.type, m.subtype) for m in found if m.type is EntityType.CODE] == [
        ("SN-4471-AC", EntityType.CODE, DIGITS)
    ]
    assert {m.type for m in found} == {EntityType.CODE, kind}


def test_an_amount_a_date_and_a_law_stay_what_they_are():
    document = Document("EUR 500000 on 12.05.2004 under Law no. 999/1993")
    quantity = document.mention(0, 10, EntityType.QUANTITY, source="neural")
    money = document.mention(0, 10, EntityType.QUANTITY, source="patterns", subtype="money")
    date = document.mention(14, 24, EntityType.DATETIME, source="neural")
    law = document.mention(31, 47, EntityType.MISC, source="patterns", subtype="legal_reference")
    number = document.mention(39, 47, EntityType.CODE, source="patterns", subtype="numbered")
    found = merge_mentions([quantity, money, date, law, number], ["neural", "patterns"])
    assert [m.type for m in found] == [EntityType.QUANTITY, EntityType.DATETIME, EntityType.MISC]


def test_what_is_written_like_a_code_elsewhere_is_that_code():
    document = Document("PIN 4711; later 4711 again, and 4712 times")
    code = document.mention(4, 8, EntityType.CODE, source="patterns", subtype="record")
    again = document.mention(16, 20, EntityType.QUANTITY, source="neural")
    other = document.mention(32, 36, EntityType.QUANTITY, source="neural")
    assert [m.type for m in merge_mentions([code, again, other], ["neural", "patterns"])] == [
        EntityType.CODE,
        EntityType.CODE,
        EntityType.QUANTITY,
    ]


def test_a_code_takes_the_rest_of_its_word_and_its_extension():
    document = Document("plate 429-eez, call 5550123 ext. 12 now")
    plate = document.mention(6, 9, EntityType.CODE, source="patterns", subtype="plate")
    phone = document.mention(20, 27, EntityType.CODE, source="patterns", subtype="phone")
    assert [m.text for m in merge_mentions([plate, phone])] == ["429-eez", "5550123 ext. 12"]
    begun = document.mention(20, 31, EntityType.CODE, source="patterns", subtype="phone")
    assert [m.text for m in merge_mentions([begun])] == ["5550123 ext. 12"]


@pytest.mark.parametrize("policy", ["hipaa-safe-harbor", "research"])
def test_a_unit_on_the_next_line_makes_no_amount_of_a_code(policy):
    """The label "dl" of a licence is a unit too."""
    text = "account # : 495073-001\ndl : d1234567\naccount: 4950731\nmm: x\n"
    written = Sanitizer(policy).sanitize(text).text
    assert not any(code in written for code in ("495073-001", "d1234567", "4950731"))


def test_a_state_does_not_take_in_the_town_beside_it():
    document = Document("in Springfield, Ohio today")
    place = document.mention(3, 20, EntityType.LOC, source="neural")
    state = document.mention(16, 20, EntityType.LOC, source="patterns", subtype="state")
    assert [
        (m.text, m.subtype) for m in merge_mentions([place, state], ["neural", "patterns"])
    ] == [
        ("Springfield", ""),
        ("Ohio", "state"),
    ]


@pytest.mark.parametrize("policy", ["court", "research"])
def test_no_telephone_number_becomes_an_amount(policy):
    sanitizer = Sanitizer(policy)
    random = Random(7)
    for _ in range(20):
        number = f"{random.randint(200, 999)}-555-01{random.randint(0, 99):02}"
        for text in (
            f"He paid and left {number} behind.",
            f"{number} was all she said.",
            f"Total {number}",
        ):
            written = sanitizer.sanitize(text).text
            assert number[-4:] not in written
            assert "000" not in written


def test_a_short_code_makes_no_code_of_other_short_numbers():
    text = "Plate: KX12 ABC. He is 62 and has type 2 diabetes."
    document = Document(text)
    plate = document.mention(
        7, 15, EntityType.CODE, subtype="plate_labelled", source="patterns", score=0.9
    )
    age = document.mention(23, 25, EntityType.QUANTITY, source="neural", score=0.6)
    number = document.mention(39, 40, EntityType.MISC, source="neural", score=0.6)
    merged = merge_mentions([plate, age, number], ["neural", "patterns"])
    assert [(m.text, m.type) for m in merged] == [
        ("KX12 ABC", EntityType.CODE),
        ("62", EntityType.QUANTITY),
        ("2", EntityType.MISC),
    ]
