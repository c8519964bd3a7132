"""Planning by counterexample: what a plan promises, on invented documents among invented people."""

import re
from functools import cached_property
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people

from maskwise.crowd.crowd import Crowd, add_joint
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.maskings import Goal, MaskingScores
from maskwise.crowd.measured import Watchers
from maskwise.crowd.ranks import rank_profile
from maskwise.crowd.search import Effort, Search, assign_words
from maskwise.crowd.subjects import Subject
from maskwise.crowd.words import Words
from maskwise.decide import OptimalSolver
from maskwise.hiding import ROUNDS, hide_people
from maskwise.text import Action, Document, Entity, EntityType, IdentifierType
from maskwise.text.subtypes import SMALL_WORD

POPULATION = people(60)
FACTS, PIECES = Lexical.fit(POPULATION), Lexical.fit(POPULATION, "pieces")
CROWDS = {
    "one": Crowd("invented", {"bm25": FACTS}),
    "two": Crowd("invented", {"bm25": FACTS, "words": PIECES}),
    "joint": Crowd("invented", add_joint({"bm25": FACTS, "words": FACTS, "dense": PIECES})),
}
PERSON = st.integers(0, len(POPULATION) - 1)
K = st.sampled_from([1, 3, 8, 20])
REASON = re.compile(
    r"(?:together with the .+ this|this alone|with what else stays visible this) leaves "
    r"(?P<left>[\d,]+) of 60 people; at least (?P<asked>[\d,]+) are asked"
)
KINDS = [EntityType.DEM, EntityType.LOC, EntityType.DATETIME, EntityType.MISC]


def make_entities(document, sizes, direct=(), small=False):
    """Entities of neighbouring words, as many words each as `sizes` says in turn; words of one text are one entity.

    Every third is a small word where `small` says so.
    """
    spans = Words(document.text).spans
    at, number = 0, 0
    texts = {}
    while at < len(spans):
        last = min(at + sizes[number % len(sizes)], len(spans)) - 1
        span = spans[at][0], spans[last][1]
        texts.setdefault(document.text[slice(*span)].lower(), []).append(span)
        at, number = last + 1, number + 1
    found = []
    for number, places in enumerate(texts.values()):
        kind = KINDS[number % len(KINDS)]
        subtype = "kept_kind" if number % 7 == 3 else ""
        subtype = SMALL_WORD if small and number % 3 == 0 else subtype
        mentions = tuple(document.mention(*span, kind, subtype=subtype) for span in places)
        name = IdentifierType.DIRECT if number in direct else IdentifierType.QUASI
        found.append(Entity(f"e{number}", kind, mentions, name))
    return found


class Trial:
    """One document of one or two people, hidden among the others."""

    def __init__(self, places, crowd, k, sizes=(1,), keeps=False, direct=(), small=False):
        self.places, self.crowd, self.k = places, CROWDS[crowd], k
        self.document = Document(" ".join(POPULATION[at].text for at in places))
        self.entities = make_entities(self.document, sizes, direct, small)
        self.words = Words(self.document.text)
        subjects = [Subject(f"person {at}", (), ()) for at in places]
        profiles = [POPULATION[at] for at in places]
        self.watchers = Watchers.watch(self.crowd, subjects, profiles, self.words, without=places)
        kept = {"kept_kind": 2.0} if keeps else {}
        self.solver = OptimalSolver(default=2.0, subtypes=kept)

    @cached_property
    def found(self):
        return hide_people(self.solve, self.entities, self.watchers, self.k, "a note")

    def solve(self, evidence):
        return self.solver.solve(self.document, self.entities, evidence, {})

    @cached_property
    def units(self):
        spans = ([mention.span for mention in entity.mentions] for entity in self.entities)
        return assign_words(self.words, spans)

    def mask(self, masked):
        mask = np.zeros(len(self.words), dtype=bool)
        for unit, is_masked in zip(self.units, masked, strict=True):
            mask[list(unit)] |= is_masked
        return mask

    def ranks(self, masked):
        mask = self.mask(masked)
        target = len(self.crowd)
        return [
            rank_profile(scorer.score(mask[None]), target)[0].rank
            for scorer in self.watchers.scorers
        ]

    @cached_property
    def masked(self):
        return [decision.masked for decision in self.found.plan.decisions]

    def list_free(self):
        """Places of the entities that the policy keeps and would let go."""
        base = self.solve(())
        free = []
        for at, entity in enumerate(self.entities):
            is_kept = "kept_kind" in entity.subtypes and self.solver.subtypes
            if not base.decisions[at].masked and not is_kept and self.units[at]:
                free.append(at)
        return free

    def mask_all(self):
        free = set(self.list_free())
        base = self.solve(())
        return [at in free or base.decisions[at].masked for at in range(len(self.entities))]


