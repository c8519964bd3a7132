"""Rows of tables as documents: parts, formats, error rows, and what is left out."""

import csv
import io
import json
import tempfile
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from batch_letters import list_outputs, write_letter
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import InputError
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.scale.batch import BatchRun, make_engine, run_batch
from maskwise.scale.rows import read_part
from maskwise.scale.store import StorePlace
from maskwise.scale.summary import summarise_run
from maskwise.scale.tasks import ROWS as ROWS_OF_TABLE
from maskwise.scale.tasks import Task, TextColumns
from maskwise.scale.worker import Worker, mask_text

TABLE = TextColumns("body", ("year",), "key")
SLIGHT = Policy.parse({"name": "slight", "detectors": [{"kind": "patterns"}]})
ROWS = [
    {
        "key": f"k{number}",
        "year": 1990 + number,
        "body": write_letter(number),
        "secret": "Ana Souza",
    }
    for number in range(40)
]


def write_jsonl(folder):
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))


def write_csv(folder):
    with open(folder / "rows.csv", "w", newline="") as stream:
        writer = csv.DictWriter(stream, list(ROWS[0]), delimiter=";")
        writer.writeheader()
        writer.writerows({**row, "body": row["body"] + "\n\nYours;"} for row in ROWS)


def write_parquet(folder):
    for year in ("a", "b"):
        part = folder / f"half={year}"
        part.mkdir(parents=True)
        rows = ROWS[:20] if year == "a" else ROWS[20:]
        pq.write_table(pa.Table.from_pylist(rows), part / "rows.parquet", row_group_size=7)


def read_outputs(folder):
    """All rows of all parts, in order."""
    rows = []
    for name, data in list_outputs(folder).items():
        if name.endswith(".jsonl"):
            rows += [json.loads(line) for line in data.decode().splitlines()]
        elif name.endswith(".csv"):
            rows += list(csv.DictReader(io.StringIO(data.decode(), newline=""), delimiter=";"))
        else:
            rows += pq.read_table(io.BytesIO(data)).to_pylist()
    return rows


def run(folder, out, rules, part=1500, workers=None, table=TABLE):
    batch = BatchRun(str(folder), str(out), rules, table=table, part=part)
    with batch.open(False) as manifest:
        engine = make_engine("local", batch.job, workers) if workers else _Here(batch.job)
        run_batch(manifest, engine)
        return summarise_run(manifest, 1.0)


class _Here:
    def __init__(self, job):
        self.worker = Worker(job)

    def run(self, tasks):
        return map(self.worker.run, tasks)


@pytest.mark.parametrize("write", [write_jsonl, write_csv, write_parquet])
def test_each_row_is_a_document(write, tmp_path, rules):
    source = tmp_path / "in"
    source.mkdir()
    write(source)
    report = run(source, tmp_path / "out", rules)
    assert report["documents"]["masked"] == 40
    rows = read_outputs(tmp_path / "out")
    assert [row["key"] for row in rows] == [f"k{number}" for number in range(40)]
    assert [str(row["year"]) for row in rows] == [str(1990 + number) for number in range(40)]
    assert all(set(row) == {"key", "year", "body", "error"} for row in rows)
    sanitizer = Sanitizer(rules)
    for row, original in zip(rows, ROWS, strict=True):
        body = original["body"] + ("\n\nYours;" if write is write_csv else "")
        assert row["body"] == mask_text(sanitizer, body, row["key"]).data.decode()
    assert len(list_outputs(tmp_path / "out")) > 2


def test_the_size_of_parts_and_workers_change_no_row(tmp_path, rules):
    source = tmp_path / "in"
    source.mkdir()
    write_jsonl(source)
    run(source, tmp_path / "a", rules, part=1024)
    run(source, tmp_path / "b", rules, part=1 << 20, workers=2)
    a, b = (b"".join(list_outputs(tmp_path / name).values()) for name in "ab")
    assert a == b


