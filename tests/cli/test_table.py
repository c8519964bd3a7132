"""`maskwise table`: the decisions about columns, and k-anonymous tables."""

import csv
import json
from collections import Counter


def write_table(folder, badge="{}"):
    rows = [
        f"{badge.format(9000 + at * at)},{20 + at % 30},{'Oslo' if at % 3 else 'Alta'}"
        for at in range(40)
    ]
    (folder / "t.csv").write_text("\n".join(["badge,age,town", *rows, ""]), "utf-8")


def test_the_kind_of_each_column_is_told(call, tmp_path):
    write_table(tmp_path)
    done = call("table", "t.csv", "--json")
    kinds = {row["column"]: row["kind"] for row in json.loads(done.stdout)["columns"]}
    assert kinds == {"badge": "code", "age": "attribute", "town": "place"}
    assert "header says" in call("table", "t.csv").stdout


def test_a_k_anonymous_table_is_written(call, tmp_path):
    write_table(tmp_path, "[CODE {}]")
    done = call("table", "t.csv", "--k", "4", "--quasi", "age,town", "-o", "out.csv")
    assert done.returncode == 0, done.stderr
    assert "classes of" in done.stderr
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    sizes = Counter((row["age"], row["town"]) for row in rows)
    assert len(rows) == 40
    assert min(sizes.values()) >= 4


def test_columns_that_are_written_as_they_are_are_named(call, tmp_path):
    write_table(tmp_path, "[CODE {}]")
    done = call("table", "t.csv", "--k", "4", "--quasi", "age", "-o", "out.csv")
    assert "written as they are: town;" in done.stderr
    done = call("table", "t.csv", "--k", "4", "--quasi", "age,town", "-o", "out.csv")
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


def test_a_column_that_identifies_is_refused_unless_the_policy_corrects_it(call, tmp_path):
    write_table(tmp_path)
    asked = ("table", "t.csv", "--k", "4", "--quasi", "age,town", "-o", "out.csv")
    done = call(*asked)
    assert (done.returncode, done.stdout) == (2, "")
    assert "column 'badge': code identifies by itself" in done.stderr
    assert not (tmp_path / "out.csv").exists()
    corrected = (
        "name: mine\nextends: balanced\nformats:\n  tables:\n    columns:\n      badge: category\n"
    )
    (tmp_path / "p.yaml").write_text(corrected, "utf-8")
    assert call(*asked, "--policy", "p.yaml").returncode == 0


def test_free_text_is_told(call, tmp_path):
    rows = [f"{20 + at % 9},she came to the desk {at} times" for at in range(40)]
    (tmp_path / "t.csv").write_text("\n".join(["age,note", *rows, ""]), "utf-8")
    done = call("table", "t.csv", "--k", "4", "--quasi", "age", "-o", "out.csv")
    assert done.returncode == 0
    assert "written as they are: note;" in done.stderr


def test_a_table_that_would_lose_cells_is_refused(call, tmp_path):
    for text, why in (("age,age\n1,2\n", "two columns"), ("age,sex\n1,2,3\n", "row 2 has more")):
        (tmp_path / "t.csv").write_text(text, "utf-8")
        done = call("table", "t.csv", "--k", "2", "--quasi", "age", "-o", "out.csv")
        assert done.returncode == 2
        assert why in done.stderr


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
