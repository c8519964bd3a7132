"""Names of protected people are found when something stands between their letters, and inside accounts and paths."""

from __future__ import annotations

import re

import pytest

from maskwise.link import RuleLinker
from maskwise.text import Document, Person

PERSON = "Zbigniew Kowalczyk"
BETWEEN = {
    "bold": "\x1b[1m",
    "colour": "\x1b[38;5;196m",
    "link": "\x1b]8;;https://example.org\x07",
    "emoji": "🙂",
    "family": "👨‍👩‍👧",
    "heart": "❤️",
    "zero width": "\u200b",
    "soft hyphen": "\xad",
    "stars": "**",
    "tilde": "~~",
    "bar": "|",
    "reset": "\x1b[0m\x1b[4m",
}
SPACED = {
    "space": " ",
    "dot": ".",
    "dash": "-",
    "middle dot": "·",
    "underscore": "_",
    "two spaces": "  ",
    "emoji": "🎉",
}


def cover(text: str, person: str = PERSON) -> set[int]:
    document = Document(text, protected=(Person(person),))
    return {
        at
        for e in RuleLinker().link(document, [])
        if e.protected
        for m in e.mentions
        for at in range(m.start, m.end)
    }


def left(text: str, name: str, person: str = PERSON) -> str:
    """The letters of the name that no mention of the person covers, without those of escapes."""
    start = text.index(name)
    covered = cover(text, person)
    shown = re.sub(r"\x1b(?:\[[0-9;]*m|\].*?\x07)", lambda found: "." * len(found[0]), text)
    return "".join(
        shown[at]
        for at in range(start, start + len(name))
        if at not in covered and shown[at].isalpha()
    )


@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN)
@pytest.mark.parametrize("name", ["Zbigniew", "Kowalczyk", PERSON, PERSON.upper(), PERSON.lower()])
def test_something_inside_a_word(between, name):
    for at in range(2, len(name) - 1):
        if " " not in name[at - 1 : at + 1]:
            written = name[:at] + between + name[at:]
            assert left(f"It was {written}, they say.", written) == ""


@pytest.mark.parametrize("between", SPACED.values(), ids=SPACED)
@pytest.mark.parametrize("name", ["Zbigniew", "Kowalczyk", PERSON, PERSON.upper()])
def test_letter_by_letter(between, name):
    written = "  ".join(between.join(word) for word in name.split())
    assert left(f"It was {written}, they say.", written) == ""
    assert left(written, written) == ""


@pytest.mark.parametrize(
    "written", ["Zbig niew Kowal czyk", "Zbigniew Kowal czyk", "Zbigni\new Kowalczyk"]
)
def test_a_whole_name_cut_by_spaces(written):
    assert left(f"It was {written}, they say.", written) == ""


@pytest.mark.parametrize(
    "written", ["Zbigniew🙂", "🎉Kowalczyk🎉", "👍🏽Zbigniew Kowalczyk", "\x1b[1mZbigniew\x1b[0m"]
)
def test_something_beside_a_word(written):
    assert left(f"It was {written}!", written) == ""


@pytest.mark.parametrize("written", ["𝐙𝐛𝐢𝐠𝐧𝐢𝐞𝐰", "Ｚｂｉｇｎｉｅｗ", "𝒵𝒷𝒾ℊ𝓃𝒾ℯ𝓌"])
def test_letters_of_other_faces(written):
    assert left(f"It was {written}.", written) == ""


@pytest.mark.parametrize(
    "text",
    [
        "An a so uz a was said",
        "is an apple a sofa? so u za",
        "He is an as-yet unknown; a so-called uza",
        "Hans on Monday; Anders on Friday",
        "the plan a, the source",
    ],
)
def test_words_that_only_share_letters(text):
    assert cover(text, "Sana Anderson") == set()


ACCOUNTS = [
    "/home/ihansen/notes.txt",
    "/home/ihansen/",
    r"C:\Users\ihansen\x.doc",
    "~ihansen",
    r"\\nas\people\ihansen",
    "user=ihansen",
    "ihansen@db01",
    "hanseni",
    "ishansen",
    "u:ingridh",
    "/var/mail/hansen",
    r"NORDLYS\ihansen",
]


@pytest.mark.parametrize("account", ACCOUNTS)
def test_accounts_made_from_a_name(account):
    text = f"see {account} today"
    covered = cover(text, "Ingrid Solberg Hansen")
    for part in ("ihansen", "hanseni", "ishansen", "ingridh", "hansen"):
        if part in text:
            start = text.index(part)
            assert set(range(start, start + len(part))) <= covered
            return


@pytest.mark.parametrize(
    "text", ["a nice place", "they ting the bell", "Sally left", "stone and snow"]
)
def test_words_are_no_accounts(text):
    assert all(
        cover(text, person) == set() for person in ("Paul Lace", "Tim Ing", "Sam Ally", "Sam Tone")
    )
