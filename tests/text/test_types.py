"""Documents, mentions and entities cannot be wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maskwise.errors import OffsetError, OverlapError
from maskwise.text import Document, Entity, EntityType, Mention

PERSON = EntityType.PERSON
DOC = Document("Ana Souza met Ben Okri.", id="d")


def test_mention_knows_its_text():
    assert DOC.mention(0, 9, PERSON).text == "Ana Souza"


@pytest.mark.parametrize(("start", "end"), [(0, 0), (5, 3), (-1, 4), (0, 99), (23, 24), (40, 41)])
def test_spans_outside_or_empty_are_refused(start, end):
    with pytest.raises(OffsetError, match=r"\["):
        DOC.mention(start, end, PERSON)


def test_a_mention_whose_text_differs_is_refused_without_telling_the_text():
    with pytest.raises(OffsetError) as caught:
        Mention(DOC, 0, 9, "Eva Souza", PERSON)
    assert "Souza" not in str(caught.value)


def test_nothing_secret_in_repr():
    entity = Entity("e1", PERSON, (DOC.mention(0, 9, PERSON, value="ana"),))
    for thing in (DOC, entity, entity.first):
        assert "Ana" not in repr(thing)
        assert "ana" not in repr(thing)


def test_entity_refuses_overlap_and_emptiness_and_two_documents():
    a, b = DOC.mention(0, 9, PERSON), DOC.mention(4, 12, PERSON)
    with pytest.raises(OverlapError):
        Entity("e1", PERSON, (a, b))
    with pytest.raises(OffsetError):
        Entity("e1", PERSON, ())
    with pytest.raises(OffsetError):
        Entity("e1", PERSON, (a, Document("x" * 30).mention(20, 22, PERSON)))


def test_text_must_be_a_string():
    with pytest.raises(OffsetError):
        Document(b"bytes")


@given(st.text(min_size=1), st.data())
def test_offsets_are_code_points(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert Document(text).mention(start, end, PERSON).text == text[start:end]
