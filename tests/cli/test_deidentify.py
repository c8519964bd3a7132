"""Hiding people of a register from the command line."""

import json
import subprocess
import sys

import pytest

PEOPLE = [
    ("p1", "Ada Brandvold", "glassblower", "Larkby"),
    ("p2", "Tomas Quillfeather", "tram driver", "Larkby"),
    ("p3", "Mira Solanki", "surveyor", "Tarn"),
    ("p4", "Oskar Fennimore", "baker", "Tarn"),
    ("p5", "Ines Ashgrove", "baker", "Larkby"),
]
TEXTS = {
    "p1": "Ada Brandvold was a glassblower in Larkby. Brandvold sang.",
    "p4": "Oskar Fennimore baked bread in Tarn. He is a baker.",
}


@pytest.fixture
def files(tmp_path):
    def write(name, rows):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))

    write(
        "people.jsonl",
        [{"id": i, "profile": {"name": n, "job": j, "place": p}} for i, n, j, p in PEOPLE],
    )
    write("docs.jsonl", [{"id": id, "text": text} for id, text in TEXTS.items()])
    write(
        "stranger.jsonl",
        [{"id": "p1", "text": TEXTS["p1"]}, {"id": "p9", "text": "Runa Oyelund left."}],
    )
    return tmp_path


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize(
    ("units", "way", "exchange"),
    [
        ("words", "show", "0"),
        ("entities", "show", "0"),
        ("words", "mask", "0"),
        ("words", "mask", "8"),
    ],
)
def test_people_are_hidden_and_the_rows_say_how(maskwise, files, units, way, exchange):
    command = [
        "deidentify",
        "docs.jsonl",
        "--population",
        "people.jsonl",
        "-k",
        "2",
        "-o",
        "out.jsonl",
        "--units",
        units,
        "--way",
        way,
        "--exchange",
        exchange,
    ]
    done = maskwise(
        *command, "--attackers", "bm25,pieces", "--against", "bm25", "--json", "--fail-over"
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["k"], told["documents"], told["reached"], told["errors"]) == (2, 2, 2, 0)
    for row in rows(files / "out.jsonl"):
        text = TEXTS[row["id"]]
        assert row["reached"]
        assert row["attackers"]["bm25"]["rank"]["before"] == 1
        assert row["attackers"]["bm25"]["rank"]["after"] > 2
        assert row["attackers"].keys() == {"bm25", "pieces"}
        rebuilt, cursor = "", 0
        for start, end, mark in row["masks"]:
            rebuilt, cursor = rebuilt + text[cursor:start] + mark, end
        assert rebuilt + text[cursor:] == row["text"] != text
        inside = [list(range(start, end)) for start, end, _ in row["masks"]]
        covered = {at for one in inside for at in one}
        assert all(set(range(*span)) <= covered for unit in row["order"] for span in unit)
    assert not [path for path in files.iterdir() if path.name.startswith(".")]


def test_entities_go_with_all_their_mentions(maskwise, files):
    maskwise(
        "deidentify", "docs.jsonl", "--population", "people.jsonl", "-k", "1", "-o", "out.jsonl"
    )
    [ada, _] = rows(files / "out.jsonl")
    assert "Brandvold" not in ada["text"]


def test_a_document_without_a_profile_is_an_error_and_no_text(maskwise, files):
    command = [
        "deidentify",
        "stranger.jsonl",
        "--population",
        "people.jsonl",
        "-k",
        "1",
        "-o",
        "out.jsonl",
    ]
    done = maskwise(*command, "--units", "words")
    assert done.returncode == 2
    assert (
        b"1 documents could not be hidden; 1 of them have an id that no profile has" in done.stderr
    )
    [_, stranger] = rows(files / "out.jsonl")
    assert stranger.keys() == {"id", "error"}
    assert "Oyelund" not in (files / "out.jsonl").read_text()
    assert maskwise(*command, "--units", "words", "--fail-over").returncode == 2


def test_what_cannot_be_reached_is_said(maskwise, files):
    command = [
        "deidentify",
        "docs.jsonl",
        "--population",
        "people.jsonl",
        "-k",
        "5",
        "-o",
        "out.jsonl",
    ]
    assert maskwise(*command, "--units", "words").returncode == 0
    assert not any(row["reached"] for row in rows(files / "out.jsonl"))
    done = maskwise(*command, "--units", "words", "--fail-over")
    assert done.returncode == 1
    assert b"reached for 0 of 2" in done.stdout


def test_a_run_goes_on_where_it_stopped(maskwise, files):
    command = [
        "deidentify",
        "docs.jsonl",
        "--population",
        "people.jsonl",
        "-k",
        "1",
        "-o",
        "out.jsonl",
        "--units",
        "words",
    ]
    maskwise(*command)
    whole = (files / "out.jsonl").read_bytes()
    (files / "out.jsonl").unlink()
    # A stop after the first row and a half: the row that is there is kept as it is, the half is made again.
    (files / "stop.py").write_text(
        "import sys\nfrom maskwise.cli import deidentify as d\nfrom maskwise.cli import main\n"
        "real = d._Journal.add\n"
        "def add(self, row):\n    if self.rows: raise KeyboardInterrupt\n    real(self, row)\n"
        "d._Journal.add = add\nmain()\n"
    )
    stopped = subprocess.run(
        [sys.executable, "stop.py", *command], cwd=files, capture_output=True, check=False
    )
    assert stopped.returncode == 130
    assert not (files / "out.jsonl").exists()
    [journal] = files.glob(".*.rows")
    lines = journal.read_text().splitlines(keepends=True)
    assert len(lines) == 2
    marked = json.loads(lines[1]) | {"kept": True}
    journal.write_text(lines[0] + json.dumps(marked) + "\n" + '{"id": "p4", "te')
    other = maskwise(*command, "--resume", "--margin", "0.1")
    assert other.returncode == 2
    assert b"other settings" in other.stderr
    assert maskwise(*command, "--resume").returncode == 0
    first, second = rows(files / "out.jsonl")
    assert first.pop("kept")
    assert [first, second] == [json.loads(line) for line in whole.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.jsonl", "--population", "people.jsonl"], b"no such file"),
        (["docs.jsonl", "--population", "none.jsonl"], b"cannot be read"),
        (["people.jsonl", "--population", "people.jsonl"], b"row 1 needs `id`"),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--attackers", "cat"],
            b"no attacker 'cat'",
        ),
        (["docs.jsonl", "--population", "people.jsonl", "--attackers", "dense"], b"needs a model"),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--against", "pieces"],
            b"no attacker 'pieces'",
        ),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--attackers", "bm25,bm25"],
            b"name each attacker once",
        ),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--against", "bm25,bm25"],
            b"hide from once",
        ),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--model", "a=x", "--model", "a=y"],
            b"two attackers are call",
        ),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--model", "bm25=x"],
            b"two attackers are called 'bm25'",
        ),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--model", "=x"],
            b"no name for an attacker",
        ),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--model", "a=x", "--attackers", "b"],
            b"are bm25, pieces, a",
        ),
        (
            ["docs.jsonl", "--population", "people.jsonl", "--model", "a=x"],
            b"no readable configuration",
        ),
    ],
)
def test_what_is_wrong_is_one_line(maskwise, files, arguments, said):
    done = maskwise("deidentify", *arguments, "-k", "1", "-o", "out.jsonl", "--units", "words")
    assert done.returncode == 2
    assert done.stderr.startswith(b"maskwise: error: ")
    assert done.stderr.count(b"\n") == 1
    assert said in done.stderr
    assert not (files / "out.jsonl").exists()
