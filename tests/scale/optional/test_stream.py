"""The example of a stream: rows that come later are masked by the next run, and no row twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent.parent))
from batch_letters import NAMES, write_letter

from maskwise.sanitizer import Sanitizer
from maskwise.scale.worker import mask_text

EXAMPLE = Path(__file__).parents[3] / "examples" / "spark" / "stream.py"


def write_rows(path, numbers):
    rows = ({"key": n, "body": write_letter(n), "sender": NAMES[0]} for n in numbers)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_stream_goes_on_with_what_came(tmp_path):
    source, target = tmp_path / "letters", tmp_path / "masked"
    source.mkdir()
    write_rows(source / "first.jsonl", range(5))
    stream(source, target)
    assert len(read_rows(target)) == 5
    write_rows(source / "second.jsonl", range(5, 12))
    stream(source, target)
    sanitizer = Sanitizer()
    masked = {n: mask_text(sanitizer, write_letter(n)).data.decode() for n in range(12)}
    found = read_rows(target)
    assert len(found) == 12
    assert {row["key"]: row["body"] for row in found} == masked
    assert set(found[0]) == {"key", "body", "error"}


def stream(source, target):
    env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    env["PYSPARK_SUBMIT_ARGS"] = "--master local[2] pyspark-shell"
    subprocess.run([sys.executable, EXAMPLE, source, target], check=True, env=env, timeout=300)


def read_rows(folder):
    return [row for path in folder.glob("*.parquet") for row in pq.read_table(path).to_pylist()]
