"""Geographic coordinates, decimal or in degrees, minutes and seconds. They name a place, so their type is LOC."""

from __future__ import annotations

import re

from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_DECIMAL = re.compile(r"[+\-−]?([0-9]{1,3}\.[0-9]+)")
_PART = r"[ ]?[0-9]{1,2}(?:\.[0-9]{1,6})?[ ]?"
_DEGREES = rf"[0-9]{{1,3}}(?:\.[0-9]{{1,8}})?[ ]?[°º](?:{_PART}['′’](?:{_PART}(?:\"|″|”|''|’’))?)?"


def _on_earth(surface: str) -> bool:
    latitude, longitude = map(float, _DECIMAL.findall(surface)[:2])
    return latitude <= 90 and longitude <= 180


FAMILY = Family(
    name="coordinates",
    rules=(
        Rule(
            name="coordinates",
            type=EntityType.LOC,
            regex=r"[+\-−0-9](?<![\w.,/+-].)[0-9]{0,3}(?<=[0-9])\.[0-9]{3,15}°?[ ]?[NS]?(?:[ ]?[,;/][ ]?|[ ])"
            r"[+\-−]?[0-9]{1,3}\.[0-9]{3,15}(?![\w%]|[.,][0-9])(?:°?[ ]?[EWO]\b|°)?",
            shapes=tuple(
                sign + figures + ".100" for sign in ("", "+", "-", "~") for figures in ("1", "10", "100", "1000")
            ),
            opens=True,
            check=_on_earth,
        ),
        Rule(
            name="coordinates_degrees",
            type=EntityType.LOC,
            regex=rf"(?:[NS][ ]?)?{_DEGREES}[ ]?[NS]?(?:[ ]?[,;/][ ]?|[ ])?(?:[EWO][ ]?)?{_DEGREES}[ ]?(?:[EWO]\b)?",
            triggers=("°", "º"),
            check=lambda surface: bool(re.search("[NSEWO]", surface)),
        ),
    ),
    positive=(
        ("at 59.9139, 10.7522 in spring", ("59.9139, 10.7522",)),
        ("(-33.86882, 151.20929)", ("-33.86882, 151.20929",)),
        ("point 48.8566 N, 2.3522 E", ("48.8566 N, 2.3522 E",)),
        ("59°54′50″N 10°45′8″E", ("59°54′50″N 10°45′8″E",)),
        ("40° 26' 46\" N, 79° 58' 56\" W.", ("40° 26' 46\" N, 79° 58' 56\" W",)),
        ("N 51° 30.5', W 0° 7.6'", ("N 51° 30.5', W 0° 7.6'",)),
        ("52.5200°N 13.4050°E", ("52.5200°N 13.4050°E",)),
        ("geo 12.9716;77.5946", ("12.9716;77.5946",)),
    ),
    negative=(
        "from 1.5, 2.5 to 3",
        "99.1234, 10.1234",
        "20° and 30° in summer",
        "a 90° turn",
        "prices 12.345,67 and 1.234,56",
        "1.2345",
    ),
)
