"""Invented people fit what the text says of them: gender, age, origin, family, and the kind of their organisations."""

import re
from random import Random

import pytest
from faker import Faker

from maskwise.mask.surrogate import ages, people, things
from maskwise.mask.surrogate.genders import Told
from maskwise.mask.surrogate.names import ORIGINS, load_origin
from maskwise.mask.surrogate.origins import draw_given, find_gender, find_origin
from maskwise.policy import Policy
from maskwise.sanitizer import Sanitizer
from maskwise.text import Document, EntityType
from maskwise.text.folding import fold_words
from maskwise.text.gender import read_kin
from maskwise.text.surnames import is_feminine, tell_gender, unify_surname, write_feminine


def mask(text, *marked, **keys):
    """A text with these strings given as mentions, masked by surrogates."""
    spans = [
        (found.start(), found.end(), EntityType(kind))
        for wanted, kind in marked
        for found in re.finditer(rf"\b{re.escape(wanted)}\b", text)
    ]
    policy = {"name": "t", "detectors": [{"kind": "patterns"}]}
    operator = {"kind": "surrogate", "seed": 4, **keys}
    sanitizer = Sanitizer(Policy.parse({**policy, "operator": operator}))
    return sanitizer.sanitize(Document(text, metadata={"given": sorted(spans)})).text


@pytest.mark.parametrize(
    ("text", "name", "gender"),
    [
        ("Mr Moe's daughter Ola Moe, 12, came.", "Ola Moe", "f"),
        ("his wife, Kim, paid", "Kim", "f"),
        ("Kim Vik, my husband, paid", "Kim Vik", "m"),
        ("our sons Jan (4) and Ari (7) cough", "Ari", "m"),
        ("Kim (Piotr's sister) paid", "Kim", "f"),
        ("Kim and her husband paid", "Kim", ""),
        ("Kim, her husband Jan and I", "Kim", ""),
        ("her mother and father, Ola and Jan", "Ola", ""),
    ],
)
def test_a_word_for_a_relative_tells_the_gender(text, name, gender):
    start = text.index(name)
    assert read_kin(text, start, start + len(name)) == gender


def test_what_a_text_says_goes_before_a_given_name():
    assert people.read_slots(["Piotr Moe"], Told(kin="f")).gender == "f"
    assert people.read_slots(["Ola Zielińska"]).gender == "f"
    assert people.read_slots(["Sasha Ivanovich Koval"]).gender == "m"
    assert people.read_slots(["Mr Ola Zielińska"]).gender == "m"


def test_the_origin_tells_the_gender_of_a_name():
    assert find_gender("andrea", "spanish") == "f"
    assert find_gender("ola", "norwegian") == "m"


@pytest.mark.parametrize(
    ("man", "woman"), [("zielinski", "zielinska"), ("novak", "novakova"), ("orlov", "orlova")]
)
def test_both_forms_of_a_surname_are_one_family(man, woman):
    assert unify_surname(man) == unify_surname(woman)
    assert is_feminine(woman)
    assert not is_feminine(man)
    assert tell_gender(("kim",), woman) == "f"


def test_a_woman_bears_the_form_of_women():
    text = "Piotr Zieliński and Magdalena Zielińska came."
    shown = mask(text, ("Piotr Zieliński", "PERSON"), ("Magdalena Zielińska", "PERSON"))
    man, woman = re.match(r"\w+ (\S+) and \w+ (\S+) came", shown).groups()
    assert woman in (man, write_feminine(man))


def test_a_given_name_alone_becomes_a_given_name():
    text = "Piotr Zieliński wrote. Our son Wit, 12, slept. Dear Amara, come."
    shown = mask(text, ("Piotr Zieliński", "PERSON"), ("Wit", "PERSON"), ("Amara", "PERSON"))
    son, friend = re.search(r"son (\w+), .*Dear (\w+),", shown).groups()
    given = {name for one in map(load_origin, ORIGINS) for name in {*one.male, *one.female}}
    assert "-".join(fold_words(son)) in given
    assert "-".join(fold_words(friend)) in given | {"alex", "kim"} | set(
        map(str.lower, people_for_anybody())
    )


