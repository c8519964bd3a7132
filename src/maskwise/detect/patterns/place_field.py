"""Fields whose label says that a country, a state or another place follows, with a value that a list of them knows.

A model that reads a bare word in a form takes it for a name. The label and the list together say that it is none.
"""

from __future__ import annotations

from maskwise.detect.gazetteer.lists import is_country, is_place
from maskwise.detect.patterns._fields import (
    END,
    GAP,
    GAP_SIGN,
    NONE,
    WORD,
    build_labels,
    list_triggers,
)
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.detect.patterns.us_state import is_state
from maskwise.text import EntityType

_COUNTRIES = (
    "country",
    "country[ _-]?of[ _-]?(?:origin|birth|residence|citizenship)",
    "respondent[ _-]?state",
    "state[ _-]?party",
    "nation",
)
_STATES = ("state", "state[ _-]?of[ _-]?(?:residence|birth)", "us[ _-]?state")
_PLACES = ("place", "site", "location", "venue", "region", "province", "locality")
_THE = "(?:(?i:the)[ ])?"
_VALUE = rf"(?P<m>{_THE}{NONE}{WORD}(?:[ ]{WORD}){{0,3}}){END}"


def _build_rule(name: str, labels: tuple[str, ...], value: str = _VALUE) -> Rule:
    checks = {"country_field": is_country, "state_field": is_state, "place_field": is_place}
    return Rule(
        name=name,
        type=EntityType.LOC,
        regex=rf"{build_labels(labels)}{GAP}{value}",
        triggers=list_triggers(labels),
        needs=GAP_SIGN,
        reach=64,
        check=checks[name],
        certain=True,
    )


FAMILY = Family(
    name="place_field",
    rules=(
        _build_rule("country_field", _COUNTRIES),
        _build_rule("state_field", _STATES),
        _build_rule("place_field", _PLACES),
    ),
    positive=(
        ("Country: Norway\n", ("Norway",)),
        ("STATE PARTY | POLAND", ("POLAND",)),
        ('country="the netherlands" status=ok', ("the netherlands",)),
        ("State: Ohio\nSite\tturin\n", ("Ohio", "turin")),
        ("place=Lyon status=ok", ("Lyon",)),
    ),
    negative=(
        "Country: music",
        "State: Georgia Novak",
        "Site: under construction",
        "Place: Ana Souza",
        "the state of Ohio",
    ),
)
