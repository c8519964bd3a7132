"""`pareto`, run as users do, on a few invented people."""

import json
from pathlib import Path

import pytest

DATA = Path(__file__).parents[1] / "data"
ROWS = json.loads((DATA / "eight_lives.json").read_text("utf-8"))[:3]
FEW = ("--policies", "strict", "--recall", "1", "--k", "3", "--resamples", "50")


@pytest.fixture
def letters(tmp_path):
    rows = [{"text": row["clear"], "protect": row["name"]} for row in ROWS]
    (tmp_path / "letters.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    lives = [{"name": row["name"], "public_knowledge": row["public_knowledge"]} for row in ROWS]
    (tmp_path / "lives.json").write_text(json.dumps(lives), "utf-8")
    return "letters.jsonl"


def test_every_version_is_measured_and_the_page_says_no_name(call, letters, tmp_path):
    done = call("pareto", letters, "-o", "page.html", *FEW, "--background", "lives.json", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    points = {point["name"]: point for point in found["points"]}
    assert list(points) == ["clear text", "strict", "recall 1", "K = 3"]
    assert points["clear text"]["information_kept"]["value"] == 1
    assert points["clear text"]["found"]["value"] == points["clear text"]["trir"]["value"] == 1
    assert points["K = 3"]["median_rank"]["value"] > 3
    assert points["K = 3"]["information_kept"]["value"] < 1
    assert all(point["people"] == 3 for point in points.values())
    page = (tmp_path / "page.html").read_text("utf-8")
    assert not [part for row in ROWS for part in row["name"].split() if part in page]
    assert "same attackers that judge" in " ".join(found["notes"])


def test_judges_are_kept_from_hiding(call, letters, tmp_path):
    done = call("pareto", letters, "-o", "page.html", *FEW, "--judges", "words")
    assert done.returncode == 0, done.stderr
    assert "K hides from bm25, dense, never from the judges" in done.stderr
    assert "K = 3" in done.stdout


def test_a_text_without_facts_is_not_ranked(call, tmp_path):
    (tmp_path / "note.txt").write_text("Please bring the blue folder tomorrow.", "utf-8")
    done = call("pareto", "note.txt", "-o", "page.html", *FEW)
    assert done.returncode == 0, done.stderr
    assert "Nobody was measured" in done.stderr
    assert "not measured" in done.stdout


@pytest.mark.parametrize(
    ("rows", "options", "said"),
    [
        ('{"text": 3}', (), "row 1 needs a `text`"),
        ('{"text": "Hello.", "protect": [3]}', (), "`protect` is a name or a list of names"),
        ('{"text": "Hello.", "protect": "--"}', (), "a name has at least one letter"),
        ("not JSON", (), "row 1 is not JSON"),
        ('{"text": " "}', (), "no document with text"),
        ('{"text": "Hello."}', ("--k", "0"), "--k: expected numbers from 1"),
        ('{"text": "Hello."}', ("--recall", "2"), "--recall: expected numbers from 0 to 1"),
        ('{"text": "Hello."}', ("--policies", "ballanced"), "ballanced"),
        ('{"text": "Hello."}', ("--judges", "nobody"), "--judges: no attacker 'nobody'"),
        ('{"text": "Hello."}', ("--judges", "bm25,words,dense"), "leave at least one attacker"),
        ('{"text": "Hello."}', ("--background", "rows.jsonl"), "no document names its person"),
        ('{"text": "Hello."}', ("-o", "rows.jsonl"), "would overwrite an input"),
    ],
)
def test_bad_input_gives_one_line_and_no_page(call, tmp_path, rows, options, said):
    (tmp_path / "rows.jsonl").write_text(rows, "utf-8")
    out = () if "-o" in options else ("-o", "page.html")
    done = call("pareto", "rows.jsonl", *out, *options)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "page.html").exists()


def test_the_page_never_takes_the_place_of_a_document_of_a_folder(call, tmp_path):
    (tmp_path / "letters").mkdir()
    letter = tmp_path / "letters" / "a.txt"
    letter.write_text("Ms Ana Souza was born in Porto.", "utf-8")
    done = call("pareto", "letters", "-o", "letters/a.txt", *FEW)
    assert done.returncode == 2
    assert "would overwrite an input" in done.stderr
    assert letter.read_text("utf-8") == "Ms Ana Souza was born in Porto."
