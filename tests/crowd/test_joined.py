"""Rankers with one more profile: a person who is not in the population, among those who are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people

from maskwise.crowd.curate import extract_terms
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.neighbours import ExactNeighbours, JoinedNeighbours
from maskwise.crowd.population import Profile
from maskwise.crowd.ranks import rank_profile
from maskwise.crowd.words import Words

POPULATION = people(60)
FULL = Lexical.fit(POPULATION)
PERSON = st.integers(0, len(POPULATION) - 1)
LAST = len(POPULATION)


def draw_masks(words, seed, count=5):
    draw = np.random.default_rng(seed)
    return draw.random((count, len(words))) < draw.random((count, 1))


def fit_without(at):
    return Lexical.fit(profile for place, profile in enumerate(POPULATION) if place != at)


@given(PERSON, PERSON, st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_the_others_score_as_before(at, absent, seed):
    words = Words(POPULATION[at].text)
    masks = draw_masks(words, seed)
    before = FULL.read(words.texts).compute_logits(masks)
    after = FULL.join(POPULATION[at], [absent]).read(words.texts).compute_logits(masks)
    assert after.shape == (len(masks), LAST + 1)
    others = [place for place in range(LAST) if place != absent]
    np.testing.assert_allclose(after[:, others], before[:, others], atol=1e-5)
    assert np.isneginf(after[:, absent]).all()


@given(PERSON)
@settings(max_examples=30, deadline=None)
def test_the_new_profile_scores_by_the_statistics_of_the_population(at):
    """BM25 with one more document, of ordinary length: seen by those who have the term, and by the newcomer."""
    base = fit_without(at)
    profile = POPULATION[at]
    spoken = " ".join(value for _, values in profile.attributes for value in values).split()
    terms = extract_terms(" ".join(spoken))
    for word in spoken:
        term, *others = extract_terms(word)
        if others:  # "tram-driver" has two
            continue
        count = terms.count(term)
        found = base.find_term(term)
        seen = 1 if found is None else len(base.get_postings(found)[0]) + 1
        idf = np.log1p((LAST - seen + 0.5) / (seen + 0.5))
        weight = count * 2.2 / (count + 1.2) * idf / base.temperature
        row = base.join(profile).read([word]).compute_logits(np.zeros((1, 1), dtype=bool))
        assert row[0, -1] == pytest.approx(weight, rel=1e-5)


def test_joining_ranks_as_fitting_with_the_profile_does():
    """The weights of the others do not learn of the newcomer, so the probabilities are near, and the ranks equal."""
    for at in range(LAST):
        words = Words(POPULATION[at].text)
        masks = np.concatenate(
            [np.zeros((1, len(words)), bool), draw_masks(words, at)]
        )  # the clear text first
        fitted = FULL.read(words.texts).score(masks)
        joined = fit_without(at).join(POPULATION[at]).read(words.texts).score(masks)
        np.testing.assert_allclose(joined[:, -1], fitted[:, at], atol=0.35)
        [first] = rank_profile(fitted[:1], at)
        [second] = rank_profile(joined[:1], LAST - 1)
        assert first.rank == second.rank


@given(PERSON, st.lists(PERSON, max_size=4, unique=True), st.integers(0, 1000))
@settings(max_examples=30, deadline=None)
def test_people_who_are_left_out_are_never_guessed(at, absent, seed):
    words = Words(POPULATION[at].text)
    masks = draw_masks(words, seed)
    scorer = FULL.join(POPULATION[at], absent).read(words.texts)
    rows = scorer.score(masks)
    assert np.isneginf(rows[:, absent]).all()
    np.testing.assert_allclose(np.exp(rows.astype(np.float64)).sum(axis=1), 1, atol=1e-4)
    before = rows[0, LAST]
    falls = scorer.screen(masks[0], LAST)
    assert np.isfinite(falls).all()
    tried = np.flatnonzero(~masks[0])[:3]
    more = masks[0] | np.eye(len(words), dtype=bool)[tried]
    np.testing.assert_allclose(falls[tried], before - scorer.score(more)[:, LAST], atol=1e-4)


def test_terms_that_nobody_has_speak_for_the_newcomer_alone():
    joined = FULL.join(Profile.of("p", {"occupation": "spoon whittler"}))
    row = joined.read(["spoon", "whittler"]).score(np.zeros((1, 2), dtype=bool))[0]
    assert row.argmax() == LAST
    assert len(set(row[:LAST].tolist())) == 1
    empty = FULL.join(Profile.of("p", {}))
    row = empty.read(["baker"]).score(np.zeros((1, 1), dtype=bool))[0]
    assert row[LAST] == row.min() < row.max()


def test_who_joins_next_takes_the_place_of_who_joined():
    first, second = POPULATION[0], POPULATION[1]
    words = Words(second.text)
    masks = np.zeros((1, len(words)), dtype=bool)
    again = FULL.join(first, [0]).join(second, [1])
    assert (len(again), again.name, again.temperature) == (LAST + 1, "bm25", FULL.temperature)
    rows = [one.read(words.texts).score(masks) for one in (again, FULL.join(second, [1]))]
    assert (rows[0] == rows[1]).all()


@given(st.integers(1, 12), st.integers(1, 6), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_the_embedding_that_joins_is_the_last_column(size, width, seed):
    draw = np.random.default_rng(seed)
    base = draw.normal(size=(size, width)).astype(np.float32)
    own = draw.normal(size=width).astype(np.float32)
    documents = draw.normal(size=(3, width)).astype(np.float32)
    absent = draw.integers(0, size, 2).tolist()
    nothing = draw.normal(size=width).astype(np.float32)
    joined = JoinedNeighbours(ExactNeighbours(base), own[None], nothing, absent)
    assert len(joined) == size + 1
    logits = joined.compute_logits(documents)
    told = documents - nothing  # what a document tells beyond one of which all is masked
    np.testing.assert_allclose(logits[:, -1], told @ own, rtol=1e-4, atol=1e-5)
    assert np.isneginf(logits[:, absent]).all()
    left = [at for at in range(size) if at not in absent]
    np.testing.assert_allclose(logits[:, left], told @ base[left].T, rtol=1e-4, atol=1e-5)
    which = draw.integers(0, size + 1, 7)
    np.testing.assert_array_equal(joined.take(which), np.vstack([base, own])[which])


def test_taking_leaves_the_population_as_it_is():
    base = np.eye(3, dtype=np.float32)
    joined = JoinedNeighbours(
        ExactNeighbours(base), np.full((1, 3), 9, np.float32), np.zeros(3, np.float32)
    )
    joined.take(np.array([3, 2, 3]))
    np.testing.assert_array_equal(joined.take(np.array([0, 1, 2])), np.eye(3))
