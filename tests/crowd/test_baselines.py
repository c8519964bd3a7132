"""Baselines score words as the paper describes them."""

import numpy as np
import pytest

from baselines import (
    Rarity,
    mask_from,
    mask_share,
    score_profile_then_rarity,
    score_profile_words,
    score_spans,
)
from maskwise.crowd.population import Profile
from maskwise.crowd.words import Words

ADA = Profile.of("p1", {"name": "Ada Brandvold", "occupation": "glassblower"})
WORDS = Words("Ada BRANDVOLD was a glassblower in Larkby.")
TEXTS = ["She was a baker in Tarn.", "He was a glassblower.", "Ada was in Tarn."]


def chosen(mask):
    return [word for word, gone in zip(WORDS.texts, mask, strict=True) if gone]


def test_lexical_takes_the_words_of_the_profile_and_not_the_names_of_its_attributes():
    assert chosen(mask_from(score_profile_words(WORDS, ADA), 0.5)) == [
        "Ada",
        "BRANDVOLD",
        "glassblower",
    ]
    assert not score_profile_words(Words("Her occupation"), ADA).any()


def test_rare_words_come_first_and_unknown_ones_are_rare():
    rarity = Rarity.fit(TEXTS)
    scores = dict(zip(WORDS.texts, rarity(WORDS), strict=True))
    assert scores["was"] == 0
    assert scores["Larkby"] == scores["glassblower"] == pytest.approx(np.log(3))
    assert scores["in"] == pytest.approx(np.log(3 / 2))
    assert Rarity.fit([])(WORDS).tolist() == [0.0] * len(WORDS)


def test_table_aware_takes_the_profile_before_the_rarest():
    scores = score_profile_then_rarity(WORDS, ADA, Rarity.fit(TEXTS))
    assert chosen(mask_share(scores, 3 / 7)) == ["Ada", "BRANDVOLD", "glassblower"]
    assert chosen(mask_share(scores, 4 / 7)) == ["Ada", "BRANDVOLD", "glassblower", "Larkby"]
    assert chosen(mask_from(scores, 100)) == ["Ada", "BRANDVOLD", "glassblower"]


def test_spans_take_every_word_they_touch():
    assert chosen(mask_from(score_spans(WORDS, [(4, 5), (36, 41)]), 0.5)) == ["BRANDVOLD", "Larkby"]


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_a_share_is_a_share(share):
    assert mask_share(np.ones(8), share).sum() == 8 * share
