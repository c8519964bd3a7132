"""Words and sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.text.folding import fold_case
from maskwise.text.tokens import find_sentences, find_words

ONE = [
    "Mr. J. Smith v. No. 12/98",
    "Dr. Ana M. Souza Jr. lives at 5 St. Mary Rd. in Leeds.",
    "She paid approx. 3.5 million euros, i.e. too much.",
    "They arrived at 9 a.m. on Jan. 5.",
    "A.B. was heard by Judge C. D. Hill.",
    "“Is it true?” he asked.",
]
MANY = [
    ("It rained. We left.", 2),
    ("Really?! Yes. “No.” Then silence…  Good", 5),
    ("Heading\n\nFirst line\nsecond line. Third.", 3),
    ("Первое предложение. Второе предложение.", 2),
    ("她走了。他留下。", 2),
]


@pytest.mark.parametrize("text", ONE)
def test_abbreviations_do_not_end_sentences(text):
    assert find_sentences(text) == [(0, len(text))]


@pytest.mark.parametrize(("text", "count"), MANY)
def test_sentences(text, count):
    assert len(find_sentences(text)) == count


def test_words_hold_together():
    text = "O'Neill paid 3.5 for 27961/02, twice-daily."
    assert [text[a:b] for a, b in find_words(text)] == [
        "O'Neill",
        "paid",
        "3.5",
        "for",
        "27961/02",
        "twice-daily",
    ]


@given(st.text())
def test_sentences_hold_every_visible_character_in_order(text):
    spans = find_sentences(text)
    covered = "".join(text[a:b] for a, b in spans)
    assert "".join(covered.split()) == "".join(text.split())
    assert all(a < b for a, b in spans)
    assert spans == sorted(spans)


@given(st.text(st.characters()))
def test_folding_moves_nothing(text):
    assert len(fold_case(text)) == len(text)
    fold_case(text).encode()


def test_folding_lone_surrogates():
    assert fold_case("A\ud800B\udfff") == "a\ufffdb\ufffd"


def test_folding_the_dotted_capital():
    assert fold_case("İZMİR Ülkü") == "izmir ülkü"
