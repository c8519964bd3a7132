"""`evaluate`, `agreement` and `utility` as users run them."""

import hashlib
import json
import re
import shutil

import pytest

from maskwise.lm.folder import find_model

TEXT = "Ana Souza wrote on 3 May 1971 from Lund. Ana met Mr Lee, a Danish clerk."
OTHER = "In Lund, Mr Lee sold the house."


def mention(text, phrase, kind, identifier, entity):
    start = text.index(phrase)
    return {
        "entity_type": kind,
        "start_offset": start,
        "end_offset": start + len(phrase),
        "span_text": phrase,
        "identifier_type": identifier,
        "entity_id": entity,
    }


FIRST = [
    mention(TEXT, "Ana Souza", "PERSON", "DIRECT", "e1"),
    mention(TEXT, "3 May 1971", "DATETIME", "QUASI", "e2"),
    mention(TEXT, "Mr Lee", "PERSON", "QUASI", "e3"),
]
SECOND = [*FIRST[:2], mention(TEXT, "Danish", "DEM", "QUASI", "e4")]
CORPUS = [
    {
        "doc_id": "d1",
        "text": TEXT,
        "annotations": {"a": {"entity_mentions": FIRST}, "b": {"entity_mentions": SECOND}},
    },
    {
        "doc_id": "d2",
        "text": OTHER,
        "annotations": {
            "a": {"entity_mentions": [mention(OTHER, "Mr Lee", "PERSON", "QUASI", "e1")]}
        },
    },
]
MASKS = {"d1": [[0, 9, "[PERSON 1]"], [19, 29, "a day in 1971"]], "d2": []}
AS_TEXT = {
    "d1": TEXT.replace("Ana Souza", "PERSON").replace("Lund", "LOC"),
    "d2": OTHER.replace("Mr Lee", "PERSON"),
}


@pytest.fixture
def files(tmp_path):
    for name, value in {"c": CORPUS, "offsets": MASKS, "text": AS_TEXT}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(value), "utf-8")
    return tmp_path


def test_masked_text_is_as_good_as_offsets(maskwise, files):
    done = maskwise("evaluate", "c.json", "text.json", "--json")
    scores = json.loads(done.stdout)
    assert scores["entity_recall_direct"]["value"] == 1
    assert scores["precision"]["value"] == pytest.approx((2 + 2 + 1 + 1) / (3 + 3 + 2))


def test_doubtful_alignments_are_reported(maskwise, files):
    (files / "text.json").write_text(json.dumps({"d1": TEXT, "d2": "Lund Lund Lund"}), "utf-8")
    (files / "c.json").write_text(
        json.dumps(
            [
                {**CORPUS[1], "text": "Lund and Lund and Lund and Lund"} | {"annotations": {}},
                CORPUS[0],
            ]
        )
    )
    done = maskwise("evaluate", "c.json", "text.json", "--json")
    assert b"could be aligned in another way" in done.stderr
    assert json.loads(done.stdout)["ambiguous"] == {"d2": 1}


def test_compare_prints_one_table_and_a_test(maskwise, files):
    done = maskwise("evaluate", "c.json", "offsets.json", "--compare", "text.json", "--json")
    found = json.loads(done.stdout)
    assert list(found["systems"]) == ["offsets.json", "text.json"]
    difference = found["differences"]["text.json - offsets.json"]["precision"]
    assert difference["value"] == pytest.approx(6 / 8 - 1)
    assert 0 < difference["p"] <= 1
    shown = maskwise("evaluate", "c.json", "offsets.json", "text.json", "--compare").stdout.decode()
    assert "paired bootstrap" in shown


@pytest.mark.parametrize("files_of_masks", [1, 2, 3])
@pytest.mark.parametrize("options", [(), ("--compare",), ("--errors",)])
def test_every_run_that_ends_well_prints_one_json_object(call, files, files_of_masks, options):
    (files / "none.json").write_text(json.dumps({}), "utf-8")
    names = ["offsets.json", "text.json", "none.json"][:files_of_masks]
    done = call("evaluate", "c.json", *names, *options, "--json", "--resamples", 10)
    if "--compare" in options and files_of_masks == 1:
        assert (done.returncode, done.stdout) == (2, "")
        return
    assert done.returncode == 0
    found = json.loads(done.stdout)
    if files_of_masks > 1:
        assert list(found["systems"]) == names
        assert len(found["differences"]) == files_of_masks * (files_of_masks - 1) / 2
    else:
        assert found["recall"]["value"] < 1


def test_errors_are_listed_in_context(maskwise, files):
    found = json.loads(maskwise("evaluate", "c.json", "text.json", "--errors", "--json").stdout)[
        "errors"
    ]
    assert found["counts"] == {
        "missed": {"DATETIME": 1, "DEM": 1, "PERSON": 1},
        "needless": {"none": 1},
    }
    assert next(m for m in found["list"] if m["kind"] == "needless")["text"] == "Lund"
    assert "«Lund»" in maskwise("evaluate", "c.json", "text.json", "--errors").stdout.decode()


