"""Fields of forms, tables and logs whose label announces a special category of data (GDPR articles 9 and 10).

The label tells what the value is in any case: "Religion: Catholic", "ethnic_origin=tatar", "CHARGE: TAX EVASION".
"""

from __future__ import annotations

from collections.abc import Iterable

from maskwise.detect.patterns._fields import END, GAP, GAP_SIGN, NONE, build_labels, list_triggers
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_HEALTH = (
    *(
        "illness",
        "illnesses",
        "disease",
        "health",
        "health[ _-]?condition",
        "medical[ _-]?condition",
    ),
    *("disability", "diagnosis", "mental[ _-]?health", "chronic[ _-]?conditions?"),
)
_BELIEF = (
    *("religion", "faith", "denomination", "religious[ _-]?affiliation", "belief", "beliefs"),
    "religious[ _-]?beliefs?",
)
_ETHNIC = (
    *("ethnicity", "ethnic[ _-]?origin", "ethnic[ _-]?group", "ethnic[ _-]?background", "race"),
    "racial[ _-]?origin",
)
_POLITICS = (
    *("political[ _-]?views?", "political[ _-]?party", "political[ _-]?affiliation", "politics"),
    *("political[ _-]?opinions?", "party[ _-]?membership"),
)
_ORIENTATION = ("sexual[ _-]?orientation", "orientation", "sexuality")
_OFFENCE = (
    *("charge", "charges", "offence", "offences", "offense", "offenses", "conviction"),
    *("convictions", "convicted[ _-]?of", "criminal[ _-]?record", "charged[ _-]?with"),
)
# A value begins with a letter: "Charge: 12.50" is an amount.
_WORD = r"[^\W\d_](?:[^\W_]|['’‑/-](?=[^\W_])){0,30}"
_VALUE = rf"{NONE}{_WORD}(?:,?[ ]{_WORD}){{0,5}}"


def _build_rule(name: str, labels: Iterable[str]) -> Rule:
    """Builds the rule that reads the value after a label. A policy decides by the subtype, which is the name."""
    known = tuple(labels)
    return Rule(
        name=name,
        type=EntityType.DEM,
        regex=rf"{build_labels(known)}{GAP}(?P<m>{_VALUE}){END}",
        triggers=list_triggers(known),
        needs=GAP_SIGN,
        reach=128,
        score=0.6,
    )


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
