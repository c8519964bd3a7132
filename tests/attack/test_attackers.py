"""Each attacker finds the right person where one clue is left, and none where nothing is."""

import builtins

import numpy as np
import pytest

from maskwise.attack.attacker import Background, fuse_scores, standardise_scores
from maskwise.attack.bm25 import BM25, Cosine
from maskwise.attack.classifier import cut_windows, sum_windows
from maskwise.attack.dense import DenseAttacker, compute_whitening, normalise_rows
from maskwise.attack.linear import LinearAttacker
from maskwise.crowd.postings import Postings
from maskwise.errors import PluginError

LEFT = [
    "She was once a glassblower and wrote about tidal clocks.",
    "He sang baritone and collected barometers.",
    "She crossed a glacier on skis and mapped caves.",
    "He bred horses after a strike of ferrymen; his brother kept the bakery.",
]


@pytest.fixture(scope="module")
def background(lives):
    return Background(tuple(lives.values()))


@pytest.mark.parametrize("attacker", [BM25(), Cosine(), LinearAttacker()], ids=lambda a: a.name)
def test_finds_who_is_left_recognisable(attacker, background):
    scores = attacker.fit(background)(LEFT)
    assert scores.shape == (4, 4)
    assert scores.argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_a_model_prefers_who_is_left_recognisable(background):
    """Whom it ranks first among near equals depends on its weights; the right one is never below the average."""
    scores = DenseAttacker().fit(background)(LEFT)
    assert (scores.diagonal() > scores.mean(axis=1)).all()
    assert scores.diagonal().mean() > 2 * scores.mean()


@pytest.mark.parametrize("attacker", [BM25(), Cosine()], ids=lambda a: a.name)
def test_says_nothing_of_words_it_never_saw(attacker, background):
    assert attacker.fit(background)(["Zyx qwv.", ""]).tolist() == [[0.0] * 4] * 2


@pytest.mark.parametrize(
    "attacker", [BM25(), Cosine(), LinearAttacker(), DenseAttacker()], ids=lambda a: a.name
)
def test_a_row_does_not_depend_on_its_neighbours(attacker, background):
    score = attacker.fit(background, seed=3)
    together = score(LEFT)
    alone = np.concatenate([score([text]) for text in LEFT])
    np.testing.assert_allclose(together, alone, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(attacker.fit(background, seed=3)(LEFT), together)


def test_bm25_by_hand():
    # Two documents of 2 and 1 words, k1 = 1 and b = 0: tf / (tf + 1) * 2 * log(1 + (N - n + .5) / (n + .5)).
    score = BM25(k1=1, b=0).fit(Background(("heron heron", "tram")))(["heron", "heron tram"])
    idf = np.log(1 + 1.5 / 1.5)
    np.testing.assert_allclose(score, [[idf * 4 / 3, 0], [idf * 4 / 3, idf]])


def test_index_counts_and_lengths():
    index = Postings.build([["a", "b", "a"], [], ["b"]])
    assert index.measure_lengths().tolist() == [3, 0, 1]
    assert index.frequencies.tolist() == [1, 2]
    assert index.add_up(index.counts, ["a", "zz"]).tolist() == [2, 0, 0]


def test_windows_cover_and_logits_add_up():
    cuts = cut_windows([5, 0, 2], 3, 1)
    assert cuts.slice_documents([list("abcde"), [], list("xy")]) == [
        list("abc"),
        list("cde"),
        [],
        list("xy"),
    ]
    logits = np.array([[1.0, 0], [2, 1], [0, 5], [4, 4]])
    assert sum_windows(logits, cuts.owners, 3).tolist() == [[3, 1], [0, 5], [4, 4]]


def test_fusion_lets_the_surer_attacker_decide():
    sure, torn = np.array([[9.0, 0, 0, 0]]), np.array([[1.0, 1.1, 0.9, 1.0]])
    assert fuse_scores([sure, torn * 1000]).argmax() == 0
    assert standardise_scores(np.ones((2, 3))).tolist() == [[0.0] * 3] * 2


def test_whitening_evens_out_the_directions():
    rows = (np.random.default_rng(0).normal(size=(500, 3)) * [100, 1, 0]).astype(np.float32)
    turned = (rows - rows.mean(0)) @ compute_whitening(rows - rows.mean(0), 3)
    assert turned.shape == (500, 2)
    np.testing.assert_allclose(turned.std(0), 1, atol=0.01)
    assert normalise_rows(np.zeros((1, 2), np.float32)).tolist() == [[0, 0]]


def test_linear_says_what_to_install(monkeypatch, background):
    real = builtins.__import__

    def without(name, *rest):
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PluginError, match=r"maskwise\[attack\]"):
        LinearAttacker().fit(background)


def test_two_people_are_enough_for_the_linear_attacker(lives):
    two = Background(tuple(lives.values())[:2])
    assert LinearAttacker().fit(two)(LEFT[:2]).argmax(axis=1).tolist() == [0, 1]
