"""Food, goods, games and abbreviations are nobody's; what says something of a person stays."""

import pytest

from maskwise.detect.cutting import trim_name
from maskwise.detect.ordinary import is_common_acronym, is_goods, is_measure, is_ordinary_thing
from maskwise.text import Document, EntityType
from maskwise.text.domain import Domain

P, L, B, M, D = (
    EntityType.PERSON,
    EntityType.LOC,
    EntityType.ORG,
    EntityType.MISC,
    EntityType.DEM,
)


def take(text, kind, source="neural", score=0.6):
    return Document(text).mention(0, len(text), kind, source=source, score=score)


@pytest.mark.parametrize("text", ["borscht", "bouncy castle", "foster dogs", "hamsters"])
def test_things_are_ordinary(text):
    assert is_ordinary_thing(take(text, D), [])


@pytest.mark.parametrize(
    "text", ["line cook", "chef de partie", "twin boys", "some college", "anna", "room 12"]
)
def test_what_tells_of_a_person_is_not(text):
    assert not is_ordinary_thing(take(text, D), [])


def test_what_the_model_is_sure_of_or_a_list_knows_stays():
    assert not is_ordinary_thing(take("evangelical", M, score=0.9), [])
    assert not is_ordinary_thing(take("borscht", M), [(0, 7)])


def test_an_abbreviation_is_nobody_but_initials_under_a_mail_may_be():
    assert is_common_acronym(take("VPN", B), Domain.MAIL)
    assert is_common_acronym(take("Q3", B), Domain.GENERAL)
    assert is_common_acronym(take("DH", P), Domain.GENERAL)
    assert not is_common_acronym(take("DH", P), Domain.MAIL)
    assert not is_common_acronym(take("ECHR", B), Domain.GENERAL)


def test_goods_are_known_with_their_number():
    assert is_goods(take("Unreal Engine 5", M))
    assert not is_goods(take("Ana Souza", P))


def test_a_range_is_no_age():
    document = Document("a 28-75 lens")
    assert is_measure(document.mention(2, 4, D, source="neural"))
    assert not is_measure(Document("I am 28 now").mention(5, 7, D, source="neural"))


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("my grandpa Eustace", P, ["Eustace"]),
        ("Ana - Tolmsby", P, ["Ana", "Tolmsby"]),
        ("Moore reaches settlement", P, ["Moore"]),
        ("Quebec farmed", L, ["Quebec"]),
        ("Foyle river", L, ["Foyle river"]),
        ("12 Elm Road - 423480", L, ["12 Elm Road - 423480"]),
        ("ana souza", P, ["ana souza"]),
    ],
)
def test_names_are_trimmed(text, kind, names):
    assert [m.text for m in trim_name(take(text, kind))] == names
