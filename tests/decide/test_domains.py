"""Thresholds by the kind of text take the place of the others; direct identifiers are masked in every kind."""

import pytest

from maskwise.decide.rules import MaskingRules
from maskwise.policy import Policy, PolicyError
from maskwise.text import Document, Entity, EntityType, Evidence, IdentifierType
from maskwise.text.domain import Domain

RULES = MaskingRules(
    subtypes={"country": 0.8},
    domains={Domain.MAIL: {"PERSON": 0, "LOC": 0.4, "MISC": 2, "disease": 2}},
)


def judge(kind, score, domain, subtype="", identifier=IdentifierType.QUASI):
    document = Document("Porto", metadata={"domain": domain})
    mention = document.mention(0, 5, kind, subtype=subtype)
    entity = Entity("e1", kind, (mention,), identifier)
    evidence = [Evidence(("e1",), score, 0.5, score >= 0.5, "said", "sequence")]
    return RULES.judge(entity, evidence).masked


@pytest.mark.parametrize(
    ("kind", "score", "subtype", "mail", "court"),
    [
        (EntityType.PERSON, 0.1, "", True, False),
        (EntityType.LOC, 0.45, "", True, False),
        (EntityType.LOC, 0.39, "", False, False),
        (EntityType.LOC, 0.7, "country", False, False),
        (EntityType.MISC, 0.9, "", False, True),
        (EntityType.DEM, 0.9, "disease", False, True),
        (EntityType.ORG, 0.6, "", True, True),
    ],
)
def test_thresholds_of_a_kind(kind, score, subtype, mail, court):
    assert judge(kind, score, Domain.MAIL, subtype) is mail
    assert judge(kind, score, Domain.COURT, subtype) is court


def test_a_direct_identifier_is_masked_in_every_kind():
    assert judge(EntityType.MISC, 0.0, Domain.MAIL, identifier=IdentifierType.DIRECT)


def test_raising_a_threshold_of_people_in_a_kind_is_a_weakening():
    raw = {"name": "x", "extends": "balanced", "decide": {"domains": {"mail": {"PERSON": 0.9}}}}
    with pytest.raises(PolicyError, match="PERSON in mail"):
        Policy.parse(raw)
