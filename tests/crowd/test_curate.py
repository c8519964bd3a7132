import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.crowd.curate import drop_masks, extract_terms


@pytest.mark.parametrize(
    "mask",
    ["[PERSON]", "[PERSON 1]", "PERSON", "<PERSON>", "<DATE_TIME>", "DATE TIME", "***", "____", "XXXX", "█████",
     "{ORG_2}", "SENSITIVE", "PERSON_3", "[REDACTED]"],
)  # fmt: skip
def test_generic_masks_go(mask):
    assert drop_masks(f"Then {mask} left the mill.").split() == ["Then", "left", "the", "mill."]


@pytest.mark.parametrize(
    "kept", ["a person of the world", "a city in Norway", "(she left)", "NASA", "x", "Date", "*"]
)
def test_words_stay(kept):
    assert drop_masks(kept) == kept


@pytest.mark.parametrize(
    ("one", "other"),
    [("movies", "movie"), ("cities", "city"), ("stopped", "stopping"), ("acts", "acted"), ("making", "make"),
     ("Études", "etude"), ("churches", "church"), ("glasses", "glass"), ("Ada’s", "ADA"), ("well-known", "well known")],
)  # fmt: skip
def test_forms_of_a_word_meet(one, other):
    assert extract_terms(one) == extract_terms(other) != []


def test_stop_words_go():
    assert extract_terms("She was the one who had been in it") == ["one"]


@given(st.text())
def test_any_text_can_be_read(text):
    assert all(extract_terms(drop_masks(text)))
