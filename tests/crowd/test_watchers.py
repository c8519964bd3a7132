"""Several people of one document measured in the embedded crowd: every text is read once, and nobody waits for long."""

import numpy as np
import pytest

from maskwise.crowd.biencoder import BiEncoder
from maskwise.crowd.crowd import Crowd
from maskwise.crowd.measured import Watchers
from maskwise.crowd.population import Profile
from maskwise.crowd.ranks import rank_profile
from maskwise.crowd.subjects import Subject
from maskwise.crowd.words import Words

TEXT = "A welder from Leeds and a chess player born in Graz in 1954 met twice at a fair. "
LEFT = "A worker from *** and a player born in *** met twice at a fair. "
PROFILES = [
    Profile.of("a", {"occupation": "welder", "birth_place": "Leeds"}),
    Profile.of("b", {"occupation": "chess player", "birth_place": "Graz", "born": 1954}),
]


def watch(**given):
    subjects = [Subject(profile.id, (), ()) for profile in PROFILES]
    return Watchers.watch(Crowd.open(), subjects, PROFILES, Words(TEXT * 40), **given)


@pytest.fixture
def read(monkeypatch):
    """The rows that the bi-encoder is asked for, call by call."""
    calls = []
    real = BiEncoder.embed_documents

    def count(self, rows):
        calls.append(len(rows))
        return real(self, rows)

    monkeypatch.setattr(BiEncoder, "embed_documents", count)
    return calls


def test_what_is_left_is_measured_as_each_attacker_reads_it_alone():
    watchers = watch()
    words = Words(LEFT)
    risk = watchers.measure_text(words, 3, "a note")
    assert (risk.k, risk.note) == (3, "a note")
    nothing = np.zeros((1, len(words)), dtype=bool)
    for at, ranker in enumerate(watchers.rankers):
        person = risk.persons[at // len(watchers.attackers)]
        [place] = rank_profile(ranker.read(words.texts).score(nothing), watchers.target)
        assert person.after[watchers.name_attacker(at)].rank == place.rank
    unmasked = watchers.measure(np.zeros(len(watchers.words), dtype=bool))
    for one, other in zip(risk.persons, unmasked.persons, strict=True):
        assert one.before == other.before == other.after


def test_a_text_is_read_once_for_all_people(read):
    watchers = watch()
    watchers.measure_text(Words(LEFT), None)
    assert read.count(0) == len(read) - 2  # the text as it was, and what is left of it
    read.clear()
    watchers.measure_text(Words(LEFT * 2), None)
    assert read.count(0) == len(read) - 1


def test_somebody_else_may_go_first_before_each_window(read):
    pauses = []
    watchers = watch(pause=lambda: pauses.append(len(read)))
    watchers.measure_text(Words(TEXT * 60), None)
    windows = [at for at, count in enumerate(read) if count]
    assert len(windows) > 2
    assert max(read) == 1
    assert set(windows) <= set(pauses)


def test_a_measuring_that_was_ended_goes_on_where_it_was(read):
    at = iter(range(10_000))

    def stop():
        if next(at) in (3, 5, 8, 12, 30):
            raise InterruptedError

    watchers = watch(pause=stop)
    ended = 0
    while True:
        try:
            found = watchers.measure(np.zeros(len(watchers.words), dtype=bool))
            break
        except InterruptedError:
            ended += 1
    assert ended == 5
    once = sum(read)
    read.clear()
    whole = watch()
    assert found == whole.measure(np.zeros(len(whole.words), dtype=bool))
    assert sum(read) == once
