"""Words that signs without width and entities cut are masked whole."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

import maskwise
from maskwise.detect.broken_words import complete_words, find_broken_words
from maskwise.text import Document, EntityType

SIGNS = ("\u00ad", "\u200b", "\u200d", "\u2060", "\u2063", "\ufeff")
WORDS = st.lists(
    st.sampled_from(["Quill", "feather", "&uuml;", "&amp;", "&nbsp;", " ", ", ", "M", *SIGNS]),
    max_size=12,
).map("".join)


@pytest.mark.parametrize("sign", SIGNS)
def test_a_name_is_masked_to_its_end(sign: str) -> None:
    text = f"Ms Orla Quill{sign}feather came home."
    assert "feather" not in maskwise.sanitize(text).text
    protected = maskwise.sanitize(f"Quill{sign}feather came home.", protect="Orla Quillfeather")
    assert "feather" not in protected.text


def test_letters_written_as_entities() -> None:
    assert "ller" not in maskwise.sanitize("Mr Hans M&uuml;ller and his dog").text


@pytest.mark.parametrize("hyphen", ["-\n", "\u2010\n", "\u00ad\n", "-\r\n  "])
def test_a_protected_name_at_the_end_of_a_line(hyphen: str) -> None:
    text = f"We saw Quill{hyphen}feather there."
    masked = maskwise.sanitize(text, protect="Orla Quillfeather").text
    assert "Quill" not in masked
    assert "feather" not in masked


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain words", []),
        ("Quill\u200bfeather, you", ["Quill\u200bfeather"]),
        ("M&uuml;ller &amp; Sons&nbsp;Ltd", ["M&uuml;ller"]),
        ("&Ouml;zil", ["&Ouml;zil"]),
        ("S&#233;bastien", ["S&#233;bastien"]),
        ("a \u200b b", []),
        ("R&D; x", []),
    ],
)
def test_broken_words(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in find_broken_words(text)] == words


@given(WORDS, st.lists(st.tuples(st.integers(0, 40), st.integers(1, 9)), max_size=6))
def test_mentions_stay_apart_and_lose_nothing(text: str, places: list[tuple[int, int]]) -> None:
    document = Document(text)
    mentions, last = [], 0
    for start, length in sorted(places):
        end = min(start + length, len(text))
        if last <= start < end:
            mentions.append(document.mention(start, end, EntityType.PERSON))
            last = end
    found = complete_words(document, mentions)
    covered = {at for mention in found for at in range(*mention.span)}
    assert {at for mention in mentions for at in range(*mention.span)} <= covered
    assert all(one.end <= other.start for one, other in itertools.pairwise(found))
    for start, end in find_broken_words(text):
        word = set(range(start, end))
        assert not word & covered or word <= covered
