"""Phrases in the line: nothing changes because of them until something asks for a mask."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.decide import OptimalSolver, ThresholdSolver
from maskwise.detect.phrases import PhraseDetector
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, EntityType, Evidence, Person
from maskwise.text.plain_words import is_plain
from maskwise.text.tokens import WORD

LETTER = (Path(__file__).parent.parent / "examples" / "letter.txt").read_text("utf-8")
PIECES = (
    """
Mr John Smith|Smith|the first woman in|Oslo|drowned|on 3 May 1971|Acme Ltd ("Acme")|Acme|salmon farm|aged 47
two women|who held|that licence|+47 22 22 22 22|is named after him|and|.|,|one of|a widow's|in the county|plumber
""".strip()
    .replace("\n", "|")
    .split("|")
)
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=25).map(" ".join)


def build(phrases: bool, **keys: object) -> Sanitizer:
    """A line of rules, with or without phrases; the detector is added by hand, as a policy would name it last."""
    sanitizer = Sanitizer(Policy.parse({"name": "rules", "protect": ["John Smith"], **keys}))
    if phrases:
        detector = PhraseDetector()
        sanitizer._detectors.detectors.append(detector)
    return sanitizer


PLAIN, FULL = build(False), build(True)


class Listening:
    """An indicator that remembers whom it was asked about and calls nothing risky."""

    name = "listening"

    def __init__(self) -> None:
        self.asked: list[Entity] = []

    def assess(self, document: Document, entities: Sequence[Entity]) -> list[Evidence]:
        self.asked += entities
        return []


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_all_else_is_the_same_with_and_without_phrases(text: str) -> None:
    document = Document(text, protected=(Person("John Smith"),))
    without, with_phrases = PLAIN.sanitize(document), FULL.sanitize(document)
    others = [entity for entity in with_phrases.entities if not entity.is_candidate]
    assert others == list(without.entities)
    assert with_phrases.masks == without.masks
    assert with_phrases.text == without.text
    assert with_phrases.risk == without.risk
    told, expected = with_phrases.to_json(), without.to_json()
    assert told.pop("coverage") != expected.pop("coverage")
    assert told == expected


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_every_word_that_is_not_plain_can_be_hidden(text: str) -> None:
    entities = FULL.entities(text)
    covered = {at for e in entities for m in e.mentions for at in range(*m.span)}
    for found in WORD.finditer(text):
        assert is_plain(found.group()) or covered & set(range(*found.span()))


def test_the_letter_has_its_telling_phrase() -> None:
    found = {m.text for e in FULL.entities(LETTER) if e.is_candidate for m in e.mentions}
    assert "held that licence in the county" in found


def test_no_indicator_is_asked_about_candidates() -> None:
    sanitizer = build(True)
    indicator = Listening()
    sanitizer._indicators.append(indicator)
    result = sanitizer.sanitize("Mr John Smith ran a salmon farm in Oslo.")
    assert any(entity.is_candidate for entity in result.entities)
    assert indicator.asked
    assert not any(entity.is_candidate for entity in indicator.asked)


def test_must_mask_names_a_candidate() -> None:
    policy = {"decide": {"kind": "optimal", "must_mask": ["Salmon farm"]}}
    result = build(True, **policy).sanitize("He ran a salmon farm. The salmon farm burned.")
    assert result.text == "He ran a [MISC 1]. The [MISC 1] burned."
    assert [len(e.mentions) for e in result.findings] == [2]


@pytest.mark.parametrize(
    "solver",
    [
        ThresholdSolver(),
        ThresholdSolver({EntityType.MISC: 0}),
        ThresholdSolver(subtypes={"phrase": 0}, default=0),
        OptimalSolver(default=0, bound=0.01),
    ],
)
def test_a_candidate_stays_whatever_the_thresholds(solver: ThresholdSolver | OptimalSolver) -> None:
    document = Document("She drowned.")
    [entity] = FULL.entities(document)
    assert entity.is_candidate
    [decision] = solver.solve(document, [entity], []).decisions
    assert not decision.masked
    assert decision.reasons == ("a phrase stays unless the risk in a crowd asks for it",)


@pytest.mark.parametrize("solver", [ThresholdSolver(default=2), OptimalSolver(default=2)])
def test_a_candidate_that_is_risky_alone_or_with_others_is_masked(
    solver: ThresholdSolver | OptimalSolver,
) -> None:
    document = Document("She drowned near the salmon farm.")
    one, other = FULL.entities(document)
    alone = [Evidence((one.id,), 0.9, 0.5, True, "too few drowned", "crowd")]
    plan = solver.solve(document, [one, other], alone)
    assert [decision.masked for decision in plan.decisions] == [True, False]
    assert plan.decisions[0].reasons == ("too few drowned",)
    together = [Evidence((one.id, other.id), 0.9, 0.5, True, "too few together", "crowd")]
    plan = solver.solve(document, [one, other], together)
    assert [decision.masked for decision in plan.decisions] == [True, False]  # the shorter one


def test_safe_evidence_keeps_a_candidate() -> None:
    document = Document("She drowned.")
    [entity] = FULL.entities(document)
    safe = [Evidence((entity.id,), 0.1, 0.5, False, "many drowned", "crowd")]
    assert not ThresholdSolver(default=0).solve(document, [entity], safe).decisions[0].masked
