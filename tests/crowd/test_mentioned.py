"""What texts mention beside the facts of profiles, and postings that hold both."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.crowd import crowd_folder, mentioned
from maskwise.crowd.crowd import Crowd, build_crowd
from maskwise.crowd.lexical import Lexical
from maskwise.crowd.mentioned import Mentions, choose_mentions, list_mentions, load_plain_terms
from maskwise.crowd.population import Population, Profile
from maskwise.crowd.postings import Postings, compute_bm25_weights

TERMS = st.lists(st.sampled_from("ash bay cod elm fen gull heron ivy".split()), max_size=6)
ROWS = st.lists(st.tuples(TERMS, TERMS), min_size=1, max_size=8)


def build(rows):
    return Postings.build([held for held, _ in rows], [beside for _, beside in rows])


def list_counts(index):
    """Per term and document its count."""
    found = {}
    for term, number in index.vocabulary.items():
        span = slice(index.starts[number], index.starts[number + 1])
        for document, count in zip(index.documents[span], index.counts[span], strict=True):
            assert (term, int(document)) not in found
            found[term, int(document)] = int(count)
    return found


@given(ROWS)
@settings(max_examples=80, deadline=None)
def test_what_is_only_mentioned_counts_zero(rows):
    held = {(term, at): n for at, (own, _) in enumerate(rows) for term, n in Counter(own).items()}
    beside = {(term, at): 0 for at, (_, others) in enumerate(rows) for term in others}
    assert list_counts(build(rows)) == beside | held


@given(ROWS)
@settings(max_examples=80, deadline=None)
def test_without_mentions_the_postings_are_those_of_the_documents(rows):
    index = build(rows)
    dropped = index.drop_mentions()
    plain = Postings.build([held for held, _ in rows])
    assert list_counts(dropped) == list_counts(plain)
    assert dropped.size == plain.size
    assert (dropped.measure_lengths() == plain.measure_lengths()).all()
    assert (index.measure_lengths() == plain.measure_lengths()).all()
    weights = [compute_bm25_weights(one, 1.2, 0.75) for one in (dropped, plain)]
    sums = [
        one.add_up(weight, "ash cod heron".split())
        for one, weight in zip((dropped, plain), weights, strict=True)
    ]
    np.testing.assert_allclose(sums[0], sums[1])


@given(ROWS)
@settings(max_examples=60, deadline=None)
def test_whoever_mentions_a_term_makes_it_common(rows):
    """The weight of a rare term falls with each person about whom it is said, in their facts or beside them."""
    index = build(rows)
    weights = compute_bm25_weights(index, 1.2, 0.75)
    for term, number in index.vocabulary.items():
        seen = sum(term in held or term in beside for held, beside in rows)
        assert index.frequencies[number] == seen
        span = slice(index.starts[number], index.starts[number + 1])
        idf = np.log1p((len(rows) - seen + 0.5) / (seen + 0.5))
        mentions = weights[span][index.counts[span] == 0]
        np.testing.assert_allclose(mentions, idf)


@given(ROWS, st.sets(st.sampled_from(["rain", "surgery", "été"])))
@settings(max_examples=30, deadline=None)
def test_postings_survive_their_file(tmp_path_factory, rows, common):
    folder = tmp_path_factory.mktemp("postings")
    index = build(rows)
    crowd_folder.write_postings(folder, index, sorted(common))
    read, told = crowd_folder.read_postings(folder)
    assert told == common
    assert list_counts(read) == list_counts(index)
    assert read.size == index.size
    weights = [compute_bm25_weights(one, 1.2, 0.75) for one in (read, index)]
    np.testing.assert_allclose(*weights)


@given(ROWS, st.lists(TERMS, max_size=4))
@settings(max_examples=60, deadline=None)
def test_further_documents_come_after_the_others(rows, more):
    together = build([*rows, *((held, []) for held in more)])
    extended = build(rows).extend(more)
    assert list_counts(extended) == list_counts(together)
    assert extended.size == together.size
    assert set(extended.vocabulary) == set(together.vocabulary)


def test_counts_above_255_are_written_as_255(tmp_path):
    crowd_folder.write_postings(tmp_path, Postings.build([["ash"] * 300 + ["bay"]]))
    read, _ = crowd_folder.read_postings(tmp_path)
    assert list_counts(read) == {("ash", 0): 255, ("bay", 0): 1}


def test_a_text_mentions_words_numbers_months_and_places_but_nobody():
    text = "On 14 April 1998 Ada Brandvold of Quillfeather Mills, a Catholic, sold 38500 barrels in Norway."
    found = list_mentions(text)
    assert {"14", "april", "1998", "catholic", "sold", "barrel", "norway"} <= found
    assert not {"ada", "brandvold", "quillfeather", "mill", "38500"} & found


def test_only_the_beginning_of_a_text_is_read():
    assert list_mentions(" " * mentioned.READ + "herring") == set()


def test_mentions_are_neither_rare_nor_common(monkeypatch):
    monkeypatch.setattr(mentioned, "FEWEST", 2)
    monkeypatch.setattr(mentioned, "MOST", 3)
    texts = ["herring rain", "herring rain surgery", "rain surgery", "rain glassblower"]
    found = choose_mentions(texts)
    assert found.by_text == [["her"], ["her", "surgery"], ["surgery"], []]
    assert found.common == ["rain"]


@pytest.fixture
def crowd(tmp_path):
    people = Population(
        Profile.of(str(at), {"occupation": job, "place": place})
        for at, (job, place) in enumerate(
            [("baker", "Tarn"), ("baker", "Morrow"), ("cellist", "Tarn"), ("fencer", "Kessel")]
        )
    )
    mentions = Mentions([["rain", "herring"], ["rain"], ["herring", "baker"], []], ["garden"])
    build_crowd(people, tmp_path / "crowd", name="invented", mentions=mentions)
    return Crowd.open(tmp_path / "crowd")


def rank(ranker, text):
    words = text.split()
    return ranker.read(words).score(np.zeros((1, len(words)), dtype=bool))[0]


def test_one_attacker_knows_facts_and_one_knows_mentions_too(crowd):
    facts, words = crowd.rankers["bm25"], crowd.rankers["words"]
    assert np.ptp(rank(facts, "rain")) == 0
    row = rank(words, "rain")
    assert row[0] == row[1] > row[2] == row[3]
    assert rank(facts, "baker")[2] == rank(facts, "baker")[3]
    assert rank(words, "baker")[2] > rank(words, "baker")[3]


@pytest.mark.parametrize("attacker", ["bm25", "words"])
def test_terms_that_everybody_uses_weigh_nothing(crowd, attacker):
    assert "pleas" in load_plain_terms()
    told = Profile.of("p", {"occupation": ["garden", "please"]})
    joined = crowd.rankers[attacker].join(told)
    assert np.ptp(rank(joined, "garden please")) == 0
    telling = crowd.rankers[attacker].join(Profile.of("p", {"occupation": "glassblower"}))
    assert rank(telling, "glassblower").argmax() == len(crowd)


def test_the_attacker_of_facts_is_told_what_the_crowd_has(crowd):
    told = Profile.of("p", {"illness": "measles", "occupation": "glassblower"})
    assert np.ptp(rank(crowd.rankers["bm25"].join(told), "measles")) == 0
    assert rank(crowd.rankers["words"].join(told), "measles").argmax() == len(crowd)
    assert rank(crowd.rankers["bm25"].join(told), "glassblower").argmax() == len(crowd)


def test_a_plain_ranker_is_asked_about_everything():
    ranker = Lexical.fit([Profile.of("a", {"occupation": "baker"})])
    told = Profile.of("p", {"illness": "measles", "occupation": "please"})
    assert rank(ranker.join(told), "measles").argmax() == 1
    assert rank(ranker.join(told), "please").argmax() == 1
