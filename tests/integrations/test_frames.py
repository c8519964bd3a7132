"""Data frames of pandas and PyArrow are masked as tables; types, order and index stay."""

import pandas as pd
import pyarrow as pa
import pytest

from maskwise.errors import InputError
from maskwise.integrations.frames import mask_frame
from maskwise.policy import Policy

RULES = Policy.parse({"name": "x", "detectors": [{"kind": "patterns"}]})
NAMES = ["Anna Berg", "Piotr Kowal", "Anna Berg"] * 4
COLUMNS = {
    "holder": NAMES,
    "phone": [44163296001 + at for at in range(12)],
    "points": [at * 2 for at in range(12)],
    "share": [at / 8 for at in range(12)],
}


def test_pandas_keeps_index_and_types():
    frame = pd.DataFrame(COLUMNS, index=pd.Index([f"r{at}" for at in range(12)], name="row"))
    masked = mask_frame(frame, RULES)
    assert list(masked.index) == list(frame.index)
    assert masked.index.name == "row"
    assert masked["points"].tolist() == frame["points"].tolist()
    assert masked["share"].dtype == frame["share"].dtype
    assert masked["phone"].isna().all()
    first, second, third = masked["holder"][:3]
    assert first == third != second


def test_arrow_keeps_the_schema():
    table = pa.table(COLUMNS)
    masked = mask_frame(table, RULES)
    assert masked.schema.types == table.schema.types
    assert masked.column("points").to_pylist() == COLUMNS["points"]
    assert "Anna" not in str(masked.to_pydict())


def test_anything_else_is_refused_in_one_line():
    with pytest.raises(InputError, match=r"builtins\.dict is no data frame"):
        mask_frame({})


def test_pandas_keeps_columns_that_are_named_by_numbers():
    frame = pd.DataFrame([["Anna Berg", 1], ["Piotr Kowal", 2]])
    masked = mask_frame(frame, RULES)
    assert list(masked.columns) == [0, 1]
    assert masked.dtypes.equals(frame.dtypes)


def test_two_columns_of_one_name_are_refused_in_one_line():
    with pytest.raises(InputError, match="one name"):
        mask_frame(pd.DataFrame([["a", "b"]], columns=["x", "x"]), RULES)


def test_one_person_of_a_row_keeps_one_pseudonym_in_all_its_columns_and_the_index():
    names = ["Anna Berg", "Piotr Kowal"]
    masked = mask_frame(pd.DataFrame({"name": names, "contact": names}, index=names), RULES)
    assert list(masked["name"]) == list(masked["contact"]) == list(masked.index)
    assert len(set(masked["name"])) == 2


def test_arrow_keeps_times_in_seconds():
    table = pa.table({"name": ["Anna Berg"], "at": pa.array([3600], pa.time32("s"))})
    assert mask_frame(table, RULES).schema == table.schema


def test_values_of_several_types_are_refused_without_telling_them():
    with pytest.raises(InputError, match="column 2: values of several types") as found:
        mask_frame(pd.DataFrame({"n": [1, 2], "x": [1, "Anna Kowal"]}))
    assert "Anna" not in str(found.value)
    assert found.value.__cause__ is None
    assert found.value.__context__ is None


def test_columns_of_several_levels_stay():
    columns = pd.MultiIndex.from_tuples([("p", "name"), ("p", "n")])
    done = mask_frame(pd.DataFrame([["Anna Kowal", 1]], columns=columns))
    assert done.columns.equals(columns)
    assert "Anna" not in done.to_string()
