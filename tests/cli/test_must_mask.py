"""`--mask` and `--keep`: texts are masked or kept wherever they stand, and what stands nowhere is reported."""

import json
import re
from pathlib import Path

import pytest

ROWS = json.loads((Path(__file__).parents[1] / "data" / "eight_lives.json").read_text("utf-8"))


@pytest.fixture
def corpus(tmp_path):
    documents = [
        {"doc_id": f"d{at}", "text": row["clear"], "task": f"Person: {row['name']}"}
        for at, row in enumerate(ROWS)
    ]
    (tmp_path / "corpus.json").write_text(json.dumps(documents), "utf-8")
    lives = [{"name": row["name"], "public_knowledge": row["public_knowledge"]} for row in ROWS]
    (tmp_path / "lives.json").write_text(json.dumps(lives), "utf-8")
    return "corpus.json"


def write_masked(text, masks):
    for start, end, replacement in reversed(masks):
        text = text[:start] + replacement + text[end:]
    return text


def test_every_span_that_the_attack_lists_is_masked(call, corpus, tmp_path):
    call("corpus", corpus, "-o", "masks.json")
    attack = ("attack", "--corpus", corpus, "--masks", "masks.json", "--background", "lives.json")
    options = ("--attackers", "bm25,tfidf", "--policy", "balanced", "--top", "5", "--json")
    done = call(*attack, *options)
    (tmp_path / "clues.json").write_text(done.stdout, "utf-8")
    people = json.loads(done.stdout)["clues"]["masks"]
    spans = {span for one in people.values() for span in one["must_mask"]}
    assert spans
    done = call("corpus", corpus, "-o", "harder.json", "--mask", "@clues.json")
    assert done.returncode == 0, done.stderr
    assert "not in any document" not in done.stderr
    masks = json.loads((tmp_path / "harder.json").read_text("utf-8"))
    for at, row in enumerate(ROWS):
        text = re.sub(r"\[[A-Z]+ [0-9]+\]", "", write_masked(row["clear"], masks[f"d{at}"]))
        left = [span for span in spans if re.search(rf"(?i)(?<!\w){re.escape(span)}(?!\w)", text)]
        assert left == []


def test_lines_are_masked_in_files_and_missing_ones_counted(call, tmp_path):
    (tmp_path / "letter.txt").write_text("She kept BEES and a parrot.\n", "utf-8")
    (tmp_path / "words.txt").write_text("bees\n\n  parrot\nowl\nbees\n", "utf-8")
    (tmp_path / "more.txt").write_text("elk\n", "utf-8")
    done = call("sanitize", "letter.txt", "--must-mask", "words.txt", "--must-mask", "more.txt")
    assert done.returncode == 0
    assert not re.search("bees|parrot", done.stdout, re.IGNORECASE)
    assert done.stderr.splitlines() == [
        "maskwise: 1 of 3 texts of words.txt is not in any document: number 3",
        "maskwise: 1 of 1 texts of more.txt is not in any document: number 1",
    ]


def test_a_list_in_the_folder_of_the_inputs_is_no_input(call, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "letter.txt").write_text("She kept bees.\n", "utf-8")
    (folder / "words.txt").write_text("bees\n", "utf-8")
    call("sanitize", "in", "--mask", "@in/words.txt", "--out", "out")
    assert [path.name for path in sorted((tmp_path / "out").rglob("*.txt"))] == ["letter.txt"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xff\xfe", "not UTF-8"),
        (b"bees\n---\n", "text 2 has neither a letter nor a digit"),
        (b'{"columns": {}}', "maskwise attack --top N --json"),
        (b"{bees", "not JSON; write one text per line"),
        (b"[1, 2]", "holds something that is no text"),
        (None, "cannot be read"),
    ],
)
def test_a_list_that_cannot_be_used_is_one_line(call, tmp_path, content, message):
    (tmp_path / "letter.txt").write_text("She kept bees.\n", "utf-8")
    if content is not None:
        (tmp_path / "words.txt").write_bytes(content)
    done = call("sanitize", "letter.txt", "--must-mask", "words.txt")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "bees" not in done.stderr


def test_an_empty_list_is_said(call, tmp_path):
    (tmp_path / "letter.txt").write_text("She kept bees.\n", "utf-8")
    (tmp_path / "words.txt").write_text("\n", "utf-8")
    done = call("sanitize", "letter.txt", "--must-mask", "words.txt")
    assert done.stderr.strip() == "maskwise: words.txt lists no text"


def test_the_list_is_not_overwritten(call, corpus, tmp_path):
    (tmp_path / "words.txt").write_text("bees\n", "utf-8")
    done = call("corpus", corpus, "-o", "words.txt", "--must-mask", "words.txt")
    assert done.returncode == 2
    assert "would overwrite a list of texts" in done.stderr


def test_texts_are_masked_and_kept_as_options_and_missing_ones_counted(call, tmp_path):
    (tmp_path / "letter.txt").write_text("She kept a parrot in Norway, and left Oslo.\n", "utf-8")
    (tmp_path / "public.txt").write_text("Norway\nElk\n", "utf-8")
    options = ("--mask", "parrot", "--mask", "re:ow+l", "--keep", "@public.txt", "--keep", "Oslo")
    done = call("sanitize", "letter.txt", "--policy", "strict", *options)
    assert done.stdout == "She kept a *** in Norway, and left Oslo.\n"
    assert done.stderr.splitlines() == [
        "maskwise: 1 of 2 texts of --mask is not in any document: number 2",
        "maskwise: 1 of 2 texts of public.txt is not to be kept in any document: number 2",
    ]


def test_keeping_a_protected_person_is_one_line(call, tmp_path):
    (tmp_path / "letter.txt").write_text("Ana Souza left.\n", "utf-8")
    done = call("sanitize", "letter.txt", "--protect", "Ana Souza", "--keep", "Souza")
    assert (done.returncode, done.stdout) == (2, "")
    assert "must_keep: text 1 stands in the name of a person to protect" in done.stderr


def test_texts_of_the_policy_that_match_nothing_are_counted(call, tmp_path):
    (tmp_path / "letter.txt").write_text("She left.\n", "utf-8")
    policy = "name: x\nextends: balanced\nmust_keep: [Norway]\nmust_mask: [parrot, left]\n"
    (tmp_path / "mine.yaml").write_text(policy, "utf-8")
    done = call("sanitize", "letter.txt", "--policy", "mine.yaml")
    assert done.stderr.splitlines() == [
        "maskwise: 1 of 2 texts of must_mask is not in any document: number 1",
        "maskwise: 1 of 1 texts of must_keep is not to be kept in any document: number 1",
    ]
