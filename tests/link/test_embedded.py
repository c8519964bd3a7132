"""Names inside of other words, in letters that look like theirs, and letter by letter, are found everywhere."""

from __future__ import annotations

import pytest

from maskwise.link import RuleLinker
from maskwise.link.embedded import find_embedded
from maskwise.text import Document, EntityType, Person

PEOPLE = [("Ingrid", "Solheim"), ("Marek", "Kowalczyk"), ("Ngozi", "Okafor")]
COMPANIES = ["Vexley", "Brandulf", "Quillfeather"]
CYRILLIC = str.maketrans("aceopxyABCEHKMOPTX", "асеорхуАВСЕНКМОРТХ")
GREEK = str.maketrans("oABEZHIKMNOPTYX", "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
SMALL_CAPITALS = str.maketrans("abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇғɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ")


def shift(name: str, capital: int, small: int) -> str:
    """A name in another block of letters."""
    return "".join(chr((capital - 65 if c.isupper() else small - 97) + ord(c)) for c in name)


IN_WORDS = {
    "camel": "get{}Data",
    "after capitals": "CV{}2024.pdf",
    "tag": "#JusticeFor{}",
    "title": "STATEMENT_{}",
    "plural": "the {}s",
    "adjective": "{}esque",
    "compound": "the {}family",
    "path": "D:\\cases\\{}_final",
}
IN_SMALL = {
    "snake": "case_{}_final",
    "path": "/srv/data/{}/notes",
    "kebab": "fix-{}-record",
    "digits": "{}84",
    "host": "www.{}.example",
    "tag": "#free{}now",
    "user": "@the_real_{}x",
}
DISGUISED = {
    "Cyrillic": lambda name: name.translate(CYRILLIC),
    "Greek": lambda name: name.upper().translate(GREEK),
    "small capitals": lambda name: name.lower().translate(SMALL_CAPITALS),
    "full width": lambda name: shift(name, 0xFF21, 0xFF41),
    "bold": lambda name: shift(name, 0x1D400, 0x1D41A),
    "circled": lambda name: shift(name, 0x24B6, 0x24D0),
    "squared": lambda name: shift(name.upper(), 0x1F130, 0x1F130),
    "flags": lambda name: shift(name.upper(), 0x1F1E6, 0x1F1E6),
    "spaced": lambda name: " ".join(name.upper()),
    "dotted": lambda name: ".".join(name),
    "struck": lambda name: "".join(char + "\u0336" for char in name),
    "starred": lambda name: f"**{name[0]}**{name[1:]}",
}


def show_rest(text: str, first: str, kind: EntityType, protected: str = "") -> str:
    """What no mention covers of a text whose first words a detector found."""
    document = Document(text, protected=(Person(protected),) if protected else ())
    found = [document.mention(0, len(first), kind, source="marks")] if first else []
    entities = RuleLinker().link(document, found)
    covered = {at for e in entities for m in e.mentions for at in range(m.start, m.end)}
    return "".join("*" if at in covered else char for at, char in enumerate(text))


@pytest.mark.parametrize("template", IN_WORDS.values(), ids=IN_WORDS)
@pytest.mark.parametrize(("given", "family"), PEOPLE)
def test_names_with_a_capital_are_found_inside_of_words(given, family, template):
    for name in (family, given + family):
        first = f"{given} {family}"
        text = f"{first} came. We saw {template.format(name)} later."
        assert family not in show_rest(text, first, EntityType.PERSON)
        assert family not in show_rest(text[len(first) :], "", EntityType.PERSON, first)


@pytest.mark.parametrize("template", IN_SMALL.values(), ids=IN_SMALL)
@pytest.mark.parametrize(("given", "family"), PEOPLE)
def test_names_in_small_letters_are_found_inside_of_words(given, family, template):
    for name in (family, given + family):
        for written in (name.lower(), name.upper()):
            first = f"{given} {family}"
            text = f"{first} came. We saw {template.format(written)} later."
            hidden = (family.lower(), family.upper())
            assert not any(word in show_rest(text, first, EntityType.PERSON) for word in hidden)
            alone = show_rest(text[len(first) :], "", EntityType.PERSON, first)
            assert not any(word in alone for word in hidden)


@pytest.mark.parametrize("disguise", DISGUISED.values(), ids=DISGUISED)
@pytest.mark.parametrize(("given", "family"), PEOPLE)
def test_disguised_names_are_found(given, family, disguise):
    first = f"{given} {family}"
    text = f"{first} came. We saw {disguise(family)} later."
    assert text.index("We saw") == (rest := show_rest(text, first, EntityType.PERSON)).index("We")
    assert not any(
        char in rest[rest.index("saw") + 4 : -7] for char in disguise(family) if char.isalnum()
    )
    alone = show_rest(text[len(first) :], "", EntityType.PERSON, first)
    assert not any(
        char in alone[alone.index("saw") + 4 : -7] for char in disguise(family) if char.isalnum()
    )


@pytest.mark.parametrize("company", COMPANIES)
def test_companies_are_found_inside_of_words(company):
    first = f"{company} Shipping Ltd"
    for word in (f"{company}Corp", f"{company}s", f"#{company}Gate", f"{company}Shipping.example"):
        assert company not in show_rest(f"{first} sank. Now {word}.", first, EntityType.ORG)
    for word in (f"db_{company}_prod", f"info@{company}.example", f"{company}shipping.example"):
        text = f"{first} sank. Now {word.lower()}."
        assert company.lower() not in show_rest(text, first, EntityType.ORG)


NOT_FOUND = [
    ("Ivan Petrov", "Ivan Petrov knew the Petrovich boys, ivanova and petrol."),
    ("Ida Lund", "Ida Lund was lundbeck, blunder and Lundborg."),
    ("Mark Grant", "Mark Grant sent a grant-maker bookmarks, benchmark_mark and GrantWriter."),
    ("Ann Chester", "Ann Chester saw Manchester."),
    ("Patient Services", "Patient Services wrote patient_id and ServicesAgreement."),
    ("Hansen", "Hansen has hansen in plain small letters, and no other name."),
    ("Rosa Haug", "Rosa Haug saw the haug, which is a hill."),
]


@pytest.mark.parametrize(("first", "text"), NOT_FOUND)
def test_other_words_are_left(first, text):
    document = Document(text)
    mention = document.mention(0, len(first), EntityType.PERSON, source="marks")
    assert find_embedded(document, [mention]) == []


def test_the_name_joins_its_entity_and_the_tag_around_it_gives_way():
    text = "Ngozi Okafor came. #JusticeForOkafor, Оkafоr and get_ngoziokafor_x"
    document = Document(text)
    person = document.mention(0, 12, EntityType.PERSON, source="marks")
    tag = document.mention(19, 36, EntityType.MISC, subtype="hashtag", source="marks")
    entities = RuleLinker().link(document, [person, tag])
    named = [m.text for e in entities for m in e.mentions if e.type is EntityType.PERSON]
    assert named == ["Ngozi Okafor", "Okafor", "Оkafоr", "ngoziokafor"]
    assert [e.type for e in entities] == [EntityType.PERSON, EntityType.MISC]


def test_a_surname_in_small_letters_or_taken_for_a_thing_is_found():
    text = "Ngozi Okafor came.\n\nokafor\n\nOkafor"
    document = Document(text)
    person = document.mention(0, 12, EntityType.PERSON, source="marks")
    thing = document.mention(28, 34, EntityType.MISC, source="neural")
    [entity] = RuleLinker().link(document, [person, thing])
    assert [m.text for m in entity.mentions] == ["Ngozi Okafor", "okafor", "Okafor"]


@pytest.mark.parametrize(
    ("first", "word", "hidden"),
    [
        ("Jürgen Böttcher", "case_boettcher_x", "boettcher"),
        ("Sean O'Callahan", "file_ocallahan.pdf", "ocallahan"),
        ("Ngozi Okafor", "nokafor99", "okafor"),
        ("Ngozi Okafor", "home/n_okafor/", "okafor"),
        ("Ada Zheng", "#teamzheng", "zheng"),
        ("Ada Zheng", "ZHENG", "ZHENG"),
    ],
)
def test_spellings_of_a_name_are_found_in_accounts_and_files(first, word, hidden):
    text = f"{first} came. Then {word} left."
    assert hidden not in show_rest(text, first, EntityType.PERSON)


def test_a_surname_taken_for_an_acronym_is_the_name():
    text = "Ada Zheng came.\nZHENG, Ada"
    document = Document(text)
    person = document.mention(0, 9, EntityType.PERSON, source="marks")
    letters = document.mention(16, 21, EntityType.ORG, subtype="acronym", source="patterns")
    [entity] = RuleLinker().link(document, [person, letters])
    assert [m.text for m in entity.mentions] == ["Ada Zheng", "ZHENG", "Ada"]


def test_a_thing_that_is_called_after_somebody_stays():
    text = "Lord Okafor came. The Okafor Cup was his."
    document = Document(text)
    person = document.mention(0, 11, EntityType.PERSON, source="marks")
    thing = document.mention(22, 32, EntityType.MISC, source="neural")
    entities = RuleLinker().link(document, [person, thing])
    assert [[m.text for m in e.mentions] for e in entities] == [["Lord Okafor"], ["Okafor Cup"]]


def test_what_another_mention_covers_stays():
    text = "Ngozi Okafor came. Mail okafor_n@example.org."
    document = Document(text)
    person = document.mention(0, 12, EntityType.PERSON, source="marks")
    address = document.mention(24, 44, EntityType.CODE, subtype="email", source="marks")
    entities = RuleLinker().link(document, [person, address])
    assert [[m.text for m in e.mentions] for e in entities] == [["Ngozi Okafor"], [address.text]]
