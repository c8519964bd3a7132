"""Geographic coordinates as numbers: decimal, in degrees, minutes and seconds, by label, in map links.

They name a place, so their type is LOC. Codes for places are the family `grid`.
"""

from __future__ import annotations

import re

from maskwise.detect.patterns._labels import ASSIGNED, EDGE
from maskwise.detect.patterns.rule import Family, Rule
from maskwise.text import EntityType

_DECIMAL = re.compile(r"[0-9]{1,3}(?:[.,][0-9]+)?")
_SIGN = r"[+\-−–]?"
_PART = r"[ ]?[0-9]{1,2}(?:[.,][0-9]{1,6})?[ ]?"
_MINUTE, _SECOND = r"['′’‘m]", r"(?:\"|″|”|''|’’|′′|s(?![a-z]))"
_DEGREES = rf"[0-9]{{1,3}}(?:[.,][0-9]{{1,8}})?[ ]?[°ºd˚](?:{_PART}{_MINUTE}(?:{_PART}{_SECOND})?)?"
_PRECISE = rf"[0-9]{{1,3}}[ ]?[°ºd˚]{_PART}{_MINUTE}(?:{_PART}{_SECOND})?"
_SAID_DEGREES = (
    r"[0-9]{1,3}(?:[.,][0-9]{1,8})?[ ]?(?i:deg(?:rees?|s)?)\.?"
    r"(?:[ ,]{0,2}[0-9]{1,2}(?:[.,][0-9]{1,6})?[ ]?(?i:min(?:utes?|s)?)\.?"
    r"(?:[ ,]{0,2}[0-9]{1,2}(?:[.,][0-9]{1,6})?[ ]?(?i:sec(?:onds?|s)?)\.?)?)?"
)
_NUMBER = rf"{_SIGN}[0-9]{{1,3}}(?:\.[0-9]{{1,15}})?"
_FRACTION = rf"{_SIGN}[0-9]{{1,3}}[.,][0-9]{{1,15}}"
_POINT = rf"{_SIGN}[0-9]{{1,3}}\.[0-9]{{1,15}}°?[ ]?[NSEW]?"
_BETWEEN = r"(?:[ ]{0,2}[,;/|][ ]{0,2}|[ \t]{1,3})"
_END = r"(?![\w%]|[.,][0-9])"
_LABEL = r"(?:lat(?:itude)?|lon(?:gitude)?|long|lng|breddegrad|lengdegrad|breitengrad|längengrad)"
_PAIRS = (
    r"(?:gps|coordinates?|coords?|koordinater?|koordinaten|position|location|latlng"
    r"|lat[ ]?[/,&-][ ]?lo?ng?|geotag)"
)


def _is_on_earth(surface: str) -> bool:
    latitude, longitude = map(_read_degrees, _DECIMAL.findall(surface)[:2])
    return latitude <= 90 and longitude <= 180


def _is_on_earth_either_way(surface: str) -> bool:
    low, high = sorted(map(_read_degrees, _DECIMAL.findall(surface)[:2]))
    return low <= 90 and high <= 180


def _read_degrees(number: str) -> float:
    return float(number.replace(",", "."))


def _has_hemisphere(surface: str) -> bool:
    return bool(
        re.search("[NSEWOnsew]", surface.replace("s", "", 1) if "d" in surface else surface)
    )


