"""Plain words: how many there are, how they are inflected, and that no word among them describes anyone."""

import pytest

from maskwise.text.english import STOP_WORDS
from maskwise.text.plain_words import (
    CLOSED,
    COMMON_WORDS,
    PLAIN_VERBS,
    PLAIN_WORDS,
    is_plain,
    split_clitic,
)


def test_the_list_is_short_and_holds_the_stop_words():
    assert 1000 <= len(COMMON_WORDS) <= 2000
    assert PLAIN_WORDS >= STOP_WORDS | CLOSED


@pytest.mark.parametrize(
    "forms",
    [
        "carry carries carried carrying",
        "stop stops stopped stopping",
        "live lives lived living",
        "die dies died dying",
        "pass passes passed passing",
        "play plays played playing",
        "agree agrees agreed agreeing",
        "refer refers referred referring",
    ],
)
def test_verbs_have_their_forms(forms):
    assert set(forms.split()) <= PLAIN_VERBS


@pytest.mark.parametrize("word", ["stoped", "carryed", "liveed", "dieing", "womans", "agreing"])
def test_no_form_is_wrong(word):
    assert word not in PLAIN_WORDS


@pytest.mark.parametrize(
    "word",
    "widow army priest cancer surgery murdered drowned emigrated bodybuilding salmon blind black Muslim lawyer prison "
    "divorced adopted champion twin five 1971 youngest".split(),
)
def test_what_describes_someone_is_not_plain(word):
    assert not is_plain(word)


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("She’d", ("she", "'d")),
        ("won't", ("will", "n't")),
        ("'s", ("'s", "")),
        ("Souza's", ("souza", "'s")),
        ("boss", ("boss", "")),
    ],
)
def test_contractions_come_apart(word, parts):
    assert split_clitic(word) == parts
