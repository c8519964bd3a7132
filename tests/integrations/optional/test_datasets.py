"""The function in `datasets.Dataset.map`."""

import subprocess
import sys

import pytest
from datasets import Dataset
from datasets.fingerprint import Hasher

from maskwise.errors import InputError
from maskwise.integrations.huggingface import mask_columns
from maskwise.policy import Policy


def test_columns_are_masked_and_others_stay():
    rows = Dataset.from_dict({"text": ["Mr John Smith left.", "Nothing."], "label": [1, 0]})
    done = rows.map(mask_columns("text"), batched=True)
    assert done.to_dict() == {
        "text": ["[PERSON 1] left.", "Nothing."],
        "label": [1, 0],
        "maskwise_error": ["", ""],
    }
    assert done.features["text"] == rows.features["text"]


def test_small_batches_two_processes_and_nothing_at_all():
    texts = [f"Mr John Smith paid EUR {n},000." for n in range(1, 8)] + [None, ""]
    rows = Dataset.from_dict({"text": texts})
    one = rows.map(mask_columns("text"), batched=True)
    for settings in ({"batch_size": 2, "writer_batch_size": 2}, {"num_proc": 2}):
        assert rows.map(mask_columns("text"), batched=True, **settings)["text"][:] == one["text"][:]
    assert one["text"][-2:] == [None, ""]
    assert rows.select([]).map(mask_columns("text"), batched=True).num_rows == 0


def test_nested_texts_keep_their_features():
    chat = [
        [
            {"role": "user", "content": "I am Mr John Smith."},
            {"role": "assistant", "content": "Hello Mr Smith."},
        ]
    ]
    rows = Dataset.from_dict({"chat": chat})
    done = rows.map(mask_columns("chat"), batched=True)
    assert [turn["content"] for turn in done["chat"][0]] == [
        "I am [PERSON 1].",
        "Hello [PERSON 1].",
    ]
    assert done.features["chat"] == rows.features["chat"]


def test_rows_that_cannot_be_masked_are_empty_in_any_batch():
    rows = Dataset.from_dict({"phone": [5550100, 5550101, 5550102]})
    done = rows.map(mask_columns("phone"), batched=True, batch_size=1, writer_batch_size=1)
    assert done["phone"][:] == [None, None, None]
    assert all("int is no text" in message for message in done["maskwise_error"])


def test_an_error_in_a_later_batch_fits_those_before(monkeypatch, tmp_path):
    monkeypatch.setenv("MASKWISE_VAULT_KEY", "k" * 32)
    policy = Policy.parse(
        {
            "name": "sealed",
            "extends": "balanced",
            "operator": {"kind": "encrypt"},
            "vault": {"path": str(tmp_path / "vault")},
        }
    )
    rows = Dataset.from_dict({"text": ["Mr Lee left.", "Mr Lee is [PERSON 0F3A91C2]."]})
    done = rows.map(mask_columns("text", policy=policy, error="failed"), batched=True, batch_size=1)
    assert done["text"][1] is None
    assert "Lee" not in str(done.to_dict())
    assert done["failed"][0] == ""
    assert "already holds tokens" in done["failed"][1]
    assert done.features["failed"].dtype == "string"


def test_a_missing_column_stops_the_map():
    with pytest.raises(InputError, match="no column 'txt'"):
        Dataset.from_dict({"text": ["x"]}).map(mask_columns("txt"), batched=True)


def test_the_fingerprint_is_the_same_in_another_process_and_follows_the_policy():
    here = Hasher.hash(mask_columns("text"))
    code = (
        "from datasets.fingerprint import Hasher\nfrom maskwise.integrations.huggingface import mask_columns\n"
        "f = mask_columns('text')\nf({'text': ['Mr Lee left.']})\nprint(Hasher.hash(f))"
    )
    there = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    assert here == there
    assert here != Hasher.hash(mask_columns("text", policy="strict"))
    assert here != Hasher.hash(mask_columns("title"))
