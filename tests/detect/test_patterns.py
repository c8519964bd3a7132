"""Every family keeps the promises of its own tables, and no text makes the engine stumble."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.detect.merge import merge_mentions
from maskwise.detect.patterns import Engine, Family, PatternDetector, Rule, engine, list_families
from maskwise.detect.patterns._checksums import Scheme
from maskwise.detect.patterns._national_schemes import SCHEMES
from maskwise.detect.patterns._outline import draw_outline
from maskwise.detect.patterns.engine import Hit, drop_covered
from maskwise.text import Document, EntityType

ALL = Engine(list_families())
POSITIVE = [
    pytest.param(f, text, spans, id=f"{f.name}-{i}")
    for f in list_families()
    for i, (text, spans) in enumerate(f.positive)
]
NEGATIVE = [
    pytest.param(f, text, id=f"{f.name}-{i}")
    for f in list_families()
    for i, text in enumerate(f.negative)
]


def found(family: Family, text: str) -> tuple[str, ...]:
    document = Document(text)
    hits = Engine([family]).find(text)
    return tuple(
        m.text
        for m in merge_mentions(
            document.mention(
                h.start,
                h.end,
                h.rule.type,
                subtype=h.rule.name,
                score=h.rule.score,
                certain=h.rule.certain,
            )
            for h in hits
        )
    )


@pytest.mark.parametrize(("family", "text", "spans"), POSITIVE)
def test_positive_examples_give_exactly_their_spans(
    family: Family, text: str, spans: tuple[str, ...]
) -> None:
    assert found(family, text) == spans


@pytest.mark.parametrize(("family", "text"), NEGATIVE)
def test_negative_examples_give_nothing(family: Family, text: str) -> None:
    assert found(family, text) == ()


@pytest.mark.parametrize("family", list_families(), ids=lambda f: f.name)
def test_examples_are_found_in_the_middle_of_a_long_text(family: Family) -> None:
    for text, _ in family.positive[:3]:
        padded = f"{'and so on ' * 300}\n\n{text}\n\n{' and so on' * 300}"
        assert found(family, padded) == found(family, f"\n\n{text}\n\n")


@pytest.mark.parametrize("family", list_families(), ids=lambda f: f.name)
def test_every_family_has_examples_of_both_kinds(family: Family) -> None:
    assert family.rules
    assert family.positive
    assert family.negative


@pytest.mark.parametrize("family", list_families(), ids=lambda f: f.name)
def test_triggers_are_folded(family: Family) -> None:
    assert all(t and t == t.lower() for rule in family.rules for t in rule.triggers)


def test_family_names_are_unique_and_a_subtype_has_one_type() -> None:
    """A rule's name is the subtype of its mentions: several rules may share it, but never across types."""
    names = [f.name for f in list_families()]
    assert sorted(set(names)) == sorted(names)
    types = {(r.name, r.type) for f in list_families() for r in f.rules}
    assert len({name for name, _ in types}) == len(types)


def test_detector_restricts_to_the_families_of_a_policy() -> None:
    document = Document("Write to ana@example.org from 192.0.2.1")
    [only] = PatternDetector(only=["email"]).detect([document])
    assert [m.text for m in only.mentions] == ["ana@example.org"]
    [without] = PatternDetector(without=["email", "handle", "url"]).detect([document])
    assert [m.subtype for m in without.mentions] == ["ipv4"]
    assert without.read == len(document)


@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_a_national_number_with_a_wrong_check_digit_is_refused(scheme: Scheme) -> None:
    head, last = scheme.example[:-1], scheme.example[-1]
    others = "0123456789" if last.isdecimal() else "ABCDEFGHJK"
    wrong = [head + sign for sign in others if sign != last and not scheme.is_valid(head + sign)]
    assert (
        wrong or not scheme.checksum or scheme.name == "au_medicare"
    )  # whose last digit is no check digit
    [family] = (f for f in list_families() if f.name == "national_id")
    for number in wrong[:1]:
        assert found(family, f"{scheme.words.split('|')[0]} {number}") == ()


def test_only_a_check_digit_makes_a_national_number_certain() -> None:
    texts = {"ssn 899-71-5636": False, "AB 99 15 42 C": False, "personal code 37605030299": True}
    for text, certain in texts.items():
        [mention] = PatternDetector(only=["national_id"]).detect([Document(text)])[0].mentions
        assert mention.certain is certain


@pytest.mark.parametrize("family", ["legal", "relative_date"])
def test_what_a_family_reads_in_small_letters_it_reads_in_capitals(family: str) -> None:
    [chosen] = (f for f in list_families() if f.name == family)
    detector = PatternDetector(only=(family,))

    def read(text: str) -> list[tuple[int, int]]:
        return [m.span for m in detector.detect([Document(text)])[0].mentions]

    texts = [text for text, _ in chosen.positive if text.islower() and " " in text]
    assert len(texts) > 3
    for text in texts:
        assert read(text) == read(text.upper()), text