def hides(trial, masked):
    return all(rank > trial.k for rank in trial.ranks(masked))


@given(PERSON, st.sampled_from(sorted(CROWDS)), K, st.sampled_from([(1,), (2, 1), (1, 3)]))
@settings(max_examples=60, deadline=None)
def test_whoever_can_be_hidden_is_hidden(at, crowd, k, sizes):
    trial = Trial([at], crowd, k, sizes)
    found = trial.found
    if hides(trial, trial.mask_all()):
        assert hides(trial, trial.masked)
        assert found.risk.exposed == ()
    after = [standing.rank for standing in found.risk.persons[0].after.values()]
    assert after == trial.ranks(trial.masked)
    assert [one.label for one in found.risk.exposed] == [
        one.label for one in found.risk.persons if min(after) <= k
    ]
    assert (found.risk.note, found.risk.k, found.risk.people) == ("a note", k, 60)


@given(PERSON, st.sampled_from(["one", "two"]), K, st.sampled_from([(1,), (2, 1)]))
@settings(max_examples=40, deadline=None)
def test_no_more_is_lost_than_by_the_greedy_search_with_exchange(at, crowd, k, sizes):
    trial = Trial([at], crowd, k, sizes)
    free = trial.list_free()
    scores = MaskingScores(
        trial.watchers.scorers,
        trial.watchers.target,
        [trial.units[place] for place in free],
        len(trial.words),
        Goal(k),
        [trial.solve(()).decisions[place].information for place in free],
    )
    start = np.zeros(len(trial.words), dtype=bool)
    greedy = Search(scores, Effort(exchange=8), start).run()
    gone = [n for n in range(len(free)) if not scores.has_visible_words(n, greedy.mask)]
    assert trial.found.plan.objective <= scores.weights[gone].sum() + 1e-6


@given(PERSON, st.sampled_from(sorted(CROWDS)), K)
@settings(max_examples=30, deadline=None)
def test_each_mask_has_a_reason_with_its_numbers(at, crowd, k):
    trial = Trial([at], crowd, k)
    found = trial.found
    by_entity = {entity: one for one in found.evidence for entity in one.entities}
    for entity, decision in zip(trial.entities, found.plan.decisions, strict=True):
        assert decision.masked == (entity.id in by_entity)
        if decision.masked:
            assert (by_entity[entity.id].risky, by_entity[entity.id].indicator) == (True, "crowd")
            [reason] = decision.reasons
            numbers = REASON.fullmatch(reason)
            assert numbers, reason
            assert not any(mention.text in reason.split() for mention in entity.mentions)
            assert int(numbers["asked"]) in {k * times for times in (1, *range(1, 5))}
            if hides(trial, trial.masked):
                assert int(numbers["left"].replace(",", "")) <= int(numbers["asked"])


@given(PERSON, st.sampled_from(["one", "two"]), K)
@settings(max_examples=20, deadline=None)
def test_each_mask_is_needed(at, crowd, k):
    trial = Trial([at], crowd, k)
    if not hides(trial, trial.masked):
        return
    for place in np.flatnonzero(trial.masked):
        shown = list(trial.masked)
        shown[place] = False
        assert not hides(trial, shown)


@given(PERSON, st.sampled_from(["one", "two"]), K)
@settings(max_examples=30, deadline=None)
def test_optimality_is_claimed_for_the_constraints_alone(at, crowd, k):
    found = Trial([at], crowd, k).found
    hiding, plan = found.hiding, found.plan
    assert hiding.way in {"constraints", "thinned", "greedy"}
    assert plan.optimal == (hiding.way == "constraints" and hiding.proved)
    assert plan.bound is None
    assert 1 <= hiding.rounds <= ROUNDS
    assert (
        f"({hiding.way}, {hiding.constraints} constraints, {hiding.rounds} rounds)" in plan.solver
    )
    if hiding.way == "constraints":
        assert plan.objective == pytest.approx(hiding.objective)
    if hiding.way == "thinned":
        assert plan.objective <= hiding.objective + 1e-6


@given(PERSON, st.sampled_from([1, 3, 8]))
@settings(max_examples=15, deadline=None)
def test_the_plan_is_near_the_best_of_all(at, k):
    """Masking can also unmask: a plan that is best for its constraints may lose a little more than the best of all."""
    trial = Trial([at], "one", k, (4, 3))
    free = trial.list_free()
    assert len(free) <= 10
    information = [decision.information for decision in trial.solve(()).decisions]
    best = np.inf
    for chosen in chain.from_iterable(combinations(free, n) for n in range(len(free) + 1)):
        cost = sum(information[place] for place in chosen)
        masked = [place in chosen for place in range(len(trial.entities))]
        if cost < best and hides(trial, masked):
            best = cost
    if best < np.inf:
        assert hides(trial, trial.masked)
        assert best - 1e-6 <= trial.found.plan.objective <= 2 * best + 1e-6


