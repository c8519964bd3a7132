"""Presidio's API: the answers of its own services, recorded, and ours beside them."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.presidio_cases import KEY, MAIL, RANDOM, TEXT, ask, list_cases

from maskwise.server.presidio import adhoc
from maskwise.server.presidio.analyzer import part_results

RECORDED = json.loads((Path(__file__).parents[1] / "data" / "presidio_answers.json").read_text())[
    "answers"
]
CASES = {case["name"]: case for case in list_cases()}
# Answers that differ on purpose; docs/server.md says why.
DIFFERENT = ("/analyze an unknown language", "GET /supportedentities?language=tlh")
CLOUD = "surrogate_ahds"  # an operator of Presidio that sends texts to a service


def send(client, case):
    if "json" in case:
        return client.request(case["method"], case["path"], json=case["json"])
    kind = {"Content-Type": case["kind"]} if case.get("kind") else {}
    return client.request(
        case["method"], case["path"], content=case.get("body", "").encode(), headers=kind
    )


def read(answer):
    try:
        return answer.json()
    except ValueError:
        return answer.text


def shape(value):
    """The keys and kinds of a value. Random texts have their length."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value]
    return type(value).__name__


def is_of_the_anonymizer(name):
    return name.startswith(("/anonymize", "/deanonymize", "GET /anonymizers", "GET /deanonymizers"))


EXACT = [
    name
    for name in CASES
    if is_of_the_anonymizer(name) and name.removeprefix("/anonymize ") not in RANDOM
]


@pytest.mark.parametrize("name", EXACT)
def test_the_anonymizer_answers_the_same(client, name):
    answer = send(client, CASES[name])
    expected = RECORDED[name]
    if name == "GET /anonymizers":
        expected = {**expected, "body": [each for each in expected["body"] if each != CLOUD]}
    assert {"status": answer.status_code, "body": read(answer)} == expected


@pytest.mark.parametrize("name", RANDOM)
def test_random_answers_have_the_same_shape(client, name):
    answer = send(client, CASES[f"/anonymize {name}"])
    recorded = RECORDED[f"/anonymize {name}"]["body"]
    assert shape(answer.json()) == shape(recorded)
    assert [len(item["text"]) for item in answer.json()["items"]] == [
        len(item["text"]) for item in recorded["items"]
    ]


def first_shape(body):
    """The keys of one result, or of an error."""
    if isinstance(body, list) and body and isinstance(body[0], list):
        return [len(body), first_shape(body[0])]
    found = shape(body[0]) if isinstance(body, list) and body else shape(body)
    if isinstance(found, dict) and isinstance(found.get("analysis_explanation"), dict):
        found["analysis_explanation"] = sorted(
            found["analysis_explanation"]
        )  # many of its values may be null
    return found


@pytest.mark.parametrize(
    "name", [name for name in CASES if name not in DIFFERENT and not is_of_the_anonymizer(name)]
)
def test_the_analyzer_has_the_same_status_and_shape(client, name):
    answer = send(client, CASES[name])
    assert answer.status_code == RECORDED[name]["status"]
    assert first_shape(read(answer)) == first_shape(RECORDED[name]["body"])


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_is_known(client, name):
    answer = send(client, CASES[name])
    assert RECORDED[name]["status"] == 500
    assert answer.status_code == 200
    assert "x-maskwise-warning" in answer.headers


def test_an_unknown_language_still_gets_its_codes(client):
    answer = client.post("/analyze", json={"text": MAIL, "language": "tlh"})
    assert [each["entity_type"] for each in answer.json()] == ["EMAIL_ADDRESS"]
    assert (
        client.post("/analyze", json={"text": MAIL, "language": "en"}).headers.get(
            "x-maskwise-warning"
        )
        is None
    )


def test_analysed_and_anonymised_nothing_is_left(client):
    found = client.post("/analyze", json={"text": TEXT, "language": "en"}).json()
    answer = client.post("/anonymize", json=ask(found=found))
    assert "Marl" not in answer.text
    assert "0161" not in answer.text


