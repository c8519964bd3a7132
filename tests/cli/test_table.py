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


def test_columns_that_are_written_as_they_are_are_named(call, tmp_path):
    write_table(tmp_path)
    done = call("table", "t.csv", "--k", "4", "--quasi", "age,town", "-o", "out.csv")
    assert "written as they are: badge;" in done.stderr
    done = call("table", "t.csv", "--k", "4", "--quasi", "badge,age,town", "-o", "out.csv")
    assert "written as they are" not in done.stderr


def test_a_sensitive_column_varies_in_each_class(call, tmp_path):
    rows = [f"{20 + at},{'flu' if at < 20 else 'gout'}" for at in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["age,illness", *rows, ""]), "utf-8")
    asked = ("table", "t.csv", "--k", "4", "--quasi", "age", "--sensitive", "illness")
    done = call(*asked, "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    seen = {}
    for row in csv.DictReader((tmp_path / "out.csv").open()):
        seen.setdefault(row["age"], set()).add(row["illness"])
    assert all(len(values) == 2 or age == "***" for age, values in seen.items())
    call(*asked, "--l", "1", "-o", "free.csv")
    ages = {row["age"] for row in csv.DictReader((tmp_path / "free.csv").open())}
    assert len(ages) > len(seen)


def test_k_without_columns_is_one_line(call, tmp_path):
    write_table(tmp_path)
    done = call("table", "t.csv", "--k", "4")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--k needs --quasi" in done.stderr
