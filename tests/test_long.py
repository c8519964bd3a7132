"""Long documents: cut at paragraphs, masked as one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise import long
from maskwise.files import sanitize_file
from maskwise.long import cut_paragraphs, mask_document
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document

RULES = {"name": "rules", "detectors": [{"kind": "patterns"}, {"kind": "gazetteer"}]}
FIRST = "Mr Bruno Keller met Ms Ana Souza about the budget of the choir.\n\n"
LATER = "Nobody sang on this evening, and nobody came at all.\n\n"


@pytest.fixture
def sanitizer(monkeypatch):
    monkeypatch.setattr(long, "LONG", 400)
    monkeypatch.setattr(cut_paragraphs, "__defaults__", (300,))
    monkeypatch.setattr("maskwise.files.LONG", 400)
    return Sanitizer(Policy.parse(RULES))


@given(st.text("ab. \n", max_size=80), st.integers(2, 20))
def test_pieces_make_up_the_text(text, size):
    pieces = list(cut_paragraphs(text, size))
    assert "".join(text[start:end] for start, end in pieces) == text
    assert all(0 < end - start <= size for start, end in pieces)


def test_a_name_keeps_its_number_in_all_pieces(sanitizer):
    text = (
        FIRST + LATER * 8 + "Mr Keller wrote to Mr Bruno Keller. " + LATER * 8 + "Mr Keller left."
    )
    done = mask_document(sanitizer, Document(text))
    assert len(done.results) > 2
    assert done.text.endswith("[PERSON 1] left.")
    assert "[PERSON 1] wrote to [PERSON 1]" in done.text
    assert done.alignment.restore(done.text) == text


def test_what_is_masked_in_one_piece_is_masked_in_all(sanitizer):
    text = "Zorvath Quillon sang.\n\n" + LATER * 12 + "Mr Zorvath Quillon left."
    done = mask_document(sanitizer, Document(text))
    assert "Quillon" not in done.text
    assert done.text.startswith("[PERSON 1] sang.")


def test_files_with_long_texts_are_cut(sanitizer):
    text = FIRST + LATER * 20 + "Ms Souza left."
    done = sanitize_file(sanitizer, text.encode(), "long.txt")
    assert len(done.results) > 2
    assert done.data.endswith(b"[PERSON 2] left.")
    assert sum(result.coverage.characters for result in done.results) == len(text)