def test_what_is_encrypted_is_decrypted(client):
    sealed = client.post("/anonymize", json=RANDOM["encrypt"]).json()
    body = {
        "text": sealed["text"],
        "anonymizer_results": sealed["items"],
        "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": KEY}},
    }
    assert client.post("/deanonymize", json=body).json()["text"] == TEXT


def test_results_never_overlap_and_cover_all(client):
    word = {"name": "w", "regex": r"Marl left|Iv", "score": 0.99}
    body = {
        "text": TEXT,
        "language": "en",
        "ad_hoc_recognizers": [{"supported_entity": "WORD", "patterns": [word]}],
    }
    found = client.post("/analyze", json=body).json()
    for one, two in pairwise(found):
        assert one["end"] <= two["start"]
    covered = {at for each in found for at in range(each["start"], each["end"])}
    assert set(range(3, 8)) <= covered
    assert TEXT.index("left") in covered


def test_a_surer_result_leaves_the_rest_of_another():
    def result(start, end, score):
        return {"start": start, "end": end, "score": score, "entity_type": "A"}

    parted = part_results([result(0, 10, 0.5), result(3, 6, 0.9)], "abcdefghij")
    assert [(each["start"], each["end"]) for each in parted] == [(0, 3), (3, 6), (6, 10)]


@pytest.mark.parametrize("expression", [r"(a+)+$", r"(a|aa)+$", r"(\w+\s?)+$", r"(.*a){25}b"])
def test_an_expression_that_explodes_is_refused(client, monkeypatch, expression):
    monkeypatch.setattr(adhoc, "SECONDS", 0.05)
    pattern = {"name": "slow", "regex": expression, "score": 0.5}
    body = {
        "text": "a" * 5000 + "!",
        "language": "en",
        "ad_hoc_recognizers": [{"supported_entity": "A", "patterns": [pattern]}],
    }
    answer = client.post("/analyze", json=body)
    assert answer.status_code == 400
    assert re.search("took longer than .* is refused", answer.json()["error"])


@pytest.mark.parametrize("flags", [0, 2**40])
def test_flags_from_outside_cannot_harm(client, flags):
    pattern = {"name": "a", "regex": "a", "score": 0.5}
    recognizer = {"supported_entity": "A", "patterns": [pattern], "global_regex_flags": flags}
    body = {"text": "a b", "language": "en", "entities": ["A"], "ad_hoc_recognizers": [recognizer]}
    assert len(client.post("/analyze", json=body).json()) == 1


@pytest.mark.parametrize("language", ["en", "EN", "en-GB", "en_US"])
def test_every_kind_of_english_is_read(client, language):
    answer = client.post("/analyze", json={"text": TEXT, "language": language})
    assert "PERSON" in [each["entity_type"] for each in answer.json()]
    assert "x-maskwise-warning" not in answer.headers


@pytest.mark.parametrize(
    "more",
    [
        {"entities": ["PERSOON"]},
        {"entities": "PERSON"},
        {"entities": [{"a": 1}]},
        {"score_threshold": float("nan")},
        {"score_threshold": "high"},
        {"language": ["en"]},
        {"language": 5},
        {"allow_list": ["a"], "allow_list_match": "regex", "regex_flags": float("inf")},
        {"ad_hoc_recognizers": [{"supported_entity": {"a": 1}, "deny_list": ["a"]}]},
        {"ad_hoc_recognizers": [{"supported_entity": "A", "deny_list": ["a"], "deny_list_score": 2}]},
    ],
)  # fmt: skip
def test_what_would_find_nothing_in_any_text_is_an_error(client, more):
    """An empty answer looks like a text without names, and the client passes it on in clear."""
    body = json.dumps({"text": TEXT, "language": "en", **more})
    kind = {"Content-Type": "application/json"}
    answer = client.post("/analyze", content=body, headers=kind)
    assert answer.status_code in (400, 500)
    assert set(answer.json()) == {"error"}


def test_long_lists_of_words_are_refused_before_they_are_compiled(client):
    for words in (["a"] * 10_001, ["word" * 100] * 600):
        recognizers = [{"supported_entity": "A", "deny_list": words}]
        body = {"text": TEXT, "language": "en", "ad_hoc_recognizers": recognizers}
        answer = client.post("/analyze", json=body)
        assert answer.status_code == 400
        assert "deny lists" in answer.json()["error"]


