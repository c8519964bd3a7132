"""The dense ranker: long documents in windows, caches that change nothing, and a profile that joins."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people

from maskwise.crowd.biencoder import BiEncoder
from maskwise.crowd.crowd import find_bundled
from maskwise.crowd.dense import cut_windows
from maskwise.crowd.population import Population, linearise
from maskwise.crowd.redact import WordPieces, read_words, redact
from maskwise.crowd.words import Words

POPULATION = people(24)
WINDOW = 16  # pieces: the documents below have several windows
WORDS = Words(POPULATION[3].text)
MASK = st.lists(st.booleans(), min_size=len(WORDS), max_size=len(WORDS)).map(np.array)


@pytest.fixture(scope="module")
def encoder():
    whole = BiEncoder.load(find_bundled() / "encoder", threads=1)
    return BiEncoder(whole.folder, replace(whole.config, window=WINDOW), threads=1)


@pytest.fixture(scope="module")
def ranker(encoder):
    return encoder.fit(POPULATION)


@given(st.lists(st.integers(0, 5), max_size=40), st.integers(1, 12))
@settings(max_examples=80, deadline=None)
def test_windows_are_cut_between_words(sizes, most):
    """The windows have all words once and in order, with at most so many pieces, unless a word alone has more."""
    owners = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    ids = np.arange(len(owners), dtype=np.int32)
    windows = cut_windows(WordPieces(ids, ids.astype(np.uint8), owners), most, len(sizes))
    assert windows[0][0] == 0
    assert windows[-1][1] == len(sizes)
    assert all(one[1] == other[0] for one, other in pairwise(windows))
    joined = np.concatenate([pieces.ids for _, _, pieces in windows])
    assert joined.tolist() == ids.tolist()
    for first, last, pieces in windows:
        assert (pieces.words + first).tolist() == owners[pieces.ids].tolist()
        assert last - first > 0 or len(pieces) == 0
        if len(pieces) > most:
            held = np.bincount(pieces.words)
            assert len(windows) >= len(sizes) or held.max() > most


@given(MASK)
@settings(max_examples=8, deadline=None)
def test_a_long_document_is_the_mean_of_its_windows(encoder, ranker, mask):
    windows = cut_windows(read_words(encoder.tokenizer, WORDS.texts), WINDOW, len(WORDS))
    assert len(windows) > 2
    mask_id = encoder.tokenizer.mask_id
    rows = [redact(pieces, mask[first:last], mask_id) for first, last, pieces in windows]
    read = encoder.embed_documents(rows)
    total = np.sum([one.embedding * one.count for one in read], axis=0)
    mean = total / sum(one.count for one in read)
    wanted = ranker.neighbours.compute_logits(mean[None].astype(np.float32))[0]
    found = ranker.read(WORDS.texts).score(mask[None])[0]
    np.testing.assert_allclose(found, wanted - np.log(np.exp(wanted).sum()), atol=1e-4)


@given(st.lists(MASK, min_size=1, max_size=4), st.integers(1, 4))
@settings(max_examples=8, deadline=None)
def test_neither_caches_nor_batches_change_a_result(ranker, masks, size):
    table = np.array(masks)
    scorer = ranker.read(WORDS.texts)
    together = scorer.score(table)
    again = scorer.score(table)
    parts = [table[at : at + size] for at in range(0, len(table), size)]
    apart = np.concatenate([ranker.read(WORDS.texts).score(part) for part in parts])
    backwards = ranker.read(WORDS.texts).score(table[::-1])[::-1]
    np.testing.assert_array_equal(together, again)
    np.testing.assert_allclose(together, apart, atol=3e-5)
    np.testing.assert_allclose(together, backwards, atol=3e-5)


def test_what_is_no_longer_remembered_is_read_again(ranker, monkeypatch):
    masks = np.eye(len(WORDS), dtype=bool)[:8]
    wanted = ranker.read(WORDS.texts).screen(masks[0], 3)
    monkeypatch.setattr("maskwise.crowd.dense._WINDOWS", 1)
    scorer = ranker.read(WORDS.texts)
    before = scorer.score(masks)
    np.testing.assert_allclose(scorer.screen(masks[0], 3), wanted, atol=1e-5)
    np.testing.assert_array_equal(scorer.score(masks), before)


@given(MASK)
@settings(max_examples=8, deadline=None)
def test_the_screen_has_one_estimate_per_word_and_none_for_masked_ones(ranker, mask):
    falls = ranker.read(WORDS.texts).screen(mask, 3)
    assert falls.shape == (len(WORDS),)
    assert falls.dtype == np.float32
    assert not falls[mask].any()
    assert np.isfinite(falls).all()


def test_a_profile_that_joins_is_multiplied_as_one_that_was_there(encoder):
    most = Population(list(POPULATION)[:-1])
    newcomer = list(POPULATION)[-1]
    words = Words(newcomer.text)
    masks = np.zeros((2, len(words)), dtype=bool)
    masks[1, 4:9] = True
    joined = encoder.fit(most).join(newcomer)
    fitted = encoder.fit(POPULATION)
    assert len(joined) == len(fitted)
    [embedding] = encoder.embed_lines([linearise(newcomer)])
    np.testing.assert_allclose(joined.neighbours.take(np.array([len(most)]))[0], embedding)
    # What each profile scores with a document that tells nothing is taken off.
    [liked] = fitted.neighbours.compute_logits(encoder.nothing[None])
    rows = fitted.read(words.texts).score(masks) - liked
    wanted = rows - np.log(np.exp(rows).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(joined.read(words.texts).score(masks), wanted, atol=1e-4)


def test_a_document_that_tells_nothing_is_about_anybody(ranker):
    joined = ranker.join(POPULATION[3])
    everything = np.ones((1, len(WORDS)), dtype=bool)
    [row] = joined.read(WORDS.texts).score(everything)
    np.testing.assert_allclose(row, -np.log(len(joined)), atol=1e-4)


def test_who_is_left_out_is_neither_guessed_nor_a_rival(ranker):
    """The own row of a person, left out of the crowd, must not hide what a word tells about them."""
    target = len(POPULATION)
    words = Words(POPULATION[3].text)
    clear = np.zeros(len(words), dtype=bool)
    joined = ranker.join(POPULATION[3], [3])
    scorer = joined.read(words.texts)
    row = scorer.score(clear[None])[0]
    assert np.isneginf(row[3])
    assert np.exp(row.astype(np.float64)).sum() == pytest.approx(1, abs=1e-4)
    assert row.argmax() == target
    others = Population(one for at, one in enumerate(POPULATION) if at != 3)
    apart = ranker.model.fit(others).join(POPULATION[3]).read(words.texts)
    wanted = apart.screen(clear, len(others))
    np.testing.assert_allclose(scorer.screen(clear, target), wanted, atol=1e-4)


def test_a_document_without_words_is_nobody(ranker):
    scorer = ranker.read([])
    row = scorer.score(np.zeros((1, 0), dtype=bool))
    assert row.shape == (1, len(POPULATION))
    assert scorer.screen(np.zeros(0, dtype=bool), 0).shape == (0,)
    assert scorer.score(np.zeros((0, 0), dtype=bool)).shape == (0, len(POPULATION))
