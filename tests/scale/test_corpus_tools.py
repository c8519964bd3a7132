"""Near-duplicates, the arithmetic of samples, and merged reports."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import InputError
from maskwise.scale.corpus import (
    bound_share,
    choose_sample_size,
    describe_bound,
    draw_lot,
    group_duplicates,
    list_shingles,
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


@pytest.mark.parametrize("seed", range(3))
def test_no_near_duplicate_is_overlooked(seed):
    """Each pair of letters, of which one was edited in some places, against its exact share."""
    draw = random.Random(seed)
    for edits in [*range(9), *range(20, 60, 5)]:
        words = [f"word{draw.randrange(500)}" for _ in range(400)]
        edited = list(words)
        for _ in range(edits):
            edited[draw.randrange(len(words))] = "edited"
        pair = [" ".join(words), " ".join(edited)]
        first, second = (set(list_shingles(text)) for text in pair)
        share = len(first & second) / len(first | second)
        found = group_duplicates(zip("ab", pair, strict=True))
        if not 0.68 < share < 0.9:  # between them the estimate may err
            assert found == ([["a", "b"]] if share > 0.8 else [])


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
        "policy": "p", "model": "m", "code": "c", "device": "cpu", "characters": 10, "output_bytes": 9, "seconds": 1.0,
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


def make_sampled(run, documents, looked_at):
    names = [{"output": f"{run}{number}.txt", "row": None} for number in range(documents)]
    sample = sorted(names, key=draw_lot)[:looked_at]
    return make_report(documents={"masked": documents}, sample=sample)


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60)), min_size=1, max_size=4))
def test_a_merged_sample_is_one_of_all_documents(runs):
    """A small run has no more weight in it than its documents."""
    reports = [make_sampled(f"{at}-", *sizes) for at, sizes in enumerate(runs)]
    names = [f"{at}-{number}.txt" for at, (size, _) in enumerate(runs) for number in range(size)]
    everybody = sorted(({"output": name, "row": None} for name in names), key=draw_lot)
    drawn = merge_reports(reports)["sample"]
    assert drawn == everybody[: len(drawn)]
    assert len(drawn) >= min(min(both) for both in runs)


@given(st.integers(1, 5000), st.integers(0, 20), st.sampled_from((0.8, 0.95, 0.995, 0.999)))
def test_a_claim_is_never_stronger_than_its_bound(size, missed, confidence):
    missed = min(missed, size)
    words = describe_bound(size, missed, confidence).split()
    assert float(words[1]) / 100 == pytest.approx(confidence)
    bound, said = bound_share(size, missed, confidence), float(words[6]) / 100
    assert bound - 1e-9 <= said < bound + 1.01e-4
