"""From biographies to a population, and what it says of its people."""

import json

LIVES = [
    {
        "id": 1,
        "title": "Ana Souza",
        "text": "Ana Souza (born 3 May 1921) is a Portuguese cellist. She lives in Porto.",
    },
    {
        "id": 2,
        "title": "Bo Berg",
        "text": "Bo Berg (born 4 May 1921) is a Norwegian cellist. He lives in Oslo.",
    },
]


def lives(path, rows=LIVES):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def test_from_text_and_info(maskwise, tmp_path):
    lives(tmp_path / "lives.jsonl")
    done = maskwise("population", "from-text", "lives.jsonl", "-o", "people.jsonl", "--words", "5")
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"2 profiles in people.jsonl; 0 share all their facts" in done.stderr
    ana, _ = map(json.loads, (tmp_path / "people.jsonl").read_text("utf-8").splitlines())
    assert ana["id"] == "1"
    assert ana["text"] == "Ana Souza (born 3 May"
    assert ana["profile"] == {
        "born": "1921-05-03",
        "gender": "female",
        "name": "Ana Souza",
        "nationality": "Portuguese",
        "occupation": "cellist",
        "place": "Porto",
    }
    two = maskwise(
        "population", "from-text", "lives.jsonl", "-o", "two.jsonl", "--words", "5", "--jobs", "2"
    )
    assert two.returncode == 0, two.stderr
    assert (tmp_path / "two.jsonl").read_bytes() == (tmp_path / "people.jsonl").read_bytes()
    told = json.loads(maskwise("population", "info", "people.jsonl", "--json").stdout)
    assert (told["people"], told["identical"]) == (2, 0)
    alone = {tuple(row["attributes"]): row["alone"] for row in told["attributes"] + told["pairs"]}
    assert (alone["occupation",], alone["born",], alone["born (year)",]) == (0, 1, 0)
    assert alone["born (year)", "nationality"] == 1
    table = maskwise("population", "info", "people.jsonl", "--pairs", "1").stdout.decode()
    assert "occupation" in table
    assert "100.0%" in table


def test_a_limit_and_other_keys(maskwise, tmp_path):
    lives(
        tmp_path / "lives.jsonl",
        [{"key": "a", "who": "Bo Berg", "text": LIVES[1]["text"]}, {"broken": 1}],
    )
    options = ("--id", "key", "--name", "who", "--limit", "1")
    done = maskwise("population", "from-text", "lives.jsonl", "-o", "people.jsonl", *options)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "people.jsonl").read_text("utf-8"))["id"] == "a"


def test_what_is_wrong_is_one_line_and_nothing_is_written(maskwise, tmp_path):
    lives(tmp_path / "twice.jsonl", [LIVES[0], LIVES[0]])
    lives(tmp_path / "nameless.jsonl", [{"id": 1, "text": "Somebody."}])
    (tmp_path / "people.csv").write_text("id,born\n1,1921\n1,1922\n")
    for arguments, said in (
        (("from-text", "none.jsonl", "-o", "out.jsonl"), b"none.jsonl: no such file"),
        (
            ("from-text", "twice.jsonl", "-o", "out.jsonl"),
            b"twice.jsonl: text 2 has the id of an earlier one",
        ),
        (
            ("from-text", "nameless.jsonl", "-o", "out.jsonl"),
            b"nameless.jsonl: row 1 has no `title`",
        ),
        (("info", "none.jsonl"), b"none.jsonl: cannot be read"),
        (("info", "people.csv"), b"people.csv: profile 2 has the id of profile 1"),
        (
            ("info", "people.csv", "--duplicates", "all"),
            b"--duplicates: one of error, first, merge",
        ),
    ):
        done = maskwise("population", *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith(b"maskwise: error: " + said)
        assert done.stderr.count(b"\n") == 1
        assert not (tmp_path / "out.jsonl").exists()
    assert maskwise("population", "info", "people.csv", "--duplicates", "merge").returncode == 0


def test_crowd_is_a_second_name_of_population(maskwise, tmp_path):
    lives(tmp_path / "lives.jsonl")
    for group, build in (("population", "from-text"), ("crowd", "build")):
        done = maskwise(group, build, "lives.jsonl", "-o", f"{group}.jsonl")
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "crowd.jsonl").read_bytes() == (tmp_path / "population.jsonl").read_bytes()
    first, second = (
        maskwise(group, "info", "crowd.jsonl", "--json") for group in ("population", "crowd")
    )
    assert json.loads(first.stdout) == json.loads(second.stdout)
    assert b"maskwise crowd" in maskwise("population", "--help").stdout
    assert b"crowd build" in maskwise("crowd", "--help").stdout
