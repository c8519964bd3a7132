"""Escapes are read as what they say, encodings twice, and every change is written once."""

from __future__ import annotations

import base64
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.io.atoms import REMOVED, cut_text, edit_atoms, merge_edits
from maskwise.io.segments import find_changes, join_segments, rewrite_text
from maskwise.mask import apply_replacements

NAME = "Ana Maria Souza"
PACKED = base64.b64encode(NAME.encode()).decode()


def read(text: str) -> str:
    atoms = cut_text(text)
    return join_segments((atom.text for atom in atoms), [atom.glue for atom in atoms])[0]


def mask(text: str, secret: str = NAME) -> str:
    """The source with the secret masked wherever it is read."""
    atoms = cut_text(text)
    joined, segments = join_segments((atom.text for atom in atoms), [atom.glue for atom in atoms])
    spans = []
    at = joined.find(secret)
    while at >= 0:
        spans.append((at, at + len(secret), "X"))
        at = joined.find(secret, at + len(secret))
    edits = edit_atoms(
        atoms, find_changes(segments, apply_replacements(joined, spans)[1]), lambda new, _: new
    )
    return rewrite_text(text, edits)[0]


@pytest.mark.parametrize(
    ("source", "masked"),
    [
        (f"a {NAME} b", "a X b"),
        ("a Ana&#32;Maria&nbsp;Souza b", "a X b"),
        ("a Ana%20Maria%20Souza b", "a X b"),
        ("a \\u0041na Maria Souza b", "a X b"),
        (f"a {PACKED} b", "a X b"),
        (f"a={PACKED}&b", "a=X&b"),
        (f"a {NAME.encode().hex()} b", "a X b"),
        ("a Ana=20Maria=20Souza b", "a X b"),
        (f"a {NAME} {PACKED}", "a X X"),
        ("50%20 &unknown; \\u00zz = =\n", "50%20 &unknown; \\u00zz = =\n"),
        (f"a data:text/plain;base64,{PACKED} b", f"a {REMOVED} b"),
        (f"a {base64.b64encode(bytes(16) + NAME.encode()).decode()} b",) * 2,
        (f"a {base64.b64encode(b'%PDF-1.7 ' + NAME.encode()).decode()} b", f"a {REMOVED} b"),
    ],
)
def test_what_is_masked(source, masked):
    assert mask(source) == masked


@given(st.text("ab=%&#;\\\\u041 \n", max_size=60))
def test_without_masks_nothing_changes(source):
    assert mask(source, "zzz") == source


@given(
    st.lists(st.tuples(st.integers(0, 20), st.integers(0, 6), st.sampled_from("XYZ")), max_size=8)
)
def test_changes_are_made_apart(found):
    edits = [(start, start + length, new) for start, length, new in found]
    merged = merge_edits(edits)
    assert all(left[1] <= right[0] for left, right in pairwise(merged))
    covered = {at for start, end, _ in edits for at in range(start, end)}
    assert covered == {at for start, end, _ in merged for at in range(start, end)}
    for _, _, new in edits:
        assert any(new in text for _, _, text in merged)
