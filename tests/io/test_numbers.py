"""Numbers and dates of typed cells: coordinates, dates and moments counted from 1970 are masked in every table."""

import io
import json
from datetime import date, datetime

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from maskwise.files import sanitize_file
from maskwise.io.headers import find_number_type
from maskwise.sanitizer import Sanitizer
from maskwise.text import EntityType

RECORD = {
    "patient": "Ann Lee",
    "lat": 51.507351,
    "longitude": -0.127758,
    "admitted": date(2021, 3, 14),
    "seen": datetime(2021, 3, 15, 10, 2),
    "ts": 1615680000,
    "created_at": 1615680000123,
}
COUNTED = {"beds": 12, "weight": 71.5, "cells": 5200}
TELLING = ("Ann", "51.5073", "0.1277", "2021", "10, 2", "10:02", "1615680000")


@pytest.fixture(scope="module")
def sanitizer():
    return Sanitizer("hipaa-safe-harbor")


def write_parquet(record):
    target = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist([record]), target)
    return target.getvalue()


def write_xlsx(record):
    book, target = openpyxl.Workbook(), io.BytesIO()
    book.active.append(list(record))
    book.active.append(list(record.values()))
    book.save(target)
    return target.getvalue()


def write_csv(record):
    return (",".join(record) + "\n" + ",".join(map(str, record.values())) + "\n").encode()


def write_json(record):
    return json.dumps(record, default=str).encode()


def show_parquet(raw):
    return str(parquet.read_table(io.BytesIO(raw)).to_pylist())


def show_xlsx(raw):
    rows = openpyxl.load_workbook(io.BytesIO(raw)).active
    return str([[cell.value for cell in row] for row in rows])


FORMATS = {
    "parquet": (write_parquet, show_parquet),
    "xlsx": (write_xlsx, show_xlsx),
    "csv": (write_csv, bytes.decode),
    "json": (write_json, bytes.decode),
}


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("key", RECORD)
def test_what_identifies_is_masked_alone_in_its_column(sanitizer, suffix, key):
    write, show = FORMATS[suffix]
    raw = write({key: RECORD[key], **COUNTED})
    shown = show(sanitize_file(sanitizer, raw, f"table.{suffix}").data)
    assert [text for text in TELLING if text in shown] == []


@pytest.mark.parametrize("suffix", ["parquet", "json"])
def test_counts_and_measures_stay_numbers(sanitizer, suffix):
    write, show = FORMATS[suffix]
    shown = show(sanitize_file(sanitizer, write(COUNTED), f"table.{suffix}").data)
    assert [value for value in COUNTED.values() if str(value) not in shown] == []


@pytest.mark.parametrize(
    ("header", "number", "kind"),
    [
        ("ts", "1615680000", EntityType.DATETIME),
        ("updatedAt", "1615680000123", EntityType.DATETIME),
        ("ts", "98765432101", EntityType.CODE),
        ("total", "1615680000", EntityType.CODE),
        ("beds", "12", None),
    ],
)
def test_a_number_is_a_moment_by_its_column_and_its_size(header, number, kind):
    assert find_number_type((header,), number) is kind
