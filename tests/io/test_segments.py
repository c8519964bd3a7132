"""Segments are joined and cut apart without loss, wherever masks fall."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from maskwise.io.segments import BREAK, find_changes, join_segments, mask_segments
from maskwise.mask import Alignment, apply_replacements

TEXTS = st.lists(st.text("ab\n ", max_size=5), max_size=8)
GLUE = st.sampled_from(["", "\n", BREAK])


@st.composite
def masked(draw):
    texts = draw(TEXTS)
    glue = draw(st.lists(GLUE, min_size=len(texts), max_size=len(texts)))
    text, layout = join_segments(texts, glue)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [(a, b, "X") for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    return texts, glue, text, layout, spans


@given(masked())
def test_without_masks_nothing_changes(case):
    texts, glue, text, layout, _ = case
    assert mask_segments(layout, Alignment(())) == texts
    assert text == "".join(
        g * (at > 0) + t for at, (g, t) in enumerate(zip(glue, texts, strict=True))
    )


@given(masked())
def test_every_masked_character_goes_and_no_other(case):
    texts, _, text, layout, spans = case
    _, alignment = apply_replacements(text, spans)
    for at, (segment, found) in enumerate(zip(texts, find_changes(layout, alignment), strict=True)):
        start = layout.starts[at]
        covered = {i for a, b, _ in spans for i in range(a, b)}
        changed = {i for a, b, _ in found for i in range(a, b)}
        assert changed == {i for i in range(len(segment)) if start + i in covered}


@given(masked())
def test_every_mask_that_covers_text_is_written_once_between_two_glues(case):
    _, _, text, layout, spans = case
    found = find_changes(layout, apply_replacements(text, spans)[1])
    for a, b, _ in spans:
        inside = [
            (at, new)
            for at, each in enumerate(found)
            for s, _, new in each
            if a <= layout.starts[at] + s < b
        ]
        shown = [at for at, new in inside if new]
        assert bool(shown) == bool(inside)
        for left, right in pairwise(shown):
            assert not all(layout.is_joined(at) for at in range(left + 1, right + 1))


def test_runs_share_one_mask_and_cells_have_each_their_own():
    text, layout = join_segments(["Jo", "hn", "Smith"], ["", "", BREAK])
    assert mask_segments(layout, apply_replacements(text, [(0, len(text), "X")])[1]) == [
        "X",
        "",
        "X",
    ]


def test_a_token_that_covers_two_cells_is_written_once():
    text, layout = join_segments(["John", "Smith left"])
    token = "[PERSON 7F3A91C2]"
    assert mask_segments(layout, apply_replacements(text, [(0, len(text) - 5, token)])[1]) == [
        token,
        " left",
    ]
