"""Candidates: what is left of phrases beside names, which of them are one, and that the others stay as they are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.detect.phrases import PhraseDetector
from maskwise.link.candidates import add_candidates
from maskwise.text import Document, Entity, EntityType, Provenance
from maskwise.text.plain_words import is_plain
from maskwise.text.tokens import WORD


def candidates(marked: str) -> list[list[str]]:
    """The texts of the candidates of a text in which names stand in braces."""
    document = Document(re.sub(r"[{}]", "", marked))
    entities: list[Entity] = []
    for number, found in enumerate(re.finditer(r"\{(.*?)\}", marked)):
        start = found.start() - 2 * number
        mention = document.mention(start, start + len(found[1]), EntityType.LOC, source="neural")
        entities.append(Entity(f"e{number + 1}", EntityType.LOC, (mention,)))
    [detection] = PhraseDetector().detect([document])
    linked = add_candidates(entities, detection.mentions)
    assert linked[: len(entities)] == entities
    return [[m.text for m in entity.mentions] for entity in linked[len(entities) :]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a salmon farm", [["salmon farm"]]),
        ("a {salmon farm}", []),
        ("a salmon {farm}", [["salmon"]]),
        ("the 38th {Governor}", [["38th"]]),
        ("the {38}th Governor", [["Governor"]]),
        ("one of {two women} who held that licence", [["held that licence"]]),
        ("the only woman in {Norway}", [["only woman"]]),
        ("the first {Oslo} pilot in the county", [["first"], ["pilot in the county"]]),
        ("an {Oxford}-educated bodybuilder", [["educated bodybuilder"]]),
        ("the widow's {London} cottage", [["widow"], ["cottage"]]),
        ("a street named after {him}", [["street"], ["named"]]),
        ("a year in {Porto}", []),
        (
            "Surgery flopped. More SURGERY, then surgery.",
            [["Surgery", "SURGERY", "surgery"], ["flopped"]],
        ),
        ("a café, a cafe", [["café", "cafe"]]),
    ],
)
def test_what_is_left_of_phrases(text: str, expected: list[list[str]]) -> None:
    assert candidates(text) == expected


def test_a_candidate_is_known_by_its_mentions_alone() -> None:
    document = Document("She drowned and drowned.")
    phrase = document.mention(4, 11, EntityType.MISC, source=Provenance.PHRASES)
    other = document.mention(16, 23, EntityType.MISC, source=Provenance.LINK)
    assert Entity("p1", EntityType.MISC, (phrase,)).is_candidate
    assert not Entity("e1", EntityType.MISC, (other,)).is_candidate
    assert not Entity("e1", EntityType.MISC, (phrase, other)).is_candidate


@st.composite
def linked_texts(draw: st.DrawFn) -> tuple[Document, list[Entity]]:
    words = "the first woman of Oslo county who drowned one two surgery salmon-farm widow's was in x_y 38th".split()
    text = " ".join(draw(st.lists(st.sampled_from(words), min_size=1, max_size=20)))
    document = Document(text)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    entities = []
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        mention = document.mention(start, end, EntityType.LOC, source="neural")
        entities.append(Entity(f"e{start}", EntityType.LOC, (mention,)))
    return document, entities


@given(linked_texts())
def test_candidates_hold_what_others_leave(case: tuple[Document, list[Entity]]) -> None:
    document, entities = case
    [detection] = PhraseDetector().detect([document])
    linked = add_candidates(entities, detection.mentions)
    assert linked[: len(entities)] == entities
    assert all(entity.is_candidate for entity in linked[len(entities) :])
    assert len({entity.id for entity in linked}) == len(linked)
    owners = [0] * len(document)
    for entity in linked:
        for mention in entity.mentions:
            for at in range(*mention.span):
                owners[at] += 1
    assert max(owners) <= 1
    for found in WORD.finditer(document.text):
        if not is_plain(found.group()):
            assert any(owners[found.start() : found.end()])
