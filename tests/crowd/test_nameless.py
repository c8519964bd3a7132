"""Profiles without names, those of the crowd that ships with the package included."""

import hashlib
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from people import TOWNS, people

from maskwise.bundle.manifest import FOLDER
from maskwise.crowd.crowd import Crowd, find_bundled
from maskwise.crowd.nameless import NAMES as NAME_ATTRIBUTES
from maskwise.crowd.nameless import collect_name_words, has_name, remove_names
from maskwise.crowd.population import Profile

PEOPLE = 49_471
CROWD = people(40)
PAIR = re.compile(r"(?P<given>\w+) (?P<family>[A-Z][\w'’-]+)")
# What is named after somebody and is nobody: "Howard College".
INSTITUTIONS = re.compile(
    "College|County|Universit|Church|School|Award|Records|Hospital|Medal|Academy|Institute|Prize|Club|Company|Center"
    "|Theatre|Theater|Bank|Press|Party|Museum|Fellowship|Society|Foundation|Airport|Trophy|Council|Cup"
)
BORN = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


@pytest.fixture(scope="module")
def shipped():
    return list(Crowd.open().read_profiles())


def flatten(profile):
    return [value for _, values in profile.attributes for value in values]


def test_the_names_of_a_person_and_of_relatives_are_gone():
    profile = Profile.of(
        "p1",
        {
            "name": "Ada Brandvold",
            "alias": ["Ada the Elder", "A. Quillfeather"],
            "spouse": "Pavel Solanki",
            "parent": "Runa Fennimore",
            "sibling": "Bram Ashgrove",
            "child": "Ines Dvorsky",
            "occupation": "baker",
            "place": ["Tarn", "Fennimore Bay"],
            "organisation": ["Brandvold & Sons", "Solanki Mills", "Larkby Mills"],
            "work": ["Ada's Bread", "Brandvold’s Rolls", "The Fennimore-Tarn Mill", "The Mill"],
            "born": 1921,
        },
        "Ada Brandvold was a baker.",
    )
    found = remove_names(profile, "7")
    assert found.id == "7"
    assert found.text == ""
    assert dict(found.attributes) == {
        "occupation": ("baker",),
        "place": ("Tarn",),
        "organisation": ("Larkby Mills",),
        "work": ("The Mill",),
        "born": ("1921",),
    }


def test_short_words_of_a_name_give_nobody_away():
    profile = Profile.of("p1", {"name": "Li de Tarn", "place": ["Rio de Oro", "Tarn"]})
    assert collect_name_words(profile) == {"tarn"}
    assert remove_names(profile).get("place") == ("Rio de Oro",)
    assert remove_names(profile).id == "p1"


@pytest.mark.parametrize(
    ("value", "is_name"),
    [
        ("Peter Vanderlune", True),
        ("directed by Peter Vanderlune", True),
        ("Peter Vanderlune University", False),
        ("Peter Vanderlune Memorial Prize", False),
        ("Peter", False),
        ("Vanderlune Peter", False),
        ("Peter and the copper", False),
        ("glassblower of Tarn", False),
    ],
)
def test_what_looks_like_the_name_of_anybody(value, is_name):
    assert has_name(value, frozenset()) == is_name


@given(st.integers(0, 39), st.sampled_from(["of", "near", "by"]))
@settings(max_examples=40, deadline=None)
def test_no_word_of_a_name_survives_anywhere(at, word):
    profile = CROWD[at]
    name = profile.get("name")[0]
    told = Profile.of(
        profile.id,
        {
            **dict(profile.attributes),
            "work": [f"The bells {word} {part}" for part in name.split()],
            "place": f"{name.split()[-1].upper()} {word} {TOWNS[0]}",
        },
    )
    left = remove_names(told)
    said = " ".join(flatten(left)).lower()
    assert not any(part.lower() in said for part in name.split())
    assert left.get("occupation") == profile.get("occupation")
    assert remove_names(left) == left


def test_the_shipped_crowd_has_no_attribute_of_names(shipped):
    assert len(shipped) == PEOPLE
    keys = {key for profile in shipped for key, _ in profile.attributes}
    assert not keys & NAME_ATTRIBUTES
    assert keys == set(json.loads((find_bundled() / "crowd.json").read_text())["attributes"])


def test_ids_and_texts_of_the_shipped_crowd_tell_nothing(shipped):
    assert [profile.id for profile in shipped] == [str(at) for at in range(PEOPLE)]
    assert not any(profile.text for profile in shipped)


def test_no_value_of_the_shipped_crowd_looks_like_a_name(shipped):
    values = {value for profile in shipped for value in flatten(profile)}
    given = set((FOLDER / "gazetteers" / "given_names.txt").read_text("utf-8").split())
    assert {"Peter", "Maria", "Ali"} < given
    pairs = [pair for pair in map(PAIR.fullmatch, values) if pair and pair["given"] in given]
    assert 0 < len(pairs) < 0.01 * len(values)
    assert [pair[0] for pair in pairs if not INSTITUTIONS.search(pair["family"])] == []
    assert not any(has_name(value, frozenset()) for value in values)


def test_values_of_the_shipped_crowd_are_facts_and_no_sentences(shipped):
    longest = max((value for profile in shipped for value in flatten(profile)), key=len)
    assert len(longest) < 120
    assert len(longest.split()) < 20
    born = {value for profile in shipped for value in profile.get("born")}
    assert sum(BORN.fullmatch(value) is not None for value in born) > 0.99 * len(born)


def test_the_hashes_of_the_shipped_crowd_hold():
    folder = find_bundled()
    config = json.loads((folder / "crowd.json").read_text("utf-8"))
    assert set(config["files"]) == {"profiles.xz", "postings.npz", "embeddings.npz"}
    for name, digest in config["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert config["people"] == PEOPLE
    assert "CC BY-SA" in config["sources"]
