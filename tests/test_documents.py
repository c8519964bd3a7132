"""The generator of documents: spans are exact in every template, way of distortion and note."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from build_documents import TEMPLATES, describe_document, invent_documents
from documents.distort import WAYS
from documents.identities import Cast
from documents.notes import insert_identity
from documents.render import fill_template, read_templates

from maskwise.text import EntityType

HELD_OUT = Path(__file__).parents[1] / "benchmarks" / "domains"
FILES = [*TEMPLATES.glob("*.txt"), *HELD_OUT.glob("*.txt")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_template_can_be_filled(path):
    for number, template in enumerate(read_templates(path)):
        cast = Cast(Random(number))
        document = fill_template(template, cast)
        assert not set("⟨⟩") & set(document.text)
        for before, after in zip(document.spans, document.spans[1:], strict=False):
            assert before.end <= after.start
        for span in document.spans:
            assert document.text[span.start : span.end].strip()
            assert EntityType(span.type)


@pytest.mark.parametrize("change", [change for _, change in WAYS])
def test_spans_follow_their_text(change):
    template = "{p} wrote to {q.mail} about the {drug} that {org} had sent to {city} on {date}."
    for seed in range(20):
        plain = fill_template(template, Cast(Random(seed)))
        changed = change(plain, Random(seed))
        assert len(changed.spans) == len(plain.spans)
        for old, new in zip(plain.spans, changed.spans, strict=True):
            before = plain.text[old.start : old.end]
            after = changed.text[new.start : new.end]
            assert abs(len(before) - len(after)) <= len(before) // 4 + 1
            assert before[0].casefold() == after[0].casefold()
        assert changed.text.casefold()[-1] == "."


def test_the_same_seed_invents_the_same_documents():
    first = [describe_document(one) for one in invent_documents(20, 3)]
    assert first == [describe_document(one) for one in invent_documents(20, 3)]
    assert first != [describe_document(one) for one in invent_documents(20, 4)]


def test_a_note_gets_a_person_and_keeps_its_words():
    note = "The patient has a cough. She takes syrup. The patient sleeps well. No fever was seen."
    document = insert_identity(note, Random(2), "n")
    assert document.spans
    assert "takes syrup" in document.text
    for span in document.spans:
        assert document.text[span.start : span.end] not in note
