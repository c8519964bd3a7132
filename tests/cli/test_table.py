"""`maskwise table`: the decisions about columns, and k-anonymous tables."""

import csv
import json
from collections import Counter


def write_table(folder):
    rows = [f"{9000 + at * at},{20 + at % 30},{'Oslo' if at % 3 else 'Alta'}" for at in range(40)]
    (folder / "t.csv").write_text("\n".join(["badge,age,town", *rows, ""]), "utf-8")


def test_the_kind_of_each_column_is_told(call, tmp_path):
    write_table(tmp_path)
    done = call("table", "t.csv", "--json")
    kinds = {row["column"]: row["kind"] for row in json.loads(done.stdout)["columns"]}
    assert kinds == {"badge": "code", "age": "attribute", "town": "place"}
    assert "header says" in call("table", "t.csv").stdout


def test_a_k_anonymous_table_is_written(call, tmp_path):
    write_table(tmp_path)
    done = call("table", "t.csv", "--k", "4", "--quasi", "age,town", "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    assert "classes of" in done.stderr
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    sizes = Counter((row["age"], row["town"]) for row in rows)
    assert len(rows) == 40
    assert min(sizes.values()) >= 4


def test_k_without_columns_is_one_line(call, tmp_path):
    write_table(tmp_path)
    done = call("table", "t.csv", "--k", "4")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--k needs --quasi" in done.stderr


def test_a_broken_quotation_mark_is_told_by_its_line(call, tmp_path):
    """What follows it would move into columns that nobody generalises."""
    write_table(tmp_path)
    with (tmp_path / "t.csv").open("a") as stream:
        stream.write('1,"20,Ana Souza\n2,30,"Oslo, old"\n')
    done = call("table", "t.csv", "--k", "4", "--quasi", "age,town", "-o", "out.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert "t.csv: the row after line 41 has a quotation mark that is not closed" in done.stderr
    assert "Souza" not in done.stderr
    assert not (tmp_path / "out.csv").exists()
