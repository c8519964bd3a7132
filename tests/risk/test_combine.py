"""Combining indicators: one verdict per subject, and who need not be asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.policy import Policy
from maskwise.risk.combine import KOfN, NoisyOr, Weighted, combine, find_unsettled
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType

DOC = Document("Ana Souza of Porto in 1921")
ANA = Entity(
    "ana", EntityType.PERSON, (DOC.mention(0, 9, EntityType.PERSON),), IdentifierType.DIRECT
)
TOWN = Entity("town", EntityType.LOC, (DOC.mention(13, 18, EntityType.LOC),))
YEAR = Entity("year", EntityType.DATETIME, (DOC.mention(22, 26, EntityType.DATETIME),))
ALL = (ANA, TOWN, YEAR)


def say(indicator, score, *entities, threshold=0.5):
    reason = f"scores {score}"
    return Evidence(entities or ("town",), score, threshold, score >= threshold, reason, indicator)


def combined(evidence, *arguments):
    return [e for e in combine(evidence, ALL, *arguments) if e.indicator == "combined"]


THREE = [say("sequence", 0.9), say("web", 0.6), say("probability", 0.2)]


@pytest.mark.parametrize(
    ("k", "risky", "score"), [(1, True, 0.9), (2, True, 0.6), (3, False, 0.2), (9, False, 0.2)]
)
def test_at_least_k(k, risky, score):
    [found] = combined(THREE, KOfN(k))
    assert (found.risky, found.score) == (risky, score)
    assert found.reason.startswith(f"2 of 3 indicators call it risky, which takes {min(k, 3)}")


def test_members_are_kept_and_named():
    evidence = combine(THREE, ALL, KOfN(2))
    assert evidence[:3] == THREE
    assert "sequence: scores 0.9" in evidence[3].reason
    assert "probability" not in evidence[3].reason


def test_one_voice_needs_no_combining():
    assert combined([say("sequence", 0.9), say("web", 0.9, "year")]) == []
    assert combined([say("sequence", 0.9)], Weighted(0.95)) != []


def test_weighted_mean_of_strengths():
    [found] = combined(THREE, Weighted(0.6, {"web": 2.0}))
    assert found.score == pytest.approx((0.9 + 2 * 0.6 + 0.2) / 4)
    assert not found.risky
    assert combined(THREE, Weighted(0.6, {"web": 0.0, "probability": 0.0}))[0].risky
    assert (
        combined(THREE, Weighted(0.1, dict.fromkeys(("sequence", "web", "probability"), 0.0)))[
            0
        ].score
        == 0
    )


def test_noisy_or():
    [found] = combined(THREE, NoisyOr(0.97))
    assert found.score == pytest.approx(1 - 0.1 * 0.4 * 0.8)
    assert not found.risky
    assert combined(THREE, NoisyOr(0.4, dict.fromkeys(("sequence", "web", "probability"), 0.5)))[
        0
    ].risky


DOUBT = NoisyOr(0.5, {"probability": 0.4}, {"probability": 0.75})


@pytest.mark.parametrize(
    ("first", "second", "risky"),
    [
        (0.46, [0.95], True),
        (0.46, [0.75], False),
        (0.54, [0.75], True),
        (0.54, [0.2], False),
        (0.50, [], True),  # missing, it tips nothing
        (0.49, [], False),
        (0.65, [0.0], True),  # it tips what is in doubt, and nothing else
        (0.40, [1.0], False),
    ],
)
def test_a_voice_under_its_neutral_strength_speaks_against(first, second, risky):
    said = [say("sequence", first), *(say("probability", score) for score in second)]
    assert DOUBT(said).risky is risky


def test_a_voice_with_a_neutral_strength_says_so_and_scores_stay_in_range():
    [found] = combined([say("sequence", 0.0), say("probability", 0.0)], DOUBT)
    assert found.score == 0
    assert "probability, weight 0.4, neutral at 0.75: scores 0.0" in found.reason


def test_a_rule_that_weighs_names_every_voice_with_its_weight():
    [found] = combined(
        [say("sequence", 0.46), say("web", 0.0), say("probability", 0.8)],
        NoisyOr(0.5, {"web": 0.0, "probability": 0.1}),
    )
    assert found.reason == (
        "together the indicators give 0.50 by noisy-or, which reaches 0.50 "
        "(sequence: scores 0.46; probability, weight 0.1: scores 0.8)"
    )
    [under] = combined(
        [say("sequence", 0.46), say("probability", 0.7)], NoisyOr(0.5, {"probability": 0.1})
    )
    assert under.reason.startswith(
        "together the indicators give 0.4978 by noisy-or, which is under 0.5000 ("
    )


def test_rules_by_type_and_identifier_type():
    evidence = [
        say(name, score, e)
        for e in ("ana", "town", "year")
        for name, score in (("a", 0.9), ("b", 0.1))
    ]
    by = {IdentifierType.DIRECT: KOfN(1), EntityType.PERSON: KOfN(2), EntityType.LOC: KOfN(1)}
    assert [e.risky for e in combined(evidence, KOfN(2), by)] == [True, True, False]


def test_a_combination_is_its_own_subject_in_any_order():
    evidence = [
        say("web", 0.9, "town", "year"),
        say("perturbation", 0.2, "year", "town"),
        say("web", 0.1),
    ]
    [found] = combined(evidence, KOfN(2))
    assert (found.entities, found.risky) == (("town", "year"), False)


def test_scores_of_any_scale_are_compared_by_their_threshold():
    likely = Evidence(("town",), -0.5, -3.5, False, "", "probability")
    rare = Evidence(("town",), -8.0, -3.5, True, "", "probability")
    assert likely.strength < 0.5 < rare.strength
    assert say("web", 0.02, threshold=0.02).strength == 0.5
    assert say("web", 0.01, threshold=0.02).strength == 0.25
    assert say("x", 1.0).strength == 1
    assert say("x", 0.0).strength == 0


class Says:
    """Two indicators that disagree on every entity."""

    def __init__(self, name, score):
        self.name, self._score = name, score

    def assess(self, document, entities):
        return [say(self.name, self._score, e.id) for e in entities]


def test_the_policy_chooses(monkeypatch):
    def masked(**options):
        raw = {"name": "x", "decide": {"kind": "optimal"}, **options}
        sanitizer = Sanitizer(Policy.parse(raw))
        monkeypatch.setattr(sanitizer, "_indicators", [Says("a", 0.9), Says("b", 0.1)])
        result = sanitizer.sanitize("It was in Porto on 3 May 1921.")
        assert {e.indicator for e in result.evidence} == {"a", "b", "combined"}
        return {e.type.value for e in result.entities if result.plan.by_entity[e.id].masked}

    assert masked() == {"LOC", "DATETIME"}
    assert masked(combine={"kind": "k_of_n", "k": 2}) == set()
    assert masked(combine={"kind": "k_of_n", "k": 2}, combine_by={"LOC": {"kind": "noisy_or"}}) == {
        "LOC"
    }
    assert masked(combine={"kind": "weighted", "threshold": 0.6, "weights": {"a": 3}}) == {
        "LOC",
        "DATETIME",
    }


# Asking only where the answer matters

NAMES = ("first", "second", "third")
WEIGHTS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
RULES = st.one_of(
    st.integers(1, 4).map(KOfN),
    st.builds(Weighted, st.floats(0.05, 0.95), WEIGHTS),
    st.builds(NoisyOr, st.floats(0.05, 0.95), WEIGHTS, WEIGHTS),
)


@given(RULES, st.lists(st.floats(0, 1), min_size=3, max_size=3))
def test_what_is_not_asked_would_not_have_changed_the_verdict(rule, scores):
    everything = [say(name, score) for name, score in zip(NAMES, scores, strict=True)]
    asked = everything[:1]
    for at in (1, 2):
        if find_unsettled([TOWN], asked, NAMES[at:], rule):
            asked.append(everything[at])
    lazy, eager = (
        [e.risky for e in found if e.indicator == "combined"]
        for found in (combine(said, ALL, rule) for said in (asked, everything))
    )
    assert (lazy or [asked[0].risky]) == eager


@given(RULES, st.floats(0, 1))
def test_a_voice_that_is_not_combined_is_as_strong_alone(rule, score):
    voice = say("first", score)
    if not rule.can_change(voice):
        verdict = rule([voice])
        assert verdict.risky == voice.risky
        assert say("x", verdict.score, threshold=verdict.threshold).strength == pytest.approx(
            voice.strength
        )


def test_direct_identifiers_are_never_asked_about():
    evidence = [say("first", 0.45, e.id) for e in ALL]
    assert find_unsettled(ALL, evidence, ["second"], NoisyOr()) == [TOWN, YEAR]


def test_a_lazy_policy_asks_what_is_open(monkeypatch):
    asked = []

    class Second(Says):
        def assess(self, document, entities):
            asked.extend(e.longest.text for e in entities)
            return super().assess(document, entities)

    def evidence(lazy, first):
        asked.clear()
        raw = {"name": "x", "lazy": lazy, "combine": {"kind": "noisy_or", "weights": {"b": 0.1}}}
        sanitizer = Sanitizer(Policy.parse(raw))
        monkeypatch.setattr(sanitizer, "_indicators", [Second("b", 0.98), Says("a", first)])
        sanitizer._line.ask_last("b")
        result = sanitizer.sanitize("It was in Porto on 3 May 1921.")
        return [result.plan.by_entity[e.id].masked for e in result.entities], sorted(asked)

    both = ["3 May 1921", "Porto"]
    assert evidence(True, 0.45) == evidence(False, 0.45) == ([True, True], both)
    assert evidence(True, 0.3) == ([False, False], [])
    assert evidence(True, 0.6) == ([True, True], [])
    assert evidence(False, 0.3) == ([False, False], both)
