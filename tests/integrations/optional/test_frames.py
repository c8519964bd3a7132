"""Polars frames, lazy frames and expressions, and the SQL function of DuckDB."""

import duckdb
import polars as pl

from maskwise.integrations.frames import mask_expression, mask_frame, register_function
from maskwise.policy import Policy

RULES = Policy.parse({"name": "x", "detectors": [{"kind": "patterns"}]})
FRAME = pl.DataFrame({"holder": ["Anna Berg", "Piotr Kowal"] * 5, "points": list(range(10))})
TEXTS = ["Mr Lee left.", None, "Ask ana@example.org."]
MASKED = ["[PERSON 1] left.", None, "Ask [CODE 1]."]


def test_frames_and_lazy_frames_are_masked_alike():
    masked = mask_frame(FRAME, RULES)
    assert masked["points"].to_list() == list(range(10))
    assert masked["holder"].to_list()[:2] == ["[PERSON 1]", "[PERSON 2]"]
    assert mask_frame(FRAME.lazy(), RULES).collect().equals(masked)


def test_an_expression_masks_a_column():
    frame = pl.DataFrame({"note": TEXTS})
    masked = frame.with_columns(mask_expression(pl.col("note"), RULES))
    assert masked["note"].to_list() == MASKED


def test_sql_masks_a_column():
    connection = duckdb.connect()
    register_function(connection, RULES)
    connection.execute("CREATE TABLE t AS SELECT unnest(?) AS note", [TEXTS])
    rows = connection.execute("SELECT maskwise(note) FROM t").fetchall()
    assert [row[0] for row in rows] == MASKED
