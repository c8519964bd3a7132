"""Smallest identifying sets: what they promise, on invented documents among invented people."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people

from maskwise.crowd.counterexamples import Counterexamples
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.maskings import Goal, MaskingScores
from maskwise.crowd.ranks import rank_profile
from maskwise.crowd.search import list_word_units
from maskwise.crowd.words import Words

POPULATION = people(60)
RANKERS = [Lexical.fit(POPULATION), Lexical.fit(POPULATION, "pieces")]
PERSON = st.integers(0, len(POPULATION) - 1)
K = st.sampled_from([1, 3, 8, 20])
ATTACKERS = st.sampled_from([1, 2])  # how many


class Trial:
    """One document with its units, and the means to check what is said about it."""

    def __init__(self, at, count, k, start=()):
        self.words = Words(POPULATION[at].text)
        self.scorers = [ranker.read(self.words.texts) for ranker in RANKERS[:count]]
        self.at, self.k = at, k
        self.units = list_word_units(self.words)
        self.start = np.zeros(len(self.words), dtype=bool)
        self.start[list(start)] = True
        self.scores = MaskingScores(self.scorers, at, self.units, len(self.words), Goal(k))
        self.examples = Counterexamples(self.scores, self.start)

    def rank(self, attacker, mask):
        return rank_profile(self.scorers[attacker].score(mask[None]), self.at)[0].rank

    def show(self, units):
        """The mask of all units but these. What is masked at the start stays masked."""
        mask = np.zeros(len(self.words), dtype=bool)
        for number, unit in enumerate(self.units):
            if number not in units:
                mask[list(unit)] = True
        return mask | self.start

    def identifies(self, attacker, units):
        return self.rank(attacker, self.show(units)) <= self.k

    def check(self, found):
        """A set identifies the person alone, and none does without one of its units."""
        assert list(found.units) == sorted(set(found.units))
        assert self.identifies(found.attacker, found.units)
        for unit in found.units:
            less = [one for one in found.units if one != unit]
            assert not less or not self.identifies(found.attacker, less)


@given(PERSON, ATTACKERS, K, st.integers(0, 99), st.sets(st.integers(0, 15), max_size=5))
@settings(max_examples=60, deadline=None)
def test_each_set_identifies_and_none_of_its_parts_does(at, count, k, seed, start):
    trial = Trial(at, count, k, start)
    draw = np.random.default_rng(seed)
    mask = (draw.random(len(trial.words)) < draw.random()) | trial.start
    found = trial.examples.find_sets(mask)
    masked = {n for n, unit in enumerate(trial.units) if mask[list(unit)].all()}
    for one in found:
        trial.check(one)
        assert not masked & set(one.units)
    assert len({one.units for one in found}) == len(found)
    assert len({one.attacker for one in found}) <= 1


@given(PERSON, ATTACKERS, K, st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_there_are_sets_exactly_where_somebody_finds_the_person(at, count, k, seed):
    trial = Trial(at, count, k)
    draw = np.random.default_rng(seed)
    mask = draw.random(len(trial.words)) < draw.random()
    finders = [n for n in range(count) if trial.rank(n, mask) <= k]
    assert trial.examples.find_found(mask) == finders
    everything = trial.show(())
    foolable = [n for n in finders if trial.rank(n, everything) > k]
    found = trial.examples.find_sets(mask)
    assert bool(found) == bool(foolable)
    assert all(one.attacker == foolable[0] for one in found)


@given(PERSON, ATTACKERS, K, st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_a_mask_that_is_needed_has_a_set_that_says_why(at, count, k, seed):
    """For each unit whose showing gives the person away, a set among it and what is visible."""
    trial = Trial(at, count, k)
    draw = np.random.default_rng(seed)
    masked = [n for n in range(len(trial.units)) if draw.random() < 0.7]
    visible = set(range(len(trial.units))) - set(masked)
    everything = trial.show(())
    foolable = [n for n in range(count) if trial.rank(n, everything) > k]
    found = trial.examples.find_sets_around(masked)
    for one in found:
        trial.check(one)
        assert len(set(one.units) - visible) <= 1
    for unit in masked:
        shown = trial.show([*visible, unit])
        if any(trial.rank(n, shown) <= k for n in foolable):
            assert any(set(one.units) <= visible | {unit} for one in found)


@given(PERSON, K)
@settings(max_examples=30, deadline=None)
def test_a_person_who_is_hidden_has_no_sets(at, k):
    trial = Trial(at, 2, k)
    hidden = trial.examples.hidden
    assert (hidden == trial.show(())).all()
    assert trial.examples.find_sets(hidden) == []


def test_whom_nothing_hides_has_no_sets():
    """With K as large as the crowd nobody can hide, and there is nothing to explain."""
    trial = Trial(0, 2, 200)
    clear = np.zeros(len(trial.words), dtype=bool)
    assert trial.examples.find_found(clear) == [0, 1]
    assert trial.examples.find_sets(clear) == []
    assert trial.examples.find_sets_around(range(len(trial.units))) == []


def test_several_sets_are_found_at_once():
    trial = Trial(7, 1, 3)
    found = trial.examples.find_sets(np.zeros(len(trial.words), dtype=bool))
    assert 1 < len(found) <= 8
    assert len({one.units for one in found}) == len(found)


def test_without_units_there_is_nothing_to_find():
    words = Words("Ada Brandvold left.")
    scorers = [RANKERS[0].read(words.texts)]
    scores = MaskingScores(scorers, 0, [], len(words), Goal(3))
    start = np.zeros(len(words), dtype=bool)
    examples = Counterexamples(scores, start)
    assert examples.find_sets(start) == []
    assert examples.find_sets_around([]) == []
