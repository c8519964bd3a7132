"""Searches for the fewest masks, and the lexical attacker they are run against."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import people

from maskwise.crowd.lexical import Lexical, cut_pieces
from maskwise.crowd.ranks import (
    ProfileRank,
    compute_leads,
    is_outranked,
    rank_by_attacker,
    rank_profile,
)
from maskwise.crowd.search import Effort, Goal, list_entity_units, list_word_units, search
from maskwise.crowd.unmask import show_harmless
from maskwise.crowd.words import Words, find_runs

POPULATION = people(60)
BM25 = Lexical.fit(POPULATION)
PIECES = Lexical.fit(POPULATION, "pieces")
RANKERS = {"bm25": BM25, "pieces": PIECES}
PERSON = st.integers(0, len(POPULATION) - 1)
RANKER = st.sampled_from(list(RANKERS.values()))


def document(at):
    return Words(POPULATION[at].text)


def masks_of(words, seed, count=4):
    draw = np.random.default_rng(seed)
    return draw.random((count, len(words))) < draw.random((count, 1))


@given(PERSON, RANKER, st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_taking_words_away_equals_reading_the_rest(at, ranker, seed):
    words = document(at)
    masks = masks_of(words, seed)
    together = ranker.read(words.texts).score(masks)
    for mask, row in zip(masks, together, strict=True):
        left = [word for word, gone in zip(words.texts, mask, strict=True) if not gone]
        alone = ranker.read(left).score(np.zeros((1, len(left)), dtype=bool))[0]
        np.testing.assert_allclose(row, alone, atol=1e-4)
    np.testing.assert_allclose(np.exp(together).sum(axis=1), 1, atol=1e-4)


@given(PERSON, RANKER, st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_the_screen_is_exact(at, ranker, seed):
    words = document(at)
    reading = ranker.read(words.texts)
    mask = masks_of(words, seed, 1)[0]
    falls = reading.screen(mask, at)
    tried = np.flatnonzero(~mask)
    more = mask | np.eye(len(words), dtype=bool)[tried]
    before = reading.score(mask[None])[0, at]
    np.testing.assert_allclose(falls[tried], before - reading.score(more)[:, at], atol=1e-4)
    assert not falls[mask].any()


def test_the_screen_is_exact_where_one_profile_holds_nearly_all():
    sure = Lexical.fit(POPULATION, temperature=0.05)
    words = document(3)
    reading = sure.read(words.texts)
    clear = np.zeros(len(words), dtype=bool)
    after = reading.score(np.eye(len(words), dtype=bool))[:, 3]
    np.testing.assert_allclose(
        reading.screen(clear, 3), reading.score(clear[None])[0, 3] - after, atol=1e-3
    )


def test_profiles_that_share_no_word_are_equally_unlikely():
    row = BM25.read(["Quillfeather"]).score(np.zeros((1, 1), dtype=bool))[0]
    without = [
        at for at, profile in enumerate(POPULATION) if "Quillfeather" not in profile.get("name")[0]
    ]
    assert 0 < len(without) < len(POPULATION)
    assert len(set(row[without])) == 1
    assert row[without][0] == row.min() < row.max()


def rank(ranker, words, mask, at):
    return rank_profile(ranker.read(words.texts).score(mask[None]), at)[0].rank


@given(
    PERSON,
    st.sampled_from([[BM25], [PIECES], [BM25, PIECES]]),
    st.sampled_from([1, 3, 10, 59, 200]),
    st.sampled_from([1, 2, 8, 100]),
    st.sampled_from([1, 3]),
    st.sampled_from([0.3, 1.0]),
    st.sampled_from([0, 4]),
)
@settings(max_examples=60, deadline=None)
def test_a_search_hides_the_person_or_says_so(at, rankers, k, shortlist, beam, share, exchange):
    words = document(at)
    units = list_word_units(words)
    readings = [ranker.read(words.texts) for ranker in rankers]
    effort = Effort("mask", shortlist, beam, exchange)
    found = search(readings, at, units, len(words), Goal(k, max_share=share), effort)
    assert found.reached == all(rank(ranker, words, found.mask, at) > k for ranker in rankers)
    assert found.mask.sum() <= share * len(words)
    assert sorted(w for unit in found.units for w in unit) == np.flatnonzero(found.mask).tolist()
    if found.reached:  # every mask that is left is needed
        for unit in found.units:
            less = found.mask.copy()
            less[list(unit)] = False
            assert min(rank(ranker, words, less, at) for ranker in rankers) <= k
    else:
        full = list_word_units(words)
        open_units = [unit for unit in full if not found.mask[list(unit)].any()]
        assert not open_units or found.mask.sum() + 1 > share * len(words)


def test_an_exchange_never_masks_more_and_somewhere_fewer():
    def masked(at, exchange):
        words = document(at)
        readings = [ranker.read(words.texts) for ranker in (BM25, PIECES)]
        return search(
            readings, at, list_word_units(words), len(words), Goal(3), Effort(exchange=exchange)
        ).mask.sum()

    pairs = [(masked(at, 0), masked(at, 8)) for at in range(len(POPULATION))]
    assert all(after <= before for before, after in pairs)
    assert any(after < before for before, after in pairs)


@given(
    PERSON,
    st.sampled_from([[BM25], [BM25, PIECES]]),
    st.sampled_from([1, 3, 10, 200]),
    st.sampled_from([0.3, 1.0]),
)
@settings(max_examples=40, deadline=None)
def test_showing_again_hides_the_person_or_says_so(at, rankers, k, share):
    words = document(at)
    readings = [ranker.read(words.texts) for ranker in rankers]
    found = search(
        readings, at, list_word_units(words), len(words), Goal(k, max_share=share), Effort("show")
    )
    assert found.reached == all(rank(ranker, words, found.mask, at) > k for ranker in rankers)
    assert found.mask.sum() <= share * len(words)
    assert sorted(w for unit in found.units for w in unit) == np.flatnonzero(found.mask).tolist()


@given(st.lists(st.floats(0, 4), min_size=1, max_size=30), st.floats(0, 20))
@settings(max_examples=60, deadline=None)
def test_the_least_telling_are_shown_first(telling, bearable):
    """Where words speak for themselves, what stays masked tells more than what is shown, and each of it too much."""
    weights = np.array(telling)

    def look(maskings):
        told = np.array([weights.sum() - weights[list(one)].sum() for one in maskings])
        return told <= bearable + 1e-9, told

    masked, reached = show_harmless(look, len(weights))
    assert reached
    shown = sorted(set(range(len(weights))) - set(masked))
    assert weights[shown].sum() <= bearable + 1e-8
    assert all(weights[shown].sum() + weights[at] > bearable for at in masked)
    assert weights[shown].max(initial=0) <= weights[masked].min(initial=9)
    assert np.all(np.diff(weights[masked]) <= 1e-9)


def test_k_larger_than_the_population_cannot_be_reached():
    words = document(0)
    found = search([BM25.read(words.texts)], 0, list_word_units(words), len(words), Goal(200))
    assert not found.reached
    assert found.mask[words.content].all()


def test_a_margin_asks_for_more():
    words = document(5)
    reading = BM25.read(words.texts)
    goals = [Goal(3), Goal(3, margin=0.5)]
    plain, wide = (search([reading], 5, list_word_units(words), len(words), goal) for goal in goals)
    assert plain.mask.sum() <= wide.mask.sum()
    row = reading.score(wide.mask[None])[0]
    assert wide.reached
    assert (row >= row[5] + 0.5).sum() >= 3


def test_what_is_masked_at_the_start_stays():
    words = document(7)
    start = np.zeros(len(words), dtype=bool)
    start[:2] = True
    found = search(
        [BM25.read(words.texts)], 7, list_word_units(words), len(words), Goal(5), start=start
    )
    assert found.mask[:2].all()
    assert not {0, 1} & {w for unit in found.units for w in unit}


def test_all_mentions_of_an_entity_go_together():
    words = Words("Ada Brandvold, the baker. Brandvold and Ada left.")
    units = list_entity_units(words, [[(0, 13), (26, 35), (40, 43)], [(4, 13)]])
    assert units == [(0, 1, 4, 6), (3,), (7,)]


@given(st.integers(0, 1000), st.sampled_from([1, 3, 60, 700, 5000]), st.sampled_from([0.0, 0.4]))
@settings(max_examples=40, deadline=None)
def test_leads_and_ranks_are_those_of_sorted_rows(seed, k, margin):
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(3, 1000)).round(draw.integers(1, 4)).astype(np.float32)  # with ties
    target = int(draw.integers(1000))
    ordered = -np.sort(-rows, axis=1)
    assert (
        compute_leads(rows, target, k).tolist()
        == (rows[:, target] - ordered[:, min(k, 999)]).tolist()
    )
    likelier = [(row >= row[target] + margin).sum() >= k for row in rows]
    wanted = likelier if margin else [standing.rank > k for standing in rank_profile(rows, target)]
    assert is_outranked(rows, target, k, margin).tolist() == wanted


class Counting:
    """A reading that counts the maskings it is asked of."""

    def __init__(self, reading):
        self.reading, self.asked = reading, []

    def score(self, masks):
        self.asked += [mask.tobytes() for mask in masks]
        return self.reading.score(masks)

    def screen(self, mask, target):
        return self.reading.screen(mask, target)


def test_no_masking_is_scored_twice_and_fooled_readings_are_spared():
    words = document(9)
    bm25, pieces = Counting(BM25.read(words.texts)), Counting(PIECES.read(words.texts))
    search([bm25, pieces], 9, list_word_units(words), len(words), Goal(10))
    assert len(set(bm25.asked)) == len(bm25.asked)
    assert len(set(pieces.asked)) == len(pieces.asked) < len(bm25.asked)


def test_equal_profiles_share_their_places():
    rows = np.log(
        np.array(
            [[0.25, 0.25, 0.25, 0.25], [0.4, 0.2, 0.2, 0.2], [0.1, 0.3, 0.3, 0.3]], dtype=np.float32
        )
    )
    assert [(s.rank, s.ties) for s in rank_profile(rows, 0)] == [(2, 3), (1, 0), (4, 0)]
    assert [s.hit_chance for s in rank_profile(rows, 0)] == [0.25, 1.0, 0.0]
    assert ProfileRank(1, 0.5, 1).hit_chance == 0.5
    assert ProfileRank(3, 0.1, 2).hit_chance == 0.0


def test_attackers_are_compared_on_the_same_masks():
    words = document(2)
    masks = masks_of(words, 0, 3)
    told = rank_by_attacker(
        {name: ranker.read(words.texts) for name, ranker in RANKERS.items()}, 2, masks
    )
    assert [len(standing) for standing in told.values()] == [3, 3]


@given(st.text(max_size=60), st.integers(0, 1000))
@settings(max_examples=100, deadline=None)
def test_masks_are_spans_of_words_and_hide_nothing_else(text, seed):
    words = Words(text)
    mask = np.random.default_rng(seed).random(len(words)) < 0.5
    spans = words.find_masked_spans(mask)
    assert len(spans) == len(list(find_runs(mask)))
    inside = {at for start, end in spans for at in range(start, end)}
    for (start, end), gone in zip(words.spans, mask, strict=True):
        assert (inside >= set(range(start, end))) == bool(gone)
    kept = [
        text[a:b]
        for a, b in zip(
            [0, *(e for _, e in spans)], [*(s for s, _ in spans), len(text)], strict=True
        )
    ]
    assert words.write(mask, "\0") == "\0".join(kept)


def test_pieces_see_what_forms_of_a_word_share():
    assert set(cut_pieces("Norway")) & set(cut_pieces("Norwegian"))
    assert cut_pieces("of the") == []


@pytest.mark.parametrize("ranker", RANKERS.values(), ids=RANKERS)
def test_clear_documents_are_found(ranker):
    hits = [
        rank_profile(
            ranker.read(document(at).texts).score(np.zeros((1, len(document(at))), bool)), at
        )[0].hit_chance
        for at in range(len(POPULATION))
    ]
    assert np.mean(hits) > 0.9