def test_sweep_and_report(maskwise, files):
    done = maskwise(
        "evaluate", "c.json", "offsets.json", "--sweep", "--errors", "--report", "r.html", "--json"
    )
    assert done.returncode == 0, done.stderr
    runs = {run["name"]: run for run in json.loads(done.stdout)["sweep"]}
    assert {"balanced", "strict", "recall 0", "recall 1"} <= set(runs)
    assert runs["strict"]["words_masked"] >= runs["research"]["words_masked"]
    page = (files / "r.html").read_text("utf-8")
    assert page.count("<svg") == 3
    assert not re.search(r"https?://|<script", page)
    for fact in (
        "SHA-256 of c.json",
        "SHA-256 of offsets.json",
        "maskwise 0",
        "UTC",
        "<mark>Mr Lee</mark>",
    ):
        assert fact in page


def test_agreement(maskwise, files):
    done = maskwise("agreement", "c.json", "--json", "--plot", "d.svg")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    exact = next(
        a for a in found["agreement"] if (a["attribute"], a["unit"]) == ("entity type", "exact")
    )
    assert exact["documents"] == 1
    assert exact["observed"]["value"] == 0.5
    assert found["ceilings"]["each annotator against the others"]["precision"][
        "value"
    ] == pytest.approx(10 / 13)
    assert (files / "d.svg").read_text("utf-8").startswith("<svg")
    assert (files / "d-identifier-type.svg").exists()
    assert "People as systems" in maskwise("agreement", "c.json").stdout.decode()


@pytest.mark.parametrize(
    "command",
    [
        ("agreement", "c.json"),
        ("evaluate", "c.json", "offsets.json", "--errors"),
        ("models",),
        ("policies",),
        ("doctor",),
    ],
)
def test_tables_fit_a_terminal_of_80_columns(maskwise, files, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    printed = maskwise(*command).stdout.decode()
    assert max(map(len, printed.splitlines())) <= 80
    assert "…" not in printed


def test_utility(maskwise, files):
    done = maskwise("utility", "c.json", "offsets.json", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert 0 < found["documents"]["d1"]["tpi"] < 1
    assert found["documents"]["d2"]["tpi"] == 1
    assert b"2 documents in" in done.stderr
    more = json.loads(
        maskwise("utility", "c.json", "offsets.json", "--every", "4", "--credit", "--json").stdout
    )
    assert 0 < more["tpi"]["value"] < 1


BAD = [
    (["evaluate", "c.json"], "no masks: name a file of masks, or use --sweep"),
    (["evaluate", "c.json", "offsets.json", "--compare"], "--compare takes two or more"),
    (["evaluate", "c.json", "offsets.json", "offsets.json", "--compare"], "have the same name"),
    (["evaluate", "c.json", "offsets.json", "--weights", "gpt"], "no language model 'gpt'"),
    (["agreement", "one.json"], "one.json: no document has two annotators"),
    (["utility", "one.json", "offsets.json"], "1 documents are not in the corpus of 1"),
    (["utility", "c.json", "outside.json"], "mask [0, 999) is empty or outside"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_clear_line(maskwise, files, arguments, message):
    (files / "one.json").write_text(json.dumps(CORPUS[1:]), "utf-8")
    (files / "outside.json").write_text(json.dumps({"d1": [[0, 999]]}), "utf-8")
    done = maskwise(*arguments)
    assert done.returncode == 2
    assert message in done.stderr.decode()
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == b""


def test_a_corpus_that_a_model_learnt_from_is_named(maskwise, files, monkeypatch):
    source = find_model("small")
    target = files / "home" / "models" / "taught"
    shutil.copytree(source, target)
    raw = json.loads((target / "config.json").read_text())
    sha = hashlib.sha256((files / "c.json").read_bytes()).hexdigest()
    raw |= {"name": "taught", "version": "7", "trained_on": {"c.json": sha}}
    (target / "config.json").write_text(json.dumps(raw))
    monkeypatch.setenv("MASKWISE_HOME", str(files / "home"))
    done = maskwise("evaluate", "c.json", "offsets.json", "--json")
    assert "model taught 7 learnt from c.json" in " ".join(done.stderr.decode().split())
    assert json.loads(done.stdout)["trained_on_it"] == ["taught 7"]
    (files / "c.json").write_text(json.dumps(CORPUS, indent=1), "utf-8")
    done = maskwise("evaluate", "c.json", "offsets.json", "--json")
    assert b"learnt from" not in done.stderr
    assert "trained_on_it" not in json.loads(done.stdout)
