"""Given names alone, where a model sees nothing: in tickets, code and chats, not in judgments nor in addresses."""

import pytest

from maskwise.detect.given_names import find_given_names
from maskwise.text import Document, EntityType
from maskwise.text.domain import KEY, Domain
from maskwise.text.language import KEY as LANGUAGE


def find(text, domain=Domain.GENERAL, language="en", mentions=()):
    document = Document(text, metadata={KEY: domain, LANGUAGE: language})
    held = [document.mention(*span, EntityType.ORG) for span in mentions]
    return [m.text for m in find_given_names(document, held)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Our admin Pekka restarted it.", ["Pekka"]),
        ("# TODO ask Saskia why this breaks", ["Saskia"]),
        ("SUMMARY:1:1 / Caetano", ["Caetano"]),
        ("assigned to Torsten Holzapfel yesterday", ["Torsten Holzapfel"]),
        ("Pekka's laptop", ["Pekka"]),
        ("told Pekka Please wait", ["Pekka"]),
        ("ask Becca, Rajiv or Piotrek", ["Becca", "Rajiv", "Piotrek"]),  # short forms, seldom names
    ],
)
def test_a_name_alone_is_found_with_the_surname_after_it(text, names):
    assert find(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "the Desmond Hospital in San Joaquín",
        "com.saskia.Pekka and Saskia.run() and pekka@example.org",
        "path/Pekka/file and @Pekka",
        "Will they mark May and Grace?",
    ],
)
def test_things_paths_and_words_are_no_names(text):
    assert find(text) == []


@pytest.mark.parametrize("text", ["that was a bogus curly cola", "the shun of a viva, a vale"])
def test_words_that_few_people_are_called_by_stay_words(text):
    assert find(text, Domain.CHAT) == []


def test_small_letters_count_where_the_text_is_written_small():
    assert find("can marek restart it? ping torsten", Domain.CHAT) == ["marek", "torsten"]
    assert find("The Marek Theatre shows marek often. It is old.") == []


def test_judgments_and_lives_are_left_to_the_model():
    assert find("Pekka left.", Domain.COURT) == find("Pekka left.", Domain.BIOGRAPHY) == []


def test_what_a_mention_holds_is_not_found_again():
    assert find("the firm Pekka Oy", mentions=[(9, 17)]) == []