def test_expressions_that_take_long_to_compile_are_refused(client, monkeypatch):
    monkeypatch.setattr(adhoc, "SECONDS", 0.0)
    recognizers = [{"supported_entity": "A", "patterns": [{"name": "a", "regex": "a", "score": 1}]}]
    body = {"text": TEXT, "language": "en", "ad_hoc_recognizers": recognizers}
    assert client.post("/analyze", json=body).status_code == 400


HALF = chr(0xD83D)
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    "before", ["\U0001f600 ", f"{FAMILY} ", "e\u0301\u0327 ", "\u200f! ", f"{HALF} "]
)
def test_offsets_count_code_points_whatever_stands_before(client, before):
    text = before + TEXT
    kind = {"Content-Type": "application/json"}
    body = json.dumps({"text": text, "language": "en"})
    found = client.post("/analyze", content=body, headers=kind).json()
    [name] = [each for each in found if each["start"] == len(before)]
    assert text[name["start"] : name["end"]] == "Ivo Marl"
    asked = json.dumps(ask({"DEFAULT": {"type": "redact"}}, found, text))
    answer = client.post("/anonymize", content=asked, headers=kind)
    assert answer.status_code == 200
    assert answer.json()["text"].startswith(f"{before} rang ")


def test_halves_of_characters_are_answered_everywhere(client):
    kind = {"Content-Type": "application/json"}
    word = {"name": HALF, "regex": "left", "score": 0.9}
    process = {
        "text": TEXT,
        "language": "en",
        "return_decision_process": True,
        "ad_hoc_recognizers": [{"supported_entity": HALF, "patterns": [word]}],
    }
    for path, body in (
        ("/analyze", process),
        ("/v1/sanitize", {"text": HALF + TEXT, "protect": [f"Ivo {HALF}"]}),
        ("/v1/analyze", {"text": HALF + TEXT}),
        ("/v1/jobs", {"text": HALF + TEXT}),
    ):
        answer = client.post(path, content=json.dumps(body), headers=kind)
        assert answer.status_code in (200, 202)
        json.loads(answer.content)


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(1, 12), st.sampled_from([0.3, 0.5, 0.9])),
        max_size=12,
    )
)
def test_parted_results_lie_apart_and_cover_what_was_found(spans):
    text = "abcde fgh" * 6
    found = [
        {"start": start, "end": start + size, "score": score, "entity_type": str(at)}
        for at, (start, size, score) in enumerate(spans)
    ]
    parted = part_results(found, text)
    for one, two in pairwise(parted):
        assert one["end"] <= two["start"]

    def cover(results):
        places = {at for each in results for at in range(each["start"], each["end"])}
        return {at for at in places if not text[at].isspace()}

    assert cover(parted) == cover(found)
    if found:
        surest = max(found, key=lambda each: (each["score"], each["end"] - each["start"]))
        assert cover([surest]) <= cover([e for e in parted if e["score"] == surest["score"]])


def test_many_results_take_no_square_of_their_number(client, monkeypatch):
    """Ten thousand spans, which a client can send in one request."""
    text = "a. " * 10_000
    spans = [
        {"start": at, "end": at + 1, "score": 0.5, "entity_type": "A"} for at in range(0, 30_000, 3)
    ]
    choices = {
        "DEFAULT": {"type": "replace", "new_value": "<name>"},
        "A": {"type": "mask", "masking_char": "*", "chars_to_mask": 1, "from_end": True},
    }
    answer = client.post("/anonymize", json=ask(choices, spans, text))
    assert "a" not in answer.json()["text"]
    word = {"name": "w", "regex": "a", "score": 0.99}
    recognizers = [{"supported_entity": "W", "patterns": [word]}]
    body = {"text": text, "language": "en", "entities": ["W"], "ad_hoc_recognizers": recognizers}
    assert len(client.post("/analyze", json=body).json()) == 10_000
    monkeypatch.setattr(adhoc, "MATCHES", 9_999)
    refused = client.post("/analyze", json=body)
    assert refused.status_code == 400
