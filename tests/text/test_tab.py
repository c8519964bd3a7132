"""TAB standoff JSON: nothing lost, every break named."""

import copy
import gzip
import json

import pytest

from maskwise.errors import CorpusError
from maskwise.text import EntityType, IdentifierType, tab

CORPUS = [
    {
        "doc_id": "d-1",
        "text": "Ms Ana Souza lives in Porto. Souza is 41.",
        "task": "Task: protect the following person: Ana Souza",
        "meta": {"year": 2001, "tags": ["x"]},
        "quality": None,
        "annotations": {
            "a1": {
                "gold": True,
                "entity_mentions": [
                    {
                        "entity_type": "PERSON",
                        "entity_mention_id": "m1",
                        "start_offset": 0,
                        "end_offset": 12,
                        "span_text": "Ms Ana Souza",
                        "identifier_type": "DIRECT",
                        "entity_id": "e1",
                        "confidential_status": None,
                        "edit_type": "check",
                    },
                    {
                        "entity_type": "UNKNOWN",
                        "start_offset": 22,
                        "end_offset": 27,
                        "span_text": "Porto",
                        "identifier_type": "NO_MASK",
                        "entity_id": "e2",
                    },
                ],
            }
        },
    },
    {"doc_id": "d-2", "text": "", "annotations": {}},
]


def broken(change):
    corpus = copy.deepcopy(CORPUS)
    change(corpus)
    return corpus


def mention(corpus):
    return corpus[0]["annotations"]["a1"]["entity_mentions"][1]


def test_round_trip_keeps_every_key():
    assert json.loads(tab.dump_corpus(tab.parse_corpus(CORPUS))) == CORPUS


def test_types(tmp_path):
    path = tmp_path / "c.json.gz"
    path.write_bytes(gzip.compress(json.dumps(CORPUS).encode()))
    first = tab.load_corpus(path)[0]
    assert first.document.protected[0].name == "Ana Souza"
    marked = first.layers[0].annotations
    assert marked[0].identifier is IdentifierType.DIRECT
    assert marked[1].identifier is IdentifierType.NONE
    assert marked[1].mention.type is EntityType.MISC


BREAKS = [
    (
        lambda c: mention(c).update(end_offset=99),
        "document 0 (d-1), annotator a1, mention 1: span [22, 99)",
    ),
    (
        lambda c: mention(c).update(span_text="Lisbon"),
        "mention 1: span [22, 27): the text there differs",
    ),
    (lambda c: mention(c).update(start_offset="22"), "'start_offset' must be int, found str"),
    (lambda c: mention(c).update(end_offset=True), "'end_offset' must be int, found bool"),
    (lambda c: mention(c).update(entity_type="PLACE"), "'entity_type' is not one of PERSON"),
    (
        lambda c: mention(c).update(identifier_type="MAYBE"),
        "'identifier_type' is not one of DIRECT",
    ),
    (lambda c: mention(c).pop("span_text"), "key 'span_text' is missing"),
    (lambda c: c[0].pop("text"), "document 0 (d-1): key 'text' is missing"),
    (lambda c: c[0].pop("doc_id"), "document 0: key 'doc_id' is missing"),
    (lambda c: c[1].update(doc_id="d-1"), "documents 0 and 1 have the same doc_id"),
    (lambda c: c.append("x"), "document 2: expected an object, found str"),
    (lambda c: c[0].update(annotations=[]), "annotations: expected an object, found list"),
    (
        lambda c: c[0]["annotations"]["a1"].update(entity_mentions={}),
        "'entity_mentions' must be list",
    ),
]


@pytest.mark.parametrize(("change", "message"), BREAKS)
def test_breaks_are_named_without_text(change, message):
    with pytest.raises(CorpusError) as caught:
        tab.parse_corpus(broken(change), "c.json")
    assert message in str(caught.value)
    assert "Porto" not in str(caught.value)
    assert "Lisbon" not in str(caught.value)


FILES = [
    (b"{", "not JSON at line 1"),
    (b"\xff\xfe", "not"),
    (b'{"a": 1}', "expected a list"),
    (b"[" * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("raw", "message"), FILES)
def test_broken_files(tmp_path, raw, message):
    path = tmp_path / "c.json"
    path.write_bytes(raw)
    with pytest.raises(CorpusError, match=message):
        tab.load_corpus(path)


def test_missing_and_broken_compression(tmp_path):
    with pytest.raises(CorpusError, match="no such file"):
        tab.load_corpus(tmp_path / "none.json")
    path = tmp_path / "c.json.gz"
    path.write_bytes(gzip.compress(b"[]" * 500)[:-12])
    with pytest.raises(CorpusError, match="cannot be read"):
        tab.load_corpus(path)


@pytest.mark.parametrize("ending", ["json", "json.gz"])
def test_a_corpus_that_is_too_large_is_refused_without_being_read_whole(
    tmp_path, monkeypatch, ending
):
    monkeypatch.setattr(tab, "LARGEST", 1000)
    path = tmp_path / f"c.{ending}"
    path.write_bytes(gzip.compress(b" " * 100_000) if ending.endswith("gz") else b" " * 1001)
    with pytest.raises(CorpusError, match="larger than 1,000 bytes"):
        tab.load_corpus(path)
