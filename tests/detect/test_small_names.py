"""Names in small letters: the words of chats around them say where they are, and are no part of them."""

import pytest

from maskwise.detect.given_names import find_given_names
from maskwise.detect.small_names import is_small_talk, list_small_names, trim_small_name
from maskwise.text import Document, EntityType
from maskwise.text.domain import KEY, Domain
from maskwise.text.language import KEY as LANGUAGE


def list_names(text):
    return [text[start:end] for start, end in list_small_names(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("my gf zuqola thinks so", ["zuqola"]),
        ("me and my ex husband brasko split up", ["brasko"]),
        ("his lil sis odalka is here", ["odalka"]),
        ("thx zuqola!! see u", ["zuqola"]),
        ("happy bday brasko 🎂", ["brasko"]),
        ("ta odalka ur a star", ["odalka"]),
        ("love u zuqola xx", ["zuqola"]),
    ],
)
def test_kin_and_greetings_say_that_a_name_follows(text, names):
    assert list_names(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "my ex cheated on me and my bf keeps snoring",
        "my dad wont come, my mum said, my sis usually does",
        "thx everyone, ty babe, love u mate xxxx",
        "hey gorgeous! thanks http://example.org",
        "my friend group and my boss lol",
        "My Ex Zuqola",
    ],
)
def test_words_of_the_language_are_no_names(text):
    assert list_names(text) == []


def test_they_are_found_where_the_text_is_written_small():
    text = "my gf zuqola left"
    chat = Document(text, metadata={KEY: Domain.CHAT, LANGUAGE: "en"})
    court = Document(text, metadata={KEY: Domain.COURT, LANGUAGE: "en"})
    assert [m.text for m in find_given_names(chat, [])] == ["zuqola"]
    assert find_given_names(court, []) == []


@pytest.mark.parametrize(
    ("guess", "names"),
    [
        ("gf zuqola", ["zuqola"]),
        ("zuqola n brasko", ["zuqola", "brasko"]),
        ("love u zuqola xx", ["zuqola"]),
        ("man zuqola", ["zuqola"]),
        ("zuqola r", ["zuqola"]),
        ("mr zuqola", ["mr zuqola"]),
        ("ana may", ["ana may"]),
        ("grace brasko", ["grace brasko"]),
        ("ta", []),
        ("Gf Zuqola", ["Gf Zuqola"]),
    ],
)
def test_a_guess_loses_the_words_of_chats(guess, names):
    document = Document(f"so {guess} it is")
    mention = document.mention(3, 3 + len(guess), EntityType.PERSON, source="neural")
    assert [m.text for m in trim_small_name(mention)] == names


def test_small_talk_is_known():
    assert is_small_talk(["2moro", "w"])
    assert not is_small_talk(["2moro", "zuqola"])
