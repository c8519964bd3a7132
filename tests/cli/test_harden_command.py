"""`harden`, run as users do, on eight invented people."""

import json
from pathlib import Path

import numpy as np
import pytest

DATA = Path(__file__).parents[1] / "data"
ROWS = json.loads((DATA / "eight_lives.json").read_text("utf-8"))
FAST = ("--attackers", "bm25,tfidf")


@pytest.fixture
def scenario(tmp_path):
    (tmp_path / "scenario.json").write_text(json.dumps(ROWS), "utf-8")
    return "scenario.json"


@pytest.fixture
def corpus(tmp_path):
    documents = [
        {"doc_id": f"d{at}", "text": row["clear"], "task": f"Person: {row['name']}"}
        for at, row in enumerate(ROWS)
    ]
    documents.append({"doc_id": "nobody", "text": "Nothing.", "task": ""})
    (tmp_path / "corpus.json").write_text(json.dumps(documents), "utf-8")
    lives = [{"name": row["name"], "public_knowledge": row["public_knowledge"]} for row in ROWS]
    (tmp_path / "lives.json").write_text(json.dumps(lives), "utf-8")
    return "corpus.json"


def write_masked(text, masks):
    for start, end, replacement in reversed(masks):
        text = text[:start] + replacement + text[end:]
    return text


def test_masks_table_and_summary_agree_and_the_attack_finds_nobody(call, scenario, tmp_path):
    options = ("--bound", "0", "-o", "masks.json", "--table", "hard.json", "--json")
    done = call("harden", scenario, *FAST, *options)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    masks = json.loads((tmp_path / "masks.json").read_text("utf-8"))
    table = json.loads((tmp_path / "hard.json").read_text("utf-8"))
    assert list(masks) == list(summary["documents"]) == [str(at) for at in range(1, 9)]
    for row, hard, one in zip(ROWS, table, masks.values(), strict=True):
        assert hard["hardened"] == write_masked(row["clear"], one)
        assert not [part for part in row["name"].split() if part in hard["hardened"]]
    assert summary["before"]["any"]["trir"] == 1
    assert summary["after"]["any"] == {
        "trir": 0,
        "low": 0,
        "high": pytest.approx(0.324, abs=1e-3),
    }
    assert (summary["k"], summary["reached"], summary["found"]) == (2, True, [])
    assert 0 < summary["words_masked"] < 1
    reason = summary["documents"]["1"]["reasons"][0]
    assert (
        f"ranks the person {reason['shown']} of 8; masked, {reason['masked']}" in reason["reason"]
    )
    attacked = call("attack", "hard.json", *FAST, "--policy", "balanced", "--json")
    assert json.loads(attacked.stdout)["columns"]["hardened"]["ensemble"]["trir"] == 0
    assert not list(tmp_path.glob(".*.part"))


def test_the_table_for_people_names_attackers_and_shares_and_no_text(call, scenario):
    done = call("harden", scenario, "--attackers", "bm25", "-o", "masks.json")
    assert done.returncode == 0
    assert "any attacker" in done.stdout
    assert "8 people, 8 in the background, each behind 2 others" in done.stdout
    assert "Brandvold" not in done.stdout + done.stderr


def test_a_corpus_begins_with_the_masks_given(call, corpus, tmp_path):
    text = ROWS[0]["clear"]
    at = text.index("Larkby")
    given = {"d0": [[0, 13, "[PERSON 1]"], [at, at + 6, "a village in the hills"]]}
    (tmp_path / "given.json").write_text(json.dumps(given), "utf-8")
    options = ("--background", "lives.json", "--masks", "given.json", "-o", "masks.json")
    done = call("harden", corpus, *FAST, *options, "--bound", "0", "--json")
    assert done.returncode == 0, done.stderr
    assert "1 documents have no task that names a person" in done.stderr
    masks = json.loads((tmp_path / "masks.json").read_text("utf-8"))
    assert set(masks) == {f"d{at}" for at in range(8)}
    assert [0, 13, "[PERSON 1]"] in masks["d0"]
    covering = [mask for mask in masks["d0"] if mask[0] <= at and at + 6 <= mask[1]]
    assert len(covering) == 1
    ends = [0, *(edge for mask in masks["d0"] for edge in mask[:2])]
    assert ends == sorted(ends)
    attacked = call(
        *("attack", "--corpus", corpus, "--masks", "masks.json", "--background", "lives.json"),
        *(*FAST, "--policy", "balanced", "--json"),
    )
    assert json.loads(attacked.stdout)["columns"]["masks"]["ensemble"]["trir"] == 0