FAMILY = Family(
    name="coordinates",
    rules=(
        Rule(
            name="coordinates",
            type=EntityType.LOC,
            regex=r"[+\-−0-9](?<![\w.,/+-].)[0-9]{0,3}(?<=[0-9])\.[0-9]{3,15}°?[ ]?[NS]?(?:[ ]?[,;/][ ]?|[ ])"
            r"[+\-−]?[0-9]{1,3}\.[0-9]{3,15}(?![\w%]|[.,][0-9])(?:°?[ ]?[EWO]\b|°)?",
            shapes=tuple(
                sign + figures + ".100"
                for sign in ("", "+", "-", "~")
                for figures in ("1", "10", "100", "1000")
            ),
            opens=True,
            certain=True,
            check=_is_on_earth,
        ),
        # 59.91 N, 10.75 E and N59.91 E10.75: the letters let any precision pass.
        Rule(
            name="coordinates_hemisphere",
            type=EntityType.LOC,
            regex=rf"(?<![\w.,])(?:{_FRACTION}[ ]?°?[ ]?[NSns]{_BETWEEN}?{_FRACTION}[ ]?°?[ ]?[EWew]"
            rf"|[NS][ ]?{_FRACTION}°?{_BETWEEN}?[EW][ ]?{_FRACTION}°?)(?!\w)",
            shapes=tuple(figures + sign for figures in ("1", "10", "100") for sign in (".1", ",1"))
            + tuple(
                letter + figures for letter in ("A", "A ", "A+", "A-") for figures in ("0", "1")
            ),
            reach=40,
            certain=True,
            check=_is_on_earth,
        ),
        Rule(
            name="coordinates_degrees",
            type=EntityType.LOC,
            regex=rf"(?:[NS][ ]?)?{_SIGN}{_DEGREES}[ ]?[NS]?(?:[ ]?[,;/][ ]?|[ ])?(?:[EWO][ ]?)?{_SIGN}{_DEGREES}[ ]?"
            r"(?:[EWO]\b)?",
            triggers=("°", "º", "˚"),
            certain=True,
            check=_has_hemisphere,
        ),
        Rule(
            name="coordinates_degrees",
            type=EntityType.LOC,
            regex=rf"(?<![\w.,])(?:[NSEW][ ]?{_PRECISE}|{_PRECISE}[ ]?[NSEWnsew](?!\w))",
            triggers=("°", "º", "˚"),
            shapes=("1a", "10a", "100a", "1~", "10~", "100~", "1 ~", "10 ~", "100 ~"),
            reach=24,
            certain=True,
            check=_has_hemisphere,
        ),
        # "59 degrees 54 minutes 50 seconds north", "59 deg 54 min N", "59.91 degrees north"
        Rule(
            name="coordinates_degrees",
            type=EntityType.LOC,
            regex=rf"(?<![\w.,])(?:{_SAID_DEGREES}[ ,]{{0,2}}(?:(?i:north|south|east|west)|[NSEW])(?!\w)"
            rf"|(?i:latitude|longitude)(?:[ ](?:is|was|of))?[ :]{{1,2}}{_SAID_DEGREES})",
            triggers=("deg",),
            reach=80,
            certain=True,
        ),
        # 59 54 50 N 10 45 08 E, 59:54:50N 010:45:08E, 595450N 0104508E
        Rule(
            name="coordinates_degrees",
            type=EntityType.LOC,
            regex=r"[0-9](?<![\w.,:-].)[0-9]?(?:([ :-])[0-9]{1,2}(?:\.[0-9]{1,6})?(?:\1[0-9]{1,2}(?:\.[0-9]{1,6})?)?"
            r"|[0-9]{2}(?:[0-9]{2})?(?:\.[0-9]{1,4})?)[ ]?[NS][ ,;/]{0,3}"
            r"[01]?[0-9]{1,2}(?:([ :-])[0-9]{1,2}(?:\.[0-9]{1,6})?(?:\2[0-9]{1,2}(?:\.[0-9]{1,6})?)?"
            r"|[0-9]{2}(?:[0-9]{2})?(?:\.[0-9]{1,4})?)[ ]?[EW](?!\w)",
            shapes=("1 1", "10 1", "1:1", "10:1", "1-1", "10-1", "1000"),
            opens=True,
            certain=True,
        ),
        Rule(
            name="coordinates_labelled",
            type=EntityType.LOC,
            regex=rf"{EDGE}(?i:{_LABEL})(?:\.|[ _]?(?i:deg(?:rees)?))?{ASSIGNED}"
            rf"(?:(?<!long: )|(?=[0-9+−-]{{1,4}}\.[0-9]))(?P<m>{_NUMBER}°?[ ]?[NSEW]?){_END}",
            triggers=("lat", "lon", "lng", "breddegrad", "lengdegrad", "breitengrad", "längengrad"),
            opens=True,
            certain=True,
            check=lambda surface: _read_degrees(_DECIMAL.findall(surface)[0]) <= 180,
        ),
        Rule(
            name="coordinates_labelled",
            type=EntityType.LOC,
            regex=rf"{EDGE}(?i:latitude|longitude|lat|lng)\.?(?:[ ](?i:of|is|was))?[ ]"
            rf"(?P<m>{_SIGN}[0-9]{{1,3}}\.[0-9]{{2,15}}°?[ ]?[NSEW]?){_END}",
            triggers=("lat ", "lat. ", "lng ", "latitude", "longitude"),
            opens=True,
            certain=True,
            check=lambda surface: _read_degrees(_DECIMAL.findall(surface)[0]) <= 180,
        ),
        Rule(
            name="coordinates_labelled",
            type=EntityType.LOC,
            regex=rf"{EDGE}(?i:{_PAIRS})(?:[ ](?i:is|are|was|at|fix|position|location))?[\s:=\"'|(\[>]{{1,12}}"
            rf"(?P<m>{_POINT}{_BETWEEN}{_POINT}){_END}",
            triggers=(
                *(
                    "gps",
                    "coordinate",
                    "coord",
                    "koordinat",
                    "position",
                    "location",
                    "latlng",
                    "lat/",
                    "lat,",
                    "geotag",
                ),
                *("lat /", "lat &", "lat-"),
            ),
            opens=True,
            certain=True,
            check=_is_on_earth_either_way,
        ),
        # geo:59.91,10.75;u=35 and @59.91,10.75,15z of map links
        Rule(
            name="coordinates_link",
            type=EntityType.LOC,
            regex=rf"(?:(?<!\w)(?i:geo):{_NUMBER},{_NUMBER}(?:,{_NUMBER})?(?:;[\w.=-]{{1,40}}){{0,4}}"
            rf"|@{_SIGN}[0-9]{{1,3}}\.[0-9]{{1,15}},{_SIGN}[0-9]{{1,3}}\.[0-9]{{1,15}}(?:,[0-9.]{{1,9}}[a-z])?)(?!\w)",
            triggers=("geo:", "@"),
            opens=True,
            certain=True,
            check=_is_on_earth,
        ),
        Rule(
            name="coordinates_wkt",
            type=EntityType.LOC,
            regex=r"(?<!\w)(?i:(?:multi)?(?:point|linestring|polygon)(?:[ ]?zm?|[ ]?m)?)[ ]?\([0-9 ,.()eE+-]{3,4000}\)",
            triggers=("point", "linestring", "polygon", "multi"),
            opens=True,
            certain=True,
            check=lambda surface: bool(re.search(r"[0-9] +[+-]?[0-9]", surface)),
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
        ("near 59.91 N, 10.75 E today", ("59.91 N, 10.75 E",)),
        ("fix N59.91 E10.75.", ("N59.91 E10.75",)),
        ("59,9139 N 10,7522 E", ("59,9139 N 10,7522 E",)),
        ("59.91°n, 10.75°e", ("59.91°n, 10.75°e",)),
        ("lat: 59.91, lon: 10.75", ("59.91", "10.75")),
        ('{"lat": 59.91, "lng": -10}', ("59.91", "-10")),
        ('"latitude": 59.9139, "longitude": 10.7522', ("59.9139", "10.7522")),
        ("LATITUDE | 59.91", ("59.91",)),
        ("?lat=59.91&lon=10.75", ("59.91", "10.75")),
        ("gpsLatitude=59.91", ("59.91",)),
        ("a latitude of 59.9139 was", ("59.9139",)),
        ("GPS 59.91, 10.75 at noon", ("59.91, 10.75",)),
        ('"coordinates": [10.75, 59.91]', ("10.75, 59.91",)),
        ("59d54m50s N 10d45m8s E", ("59d54m50s N", "10d45m8s E")),
        ("on 59°54'N all day", ("59°54'N",)),
        (
            "59 deg 54 min 49 sec North, 10 deg 44 min E",
            ("59 deg 54 min 49 sec North", "10 deg 44 min E"),
        ),
        ("59 degrees, 54 minutes south", ("59 degrees, 54 minutes south",)),
        ("59.91 degrees north", ("59.91 degrees north",)),
        ("latitude 59 degrees 54 minutes", ("latitude 59 degrees 54 minutes",)),
        ("59 54 50 N 10 45 08 E", ("59 54 50 N 10 45 08 E",)),
        ("at 595450N 0104508E,", ("595450N 0104508E",)),
        ("see geo:59.91,10.75;u=35 now", ("geo:59.91,10.75;u=35",)),
        ("map @59.91,10.75,15z shows", ("@59.91,10.75,15z",)),
        ("POINT(10.7522 59.9139)", ("POINT(10.7522 59.9139)",)),
        (
            "SRID=4326;POLYGON ((10.1 59.1, 10.2 59.2, 10.1 59.1))",
            ("POLYGON ((10.1 59.1, 10.2 59.2, 10.1 59.1))",),
        ),
    ),
    negative=(
        "from 1.5, 2.5 to 3",
        "99.1234, 10.1234",
        "20° and 30° in summer",
        "a 90° turn",
        "a turn of 90 degrees, eastern wind, 20 degrees outside, 5 deg",
        "prices 12.345,67 and 1.234,56",
        "1.2345",
        "the platform is 5.2 m long: 30 people fit",
        "a long 5.5 km walk, lat 2",
        "in position 3.1 or 4.2",
        "5 S and 6 W",
        "the point (12)",
        "at 12:30 and 12:45",
        "12 m tall and 30' long",
    ),
)
