"""Masked text aligned back: edits make the masked text again, whatever it is, and masks are found where words tell."""

import pytest
from corpora import corpus, document
from hypothesis import given, settings
from hypothesis import strategies as st

from maskwise.errors import CorpusError
from maskwise.text import masks
from maskwise.text.align import align_texts

TEXT = "Nora Vik (born 4 June 1975) is a Danish actor. She lives in Aarhus, near the sea, with Nora's sister."


def apply_edits(original, edits):
    """The masked text that the edits make."""
    parts, cursor = [], 0
    for edit in edits:
        parts += [original[cursor : edit.start], edit.replacement]
        cursor = edit.end
    return "".join((*parts, original[cursor:]))


def shown(original, masked):
    return [
        (original[start:end], replacement.strip())
        for start, end, replacement in align_texts(original, masked).masks
    ]


@pytest.mark.parametrize(
    ("masked", "expected"),
    [
        (TEXT, []),
        (TEXT.replace("Nora Vik", "PERSON"), [("Nora Vik", "PERSON")]),
        (TEXT.replace("Nora", "***"), [("Nora", "***"), ("Nora", "***")]),
        (TEXT.replace(" near the sea,", ""), [("near the sea", "")]),
        (TEXT.replace("4 June 1975", "some day in 1975"), [("4 June", "some day in")]),
        # other tools set tokens apart and change case: no mask
        (TEXT.replace("(", "( ").replace(")", " )").replace(".", " .").lower(), []),
        (TEXT.lower().replace("aarhus ,", "GPE").replace("aarhus", "GPE"), [("Aarhus", "GPE")]),
        ("", [(TEXT[:-1], "")]),
    ],
)
def test_masks_are_found(masked, expected):
    found = shown(TEXT, masked)
    assert [(a.strip(" ,."), b) for a, b in found] == expected
    assert apply_edits(TEXT, align_texts(TEXT, masked).edits) == masked


def test_a_place_that_cannot_be_known_is_reported():
    aligned = align_texts("the cat and the dog and the bird", "the cat and the bird")
    assert aligned.ambiguous
    assert not align_texts("the cat and the dog", "the X and the dog").ambiguous


WORDS = st.sampled_from(
    "ana berg met leo of the Oslo in 1971 , . ( ) a b it's Éva ß 北京 \n".split(" ")
)
TEXTS = st.lists(WORDS, max_size=40).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS, TEXTS)
def test_edits_always_make_the_masked_text(original, masked):
    aligned = align_texts(original, masked)
    assert apply_edits(original, aligned.edits) == masked
    assert all(a.end <= b.start for a, b in zip(aligned.edits, aligned.edits[1:], strict=False))


@settings(max_examples=300, deadline=None)
@given(
    TEXTS,
    st.lists(
        st.tuples(
            st.integers(0, 200), st.integers(1, 20), st.sampled_from(["***", "PERSON", "", "a b"])
        )
    ),
)
def test_random_masks_are_restored(original, drawn):
    parts, cursor = [], 0
    for start, size, replacement in sorted(drawn):
        if cursor <= start < len(original):
            parts += [original[cursor:start], replacement]
            cursor = min(len(original), start + size)
    masked = "".join((*parts, original[cursor:]))
    assert apply_edits(original, align_texts(original, masked).edits) == masked


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_masks_of_unlike_words_are_recovered_exactly(data):
    words = [f"w{n}" for n in range(data.draw(st.integers(1, 60)))]
    hidden = data.draw(st.sets(st.integers(0, len(words) - 1)))
    masked = " ".join(f"[X{n}]" if n in hidden else word for n, word in enumerate(words))
    aligned = align_texts(" ".join(words), masked)
    found = {word for start, end, _ in aligned.masks for word in " ".join(words)[start:end].split()}
    assert found == {words[n] for n in hidden}
    assert not aligned.ambiguous


def test_long_texts_are_aligned():
    text = " ".join(
        f"On day {n} the court heard witness {n * 7} in room {n % 13} ." for n in range(4000)
    )
    found = align_texts(text, text.replace("witness", "PERSON"))
    assert len(found.masks) == 4000


def test_files_of_masks():
    found = corpus(document("Ana met Leo Berg.", "a"), document("Leo left.", "b"))
    parsed = masks.parse_masks({"a": [[8, 16, "X"], [0, 3]], "b": "PERSON left."}, found)
    assert parsed.by_document == {"a": ((0, 3, None), (8, 16, "X")), "b": ((0, 3, "PERSON"),)}
    assert parsed.spans["b"] == [(0, 3)]
    assert "PERSON" not in repr(parsed)
    unsure = masks.parse_masks({"a": "Ana"}, corpus(document("Ana and Ana and Ana", "a")))
    assert unsure.ambiguous == {"a": 1}


@pytest.mark.parametrize(
    "value", [[], {"a": 3}, {"a": [[1]]}, {"a": [[0, 1, 2]]}, {"a": [["0", 1]]}]
)
def test_broken_files_of_masks(value):
    with pytest.raises(CorpusError, match="expected"):
        masks.parse_masks(value, [])