def test_starting_from_the_policy_masks_all_that_it_masks(call, scenario, corpus, tmp_path):
    call("harden", scenario, *FAST, "--start", "policy", "-o", "masks.json")
    call("corpus", corpus, "-o", "policy.json")
    hard = json.loads((tmp_path / "masks.json").read_text("utf-8"))
    own = json.loads((tmp_path / "policy.json").read_text("utf-8"))
    for at in range(8):
        for start, end, _ in own[f"d{at}"]:
            assert [m for m in hard[str(at + 1)] if m[0] <= start and end <= m[1]]


class Oracle:
    """Knows the second person whatever is masked."""

    name = "oracle"
    trained = False

    def fit(self, background, seed=0):
        return lambda texts: np.tile(np.arange(len(background)) == 1, (len(texts), 1)) * 1.0


def test_a_missed_bound_exits_with_1_and_names_numbers_only(call, scenario, monkeypatch, tmp_path):
    monkeypatch.setattr("maskwise.cli.harden.build_attackers", lambda *_: [Oracle()])
    done = call("harden", scenario, "-o", "masks.json", "--bound", "0.1", "--json")
    assert done.returncode == 1
    expected = "1 of 8 people are still found (12.5%, the bound is 10.0%): 2"
    assert done.stderr.strip() == f"maskwise: {expected}"
    summary = json.loads(done.stdout)
    assert (summary["reached"], summary["found"]) == (False, ["2"])
    assert summary["documents"]["2"]["k"] == 0
    assert len(json.loads((tmp_path / "masks.json").read_text("utf-8"))) == 8
    done = call("harden", scenario, "-o", "masks.json", "--bound", "0.125")
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.json", "-o", "m.json"], "no such file"),
        (["scenario.json", "-o", "m.json", "--column", "theirs"], "no column 'theirs'"),
        (["scenario.json", "-o", "m.json", "--attackers", "oracle"], "no 'oracle'"),
        (["scenario.json", "-o", "m.json", "--attackers", "neural"], "maskwise attack"),
        (["scenario.json", "-o", "m.json", "--bound", "2"], "--bound"),
        (["scenario.json", "-o", "m.json", "-k", "0"], "-k"),
        (["scenario.json", "-o", "scenario.json"], "would overwrite the input"),
        (["scenario.json", "-o", "m.json", "--table", "m.json"], "m.json"),
        (["scenario.json", "-o", "m.json", "--background", "scenario.json"], "doc_id"),
        (["scenario.json", "-o", "m.json", "--masks", "other.json"], "that are not hardened"),
        (["scenario.json", "-o", "m.json", "--masks", "outside.json"], "outside the text"),
        (["scenario.json", "-o", "m.json", "--policy", "blanced"], "did you mean"),
        (["scenario.json"], "--out"),
    ],
)
def test_wrong_usage_is_one_line_and_writes_nothing(call, scenario, tmp_path, arguments, message):
    (tmp_path / "other.json").write_text('{"99": [[0, 3]]}', "utf-8")
    (tmp_path / "outside.json").write_text('{"1": [[0, 99999]]}', "utf-8")
    done = call("harden", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "m.json").exists()
    assert json.loads((tmp_path / "scenario.json").read_text("utf-8")) == ROWS
