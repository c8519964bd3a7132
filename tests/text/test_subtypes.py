"""The subtypes that rooms share, and what entities say of themselves by them."""

import pytest

from maskwise.detect.gazetteer.lists import BUNDLED
from maskwise.detect.patterns import list_families
from maskwise.detect.phrases import PhraseDetector
from maskwise.plugins import build_part
from maskwise.text import Document, Entity, EntityType, IdentifierType, Provenance, subtypes

SHARED = {
    name: value
    for name, value in vars(subtypes).items()
    if name.isupper() and isinstance(value, str)
}
BY_THE_LINE = {subtypes.DIRECT, subtypes.RELATIVE, subtypes.DIGITS, subtypes.CLINICAL}
BY_PHRASES = {
    mention.subtype
    for split in (False, True)
    for mention in PhraseDetector(split)
    .detect([Document("The first dog drowned. She ran.")])[0]
    .mentions
}


def given_subtypes():
    rules = [rule for family in list_families() for rule in family.rules]
    named = {
        name for rule in rules for name in (rule.name, *(variant for variant, _ in rule.variants))
    }
    return named | {each.subtype for each in BUNDLED} | BY_THE_LINE | BY_PHRASES


@pytest.mark.parametrize("subtype", sorted(SHARED.values()))
def test_a_detector_gives_each_shared_subtype_or_a_kind_of_it(subtype):
    assert any(given == subtype or given.startswith(f"{subtype}_") for given in given_subtypes())


def test_constants_are_named_as_they_are_spelt():
    kinds = {subtypes.NUMBERED_ORDER}  # named after the kind of its kind
    assert {name: name.lower() for name, value in SHARED.items() if value not in kinds} == {
        name: value for name, value in SHARED.items() if value not in kinds
    }


@pytest.mark.parametrize("kind", [Provenance.PATTERNS, Provenance.GAZETTEER, Provenance.NEURAL])
def test_detectors_sign_with_the_name_that_builds_them(kind):
    assert build_part("detectors", kind).name == kind


@pytest.mark.parametrize("protected", [True, False])
@pytest.mark.parametrize("identifier", list(IdentifierType))
def test_what_is_protected_or_belongs_to_one_person_is_direct(identifier, protected):
    mention = Document("Ana Souza").mention(0, 9, EntityType.PERSON)
    entity = Entity("e1", EntityType.PERSON, (mention,), identifier, protected)
    assert entity.is_direct == (protected or identifier == "DIRECT")
