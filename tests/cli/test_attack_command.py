"""`attack`, run as users do."""

import hashlib
import json

import pytest

LIVES = [
    (
        "Ada Brandvold",
        "Ada Brandvold blew glass in Larkby and kept bees. The bees of Larkby made her known. Her glass bees stand in "
        "a museum. She wrote about glass for forty years.",
    ),
    (
        "Tomas Quillfeather",
        "Tomas Quillfeather drove a tram in Hexwick and sang. The tram of Hexwick stopped when he sang. He collected "
        "barometers. A barometer hung in the tram he drove.",
    ),
    (
        "Mira Solanki",
        "Mira Solanki mapped the caves of Tarn on skis. Caves and glaciers filled her maps. She taught surveyors to "
        "ski. Her maps of Tarn are still used by surveyors.",
    ),
]
LEFT = ["[PERSON 1] loved bees and glass.", "*** drove a tram.", "*** and ***."]


@pytest.fixture
def scenario(tmp_path):
    rows = [
        {"name": name, "public_knowledge": text, "clear": text, "ours": left}
        for (name, text), left in zip(LIVES, LEFT, strict=True)
    ]
    (tmp_path / "scenario.json").write_text(json.dumps(rows), "utf-8")
    return "scenario.json"


def test_json_has_rates_intervals_choice_and_clues(maskwise, scenario, tmp_path):
    (tmp_path / "tpi.json").write_text(json.dumps({"ours": {"tpi": {"value": 0.5}}}), "utf-8")
    done = maskwise(
        "attack",
        scenario,
        "--attackers",
        "bm25,tfidf",
        "--seeds",
        "0,1",
        "--top",
        "3",
        "--utility",
        "tpi.json",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["columns"]["clear"]["ensemble"]["trir"] == 1
    ours = report["columns"]["ours"]
    assert ours["ensemble"]["trir"] == pytest.approx(2 / 3)
    assert ours["ensemble"]["low"] < 2 / 3 < ours["ensemble"]["high"]
    assert ours["best"] == ours["attackers"][report["best"]]
    assert ours["f1_ensemble"] == pytest.approx(2 * (1 / 3) * 0.5 / (1 / 3 + 0.5))
    assert "tpi" not in report["columns"]["clear"]
    assert report["seeds"] == [0, 1]
    assert report["guess"] == pytest.approx(1 / 3)
    told = report["clues"]["ours"]
    assert set(told) == {"Ada Brandvold", "Tomas Quillfeather"}
    assert {clue["text"] for clue in told["Tomas Quillfeather"]["clues"]} == {"drove", "tram"}
    assert (
        maskwise("attack", scenario, "--attackers", "bm25", "--json").stdout
        == maskwise("attack", scenario, "--attackers", "bm25", "--json").stdout
    )


def test_table_names_the_choice_and_the_guess(maskwise, scenario):
    done = maskwise(
        "attack", scenario, "--columns", "ours", "--attackers", "bm25,tfidf", "--top", "2"
    )
    text = done.stdout.decode()
    assert "attacker" in text
    assert "a guess finds 33.3%" in text
    assert "what gave people away" in text
    assert "clear" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scenario.json", "--attackers", "oracle"], "no 'oracle'"),
        (["scenario.json", "--seeds", "x"], "--seeds"),
        (["scenario.json", "--columns", "theirs"], "no column 'theirs'"),
        (["scenario.json", "--attackers", "neural"], "--checkpoint"),
        (["nowhere.json"], "no such file"),
        ([], "--corpus"),
    ],
)
def test_wrong_usage_is_one_line(maskwise, scenario, arguments, message):
    done = maskwise("attack", *arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert len(done.stderr.decode().strip().splitlines()) == 1


def test_the_report_is_one_page_with_intervals_and_the_hash_of_the_scenario(
    maskwise, scenario, tmp_path
):
    (tmp_path / "tpi.json").write_text(json.dumps({"ours": 0.5, "clear": 1}), "utf-8")
    options = ("--attackers", "bm25,tfidf", "--utility", "tpi.json", "--report", "page.html")
    done = maskwise("attack", scenario, *options)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "page.html").read_text("utf-8")
    assert page.count("<svg") == 2
    assert "66.7% (20.8% to 93.9%)" in page
    assert hashlib.sha256((tmp_path / scenario).read_bytes()).hexdigest() in page
    assert "http" not in page
    assert not [name for name, _ in LIVES if name in page]


def test_the_table_fits_a_terminal_of_80_columns(maskwise, scenario, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    done = maskwise("attack", scenario, "--attackers", "bm25,tfidf,dense")
    table = done.stdout.decode().split("Best attacker")[0]
    assert max(map(len, table.splitlines())) <= 80
    assert "…" not in table
    assert "development set" in table
