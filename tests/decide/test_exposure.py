"""Exposure: one number for the evidence that stays visible, which masking more never raises."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.decide.problem import Option, Problem
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType
from maskwise.text.exposure import measure_hazards, scale_exposure

DOC = Document("Ana Souza of Porto in 1921")
ANA = Entity(
    "ana", EntityType.PERSON, (DOC.mention(0, 9, EntityType.PERSON),), IdentifierType.DIRECT
)
TOWN = Entity("town", EntityType.LOC, (DOC.mention(13, 18, EntityType.LOC),))
YEAR = Entity("year", EntityType.DATETIME, (DOC.mention(22, 26, EntityType.DATETIME),))
ALL = (ANA, TOWN, YEAR)
PLACES = {entity.id: at for at, entity in enumerate(ALL)}
ROUNDING = 1e-12
SHARES = st.tuples(*[st.sampled_from([0.0, 0.3, 0.7, 1.0])] * len(ALL))


def say(indicator, score, *entities):
    return Evidence(entities, score, 0.5, score >= 0.5, f"scores {score}", indicator)


def expose(evidence, visible):
    """The exposure of a plan that leaves these shares of the entities visible."""
    options = tuple((Option(0, 1 - share, share == 0),) for share in visible)
    hazards = measure_hazards(ALL, evidence)
    placed = tuple((tuple(PLACES[e] for e in one.entities), one) for one in hazards)
    return scale_exposure(Problem(options, (), placed).measure_exposure((0,) * len(ALL)))


@st.composite
def evidence_of_some(draw):
    ids = st.sets(st.sampled_from(sorted(PLACES)), min_size=1)
    subjects = ids.map(lambda one: tuple(sorted(one)))
    number = st.floats(-10, 10) | st.floats(0, 1)
    names = st.sampled_from(["a", "b"])
    make = st.builds(Evidence, subjects, number, number, st.booleans(), st.just(""), names)
    return draw(st.lists(make, max_size=8))


@given(evidence_of_some(), SHARES, SHARES)
def test_masking_or_generalising_more_never_raises_it(evidence, one, other):
    less = tuple(map(min, one, other))
    values = [expose(evidence, shares) for shares in (less, one, (1.0, 1.0, 1.0))]
    assert all(a <= b + ROUNDING for a, b in pairwise([0.0, *values, 1.0]))


@given(evidence_of_some())
def test_nothing_visible_exposes_nothing(evidence):
    assert expose(evidence, (0.0, 0.0, 0.0)) == 0


@given(evidence_of_some(), st.floats(0, 1))
def test_more_evidence_about_a_new_subject_never_lowers_it(evidence, score):
    before = [item for item in evidence if item.entities != ("town", "year")]
    after = [*before, say("web", score, "town", "year")]
    assert expose(before, (0.0, 0.7, 1.0)) <= expose(after, (0.0, 0.7, 1.0)) + ROUNDING


def test_exposure_by_hand():
    evidence = [
        say("web", 0.75, "town", "year"),
        say("sequence", 0.25, "town"),
        say("sequence", 0.1, "year"),
    ]
    assert expose(evidence, (1.0, 1.0, 1.0)) == pytest.approx(1.0, abs=1e-5)
    alone = (1 - 0.05 * 0.25) * (1 - 0.05 * 0.1)
    assert expose(evidence, (0.0, 1.0, 1.0)) == pytest.approx(1 - (1 - 0.5 * 0.75) * alone)
    third = (1 - 0.05 * 0.25 * 0.3) * (1 - 0.05 * 0.1)
    assert expose(evidence, (0.0, 0.3, 1.0)) == pytest.approx(1 - (1 - 0.5 * 0.75 * 0.3) * third)


def test_a_combination_that_nobody_calls_risky_weighs_as_little_as_one_entity():
    evidence = [say("web", 0.4, "town", "year"), say("web", 0.0, "town"), say("web", 0.0, "year")]
    assert expose(evidence, (0.0, 1.0, 1.0)) == pytest.approx(0.05 * 0.4)
