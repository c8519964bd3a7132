"""Fields of forms, tables and logs whose label announces a special category of data (GDPR articles 9 and 10).

The label tells what the value is in any case: "Religion: Catholic", "ethnic_origin=tatar", "CHARGE: TAX EVASION".
"""

from __future__ import annotations

from collections.abc import Iterable

from maskwise.detect.patterns._fields import NONE, build_field_rule, split_labels
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_HEALTH = split_labels(
    """
    illness;illnesses;disease;disability;diagnosis;health;mental[ _-]?health
    health[ _-]?condition;medical[ _-]?condition;chronic[ _-]?conditions?
    """
)
_BELIEF = split_labels(
    """
    religion;faith;denomination;belief;beliefs
    religious[ _-]?affiliation;religious[ _-]?beliefs?
    """
)
_ETHNIC = split_labels(
    """
    ethnicity;race;racial[ _-]?origin
    ethnic[ _-]?origin;ethnic[ _-]?group;ethnic[ _-]?background
    """
)
_POLITICS = split_labels(
    """
    politics;political[ _-]?views?;political[ _-]?opinions?
    political[ _-]?party;political[ _-]?affiliation;party[ _-]?membership
    """
)
_ORIENTATION = ("sexual[ _-]?orientation", "orientation", "sexuality")
_OFFENCE = split_labels(
    """
    charge;charges;charged[ _-]?with;criminal[ _-]?record
    offence;offences;offense;offenses
    conviction;convictions;convicted[ _-]?of
    """
)
# A value begins with a letter: "Charge: 12.50" is an amount.
_WORD = r"[^\W\d_](?:[^\W_]|['’‑/-](?=[^\W_])){0,30}"
_VALUE = rf"{NONE}{_WORD}(?:,?[ ]{_WORD}){{0,5}}"


def _build_rule(name: str, labels: Iterable[str]) -> Rule:
    """Builds the rule that reads the value after a label. A policy decides by the subtype, which is the name."""
    return build_field_rule(name, EntityType.DEM, labels, _VALUE, reach=128, score=0.6)


FAMILY = Family(
    name="attribute_field",
    rules=(
        _build_rule("health_field", _HEALTH),
        _build_rule("belief_field", _BELIEF),
        _build_rule("ethnic_field", _ETHNIC),
        _build_rule("politics_field", _POLITICS),
        _build_rule("orientation_field", _ORIENTATION),
        _build_rule("offence_field", _OFFENCE),
    ),
    positive=(
        ("Illness: HIV\nAge: 40", ("HIV",)),
        ('religion="jehovah\'s witness" status=ok', ("jehovah's witness",)),
        ("ethnic_origin=tatar status=ok", ("tatar",)),
        ("POLITICAL VIEWS: MEMBER OF THE OPPOSITION\n", ("MEMBER OF THE OPPOSITION",)),
        ("| Sexual orientation | bisexual |", ("bisexual",)),
        ("charge: drug trafficking", ("drug trafficking",)),
    ),
    negative=(
        "Charge: 12.50",
        "Religion: none",
        "the charge: he was never told what it was, and nobody asked him about it",
        "health and safety",
        "Race: 10 km",
    ),
)
