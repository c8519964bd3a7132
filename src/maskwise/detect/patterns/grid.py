"""Codes for places: plus codes, geohashes, UTM, military and national grids, three words. Their type is LOC."""

from __future__ import annotations

from maskwise.detect.patterns._labels import match_labelled
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_PLUS = "23456789CFGHJMPQRVWX"
_ZONE = r"(?:[1-5]?[0-9]|60)[ ]?[C-HJ-NP-X]"
_EAST = r"0?[1-9][0-9]{5}(?:\.[0-9]{1,3})?(?:[ ]?m?[ ]?E)?"
_NORTH = r"[0-9]{6,7}(?:\.[0-9]{1,3})?(?:[ ]?m?[ ]?N)?"
_METRES = rf"{_EAST}[ ,;/]{{1,3}}{_NORTH}"

_W3W = r"[^\W\d_]{2,24}(?:[.·・︒。][^\W\d_]{2,24}){2}"


def _has_both(surface: str) -> bool:
    """Whether letters and digits both occur: neither a word nor a sum."""
    return any(map(str.isdecimal, surface)) and any(map(str.isalpha, surface))


FAMILY = Family(
    name="grid",
    rules=(
        Rule(
            name="coordinates_plus_code",
            type=EntityType.LOC,
            regex=rf"(?<![\w+])(?i:[{_PLUS}]{{8}}\+(?:[{_PLUS}]{{2,7}})?|[{_PLUS}]{{4,6}}\+[{_PLUS}]{{2,4}})(?![\w+])",
            triggers=("+",),
            reach=16,
            certain=True,
            check=_has_both,
        ),
        Rule(
            name="coordinates_geohash",
            type=EntityType.LOC,
            regex=match_labelled((r"geo[ _-]?hash",), r"[0-9b-hjkmnp-zB-HJKMNP-Z]{4,12}(?!\w)"),
            triggers=("geohash", "geo hash", "geo-hash", "geo_hash"),
            opens=True,
            certain=True,
            check=_has_both,
        ),
        Rule(
            name="coordinates_utm",
            type=EntityType.LOC,
            regex=rf"(?<![\w.,])(?:(?i:utm)[ :]{{1,2}}(?:(?i:zone)[ ])?)?{_ZONE}[ ,:]{{1,2}}{_METRES}(?!\w)",
            shapes=tuple(
                figures + gap + end
                for figures in ("1", "10")
                for gap in ("", " ")
                for end in ("A ", "B ", "A,", "B,")
            ),
            triggers=("utm",),
            reach=48,
            certain=True,
        ),
        Rule(
            name="coordinates_mgrs",
            type=EntityType.LOC,
            regex=r"[0-9](?<![\w.,].)[0-9]?[ ]?[C-HJ-NP-X][ ]?[A-HJ-NP-Z]{2}[ ]?"
            r"(?:[0-9]{5}[ ]?[0-9]{5}|[0-9]{4}[ ]?[0-9]{4}|[0-9]{3}[ ][0-9]{3})(?!\w)",
            shapes=tuple(figures + gap + "B" for figures in ("1", "10") for gap in ("", " ", " A"))
            + tuple(figures + " A" for figures in ("1", "10")),
            opens=True,
            certain=True,
        ),
        Rule(
            name="coordinates_grid",
            type=EntityType.LOC,
            regex=match_labelled(
                (
                    r"(?:map|os|national)?[ ]?grid[ ](?:ref(?:erence)?|position|square)",
                    "mgrs",
                    "grid",
                ),
                r"[A-Za-z]{1,2}[ ]?[0-9]{2,5}[ ]?[0-9]{2,5}(?!\w)",
            ),
            triggers=("grid", "map grid", "os grid", "national grid", "mgrs"),
            opens=True,
            certain=True,
        ),
        Rule(
            name="coordinates_words",
            type=EntityType.LOC,
            regex=rf"///(?<![\w:/]///){_W3W}(?![\w.])",
            triggers=("///",),
            opens=True,
            certain=True,
        ),
        Rule(
            name="coordinates_words",
            type=EntityType.LOC,
            regex=match_labelled(
                (r"what3words(?:[ ]address)?", "w3w", "three[ -]word address"),
                rf"{_W3W}(?!\w|\.\w)",
            ),
            triggers=("what3words", "w3w", "three word address", "three-word address"),
            opens=True,
            certain=True,
        ),
    ),
    positive=(
        ("at 9FFGWP7X+25 by night", ("9FFGWP7X+25",)),
        ("WP7X+25 Oslo", ("WP7X+25",)),
        ("code 9ffgwp7x+25.", ("9ffgwp7x+25",)),
        ("geohash: u4xsu2", ("u4xsu2",)),
        ("UTM 32V 597423 6643460", ("UTM 32V 597423 6643460",)),
        ("32V 0597423E 6643460N here", ("32V 0597423E 6643460N",)),
        ("32VNM 97423 43460", ("32VNM 97423 43460",)),
        ("near 32VNM9742343460.", ("32VNM9742343460",)),
        ("grid reference TQ 30080 80420", ("TQ 30080 80420",)),
        ("OS grid ref: TQ3008", ("TQ3008",)),
        ("meet at ///table.lamp.river tonight", ("///table.lamp.river",)),
        ("what3words: table.lamp.river.", ("table.lamp.river",)),
    ),
    negative=(
        "2+2 is 4",
        "C++ and GCC",
        "2345+67",
        "the geohash of a place",
        "https:///x.y.z",
        "32 V and 230 V",
        "a grid of 12 by 12",
        "10 AND 12345 12345",
    ),
)
