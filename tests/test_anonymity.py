"""k-anonymity of tables: every class is large and varied enough, values cover their rows, the rest is suppressed."""

import random
from collections import Counter

import pytest

from maskwise.anonymity import anonymise_rows
from maskwise.errors import InputError

DRAW = random.Random(7)
ROWS = [
    {
        "name": f"[PERSON {at}]",
        "age": str(DRAW.randint(18, 90)),
        "town": DRAW.choice(["Oslo", "Bergen", "Alta"]),
        "illness": DRAW.choice(["asthma", "eczema", "migraine"]),
    }
    for at in range(120)
]


@pytest.mark.parametrize(("k", "diversity"), [(2, 1), (5, 2), (20, 3)])
def test_classes_are_large_and_varied(k, diversity):
    done = anonymise_rows(ROWS, ["age", "town"], k, "illness", diversity)
    seen = [(row["age"], row["town"]) for row in done.rows]
    sizes = Counter(seen)
    sizes.pop(("*", "*"), None)
    assert min(sizes.values()) >= k
    for group in sizes:
        values = {row["illness"] for row, own in zip(done.rows, seen, strict=True) if own == group}
        assert len(values) >= diversity
    assert done.to_json()["smallest"] == min(sizes.values())
    assert [row["name"] for row in done.rows] == [row["name"] for row in ROWS]


def test_a_range_holds_the_value_it_replaces():
    for old, new in zip(ROWS, anonymise_rows(ROWS, ["age"], 5).rows, strict=True):
        low, _, high = new["age"].partition("–")
        assert int(low) <= int(old["age"]) <= int(high or low)


def test_what_cannot_hide_is_suppressed():
    rows = [{"age": "40", "zip": "1"}, {"age": "", "zip": "2"}, {"age": "41", "zip": "1"}]
    done = anonymise_rows(rows, ["age", "zip"], 2)
    assert done.suppressed == 1
    assert done.rows[1] == {"age": "*", "zip": "*"}


@pytest.mark.parametrize(
    ("quasi", "k", "sensitive", "diversity", "why"),
    [
        (["age"], 121, None, 1, "no class can have 121 rows: 120 rows"),
        (["age"], 5, "illness", 4, "no class can have 4 values of 'illness': the column has 3"),
        (["age"], 5, "age", 2, "column 'age' cannot be both"),
        (["age"], 5, None, 2, "needs a sensitive column"),
    ],
)
def test_what_no_table_can_keep_is_refused_in_one_line(quasi, k, sensitive, diversity, why):
    with pytest.raises(InputError, match=why) as found:
        anonymise_rows(ROWS, quasi, k, sensitive, diversity)
    assert "\n" not in str(found.value)


def test_the_report_tells_how_many_classes_have_each_size():
    done = anonymise_rows(ROWS, ["age", "town"], 5)
    told = done.to_json()
    assert sum(int(size) * count for size, count in told["sizes"].items()) + told[
        "suppressed"
    ] == len(ROWS)
    assert sum(told["sizes"].values()) == told["classes"]


def test_an_unknown_column_is_one_line():
    with pytest.raises(InputError, match="no column 'agee'; there are 'name', 'age'"):
        anonymise_rows(ROWS, ["agee"], 3)
