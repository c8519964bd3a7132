from __future__ import annotations

import json
from pathlib import Path

import pytest

from maskwise.errors import InputError
from maskwise.train.run import hash_path, record_run


def test_a_run_leaves_its_record(tmp_path: Path) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text("{}")
    with record_run(tmp_path / "run", "tagger", data=[data], seed=4, lr=1e-4) as run:
        assert json.loads((tmp_path / "run" / "run.json").read_text())["state"] == "running"
        run.note(f1=0.5)
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record["data"] == {"data.jsonl": hash_path(data)}
    assert (record["seed"], record["parameters"], record["metrics"]) == (
        4,
        {"lr": 1e-4},
        {"f1": 0.5},
    )
    assert record["seconds"] >= 0
    assert record["state"] == "done"


def test_files_of_one_name_are_told_apart_and_missing_ones_named(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "data.jsonl").write_text(name)
    paths = [tmp_path / name / "data.jsonl" for name in ("a", "b", "a")]
    with record_run(tmp_path, "mlm", data=paths, seed=0, file="mine.json"):
        pass
    record = json.loads((tmp_path / "mine.json").read_text())
    assert record["data"] == {str(path): hash_path(path) for path in paths[:2]}
    with pytest.raises(InputError, match="nowhere"):
        hash_path(tmp_path / "nowhere")


def test_a_broken_run_says_so(tmp_path: Path) -> None:
    def work() -> None:
        with record_run(tmp_path, "mlm", data=[], seed=0) as run:
            run.note(loss=2.0)
            raise KeyError

    with pytest.raises(KeyError):
        work()
    record = json.loads((tmp_path / "run.json").read_text())
    assert record["state"] == "stopped by KeyError"
    assert record["metrics"] == {"loss": 2.0}


def test_the_hash_of_a_folder_hangs_on_names_and_contents(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    first = hash_path(tmp_path)
    (tmp_path / "a").rename(tmp_path / "b")
    assert hash_path(tmp_path) != first
