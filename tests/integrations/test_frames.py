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
