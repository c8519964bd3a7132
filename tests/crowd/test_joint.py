"""Several attackers as one, and the versions in which a profile joins a crowd."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people

from maskwise.crowd.joint import JointRanker
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.neighbours import ExactNeighbours, JoinedNeighbours
from maskwise.crowd.population import Profile
from maskwise.crowd.versions import COUNT, choose_alike, list_versions, move_versions
from maskwise.crowd.words import Words

POPULATION = people(40)
MEMBERS = {"facts": Lexical.fit(POPULATION), "pieces": Lexical.fit(POPULATION, "pieces")}
WEIGHTS = {"facts": 0.25, "pieces": 0.5}
JOINT = JointRanker("together", MEMBERS, WEIGHTS)
PERSON = st.integers(0, len(POPULATION) - 1)


@given(PERSON, st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_the_log_probabilities_of_all_are_added_up(at, seed):
    words = Words(POPULATION[at].text)
    masks = np.random.default_rng(seed).random((3, len(words))) < 0.4
    parts = [WEIGHTS[name] * one.read(words.texts).score(masks) for name, one in MEMBERS.items()]
    total = np.sum(parts, axis=0)
    wanted = total - np.log(np.exp(total).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(JOINT.read(words.texts).score(masks), wanted, atol=1e-4)


@given(PERSON, st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_among_some_people_all_agree_as_in_the_whole(at, seed):
    """Differences of log-probabilities do not depend on who else is there."""
    draw = np.random.default_rng(seed)
    words = Words(POPULATION[at].text)
    masks = draw.random((3, len(words))) < 0.4
    chosen = np.sort(draw.choice(len(POPULATION), 9, replace=False))
    reading = JOINT.read(words.texts)
    whole = reading.score(masks)[:, chosen]
    narrow = reading.narrow(chosen).score(masks)
    np.testing.assert_allclose(narrow - narrow[:, :1], whole - whole[:, :1], atol=1e-3)
    falls = reading.narrow(chosen).screen(masks[0], 2)
    assert falls.shape == (len(words),)
    assert not falls[masks[0]].any()


def test_versions_lack_facts_and_are_the_same_each_time():
    profile = Profile.of("p", {"place": list("abcdef"), "work": list("ghijkl"), "born": 1921})
    versions = list_versions(profile)
    assert versions == list_versions(profile)
    assert versions[0] == profile
    assert len(versions) == COUNT + 1
    told = {(key, value) for key, values in profile.attributes for value in values}
    for version in versions[1:]:
        kept = {(key, value) for key, values in version.attributes for value in values}
        assert kept <= told
        assert kept
    assert any(version != profile for version in versions[1:])
    single = Profile.of("p", {"born": 1921})
    assert all(version.attributes for version in list_versions(single))


def test_the_likeliest_version_counts():
    draw = np.random.default_rng(3)
    points = draw.normal(size=(20, 8)).astype(np.float32)
    versions = draw.normal(size=(3, 8)).astype(np.float32)
    nothing = np.zeros(8, dtype=np.float32)
    joined = JoinedNeighbours(ExactNeighbours(points), versions, nothing, [4])
    asked = draw.normal(size=(5, 8)).astype(np.float32)
    rows = joined.compute_logits(asked)
    np.testing.assert_allclose(rows[:, -1], (asked @ versions.T).max(axis=1), rtol=1e-5)
    assert np.isneginf(rows[:, 4]).all()
    chosen = joined.choose(np.array([2, 7, 20]))
    np.testing.assert_allclose(chosen.compute_logits(asked), rows[:, [2, 7, 20]], rtol=1e-4)


def test_versions_stay_near_the_profile_and_of_length_one():
    draw = np.random.default_rng(5)
    points = draw.normal(size=(COUNT + 1, 64)).astype(np.float32)
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    others = points[::-1][:COUNT]
    moved = move_versions(points, others)
    np.testing.assert_array_equal(moved[0], points[0])
    np.testing.assert_allclose(np.linalg.norm(moved, axis=1), 1, rtol=1e-5)
    assert ((moved[1:] * points[1:]).sum(axis=1) > 0.8).all()
    few = choose_alike(np.array([0.5, 2.0, 1.0], dtype=np.float32))
    assert len(few) == COUNT
    assert set(few.tolist()) <= {0, 1, 2}
