"""The article before a mask agrees with what the mask says, and nothing else of the text changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise import Policy, Sanitizer
from maskwise.mask import apply_replacements
from maskwise.mask.articles import correct_articles, has_vowel_sound


@pytest.mark.parametrize(
    ("text", "new", "expected"),
    [
        ("He is an [Italian].", "Southern European", "He is a Southern European."),
        ("She is a [Pole].", "Eastern European", "She is an Eastern European."),
        ("An [Austrian] came.", "European", "A European came."),
        ("It ended. A [Dane] came.", "adult", "It ended. An adult came."),
        ("He has hepatitis A [infection].", "illness", "He has hepatitis A illness."),
        ("an [eight-month] term", "5–10-month", "a 5–10-month term"),
        ("a [seven-year-old] boy", "11-to-17-year-old", "an 11-to-17-year-old boy"),
        ("He met a [nurse].", "[PERSON 1]", "He met a [PERSON 1]."),
        ("He met an [Oslo] man.", "***", "He met an *** man."),
        ("the data [Pole]", "adult", "the data adult"),
        ("Vitamin A       [deficiency]", "illness", "Vitamin A       illness"),
        ("in Bana       [Pole]", "adult", "in Bana       adult"),
    ],
)
def test_the_article_agrees(text: str, new: str, expected: str) -> None:
    start, end = text.index("["), text.index("]") - 1
    plain = text.replace("[", "", 1).replace("]", "", 1)
    edits = correct_articles(plain, [(start, end, new)])
    assert apply_replacements(plain, edits)[0] == expected


def test_an_article_that_is_masked_itself_is_left_alone() -> None:
    assert correct_articles("an Italian", [(0, 2, "***"), (3, 10, "European")]) == [
        (0, 2, "***"),
        (3, 10, "European"),
    ]


WORDS = st.sampled_from(["a", "an", "the", "Pole", "Italian", "of", "A", "An", "uncle", "."])


@given(st.lists(WORDS, min_size=2, max_size=12), st.data())
def test_only_articles_before_masks_change(tokens: list[str], data: st.DataObject) -> None:
    text = " ".join(tokens)
    starts = [sum(len(t) + 1 for t in tokens[:at]) for at in range(len(tokens))]
    chosen = sorted(data.draw(st.sets(st.integers(0, len(tokens) - 1), max_size=4)))
    masks = [(starts[at], starts[at] + len(tokens[at]), data.draw(WORDS)) for at in chosen]
    edits = correct_articles(text, masks)
    masked, alignment = apply_replacements(text, edits)
    assert alignment.restore(masked) == text
    assert [edit for edit in edits if edit in masks] == masks
    for start, end, new in (edit for edit in edits if edit not in masks):
        assert text[start:end].lower() in ("a", "an")
        after = next(mask for mask in masks if mask[0] > start)
        assert (new.lower() == "an") == has_vowel_sound(after[2])


def test_a_policy_changes_the_article_and_the_leak_check_passes() -> None:
    policy = Policy.parse(
        {
            "name": "p",
            "detectors": [{"kind": "gazetteer"}],
            "decide": {"kind": "thresholds", "default": 0},
            "operator": {"kind": "generalise"},
        }
    )
    result = Sanitizer(policy).sanitize("He is an Italian, and she is a Pole.")
    assert result.text == "He is a Southern European, and she is a European."
    assert result.rendering.restore() == "He is an Italian, and she is a Pole."
