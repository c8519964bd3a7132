"""The component in a real pipeline."""

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from maskwise.errors import PolicyError

TEXT = "Mr John Smith was born on 3 May 1971. Smith cited Article 6."
MASKED = "[PERSON 1] was born on [DATETIME 1]. [PERSON 1] cited Article 6."


@pytest.fixture
def nlp():
    pipeline = spacy.blank("en")
    pipeline.add_pipe("maskwise")  # found by entry point: nothing of ours was imported
    return pipeline


def test_a_document_has_spans_decisions_and_masked_text(nlp):
    doc = nlp(TEXT)
    assert doc.text == TEXT
    assert doc._.masked == MASKED
    found = [
        (span.text, span.label_, span._.maskwise["decision"]) for span in doc.spans["maskwise"]
    ]
    assert ("Mr John Smith", "PERSON", "suppress") in found
    assert ("Smith", "PERSON", "suppress") in found
    assert ("Article 6", "MISC", "keep") in found
    john, smith = (s for s in doc.spans["maskwise"] if s.label_ == "PERSON")
    assert john.id_ == smith.id_ == john._.maskwise["id"]
    assert smith._.maskwise["replacement"] == "[PERSON 1]"


def test_a_span_covers_whole_tokens_and_the_entity_has_exact_offsets(nlp):
    doc = nlp.get_pipe("maskwise")(Doc(nlp.vocab, words=["Mr", "John", "Smith,", "left"]))
    [span] = doc.spans["maskwise"]
    assert span.text == "Mr John Smith,"
    assert span._.maskwise["mentions"] == [[0, 13]]
    assert doc._.masked == "[PERSON 1], left "


def test_settings_reach_the_policy():
    nlp = spacy.blank("en")
    nlp.add_pipe(
        "maskwise", config={"policy": "court", "protect": ["zed okonkwo"], "spans_key": "private"}
    )
    doc = nlp("we met zed okonkwo")
    assert "okonkwo" not in doc._.masked
    assert [span.label_ for span in doc.spans["private"]] == ["PERSON"]
    with pytest.raises(PolicyError, match="did you mean 'court'"):
        spacy.blank("en").add_pipe("maskwise", config={"policy": "cort"})


def test_results_survive_disk_and_the_pipeline_too(nlp, tmp_path):
    stored = DocBin(docs=[nlp(TEXT)], store_user_data=True)
    [doc] = DocBin().from_bytes(stored.to_bytes()).get_docs(nlp.vocab)
    assert doc._.masked == MASKED
    assert {span._.maskwise["type"] for span in doc.spans["maskwise"]} >= {"PERSON", "DATETIME"}
    nlp.to_disk(tmp_path / "nlp")
    assert spacy.load(tmp_path / "nlp")(TEXT)._.masked == MASKED


def test_pipe_keeps_order_also_in_two_processes(nlp):
    texts = ["Mr Lee left.", "", "Nothing here."]
    wanted = ["[PERSON 1] left.", "", "Nothing here."]
    assert [doc._.masked for doc in nlp.pipe(texts)] == wanted
    assert [doc._.masked for doc in nlp.pipe(texts, n_process=2)] == wanted


def test_a_document_that_did_not_pass_has_no_result(nlp):
    doc = nlp.make_doc(TEXT)
    assert doc._.masked is None
    assert doc[0:1]._.maskwise is None