def test_bad_rows_are_error_rows(tmp_path, rules):
    source = tmp_path / "rows.jsonl"
    lines = [
        '{"key": 1, "body": "Mr Lee came."}',
        "Ana Souza {",
        '{"key": 2}',
        '{"key": 3, "body": 7}',
    ]
    source.write_text(
        "\n".join([*lines, '{"key": 4, "body": null}', '{"key": 5, "body": "\\ud800"}'])
    )
    report = run(source, tmp_path / "out", rules)
    [first, *others] = read_outputs(tmp_path / "out")
    assert first == {"key": 1, "year": None, "body": "[PERSON 1] came.", "error": None}
    assert [row["body"] for row in others] == [None] * 5
    assert [row["error"] for row in others] == [
        "not a line of JSON",
        "no column 'body'",
        "column 'body' holds no text",
        None,
        "masking failed (UnicodeEncodeError)",
    ]
    assert report["documents"]["failed"] == 4


def test_missing_columns_are_named(tmp_path, rules):
    source = tmp_path / "in"
    source.mkdir()
    write_csv(source)
    report = run(source, tmp_path / "out", rules, table=TextColumns("letter"))
    assert "no column 'letter'" in report["errors"][0]["reason"]


def test_files_that_are_no_tables_are_left_out(tmp_path, rules):
    source = tmp_path / "in"
    source.mkdir()
    (source / "note.txt").write_text("Mr Lee")
    with pytest.raises(InputError, match=r"nothing to mask there; 1 left out \(no table\)"):
        run(source, tmp_path / "out", rules)


def test_no_cell_is_cut_by_the_border_of_a_part(tmp_path, rules):
    """A quote in the middle of a cell opens nothing, so it must not move the borders into other cells."""
    source = tmp_path / "rows.csv"
    lines = ["key,body"]
    for number in range(60):
        body = f'"{write_letter(number)}\nMr Otto Weber,here\nand more"'
        lines.append(f"{number},{body}" if number % 3 else f'{number},a 5" pipe')
    source.write_text("\ufeff" + "\r\n".join(lines) + "\r\n")
    table = TextColumns("body", (), "key")
    for name, part in (("parts", 1024), ("whole", 1 << 20)):
        report = run(source, tmp_path / name, rules, part=part, table=table)
        assert report["documents"]["failed"] == 0
    assert len(list_outputs(tmp_path / "parts")) == 4
    parts = list_outputs(tmp_path / "parts").values()
    [whole] = [read_csv(data) for data in list_outputs(tmp_path / "whole").values()]
    assert [row for data in parts for row in read_csv(data)] == whole
    assert [row["key"] for row in whole] == [str(number) for number in range(60)]
    assert b"Weber" not in b"".join(parts)


QUOTED = (
    'key,town,body\n1,Graz,"Ana Souza, she came."\n'
    '2,"Ghent, old","""Well"", Ana Souza said"\n3,,\n4,Lyon,Ana Souza\n'
)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_no_quotation_mark_moves_a_text_into_a_column_that_is_kept(tmp_path, ends):
    """Wherever one is missing or too many."""
    path, columns = tmp_path / "rows.csv", TextColumns("body", ("town",), "key")
    whole = QUOTED.replace("\n", ends)
    for at in range(whole.index("1"), len(whole)):
        for broken in (
            whole[:at] + '"' + whole[at:],
            whole[:at] + whole[at + (whole[at] == '"') :],
        ):
            path.write_bytes(broken.encode())
            task = Task(0, ROWS_OF_TABLE, path.name, path.name, len(broken), 0, len(broken))
            rows = read_part(StorePlace(str(tmp_path)), task, columns).rows
            assert "Ana" not in "".join(str(value) for row in rows for value in row.kept.values())