def test_no_rule_is_compiled_before_it_is_tried() -> None:
    [email] = (f for f in list_families() if f.name == "email")
    fresh = [replace(rule) for rule in email.rules]
    Engine([replace(email, rules=tuple(fresh))]).find("nothing to see here")
    assert not any("compiled" in vars(rule) for rule in fresh if rule.triggers)


def test_texts_with_and_without_further_capitals_are_read_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    texts = [text for family in list_families() for text, _ in family.positive]
    plain = [text for text in texts if not engine._BEYOND_WESTERN.search(text)]
    assert 400 < len(plain) < len(texts)
    western = [ALL.find(text) for text in plain]
    monkeypatch.setattr(engine, "_BEYOND_WESTERN", re.compile(""))
    assert [ALL.find(text) for text in plain] == western


def test_the_outline_tells_where_words_begin() -> None:
    assert draw_outline("In 1998 he paid €5 to AB12-C.") == b"Aa 1000 aa aaaa $1 aa AB00-A."
    assert draw_outline("Élan 5\n№ x_9 – \U0001f600") == b"Aaaa 1 ~ a_0 - ~"
    assert draw_outline("") == b""


@given(st.text(max_size=60))
def test_the_outline_has_a_sign_for_every_character(text: str) -> None:
    assert len(draw_outline(text)) == len(text)


def test_hits_inside_another_are_dropped_unless_something_else_is_in_reach() -> None:
    inner, outer, sure = (
        replace(rule("x").rules[0], score=s, certain=c) for s, c in ((0.9, 0), (0.5, 0), (0.5, 1))
    )
    assert drop_covered([Hit(2, 4, inner), Hit(0, 9, outer), Hit(9, 10, inner)]) == [
        Hit(0, 9, outer),
        Hit(9, 10, inner),
    ]
    assert drop_covered([Hit(0, 9, outer), Hit(0, 9, inner)]) == [Hit(0, 9, inner)]
    for group in (
        [Hit(0, 5, outer), Hit(1, 3, inner), Hit(4, 8, inner)],
        [Hit(0, 9, outer), Hit(2, 4, sure)],
    ):
        assert drop_covered(group) == group


NOISE = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("0123456789+-/.:@#()[] İno.ACx§°€\n")),
    max_size=200,
)
SNIPPETS = st.lists(
    st.one_of(NOISE, st.sampled_from([text for f in list_families() for text, _ in f.positive])),
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(SNIPPETS)
def test_any_unicode_gives_hits_inside_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    for hit in ALL.find(text):
        assert 0 <= hit.start < hit.end <= len(text)


@settings(max_examples=50, deadline=None)
@given(SNIPPETS)
def test_the_same_text_gives_the_same_hits(parts: list[str]) -> None:
    text = " ".join(parts)
    assert [h[:2] for h in ALL.find(text)] == [h[:2] for h in ALL.find(text)]


def rule(regex: str, **options: object) -> Family:
    return Family("test", (Rule("test", EntityType.CODE, regex, **options),), ())  # type: ignore[arg-type]


def test_edge_of_a_region_cuts_no_match() -> None:
    family = rule(r"id(?: x)*", triggers=("id",), reach=10)
    assert found(family, "id" + " x" * 5) == ("id" + " x" * 5,)
    start = rule(r"[a-z-]+@", triggers=("@",), reach=4)
    assert found(start, "go long-word-before@") == ("long-word-before@",)


def test_lookahead_sees_beyond_the_region() -> None:
    family = rule(r"id [0-9]{2}(?![0-9])", triggers=("id",), reach=5)
    assert found(family, "id 12") == ("id 12",)
    assert found(family, "id 123") == ()


def test_far_triggers_give_separate_regions_and_no_match_between() -> None:
    family = rule(r"[0-9]+", triggers=("id",), reach=8)
    assert found(family, f"id 1 {'.' * 100} 2 {'.' * 100} id 3") == ("1", "3")


@pytest.mark.parametrize(
    "unit", ["1", "a", "@", " ", "1-", "1 ", "A1", "no. ", "1/", ".", "(1", "\\", "http://", "é"]
)
def test_time_is_linear_in_the_text(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        begin = time.process_time()
        ALL.find(text)
        return time.process_time() - begin

    seconds(20_000)  # compiles what the text needs
    assert seconds(160_000) < 32 * max(
        seconds(20_000), 0.02
    )  # quadratic time would take 64 times as long


def test_regexes_have_no_mention_group_that_can_be_empty() -> None:
    for family in list_families():
        for r in family.rules:
            assert not re.compile(r.regex, r.flags).fullmatch(""), r.name
