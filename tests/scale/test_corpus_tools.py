"""Near-duplicates, the arithmetic of samples, and merged reports."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import InputError
from maskwise.scale.corpus import (
    bound_share,
    choose_sample_size,
    describe_bound,
    group_duplicates,
    merge_reports,
)

LETTER = " ".join(f"word{number}" for number in range(120))
OTHER = " ".join(f"other{number}" for number in range(120))


def test_near_duplicates_are_grouped():
    texts = [
        ("a", LETTER),
        ("b", OTHER),
        ("c", f"{LETTER} once more"),
        ("d", "short"),
        ("e", LETTER),
    ]
    assert group_duplicates(texts) == [["a", "c", "e"]]
    assert group_duplicates(reversed(texts)) == [["e", "c", "a"]]
    with pytest.raises(InputError, match="two texts have the id 'a'"):
        group_duplicates([("a", LETTER), ("a", OTHER)])


@given(st.integers(1, 400), st.data())
def test_a_bound_is_the_share_under_which_so_few_misses_are_unlikely(size, data):
    missed = data.draw(st.integers(0, size - 1))
    share = bound_share(size, missed)
    chance = math.fsum(
        math.comb(size, hits) * share**hits * (1 - share) ** (size - hits)
        for hits in range(missed + 1)
    )
    assert chance == pytest.approx(0.05, rel=1e-4)
    assert share > missed / size


@given(st.floats(0.001, 0.5))
def test_a_sample_is_just_large_enough(share):
    size = choose_sample_size(share)
    assert bound_share(size, 0) <= share + 1e-9
    assert size == 1 or bound_share(size - 1, 0) > share - 1e-9


def test_a_bound_reads_as_a_sentence():
    assert describe_bound(299, 0).startswith("with 95 % confidence fewer than 1.00 % of documents")
    with pytest.raises(InputError):
        bound_share(0, 0)


def make_report(**more):
    report = {
        "policy": "p", "model": "m", "code": "c", "characters": 10, "output_bytes": 9, "seconds": 1.0,
        "worker_seconds": 2.0, "documents": {"masked": 3}, "tasks": {"done": 3}, "errors": [], "sample": [],
        "entities": {"PERSON suppress": 2}, "left_out": {"unknown format": ["x"]},
    }  # fmt: skip
    return {**report, **more}


def test_reports_of_one_policy_are_summed():
    merged = merge_reports([make_report(), make_report(entities={"LOC keep": 1})])
    assert merged["documents"] == {"masked": 6}
    assert merged["entities"] == {"LOC keep": 1, "PERSON suppress": 2}
    assert merged["left_out"] == {"unknown format": ["x", "x"]}
    with pytest.raises(InputError, match="differ in their model"):
        merge_reports([make_report(), make_report(model="other")])
