"""Information kept: terms, TIC, TPI, credit, compression, on a model made on the spot."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.evaluate.terms import find_terms, group_by_sentence
from maskwise.evaluate.utility import (
    Information,
    Similarity,
    average_utility,
    compute_information,
    measure_compression_loss,
    measure_utility,
)
from maskwise.lm.masked import MaskedLM

TEXT = "Ana van der Berg lives in New Porto. The old clerk met her on 3 May 1971, near Oslo."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was in New York.", ["I", "was", "in", "New York"]),
        ("Born on June 4, 1975, in Lund.", ["Born", "on", "June 4, 1975", "in", "Lund"]),
        ("The retired officer laughed.", ["The", "retired officer", "laughed"]),
        ("His wife Anna J. Berg left.", ["His", "wife", "Anna J. Berg", "left"]),
        ("He won the Prize of Arts.", ["He", "won", "the", "Prize of Arts"]),
        ("Paris, France", ["Paris", "France"]),
        (
            "She met Jan van der Poel. Later he died.",
            ["She", "met", "Jan van der Poel", "Later", "he", "died"],
        ),
        ("", []),
    ],
)
def test_terms(text, expected):
    assert [text[start:end] for start, end in find_terms(text)] == expected


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="aB 1.,-'\n\u00e9of", max_size=80))
def test_terms_are_apart_and_hold_every_word(text):
    found = find_terms(text)
    assert all(a[1] <= b[0] for a, b in pairwise(found))
    assert [n for _, members in group_by_sentence(text, found) for n in members] == list(
        range(len(found))
    )


def test_one_term_of_a_sentence_at_a_time(tiny):
    known = compute_information(TEXT, tiny.masked)
    assert len(known.spans) == len(find_terms(TEXT))
    assert (known.content > 0).all()
    assert known.total == pytest.approx(known.content.sum())
    # by hand: the sentence alone, one term hidden, its least likely piece
    sentence = TEXT[: TEXT.index(".") + 1]
    at = known.spans.index((sentence.index("New"), sentence.index("New Porto") + 9))
    piece = MaskedLM(tiny.encoder, distance=99).compute_log_probs(sentence, [known.spans[at]])[0]
    assert known.content[at] == pytest.approx(-piece.min(), rel=1e-5)


def test_every_nth_term_at_once(tiny):
    known = compute_information(TEXT, tiny.masked, every=2)
    groups = [list(range(0, len(known.spans), 2)), list(range(1, len(known.spans), 2))]
    by_hand = tiny.masked.measure_information(TEXT, known.spans, groups, pool="max")
    assert known.content == pytest.approx(by_hand)
    assert compute_information("", tiny.masked, every=6).total == 0


# "Ana" 1, "met" 2, "Leo Berg" 5, "in" 0.5, "Oslo" 1.5: TIC 10
KNOWN = Information(((0, 3), (4, 7), (8, 16), (17, 19), (20, 24)), np.array([1, 2, 5, 0.5, 1.5]))
SHORT = "Ana met Leo Berg in Oslo"


def test_tpi_by_hand():
    found = measure_utility(SHORT, [(8, 16, None)], KNOWN)
    assert found.tic_original == 10
    assert found.tic == 5
    assert found.tpi == 0.5
    assert found.ic_multiplier == pytest.approx(5 / (5 / 4))
    assert found.words_masked == pytest.approx(2 / 6)


def test_bounds():
    assert measure_utility(SHORT, [], KNOWN).tpi == 1
    assert math.isnan(measure_utility(SHORT, [], KNOWN).ic_multiplier)
    assert measure_utility(SHORT, [(0, len(SHORT), None)], KNOWN).tpi == 0
    assert measure_utility("", [], Information((), np.zeros(0))).tpi == 1
    # part of a chunk is the chunk
    assert measure_utility(SHORT, [(8, 11, None)], KNOWN).tpi == 0.5


def test_masking_more_never_keeps_more():
    masks = [(0, 3, None), (4, 7, None), (8, 11, None), (17, 24, None)]
    kept = [measure_utility(SHORT, masks[:n], KNOWN).tpi for n in range(5)]
    assert kept == sorted(kept, reverse=True)


def test_credit_for_a_replacement_that_tells_something():
    def half(original, replacement):
        assert (original, replacement) == ("Leo Berg", "a man")
        return 0.5

    assert measure_utility(SHORT, [(8, 16, "a man")], KNOWN, half).tpi == pytest.approx(0.75)
    assert (
        measure_utility(SHORT, [(8, 16, "[PERSON 1]")], KNOWN, half).tpi == 0.5
    )  # a label tells nothing
    assert measure_utility(SHORT, [(8, 16, None)], KNOWN, half).tpi == 0.5


def test_similarity_is_between_0_and_1(tiny):
    alike = Similarity(tiny.encoder)
    assert alike("Oslo", "oslo") == 1
    assert all(0 <= alike("Oslo", other) <= 1 for other in ("a city", "1971", "", "Porto"))
    assert alike("Oslo", "Porto") == pytest.approx(alike("Porto", "Oslo"))


def test_compression_loss():
    text = " ".join(f"word{n * 7919 % 1000}" for n in range(300))
    assert measure_compression_loss(text, []) == 0
    half, most = (
        measure_compression_loss(text, [(0, len(text) // 2, "x")]),
        measure_compression_loss(text, [(0, len(text) - 9, None)]),
    )
    assert 0.3 < half < 0.7 < most < 1
    assert measure_compression_loss(
        text, [(0, 99, "x"), (50, 120, "y")]
    ) == measure_compression_loss(text, [(0, 120, None)])


def test_averages_leave_out_what_is_not_known():
    found = average_utility(
        [measure_utility(SHORT, [(8, 16, None)], KNOWN), measure_utility(SHORT, [], KNOWN)]
    )
    assert found["tpi"].value == 0.75
    assert found["tpi"].low <= 0.75 <= found["tpi"].high
    assert found["ic_multiplier"].value == pytest.approx(4)