def people_for_anybody():
    return [draw_given(Random(seed), "english", "en_GB", "") for seed in range(200)]


@pytest.mark.parametrize(
    ("given", "surname", "origin"),
    [
        (["piotr"], "zielinski", "polish"),
        (["amara"], "okafor", "nigerian"),
        (["wei"], "li", "chinese"),
        (["francisco"], "lopez", "spanish"),
        (["volodymyr"], "bondarenko", "ukrainian"),
        (["kenji"], "watanabe", "japanese"),
        (["nikolaos"], "papadakis", "greek"),
        (["vikram"], "desai", "indian"),
        (["zork"], "qwxyz", "english"),
    ],
)
def test_a_name_tells_its_origin_or_none(given, surname, origin):
    assert find_origin(given, surname, "english") == origin


def test_a_policy_gives_up_the_origin():
    text = "Piotr Zieliński came."
    kept, given_up = (
        mask(text, ("Piotr Zieliński", "PERSON"), origin=o) for o in ("keep", "locale")
    )
    polish, english = load_origin("polish"), load_origin("english")
    assert "-".join(fold_words(kept.split()[0])) in polish.male
    assert "-".join(fold_words(given_up.split()[0])) in english.male
    assert "-".join(fold_words(given_up.split()[1])) in english.family


@pytest.mark.parametrize("origin", ORIGINS)
def test_every_origin_has_names_in_latin_letters(origin):
    for gender in "mf":
        name = draw_given(Random(1), origin, "en_GB", gender)
        assert max(name) < "ɐ" or "Ḁ" <= max(name) <= "ỿ"


@pytest.mark.parametrize("seed", range(30))
def test_ages_move_together_and_nobody_comes_of_age(seed):
    known = [1, 4, 12, 17, 18, 33, 79]
    years = ages.draw_years(Random(seed), known)
    moved = [int(ages.move_age(str(age), years)) for age in known]
    assert all(
        age != new and abs(age - new) <= 3 and new > 0
        for age, new in zip(known, moved, strict=True)
    )
    assert [age < 18 for age in known] == [new < 18 for new in moved]


def test_an_age_still_fits_the_birth_date():
    text = "Kim, 42, was born on 14 February 1979. On 3 March 2021 it rained."
    marked = [("42", "QUANTITY"), ("14 February 1979", "DATETIME"), ("3 March 2021", "DATETIME")]
    shown = mask(text, ("Kim", "PERSON"), *marked)
    age, born, day = re.search(r", (\d+), .* (\d{4})\. On .* (\d{4}) it", shown).groups()
    assert int(age) != 42
    assert int(day) - int(born) - int(age) in (0, 1)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("St Mary's Hospital", r"\S+ Hospital"),
        ("St Mary's Hospital Gdańsk", r"\S+ Hospital"),
        ("Gdańsk Primary School No. 5", r"\S+ Primary School No\. \d"),
        ("Autos Benali del Sur", r"Autos \S+"),
        ("Kinderklinik Sankt Anna", r"Kinderklinik \S+"),
        ("Zorblatt Quux", r"[A-Z]\S+ [A-Z]\S+"),
    ],
)
def test_an_organisation_keeps_its_kind_and_gets_one_name(name, kind):
    faker = Faker("en_GB")
    faker.seed_instance(3)
    assert re.fullmatch(kind, things.invent_organisation(faker, name, "en_GB"))


def test_the_acronym_of_an_invented_organisation_is_made_of_its_letters():
    text = "St Mary's Hospital (SMH) wrote. Then SMH paid."
    shown = mask(text, ("St Mary's Hospital", "ORG"))
    name, first, again = re.fullmatch(r"(.+) \((\w+)\) wrote\. Then (\w+) paid\.", shown).groups()
    assert first == again == "".join(word[0] for word in name.split())
