"""The function for `datasets.map`, called as it is called there; the library itself is tested in `optional`."""

import pytest

from maskwise.errors import InputError, PolicyError
from maskwise.integrations.huggingface import mask_columns
from maskwise.policy import Policy

RULES = {"name": "rules", "detectors": [{"kind": "patterns"}], "decide": {"kind": "thresholds"}}


def rules(**settings):
    return Policy.parse(RULES | settings)


def test_a_row_is_one_document_and_its_texts_are_masked_at_any_depth():
    said = [{"role": "user", "turn": 7, "content": "I am Mr John Smith."}]
    batch = {"title": ["Mr John Smith", ""], "chat": [said, None], "label": [1, 0]}
    assert mask_columns("title", "chat", policy=rules())(batch) == {
        "title": ["[PERSON 1]", ""],
        "chat": [[{"role": "user", "turn": 7, "content": "I am [PERSON 1]."}], None],
        "maskwise_error": ["", ""],
    }


def test_a_column_with_a_declared_type_is_masked_whole():
    policy = rules(formats={"tables": {"columns": {"phone": "CODE", "who": "PERSON"}}})
    masked = mask_columns("phone", "who", policy=policy)(
        {"phone": [5550100, None], "who": ["ana", "bo"]}
    )
    assert masked == {
        "phone": [None, None],
        "who": ["[PERSON 1]", "[PERSON 1]"],
        "maskwise_error": ["", ""],
    }


def test_a_row_that_fails_is_empty_and_says_why_without_text(monkeypatch, tmp_path):
    monkeypatch.setenv("MASKWISE_VAULT_KEY", "k" * 32)
    policy = rules(operator={"kind": "encrypt"}, vault={"path": str(tmp_path / "v")})
    first = mask_columns("text", policy=policy)({"text": ["Mr John Smith left."]})["text"]
    rows = ["Mr Lee came.", f"{first[0]} Mr Jack Brown too.", "Mr Lee left."]
    done = mask_columns("text", policy=policy)({"text": rows})
    assert done["text"][1] is None
    assert done["maskwise_error"][1]
    assert "Brown" not in str(done)
    assert "Lee" not in str(done)
    assert [bool(text) for text in done["text"]] == [True, False, True]
    assert done["maskwise_error"][0] == done["maskwise_error"][2] == ""


def test_numbers_in_a_named_column_are_an_error_not_clear():
    done = mask_columns("phone", policy=rules())({"phone": [5550100]})
    assert done["phone"] == [None]
    assert done["maskwise_error"][0].startswith("column 'phone': int is no text")


def test_two_makings_are_equal_and_another_policy_differs():
    assert mask_columns("a") == mask_columns("a")
    assert hash(mask_columns("a")) == hash(mask_columns("a"))
    assert mask_columns("a") != mask_columns("a", policy="strict")
    assert mask_columns("a").model  # the hash of the model: another one is another function


@pytest.mark.parametrize(
    ("columns", "settings", "batch", "message"),
    [
        (["text"], {}, {"txt": []}, "no column 'text'; there are 'txt'"),
        (["text"], {"error": "text"}, {"text": []}, "name another with error="),
        ([], {}, {}, "name the columns"),
    ],
)
def test_wrong_columns_are_told(columns, settings, batch, message):
    with pytest.raises(InputError, match=message):
        mask_columns(*columns, policy=rules(), **settings)(batch)


def test_a_scope_that_depends_on_batches_is_refused():
    with pytest.raises(PolicyError, match="use a vault"):
        mask_columns("text", policy=rules(scope="corpus"))