def test_a_row_with_a_broken_quotation_mark_is_an_error_row(tmp_path, rules):
    source = tmp_path / "rows.csv"
    source.write_text('key,year,body\n1,"1990,Mr Lee\n2,1991,"Yes, Mr Lee came."\n3,1992,Hello\n')
    report = run(source, tmp_path / "out", rules)
    [broken, sound] = read_csv(*list_outputs(tmp_path / "out").values())
    assert broken == {
        "key": "",
        "year": "",
        "body": "",
        "error": "a quotation mark that is not closed or not doubled",
    }
    assert sound["key"] == "3"
    assert report["documents"] == {"masked": 1, "failed": 1, "left_out": 0}


def read_csv(data):
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def test_a_broken_table_is_an_error_of_its_own(tmp_path, rules):
    source = tmp_path / "in"
    source.mkdir()
    write_parquet(source)
    (source / "broken.parquet").write_bytes(b"PAR1 Ana Souza")
    (source / "empty.parquet").write_bytes(b"")
    report = run(source, tmp_path / "out", rules)
    assert report["documents"]["masked"] == 40
    found = {error["name"]: error["reason"] for error in report["errors"]}
    assert set(found) == {"broken.parquet", "empty.parquet"}
    assert "a broken Parquet file" in found["broken.parquet"]


@pytest.mark.parametrize("write", [write_jsonl, write_csv, write_parquet])
def test_a_table_that_cannot_be_opened_stops_no_other_and_loses_no_row(
    tmp_path, rules, monkeypatch, write
):
    """Neither in this run, nor in one that goes on once it can be opened."""
    for name in ("sound", "locked"):
        (tmp_path / "in" / name).mkdir(parents=True)
        write(tmp_path / "in" / name)
    batch = BatchRun(str(tmp_path / "in"), str(tmp_path / "out"), rules, table=TABLE, part=1500)

    with monkeypatch.context() as patched:
        for asked in ("open_stream", "read_range"):
            patched.setattr(StorePlace, asked, _lock(asked))
        with batch.open(False) as manifest:
            run_batch(manifest, _Here(batch.job))
            report = summarise_run(manifest, 1.0)
    assert report["documents"]["masked"] == 40
    assert {error["name"].partition("/")[0] for error in report["errors"]} == {"locked"}
    with batch.open(True) as manifest:
        run_batch(manifest, _Here(batch.job))
        report = summarise_run(manifest, 1.0)
    if write is write_parquet:
        assert "could not be read when the run began" in report["errors"][0]["reason"]
    else:
        assert report["documents"] == {"masked": 80, "failed": 0, "left_out": 0}


def _lock(asked):
    """A way to read that refuses what lies in one folder."""
    read = getattr(StorePlace, asked)

    def refuse(self, name, *more):
        if name.startswith("locked"):
            raise InputError(f"{name}: cannot be read (Permission denied)")
        return read(self, name, *more)

    return refuse


def test_a_parquet_that_was_broken_for_a_moment_loses_no_row(tmp_path, rules, monkeypatch):
    """A store that fails while a run is planned must not make a plan of a part of the rows."""
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(ROWS), path)
    batch = BatchRun(str(path), str(tmp_path / "out"), rules, table=TABLE)
    with monkeypatch.context() as patched:
        patched.setattr(pq, "ParquetFile", lambda stream: stream.missing)
        manifest = batch.open(False)
    with manifest:
        run_batch(manifest, _Here(batch.job))
        report = summarise_run(manifest, 1.0)
    assert report["documents"] == {"masked": 0, "failed": 1, "left_out": 0}
    assert "could not be read when the run began" in report["errors"][0]["reason"]


