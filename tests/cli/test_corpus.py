"""`corpus` and `evaluate`: masks as offsets, and their score."""

import json
from itertools import pairwise

import pytest

TEXT = "Ana Souza wrote on 3 May 1971. Ana met Mr Lee."


def mention(text, kind, identifier, entity):
    start = TEXT.index(text)
    return {
        "entity_type": kind,
        "start_offset": start,
        "end_offset": start + len(text),
        "span_text": text,
        "identifier_type": identifier,
        "entity_id": entity,
    }


CORPUS = [
    {
        "doc_id": "d1",
        "text": TEXT,
        "task": "Task: protect the following person: Ana Souza",
        "annotations": {
            "a": {
                "entity_mentions": [
                    mention("Ana Souza", "PERSON", "DIRECT", "e1"),
                    mention("3 May 1971", "DATETIME", "QUASI", "e2"),
                    mention("Mr Lee", "PERSON", "QUASI", "e3"),
                ]
            }
        },
    }
]


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(CORPUS), "utf-8")
    return tmp_path


def test_masks_are_sorted_apart_and_carry_replacements(maskwise, corpus):
    assert maskwise("corpus", "c.json", "-o", "m.json").returncode == 0
    masks = json.loads((corpus / "m.json").read_text())["d1"]
    assert masks == sorted(masks)
    assert all(a[1] <= b[0] for a, b in pairwise(masks))
    assert [0, 9, "[PERSON 1]"] in masks
    assert [TEXT.rindex("Ana"), TEXT.rindex("Ana") + 3, "[PERSON 1]"] in masks


def test_ignore_task_does_without_the_name(maskwise, corpus):
    CORPUS[0]["text"].index("Ana")
    # In small letters only somebody who knows the name can tell that it is one.
    text = TEXT.replace("Ana Souza wrote", "the soft carpet arrived").replace(
        "Ana met", "then soft carpet met"
    )
    renamed = [
        {"doc_id": "d1", "text": text, "task": "Task: person: Soft Carpet", "annotations": {}}
    ]
    (corpus / "c.json").write_text(json.dumps(renamed), "utf-8")
    maskwise("corpus", "c.json", "-o", "with.json")
    maskwise("corpus", "c.json", "-o", "without.json", "--ignore-task")
    starts = [
        {m[0] for m in json.loads((corpus / name).read_text())["d1"]}
        for name in ("with.json", "without.json")
    ]
    second = text.rindex("soft")
    assert second in starts[0]
    assert second not in starts[1]


def test_evaluate_prints_one_object(maskwise, corpus):
    (corpus / "m.json").write_text(json.dumps({"d1": [[0, 9, "x"], [19, 29]]}), "utf-8")
    done = maskwise("evaluate", "c.json", "m.json", "--json")
    scores = json.loads(done.stdout)
    assert scores["entity_recall_direct"]["value"] == 1
    assert scores["entity_recall_quasi"]["value"] == 0.5
    assert scores["precision"]["value"] == 1
    assert scores["recall"]["value"] == pytest.approx(6 / 7)  # the title of "Mr Lee" needs no mask


BAD = [
    ("[]", "expected an object of masks"),
    ('{"d1": 3}', "d1: expected a list of masks"),
    ('{"d1": [[1]]}', "d1, mask 0: expected [start, end]"),
    ('{"d1": [[0, 999]]}', "mask [0, 999) is empty or outside"),
    ('{"nowhere": []}', "masks name 1 documents that are not in the corpus"),
]


@pytest.mark.parametrize(("masks", "message"), BAD)
def test_broken_masks(maskwise, corpus, masks, message):
    (corpus / "m.json").write_text(masks, "utf-8")
    done = maskwise("evaluate", "c.json", "m.json")
    assert done.returncode == 2
    assert message in done.stderr.decode()
