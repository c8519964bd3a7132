"""Fields whose label says that a country, a state or another place follows, with a value that a list of them knows.

A model that reads a bare word in a form takes it for a name. The label and the list together say that it is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from maskwise.detect.gazetteer.lists import is_country, is_place
from maskwise.detect.patterns._fields import NONE, WORD, build_field_rule
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
_VALUE = rf"(?:(?i:the)[ ])?{NONE}{WORD}(?:[ ]{WORD}){{0,3}}"


def _build_rule(name: str, labels: Iterable[str], check: Callable[[str], bool]) -> Rule:
    """Builds the rule that reads a place after a label, if `check` knows the place."""
    return build_field_rule(name, EntityType.LOC, labels, _VALUE, check=check, certain=True)


FAMILY = Family(
    name="place_field",
    rules=(
        _build_rule("country_field", _COUNTRIES, is_country),
        _build_rule("state_field", _STATES, is_state),
        _build_rule("place_field", _PLACES, is_place),
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