def test_columns_of_any_type_are_kept(tmp_path, rules):
    """Not each value of Arrow has one in Python: this moment has more digits."""
    bodies = [write_letter(0), None, write_letter(1)]
    columns = {
        "body": pa.array(bodies).dictionary_encode(),
        "moment": pa.array([1, 2, 3], pa.timestamp("ns")),
        "far": pa.array([2**52, 1, 2], pa.timestamp("s")),
        "price": pa.array(["1.50", "2", None]).cast(pa.decimal128(20, 2)),
        "parts": pa.array([[{"a": 1}], [], None]),
        "raw": pa.array([b"\xff", b"", None]),
        "key": pa.array(["a/", "a\0b", "../x"], pa.large_string()),
    }
    source = tmp_path / "odd.parquet"
    table = pa.table(columns)
    pq.write_table(table, source)
    kept = ("moment", "far", "price", "parts", "raw")
    report = run(source, tmp_path / "out", rules, table=TextColumns("body", kept, "key"))
    assert report["documents"] == {"masked": 2, "failed": 0, "left_out": 0}
    [data] = list_outputs(tmp_path / "out").values()
    found = pq.read_table(io.BytesIO(data))
    assert found.select(["key", *kept]) == pq.read_table(source).select(["key", *kept])
    masked = found.column("body").to_pylist()
    assert masked[1] is None
    assert "Souza" not in masked[0]
    report = run(source, tmp_path / "raw", rules, table=TextColumns("raw"))
    assert report["documents"]["failed"] == 2, report["errors"]


def test_ids_may_repeat_and_be_anything(tmp_path, rules):
    source = tmp_path / "rows.jsonl"
    ids = ["a", "a", "", "x/", "/", "../../y", "n\0l", "\ud800", 7, None, ["l"], "z.docx"]
    source.write_text("".join(json.dumps({"key": k, "body": "Mr Lee came."}) + "\n" for k in ids))
    report = run(source, tmp_path / "out", rules, table=TextColumns("body", (), "key"))
    assert report["errors"] == []
    assert report["documents"]["masked"] == len(ids)
    rows = read_outputs(tmp_path / "out")
    assert [row["key"] for row in rows] == ids
    assert {row["body"] for row in rows} == {"[PERSON 1] came."}
    assert not list(tmp_path.parent.glob("y*"))


def test_the_column_of_reasons_is_no_other():
    with pytest.raises(InputError, match="rename yours first"):
        TextColumns("body", ("error",))


def write_partitioned(folder, kind):
    for year in (1990, 1991):
        part = folder / f"year={year}"
        part.mkdir(parents=True)
        rows = [{"key": f"{year}-{n}", "body": write_letter(n)} for n in range(4)]
        if kind == "parquet":
            pq.write_table(pa.Table.from_pylist(rows), part / "rows.parquet")
        elif kind == "jsonl":
            (part / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            lines = ["key;body", *(f"{row['key']};{row['body']}" for row in rows)]
            (part / "rows.csv").write_text("\n".join(lines))


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_a_column_that_folders_name_stays_in_their_names(tmp_path, rules, kind):
    """A reader of the output finds each column once."""
    write_partitioned(tmp_path / "in", kind)
    report = run(tmp_path / "in", tmp_path / "out", rules)
    assert report["errors"] == []
    names = list_outputs(tmp_path / "out")
    assert {name.partition("/")[0] for name in names} == {"year=1990", "year=1991"}
    assert all(set(row) == {"key", "body", "error"} for row in read_outputs(tmp_path / "out"))
    if kind == "parquet":
        found = ds.dataset(tmp_path / "out", partitioning="hive").to_table().to_pylist()
        assert {(row["key"][:4], row["year"]) for row in found} == {("1990", 1990), ("1991", 1991)}


@given(st.lists(st.sampled_from(("Mr Lee came.", None, 7, "broken")), min_size=1, max_size=30))
def test_a_sample_holds_every_masked_row_and_no_other(texts):
    """A person who looks at it looks at texts, wherever rows without any stand."""
    lines = ["{" if text == "broken" else json.dumps({"body": text}) for text in texts]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "rows.jsonl")
        source.write_text("".join(f"{line}\n" for line in lines))
        batch = BatchRun(str(source), f"{folder}/out", SLIGHT, table=TextColumns("body"))
        with batch.open(False) as manifest:
            run_batch(manifest, _Here(batch.job))
            report = summarise_run(manifest, 1.0, sample=len(texts))
    masked = [row for row, text in enumerate(texts) if text == "Mr Lee came."]
    assert sorted(one["row"] for one in report["sample"]) == masked
    assert report["documents"]["masked"] == len(masked)