@given(PERSON, st.sampled_from(["one", "joint"]), K)
@settings(max_examples=20, deadline=None)
def test_what_the_policy_keeps_or_masks_stays_so(at, crowd, k):
    trial = Trial([at], crowd, k, keeps=True, direct=(0, 5))
    decisions = trial.found.plan.decisions
    assert [decisions[place].action for place in (0, 5)] == [Action.SUPPRESS] * 2
    assert all(decisions[place].reasons[0].startswith("direct") for place in (0, 5))
    for entity, decision in zip(trial.entities, decisions, strict=True):
        if "kept_kind" in entity.subtypes and not entity.is_direct:
            assert decision.action is Action.KEEP
            assert decision.reasons == (f"the policy keeps {entity.type} of this kind",)


@given(st.lists(PERSON, min_size=2, max_size=2, unique=True), st.sampled_from(["one", "two"]), K)
@settings(max_examples=20, deadline=None)
def test_two_people_of_a_document_are_both_hidden(places, crowd, k):
    trial = Trial(places, crowd, k)
    risk = trial.found.risk
    assert [person.label for person in risk.persons] == [f"person {at}" for at in places]
    if hides(trial, trial.mask_all()):
        assert risk.exposed == ()
        assert min(trial.ranks(trial.masked)) > k


def test_people_are_hidden_from_all_attackers_as_one_too():
    for at in range(6):
        trial = Trial([at], "joint", 3)
        after = trial.found.risk.persons[0].after
        assert list(after) == ["bm25", "words", "dense", "together"]
        if hides(trial, trial.mask_all()):
            assert after["together"].rank > 3


@given(PERSON, st.sampled_from(sorted(CROWDS)), K, st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_whoever_is_outranked_among_the_rivals_is_outranked_in_the_crowd(at, crowd, k, seed):
    trial = Trial([at], crowd, k)
    draw = np.random.default_rng(seed)
    masks = draw.random((6, len(trial.words))) < draw.random((6, 1))
    scorers, target = trial.watchers.narrow(masks[:2], 8)
    assert target <= 60
    for narrow, whole in zip(scorers, trial.watchers.scorers, strict=True):
        among = rank_profile(narrow.score(masks), target)
        ranks = rank_profile(whole.score(masks), len(trial.crowd))
        for few, all_of_them in zip(among, ranks, strict=True):
            assert few.rank - few.ties // 2 <= all_of_them.rank - all_of_them.ties // 2
        for mask in masks[:2]:
            leads = narrow.score(mask[None])[0] - whole.score(mask[None])[0][-1]
            assert np.isfinite(leads).all()


@given(PERSON, st.sampled_from(sorted(CROWDS)), K)
@settings(max_examples=40, deadline=None)
def test_small_words_go_only_where_all_others_do_not_suffice(at, crowd, k):
    trial = Trial([at], crowd, k, small=True)
    small = [SMALL_WORD in entity.subtypes for entity in trial.entities]
    others = [gone and not one for gone, one in zip(trial.mask_all(), small, strict=True)]
    if hides(trial, others):
        assert not any(gone and one for gone, one in zip(trial.masked, small, strict=True))
    if hides(trial, trial.mask_all()):
        assert hides(trial, trial.masked)


def test_a_small_word_goes_where_it_alone_gives_somebody_away():
    trials = [Trial([at], "one", 3, small=True) for at in range(12)]
    assert any(
        gone and SMALL_WORD in entity.subtypes
        for trial in trials
        for gone, entity in zip(trial.masked, trial.entities, strict=True)
    )


def test_nobody_hides_among_fewer_than_k():
    trial = Trial([4], "one", 200)
    found = trial.found
    assert [person.label for person in found.risk.exposed] == ["person 4"]
    assert found.risk.to_json()["reached"] is False
    assert "K = 200 was missed for person 4" in " ".join(found.risk.describe())


def test_a_person_who_is_hidden_already_costs_nothing():
    document = Document("It rained and nobody came.")
    entities = make_entities(document, (1,))
    watchers = Watchers.watch(
        CROWDS["two"], [Subject("person 1", (), ())], [POPULATION[0]], Words(document.text)
    )
    solver = OptimalSolver(default=2.0)
    found = hide_people(lambda e: solver.solve(document, entities, e), entities, watchers, 8)
    assert found.plan.objective == 0
    assert found.evidence == ()
    assert not any(decision.masked for decision in found.plan.decisions)
    assert found.plan.optimal
