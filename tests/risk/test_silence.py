"""An indicator without an opinion is silent: it never makes an entity safer than if nobody had been asked."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.crowd.population import Population, Profile
from maskwise.decide import OptimalSolver, ThresholdSolver
from maskwise.errors import MaskingError
from maskwise.risk.combine import KOfN, NoisyOr, Weighted, combine, find_unsettled
from maskwise.risk.crowd import ReidentificationIndicator
from maskwise.risk.emulator import EmulatorIndicator
from maskwise.risk.perturbation import PerturbationIndicator
from maskwise.risk.population import PopulationIndicator
from maskwise.risk.probability import ProbabilityIndicator
from maskwise.risk.sequence import SequenceIndicator
from maskwise.risk.span import SpanIndicator
from maskwise.risk.web import WebIndicator
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType, Person
from maskwise.text.evidence import COMBINED, group_by_subject
from maskwise.text.exposure import measure_hazards

TYPES = (EntityType.PERSON, EntityType.LOC, EntityType.DATETIME, EntityType.CODE)
NAMES = ("sequence", "probability", "web")
PROJECT = Path(__file__).parents[2] / "pyproject.toml"
THRESHOLDS = {EntityType.LOC: 0.7, EntityType.DATETIME: 2.0}


class NoPages:
    """An index that holds nothing."""

    exact = True

    def search(self, terms, k):
        return []

    def hits(self, terms):
        return 0


class OtherPages(NoPages):
    """An index that has pages for everything, none of them about the person."""

    def search(self, terms, k):
        return [] if "Ana Souza" in terms else ["fair", "town"]

    def hits(self, terms):
        return 3


class Nobody:
    """A register in which no value stands."""

    def __len__(self):
        return 0

    def hits(self, terms):
        return 0


STRANGERS = Population(
    [Profile(who, (("name", (name,)),)) for who, name in (("p1", "Bo Berg"), ("p2", "Ida Lund"))]
)

# What each indicator is asked when it has nothing to say. The model reads nothing of the invisible text.
SILENT = [
    ("web, empty index", lambda: WebIndicator(NoPages()), "visible"),
    ("web, other pages", lambda: WebIndicator(OtherPages()), "visible"),
    ("web, few hits", lambda: WebIndicator(OtherPages(), rule="hits"), "visible"),
    ("web, both rules", lambda: WebIndicator(OtherPages(), rule="both", lower=1), "visible"),
    ("web, no budget", lambda: WebIndicator(OtherPages(), budget=1), "visible"),
    ("web, dry run", lambda: WebIndicator(OtherPages(), dry_run=True), "visible"),
    ("web, nobody to find", lambda: WebIndicator(OtherPages()), "unnamed"),
    ("population", lambda: PopulationIndicator(Nobody()), "visible"),
    (
        "reidentification",
        lambda: ReidentificationIndicator(STRANGERS, k=2, unknown="accept"),
        "visible",
    ),
    ("perturbation", lambda: PerturbationIndicator(threshold=1e6), "visible"),
    ("sequence", SequenceIndicator, "invisible"),
    ("probability", ProbabilityIndicator, "invisible"),
    ("probability, zero-shot", lambda: ProbabilityIndicator(decider="zero-shot"), "invisible"),
    ("span", SpanIndicator, "invisible"),
    ("emulator", EmulatorIndicator, "invisible"),
]


def document(kind):
    if kind == "invisible":
        return Document("\u200b\u200b \u200b\u200b \u200b\u200b \u200b\u200b came.")
    return Document(
        "Ana Porto 1999 A-77 came.", protected=(Person("Ana Souza"),) if kind == "visible" else ()
    )


def entities(of):
    found, start = [], 0
    for kind, word in zip(TYPES, of.text.split(), strict=False):
        start = of.text.index(word, start)
        found.append(
            Entity(kind.lower(), kind, (of.mention(start, start + len(word), kind, score=0.6),))
        )
        start += len(word)
    return found


def masked(solver, of, found, evidence):
    plan = solver.solve(of, found, evidence)
    return {e.id for e in found if plan.by_entity[e.id].masked}


SOLVERS = [
    ThresholdSolver(THRESHOLDS),
    OptimalSolver(THRESHOLDS),
    OptimalSolver(THRESHOLDS, bound=0.9),
]
WEIGHTS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([0.0, 0.1, 0.5, 1.0]))
RULES = st.one_of(
    st.integers(1, 4).map(KOfN),
    st.builds(Weighted, st.floats(0.05, 0.95), WEIGHTS),
    st.builds(NoisyOr, st.floats(0.05, 0.95), WEIGHTS, WEIGHTS),
)
EVERY_RULE = [KOfN(1), KOfN(3), Weighted(), Weighted(0.9), NoisyOr(), NoisyOr(0.9, {"web": 0.1})]


@pytest.mark.parametrize(
    ("make", "kind"), [row[1:] for row in SILENT], ids=[row[0] for row in SILENT]
)
def test_an_indicator_with_nothing_to_say_leaves_the_decision_to_the_detectors(make, kind):
    of = document(kind)
    found = entities(of)
    said = make().assess(of, found)
    assert group_by_subject(said) == {}
    for rule in EVERY_RULE:
        evidence = combine(said, found, rule)
        for solver in SOLVERS:
            assert masked(solver, of, found, evidence) == masked(solver, of, found, [])
        assert measure_hazards(found, evidence) == measure_hazards(found, [])


def test_the_table_holds_every_indicator():
    parts = tomllib.loads(PROJECT.read_text("utf-8"))["project"]["entry-points"]
    assert {name.partition(",")[0] for name, *_ in SILENT} == set(parts["maskwise.indicators"])


class OnlyPorto(Nobody):
    """A register in which thirty people come from Porto, and nothing else is known."""

    def __len__(self):
        return 100

    def hits(self, terms):
        return 30 if list(terms) == ["Porto"] else 0


ANA = Population([Profile("ana", (("name", ("Ana",)), ("place", ("Porto",)))), *STRANGERS])

# Indicators that can read or know "Porto", and nothing of the invisible word beside it.
HALF_BLIND = [
    ("population", lambda: PopulationIndicator(OnlyPorto()), True),
    ("reidentification", lambda: ReidentificationIndicator(ANA, k=2, unreached="accept"), True),
    ("perturbation", lambda: PerturbationIndicator(threshold=0), False),
    ("sequence", SequenceIndicator, True),
    ("probability", ProbabilityIndicator, True),
    ("span", SpanIndicator, True),
    ("emulator", EmulatorIndicator, True),
]


@pytest.mark.parametrize(
    ("make", "speaks"), [row[1:] for row in HALF_BLIND], ids=[row[0] for row in HALF_BLIND]
)
def test_an_opinion_of_one_entity_is_none_of_another(make, speaks):
    of = Document("Ana met \u200b\u200b in Porto.", id="ana", protected=(Person("Ana"),))
    unread, town = (
        Entity(id, EntityType.LOC, (of.mention(start, end, EntityType.LOC, score=0.6),))
        for id, start, end in (("unread", 8, 10), ("town", 14, 19))
    )
    said = group_by_subject(make().assess(of, [unread, town]))
    assert not any("unread" in subject for subject in said)
    assert (("town",) in said) >= speaks


def test_a_stranger_is_refused_unless_the_policy_accepts_it():
    of = document("visible")
    with pytest.raises(MaskingError):
        ReidentificationIndicator(STRANGERS, k=2).assess(of, entities(of))


VISIBLE = document("visible")
FOUND = entities(VISIBLE)


def opinions(silent):
    score = st.floats(0, 1)
    subject = st.sets(st.sampled_from([e.id for e in FOUND]), min_size=1, max_size=2).map(
        lambda s: tuple(sorted(s))
    )
    make = st.builds(
        lambda who, score, name: Evidence(who, score, 0.5, score >= 0.5, "", name, silent),
        subject,
        score,
        st.sampled_from(NAMES),
    )
    return st.lists(make, max_size=5)


@st.composite
def with_silence(draw):
    """What indicators say, and the same with silent evidence anywhere in between."""
    said, silent = draw(opinions(False)), draw(opinions(True))
    more = list(said)
    for item in silent:
        more.insert(draw(st.integers(0, len(more))), item)
    return said, more


def verdicts(evidence):
    return [item for item in evidence if item.indicator == COMBINED]


@given(RULES, with_silence(), st.sampled_from(SOLVERS))
def test_silent_evidence_changes_nothing(rule, evidence, solver):
    said, more = evidence
    without, with_silent = (combine(each, FOUND, rule) for each in (said, more))
    # A verdict follows its first voice, so silence may change the order of verdicts, and nothing else.
    assert sorted(verdicts(with_silent), key=str) == sorted(verdicts(without), key=str)
    assert group_by_subject(with_silent) == group_by_subject(without)
    assert masked(solver, VISIBLE, FOUND, with_silent) == masked(solver, VISIBLE, FOUND, without)
    assert measure_hazards(FOUND, with_silent) == measure_hazards(FOUND, without)


@given(RULES, with_silence(), st.lists(st.sampled_from(NAMES), unique=True))
def test_silent_evidence_settles_nothing(rule, evidence, missing):
    without, with_silent = (find_unsettled(FOUND, each, missing, rule) for each in evidence)
    assert with_silent == without


@given(RULES, opinions(True), st.sampled_from(SOLVERS))
def test_what_is_met_with_silence_alone_is_not_judged(rule, silent, solver):
    evidence = combine(silent, FOUND, rule)
    assert verdicts(evidence) == []
    assert group_by_subject(evidence) == {}
    assert masked(solver, VISIBLE, FOUND, evidence) == masked(solver, VISIBLE, FOUND, [])


@given(RULES, st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1)), max_size=3))
def test_a_voice_without_weight_changes_nothing(rule, voices):
    """A rule that does not weigh an indicator hears the others as if it had not been asked."""
    if isinstance(rule, KOfN):
        return
    deaf = type(rule)(**{**vars(rule), "weights": {**rule.weights, "deaf": 0.0}})
    said = [Evidence(("loc",), score, 0.5, score >= 0.5, "", name) for name, score in voices]
    for score in (0.0, 1.0):
        more = [*said, Evidence(("loc",), score, 0.5, score >= 0.5, "", "deaf")]
        for solver in SOLVERS:
            heard, unheard = (combine(each, FOUND, deaf) for each in (more, said))
            assert masked(solver, VISIBLE, FOUND, heard) == masked(solver, VISIBLE, FOUND, unheard)


@given(RULES, st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1)), min_size=1, max_size=3))
def test_voices_that_could_not_have_masked_an_entity_do_not_keep_it(rule, voices):
    """What the rule keeps whatever its voices say is not judged by them: the detector's confidence decides."""
    names = [name for name, _ in voices]
    said = [Evidence(("loc",), score, 0.5, score >= 0.5, "", name) for name, score in voices]
    loudest = [Evidence(("loc",), 1.0, 0.5, True, "", name) for name in names]
    town = [e for e in FOUND if e.id == "loc"]
    sure = ThresholdSolver({EntityType.LOC: 0.5})
    if not rule(loudest).risky:
        assert masked(sure, VISIBLE, town, combine(said, town, rule)) == {"loc"}


@given(RULES, st.floats(0, 1), st.floats(0, 1))
def test_direct_identifiers_are_masked_whatever_anybody_says(rule, first, second):
    code = Entity("code", EntityType.CODE, FOUND[3].mentions, IdentifierType.DIRECT)
    said = [
        Evidence(("code",), score, 0.5, score >= 0.5, "", name)
        for name, score in zip(NAMES[:2], (first, second), strict=True)
    ]
    for solver in SOLVERS:
        assert masked(solver, VISIBLE, [code], combine(said, [code], rule)) == {"code"}
